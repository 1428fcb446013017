"""Query parameters: read strictly, since a filter that is misspelt and left aside would answer another question."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from rest_framework.request import Request

from league.api.forms import FORMS, NAMED
from league.api.problems import RequestFault

_MOST = 2**31 - 1
_LONGEST = 200


def integer(request: Request, name: str, *, least: int = 1, most: int = _MOST, or_named: bool = False) -> int | None:
    """A whole number, None if it is left out. `or_named`: an external id would do too. Raises RequestFault."""
    said = request.query_params.get(name)
    if said is None:
        return None
    if said.isascii() and said.isdecimal() and len(said) <= 10 and least <= int(said) <= most:
        return int(said)
    if or_named:
        raise _bad(name, str(FORMS[NAMED].sentence))
    raise _bad(name, _("A whole number from %(least)s to %(most)s is expected.") % {"least": least, "most": most})


def choice(request: Request, name: str, choices: Iterable[str]) -> str | None:
    """One of some words, None if it is left out. Raises RequestFault."""
    said = request.query_params.get(name)
    known = list(choices)
    if said is None or said in known:
        return said
    raise _bad(name, _("One of these is expected: %(choices)s.") % {"choices": ", ".join(known)})


def truth(request: Request, name: str) -> bool | None:
    """`true` or `false`, None if it is left out. Raises RequestFault."""
    said = choice(request, name, ("true", "false"))
    return None if said is None else said == "true"


def text(request: Request, name: str) -> str | None:
    """A text, None if it is left out. Raises RequestFault."""
    said = request.query_params.get(name)
    if said is not None and (len(said) > _LONGEST or not said.isprintable()):
        raise _bad(name, _("At most %(limit)s characters, and none that controls a terminal.") % {"limit": _LONGEST})
    return said


def _bad(name: str, message: str) -> RequestFault:
    return RequestFault("bad-parameter", message, field=name)
