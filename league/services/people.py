"""Clubs and players."""

from collections.abc import Mapping
from itertools import chain, count
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.errors import Conflict, NotFound, Stale, UserFault, all_of
from league.models import Club, Player, ShownAs
from league.names import fold, tidy
from league.policy import Actor
from league.selectors.people import similar_players
from league.services import audit
from league.services.locks import Locked, check_version, lock_club, lock_player_rows, lock_players
from league.services.privacy import renew_names
from league.services.texts import asked_email, asked_name, fitting
from league.shown_names import is_stricter

_SHOWN = ("name", "club_id", "licence", "is_minor", "shown_as", "shows_club")
_PUBLIC = frozenset({"name", "is_minor", "shown_as"})
_TURNS = 3


@transaction.atomic
def add_club(*, actor: Actor, name: str) -> Club:
    """Make a club. Raises Conflict `club-exists` when one has this name, accents and case aside."""
    shown = asked_name(name)
    club = _save_club(Club(name=shown, name_folded=fold(shown)))
    audit.record(actor=actor, action="add_club", on=club, after=audit.state(club, ("name", "slug")))
    return club


def club_called(*, actor: Actor, name: str) -> Club:
    """The club of this name, accents and case aside, made if there is none. Raises what `add_club` raises."""
    found = Club.objects.filter(name_folded=fold(tidy(name))).first() if fold(name) else None
    return found or add_club(actor=actor, name=name)


@transaction.atomic
def rename_club(*, actor: Actor, club_id: int, name: str) -> Club:
    """Give a club another name; its address stays. Raises NotFound, Conflict `club-exists`."""
    club = lock_club(pk=club_id)
    shown, before = asked_name(name), club.name
    if shown == before:
        return club
    club.name, club.name_folded = shown, fold(shown)
    try:
        with transaction.atomic():
            club.save(update_fields=["name", "name_folded"])
    except IntegrityError as error:
        raise _club_exists(Club.objects.get(name_folded=club.name_folded)) from error
    audit.record(actor=actor, action="rename_club", on=club, before={"name": before}, after={"name": shown})
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
            raise _club_exists(twin) from error
        return club
    raise Conflict("club-exists", _("Other clubs are made at this moment: try again."), field="name")


def _club_exists(twin: Club) -> Conflict:
    message = _("There is a club of this name already: %(name)s.") % {"name": twin.name}
    return Conflict("club-exists", message, field="name", extra={"club": twin.pk})


def _free_slug(folded: str) -> str:
    """The address of a club: its name in plain letters, numbered where that is taken."""
    plain = slugify(folded)[:50].strip("-") or "club"
    taken = set(Club.objects.filter(slug__startswith=plain).values_list("slug", flat=True))
    numbered = (f"{plain}-{number}" for number in count(2))
    return next(slug for slug in chain([plain], numbered) if slug not in taken)


@transaction.atomic
def add_player(
    *,
    actor: Actor,
    name: str,
    club_id: int | None = None,
    licence: str = "",
    email: str = "",
    is_minor: bool = False,
    shown_as: str | None = None,
    shows_club: bool | None = None,
    homonym: bool = False,
) -> Player:
    """Make a player. `email` stays private; a minor is hidden unless it is said how they are shown.

    Unless the caller says that a `homonym` is meant, near-duplicates are told before one is made: Conflict
    `similar-players`, whose extra lists them. Raises Conflict `licence-taken`, Faults.
    """
    player = Player(created_by=actor.user)
    shown: dict[str, Any] = {"shown_as": shown_as or (ShownAs.HIDDEN if is_minor else ShownAs.NAME)}
    shown |= {"shows_club": not is_minor if shows_club is None else shows_club, "is_minor": is_minor}
    all_of(_lay(player, {"name": name, "club_id": club_id, "licence": licence, "email": email, **shown}))
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
    """Change a player's `name`, `club_id`, `licence`, `email`, `is_minor`, `shown_as` or `shows_club`.

    Who is noted as a minor is hidden from then on, unless the same change says how they are shown. What everybody reads
    follows (`privacy`). Raises NotFound, Stale, Faults; Conflict `licence-taken`, `profile-gone` for a profile that was
    merged into another one or anonymised.
    """
    locked = _locked_for(player_id, changes)
    player = locked.players[player_id]
    require_living(player)
    check_version(player, version)
    before, email_before, shown_before = _state(player), player.email, player.shown_as
    all_of(_lay(player, changes))
    if player.is_minor and not before["is_minor"]:
        _hide_unless_said(player, before)
    was, now = audit.changes(before, _state(player))
    if player.email != email_before:
        was["email"], now["email"] = "private", "changed"
    if not now:
        return player
    player.version += 1
    _save(player)
    if _PUBLIC & now.keys():
        strict = is_stricter(player.shown_as, shown_before)
        renew_names(locked, stricter=[player.pk] if strict else (), former=[before["name"]] if strict else ())
    audit.record(actor=actor, action="change_player", on=player, before=was, after=now)
    return player


def require_living(player: Player) -> None:
    """Raise Conflict `profile-gone` for a profile that was merged into another one, or anonymised."""
    if player.merged_into_id is not None:
        message = _("This profile was merged into another one: change that one.")
        raise Conflict("profile-gone", message, extra={"player": player.merged_into_id})
    if player.anonymised_at is not None:
        raise Conflict("profile-gone", _("This profile was anonymised: there is nobody to change any more."))


def _locked_for(player_id: int, changes: Mapping[str, Any]) -> Locked:
    """The player, with every championship where something is read otherwise after these changes."""
    present = Player.objects.filter(pk=player_id).values(*_PUBLIC).first()
    if present is None:
        raise NotFound
    if any(changes.get(name, present[name]) != present[name] for name in _PUBLIC):
        return lock_players([player_id])
    rows = lock_player_rows([player_id])
    if any(changes.get(name, value) != value for name, value in audit.state(rows[player_id], _PUBLIC).items()):
        raise Stale(rows[player_id].version)  # changed at this very moment
    return Locked(rows, {})


def _hide_unless_said(player: Player, before: audit.State) -> None:
    if player.shown_as == before["shown_as"]:
        player.shown_as = ShownAs.HIDDEN
    if player.shows_club == before["shows_club"]:
        player.shows_club = False


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
    elif field == "shown_as":
        if value not in ShownAs.values:
            raise UserFault("unknown-choice", _("Choose one of the list."), field="shown_as")
        player.shown_as = value
    elif field in ("is_minor", "shows_club"):
        setattr(player, field, bool(value))
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
