"""What the audit keeps of a row, in words: the model's own names of its fields and of what they hold."""

from collections.abc import Mapping
from typing import Any, Final

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.wording import key_name

OTHER_NAMES: Final = {
    "absent": gettext_lazy("absent"),
    "anonymised": gettext_lazy("name taken away"),
    "answers": gettext_lazy("answers"),
    "by": gettext_lazy("by"),
    "byes": gettext_lazy("byes"),
    "championship": gettext_lazy("championship"),
    "claimed": gettext_lazy("taken over by its player"),
    "down": gettext_lazy("further down"),
    "entered": gettext_lazy("entered"),
    "entries": gettext_lazy("entries"),
    "entry": gettext_lazy("entry"),
    "file": gettext_lazy("file"),
    "forfeited": gettext_lazy("forfeited by entry"),
    "kept": gettext_lazy("tables kept"),
    "level": gettext_lazy("level at the limit"),
    "made": gettext_lazy("players made"),
    "manche": gettext_lazy("manche"),
    "merged": gettext_lazy("profile merged"),
    "message_id": gettext_lazy("message"),
    "owns": gettext_lazy("owner of"),
    "partie": gettext_lazy("partie"),
    "parties": gettext_lazy("parties"),
    "player": gettext_lazy("player"),
    "players": gettext_lazy("players"),
    "points": gettext_lazy("points"),
    "postponed": gettext_lazy("postponed"),
    "reason": gettext_lazy("reason"),
    "role": gettext_lazy("role"),
    "round": gettext_lazy("round"),
    "seat": gettext_lazy("seat"),
    "seats": gettext_lazy("seats"),
    "seed": gettext_lazy("seed"),
    "sha256": gettext_lazy("digest (SHA-256)"),
    "system": gettext_lazy("system"),
    "table": gettext_lazy("table"),
    "tables": gettext_lazy("tables"),
    "team": gettext_lazy("team"),
    "text": gettext_lazy("text"),
    "version": gettext_lazy("version"),
    "void": gettext_lazy("annulled"),
    "withdrawn": gettext_lazy("withdrawn"),
}
"""What services write down besides fields of the row."""

_RANKING_KEYS: Final = ("primary", "tie_breaks")


def details(object_type: str, state: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Names and values of a state of the audit; a name that is not known is shown as it is kept."""
    return [_detail(object_type, name, value) for name, value in (state or {}).items()]


def _detail(object_type: str, name: str, value: Any) -> tuple[str, str]:
    try:
        field = apps.get_model("league", object_type)._meta.get_field(name)  # noqa: SLF001 — Django documents _meta
    except (LookupError, FieldDoesNotExist):
        return str(OTHER_NAMES.get(name, name)), _value(value)
    if not isinstance(field, models.Field) or field.many_to_many:
        return str(OTHER_NAMES.get(name, name)), _value(value)
    if name in _RANKING_KEYS and value:
        value = [key_name(key) for key in ([value] if isinstance(value, str) else value)]
    elif isinstance(field, models.DateTimeField) and value and (moment := parse_datetime(str(value))):
        value = date_format(localtime(moment), "SHORT_DATETIME_FORMAT")
    elif field.choices:
        value = dict(field.flatchoices).get(value, value)
    return str(field.verbose_name), _value(value)


def _value(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(_value, value))
    if isinstance(value, dict):
        return ", ".join(_("%(name)s: %(value)s") % {"name": name, "value": _value(one)} for name, one in value.items())
    return str(value)
