"""Load packs: all of a pack is checked first, and nothing is loaded unless all is right."""

from __future__ import annotations

from pathlib import Path

from django.db import transaction

from campaigns import engine
from campaigns.engine import Pack
from campaigns.models import InstalledPack


def load(*, folder: Path) -> InstalledPack:
    """Read, check and install a pack. Raises engine.PackFaults with every fault."""
    return install(pack=engine.load_pack(folder))


@transaction.atomic
def install(*, pack: Pack) -> InstalledPack:
    """Install a pack that was checked. Campaigns made from an older one keep their copy."""
    installed, _ = InstalledPack.objects.update_or_create(
        key=pack.head.key,
        defaults={
            "title": pack.head.title,
            "ruleset": pack.head.ruleset,
            "kind": pack.head.kind,
            "summary": pack.head.summary,
            "document": engine.in_order(pack),
            "hash": engine.digest(pack),
        },
    )
    return installed
