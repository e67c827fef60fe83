"""Write to the journal: the only place that makes postings, lines, statuses and balances.

A posting is refused unless its lines sum to zero per item and leave nothing negative that a
unit or a pool holds. Balances are recomputed from the lines of the accounts touched, never
nudged. The idempotency key makes a second attempt at the same act return the first.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Sum

from campaigns import access, entries
from campaigns.entries import AccountRef, Entry, Item, Level
from campaigns.models import (
    LOSSES,
    NEVER_NEGATIVE,
    Account,
    Balance,
    Battle,
    Campaign,
    Holder,
    Line,
    Posting,
    Seat,
    Side,
    Status,
    Turn,
    Unit,
)
from campaigns.refusals import Refused

LONGEST_REASON = 1000


@dataclass(frozen=True)
class Author:
    """Who posts: a seat, or the campaign's own clock."""

    seat: Seat | None = None

    @property
    def name(self) -> str:
        return self.seat.user.get_username() if self.seat else "the campaign"

    @property
    def role(self) -> str:
        return self.seat.role if self.seat else ""


def open_turn(campaign: Campaign) -> Turn:
    """The turn that postings now fall into. Refuses when the campaign's clock has stopped."""
    turn = campaign.turns.filter(closed_at__isnull=True).first()
    if turn is None:
        raise Refused("No turn of this campaign is open.")
    return turn


def post(
    *,
    campaign: Campaign,
    kind: Posting.Kind,
    key: str,
    author: Author,
    lines: Sequence[Entry] = (),
    levels: Sequence[Level] = (),
    turn: Turn | None = None,
    battle: Battle | None = None,
    reason: str = "",
    audience: str = "all",
    plan_hash: str = "",
    reverses: Posting | None = None,
    replaces: Posting | None = None,
    allow_negative: bool = False,
) -> Posting:
    """Write one act. The caller holds a transaction and has checked access.

    Refuses entries that do not sum to zero, and holdings below zero (unless a further posting
    of the same act will mend them). A posting of the same key is returned as it stands.
    """
    written = Posting.objects.filter(key=key).first()
    if written is not None:
        return written
    if len(reason) > LONGEST_REASON:
        raise Refused(f"A reason has at most {LONGEST_REASON} characters.", path="reason")
    _refuse_imbalance(lines)
    posting = Posting.objects.create(
        campaign=campaign,
        turn=turn or open_turn(campaign),
        kind=kind,
        actor=author.seat.user if author.seat else None,
        actor_name=author.name,
        actor_role=author.role,
        reason=reason,
        audience=audience,
        battle=battle,
        key=key,
        plan_hash=plan_hash,
        reverses=reverses,
        replaces=replaces,
    )
    accounts = _accounts(campaign, lines)
    _write_lines(posting, lines, accounts)
    _write_levels(posting, levels)
    recompute(accounts.values())
    if not allow_negative:
        words = "A unit would be left with less than nothing. A referee can see which."
        with access.blinded(author.seat, words):
            refuse_negative(accounts.values())
    return posting


def _refuse_imbalance(lines: Sequence[Entry]) -> None:
    off = entries.balanced(lines)
    if off:
        item, total = next(iter(off.items()))
        raise Refused(f"The lines of a posting sum to zero; those of {item} sum to {total:+d}.")


def _accounts(campaign: Campaign, lines: Sequence[Entry]) -> dict[str, Account]:
    """The accounts of some lines by code; those that are new are made."""
    wanted: dict[str, AccountRef] = {entry.account.code: entry.account for entry in lines}
    found = {a.code: a for a in campaign.accounts.filter(code__in=wanted).select_related("unit")}
    missing = [ref for code, ref in wanted.items() if code not in found]
    if missing:
        units = {u.key: u for u in campaign.units.all()}
        sides = {s.key: s for s in campaign.sides.all()}
        Account.objects.bulk_create(
            [_account(campaign, ref, units, sides) for ref in missing], ignore_conflicts=True
        )
        found = {
            a.code: a for a in campaign.accounts.filter(code__in=wanted).select_related("unit")
        }
    return found


def _account(
    campaign: Campaign, ref: AccountRef, units: dict[str, Unit], sides: dict[str, Side]
) -> Account:
    of_unit = ref.holder is Holder.UNIT or ref.holder in LOSSES
    unit = units.get(ref.key) if of_unit else None
    side = unit.side if unit else sides.get(ref.key)
    if of_unit and unit is None:
        raise Refused(f'No unit "{ref.key}" in this campaign.')
    return Account(
        campaign=campaign,
        code=ref.code,
        holder=ref.holder,
        unit=unit,
        side=side,
        condition=ref.condition,
    )


def _holder_names(accounts: Collection[Account]) -> dict[int, str]:
    names = {}
    for account in accounts:
        label = Holder(account.holder).label
        held = account.holder == Holder.UNIT
        name = account.unit.name if account.unit else ""
        names[account.pk] = name if held else f"{name}, {label}".removeprefix(", ")
    return names


