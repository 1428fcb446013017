"""Why one row of a ranking stands above the next, as data and as a sentence (STANDINGS 3).

The data is codes and parameters; numbers are text as in the answer of STANDINGS 7, None where an entry has no value.
The sentence is English by itself, and in any language where its caller gives a translation of the message ids.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from engine.messages import N_

Name = Callable[[int], str]
"""What an entry is called, by its number."""

Translate = Callable[[str], str]
"""A message id in the reader's language."""


@dataclass(frozen=True, slots=True)
class Level:
    """A key passed over because all who were level before it are level in it too.

    `group`: only for `direct_encounter`, the entries among whom its sums were taken.
    """

    key: str
    value: str | None
    group: tuple[int, ...] | None = None

    def as_data(self) -> dict[str, object]:
        """`{"code": "level", "key", "value"}`, and `"group"` where there is one."""
        data: dict[str, object] = {"code": "level", "key": self.key, "value": self.value}
        return data | ({"group": list(self.group)} if self.group else {})


@dataclass(frozen=True, slots=True)
class NeverMet:
    """A key passed over since two of the entries level so far never met: `direct_encounter` is then not used.

    `among`: how many entries are level so far, where they are more than the two: those may stand elsewhere than the
    two rows that are told apart.
    """

    key: str
    pair: tuple[int, int]
    among: int | None = None

    def as_data(self) -> dict[str, object]:
        """`{"code": "never-met", "key", "pair"}`, and `"among"` where there is one."""
        data: dict[str, object] = {"code": "never-met", "key": self.key, "pair": list(self.pair)}
        return data | ({"among": self.among} if self.among else {})


Passed = Level | NeverMet


@dataclass(frozen=True, slots=True)
class Why:
    """What separates a row from the next: the key, the upper and the lower value, and the keys passed over before it.

    `key` is None, and with it both values, when the rows share a rank: then every key was passed over. `group`: only
    for `direct_encounter`, the entries among whom its sums were taken.
    """

    key: str | None
    upper: str | None
    lower: str | None
    passed: tuple[Passed, ...]
    group: tuple[int, ...] | None = None

    def as_data(self) -> dict[str, object]:
        """`{"code": "separated", "key", "upper", "lower", "passed"}`, with `"group"` where there is one.

        Where the rows share a rank: `{"code": "level", "passed"}`.
        """
        passed = [key.as_data() for key in self.passed]
        if self.key is None:
            return {"code": "level", "passed": passed}
        data: dict[str, object] = {"code": "separated", "key": self.key, "upper": self.upper, "lower": self.lower}
        return data | ({"group": list(self.group)} if self.group else {}) | {"passed": passed}


class Explained:
    """A row of a ranking. `why` says what separates it from the next: None for the last ranked and for others."""

    __slots__ = ()
    why: Why | None

    @property
    def above_next_by(self) -> str | None:
        """The key that separates it from the next ranked row, "level" where they share the rank, or None."""
        return (self.why.key or "level") if self.why else None


def sentence(why: Why, name: Name, translate: Translate = str) -> str:
    """A why in words.

    >>> name = {1: "Ana", 2: "Eloi", 3: "Zoé"}.__getitem__
    >>> passed = (Level("match_points", "4"), NeverMet("direct_encounter", (1, 3)))
    >>> sentence(Why("km", "3000", "2500", passed), name)
    'kilometres: 3000 against 2500 (level in match points: 4; direct encounter not used: Ana and Zoé never met)'
    >>> passed = (NeverMet("direct_encounter", (2, 3), among=4),)
    >>> sentence(Why("km", "3000", "2500", passed), name)
    'kilometres: 3000 against 2500 (direct encounter not used: of the 4 entries level here, Eloi and Zoé never met)'
    >>> sentence(Why("direct_encounter", "3", "1", (Level("match_points", "4"),), group=(1, 2, 3)), name)
    'direct encounter among Ana, Eloi, Zoé: 3 against 1 (level in match points: 4)'
    >>> sentence(Why(None, None, None, (Level("match_points", None),)), name)
    'level in all keys (level in match points: no value)'
    """
    if why.key is None:
        said = translate(LEVEL_IN_ALL)
    else:
        said = translate(SEPARATED).format(
            key=_key(why.key, why.group, name, translate),
            upper=_shown(why.upper, translate),
            lower=_shown(why.lower, translate),
        )
    passed = "; ".join(_passed_sentence(key, name, translate) for key in why.passed)
    return f"{said} ({passed})" if passed else said


def _passed_sentence(passed: Passed, name: Name, translate: Translate) -> str:
    if isinstance(passed, NeverMet):
        one, other = map(name, passed.pair)
        said = translate(NEVER_MET_OF if passed.among else NEVER_MET)
        key = _key(passed.key, None, name, translate)
        return said.format(key=key, one=one, other=other, count=passed.among)
    key = _key(passed.key, passed.group, name, translate)
    return translate(LEVEL).format(key=key, value=_shown(passed.value, translate))


def _key(key: str, group: Sequence[int] | None, name: Name, translate: Translate) -> str:
    said = translate(KEY_NAMES.get(key) or FURTHER_KEY_NAMES[key])
    return translate(AMONG).format(key=said, names=", ".join(map(name, group))) if group else said


def _shown(value: str | None, translate: Translate) -> str:
    return translate(NO_VALUE) if value is None else value


SEPARATED = N_("{key}: {upper} against {lower}")
LEVEL = N_("level in {key}: {value}")
LEVEL_IN_ALL = N_("level in all keys")
AMONG = N_("{key} among {names}")
NEVER_MET = N_("{key} not used: {one} and {other} never met")
NEVER_MET_OF = N_("{key} not used: of the {count} entries level here, {one} and {other} never met")
NO_VALUE = N_("no value")

KEY_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "match_points": N_("match points"),
        "mean_match_points": N_("match points a partie"),
        "manches_won": N_("manches won"),
        "total_points": N_("total points"),
        "best_n": N_("points of the best parties"),
        "mean_points": N_("points a manche"),
        "direct_encounter": N_("direct encounter"),
        "manche_share": N_("share of manches won"),
        "coups_fourres": N_("coups fourrés"),
        "km": N_("kilometres"),
        "mean_difference": N_("mean difference of points"),
        "mean_km_difference": N_("mean difference of kilometres"),
        "buchholz": N_("Buchholz"),
        "sonneborn_berger": N_("Sonneborn-Berger"),
        "draw": N_("draw of lots"),
    }
)
"""What every key is called, as message ids."""

FURTHER_KEY_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "stage": N_("stage reached"),
        "stage_rank": N_("rank in the stage"),
        "pool_rank": N_("rank in the pool"),
        "round_reached": N_("round reached"),
        "place_match": N_("place played for"),
        "circuit_points": N_("points of the circuit"),
        "places": N_("places (how often × place)"),
    }
)
"""What separates rows besides the keys that may be chosen: of stages, pools, knock-outs and circuits (STANDINGS 5)."""
