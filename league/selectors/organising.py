"""What organisers' pages read beside everybody's: who can be seated, who is known by name, how keys changed.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q

from league.errors import NotFound
from league.models import (
    AuditEntry,
    Bye,
    Championship,
    Club,
    Entry,
    Partie,
    PartieStatus,
    Player,
    PlayerNumber,
    Seat,
    Substitute,
    TeamMember,
)
from league.names import fold, tidy
from league.selectors.paging import SIZE, Page, paged
from league.selectors.people import PlayerLine


@dataclass(frozen=True, slots=True)
class Seatable:
    """An entry that can sit at a table now. `met`: it has sat, or has a bye, in the round that is asked about."""

    id: int
    number: int
    team: str
    met: bool


@dataclass(frozen=True, slots=True)
class ByeLine:
    """A bye of a round."""

    id: int
    number: int
    team: str


def seatable(*, championship: Championship, round_number: int) -> list[Seatable]:
    """The entries that neither withdrew nor sit at an open partie that was not postponed, by number. One query.

    Those that have had a partie or a bye in the round are marked.
    """
    of_entry = Seat.objects.filter(Q(entry=OuterRef("pk")) | Q(partner=OuterRef("pk")))
    playing = Q(partie__status=PartieStatus.OPEN, partie__postponed_at__isnull=True)
    rows = (
        Entry.objects.filter(championship=championship, withdrawn_at__isnull=True)
        .filter(~Exists(of_entry.filter(playing)))
        .annotate(
            met=Exists(of_entry.filter(partie__round=round_number).exclude(partie__status=PartieStatus.VOID)),
            bye=Exists(Bye.objects.filter(entry=OuterRef("pk"), round=round_number)),
        )
        .order_by("number")
        .values_list("id", "number", "team__name", "met", "bye")
    )
    return [Seatable(id_, number, team, met or bye) for id_, number, team, met, bye in rows]


def byes_of_round(*, championship: Championship, round_number: int) -> list[ByeLine]:
    """The byes of a round, by entry. One query."""
    rows = Bye.objects.filter(championship=championship, round=round_number).order_by("entry__number")
    return [ByeLine(*row) for row in rows.values_list("id", "entry__number", "entry__team__name")]


def tables_taken(*, championship: Championship, round_number: int) -> set[int]:
    """The table numbers of a round that have a partie. One query."""
    rows = Partie.objects.filter(championship=championship, round=round_number, table_number__isnull=False)
    numbers = rows.exclude(status=PartieStatus.VOID).values_list("table_number", flat=True)
    return {number for number in numbers if number is not None}


def club_named(*, name: str) -> Club | None:
    """The club of this name, accents and case aside. One query."""
    return Club.objects.filter(name_folded=fold(name)).first()


def club_id_at(*, slug: str) -> int | None:
    """The id of the club at an address, None without one. One query."""
    return Club.objects.filter(slug=slug).values_list("pk", flat=True).first()


def club_names() -> list[str]:
    """The names of all clubs, for a field that completes them. One query."""
    return list(Club.objects.order_by("name_folded", "id").values_list("name", flat=True)[:500])


@dataclass(frozen=True, slots=True)
class KeysChange:
    """A change of the ranking keys: when, by whom (a displayed name), why, and the keys that changed."""

    at: datetime
    by: str
    reason: str
    before: dict[str, Any]
    after: dict[str, Any]


def changes_of_keys(*, championship: Championship) -> list[KeysChange]:
    """Every change of the ranking keys, newest first. One query."""
    rows = AuditEntry.objects.filter(championship=championship, action="change_keys").order_by("-id")
    found: Iterable[Any] = rows.values_list("at", "user__display_name", "reason", "before", "after")[:100]
    return [KeysChange(at, by or "", reason, before or {}, after or {}) for at, by, reason, before, after in found]


def players_of(*, championship: Championship, text: str = "", number: int = 1, size: int = SIZE) -> Page[PlayerLine]:
    """The players who are entered in a championship, or named as substitutes, by name. Two queries.

    `text` is looked for in their names, licence numbers and external numbers.
    """
    rows = Player.objects.filter(_takes_part_in(championship)).order_by("name_folded", "id")
    if tidy(text):
        numbered = PlayerNumber.objects.filter(player=OuterRef("pk"), number__iexact=tidy(text))
        licence = "".join(tidy(text).split()).upper()
        rows = rows.filter(Q(name_folded__contains=fold(tidy(text))) | Q(licence=licence) | Exists(numbered))
    columns = rows.values_list("id", "name", "club__name", "licence")
    return paged(
        columns, number, size, lambda found: [PlayerLine(id_, name, club or "", lic) for id_, name, club, lic in found]
    )


def player_in(*, championship: Championship, player_id: int) -> Player:
    """A player who is entered in a championship, or named as a substitute, with club and private address. One query.

    Raises NotFound.
    """
    player = Player.objects.select_related("club").filter(_takes_part_in(championship), pk=player_id).first()
    if player is None:
        raise NotFound
    return player


def _takes_part_in(championship: Championship) -> Q:
    enters = TeamMember.objects.filter(player=OuterRef("pk"), team__championship=championship)
    sits_in = Substitute.objects.filter(player=OuterRef("pk"), team__championship=championship)
    return Q(Exists(enters) | Exists(sits_in))


def names_at(*, partie: Partie) -> dict[str, list[str]]:
    """The whole names of those who sit at a partie, whatever they show, by label, in the order of seats. One query."""
    found: dict[str, list[str]] = {}
    of_entry, of_partner = "entry__team__members__player__name", "partner__team__members__player__name"
    rows = Seat.objects.filter(partie=partie).order_by("label", "entry__team__members__position")
    for label, name, partner in rows.values_list("label", of_entry, of_partner):
        found.setdefault(label, []).extend(one for one in (name, partner) if one is not None)
    return found


def names_of_entries(*, championship: Championship, numbers: Iterable[int]) -> dict[int, str]:
    """The teams of entries, by number. One query."""
    rows = Entry.objects.filter(championship=championship, number__in=set(numbers))
    return dict(rows.values_list("number", "team__name"))


def entry_ids_of(*, partie: Partie) -> dict[int, int]:
    """The ids of the entries at a partie, by entry number. One query."""
    return dict(Seat.objects.filter(partie=partie).values_list("entry__number", "entry_id"))


def entry_id_of(*, championship: Championship, number: int) -> int | None:
    """The id of the entry under a number, None without one. One query."""
    return Entry.objects.filter(championship=championship, number=number).values_list("id", flat=True).first()
