"""Rows, their constraints and small properties. Writes go through league.services, reads through league.selectors."""

from league.models.access import ApiToken, IdempotencyRecord, Scope
from league.models.audit import AuditEntry
from league.models.batches import Batch, BatchItem, BatchState, ItemState
from league.models.championship import (
    Championship,
    ChampionshipStatus,
    ClockEnd,
    Confirmation,
    DecidedBy,
    Invitation,
    Membership,
    PartieEnd,
    Ranks,
    Role,
    Substitution,
    Visibility,
)
from league.models.circuits import Circuit, CircuitBy, CircuitLeg, PublishedCircuit
from league.models.entries import Bye, Entry, Team, TeamMember
from league.models.external import EXTERNAL_ID, ExternalId, ExternalKind
from league.models.feed import Change, ChangeKind, FeedHead
from league.models.identity import PlayerMerge, PlayerNumber, ProfileClaim
from league.models.journal import ResultEvent, What
from league.models.mail_addresses import MailAddress, ReceivedMail
from league.models.parties import LABELS, ClosedHow, Manche, MancheStatus, Partie, PartieStatus, Seat
from league.models.people import User
from league.models.players import Club, Player, ShownAs
from league.models.ranking import LiveRanking, LiveRow, PublishedRanking, PublishedRow, Standing
from league.models.registrations import ListImport, Registration, RegistrationState
from league.models.results import (
    Attempt,
    Document,
    Kind,
    Media,
    Result,
    ResultScore,
    ResultState,
    SettledHow,
)
from league.models.stages import Absence, CarryOver, Format, Round, RoundStatus, Stage, StageEntry
from league.models.substitutes import StandIn, Substitute
from league.models.tables import Dispute, DisputeMessage, SecondEntry, TableLink
from league.models.webhooks import Delivery, DeliveryState, Webhook, WebhookState

__all__ = [
    "EXTERNAL_ID",
    "LABELS",
    "Absence",
    "ApiToken",
    "Attempt",
    "AuditEntry",
    "Batch",
    "BatchItem",
    "BatchState",
    "Bye",
    "CarryOver",
    "Championship",
    "ChampionshipStatus",
    "Change",
    "ChangeKind",
    "Circuit",
    "CircuitBy",
    "CircuitLeg",
    "ClockEnd",
    "ClosedHow",
    "Club",
    "Confirmation",
    "DecidedBy",
    "Delivery",
    "DeliveryState",
    "Dispute",
    "DisputeMessage",
    "Document",
    "Entry",
    "ExternalId",
    "ExternalKind",
    "FeedHead",
    "Format",
    "IdempotencyRecord",
    "Invitation",
    "ItemState",
    "Kind",
    "ListImport",
    "LiveRanking",
    "LiveRow",
    "MailAddress",
    "Manche",
    "MancheStatus",
    "Media",
    "Membership",
    "Partie",
    "PartieEnd",
    "PartieStatus",
    "Player",
    "PlayerMerge",
    "PlayerNumber",
    "ProfileClaim",
    "PublishedCircuit",
    "PublishedRanking",
    "PublishedRow",
    "Ranks",
    "ReceivedMail",
    "Registration",
    "RegistrationState",
    "Result",
    "ResultEvent",
    "ResultScore",
    "ResultState",
    "Role",
    "Round",
    "RoundStatus",
    "Scope",
    "Seat",
    "SecondEntry",
    "SettledHow",
    "ShownAs",
    "Stage",
    "StageEntry",
    "StandIn",
    "Standing",
    "Substitute",
    "Substitution",
    "TableLink",
    "Team",
    "TeamMember",
    "User",
    "Visibility",
    "Webhook",
    "WebhookState",
    "What",
]
