"""A ranking in words: its keys, and why each row stands above the next (STANDINGS 3 and 4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext as _

from league.selectors.ranking import Neighbours, RankingRow
from league.web.organiser.key_fields import EXPLAINED
from league.wording import key_name, value
from scoring.why import AMONG, LEVEL, NEVER_MET, SEPARATED

_LOT_SHOWN = 12


@dataclass(frozen=True, slots=True)
class KeyInWords:
    """A ranking key: its code, its name and what it counts."""

    code: str
    name: str
    explained: str


@dataclass(frozen=True, slots=True)
class WhyInWords:
    """Why a row stands where it does: above the next one (`above`, its name), or level with it.

    `because` is the key that separates them, with both values; `passed` the keys before it, each with its reason.
    """

    above: str
    level: bool
    because: str
    passed: Sequence[str]


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of a ranking: the row itself, the value that it is ranked by, all its values by name, and its why."""

    row: RankingRow
    primary: str
    values: Sequence[tuple[str, str]]
    why: WhyInWords | None


def keys_in_words(keys: Mapping[str, Any]) -> list[KeyInWords]:
    """The primary key and the tie-breaks, in their order."""
    return [KeyInWords(code, key_name(code), str(EXPLAINED[code])) for code in (keys["primary"], *keys["tie_breaks"])]


def draws_lots(keys: Mapping[str, Any]) -> bool:
    """Whether lots are among the keys, so that their secret matters (STANDINGS 3)."""
    return "draw" in keys["tie_breaks"]


def shown_rows(rows: Sequence[RankingRow], names: Mapping[int, str], keys: Mapping[str, Any]) -> list[ShownRow]:
    """The rows of a page, in order; `names` has every entry that they speak of."""
    return [
        ShownRow(
            row=row,
            primary=value(row.values.get(keys["primary"])),
            values=[(key_name(key), value(exact)) for key, exact in row.values.items()],
            why=_why(row, after, names) if row.why else None,
        )
        for row, after in zip_longest(rows, rows[1:])
    ]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where an entry stands now: its row, and the rows before and after it (None at an end of the ranking).

    `before.why` says why it stands below that one, `shown.why` why it stands above the next. `name` of the value that
    it is ranked by; `page` of the ranking where its row is.
    """

    shown: ShownRow
    before: ShownRow | None
    after: ShownRow | None
    name: str
    page: int


def standing_of(found: Neighbours) -> Standing:
    """The standing of the entry that the neighbours are of."""
    by_position = {
        shown.row.position - found.position: shown for shown in shown_rows(found.rows, found.names, found.keys)
    }
    return Standing(
        by_position[0], by_position.get(-1), by_position.get(1), key_name(found.keys["primary"]), found.page
    )


def _why(row: RankingRow, after: RankingRow | None, names: Mapping[int, str]) -> WhyInWords:
    why: Mapping[str, Any] = row.why or {}
    level = why["code"] == "level"
    because = (
        ""
        if level
        else _(SEPARATED).format(
            key=_key(why, names), upper=_shown(why["key"], why["upper"]), lower=_shown(why["key"], why["lower"])
        )
    )
    return WhyInWords(after.team if after else "", level, because, list(_passed(why["passed"], names)))


def _passed(passed: Sequence[Mapping[str, Any]], names: Mapping[int, str]) -> Iterator[str]:
    for key in passed:
        if key["code"] == "never-met":
            one, other = (names[number] for number in key["pair"])
            yield _(NEVER_MET).format(key=key_name(key["key"]), one=one, other=other)
        else:
            yield _(LEVEL).format(key=_key(key, names), value=_shown(key["key"], key["value"]))


def _key(said: Mapping[str, Any], names: Mapping[int, str]) -> str:
    name = key_name(said["key"])
    group = said.get("group")
    return _(AMONG).format(key=name, names=", ".join(names[number] for number in group)) if group else name


def _shown(key: str, exact: str | None) -> str:
    """A value: rounded, and exact beside it where that says more; of a lot, its beginning."""
    if exact is None:
        return _("no value")
    if key == "draw":
        return f"{exact[:_LOT_SHOWN]}…"
    rounded = value(exact)
    return f"{rounded} ({exact})" if "/" in exact else rounded
