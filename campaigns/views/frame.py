"""What every campaign page stands in: who looks, through whose eyes, and the bars that say so.

`seated` turns a request into a `Desk` (request, seat, viewer) or a 404. A refusal that a view
did not catch becomes a page that says why. Campaign pages are never indexed or cached.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods

from campaigns import access
from campaigns.access import Action
from campaigns.models import Campaign, Role, Seat, Side
from campaigns.projection import PUBLIC, Viewer, public_viewer, viewer_for
from campaigns.refusals import NotFound, Refused

PREVIEW = "as"
READS = ("GET", "HEAD")


@dataclass(frozen=True)
class Desk:
    """A reader at a campaign: `seat` is None for the public at a public campaign."""

    request: HttpRequest
    campaign: Campaign
    viewer: Viewer
    seat: Seat | None = None

    @property
    def taken(self) -> Seat:
        """The seat, where the page needs one."""
        if self.seat is None:
            raise NotFound
        return self.seat

    def may(self, action: Action) -> bool:
        """Whether to offer a button. The operation asks again."""
        if self.seat is None or self.viewer.preview:
            return False
        if action in access.CHANGES and not self.campaign.is_active and action != Action.MANAGE:
            return False
        return access.may(self.seat, action)

    @property
    def preview(self) -> str:
        """The key of the side a referee looks through, or ""."""
        return self.request.GET.get(PREVIEW, "")

    @property
    def keep(self) -> str:
        """The query that keeps a preview going from page to page."""
        return "?" + urlencode({PREVIEW: self.preview}) if self.preview else ""


Page = Callable[..., HttpResponse]


def seated(*methods: str, public: bool = False) -> Callable[[Page], Page]:
    """A campaign page for those who have a seat; with `public`, for all where it is open."""
    allowed = [*READS, *methods]

    def decorate(view: Page) -> Page:
        @require_http_methods(allowed)
        @wraps(view)
        def page(request: HttpRequest, slug: str, **parts: str) -> HttpResponse:
            desk = _desk(request, slug, public=public)
            try:
                if request.method not in READS and desk.viewer.preview:
                    raise Refused(
                        "You are looking through another's eyes. Leave the preview to act."
                    )
                return view(desk, **parts)
            except Refused as refusal:
                return show(desk, "pages/refused.html", {"refusal": refusal}, status=409)

        return page

    return decorate


def _desk(request: HttpRequest, slug: str, *, public: bool) -> Desk:
    try:
        seat = access.seat_for(request.user, slug)
    except NotFound:
        if not public:
            raise
        campaign = access.public_campaign(slug)
        return Desk(request, campaign, public_viewer(campaign))
    return Desk(request, seat.campaign, viewer_for(seat, request.GET.get(PREVIEW, "")), seat)


def show(
    desk: Desk,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    here: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render a campaign page with its bars."""
    response = render(
        desk.request,
        template,
        {
            "campaign": desk.campaign,
            "seat": desk.seat,
            "viewer": viewer_bar(desk),
            "sees_forces": desk.viewer.sees_all or desk.viewer.kind == "side",
            "keep": desk.keep,
            "preview": desk.preview,
            "here": here,
            **(context or {}),
        },
        status=status,
    )
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["Cookie", "HX-Request"])
    return response


def viewer_bar(desk: Desk) -> dict[str, Any]:
    """Who I am, in which role, through whose eyes."""
    seat, viewer = desk.seat, desk.viewer
    side = Side.objects.filter(pk=viewer.side_id).first() if viewer.side_id else None
    eyes = {"referee": "the referee", "public": "the public"}
    bar: dict[str, Any] = {
        "who": seat.user.get_username() if seat else "A visitor",
        "role": Role(seat.role).label if seat else "",
        "eyes": side.name if side else eyes[viewer.kind],
        "all": viewer.kind == "referee",
        "fog": not viewer.sees_all,
        "colour": side.colour if side else "",
        "preview": viewer.preview,
    }
    if seat and access.may(seat, Action.PREVIEW_AS):
        choices = [("", "myself"), *((s.key, s.name) for s in desk.campaign.sides.all())]
        choices.append((PUBLIC, "the public"))
        bar["choices"] = [
            {"key": key, "name": name, "chosen": key == desk.preview} for key, name in choices
        ]
    return bar


def whole_number(request: HttpRequest, name: str) -> int | None:
    """A number of the query, None if it is not there. Of what is no number there is no page."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise NotFound
    return int(text)


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page rather than for the page."""
    return bool(request.headers.get("HX-Request")) and not request.headers.get(
        "HX-History-Restore-Request"
    )
