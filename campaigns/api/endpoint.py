"""What every endpoint shares: the seat of the caller, a body read strictly, a described answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.utils.cache import patch_vary_headers
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import access
from campaigns.api import conditions, tokens
from campaigns.api.contents import plain, ref
from campaigns.api.problem import Malformed
from campaigns.models import KeptAnswer, Scope, Seat
from campaigns.projection import Viewer, viewer_for

PREVIEW = "as"
JSON = "application/json"
DEEPEST = 30
"""Levels of a body: a result document has five."""

TOO_DEEP = "JSON parse error - it is nested too deeply"


class Documents(JSONParser):
    """JSON of a depth that somebody may have meant."""

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(TOO_DEEP) from None
        level, depth = [data], 0
        while level:
            if depth > DEEPEST:
                raise ParseError(TOO_DEEP)
            level, depth = [inner for value in level for inner in _within(value)], depth + 1
        return data


def _within(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


class Endpoint(APIView):
    """An endpoint for somebody signed in, or for the token of one."""

    parser_classes = (Documents,)
    keeps = True
    """Whether answers may be kept for an `Idempotency-Key`; not where they hold a secret."""
    begun: KeptAnswer | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        slug = kwargs.get("slug")
        self.taken: Seat | None = access.seat_for(request.user, slug) if slug else None
        handler = getattr(self, str(request.method).lower(), None)
        if handler is not None:
            tokens.hold(request.auth, getattr(handler, "scope", None), self.taken)
            _refuse_unknown(request, getattr(handler, "known", frozenset()))
        self.begun = conditions.begin(request, keeps=self.keeps)
        if self.begun is not None:
            # The act and its kept answer are one: neither stands without the other.
            self.whole = transaction.atomic()
            self.whole.__enter__()

    def handle_exception(self, exc: Exception) -> Response:
        try:
            answered: Response = super().handle_exception(exc)
        except Exception:
            if self.begun is not None:
                self._undo()
            raise
        return answered

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        made: Response = super().finalize_response(request, response, *args, **kwargs)
        made["Cache-Control"] = "no-store"
        if self.begun is not None and 200 <= made.status_code < 300:
            conditions.finish(self.begun, made, keeps=self.keeps)
            self.whole.__exit__(None, None, None)
        elif self.begun is not None:
            self._undo()
        elif _read(request, made):
            tag = conditions.tag_of(made.data)
            if conditions.unchanged(request, tag):
                made.status_code, made.data = 304, None
            made["ETag"] = tag
            made["Cache-Control"] = "private, no-cache"
        made["X-Robots-Tag"] = "noindex"
        patch_vary_headers(made, ["Authorization", "Cookie"])
        return made

    def _undo(self) -> None:
        """Take back what a refused or broken request did, and forget its key."""
        assert self.begun is not None
        transaction.set_rollback(True)
        self.whole.__exit__(None, None, None)
        conditions.give_up(self.begun)

    @property
    def seat(self) -> Seat:
        assert self.taken is not None
        return self.taken

    @property
    def preview(self) -> str:
        """The side a referee looks through; empty for his own eyes."""
        return self.request.GET.get(PREVIEW, "")

    @property
    def viewer(self) -> Viewer:
        return viewer_for(self.seat, self.preview)


def _read(request: Request, made: Response) -> bool:
    """Whether an answer is what was read, and carries its ETag."""
    return request.method in ("GET", "HEAD") and made.status_code == 200 and made.data is not None


def _refuse_unknown(request: Request, known: frozenset[str]) -> None:
    """Refuse a misspelt parameter: unread, it would be answered with what was not asked for."""
    for name, values in request.GET.lists():
        if any("\0" in word for word in (name, *values)):
            raise Malformed("A text here has a NUL in it.", name.replace("\0", ""))
        if name not in known:
            takes = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
            raise Malformed(f'This address takes no parameter "{name[:40]}"; {takes}.', name[:40])


class Unknown(APIView):
    """Every address that is none, answered like all else here: by a problem in JSON."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        words = "There is nothing here for you."
        if not request.path.endswith("/"):
            words += " Addresses end with a slash."
        raise NotFound(words, code="not-found")


def answer(report: Any, status: int = 200, location: str = "") -> Response:
    """A report as a response."""
    headers = {"Location": location} if location else None
    return Response(plain(report), status=status, headers=headers)


LARGEST = 10**9 - 1
"""Of a whole number in a query."""

Parameters = tuple[OpenApiParameter, ...]

AS = OpenApiParameter("as", str, description="A side's key: a referee looks through its eyes.")


def whole(
    name: str, words: str, *, required: bool = False, low: int = 0, high: int = LARGEST
) -> OpenApiParameter:
    """A parameter of the query that is a whole number."""
    kind = {"type": "integer", "minimum": low, "maximum": high}
    return OpenApiParameter(name, kind, required=required, description=words)


def choice(name: str, words: str, offered: Iterable[str], default: str) -> OpenApiParameter:
    """A parameter of the query that is one of a few words."""
    kind = {"type": "string", "enum": list(offered), "default": default}
    return OpenApiParameter(name, kind, description=words)


def if_match(*, required: bool) -> OpenApiParameter:
    """The header that holds an act to what was read."""
    words = "The ETag of what you read and now change."
    kind = {"type": "string", **({"pattern": "^[!-~]+$"} if required else {})}
    return OpenApiParameter(
        "If-Match", kind, OpenApiParameter.HEADER, required=required, description=words
    )


def describe(
    operation: str,
    summary: str,
    gives: Any,
    *,
    takes: Any = None,
    status: int = 200,
    parameters: Parameters = (),
    scope: str = "",
) -> Callable[[Any], Any]:
    """The OpenAPI description of an endpoint's method; `schema.py` adds what all share.

    `scope` is what a token needs for it: `read` for what reads and `referee` for what acts, unless
    another is given.
    """
    given = gives if isinstance(gives, dict) else ref(gives)
    described = extend_schema(
        operation_id=operation,
        summary=summary,
        request={JSON: ref(takes)} if takes else None,
        responses={status: OpenApiResponse(given, description=summary)},
        parameters=list(parameters),
    )

    def decorate(method: Any) -> Any:
        method.known = frozenset(p.name for p in parameters if p.location == OpenApiParameter.QUERY)
        method.scope = scope or (Scope.READ if method.__name__ == "get" else Scope.REFEREE)
        return described(method)

    return decorate


def chosen(request: Request, parameter: OpenApiParameter) -> str:
    """What the query says of a `choice`, its default if nothing. Raises Malformed."""
    kind: Any = parameter.type
    word = request.GET.get(parameter.name, kind["default"])
    if word not in kind["enum"]:
        offered = ", ".join(kind["enum"])
        said = f'{parameter.name}: expected one of {offered}, got "{word[:40]}"'
        raise Malformed(said, parameter.name)
    return str(word)


def number(request: Request, name: str, low: int = 0, high: int = LARGEST) -> int | None:
    """A whole number of the query, None if it is not there. Raises Malformed."""
    text = request.GET.get(name)
    if text is None:
        return None
    fits = text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST))
    if not fits or not low <= int(text) <= high:
        raise Malformed(
            f'{name}: expected a whole number from {low} to {high}, got "{text[:40]}"', name
        )
    return int(text)
