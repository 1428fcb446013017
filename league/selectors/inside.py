"""What only organisers see: refused attempts, claims to settle, the audit, invitations, private addresses.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` before they call any of these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from league.errors import NotFound
from league.models import (
    ApiToken,
    Attempt,
    AuditEntry,
    Championship,
    Invitation,
    Membership,
    PartieStatus,
    Player,
    Result,
    ResultState,
    TeamMember,
    User,
)
from league.selectors.paging import SIZE, Page, paged


@dataclass(frozen=True, slots=True)
class AttemptLine:
    """A refused document. `by` is a displayed name."""

    id: int
    partie: int
    manche: int
    code: str
    verdict: dict[str, Any]
    sha256: str
    media: str
    at: datetime
    by: str | None


@dataclass(frozen=True, slots=True)
class ToSettle:
    """A result that waits for somebody: `state` is `pending`, `differs` or `contested`."""

    manche_id: int
    partie: int
    manche: int
    version: int
    state: str
    settled_how: str
    claim_differences: Sequence[dict[str, Any]]
    at: datetime


@dataclass(frozen=True, slots=True)
class AuditLine:
    """An entry of the audit. `by` is a displayed name, None for the program itself; `token` a token's name.

    `via`: the partie's number and the side of whoever came by a table's link; `ip`: from where.
    """

    at: datetime
    by: str | None
    token: str | None
    action: str
    object_type: str
    object_id: int
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reason: str
    via: str
    ip: str | None
    request_id: str


@dataclass(frozen=True, slots=True)
class Organiser:
    """Somebody who runs the championship."""

    membership_id: int
    name: str
    email: str
    role: str
    tables: Sequence[int]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An invitation that was not taken yet."""

    id: int
    email: str
    role: str
    tables: Sequence[int]
    expires_at: datetime


def attempts(*, championship: Championship, number: int = 1, size: int = SIZE) -> Page[AttemptLine]:
    """The refused documents, newest first. Two queries."""
    rows = (
        Attempt.objects.filter(partie__championship=championship)
        .order_by("-at", "-id")
        .values_list(
            "id",
            "partie__number",
            "number",
            "code",
            "verdict",
            "document__sha256",
            "document__media",
            "at",
            "by__display_name",
        )
    )
    return paged(rows, number, size, lambda found: [AttemptLine(*row) for row in found])


def refused_count(*, championship: Championship) -> int:
    """How many documents were refused. One query."""
    return Attempt.objects.filter(partie__championship=championship).count()


def attempt_document(*, championship: Championship, attempt_id: int) -> tuple[bytes, str]:
    """The bytes of a refused document as they came, and their writing. Raises NotFound."""
    found = (
        Attempt.objects.filter(partie__championship=championship, pk=attempt_id)
        .values_list("document__body", "document__media")
        .first()
    )
    if found is None:
        raise NotFound
    return bytes(found[0]), found[1]


def to_settle(*, championship: Championship, number: int = 1, size: int = SIZE) -> Page[ToSettle]:
    """The results that wait for a decision, oldest first. Two queries."""
    rows = (
        Result.objects.filter(
            current_of__partie__championship=championship,
            current_of__voided_at__isnull=True,
            state__in=[ResultState.PENDING, ResultState.DIFFERS, ResultState.CONTESTED],
        )
        .exclude(current_of__partie__status=PartieStatus.VOID)
        .select_related("manche__partie")
        .order_by("at", "id")
    )
    return paged(rows, number, size, lambda found: [_to_settle(result) for result in found])


def _to_settle(result: Result) -> ToSettle:
    return ToSettle(
        manche_id=result.manche_id,
        partie=result.manche.partie.number,
        manche=result.manche.number,
        version=result.version,
        state=result.state,
        settled_how=result.settled_how,
        claim_differences=result.verdict.get("claim_differences", ()),
        at=result.at,
    )


def audit(*, championship: Championship, number: int = 1, size: int = SIZE) -> Page[AuditLine]:
    """What was done to the championship, newest first. Two queries."""
    rows = (
        AuditEntry.objects.filter(championship=championship)
        .order_by("-id")
        .values_list(
            "at",
            "user__display_name",
            "token__name",
            "action",
            "object_type",
            "object_id",
            "before",
            "after",
            "reason",
            "via",
            "ip",
            "request_id",
        )
    )
    return paged(rows, number, size, lambda found: [AuditLine(*row) for row in found])


def organisers(*, championship: Championship) -> list[Organiser]:
    """Who runs the championship, longest first. One query."""
    rows = Membership.objects.filter(championship=championship).order_by("since", "id")
    return [Organiser(*row) for row in rows.values_list("id", "user__display_name", "user__email", "role", "tables")]


def waiting_invitations(*, championship: Championship) -> list[Waiting]:
    """Invitations that can still be taken, newest first. One query."""
    rows = Invitation.objects.filter(
        championship=championship,
        accepted_at__isnull=True,
        withdrawn_at__isnull=True,
        expires_at__gt=timezone.now(),
    ).order_by("-created_at", "-id")
    return [Waiting(*row) for row in rows.values_list("id", "email", "role", "tables", "expires_at")]


def tokens_of(*, user: User) -> list[ApiToken]:
    """A user's own tokens, newest first. One query."""
    return list(
        ApiToken.objects.filter(user=user).select_related("championship", "user").order_by("-created_at", "-id")
    )


def email_of_player(*, championship: Championship, player_id: int) -> str:
    """The private address of a player who is entered in the championship. Raises NotFound."""
    member = TeamMember.objects.filter(team__championship=championship, player=player_id).exists()
    email = Player.objects.filter(pk=player_id).values_list("email", flat=True).first() if member else None
    if email is None:
        raise NotFound
    return email
