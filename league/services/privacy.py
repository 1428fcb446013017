"""What everybody may read of a player is written where everybody reads: in the names of teams, and in frozen rows.

A team that was not named follows what its players show. A published version keeps the names of its time, unless a
player comes to show less: then the name is replaced there too, and nothing but the name (privacy beats frozenness).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from league.models import CircuitBy, Entry, Player, PublishedCircuit, PublishedRow, ShownAs, Team, TeamMember, What
from league.names import fold
from league.services import journal
from league.services.locks import Locked
from league.shown_names import public_name, reveals, team_name_of


def renew_names(locked: Locked, *, stricter: Iterable[int] = (), former: Sequence[str] = ()) -> None:
    """Write the public names of locked players into the teams that follow them, with a line of the journal each.

    `stricter`: the players who show less than before: their names go out of published versions too, and a team that
    was named after one of them follows its players from now on. `former`: names that must not be read any more either.
    """
    hidden = frozenset(stricter)
    teams = _teams_of(locked.players)
    members = _members_of(teams)
    lines: dict[int, list[journal.Line]] = defaultdict(list)
    for team in teams:
        if _rename(team, members[team.pk], hidden, former):
            entry = getattr(team, "entry", None)
            if entry is not None:
                lines[team.championship_id].append(journal.Line(What.RENAMED, entry=entry))
    if hidden:
        _renew_published(teams, members, hidden, former)
        _renew_circuits(hidden)
    for championship_id, new in lines.items():
        journal.write(locked.championships[championship_id], *new)


def automatic_name(players: Sequence[Player]) -> str:
    """The name of a team that was not named: what its players show, in the order of their seats."""
    return team_name_of([public_name(player) for player in players])


def is_name_of_its_own(name: str, players: Sequence[Player]) -> bool:
    """Whether a team was really named: neither like its players, nor after one who does not show that name."""
    if not fold(name) or fold(name) == fold(team_name_of([player.name for player in players])):
        return False
    return not any(player.shown_as != ShownAs.NAME and reveals(name, player.name) for player in players)


def _teams_of(players: Iterable[int]) -> list[Team]:
    ids = Team.objects.filter(members__player__in=list(players)).values("pk")
    return list(Team.objects.filter(pk__in=ids).select_related("entry").order_by("championship_id", "pk"))


def _members_of(teams: Sequence[Team]) -> dict[int, list[TeamMember]]:
    found: dict[int, list[TeamMember]] = defaultdict(list)
    rows = TeamMember.objects.filter(team__in=teams).select_related("player").order_by("team", "position")
    for member in rows:
        found[member.team_id].append(member)
    return found


def _rename(team: Team, members: Sequence[TeamMember], hidden: frozenset[int], former: Sequence[str]) -> bool:
    names = [*(member.player.name for member in members if member.player_id in hidden), *former]
    if team.is_named and hidden and any(reveals(team.name, name) for name in names):
        team.is_named = False
    shown = team.name if team.is_named else automatic_name([member.player for member in members])
    if shown == team.name:
        return False
    team.name, team.name_folded, team.version = shown, fold(shown), team.version + 1
    team.save(update_fields=["name", "name_folded", "is_named", "version"])
    return True


def _renew_published(
    teams: Sequence[Team], members: Mapping[int, Sequence[TeamMember]], hidden: frozenset[int], former: Sequence[str]
) -> None:
    """Replace names in frozen rows."""
    of_entry = dict(Entry.objects.filter(team__in=teams).values_list("pk", "team_id"))
    for row in PublishedRow.objects.filter(entry__in=list(of_entry)).only("pk", "entry_id", "name", "players"):
        before, players = row.name, list(row.players)
        was_automatic = bool(players) and row.name == team_name_of(players)
        names = list(former)
        for member in members[of_entry[row.entry_id]]:
            place = member.position - 1
            if member.player_id in hidden and place < len(players):
                names += [players[place], member.player.name]
                players[place] = public_name(member.player)
        if was_automatic or any(reveals(row.name, name) for name in names):
            row.name = team_name_of(players)
        if row.name != before or players != row.players:
            row.players = players
            row.save(update_fields=["name", "players"])


def _renew_circuits(hidden: frozenset[int]) -> None:
    """Replace names in the frozen rankings of circuits that rank players; those merged into one are called like it."""
    names = {player.pk: public_name(player) for player in Player.objects.filter(pk__in=hidden)}
    merged = Player.objects.filter(merged_into__in=hidden).values_list("pk", "merged_into")
    names |= {player_id: names[kept] for player_id, kept in merged if kept is not None}
    for published in PublishedCircuit.objects.iterator():
        if published.terms["by"] == CircuitBy.PLAYER and any(row["entry"] in names for row in published.rows):
            published.rows = [row | {"name": names.get(row["entry"], row["name"])} for row in published.rows]
            published.save(update_fields=["rows"])
