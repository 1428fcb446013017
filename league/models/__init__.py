"""Rows, their constraints and small properties. Writes go through league.services, reads through league.selectors."""

from league.models.access import ApiToken, IdempotencyRecord, Scope
from league.models.audit import AuditEntry
from league.models.championship import (
    Championship,
    ChampionshipStatus,
    Confirmation,
    DecidedBy,
    Invitation,
    Membership,
    PartieEnd,
    Role,
    Visibility,
)
from league.models.entries import Bye, Entry, Team, TeamMember
from league.models.journal import ResultEvent, What
from league.models.parties import LABELS, ClosedHow, Manche, MancheStatus, Partie, PartieStatus, Seat
from league.models.people import User
from league.models.players import Club, Player
from league.models.ranking import LiveRanking, LiveRow, PublishedRanking, PublishedRow, Standing
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

__all__ = [
    "LABELS",
    "ApiToken",
    "Attempt",
    "AuditEntry",
    "Bye",
    "Championship",
    "ChampionshipStatus",
    "ClosedHow",
    "Club",
    "Confirmation",
    "DecidedBy",
    "Document",
    "Entry",
    "IdempotencyRecord",
    "Invitation",
    "Kind",
    "LiveRanking",
    "LiveRow",
    "Manche",
    "MancheStatus",
    "Media",
    "Membership",
    "Partie",
    "PartieEnd",
    "PartieStatus",
    "Player",
    "PublishedRanking",
    "PublishedRow",
    "Result",
    "ResultEvent",
    "ResultScore",
    "ResultState",
    "Role",
    "Scope",
    "Seat",
    "SettledHow",
    "Standing",
    "Team",
    "TeamMember",
    "User",
    "Visibility",
    "What",
]
