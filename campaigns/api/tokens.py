"""Tokens at the door of the API: who sends one is its owner, as far as its scopes go.

A token that is refused is refused in the same words whether it is unknown, expired or revoked,
and who sends many of those waits. A good token never waits for another's bad ones.
"""

from __future__ import annotations

from typing import Any, NoReturn

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication
from rest_framework import exceptions, status
from rest_framework.authentication import get_authorization_header
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from campaigns.models import ApiToken, Scope, Seat
from campaigns.operations import tokens
from campaigns.refusals import NotFound

SCHEMES = (b"bearer", b"token")
CHALLENGE = 'Bearer realm="Sitrep"'
SESSION = "session"
"""Instead of a scope: nothing for a token, since it is of no campaign or about who is in it."""


class ScopeNeeded(exceptions.APIException):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "scope-needed"

    def __init__(self, scope: str) -> None:
        super().__init__(f'This token has not the scope "{scope}". Make one that has.')
        self.auth_header = f'{CHALLENGE}, error="insufficient_scope", scope="{scope}"'


class SessionNeeded(exceptions.APIException):
    status_code = status.HTTP_403_FORBIDDEN
    default_detail = "No token may do this. Sign in for it."
    default_code = "session-needed"


class BadTokens(SimpleRateThrottle):
    """Counts the bad tokens that come from one place."""

    rate = "20/min"

    def get_cache_key(self, request: Request, view: Any) -> str:
        return f"bad-tokens:{request.META.get('REMOTE_ADDR', '')}"


class Bearer(TokenAuthentication):
    """`Authorization: Bearer sitrep_...`, or `Token` for `Bearer`."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() not in SCHEMES:
            return None
        if len(words) != 2 or not words[1].isascii():
            self._refuse(request)
        try:
            user, token = self.authenticate_credentials(words[1])  # type: ignore[no-untyped-call]
        except exceptions.AuthenticationFailed:
            self._refuse(request)
        tokens.note_use(token)
        return user, token

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE

    def _refuse(self, request: Request) -> NoReturn:
        counted: Any = BadTokens()
        if not counted.allow_request(request, view=None):
            raise exceptions.Throttled(counted.wait())
        raise exceptions.AuthenticationFailed(
            "This token is unknown, revoked or expired. Make a new one on the page of your"
            " campaign's members.",
            code="bad-token",
        )


def hold(token: Any, scope: str | None, seat: Seat | None) -> None:
    """Hold a request to the token it came with; one without a token is held to nothing here.

    Raises NotFound for a seat that is not the token's, then ScopeNeeded or SessionNeeded.
    """
    if not isinstance(token, ApiToken):
        return
    if seat is not None and seat.pk != token.seat_id:
        raise NotFound
    if scope is None or scope == SESSION:
        raise SessionNeeded
    if scope not in token.scopes:
        raise ScopeNeeded(scope)


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """What the OpenAPI document says of tokens: which scope an operation needs."""

    target_class = Bearer
    name = "token"

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        handler = getattr(auto_schema.view, auto_schema.method.lower(), None)
        scope = getattr(handler, "scope", SESSION)
        return [] if scope == SESSION else [{self.name: [str(scope)]}]

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        scopes = "; ".join(f"`{scope.value}`: {scope.label}" for scope in Scope)
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of one campaign, made on the page of its members. What an"
            f" operation lists is the scope it needs. {scopes}.",
        }
