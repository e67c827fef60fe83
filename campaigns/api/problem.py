"""Errors as `application/problem+json` (RFC 9457)."""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import set_rollback

from campaigns.refusals import Refused

MEDIA_TYPE = "application/problem+json"


class Malformed(Exception):
    """The body of a request does not fit; says where and what was expected."""

    def __init__(self, detail: str, path: str = "$") -> None:
        super().__init__(detail)
        self.detail = detail
        self.path = path


class Changed(exceptions.APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_detail = "It was changed since you read it. Read it again; its ETag is in the answer."
    default_code = "changed"

    def __init__(self, current: str) -> None:
        super().__init__()
        self.current = current


class AnsweredBefore(Exception):
    """A request was answered before; carries that answer."""

    def __init__(self, answer: Response) -> None:
        self.answer = answer


def handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer for an error raised in an endpoint. None for one that is a fault of ours."""
    if isinstance(error, Refused):
        set_rollback()
        more = {"rule": error.rule} if error.rule else {}
        return _answer(status.HTTP_409_CONFLICT, "refused", error.why, error.path, more)
    if isinstance(error, Malformed):
        return _answer(status.HTTP_400_BAD_REQUEST, "malformed", error.detail, error.path)
    if isinstance(error, AnsweredBefore):
        return error.answer
    if isinstance(error, Http404):
        return _answer(status.HTTP_404_NOT_FOUND, "not-found", "There is nothing here for you.")
    if isinstance(error, RequestDataTooBig):
        return _answer(
            status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, "too-large", "The body is too large."
        )
    if isinstance(error, PermissionDenied):
        return _answer(status.HTTP_403_FORBIDDEN, "forbidden", "You may not do this.")
    if isinstance(error, exceptions.APIException):
        if isinstance(error, exceptions.NotAuthenticated):
            error.detail = exceptions.ErrorDetail("Sign in, or send a token.", "sign-in-first")
        answer = _answer(error.status_code, _code(error), _detail(error))
        challenge = getattr(error, "auth_header", "")
        if challenge:
            answer["WWW-Authenticate"] = challenge
        wait = getattr(error, "wait", None)
        if wait is not None:
            answer["Retry-After"] = str(math.ceil(wait))
        if isinstance(error, Changed):
            answer["ETag"] = error.current
        return answer
    return None


def _code(error: exceptions.APIException) -> str:
    codes = error.get_codes()
    return codes if isinstance(codes, str) else "malformed"


def _detail(error: exceptions.APIException) -> str:
    return error.detail if isinstance(error.detail, str) else str(error.detail)


def _answer(
    code: int, kind: str, detail: str, path: str = "", more: dict[str, str] | None = None
) -> Response:
    body: dict[str, Any] = {
        "type": f"/api/problems/{kind}",
        "title": HTTPStatus(code).phrase,
        "status": code,
        "detail": str(detail),
        **(more or {}),
    }
    if path:
        body["path"] = path
    return Response(body, status=code, content_type=MEDIA_TYPE)


SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "path": {"type": "string", "description": "What of the request is at fault."},
        "rule": {"type": "string", "description": "The printed rule that forbids it."},
    },
}
