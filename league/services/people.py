"""Clubs and players."""

from collections.abc import Mapping
from itertools import chain, count
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, UserFault, all_of
from league.models import Club, Player
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.people import similar_players
from league.services import audit
from league.services.locks import check_version
from league.services.texts import asked_email, asked_name, fitting

_SHOWN = ("name", "club_id", "licence")
_TURNS = 3


@transaction.atomic
def add_club(*, actor: Actor, name: str) -> Club:
    """Make a club. Raises Conflict `club-exists` when one has this name, accents and case aside."""
    shown = asked_name(name)
    club = _save_club(Club(name=shown, name_folded=fold(shown)))
    audit.record(actor=actor, action="add_club", on=club, after=audit.state(club, ("name", "slug")))
    return club


def _save_club(club: Club) -> Club:
    """Save a new club under the first address that is free; another one may take it at the same moment."""
    for _turn in range(_TURNS):
        club.slug = _free_slug(club.name_folded)
        try:
            with transaction.atomic():
                club.save(force_insert=True)
        except IntegrityError as error:
            twin = Club.objects.filter(name_folded=club.name_folded).first()
            if twin is None:
                continue
            message = _("There is a club of this name already: %(name)s.") % {"name": twin.name}
            raise Conflict("club-exists", message, field="name", extra={"club": twin.pk}) from error
        return club
    raise Conflict("club-exists", _("Other clubs are made at this moment: try again."), field="name")


def _free_slug(folded: str) -> str:
    """The address of a club: its name in plain letters, numbered where that is taken."""
    plain = slugify(folded)[:50].strip("-") or "club"
    taken = set(Club.objects.filter(slug__startswith=plain).values_list("slug", flat=True))
    numbered = (f"{plain}-{number}" for number in count(2))
    return next(slug for slug in chain([plain], numbered) if slug not in taken)


@transaction.atomic
def add_player(
    *, actor: Actor, name: str, club_id: int | None = None, licence: str = "", email: str = "", homonym: bool = False
) -> Player:
    """Make a player. `email` stays private.

    Unless the caller says that a `homonym` is meant, near-duplicates are told before one is made: Conflict
    `similar-players`, whose extra lists them. Raises Conflict `licence-taken`, Faults.
    """
    player = Player(created_by=actor.user)
    all_of(_lay(player, {"name": name, "club_id": club_id, "licence": licence, "email": email}))
    near = [] if homonym else similar_players(name=player.name)
    if near:
        raise Conflict(
            "similar-players",
            _("Somebody has nearly this name already: is it the same person?"),
            field="name",
            extra={"players": [{"id": other.id, "name": other.name, "club": other.club} for other in near]},
        )
    _save(player)
    audit.record(actor=actor, action="add_player", on=player, after=_state(player))
    return player


@transaction.atomic
def change_player(*, actor: Actor, player_id: int, version: int | None, changes: Mapping[str, Any]) -> Player:
    """Change a player's `name`, `club_id`, `licence` or `email`. Raises NotFound, Stale, Conflict, Faults."""
    player = Player.objects.select_for_update().filter(pk=player_id).first()
    if player is None:
        raise NotFound
    check_version(player, version)
    before, email_before = _state(player), player.email
    all_of(_lay(player, changes))
    was, now = audit.changes(before, _state(player))
    if player.email != email_before:
        was["email"], now["email"] = "private", "changed"
    if not now:
        return player
    player.version += 1
    _save(player)
    audit.record(actor=actor, action="change_player", on=player, before=was, after=now)
    return player


def _lay(player: Player, values: Mapping[str, Any]) -> list[UserFault]:
    faults: list[UserFault] = []
    for field, value in values.items():
        try:
            _lay_one(player, field, value)
        except UserFault as fault:
            faults.append(fault)
    return faults


def _lay_one(player: Player, field: str, value: Any) -> None:
    if field == "name":
        player.name = asked_name(value)
        player.name_folded = fold(player.name)
    elif field == "club_id":
        if value is not None and not Club.objects.filter(pk=value).exists():
            raise UserFault("unknown-club", _("There is no such club."), field="club_id")
        player.club_id = value
    elif field == "licence":
        player.licence = fitting("".join(tidy(value).split()).upper(), field="licence", limit=30)
    elif field == "email":
        email = value.strip()
        player.email = asked_email(email) if email else ""
    else:
        raise ValueError(f"a player has no {field}")


def _save(player: Player) -> None:
    try:
        with transaction.atomic():
            player.save()
    except IntegrityError as error:
        holder = Player.objects.filter(licence=player.licence).exclude(licence="").exclude(pk=player.pk).first()
        if holder is None:
            raise
        message = _("%(name)s has this licence number.") % {"name": holder.name}
        raise Conflict("licence-taken", message, field="licence", extra={"player": holder.pk}) from error


def _state(player: Player) -> audit.State:
    return audit.state(player, _SHOWN)
