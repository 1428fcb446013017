"""A list as CSV (RFC 4180): one line an item under a line of names, which are those of the JSON.

What is nested is flattened: `version.number` is a member of a member; of several things in one (`players.name`) the
values stand in one cell, parted by ` | `. A member whose names are not the API's own (`values`) has a column for each
name that occurs. Anything deeper is JSON in its cell. Null is an empty cell.

A text that a spreadsheet would take for a formula begins with `'`, as in the lists that people download. So does, in a
table for a spreadsheet (`bom=true`), one that it would take for a date; exact fractions (`7/11`) are decimals there.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from rest_framework import serializers
from rest_framework.renderers import BaseRenderer

from league import spreadsheets
from league.api.selecting import Chosen, inner, is_several, members_of, paths
from league.api.shapes import ExactField
from league.wording import value as rounded

MEDIA: Final = "text/csv"
BETWEEN: Final = " | "

_NUMBER: Final = re.compile(r"[+-]?\d+(?:[.,/]\d+)?")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_FRACTION: Final = re.compile(r"-?\d+/\d+")
_DECIMALS: Final = 6
_BOM: Final = "\ufeff"
_TABLE: Final = "items_of_table"

Path = tuple[str, ...]


class CsvRenderer(BaseRenderer):
    """Lets a list be asked for as CSV, and writes it."""

    media_type = MEDIA
    format = "csv"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """The items of a page. `describe` has said how they are shaped."""
        context = renderer_context or {}
        serializer, chosen = getattr(context["response"], _TABLE)
        has_mark = context["request"].query_params.get("bom") == "true"
        return written(data["items"], serializer, chosen, has_mark=has_mark)


def describe(response: Any, serializer: type[serializers.Serializer[Any]], chosen: Chosen) -> None:
    """Tell an answer by which serializer its items were made, and what was chosen of them."""
    setattr(response, _TABLE, (serializer, chosen))


def written(
    items: Sequence[Mapping[str, Any]],
    serializer: type[serializers.Serializer[Any]],
    chosen: Chosen,
    *,
    has_mark: bool = False,
) -> bytes:
    """Items as the bytes of a CSV file. `has_mark`: for a spreadsheet, decimals in the language of the answer."""
    columns = [column for path in paths(serializer, chosen) for column in _spread(items, serializer, path)]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(".".join(path) for path in columns)
    if has_mark:
        ways = [(path, _number if _is_exact(serializer, path) else _no_date) for path in columns]
        writer.writerows([_cell(_at(item, path), written) for path, written in ways] for item in items)
    else:
        writer.writerows([_cell(_at(item, path)) for path in columns] for item in items)
    return ((_BOM if has_mark else "") + text.getvalue()).encode()


def _spread(
    items: Sequence[Mapping[str, Any]], serializer: type[serializers.Serializer[Any]], path: Path
) -> Iterator[Path]:
    """A column, or one for each name that occurs where the names are not the API's own."""
    names: dict[str, None] = {}
    if _is_open(serializer, path):
        for item in items:
            value = _at(item, path)
            if isinstance(value, Mapping):
                names |= dict.fromkeys(str(name) for name in value)
        yield from ((*path, name) for name in names)
    else:
        yield path


def _is_open(serializer: type[serializers.Serializer[Any]], path: Path) -> bool:
    """Whether a member is a mapping of single values under names of its own, in an item once."""
    members = members_of(serializer)
    for place, part in enumerate(path, 1):
        field = members[part]
        if is_several(field):
            return False
        if isinstance(field, serializers.Serializer):
            members = members_of(type(field))
            continue
        is_mapping = isinstance(field, serializers.DictField) or getattr(field, "component", "") == "Values"
        holds_more = isinstance(inner(getattr(field, "child", None)), serializers.Serializer)
        return is_mapping and not holds_more and place == len(path)
    return False


def _is_exact(serializer: type[serializers.Serializer[Any]], path: Path) -> bool:
    """Whether what stands there is an exact number in text."""
    members = members_of(serializer)
    for part in path:
        field = inner(members[part])
        if isinstance(field, ExactField) or getattr(field, "component", "") == "Values":
            return True
        if not isinstance(field, serializers.Serializer):
            return False
        members = members_of(type(field))
    return False


def _at(value: Any, path: Path) -> Any:
    """What stands at the end of a way; below a list the list of those of its items."""
    for place, part in enumerate(path):
        if isinstance(value, list | tuple):
            return [_at(one, path[place:]) for one in value]
        if not isinstance(value, Mapping):
            return None
        value = value[part] if part in value else next((v for k, v in value.items() if str(k) == part), None)
    return value


def _cell(value: Any, written: Callable[[str], str] = str) -> str:
    """What stands in a cell; `written` is how each single value is."""
    if isinstance(value, list | tuple) and all(not isinstance(one, Mapping | list | tuple) for one in value):
        said = [_said(one) for one in value]
        return no_formula(BETWEEN.join(map(written, said) if len(said) == 1 or written is _number else said))
    if isinstance(value, Mapping | list | tuple):
        return no_formula(json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str))
    return no_formula(written(_said(value)))


def _number(text: str) -> str:
    return rounded(text, decimals=_DECIMALS) if _FRACTION.fullmatch(text) else text


def _no_date(text: str) -> str:
    return text if _DAY.fullmatch(text) else spreadsheets.no_date(text)  # a day is one


def _said(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def no_formula(text: str) -> str:
    """The text as no spreadsheet takes it for a formula; a number or a fraction is none."""
    return text if _NUMBER.fullmatch(text) else spreadsheets.no_formula(text)
