"""`fields=a,b,c.d`: only some members of an answer.

The names are those of the serializers, nested with dots; below a member whose names are not the API's own (points by
label, values by key) any name may be asked for. A name that there is not is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from league.api.problems import RequestFault

Chosen = dict[str, "Chosen"]
"""The members that were chosen; empty: the whole of it."""

_LONGEST: Final = 1000
_SEVERAL: Final = (serializers.ListField, serializers.ListSerializer)
_OPEN: Final = (serializers.DictField, serializers.JSONField)
_Serializer = type[serializers.Serializer[Any]]


def chosen_fields(request: Request, serializer: _Serializer) -> Chosen:
    """What the request asks for of an answer; empty without `fields`. Raises RequestFault `bad-parameter`."""
    said = request.query_params.get("fields")
    if said is None:
        return {}
    if len(said) > _LONGEST:
        raise _bad(_("At most %(limit)s characters.") % {"limit": _LONGEST})
    chosen: Chosen = {}
    for path in said.split(","):
        parts = path.split(".")
        _check(serializer, parts, path)
        _add(chosen, parts)
    return chosen


def _add(chosen: Chosen, parts: Sequence[str]) -> None:
    """Add a path; where the whole of a member and a part of it are asked for, it is the whole."""
    first, *below = parts
    if first in chosen and not chosen[first]:
        return
    if below:
        _add(chosen.setdefault(first, {}), below)
    else:
        chosen[first] = {}


def _check(serializer: _Serializer, parts: Sequence[str], path: str) -> None:
    members = members_of(serializer)
    for place, part in enumerate(parts):
        if part not in members:
            before = ".".join([*parts[:place], ""])
            known = [f"{before}{name}" for name in members]
            message = _("There is no member “%(name)s”. Known: %(known)s.") % {
                "name": path[:100],
                "known": ", ".join(known),
            }
            raise _bad(message, known)
        below = inner(members[part])
        if isinstance(below, _OPEN):
            return
        members = members_of(type(below)) if isinstance(below, serializers.Serializer) else {}


def _bad(message: str, known: Sequence[str] = ()) -> RequestFault:
    return RequestFault("bad-parameter", message, field="fields", extra={"known": list(known)} if known else None)


@cache
def members_of(serializer: _Serializer) -> Mapping[str, Any]:
    """The fields of a serializer by name."""
    return MappingProxyType(dict(serializer().fields))


def inner(field: Any) -> Any:
    """The field itself, of a list that of its items."""
    while isinstance(field, _SEVERAL):
        field = field.child
    return field


def is_several(field: Any) -> bool:
    """Whether a field is a list."""
    return isinstance(field, _SEVERAL)


def pruned(value: Any, chosen: Chosen) -> Any:
    """Only what was chosen of a value; a list is pruned item by item."""
    if not chosen:
        return value
    if isinstance(value, Mapping):
        return {name: pruned(part, chosen[name]) for name, part in value.items() if name in chosen}
    if isinstance(value, list | tuple):
        return [pruned(part, chosen) for part in value]
    return value


def paths(serializer: _Serializer, chosen: Chosen) -> Iterator[tuple[str, ...]]:
    """The ways to all single values of an answer, chosen ones in the order in which they were asked for."""
    members = members_of(serializer)
    for name in chosen or members:
        below = inner(members[name])
        asked = chosen.get(name, {})
        if isinstance(below, serializers.Serializer):
            yield from ((name, *path) for path in paths(type(below), asked))
        else:
            yield from ((name, *path) for path in _open_paths(asked))


def _open_paths(asked: Chosen) -> Iterator[tuple[str, ...]]:
    """Below a member whose names are not ours: itself, or what was asked for of it."""
    if not asked:
        yield ()
    for name, below in asked.items():
        yield from ((name, *path) for path in _open_paths(below))
