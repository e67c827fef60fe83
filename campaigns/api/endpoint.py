"""What every endpoint shares: the seat of the caller, a body read strictly, a described answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaigns import access
from campaigns.api import conditions
from campaigns.api.contents import plain, ref
from campaigns.models import KeptAnswer, Seat
from campaigns.projection import Viewer, viewer_for

PREVIEW = "as"
JSON = "application/json"
PROBLEMS = {
    400: "The body does not fit; `path` says where.",
    403: "Sign in first, or send the CSRF token.",
    404: "Unknown, or not for you.",
    409: "Refused: `detail` says why.",
    412: "Changed since its ETag was read.",
    422: "The Idempotency-Key was sent with another request.",
    428: "If-Match is needed.",
}


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
    """An endpoint for somebody signed in."""

    parser_classes = (Documents,)
    keeps = True
    """Whether answers may be kept for an `Idempotency-Key`; not where they hold a secret."""
    begun: KeptAnswer | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        slug = kwargs.get("slug")
        self.taken: Seat | None = access.seat_for(request.user, slug) if slug else None
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
        elif (
            request.method in ("GET", "HEAD") and made.status_code == 200 and made.data is not None
        ):
            tag = conditions.tag_of(made.data)
            if conditions.unchanged(request, tag):
                made.status_code, made.data = 304, None
            made["ETag"] = tag
            made["Cache-Control"] = "private, no-cache"
        made["X-Robots-Tag"] = "noindex"
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


def answer(report: Any, status: int = 200, location: str = "") -> Response:
    """A report as a response."""
    headers = {"Location": location} if location else None
    return Response(plain(report), status=status, headers=headers)


def describe(
    operation: str,
    summary: str,
    gives: Any,
    *,
    takes: Any = None,
    status: int = 200,
    query: tuple[tuple[str, type, str], ...] = (),
) -> Callable[[Any], Any]:
    """The OpenAPI description of an endpoint's method."""
    problems = {
        code: OpenApiResponse({"$ref": "#/components/schemas/Problem"}, description=text)
        for code, text in PROBLEMS.items()
    }
    body = OpenApiResponse(ref(gives), description=summary) if gives else None
    return extend_schema(
        operation_id=operation,
        summary=summary,
        request={JSON: ref(takes)} if takes else None,
        responses={status: body or OpenApiResponse(description=summary), **problems},
        parameters=[OpenApiParameter(name, kind, description=text) for name, kind, text in query],
    )
