"""The demo: a campaign, its people, and a first battle that a worker fights.

Made once and found again afterwards. Its passwords are drawn for this installation, so that
no published password opens anybody's site; whoever runs it reads them on the terminal.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from campaigns.models import Battle, Campaign, InstalledPack, Job, Role, Seat
from campaigns.operations import battles, campaigns, members, packs

PACK = "road-to-bastogne"


@dataclass(frozen=True)
class Login:
    name: str
    password: str
    what: str


def logins_file() -> Path:
    return Path(settings.VAR_DIR) / "demo-logins.json"


def logins() -> list[Login]:
    """The demo's logins, as they were drawn; empty where there is no demo."""
    try:
        rows = json.loads(logins_file().read_text())
    except FileNotFoundError:
        return []
    return [Login(**row) for row in rows]


def find() -> Campaign | None:
    """The demo campaign, if there is one."""
    names = [login.name for login in logins()]
    seat = Seat.objects.filter(user__username__in=names, role=Role.ORGANISER).first()
    return seat.campaign if seat else None


def make(*, pack_key: str = PACK, folder: Path | None = None) -> Campaign:
    """Make the demo, or find the one there is: people, campaign, first battle locked."""
    found = find()
    if found is not None:
        return found
    if not InstalledPack.objects.filter(key=pack_key).exists():
        packs.load(folder=folder or Path(settings.PACKS_DIR) / pack_key)
    with transaction.atomic():
        drawn = _people(pack_key)
        campaign = _campaign(pack_key, drawn)
    _keep(drawn)
    return campaign


def _people(pack_key: str) -> list[Login]:
    head = json.loads(InstalledPack.objects.get(key=pack_key).document)["head"]
    people = [
        ("organiser", "runs the campaign"),
        ("referee", "sees both sides, locks forces, posts results"),
        *((side["key"], f"commands the side {side['name']}") for side in head["sides"]),
        ("stranger", "has no seat: what he sees, anybody sees"),
    ]
    drawn = []
    for name, what in people:
        password = secrets.token_urlsafe(9)
        user = User.objects.create_user(_free(name), password=password)
        drawn.append(Login(user.username, password, what))
    return drawn


def _free(name: str) -> str:
    """A user name nobody has: a person who was here first keeps his."""
    while User.objects.filter(username=name).exists():
        name += "-demo"
    return name


def _campaign(pack_key: str, drawn: list[Login]) -> Campaign:
    users = [User.objects.get(username=login.name) for login in drawn]
    organiser = campaigns.create_from_pack(
        user=users[0], pack_key=pack_key, options={"public": True}
    )
    seats = [("referee", "")]
    seats += [("commander", side.key) for side in organiser.campaign.sides.all()]
    for user, (role, side_key) in zip(users[1:], seats, strict=False):
        invited = members.invite(seat=organiser, role=role, side_key=side_key)
        members.accept(user=user, token=invited.token)
    battle = battles.plan_battle(seat=organiser)
    battles.lock_forces(seat=organiser, battle_id=battle.uid)
    return organiser.campaign


def _keep(drawn: list[Login]) -> None:
    handle = os.open(logins_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        json.dump([vars(login) for login in drawn], file, indent=1)


def ask_for_first_battle(campaign: Campaign) -> Job | None:
    """Have a worker fight the first battle; None when it has been fought or is not locked."""
    battle = campaign.battles.filter(number=1, state=Battle.State.LOCKED).first()
    organiser = campaign.seats.filter(role=Role.ORGANISER).first()
    if battle is None or organiser is None or battle.jobs.exists():
        return None
    return battles.request_resolve(seat=organiser, battle_id=battle.uid)
