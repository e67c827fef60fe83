"""Rows. `campaign.py` who, `oob.py` with what, `battle.py` the fights, `ledger.py` the journal,
`forecast.py` odds,
`api.py` tokens and what the API keeps, `pulse.py` which workers live."""

from campaigns.models.api import TOKEN_NAME, ApiToken, KeptAnswer, Scope
from campaigns.models.battle import (
    LIVE_STATES,
    OPEN_STATES,
    Battle,
    BattleTerms,
    Comment,
    Detachment,
    ForceSnapshot,
    Job,
    Log,
    Result,
    SealedKey,
)
from campaigns.models.campaign import SIDED, Campaign, Invitation, Role, Seat, Side, Turn
from campaigns.models.draft import ResultDraft, StoredReport
from campaigns.models.forecast import Forecast, ForecastChunk, ForecastLane
from campaigns.models.ledger import (
    CASUALTY_POINTS,
    LOSSES,
    NEVER_NEGATIVE,
    VICTORY_POINTS,
    Account,
    Balance,
    Holder,
    Line,
    Posting,
    PurgePermit,
    Status,
)
from campaigns.models.oob import Establishment, Formation, Unit
from campaigns.models.pack import InstalledPack
from campaigns.models.pulse import Pulse

__all__ = [
    "CASUALTY_POINTS",
    "LIVE_STATES",
    "LOSSES",
    "NEVER_NEGATIVE",
    "OPEN_STATES",
    "SIDED",
    "TOKEN_NAME",
    "VICTORY_POINTS",
    "Account",
    "ApiToken",
    "Balance",
    "Battle",
    "BattleTerms",
    "Campaign",
    "Comment",
    "Detachment",
    "Establishment",
    "ForceSnapshot",
    "Forecast",
    "ForecastChunk",
    "ForecastLane",
    "Formation",
    "Holder",
    "InstalledPack",
    "Invitation",
    "Job",
    "KeptAnswer",
    "Line",
    "Log",
    "Posting",
    "Pulse",
    "PurgePermit",
    "Result",
    "ResultDraft",
    "Role",
    "Scope",
    "SealedKey",
    "Seat",
    "Side",
    "Status",
    "StoredReport",
    "Turn",
    "Unit",
]
