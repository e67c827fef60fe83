"""The cast: an organiser, a referee, a commander of each side, a player, a stranger.

They play a campaign of the toy ruleset: two rungs, two units a side. `resolved` and `posted`
take a battle that far through the operations, as a worker and a referee would.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection

from campaigns import engine, reconcile
from campaigns.models import Battle, Campaign, InstalledPack, Posting, Role, Seat, append_only
from campaigns.operations import (
    battle_postings,
    battles,
    campaigns,
    jobs,
    members,
    packs,
    resolution,
)
from rulesengine.pack import (
    Carry,
    OrderOfBattle,
    Pack,
    PackFormation,
    PackHead,
    PackSide,
    PackUnit,
    Pick,
    Replacement,
    Rung,
)
from tests import toy
from tests.campaign import services
from tests.campaign.installation import Outside
from tests.toy.ruleset import ToyScenario, Trouble, scenario

toy.register()

SECRETS = ("crimsonsecret", "azuresecret")


@pytest.fixture(autouse=True)
def _journal_guarded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Lift the journal's triggers for the flush after a transactional test, and renew them."""
    names = request.fixturenames
    transactional = any(n in names for n in ("transactional_db", "live_server"))
    marker = request.node.get_closest_marker("django_db")
    transactional = transactional or bool(marker and marker.kwargs.get("transaction"))
    if not transactional:
        yield
        return
    request.getfixturevalue("transactional_db")
    append_only.install(connection)
    yield
    append_only.lift(connection)


def order_of_battle(side: str, name: str, keys: list[str]) -> OrderOfBattle:
    """A battalion of one company; each platoon has two squads and a gun."""
    company, battalion = f"{side}-company", f"{side}-battalion"
    return OrderOfBattle(
        side=side,
        formations=(
            PackFormation(key=battalion, name=f"{name} battalion"),
            PackFormation(key=company, name=f"{name} company", parent=battalion),
        ),
        units=tuple(
            PackUnit(
                key=unit,
                name=f"{name} platoon {unit[1:]}",
                formation=company,
                elements={"toy-squad": 2, "toy-gun": 1},
            )
            for unit in keys
        ),
    )


def toy_pack(
    *,
    key: str = "toy-pack",
    trouble: Trouble | None = None,
    turns: int = 20,
    units: int = 2,
    carry: Carry | None = None,
    replacements: tuple[Replacement, ...] = (),
) -> Pack:
    """A ladder of two rungs: "first", then "second" unless Blue wins."""
    red = [f"r{n}" for n in range(1, units + 1)]
    blue = [f"b{n}" for n in range(1, units + 1)]
    sides = (("red", "Red", red), ("blue", "Blue", blue))
    head = PackHead(
        key=key,
        title="The toy war",
        ruleset="toy",
        kind="ladder",
        summary="Counters against counters.",
        starts="1944-12-19",
        sides=(
            PackSide(key="red", name="Red", nation="red", colour="red", affiliation="friend"),
            PackSide(key="blue", name="Blue", nation="blue", colour="blue", affiliation="hostile"),
        ),
        ladder=(
            Rung(key="one", scenario="first", next={"red": "two", "draw": "two", "blue": ""}),
            Rung(key="two", scenario="second", next={}),
        ),
        carry=carry or Carry(),
        replacements=replacements,
    )
    oobs = [order_of_battle(*side) for side in sides]
    base = scenario(trouble=trouble, turns=turns, secrets=SECRETS)
    return Pack(
        head=head,
        orders_of_battle=(oobs[0], oobs[1]),
        scenarios={
            "first": msgspec.structs.replace(base, key="first", title="The first fight"),
            "second": msgspec.structs.replace(base, key="second", title="The second fight"),
        },
        picks={
            name: {side: tuple(Pick(unit=u) for u in keys) for side, _, keys in sides}
            for name in ("first", "second")
        },
    )


def person(name: str) -> User:
    """A user without a password: hashing one takes longer than a battle."""
    return User.objects.create_user(name)


class Cast:
    """A campaign and the people in it."""

    def __init__(self, pack: Pack) -> None:
        self.pack: InstalledPack = packs.install(pack=pack)
        self.organiser = campaigns.create_from_pack(
            user=person("organiser"), pack_key=self.pack.key
        )
        self.campaign: Campaign = self.organiser.campaign
        self.referee = self.seat("referee", Role.REFEREE)
        self.red = self.seat("red-commander", Role.COMMANDER, "red")
        self.blue = self.seat("blue-commander", Role.COMMANDER, "blue")
        self.red_player = self.seat("red-player", Role.PLAYER, "red")
        self.spectator = self.seat("spectator", Role.SPECTATOR)
        self.stranger = person("stranger")

    def seat(self, name: str, role: Role, side: str = "") -> Seat:
        invited = members.invite(seat=self.organiser, role=role, side_key=side)
        return members.accept(user=person(name), token=invited.token)

    @property
    def seats(self) -> dict[str, Seat]:
        return {
            "organiser": self.organiser,
            "referee": self.referee,
            "red": self.red,
            "blue": self.blue,
            "red_player": self.red_player,
            "spectator": self.spectator,
        }

    # --- a battle, step by step ---

    def planned(self) -> Battle:
        return battles.plan_battle(seat=self.referee)

    def locked(self) -> Battle:
        battle = self.planned()
        battles.lock_forces(seat=self.referee, battle_id=battle.uid)
        battle.refresh_from_db()
        return battle

    def resolved(self) -> Battle:
        battle = self.locked()
        job = battles.request_resolve(seat=self.referee, battle_id=battle.uid)
        resolution.resolve(job_id=job.pk)
        battle.refresh_from_db()
        return battle

    def posted(self) -> tuple[Battle, Posting]:
        battle = self.resolved()
        posting = self.post(battle)
        battle.refresh_from_db()
        return battle, posting

    def post(self, battle: Battle, seat: Seat | None = None) -> Posting:
        seat = seat or self.referee
        plan = battles.preview(seat=seat, battle_id=battle.uid)
        return battle_postings.post_result(seat=seat, battle_id=battle.uid, plan_hash=plan.hash)

    def unit(self, key: str) -> Any:
        return self.campaign.units.get(key=key)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Messages to the worker are noted instead of sent."""
    noted: list[int] = []
    monkeypatch.setattr(jobs, "dispatch", lambda job: noted.append(job.pk))
    return noted


@pytest.fixture
def known_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys that are the same in every run of a test."""
    counter = itertools.count(1)
    monkeypatch.setattr(engine, "new_key", lambda: next(counter).to_bytes(32, "big"))


@pytest.fixture
def cast(db: None, sent: list[int], known_dice: None) -> Cast:
    return Cast(toy_pack())


@pytest.fixture
def balanced(db: None) -> Iterator[None]:
    """What a posting test ends in: the journal agrees with itself."""
    yield
    assert reconcile.reconcile() == []


def toy_scenario(document: str) -> ToyScenario:
    return msgspec.json.decode(document, type=ToyScenario)


@pytest.fixture(params=["embedded", "server"])
def outside(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Outside]:
    """SQLite with a broker of files, then PostgreSQL with Redis."""
    with contextlib.ExitStack() as stack:
        addresses = {}
        if request.param == "server":
            addresses["DATABASE_URL"] = stack.enter_context(services.postgresql())
            addresses["CELERY_BROKER_URL"] = stack.enter_context(services.redis())
        made = Outside(tmp_path, **addresses)
        stack.callback(made.end)
        yield made
