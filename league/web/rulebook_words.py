"""A rulebook in words: every parameter with its value, its tables, and what house rules change (RULES 3, 8 and 12)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from engine.cards import DECK_106
from engine.rulebooks import HOUSE_KEYS, POINT_VALUES, Rulebook, TableShape
from league.web.organiser.house_fields import NAMES, VALUES
from scoring.points import LINES

TITLES: Final = {
    "classique": gettext_lazy("Classique: the play-by-mail club's rules"),
    "moderne": gettext_lazy("Moderne: the rules of the current box"),
    "fournier": gettext_lazy("Fournier: 700 km with an extension"),
    "dujardin-2010": gettext_lazy("Dujardin 2010: Le Jeu du Coup-Fourré"),
}
SUMMARIES: Final = {
    "classique": gettext_lazy(
        "To 1000 km, with the full score table. A green light starts the team and follows every remedy; on an empty "
        "draw pile a safety gives no second go."
    ),
    "moderne": gettext_lazy(
        "To 1000 km, without points: a manche has a winner. No green light is needed to start or after a remedy."
    ),
    "fournier": gettext_lazy(
        "To 700 km at the small tables, where the winner may call an extension to 1000 km. Parties go to 5000 points."
    ),
    "dujardin-2010": gettext_lazy(
        "To 1000 km. A manche can end blocked, and whoever has most kilometres then wins; its own score table."
    ),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its code, its name, the value in words, and whether house rules changed it."""

    code: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class PaidLine:
    """A score line: code, name, for what it is paid, and how much (empty: a point a kilometre)."""

    code: str
    name: str
    rule: str
    points: int | None


@dataclass(frozen=True, slots=True)
class TableInWords:
    """A table of a rulebook: who sits at it, how many cards, which targets in km, and the extension's."""

    players: str
    cards: int
    deck: str
    targets: str
    extended: int | None


def value_in_words(key: str, value: Any) -> str:
    """A parameter's value."""
    if isinstance(value, bool):
        return pgettext("a rule applies", "yes") if value else pgettext("a rule applies", "no")
    return str(VALUES[value]) if value in VALUES else str(value)


def parameters(rulebook: Rulebook) -> list[Parameter]:
    """The parameters that are no points, in the order of RULES 12."""
    keys = [key for key in HOUSE_KEYS if key not in POINT_VALUES and (rulebook.has_points or key != "capot_to")]
    return [Parameter(key, str(NAMES[key]), value_in_words(key, getattr(rulebook, key))) for key in keys]


def paid_lines(rulebook: Rulebook) -> list[PaidLine]:
    """The score lines that are worth something, in the order of RULES 8."""
    if not rulebook.has_points:
        return []
    return [
        PaidLine(line.code, _(line.name), _(line.rule), getattr(rulebook, line.parameter) if line.parameter else None)
        for line in LINES
        if line.parameter is None or getattr(rulebook, line.parameter)
    ]


def tables(rulebook: Rulebook) -> list[TableInWords]:
    """The tables, in the order of RULES 3."""
    return [_table(shape) for shape in rulebook.tables]


def table_name(teams: int, players: int) -> str:
    """Who sits at a table."""
    if players == 1:
        return _("%(teams)s players, each for oneself") % {"teams": teams}
    return _("%(teams)s teams of %(players)s") % {"teams": teams, "players": players}


def _table(shape: TableShape) -> TableInWords:
    deck = _("the full deck") if shape.deck == DECK_106 else _("one of each hazard taken out")
    targets = _(" or ").join(str(target) for target in shape.targets)
    return TableInWords(table_name(shape.teams, shape.players), sum(shape.deck.values()), deck, targets, shape.extended)


def house_in_words(rulebook: Rulebook, house: Mapping[str, Any]) -> list[Parameter]:
    """What house rules change, in the order of RULES 12."""
    laid = rulebook.with_house(house)
    return [
        Parameter(key, str(NAMES[key]), value_in_words(key, getattr(laid, key)))
        for key in HOUSE_KEYS
        if getattr(laid, key) != getattr(rulebook, key)
    ]
