"""Registrations as organisers see them: with hints about who these people may be, and where they stand.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first: private addresses stand here.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from league.listed import Listed, ListedPlayer
from league.models import Championship, Registration, RegistrationState
from league.selectors.imports import EntrySeen, held_against, size_of_entries
from league.selectors.paging import Page, paged

UNDECIDED = (RegistrationState.RECEIVED, RegistrationState.WAITING)
LIVE = (*UNDECIDED, RegistrationState.ACCEPTED)
"""The states of those who still want to take part."""
SIZE = 50


@dataclass(frozen=True)
class RegistrationSeen:
    """A registration with what is known about its people; `seen` is None once it is decided."""

    row: Registration
    seen: EntrySeen | None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many stand where. `clear`: could be accepted at once without a question."""

    received: int
    waiting: int
    clear: int


def looked_over(*, championship: Championship, answers: Mapping[str, str]) -> dict[int, EntrySeen]:
    """All that are undecided, held against who is known and entered and against each other, by id. Three queries.

    A person's place is the registration's position and the place in it: `7.1`.
    """
    rows = Registration.objects.filter(championship=championship, state__in=UNDECIDED).order_by("position")
    found = list(rows)
    size = size_of_entries(championship)
    listed = [_listed(row, size) for row in found]
    seen = held_against(championship=championship, listed=listed, answers=answers).entries
    return {row.pk: entry for row, entry in zip(found, seen, strict=True)}


def people_of(row: Registration) -> list[ListedPlayer]:
    """The people of a registration, as typed; of somebody who is anonymous since, no more than a neutral name."""
    return [
        ListedPlayer(
            line=row.position,
            name=said["name"],
            club=said.get("club", ""),
            licence=said.get("licence", ""),
            email=said.get("email", ""),
            minor=said.get("minor", False),
        )
        for said in row.players
    ]


def _listed(row: Registration, size: int) -> Listed:
    players = people_of(row)
    listed = Listed(row.team_name, None, players)
    if len(players) != size:  # the championship has come to seat other teams since
        code = "player-missing" if len(players) < size else "too-many-players"
        listed.faults.append([row.position, code, {"size": size}])
    return listed


def undecided(*, championship: Championship) -> int:
    """How many registrations wait for an organiser. One query."""
    return Registration.objects.filter(championship=championship, state__in=UNDECIDED).count()


def registrations_of(
    *, championship: Championship, decided: bool, number: int = 1
) -> tuple[Page[RegistrationSeen], Counts]:
    """The registrations that wait for an organiser, or those that are decided, by position. Five queries."""
    states = [state for state in RegistrationState if (state not in UNDECIDED) == decided]
    rows = Registration.objects.filter(championship=championship, state__in=states)
    rows = rows.select_related("entry__team", "decided_by").order_by("-decided_at" if decided else "position", "id")
    seen = looked_over(championship=championship, answers={})
    page = paged(rows, number, SIZE, lambda found: [RegistrationSeen(row, seen.get(row.pk)) for row in found])
    return page, _counts(championship, seen)


def _counts(championship: Championship, seen: Mapping[int, EntrySeen]) -> Counts:
    received = set(
        Registration.objects.filter(championship=championship, state=RegistrationState.RECEIVED).values_list(
            "pk", flat=True
        )
    )
    clear = sum(1 for pk, entry in seen.items() if pk in received and entry.kind == "new")
    return Counts(len(received), len(seen) - len(received), clear)
