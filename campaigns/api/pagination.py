"""Lists that grow without bound, by pages: a cursor says after which row the page begins.

A row that comes meanwhile shifts nothing. A cursor names a row as its reader knows it, a posting
by its public id and a line by its place among the lines he may see, never by the number it has in
the database: the gaps in those would tell how much is kept from him.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from campaigns.api.endpoint import number, whole
from campaigns.api.problem import Malformed
from campaigns.models import Line, Posting

A_PAGE = 100
LARGEST_PAGE = 200
CURSOR = "cursor"
SIZE = "page_size"


def _none_of_this(name: str = CURSOR) -> Malformed:
    return Malformed(
        f"{name}: this is no cursor of this list. Take one from `next` or `previous`, or begin"
        " again without one.",
        name,
    )


def page_size(request: Request) -> int:
    """How many rows are wanted, `A_PAGE` if that is left open. Raises Malformed."""
    wanted = number(request, SIZE, 1, LARGEST_PAGE)
    return A_PAGE if wanted is None else wanted


class Pages(CursorPagination):
    """Rows of one campaign by the order in which they were written, newest first."""

    ordering = "-pk"

    def take(self, rows: QuerySet[Any], request: Request) -> list[Any]:
        """The rows of the page that is asked for. Raises Malformed."""
        self.rows = rows
        page: list[Any] = self.paginate_queryset(rows, request) or []
        return page

    def get_page_size(self, request: Request) -> int:
        return page_size(request)

    def name_of(self, row: Any) -> str:
        """What a cursor calls a row."""
        raise NotImplementedError

    def row_named(self, name: str) -> QuerySet[Any]:
        """The row that a cursor calls so, if there is one in this list."""
        raise NotImplementedError

    def decode_cursor(self, request: Request) -> Cursor | None:
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise _none_of_this() from None
        if cursor is None:
            return None
        name: Any = cursor.position
        if name is None or cursor.offset:
            # Numbers in the database are unique, so no cursor of ours counts on from a row.
            raise _none_of_this()
        place: Any = self.row_named(name).values_list("pk", flat=True).first()
        if place is None:
            raise _none_of_this()
        return cursor._replace(position=place)

    def encode_cursor(self, cursor: Cursor) -> str:
        name: Any = self.name_of(self.rows.get(pk=cursor.position))
        link: str = super().encode_cursor(cursor._replace(position=name))
        return link


class PostingPages(Pages):
    """Postings, called by their public ids."""

    def name_of(self, row: Posting) -> str:
        return row.uid

    def row_named(self, name: str) -> QuerySet[Posting]:
        return self.rows.filter(uid=name)


class LinePages(Pages):
    """Lines, called by their posting and their place in what is shown of it."""

    def name_of(self, row: Line) -> str:
        before = self.rows.filter(posting=row.posting_id, pk__lt=row.pk).count()
        return f"{row.posting.uid}.{before}"

    def row_named(self, name: str) -> QuerySet[Line]:
        posting, _, place = name.partition(".")
        if not (place.isascii() and place.isdigit() and len(place) < 10):
            return self.rows.none()
        return self.rows.filter(posting__uid=posting).order_by("pk")[int(place) : int(place) + 1]


def of_told(told: Sequence[Any], request: Request) -> tuple[Sequence[Any], str | None, str | None]:
    """A page of something told once for all, with the links to the next and the previous page.

    A cursor of what was told anew since, for instance after a correction, is no cursor of this.
    """
    size, start = page_size(request), 0
    seal = hashlib.sha256(repr(told).encode()).hexdigest()[:16]
    sent = request.GET.get(CURSOR)
    if sent is not None:
        start = _place_in(sent, seal, len(told))

    def link(place: int) -> str:
        name = urlsafe_b64encode(f"{seal}.{place}".encode()).decode()
        return replace_query_param(request.build_absolute_uri(), CURSOR, name)

    following = link(start + size) if start + size < len(told) else None
    previous = link(max(0, start - size)) if start else None
    return told[start : start + size], following, previous


def _place_in(sent: str, seal: str, length: int) -> int:
    try:
        made_for, _, place = urlsafe_b64decode(sent.encode()).decode().partition(".")
        start = int(place)
    except ValueError:
        raise _none_of_this() from None
    if made_for != seal or not 0 <= start < length:
        raise _none_of_this()
    return start


PAGING = (
    OpenApiParameter(CURSOR, str, description="From `next` or `previous`; the first page if not."),
    whole(SIZE, f"Rows a page; {A_PAGE} if left out.", low=1, high=LARGEST_PAGE),
)
