"""Who plays in a championship that comes from a dump: clubs, players, entries with their teams.

A player who has the licence number, or a number of another system, of somebody here is that person: the profile here
stays as it is, and what it shows is respected. Everybody else is made new, since a name proves nothing; an organiser
may merge profiles afterwards. A club is found by its name, accents and case aside, or made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.errors import UserFault
from league.models import Championship, Club, Entry, Player, PlayerNumber, ShownAs, Substitute, Team, TeamMember
from league.names import fold
from league.policy import Actor
from league.services.dump_columns import fitted
from league.services.locks import lock_player_rows
from league.services.people import add_club
from league.services.privacy import automatic_name, is_name_of_its_own
from league.shown_names import public_name, team_name_of
from scoring.dump_stream import DumpError, Part
from scoring.ranking_shapes import At, path


@dataclass(slots=True)
class People:
    """Players by their number in the dump, entries by theirs; who was here already, by primary key."""

    players: dict[int, Player] = field(default_factory=dict)
    known: dict[int, Player] = field(default_factory=dict)
    entries: dict[int, int] = field(default_factory=dict)
    members: dict[int, list[Player]] = field(default_factory=dict)

    def is_shy(self, entry: int) -> bool:
        """Whether somebody of an entry was here already and does not show their whole name here."""
        return any(one.pk in self.known and one.shown_as != ShownAs.NAME for one in self.members[entry])


def club_of(actor: Actor, name: str | None, at: At, clubs: dict[str, Club]) -> Club | None:
    """The club of this name, made where there is none."""
    if name is None:
        return None
    folded = fold(name)
    if folded not in clubs:
        known = Club.objects.filter(name_folded=folded).first()
        try:
            clubs[folded] = known or add_club(actor=actor, name=name)
        except UserFault as fault:
            raise DumpError("bad-dump", path(at), f"is no name of a club: {fault.message}") from None
    return clubs[folded]


def make_players(actor: Actor, parts: Sequence[Part], clubs: dict[str, Club], people: People) -> None:
    """Find or make the players of a dump."""
    known = _known(parts)
    people.known = lock_player_rows(set(known.values()))
    new: list[tuple[Part, Player]] = []
    taken: dict[int, int] = {}
    for part in parts:
        number = part.value["number"]
        if number in known:
            player = people.known[known[number]]
            if player.pk in taken:
                why = f"is the same person here as player {taken[player.pk]}"
                raise DumpError("same-player", path(part.at), why)
            taken[player.pk] = number
            people.players[number] = player
        else:
            new.append((part, _player(actor, part, clubs)))
    Player.objects.bulk_create([player for _, player in new], batch_size=500)
    people.players |= {part.value["number"]: player for part, player in new}
    _note_numbers(new)


def _known(parts: Sequence[Part]) -> dict[int, int]:
    """Who is here already, by number in the dump; a profile that was merged into another one is that one."""
    licences = {part.value["licence"]: part.value["number"] for part in parts if part.value["licence"]}
    numbers = {(one["system"], one["number"]): part.value["number"] for part in parts for one in part.value["numbers"]}
    found: dict[int, int] = {}
    systems = {system for system, _ in numbers}
    for system, number, player_id in PlayerNumber.objects.filter(system__in=systems).values_list(
        "system", "number", "player_id"
    ):
        if (system, number) in numbers:
            found[numbers[system, number]] = player_id
    wanted = list(licences)
    for first in range(0, len(wanted), 500):
        rows = Player.objects.filter(licence__in=wanted[first : first + 500])
        found |= {licences[licence]: player_id for licence, player_id in rows.values_list("licence", "pk")}
    merged = dict(
        Player.objects.filter(pk__in=found.values(), merged_into__isnull=False).values_list("pk", "merged_into")
    )
    while any(player_id in merged for player_id in found.values()):
        found = {number: merged.get(player_id) or player_id for number, player_id in found.items()}
        merged = dict(
            Player.objects.filter(pk__in=found.values(), merged_into__isnull=False).values_list("pk", "merged_into")
        )
    return found


def _player(actor: Actor, part: Part, clubs: dict[str, Club]) -> Player:
    said = part.value
    names = ("name", "licence", "email", "is_minor", "shown_as", "shows_club")
    values = {name: said[name] for name in names} | {"name_folded": fold(said["name"])}
    if not values["name_folded"]:
        raise DumpError("bad-dump", path((*part.at, "name")), "is no name")
    club = club_of(actor, said["club"], (*part.at, "club"), clubs)
    return Player(created_by=actor.user, club=club, **fitted(Player, values, part.at))


def _note_numbers(new: Sequence[tuple[Part, Player]]) -> None:
    PlayerNumber.objects.bulk_create(
        [
            PlayerNumber(player=player, **fitted(PlayerNumber, one, (*part.at, "numbers", place)))
            for part, player in new
            for place, one in enumerate(part.value["numbers"])
        ],
        batch_size=500,
    )


def make_entries(championship: Championship, parts: Sequence[Part], people: People) -> None:
    """Make the entries of a dump with their teams."""
    teams = []
    for part in parts:
        said = part.value
        if not 1 <= len(said["players"]) <= 2:
            raise DumpError("bad-dump", path((*part.at, "players")), "has not one or two players")
        people.members[said["number"]] = [people.players[number] for number in said["players"]]
        name, is_named = _name(said, people)
        values = {"name": name, "name_folded": fold(name), "is_named": is_named}
        teams.append(Team(championship=championship, **fitted(Team, values, part.at)))
    Team.objects.bulk_create(teams, batch_size=500)
    TeamMember.objects.bulk_create(
        [
            TeamMember(team=team, player=player, position=place)
            for part, team in zip(parts, teams, strict=True)
            for place, player in enumerate(people.members[part.value["number"]], 1)
        ],
        batch_size=500,
    )
    Substitute.objects.bulk_create(
        [
            Substitute(team=team, player=people.players[number])
            for part, team in zip(parts, teams, strict=True)
            for number in part.value["substitutes"]
        ],
        batch_size=500,
    )
    names = ("number", "checked_in_at", "withdrawn_at", "penalty", "penalty_reason")
    entries = [
        Entry(
            championship=championship, team=team, **fitted(Entry, {name: part.value[name] for name in names}, part.at)
        )
        for part, team in zip(parts, teams, strict=True)
    ]
    Entry.objects.bulk_create(entries, batch_size=500)
    people.entries = {entry.number: entry.pk for entry in entries}


def _name(said: Mapping[str, Any], people: People) -> tuple[str, bool]:
    """The team's name as the dump has it, unless it says more of somebody than they show here."""
    members = people.members[said["number"]]
    if not people.is_shy(said["number"]):
        return said["name"], said["is_named"]
    if said["is_named"] and is_name_of_its_own(said["name"], members):
        return said["name"], True
    return automatic_name(members), False


def frozen_names(row: Mapping[str, Any], people: People) -> tuple[str, list[str]]:
    """The name and the players of a published row, without what somebody here does not show."""
    name, players = row["name"], list(row["players"])
    entry = row["entry"]
    if not people.is_shy(entry):
        return name, players
    was_automatic = name == team_name_of(players)
    for place, player in enumerate(people.members[entry][: len(players)]):
        if player.pk in people.known and player.shown_as != ShownAs.NAME:
            players[place] = public_name(player)
    if was_automatic or not is_name_of_its_own(name, people.members[entry]):
        name = team_name_of(players)
    return name, players
