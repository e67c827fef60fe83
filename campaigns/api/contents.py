"""What goes in and out: bodies as strict structures, answers from the reports' own types.

The OpenAPI components are made from the same types by msgspec, so they cannot drift apart.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

from campaigns.api.problem import Malformed
from campaigns.operations import forecasts
from campaigns.reports import aar, history, ledger, overview

T = TypeVar("T")


class Body(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A request's body: strict, so that a misspelt field is an error."""


class NewCampaign(Body):
    pack: str
    title: str = ""
    side_names: dict[str, str] = {}
    options: dict[str, bool] = {}
    carry: dict[str, Any] = {}
    organiser_side: str = ""


class NewInvitation(Body):
    role: str
    side: str = ""
    note: str = ""


class Token(Body):
    token: str


class Pick(Body):
    unit: str
    elements: dict[str, Annotated[int, msgspec.Meta(ge=0, le=9_999)]] = {}


class Detachment(Body):
    picks: list[Pick] = []


class ResultEntry(Body):
    """A battle-result/1 document; see /api/v1/schemas/result/."""

    document: dict[str, Any]
    note: str = ""


class Reasoned(Body):
    reason: str


class ReasonedResult(Body):
    document: dict[str, Any]
    reason: str


class Correction(ReasonedResult):
    plan_hash: str = ""
    """Of the preview, if it was looked at: refused when it would write anything else by now."""


class OddsWanted(Body):
    most: Annotated[int, msgspec.Meta(ge=1, le=forecasts.MOST)] = forecasts.MOST
    """Battles at most."""
    half_width: Annotated[int, msgspec.Meta(ge=50, le=2_000)] = forecasts.HALF_WIDTH
    """How sure, in hundredths of a percent."""


class PlanHash(Body):
    plan_hash: str


class Words(Body):
    text: str
    kind: str = "comment"


class InvitationMade(msgspec.Struct):
    """The token is shown this once."""

    uid: str
    token: str
    role: str
    side: str


class Posted(msgspec.Struct):
    posting: str
    kind: str


class Revealed(msgspec.Struct):
    key: str


class CampaignMade(msgspec.Struct):
    slug: str
    title: str


class TurnOpened(msgspec.Struct):
    number: int | None
    """None: the ladder has ended."""


class BattlePlanned(msgspec.Struct):
    uid: str
    title: str


class Packs(msgspec.Struct):
    packs: tuple[overview.PackCard, ...]


class JournalPage(msgspec.Struct):
    """Newest first. `next` and `previous` are addresses, null at the ends."""

    next: str | None
    previous: str | None
    results: tuple[history.JournalRow, ...]


class LedgerPage(msgspec.Struct):
    """Newest first. `next` and `previous` are addresses, null at the ends."""

    next: str | None
    previous: str | None
    results: tuple[ledger.LedgerLine, ...]


class ReportPage(msgspec.Struct):
    """As it happened. `next` and `previous` are addresses, null at the ends."""

    next: str | None
    previous: str | None
    results: tuple[aar.AarLine, ...]


NAMED: dict[str, Any] = {}
"""Every type that an endpoint takes or gives, by its name in the OpenAPI document."""


def ref(kind: Any) -> dict[str, str]:
    """A reference to the component of a type, which is among the components from then on."""
    NAMED[kind.__name__] = kind
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def components() -> dict[str, Any]:
    """The components of the OpenAPI document: every type that was referred to."""
    kinds = [kind for _, kind in sorted(NAMED.items())]
    made = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")[1]
    return dict(sorted(made.items()))


def parse(data: Any, kind: type[T]) -> T:
    """Read a body strictly. Raises Malformed with the path of the fault."""
    data = _whole(data)
    _refuse_unfit(data, "$")
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at ")
        raise Malformed(message, path.strip("`") or "$") from error


def _whole(value: Any) -> Any:
    """JSON knows one kind of number: 100.0 is the whole number 100."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    return [_whole(inner) for inner in value] if isinstance(value, list) else value


LARGEST = 2**31 - 1


def _refuse_unfit(value: Any, path: str) -> None:
    """Refuse what no database keeps: halves of characters, NUL, numbers past 32 bits."""
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise Malformed("Expected text; NUL and halves of characters are none", path)
    elif isinstance(value, int) and abs(value) > LARGEST:
        raise Malformed("Expected a smaller number", path)
    elif isinstance(value, dict):
        for key, inner in value.items():
            _refuse_unfit(key, path)
            _refuse_unfit(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _refuse_unfit(inner, f"{path}[{index}]")


def plain(report: Any) -> Any:
    """A report as JSON-ready data."""
    return msgspec.to_builtins(report)
