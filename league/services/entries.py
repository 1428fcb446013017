"""Who takes part: teams, their entries, withdrawals, and penalties on the championship."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Conflict, NotFound, UserFault
from league.models import Championship, Entry, Partie, PartieStatus, Player, ShownAs, Team, TeamMember, What
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.imports import size_of_entries
from league.services import audit, journal
from league.services.championships import require_running
from league.services.locks import check_version, lock_championship, lock_player_rows
from league.services.places import move_up
from league.services.privacy import automatic_name, is_name_of_its_own
from league.services.texts import asked_name, asked_reason
from league.services.withdrawals import settle_round_robin
from league.shown_names import LONGEST_TEAM_NAME


@transaction.atomic
def add_team(*, actor: Actor, championship_id: int, player_ids: Sequence[int], name: str = "") -> Team:
    """Make a team of the championship's number of players, in the order of their seats.

    Without a name it is called like its player, or like both. Raises UserFault `bad-team-size`, `unknown-player`,
    `player-twice`; Conflict `player-in-team` when one of them is in another team of the championship.
    """
    return _make_team(actor, lock_championship(pk=championship_id), player_ids, name)


@transaction.atomic
def enter(*, actor: Actor, team_id: int) -> Entry:
    """Enter a team under the championship's next number. Entering it again returns its entry."""
    championship = lock_championship(teams=team_id)
    return _enter(actor, championship, Team.objects.get(pk=team_id))


@transaction.atomic
def enter_players(*, actor: Actor, championship_id: int, player_ids: Sequence[int], name: str = "") -> Entry:
    """Make a team and enter it, in one step. Raises what `add_team` raises."""
    championship = lock_championship(pk=championship_id)
    return _enter(actor, championship, _make_team(actor, championship, player_ids, name))


def _make_team(actor: Actor, championship: Championship, player_ids: Sequence[int], name: str) -> Team:
    require_running(championship)
    players = _players(championship, player_ids)
    is_named = is_name_of_its_own(name, players)
    shown = asked_name(name if is_named else automatic_name(players), limit=LONGEST_TEAM_NAME)
    team = Team.objects.create(championship=championship, name=shown, name_folded=fold(shown), is_named=is_named)
    TeamMember.objects.bulk_create(
        TeamMember(team=team, player=player, position=position) for position, player in enumerate(players, 1)
    )
    audit.record(
        actor=actor,
        action="add_team",
        on=team,
        championship=championship,
        after={"name": team.name, "players": [player.pk for player in players]},
    )
    return team


def bad_team_size(size: int) -> UserFault:
    """The fault of a team that has not as many players as teams have in its championship."""
    message = ngettext(
        "A team has %(size)s player in this championship.", "A team has %(size)s players in this championship.", size
    )
    return UserFault("bad-team-size", message % {"size": size}, field="players")


def _players(championship: Championship, player_ids: Sequence[int]) -> list[Player]:
    size = size_of_entries(championship)
    if len(player_ids) != size:
        raise bad_team_size(size)
    if len(set(player_ids)) != size:
        raise UserFault("player-twice", _("The same player stands twice in the team."), field="players")
    try:
        found = lock_player_rows(player_ids)
    except NotFound as error:
        raise UserFault("unknown-player", _("There is no such player."), field="players") from error
    if any(player.merged_into_id or player.anonymised_at for player in found.values()):
        raise UserFault("unknown-player", _("There is no such player."), field="players")
    taken = TeamMember.objects.filter(team__championship=championship, player__in=player_ids).first()
    if taken is not None:
        message = _("%(player)s is in another team of this championship: %(team)s.") % {
            "player": found[taken.player_id].name,
            "team": taken.team.name,
        }
        raise Conflict("player-in-team", message, field="players", extra={"team": taken.team_id})
    return [found[player_id] for player_id in player_ids]


def _enter(actor: Actor, championship: Championship, team: Team) -> Entry:
    entered = Entry.objects.filter(team=team).first()
    if entered is not None:
        return entered
    require_running(championship)
    last = Entry.objects.filter(championship=championship).aggregate(last=Max("number"))["last"] or 0
    entry = Entry.objects.create(championship=championship, number=last + 1, team=team)
    journal.write(championship, journal.Line(What.ENTERED, entry=entry))
    audit.record(
        actor=actor,
        action="enter",
        on=entry,
        championship=championship,
        after={"number": entry.number, "team": team.pk},
    )
    return entry


