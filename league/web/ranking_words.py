"""A ranking in words: its keys, and why each row stands above the next (STANDINGS 3 and 4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _

from league.selectors.ranking import Neighbours, RankingRow
from league.web.organiser.key_fields import EXPLAINED
from league.wording import key_name, value
from scoring.why import AMONG, LEVEL, NEVER_MET, NEVER_MET_OF, SEPARATED

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
    titles = {stage["number"]: stage_title(stage) for stage in keys.get("stages", ())}
    return [
        ShownRow(
            row=row,
            primary=value(row.values.get(primary_key(keys, row.stage, row.pool if row.pool_rank is None else None))),
            values=[(key_name(key), value(exact)) for key, exact in row.values.items()],
            why=_why(row, after, names, titles) if row.why else None,
        )
        for row, after in zip_longest(rows, rows[1:])
    ]


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that one stage placed, or those without a rank; `title` is empty without stages.

    `primary`: what the value of each row is called.
    """

    title: str
    primary: str
    rows: Sequence[ShownRow]


def sections(rows: Sequence[RankingRow], names: Mapping[int, str], keys: Mapping[str, Any]) -> list[Section]:
    """The rows of a page by the stage that placed them, in order: one section where there are no stages."""
    titles = {stage["number"]: stage_title(stage) for stage in keys.get("stages", ())}
    shown = shown_rows(rows, names, keys)
    if not titles:
        return [Section("", key_name(keys["primary"]), shown)] if shown else []
    found = []
    for (stage, is_ranked), members in groupby(shown, key=lambda one: (one.row.stage, one.row.rank is not None)):
        title = titles.get(stage or 0, "")
        found.append(
            Section(
                title if is_ranked else _("Without a rank: %(stage)s") % {"stage": title},
                key_name(primary_key(keys, stage, None)),
                list(members),
            )
        )
    return found


def stage_title(stage: Mapping[str, Any]) -> str:
    """What a stage is called: its own name, or what it is."""
    if stage["name"]:
        return str(stage["name"])
    if stage["kind"] == "knockout":
        return _("Knock-out")
    return _("Pools") if stage["pools"] > 1 else _("Stage %(number)s") % {"number": stage["number"]}


def stage_tabs(keys: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The stages of a ranking, the last one first: number and title. Empty where one alone says nothing more."""
    stages = keys.get("stages", ())
    if len(stages) == 1 and stages[0]["kind"] == "ranking" and stages[0]["pools"] == 1:
        return []
    return [(stage["number"], stage_title(stage)) for stage in reversed(stages)]


def primary_key(keys: Mapping[str, Any], stage: int | None, pool: int | None) -> str:
    """The key that a row is shown by; of a stage with several pools the rank in them, in the table of one its own."""
    said = next((one for one in keys.get("stages", ()) if one["number"] == stage), None)
    if said is None or (said["kind"] == "ranking" and (said["pools"] == 1 or pool is not None)):
        return str(keys["primary"])
    return "round_reached" if said["kind"] == "knockout" else "pool_rank"


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
    name = key_name(primary_key(found.keys, by_position[0].row.stage, None))
    return Standing(by_position[0], by_position.get(-1), by_position.get(1), name, found.page)


def _why(row: RankingRow, after: RankingRow | None, names: Mapping[int, str], titles: Mapping[int, str]) -> WhyInWords:
    why: Mapping[str, Any] = row.why or {}
    return why_in_words(why, after.team if after else "", names, titles)


def why_in_words(
    why: Mapping[str, Any], above: str, names: Mapping[int, str], titles: Mapping[int, str] = MappingProxyType({})
) -> WhyInWords:
    """The data of a why (`scoring.why`) in words; `above`: the name of the next row, `titles`: those of the stages."""
    level = why["code"] == "level"
    because = "" if level else _separated(why, names, titles)
    return WhyInWords(above, level, because, list(_passed(why["passed"], names)))


def _separated(why: Mapping[str, Any], names: Mapping[int, str], titles: Mapping[int, str]) -> str:
    if why["key"] == "stage":
        upper, lower = (titles.get(int(why[side]), why[side]) for side in ("upper", "lower"))
    else:
        upper, lower = (_shown(why["key"], why[side]) for side in ("upper", "lower"))
    return _(SEPARATED).format(key=_key(why, names), upper=upper, lower=lower)


def _passed(passed: Sequence[Mapping[str, Any]], names: Mapping[int, str]) -> Iterator[str]:
    for key in passed:
        if key["code"] == "never-met":
            one, other = (names[number] for number in key["pair"])
            among = key.get("among")  # not in what was kept before it was told
            said = _(NEVER_MET_OF) if among else _(NEVER_MET)
            yield said.format(key=key_name(key["key"]), one=one, other=other, count=among)
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
    if key == "places":
        return exact
    if key == "draw":
        return f"{exact[:_LOT_SHOWN]}…"
    rounded = value(exact)
    return f"{rounded} ({exact})" if "/" in exact else rounded
