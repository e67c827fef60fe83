"""A fight of the ladder that has no battle yet, as the pack states it, cut to the viewer.

What it says goes the way of a planned battle's page: the terms and the force of a side are that
side's and the referee's to read, the map and how the fight is won are for every member.
"""

from __future__ import annotations

from dataclasses import dataclass

from campaigns import access, engine
from campaigns.models import Battle, Campaign, Seat, Side
from campaigns.projection import Viewer, viewer_for
from campaigns.reports.forces import Fact, SideForce, facts, stated_force
from campaigns.reports.overview import RungCard, rungs, stands


@dataclass(frozen=True)
class Way:
    """How one fight of the ladder comes to another."""

    title: str
    """The other fight; "the end" where none follows."""
    outcomes: tuple[str, ...]
    """ "Germans win", "a draw": any of them; "whoever wins" for all."""


@dataclass(frozen=True)
class StatedSide:
    force: SideForce
    drafts: tuple[str, ...]
    """Of a side whose force may be seen: what the pack sends it before this fight."""


@dataclass(frozen=True)
class RungReport:
    key: str
    title: str
    place: str
    date: str
    state: str
    battle: str
    """The battle that has come of it; "" while none has."""
    comes_after: tuple[Way, ...]
    leads_to: tuple[Way, ...]
    sides: tuple[StatedSide, ...]
    estimate: bool
    """Whether who comes is the pack author's estimate."""
    facts: tuple[Fact, ...]


def rung(seat: Seat, key: str, preview: str = "") -> RungReport:
    """A rung of the ladder as this seat may see it."""
    terms = access.terms_for(seat, key)
    viewer = viewer_for(seat, preview)
    campaign = seat.campaign
    document = engine.parsed(terms.document)
    ladder = rungs(campaign, list(campaign.turns.all()))
    here = next(card for card in ladder if card.key == key)
    battles = campaign.battles.filter(rung=key).exclude(state=Battle.State.CANCELLED)
    battle = battles.last()
    return RungReport(
        key=key,
        title=terms.title,
        place=document.get("place", ""),
        date=document.get("date", ""),
        state=stands(here, ladder),
        battle=battle.uid if battle else "",
        comes_after=tuple(
            Way(card.title, outcomes)
            for card in ladder
            for outcomes in [_outcomes(campaign, card.key, key)]
            if outcomes
        ),
        leads_to=_leads_to(campaign, here, ladder),
        sides=tuple(
            StatedSide(stated_force(viewer, terms, side), _drafts(viewer, side, key))
            for side in campaign.sides.all()
        ),
        estimate="forces" in document.get("estimates", ()),
        facts=tuple(facts(viewer, terms)),
    )


def _outcomes(campaign: Campaign, start: str, end: str) -> tuple[str, ...]:
    """Which outcomes of one rung lead to another ("": to the end of the ladder)."""
    names = {side.key: f"{side.name} win" for side in campaign.sides.all()}
    step = next(each for each in campaign.ladder if each["key"] == start)
    ways = {outcome: step.get("next", {}).get(outcome, "") for outcome in (*names, "draw")}
    if set(ways.values()) == {end}:
        return ("whoever wins",)
    return tuple(names.get(outcome, "a draw") for outcome, to in ways.items() if to == end)


def _leads_to(campaign: Campaign, here: RungCard, ladder: tuple[RungCard, ...]) -> tuple[Way, ...]:
    titles = {card.key: card.title for card in ladder} | {"": "the end"}
    ways = [Way(titles[key], _outcomes(campaign, here.key, key)) for key in (*here.following, "")]
    return tuple(way for way in ways if way.outcomes)


def _drafts(viewer: Viewer, side: Side, key: str) -> tuple[str, ...]:
    if not viewer.owns(side.pk):
        return ()
    units = {unit.key: unit.name for unit in side.units.all()}
    ruleset = side.campaign.ruleset
    return tuple(
        f"{row['quantity']} × {engine.title_of(ruleset, row['element'])} for {units[row['unit']]}"
        for row in side.campaign.replacements
        if row["before"] == key and row["unit"] in units
    )
