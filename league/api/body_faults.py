"""All that is wrong with the form of a JSON body, in the reader's language, each fault at its place.

msgspec reads bodies and stops at the first fault. Only then the body is walked here against the same types, so that
its sender learns of every fault at once. The codes of the faults are API: stable.
"""

import difflib
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Annotated, Any, Final

import msgspec
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import inspect

from engine.notation import FormatError, decode_json
from league.api.forms import FORMS, OWN_ID_FAULT
from league.api.problems import RequestFault
from league.errors import UserFault
from league.wording import sentence
from scoring.ranking_shapes import path

At = tuple[str | int, ...]
"""A way into a body: names of members and places in lists, from 0."""

MOST_TOLD = 100
"""So many faults of one body are told at once; whoever has more has misread what is asked for."""

_Moment = Annotated[datetime, msgspec.Meta(tz=True)]
_NUMBERS: Final = (inspect.IntType, inspect.FloatType)
_LISTS: Final = (inspect.ListType, inspect.VarTupleType)
_OBJECTS: Final = (inspect.StructType, inspect.DictType)
_FREE: Final = (inspect.AnyType, inspect.RawType)

_WORDS: Final[Mapping[type[inspect.Type], Promise]] = {
    inspect.AnyType: gettext_lazy("a value"),
    inspect.RawType: gettext_lazy("a value"),
    inspect.NoneType: gettext_lazy("null"),
    inspect.BoolType: gettext_lazy("true or false"),
    inspect.IntType: gettext_lazy("a whole number"),
    inspect.FloatType: gettext_lazy("a number"),
    inspect.StrType: gettext_lazy("a text"),
    inspect.LiteralType: gettext_lazy("a text"),
    inspect.DateTimeType: gettext_lazy("a text"),
    inspect.ListType: gettext_lazy("a list"),
    inspect.VarTupleType: gettext_lazy("a list"),
    inspect.StructType: gettext_lazy("an object"),
    inspect.DictType: gettext_lazy("an object"),
}
_WORD_OF_SAID: Final[Mapping[type, type[inspect.Type]]] = {
    type(None): inspect.NoneType,
    bool: inspect.BoolType,
    int: inspect.IntType,
    float: inspect.FloatType,
    str: inspect.StrType,
    list: inspect.ListType,
    dict: inspect.DictType,
}

_MOST_KNOWN: Final = 8  # so many members are listed for who knows none of them
_MOST_DIGITS: Final = 308  # a longer number is beyond all floats


class BadBody(UserFault):
    """A body whose members are not those that are asked for: code `bad-field`, with every fault in `faults`."""

    def __init__(self, faults: Sequence[UserFault]) -> None:
        first = faults[0]
        message = first.message
        if first.field:
            message = _("%(field)s: %(fault)s") % {"field": first.field, "fault": message}
        super().__init__("bad-field", message, field=first.field)
        self._faults = tuple(faults)

    @property
    def faults(self) -> Sequence[UserFault]:
        """Each fault: `missing`, `unknown-member`, `wrong-type`, `unknown-choice`, `out-of-range` …"""
        return self._faults


def body_fault(text: bytes, kind: Any, error: Exception) -> UserFault:
    """What is wrong with bytes that msgspec refused, with this error, to read as JSON of this type.

    A BadBody, or RequestFault 400 `malformed-body`; `line` and `column`, from 1, say where they are no JSON any more.
    """
    if isinstance(error, RecursionError):
        return RequestFault("malformed-body", _("This JSON is nested too deep."))
    if not isinstance(error, msgspec.ValidationError):
        said_place = re.search(r"\(byte ([0-9]+)\)", str(error))
        return _no_json(text[: int(said_place[1])] if said_place else _readable(text))
    try:
        said = json.loads(text.decode(), parse_int=_whole, object_pairs_hook=_members)
    except _TwinsError:
        return ambiguity(text) or RequestFault("malformed-body", _("The body has not the form that is needed here."))
    except UnicodeDecodeError:
        return _no_json(_readable(text))
    except json.JSONDecodeError as refused:
        return _no_json(refused.doc[: refused.pos].encode())
    except RecursionError as refused:
        return body_fault(text, kind, refused)
    faults = list(islice(_faults(said, _type_of(kind), ()), MOST_TOLD))
    if len(faults) == 1 and faults[0].code == OWN_ID_FAULT:
        return faults[0]  # by its own code, which it has elsewhere too
    return BadBody(faults or [UserFault("wrong-type", _("The body has not the form that is needed here."))])


