"""The replay of a battle on its map: the page, and the steps that its player asks for."""

from __future__ import annotations

import contextlib
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.utils.cache import patch_vary_headers

from campaigns import engine
from campaigns.refusals import NotFound
from campaigns.reports import replay
from campaigns.templatetags import battlefield, figures
from campaigns.views import ground, sight
from campaigns.views.battle_reports import battle_of
from campaigns.views.frame import Desk, seated, show, wants_part


@seated(public=True)
def page(desk: Desk, battle_id: str) -> HttpResponse:
    """The battlefield, the buttons of the player, and every line as a list; a line of sight
    where one is asked for, alone where htmx asks."""
    battle = battle_of(desk, battle_id)
    if not replay.exists(desk.viewer, battle):
        raise NotFound
    field = ground.battlefield(desk.viewer, battle.terms)
    told = replay.lines(desk.viewer, battle) or []

    def laid(after: int) -> dict[str, list[str]]:
        return replay.laid(desk.viewer, battle, after)

    line = sight.asked(desk.request, desk.campaign.ruleset, field.ground, laid, len(told))
    if wants_part(desk.request):
        return show(desk, "parts/sight.html", {"sight": line})
    lines = [{"line": line, "dice": [d for roll in rolls for d in roll]} for line, rolls in told]
    context = {"battle": battle, "field": field, "lines": lines, "sight": line}
    status = 409 if line and line.refusal else 200
    return show(desk, "pages/replay.html", context, here="campaign", status=status)


@seated(public=True)
def frames(desk: Desk, battle_id: str) -> HttpResponse:
    """The steps as JSON, with where on the drawing each hex lies."""
    battle = battle_of(desk, battle_id)
    sides = list(battle.campaign.sides.all())

    def symbol(kind: str, side: int) -> str:
        element = engine.element_type(battle.campaign.ruleset, kind)
        affiliation = sides[side].affiliation if side >= 0 else ""
        return figures.symbol_name(element.symbol if element else "", affiliation, "")

    steps = replay.document(desk.viewer, battle, symbol)
    if steps is None:
        raise NotFound
    named = [{"name": side.name, "colour": side.colour} for side in sides]
    answer = JsonResponse({"sides": named, "hexes": centres(steps), **steps})
    answer["Cache-Control"] = "no-store"
    answer["X-Robots-Tag"] = "noindex"
    patch_vary_headers(answer, ["Cookie"])
    return answer


def centres(steps: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Where the hexes that are spoken of lie on the drawing."""
    moves = [*steps["first"], *(p for frame in steps["frames"] for p in frame.get("put", ()))]
    names = {facts["hex"] for _, facts in moves if facts.get("hex")}
    names |= {h for frame in steps["frames"] for pair in frame.get("fire", ()) for h in pair}
    found = {}
    for name in sorted(names):
        with contextlib.suppress(ValueError):
            x, y = battlefield.centre(*battlefield.place(name))
            found[name] = (round(x, 1), round(y, 1))
    return found
