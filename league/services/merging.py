"""Two profiles of one person made one, and made two again (DESIGN 4).

What moves stands in the merge, so that undoing it gives everything back. Private values stand there too, until the
person is anonymised.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault
from league.models import (
    Championship,
    Player,
    PlayerMerge,
    PlayerNumber,
    Seat,
    StandIn,
    Substitute,
    TeamMember,
)
from league.names import tidy
from league.policy import Actor
from league.services import audit
from league.services.locks import lock_players
from league.services.people import require_living
from league.services.privacy import renew_names
from league.services.texts import fitting
from league.shown_names import is_stricter

CHOSEN: Final = ("club_id", "licence", "email")
"""What is chosen where both profiles have something else."""
KEPT, MERGED = "kept", "merged"

_FIELDS = (*CHOSEN, "user_id", "is_minor", "shown_as", "shows_club")
_ROWS = {
    "memberships": TeamMember,
    "numbers": PlayerNumber,
    "substitute_of": Substitute,
    "stood_in": StandIn,
}


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why two profiles cannot be one: a stable code, and the championship where it shows."""

    code: str
    message: str
    championship: str = ""


@transaction.atomic
def merge_players(
    *, actor: Actor, kept_id: int, merged_id: int, choices: Mapping[str, str] | None = None, reason: str = ""
) -> PlayerMerge:
    """Make one profile of two: teams, numbers and an account go over to the one that is kept, whose name stays.

    `choices` says for `club_id`, `licence` and `email` whose stays, `kept` or `merged`; without a word the kept one's,
    where it has one. What is shown is what both show. Raises NotFound, UserFault `same-profile`, `unknown-choice`;
    Conflict `profile-gone`, `sat-together`, `same-championship`, `two-accounts`.
    """
    if kept_id == merged_id:
        raise UserFault("same-profile", _("Choose two different profiles."), field="merged")
    locked = lock_players([kept_id, merged_id])
    kept, merged = locked.players[kept_id], locked.players[merged_id]
    for player in (kept, merged):
        require_living(player)
    obstacle = next(iter(obstacles(kept, merged)), None)
    if obstacle is not None:
        raise Conflict(obstacle.code, obstacle.message, extra={"championship": obstacle.championship})
    before = {KEPT: _state(kept), MERGED: _state(merged)}
    rows = {name: list(_rows(name, merged).values_list("pk", flat=True)) for name in _ROWS}
    _lay_chosen(kept, merged, choices or {})
    for name, ids in rows.items():
        _rows(name, merged).filter(pk__in=ids).update(player=kept)
    merged.claims.filter(used_at=None).delete()
    merged.licence, merged.email, merged.user_id, merged.merged_into = "", "", None, kept
    _save(merged, kept)
    why = fitting(tidy(reason), field="reason", limit=300)
    moved = {"rows": rows, "before": before, "set": _state(kept)}
    merge = PlayerMerge.objects.create(kept=kept, merged=merged, moved=moved, reason=why, by=actor.user)
    shown_before = [before[KEPT]["shown_as"], before[MERGED]["shown_as"]]
    strict = any(is_stricter(kept.shown_as, shown) for shown in shown_before)
    renew_names(locked, stricter=[kept.pk] if strict else (), former=[merged.name] if strict else ())
    audit.record(actor=actor, action="merge_players", on=kept, after={"merged": merged.pk}, reason=why)
    return merge


@transaction.atomic
def undo_merge(*, actor: Actor, merge_id: int) -> PlayerMerge:
    """Make two profiles of one again, as they were: each its teams, numbers, account and private values.

    What was changed about the kept one since then stays changed, and what it was given since then stays with it.
    Undoing twice does nothing. Raises NotFound; Conflict `cannot-undo` when one of the two was anonymised or merged
    again, or when somebody else has by now what would have to be given back.
    """
    found = PlayerMerge.objects.filter(pk=merge_id).values_list("kept", "merged").first()
    if found is None:
        raise NotFound
    locked = lock_players(found)
    merge = PlayerMerge.objects.get(pk=merge_id)
    if merge.undone_at is not None:
        return merge
    kept, merged = locked.players[merge.kept_id], locked.players[merge.merged_id]
    if kept.merged_into_id or kept.anonymised_at or merged.anonymised_at or merged.merged_into_id != kept.pk:
        raise _cannot(_("One of the two was merged again or anonymised since then."))
    shown = kept.shown_as
    _give_back(kept, merged, merge.moved)
    for name, ids in merge.moved["rows"].items():
        _rows(name, kept).filter(pk__in=ids).update(player=merged)
    merge.undone_at, merge.undone_by = timezone.now(), actor.user
    merge.save(update_fields=["undone_at", "undone_by"])
    strict = [player for player in (kept, merged) if is_stricter(player.shown_as, shown)]
    former = [kept.name, merged.name] if strict else []
    renew_names(locked, stricter=[player.pk for player in strict], former=former)
    audit.record(actor=actor, action="undo_merge", on=kept, before={"merged": merged.pk})
    return merge