@transaction.atomic
def rename_team(*, actor: Actor, team_id: int, version: int | None, name: str) -> Team:
    """Change a team's name; without one it is called like its players again, as everybody may read them.

    Rankings that were published keep the old one. Raises Stale, UserFault `hidden-name` for the name of a player who
    does not show it.
    """
    championship = lock_championship(teams=team_id)
    team = Team.objects.get(pk=team_id)
    check_version(team, version)
    ids = team.members.order_by("position").values_list("player_id", flat=True)
    rows = lock_player_rows(ids)
    players = [rows[player_id] for player_id in ids]
    before, is_named = team.name, is_name_of_its_own(name, players)
    shown = asked_name(name if is_named else automatic_name(players), limit=LONGEST_TEAM_NAME)
    if tidy(name) and not is_named and any(player.shown_as != ShownAs.NAME for player in players):
        message = _("A player of this team does not show that name: give another one, or none.")
        raise UserFault("hidden-name", message, field="name")
    if shown == before and is_named == team.is_named:
        return team
    team.name, team.name_folded, team.is_named, team.version = shown, fold(shown), is_named, team.version + 1
    team.save(update_fields=["name", "name_folded", "is_named", "version"])
    entry = Entry.objects.filter(team=team).first()
    if entry is not None:
        journal.write(championship, journal.Line(What.RENAMED, entry=entry))
    audit.record(
        actor=actor,
        action="rename_team",
        on=team,
        championship=championship,
        before={"name": before},
        after={"name": shown},
    )
    return team


@transaction.atomic
def withdraw(*, actor: Actor, entry_id: int, reason: str) -> Entry:
    """Withdraw an entry: its results stay, it has no rank (STANDINGS 2). Raises Conflict `at-a-table`.

    Its open partie is closed by a forfeit, or annulled, first: both are rulings of their own; in a round robin they
    follow from how many it played (`league.services.withdrawals`). Before the start its
    place goes to whoever is first on the waiting list.
    """
    championship, entry = locked_entry(entry_id)
    why = asked_reason(reason)
    if entry.withdrawn_at is not None:
        return entry
    settle_round_robin(actor, championship, entry, why)
    sitting = Q(seats__entry=entry) | Q(seats__partner=entry)
    open_partie = Partie.objects.filter(sitting, championship=championship, status=PartieStatus.OPEN).first()
    if open_partie is not None:
        message = _("This entry sits at partie %(number)s: rule a forfeit there, or annul it, first.") % {
            "number": open_partie.number
        }
        raise Conflict("at-a-table", message, extra={"partie": open_partie.number})
    entry.withdrawn_at = timezone.now()
    _ruled(actor, championship, entry, "withdraw", What.WITHDRAWN, {"withdrawn": False}, {"withdrawn": True}, why)
    move_up(actor=actor, championship=championship)
    return entry


@transaction.atomic
def reinstate(*, actor: Actor, entry_id: int, reason: str) -> Entry:
    """Take a withdrawn entry back in."""
    championship, entry = locked_entry(entry_id)
    why = asked_reason(reason)
    if entry.withdrawn_at is None:
        return entry
    entry.withdrawn_at = None
    before, after = {"withdrawn": True}, {"withdrawn": False}
    return _ruled(actor, championship, entry, "reinstate", What.REINSTATED, before, after, why)


@transaction.atomic
def penalise_entry(*, actor: Actor, entry_id: int, points: int, reason: str) -> Entry:
    """Set what is taken off an entry's primary key in all; 0 lifts it (STANDINGS 2). Raises UserFault `bad-penalty`."""
    championship, entry = locked_entry(entry_id)
    why = asked_reason(reason)
    if not 0 <= points <= 1_000_000:
        raise UserFault("bad-penalty", _("Give a whole number that is not negative."), field="points")
    before = {"penalty": entry.penalty, "penalty_reason": entry.penalty_reason}
    if entry.penalty == points and entry.penalty_reason == (why if points else ""):
        return entry
    entry.penalty, entry.penalty_reason = points, why if points else ""
    after = {"penalty": entry.penalty, "penalty_reason": entry.penalty_reason}
    return _ruled(actor, championship, entry, "penalise_entry", What.ENTRY_PENALISED, before, after, why)


def locked_entry(entry_id: int) -> tuple[Championship, Entry]:
    """An entry of a championship that runs, which is locked. Raises NotFound, and what `require_running` does."""
    championship = lock_championship(entries=entry_id)
    require_running(championship)
    entry = Entry.objects.filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    return championship, entry


def _ruled(
    actor: Actor,
    championship: Championship,
    entry: Entry,
    action: str,
    what: What,
    before: audit.State,
    after: audit.State,
    reason: str,
) -> Entry:
    entry.save(update_fields=["withdrawn_at", "penalty", "penalty_reason"])
    journal.write(championship, journal.Line(what, entry=entry, reason=reason))
    audit.record(
        actor=actor, action=action, on=entry, championship=championship, before=before, after=after, reason=reason
    )
    return entry