class _TwinsError(Exception):
    """A member stands twice in one object."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _TwinsError
    return members


def ambiguity(text: bytes) -> RequestFault | None:
    """The fault of JSON that programs read differently, as a member that stands twice in one object; None without one.

    For text that msgspec read: it takes the last of such members, without a word.
    """
    try:
        decode_json(text.decode())
    except FormatError as error:
        where = {"line": error.line, "column": error.column}
        message = _("At line %(line)s, column %(column)s: %(why)s.")
        return RequestFault(
            "malformed-body", message % {**where, "why": sentence(error.detail.as_param())}, extra=where
        )
    return None


def _no_json(before: bytes) -> RequestFault:
    """The fault of what stops being JSON after these bytes."""
    characters = before.decode(errors="replace")
    where = {"line": characters.count("\n") + 1, "column": len(characters) - characters.rfind("\n")}
    message = _("This is no JSON any more at line %(line)s, column %(column)s.") % where
    return RequestFault("malformed-body", message, extra=where)


def _readable(text: bytes) -> bytes:
    """What comes before the first byte that is not UTF-8; everything if there is none."""
    try:
        text.decode()
    except UnicodeDecodeError as unreadable:
        return text[: unreadable.start]
    return text


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


@cache
def _type_of(kind: Any) -> inspect.Type:
    return inspect.type_info(kind)


def _faults(said: Any, kind: inspect.Type, at: At) -> Iterator[UserFault]:
    """All faults of a value, in the order of the members that are asked for; then those that there are not."""
    options = list(_options(kind))
    fitting = [one for one in options if _is_kind(said, one)]
    if not fitting:
        message = _("Give %(kinds)s, not %(said)s.")
        words = {"kinds": _kinds(options), "said": _WORDS[_WORD_OF_SAID[type(said)]]}
        yield _fault("wrong-type", message % words, at)
        return
    checks = [_CHECKS[type(one)](said, one, at) for one in fitting if type(one) in _CHECKS]
    if len(checks) < len(fitting):
        return  # one of them takes anything
    if len(checks) == 1:
        yield from checks[0]  # not collected: nobody wants to know of a hundred thousand
    else:
        yield from min((list(islice(one, MOST_TOLD)) for one in checks), key=len)


def _options(kind: inspect.Type) -> Iterator[inspect.Type]:
    """What a value may be, one by one."""
    if isinstance(kind, inspect.Metadata):
        yield from _options(kind.type)
    elif isinstance(kind, inspect.UnionType):
        for one in kind.types:
            yield from _options(one)
    else:
        yield kind


def _is_kind(said: Any, kind: inspect.Type) -> bool:
    match said:
        case None:
            return isinstance(kind, (*_FREE, inspect.NoneType))
        case bool():
            return isinstance(kind, (*_FREE, inspect.BoolType))
        case int():
            return isinstance(kind, (*_FREE, *_NUMBERS))
        case float():
            return isinstance(kind, (*_FREE, inspect.FloatType))
        case str():
            return isinstance(kind, (*_FREE, inspect.StrType, inspect.LiteralType, inspect.DateTimeType))
        case list():
            return isinstance(kind, (*_FREE, *_LISTS))
        case _:
            return isinstance(kind, (*_FREE, *_OBJECTS))


def _kinds(options: Sequence[inspect.Type]) -> str:
    words = list(dict.fromkeys(str(_WORDS[type(one)]) for one in options))
    text = words[0]
    for word in words[1:]:
        text = _("%(one)s or %(other)s") % {"one": text, "other": word}
    return text


def _fault(code: str, message: str, at: At) -> UserFault:
    return UserFault(code, message, field=path(at))


# ---- What is of the right kind, and may be wrong all the same --------------------------------------------------------


def _of_struct(said: dict[str, Any], kind: inspect.StructType, at: At) -> Iterator[UserFault]:
    known = {one.encode_name: one for one in kind.fields}
    for name, member in known.items():
        if name in said:
            yield from _faults(said[name], member.type, (*at, name))
        elif member.required:
            message = _("This is missing: give %(kinds)s.") % {"kinds": _kinds(list(_options(member.type)))}
            yield _fault("missing", message, (*at, name))
    for name in said:
        if name not in known:
            yield _fault("unknown-member", _unknown(name, list(known)), (*at, name))


def _unknown(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name[:100], known, 1)
    if near:
        return _("There is no such member here. Do you mean “%(name)s”?") % {"name": near[0]}
    if known and len(known) <= _MOST_KNOWN:
        return _("There is no such member here. Known: %(known)s.") % {"known": ", ".join(known)}
    return _("There is no such member here.")


def _of_dict(said: dict[str, Any], kind: inspect.DictType, at: At) -> Iterator[UserFault]:
    for name, value in said.items():
        yield from _faults(value, kind.value_type, (*at, name))


def _of_list(said: list[Any], kind: inspect.ListType | inspect.VarTupleType, at: At) -> Iterator[UserFault]:
    least, most = kind.min_length, kind.max_length
    if (least is not None and len(said) < least) or (most is not None and len(said) > most):
        if most is None:
            message = _("Give at least %(least)s of them.") % {"least": least}
        elif not least:
            message = _("Give at most %(most)s of them.") % {"most": most}
        else:
            message = _("Give %(least)s to %(most)s of them.") % {"least": least, "most": most}
        yield _fault("wrong-count", message, at)
        return  # its items may be ten thousands
    for place, value in enumerate(said):
        yield from _faults(value, kind.item_type, (*at, place))


def _of_number(said: float, kind: inspect.IntType | inspect.FloatType, at: At) -> Iterator[UserFault]:
    least, most = kind.ge, kind.le
    if math.isinf(said):
        yield _fault("out-of-range", _("No number can be so large."), at)
    elif (least is not None and said < least) or (most is not None and said > most):
        if most is None:
            message = _("Give a number from %(least)s on.") % {"least": least}
        elif least is None:
            message = _("Give a number up to %(most)s.") % {"most": most}
        else:
            message = _("Give a number from %(least)s to %(most)s.") % {"least": least, "most": most}
        yield _fault("out-of-range", message, at)


def _of_text(said: str, kind: inspect.StrType, at: At) -> Iterator[UserFault]:
    if kind.min_length is not None and len(said) < kind.min_length:
        yield _fault("required", _("Fill this in."), at)
    elif kind.max_length is not None and len(said) > kind.max_length:
        yield _fault("too-long", _("At most %(limit)s characters, please.") % {"limit": kind.max_length}, at)
    elif kind.pattern is not None and re.search(kind.pattern, said) is None:
        form = FORMS.get(kind.pattern)
        message = _("This has not the form that is needed here: %(pattern)s") % {"pattern": kind.pattern}
        yield _fault("bad-form", message, at) if form is None else _fault(form.code, str(form.sentence), at)


def _of_choice(said: str, kind: inspect.LiteralType, at: At) -> Iterator[UserFault]:
    if said not in kind.values:
        message = _("Give one of these: %(choices)s.") % {"choices": ", ".join(map(str, kind.values))}
        yield _fault("unknown-choice", message, at)


def _of_moment(said: str, _kind: inspect.DateTimeType, at: At) -> Iterator[UserFault]:
    try:
        msgspec.convert(said, _Moment)
    except msgspec.ValidationError:
        message = _("Give a day and a time with its offset, as in %(example)s.")
        yield _fault("bad-form", message % {"example": "2026-05-03T14:00:00+02:00"}, at)


def _of_nothing(_said: Any, _kind: inspect.Type, _at: At) -> Iterator[UserFault]:
    yield from ()


_CHECKS: Final[Mapping[type[inspect.Type], Callable[[Any, Any, At], Iterator[UserFault]]]] = {
    inspect.NoneType: _of_nothing,
    inspect.BoolType: _of_nothing,
    inspect.IntType: _of_number,
    inspect.FloatType: _of_number,
    inspect.StrType: _of_text,
    inspect.LiteralType: _of_choice,
    inspect.DateTimeType: _of_moment,
    inspect.ListType: _of_list,
    inspect.VarTupleType: _of_list,
    inspect.StructType: _of_struct,
    inspect.DictType: _of_dict,
}
