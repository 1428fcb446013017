"""Who may sit in for a player of a team, and who did at a partie.

The championship says who may: nobody, those whom the team named, or anybody who is in no other team; and how many
parties somebody may play so. Entries are ranked, so a stand-in changes no ranking.
"""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound
from league.models import (
    Championship,
    Partie,
    PartieStatus,
    Player,
    Result,
    Seat,
    StandIn,
    Substitute,
    Substitution,
    Team,
    TeamMember,
)
from league.names import tidy
from league.policy import Actor
from league.services import audit
from league.services.championships import require_running
from league.services.locks import check_version, lock_championship, lock_player_rows
from league.services.people import require_living
from league.services.texts import asked_reason, fitting


@transaction.atomic
def name_substitute(*, actor: Actor, team_id: int, player_id: int) -> Substitute:
    """Name a player as a substitute of a team. Named already, it is returned.

    Raises NotFound; Conflict `no-substitutes` where the championship has none, `in-another-team`, `sits-already` for a
    player of the team itself, `profile-gone`.
    """
    championship = lock_championship(teams=team_id)
    require_running(championship)
    _require_stand_ins(championship)
    team = Team.objects.get(pk=team_id)
    player = lock_player_rows([player_id])[player_id]
    require_living(player)
    _require_free(championship, team, player)
    substitute, is_new = Substitute.objects.get_or_create(team=team, player=player)
    if is_new:
        after = {"team": team.pk, "player": player.pk}
        audit.record(actor=actor, action="name_substitute", on=substitute, championship=championship, after=after)
    return substitute


@transaction.atomic
def remove_substitute(*, actor: Actor, team_id: int, substitute_id: int) -> None:
    """Take a substitute off a team; parties that they played stay. Raises NotFound."""
    championship = lock_championship(teams=team_id)
    substitute = Substitute.objects.filter(pk=substitute_id, team=team_id).first()
    if substitute is None:
        raise NotFound
    before = {"team": team_id, "player": substitute.player_id}
    audit.record(actor=actor, action="remove_substitute", on=substitute, championship=championship, before=before)
    substitute.delete()


@dataclass(frozen=True, slots=True)
class _Place:
    championship: Championship
    partie: Partie
    seat: Seat
    member: TeamMember


@transaction.atomic
def stand_in(
    *,
    actor: Actor,
    partie_id: int,
    label: str,
    position: int,
    player_id: int,
    version: int | None = None,
    reason: str = "",
) -> StandIn:
    """Note who sits at a partie in the place of a team's player; another stand-in there is replaced.

    A reason is due once a result is in. Raises NotFound, Stale; UserFault `reason-required`; Conflict `no-substitutes`,
    `not-a-substitute`, `in-another-team`, `sits-already`, `at-another-table` in the same round, `too-many-parties`,
    `profile-gone`.
    """
    place = _place(partie_id, label, position, version)
    _require_stand_ins(place.championship)
    player = lock_player_rows([player_id])[player_id]
    present = StandIn.objects.filter(seat=place.seat, position=position).first()
    if present is not None and present.player_id == player_id:
        return present
    require_living(player)
    why = _reason(place, reason)
    _require_may_sit(place, player)
    before = {"player": present.player_id if present else place.member.player_id}
    if present is not None:
        present.delete()
    made = StandIn.objects.create(seat=place.seat, position=position, player=player, reason=why, by=actor.user)
    _record(actor, "stand_in", place, before, {"player": player.pk}, why)
    return made


@transaction.atomic
def end_stand_in(
    *, actor: Actor, partie_id: int, label: str, position: int, version: int | None = None, reason: str = ""
) -> None:
    """Take a stand-in's note away: the team's own player sat there. Without one it does nothing.

    A reason is due once a result is in. Raises NotFound, Stale, UserFault `reason-required`.
    """
    place = _place(partie_id, label, position, version)
    present = StandIn.objects.filter(seat=place.seat, position=position).first()
    if present is None:
        return
    why = _reason(place, reason)
    before, after = {"player": present.player_id}, {"player": place.member.player_id}
    present.delete()
    _record(actor, "end_stand_in", place, before, after, why)


def _place(partie_id: int, label: str, position: int, version: int | None) -> _Place:
    championship = lock_championship(parties=partie_id)
    require_running(championship)
    partie = Partie.objects.filter(pk=partie_id).first()
    if partie is None:
        raise NotFound
    check_version(partie, version)
    seat = Seat.objects.select_related("entry").filter(partie=partie, label=label).first()
    member = TeamMember.objects.filter(team=seat.entry.team_id, position=position).first() if seat else None
    if seat is None or member is None:
        raise NotFound
    if partie.status == PartieStatus.VOID:
        raise Conflict("partie-void", _("This partie is annulled: nobody sits at it."))
    return _Place(championship, partie, seat, member)


def _reason(place: _Place, reason: str) -> str:
    if Result.objects.filter(manche__partie=place.partie).exists():
        return asked_reason(reason)
    return fitting(tidy(reason), field="reason", limit=300)


def _require_stand_ins(championship: Championship) -> None:
    if championship.substitution == Substitution.NONE:
        message = _("In this championship nobody stands in for a player: its settings say so.")
        raise Conflict("no-substitutes", message)


def _require_free(championship: Championship, team: Team, player: Player) -> None:
    member = TeamMember.objects.select_related("team").filter(team__championship=championship, player=player).first()
    if member is None:
        return
    if member.team_id == team.pk:
        raise Conflict("sits-already", _("This player is in the team itself."), field="player")
    message = _("%(player)s is in another team of this championship: %(team)s.") % {
        "player": player.name,
        "team": member.team.name,
    }
    raise Conflict("in-another-team", message, field="player", extra={"team": member.team_id})


def _require_may_sit(place: _Place, player: Player) -> None:
    championship, partie, team = place.championship, place.partie, place.seat.entry.team
    _require_free(championship, team, player)
    if championship.substitution == Substitution.NAMED and not team.substitutes.filter(player=player).exists():
        message = _("%(player)s is no substitute of this team: name them among its substitutes first.")
        raise Conflict("not-a-substitute", message % {"player": player.name}, field="player")
    played = StandIn.objects.filter(player=player, seat__partie__championship=championship).exclude(
        seat__partie__status=PartieStatus.VOID
    )
    here = played.filter(seat__partie=partie)
    if here.exists():
        message = _("%(player)s sits at this partie already.") % {"player": player.name}
        raise Conflict("sits-already", message, field="player")
    elsewhere = played.filter(seat__partie__round=partie.round).select_related("seat__partie").first()
    if elsewhere is not None:
        number = elsewhere.seat.partie.number
        message = _("%(player)s sits at partie %(number)s in this round.") % {"player": player.name, "number": number}
        raise Conflict("at-another-table", message, field="player", extra={"partie": number})
    limit = championship.substitution_limit
    if limit is not None and played.values("seat__partie").distinct().count() >= limit:
        message = _("%(player)s has stood in at %(limit)s parties, which is the most here.")
        raise Conflict("too-many-parties", message % {"player": player.name, "limit": limit}, field="player")


def _record(actor: Actor, action: str, place: _Place, before: audit.State, after: audit.State, reason: str) -> None:
    place.partie.version += 1
    place.partie.save(update_fields=["version"])
    where = {"partie": place.partie.number, "seat": f"{place.seat.label}{place.member.position}"}
    audit.record(
        actor=actor,
        action=action,
        on=place.seat,
        championship=place.championship,
        before=where | before,
        after=where | after,
        reason=reason,
    )