def _write_lines(posting: Posting, lines: Sequence[Entry], accounts: dict[str, Account]) -> None:
    names = _holder_names(accounts.values())
    Line.objects.bulk_create(
        Line(
            posting=posting,
            account=accounts[entry.account.code],
            item=entry.item.key,
            item_name=entry.item.name,
            measure=entry.item.measure,
            price=entry.item.price,
            holder_name=names[accounts[entry.account.code].pk],
            quantity=entry.quantity,
            cause=entry.cause[:200],
        )
        for entry in lines
    )


def _write_levels(posting: Posting, levels: Sequence[Level]) -> None:
    keys = [level.subject for level in levels if level.is_unit]
    units = {u.key: u for u in posting.campaign.units.filter(key__in=keys)} if keys else {}
    Status.objects.bulk_create(
        Status(
            posting=posting,
            kind=level.kind,
            unit=units[level.subject] if level.is_unit else None,
            subject=level.subject,
            subject_name=level.subject_name,
            value=level.value,
            before=level.before,
        )
        for level in levels
    )


def recompute(accounts: Collection[Account]) -> None:
    """Set the balances of some accounts to the sums of their lines."""
    rows = [account.pk for account in accounts]
    sums = (
        Line.objects.filter(account__in=rows)
        .order_by()
        .values("account", "item")
        .annotate(total=Sum("quantity"))
    )
    names = dict(
        Line.objects.filter(account__in=rows).order_by("pk").values_list("item", "item_name")
    )
    Balance.objects.bulk_create(
        [
            Balance(
                account_id=row["account"],
                item=row["item"],
                item_name=names[row["item"]],
                quantity=row["total"],
            )
            for row in sums
        ],
        update_conflicts=True,
        unique_fields=["account", "item"],
        update_fields=["quantity", "item_name"],
    )


def refuse_negative(accounts: Collection[Account]) -> None:
    """Refuse holdings below zero: what a unit or a pool has not got cannot leave it."""
    pks = [a.pk for a in accounts if a.holder in NEVER_NEGATIVE]
    short = (
        Balance.objects.filter(account__in=pks, quantity__lt=0)
        .select_related("account", "account__unit")
        .first()
    )
    if short is not None:
        holder = short.account.unit.name if short.account.unit else short.account.code
        condition = f" ({short.account.condition})" if short.account.condition else ""
        raise Refused(
            f"{holder} would be left with {short.quantity} {short.item_name}{condition}:"
            " it has not got so many."
        )


# --- reversal ------------------------------------------------------------------


def reversal_of(posting: Posting) -> tuple[list[Entry], list[Level]]:
    """The entries and levels that undo a posting."""
    undone = [
        Entry(
            AccountRef(Holder(line.account.holder), _key_of(line.account), line.account.condition),
            Item(line.item, line.item_name, line.measure, line.price),
            -line.quantity,
            line.cause,
        )
        for line in posting.lines.select_related("account", "account__unit", "account__side")
    ]
    levels = [
        Level(
            Status.Kind(status.kind),
            status.subject,
            status.subject_name,
            status.before,
            status.value,
            is_unit=status.unit_id is not None,
        )
        for status in posting.statuses.all()
        if _is_newest(status)
    ]
    return undone, levels


def _key_of(account: Account) -> str:
    if account.unit:
        return account.unit.key
    return account.side.key if account.side else ""


def _is_newest(status: Status) -> bool:
    """A later word on the same subject stands; only the newest level is taken back."""
    return not Status.objects.filter(
        posting__campaign_id=status.posting.campaign_id,
        kind=status.kind,
        subject=status.subject,
        pk__gt=status.pk,
    ).exists()


def reverse(
    *, posting: Posting, author: Author, reason: str, allow_negative: bool = False
) -> Posting:
    """Undo a posting by its opposite. Refuses a second reversal, and the reversal of one.

    It falls into the turn of what it undoes, so that the strength as of any turn is that of a
    history without the mistake; when it was made, the journal says.
    """
    if not reason.strip():
        raise Refused("A reversal needs a reason.", path="reason")
    if posting.reverses_id:
        raise Refused("A reversal is not reversed; post what should be instead.")
    if Posting.objects.filter(reverses=posting).exists():
        raise Refused("This posting has been reversed already.")
    undone, levels = reversal_of(posting)
    return post(
        campaign=posting.campaign,
        kind=Posting.Kind.REVERSAL,
        key=f"reversal:{posting.uid}",
        author=author,
        lines=undone,
        levels=levels,
        turn=posting.turn,
        battle=posting.battle,
        reason=reason,
        audience=posting.audience,
        reverses=posting,
        allow_negative=allow_negative,
    )


def lock_campaign(campaign: Campaign, *, archived: bool = False) -> Campaign:
    """Hold a campaign's row until the transaction ends: one writer of its journal at a time.

    Refuses one that was archived meanwhile, but for what may be done in the archive.
    """
    held = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if not archived and not held.is_active:
        raise Refused(access.ARCHIVED)
    return held