def obstacles(kept: Player, merged: Player) -> Iterable[Obstacle]:
    """All that keeps two profiles from being one person's, worst first."""
    together = _seats_of(kept).filter(partie__in=_seats_of(merged).values("partie")).select_related("partie").first()
    if together is not None:
        partie = together.partie
        message = _("They sat at one table: partie %(number)s of %(championship)s. So they are two people.") % {
            "number": partie.number,
            "championship": partie.championship.name,
        }
        yield Obstacle("sat-together", message, partie.championship.slug)
    with_merged = Championship.objects.filter(_with(merged)).values("pk")
    for championship in Championship.objects.filter(_with(kept), pk__in=with_merged).distinct().order_by("pk")[:1]:
        message = _("Both take part in %(championship)s.") % {"championship": championship.name}
        yield Obstacle("same-championship", message, championship.slug)
    if kept.user_id is not None and merged.user_id is not None:
        yield Obstacle("two-accounts", _("Each of them has an account: one must leave the profile first."))


def _seats_of(player: Player) -> QuerySet[Seat]:
    """Every place at a table that was a player's, whatever became of the partie."""
    return Seat.objects.filter(
        Q(entry__team__members__player=player) | Q(partner__team__members__player=player) | Q(stand_ins__player=player)
    ).distinct()


def _with(player: Player) -> Q:
    return (
        Q(teams__members__player=player)
        | Q(teams__substitutes__player=player)
        | Q(parties__seats__stand_ins__player=player)
    )


def _rows(name: str, player: Player) -> "QuerySet[Any]":
    return _ROWS[name]._default_manager.filter(player=player)  # noqa: SLF001 — Django documents _default_manager


def _state(player: Player) -> audit.State:
    return {name: getattr(player, name) for name in _FIELDS}


def _lay_chosen(kept: Player, merged: Player, choices: Mapping[str, str]) -> None:
    for field in CHOSEN:
        whose = choices.get(field) or (KEPT if getattr(kept, field) else MERGED)
        if whose not in (KEPT, MERGED):
            raise UserFault("unknown-choice", _("Choose one of the list."), field=field)
        if whose == MERGED:
            setattr(kept, field, getattr(merged, field))
    kept.user_id = kept.user_id or merged.user_id
    kept.is_minor = kept.is_minor or merged.is_minor
    kept.shows_club = kept.shows_club and merged.shows_club
    if is_stricter(merged.shown_as, kept.shown_as):
        kept.shown_as = merged.shown_as


def _give_back(kept: Player, merged: Player, moved: Mapping[str, Any]) -> None:
    for field, value in moved["before"][KEPT].items():
        if getattr(kept, field) == moved["set"][field]:
            setattr(kept, field, value)
    for field, value in moved["before"][MERGED].items():
        setattr(merged, field, value)
    if merged.user_id is not None and Player.objects.filter(user=merged.user_id).exclude(pk=kept.pk).exists():
        raise _cannot(_("The account has another profile by now."))
    merged.merged_into = None
    try:
        with transaction.atomic():
            _save(kept, merged)
    except IntegrityError as error:
        raise _cannot(_("Somebody else has the licence number by now.")) from error


def _save(*players: Player) -> None:
    """Save the one that gives something up before the one that takes it."""
    for player in players:
        player.version += 1
        player.save()


def _cannot(message: str) -> Conflict:
    return Conflict("cannot-undo", message)


def choices_to_make(kept: Player, merged: Player) -> Sequence[str]:
    """The fields in which both profiles have something, and not the same."""
    return [
        field
        for field in CHOSEN
        if getattr(kept, field) and getattr(merged, field) and getattr(kept, field) != getattr(merged, field)
    ]
