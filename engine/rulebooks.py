"""The four rulebooks as values, and house rules laid over them (RULES 3, 8 and 12).

A rulebook is data: nothing outside this file asks for a rulebook by its name. Every parameter that RULES 12 lets a
championship change is an attribute of the same name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from engine.cards import DECK_101, DECK_106
from engine.messages import N_, Message

MOST_POINTS: Final = 5000
"""The largest number of points that a house rule may give to a line (RULES 12)."""

SWITCHES: Final = (
    "start_feu_vert",
    "vp_starts",
    "feu_vert_after_parade",
    "go_on_empty_sabot",
    "blocked_end",
    "most_km_wins",
    "last_card_couronnement",
)
POINT_VALUES: Final = ("botte", "quatre_bottes", "coup_fourre", "victoire", "couronnement", "sans_200", "capot")
CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "botte_on_attack": ("repairs", "lifts"),
        "capot_to": ("each_opponent", "driving_opponents", "shutout_winner"),
    }
)
HOUSE_KEYS: Final = (*SWITCHES, *CHOICES, *POINT_VALUES)
"""Every parameter that house rules may change, in the order in which pages show them."""


class HouseError(ValueError):
    """House rules that RULES 12 does not know: `bad-house`. `key` is the parameter at fault, `detail` says why."""

    code = "bad-house"

    def __init__(self, key: str, text: str, **params: str | int) -> None:
        self.key = key
        self.detail = Message(text, dict(params))
        super().__init__(f"{key}: {self.detail}")


@dataclass(frozen=True, slots=True)
class TableShape:
    """One kind of table of a rulebook: how many teams of how many players, with which deck and targets (RULES 3).

    `targets` are in km, the first is the one that holds when a log names none. `extended` is the target after a
    rallonge, or None where the extension cannot be called.
    """

    teams: int
    players: int
    deck: Mapping[str, int]
    targets: tuple[int, ...]
    extended: int | None = None

    @property
    def seats(self) -> int:
        """Number of players at the table."""
        return self.teams * self.players

    def target(self, named: int | None) -> int:
        """The target in km of a manche whose log, sheet or championship names this one, or none."""
        return self.targets[0] if named is None else named


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One way of playing: every parameter of RULES 3, 8 and 12."""

    id: str
    tables: tuple[TableShape, ...]
    has_points: bool
    start_feu_vert: bool = True
    vp_starts: bool = True
    feu_vert_after_parade: bool = True
    botte_on_attack: str = "repairs"
    go_on_empty_sabot: bool = True
    blocked_end: bool = False
    most_km_wins: bool = False
    last_card_couronnement: bool = True
    botte: int = 0
    quatre_bottes: int = 0
    coup_fourre: int = 0
    victoire: int = 0
    couronnement: int = 0
    sans_200: int = 0
    capot: int = 0
    capot_to: str = "each_opponent"
    rallonge: int = 0

    def table(self, teams: int, players: int) -> TableShape | None:
        """The table of `teams` teams of `players` players, or None if the rulebook has no such table (RULES 3)."""
        for shape in self.tables:
            if shape.teams == teams and shape.players == players:
                return shape
        return None

    def with_house(self, house: Mapping[str, Any]) -> "Rulebook":
        """This rulebook with `house` laid over it (RULES 12).

        Raises:
            HouseError: an unknown key, a value of a wrong type or out of range, or points where the rulebook has none.
        """
        for key, value in house.items():
            self._check_house(key, value)
        return replace(self, **house) if house else self

    def _check_house(self, key: str, value: object) -> None:
        # `type(…) is` rather than isinstance: true is no number of points, and 1 is no switch
        if key in SWITCHES:
            if type(value) is not bool:
                raise HouseError(key, N_("true or false is expected"))
        elif key in CHOICES:
            if type(value) is not str or value not in CHOICES[key]:
                raise HouseError(key, N_("one of {choices} is expected"), choices=", ".join(CHOICES[key]))
        elif key in POINT_VALUES:
            if not self.has_points:
                raise HouseError(key, N_("this rulebook has no points"))
            if type(value) is not int or not 0 <= value <= MOST_POINTS:
                raise HouseError(key, N_("a whole number from 0 to {most} is expected"), most=MOST_POINTS)
        else:
            raise HouseError(key, N_("there is no such house rule"))


def _shapes(*tables: tuple[int, int], targets: tuple[int, ...] = (1000,)) -> tuple[TableShape, ...]:
    return tuple(TableShape(teams, players, DECK_106, targets) for teams, players in tables)


_EVERY_TABLE = _shapes((2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (4, 2))

CLASSIQUE: Final = Rulebook(
    id="classique",
    tables=_EVERY_TABLE,
    has_points=True,
    go_on_empty_sabot=False,
    botte=100,
    quatre_bottes=300,
    coup_fourre=300,
    victoire=400,
    couronnement=300,
    sans_200=300,
    capot=500,
)

MODERNE: Final = Rulebook(
    id="moderne",
    tables=_EVERY_TABLE,
    has_points=False,
    start_feu_vert=False,
    feu_vert_after_parade=False,
    botte_on_attack="lifts",
    most_km_wins=True,
)

FOURNIER: Final = Rulebook(
    id="fournier",
    tables=(
        TableShape(2, 1, DECK_101, (700,), extended=1000),
        TableShape(3, 1, DECK_101, (700,), extended=1000),
        TableShape(2, 2, DECK_106, (1000,)),
        TableShape(3, 2, DECK_106, (700,), extended=1000),
    ),
    has_points=True,
    botte=100,
    quatre_bottes=300,
    coup_fourre=300,
    victoire=400,
    couronnement=300,
    sans_200=300,
    capot=500,
    capot_to="shutout_winner",
    rallonge=200,
)

DUJARDIN_2010: Final = Rulebook(
    id="dujardin-2010",
    tables=_shapes((2, 1), (3, 1), (3, 2)) + _shapes((4, 1), (4, 2), targets=(1000, 700)),
    has_points=True,
    vp_starts=False,
    blocked_end=True,
    most_km_wins=True,
    botte=100,
    coup_fourre=300,
    victoire=400,
    sans_200=200,
    capot=500,
)

RULEBOOKS: Final[Mapping[str, Rulebook]] = MappingProxyType(
    {rulebook.id: rulebook for rulebook in (CLASSIQUE, MODERNE, FOURNIER, DUJARDIN_2010)}
)
"""The rulebooks by id, in the order of RULES."""
