"""A person's name taken away for good, while the results stay. It cannot be undone.

The neutral name stands wherever the name stood: with the teams that follow it, in frozen rows, in the audit, in reasons
that people wrote, in lists that were read. Documents that were handed in are kept as they came (docs/decisions.md).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from django.apps import apps
from django.db import transaction
from django.db.models import Model, Q, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from league.models import AuditEntry, Entry, Player, PlayerMerge, Registration, ShownAs
from league.names import fold
from league.policy import Actor
from league.services import audit
from league.services.locks import lock_players
from league.services.people import require_living
from league.services.privacy import renew_names
from league.shown_names import neutral_name

TEXTS: Final = {
    "AuditEntry": ("reason",),
    "Delivery": ("body",),
    "Entry": ("penalty_reason",),
    "Manche": ("void_reason",),
    "Partie": ("reason", "postponed_reason"),
    "PlayerMerge": ("reason",),
    "PublishedRanking": ("note", "label"),
    "Registration": ("team_name", "note", "reason"),
    "Result": ("reason", "settled_reason"),
    "ResultEvent": ("reason",),
    "ResultScore": ("penalty_reason",),
    "Seat": ("forfeit_reason",),
    "StandIn": ("reason",),
    "Dispute": ("decision",),
    "DisputeMessage": ("text",),
}
"""Columns into which people write, by model."""
JSON: Final = {
    "AuditEntry": ("before", "after"),
    "BatchItem": ("answer",),
    "IdempotencyRecord": ("answer",),
    "ListImport": ("lines", "decisions", "outcome"),
    "PublishedRanking": ("causes",),
    "Registration": ("players",),
}
"""Columns of JSON in which people stand, by model."""

_PRIVATE = ("licence", "club_id", "email")


@transaction.atomic
def anonymise(*, actor: Actor, player_id: int, reason: str = "") -> Player:
    """Replace a player's name by a neutral one everywhere, and forget the rest: address, licence, numbers, account.

    Profiles that were merged into it go with it. Done already, it does nothing. Raises NotFound; Conflict
    `profile-gone` for a profile that was merged into another one: that one is meant.
    """
    ids = _one_person(player_id)
    locked = lock_players(ids)
    player = locked.players[player_id]
    if player.anonymised_at is not None:
        return player
    require_living(player)
    people = list(locked.players.values())
    said = {name: neutral_name(person.pk) for person in people for name in _names_of(person)}
    private = {value for person in people for value in (person.licence, person.email) if value}
    private |= {number.number for person in people for number in person.numbers.all()}
    for person in people:
        _forget(person)
    PlayerMerge.objects.filter(Q(kept__in=ids) | Q(merged__in=ids)).update(moved={})
    renew_names(locked, stricter=ids, former=list(said))
    _forget_registrations(ids, said)
    _cleanse(_nobody_elses(said, ids), private)
    _cleanse_own_audit(ids, said)
    audit.record(actor=actor, action="anonymise", on=player, after={"anonymised": True}, reason=reason)
    return Player.objects.get(pk=player_id)


def _one_person(player_id: int) -> list[int]:
    """The profile with those that were merged into it, one after the other."""
    found, new = [player_id], [player_id]
    while new:
        new = list(Player.objects.filter(merged_into__in=new).exclude(pk__in=found).values_list("pk", flat=True))
        found += new
    return found


def _names_of(player: Player) -> set[str]:
    """Every name that a profile had, as the audit tells."""
    names = {player.name}
    entries = AuditEntry.objects.filter(object_type="player", object_id=player.pk)
    for before, after in entries.values_list("before", "after"):
        names |= {state["name"] for state in (before, after) if state and state.get("name")}
    return names - {neutral_name(player.pk)}


def _nobody_elses(said: Mapping[str, str], ids: Sequence[int]) -> dict[str, str]:
    """The names that no other profile has: where two people have one name, a text may speak of the other one."""
    others = Player.objects.filter(name_folded__in={fold(name) for name in said}).exclude(pk__in=ids)
    taken = set(others.values_list("name_folded", flat=True))
    return {name: neutral for name, neutral in said.items() if fold(name) not in taken}


def _forget(player: Player) -> None:
    player.name = neutral_name(player.pk)
    player.name_folded = fold(player.name)
    player.club = player.user = None
    player.licence = player.email = ""
    player.is_minor, player.shown_as, player.shows_club = False, ShownAs.HIDDEN, False
    player.anonymised_at, player.version = timezone.now(), player.version + 1
    player.save()
    player.numbers.all().delete()
    player.claims.all().delete()
    player.substitute_of.all().delete()


def _forget_registrations(ids: Sequence[int], said: Mapping[str, str]) -> None:
    """What was typed to register is forgotten for each player of these names in the entries concerned."""
    entries = Entry.objects.filter(team__members__player__in=ids)
    folded = {fold(name): neutral for name, neutral in said.items()}
    for registration in Registration.objects.filter(entry__in=entries):
        registration.players = [
            {"name": folded[fold(typed.get("name", ""))]} if fold(typed.get("name", "")) in folded else typed
            for typed in registration.players
        ]
        registration.save(update_fields=["players"])


def _cleanse(said: Mapping[str, str], private: Iterable[str]) -> None:
    """Put the neutral names into all that people and services wrote, and nothing in the place of private values."""
    names = _pattern(said)
    neutral = {name.casefold(): new for name, new in said.items()}
    alone = dict.fromkeys(private, "")

    def cleansed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cleansed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [cleansed(item) for item in value]
        if not isinstance(value, str):
            return value
        if value.startswith('{"'):  # an answer that is remembered as it was sent
            return _within(value, cleansed)
        return alone.get(value, names.sub(lambda found: neutral[found[0].casefold()], value))

    for model, columns in TEXTS.items():
        for column in columns:
            _renew(model, column, said, cleansed)
    for model, columns in JSON.items():
        for column in columns:
            _renew(model, column, [*said, *alone], cleansed, is_json=True)


def _within(text: str, cleansed: Any) -> str:
    """A text of JSON with all its values cleansed; one that is none as it is."""
    try:
        return json.dumps(cleansed(json.loads(text)), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return text


def _renew(model: str, column: str, wanted: Iterable[str], cleansed: Any, *, is_json: bool = False) -> None:
    row_type: type[Model] = apps.get_model("league", model)
    limit = getattr(row_type._meta.get_field(column), "max_length", None)  # noqa: SLF001 — Django documents _meta
    holds = Q()
    for text in wanted:
        holds |= Q(as_text__icontains=_as_kept(text) if is_json else text)
    rows = row_type._default_manager.annotate(as_text=Cast(column, TextField())).filter(holds)  # noqa: SLF001
    for pk, value in rows.values_list("pk", column).iterator():
        new = cleansed(value)
        if new != value:
            fitted = new[:limit] if limit and isinstance(new, str) else new
            row_type._default_manager.filter(pk=pk).update(**{column: fitted})  # noqa: SLF001


def _as_kept(text: str) -> str:
    """How a text stands inside a column of JSON (`KeptJSON`)."""
    return json.dumps(text)[1:-1]


def _pattern(said: Mapping[str, str]) -> "re.Pattern[str]":
    """The names as whole words, the longest first."""
    longest = sorted(said, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest) or r"(?!)", re.IGNORECASE)


def _cleanse_own_audit(ids: Sequence[int], said: Mapping[str, str]) -> None:
    """The audit of the profiles themselves keeps that something changed, not what it was."""
    for entry in AuditEntry.objects.filter(object_type="player", object_id__in=ids):
        neutral = neutral_name(entry.object_id)
        for side in ("before", "after"):
            state = getattr(entry, side)
            if state:
                kept = {name: None if name in _PRIVATE else value for name, value in state.items()}
                setattr(entry, side, kept | ({"name": neutral} if "name" in kept else {}))
        AuditEntry.objects.filter(pk=entry.pk).update(before=entry.before, after=entry.after)
