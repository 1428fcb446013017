"""How a change is shown: what it is of, under which address it is read, and what it is now, as everybody may see it."""

import base64
import binascii
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import msgspec
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.championships import ChampionshipListItemSerializer
from league.api.clubs import ClubSerializer
from league.api.entries import EntrySerializer
from league.api.parties import PartieSerializer
from league.api.players import PlayerListItemSerializer
from league.api.problems import RequestFault
from league.api.rankings import PublishedRankingSerializer, RankingRowSerializer, what_counts
from league.api.round_shapes import RoundSerializer
from league.api.stages import StageSerializer
from league.api.teams import TeamSerializer
from league.models import Championship, ChangeKind
from league.selectors.feed import Line
from league.selectors.ranking import RankingPage
from league.selectors.things import ranking_sizes, slugs_of, things_of

RANKINGS: Final = 5
"""Rankings with all their rows in one answer."""
RANKING_ROWS: Final = 500
"""Rows that they have together; a ranking that has more is answered alone."""


class ChangeSerializer(serializers.Serializer[Any]):
    """A thing that changed, came, or went."""

    cursor = serializers.CharField(help_text="To go on after this one.")
    kind = serializers.ChoiceField(ChangeKind.values)
    championship = serializers.SlugField(allow_null=True, help_text="Null for players and clubs.")
    key = serializers.CharField(help_text="What its address calls it: a number, a slug; empty for a ranking.")
    address = serializers.CharField(help_text="Where it is read.")
    at = serializers.DateTimeField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """With `data`, which no attribute may be called."""
        data = serializers.DictField(
            allow_null=True,
            required=False,
            help_text="The thing now, as an item of its list; of a ranking its whole page with all rows. "
            "Null: it is gone, or not for everybody (any more).",
        )
        return {**super().get_fields(), "data": data}


class ChangesSerializer(serializers.Serializer[Any]):
    """Changes in their order."""

    items = ChangeSerializer(many=True)
    next = serializers.CharField(help_text="The cursor to go on with. There is always one.")
    head = serializers.CharField(help_text="The cursor of the last change of all: where `next` is this, that is all.")


# --- cursors ----------------------------------------------------------------------------------------------------------

_FEED: Final = "feed"


def cursor_of(position: int) -> str:
    """What readers are given for a position."""
    return base64.urlsafe_b64encode(msgspec.json.encode([_FEED, position])).decode().rstrip("=")


def position_of(cursor: str, *, field: str = "after") -> int:
    """The position of a cursor. Raises RequestFault `bad-cursor`."""
    try:
        text = base64.urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        name, position = msgspec.json.decode(text, type=tuple[str, int])
    except (ValueError, binascii.Error) as error:  # msgspec's errors are ValueErrors
        raise bad_cursor(field) from error
    if name != _FEED or not 0 <= position < 2**63 or cursor_of(position) != cursor:
        raise bad_cursor(field)
    return position


def bad_cursor(field: str = "after") -> RequestFault:
    """The fault of a cursor that this feed has not given, or gave before its database was put back to a day before."""
    message = _("This feed has no such cursor. Begin anew without one, and read everything again.")
    return RequestFault("bad-cursor", message, field=field)


# --- things -----------------------------------------------------------------------------------------------------------

_ADDRESSES: Final[Mapping[str, tuple[str, Callable[[str, str], tuple[Any, ...]]]]] = {
    ChangeKind.CHAMPIONSHIP: ("api-championship", lambda _slug, key: (key,)),
    ChangeKind.ENTRY: ("api-entry", lambda slug, key: (slug, int(key))),
    ChangeKind.TEAM: ("api-team", lambda slug, key: (slug, int(key))),
    ChangeKind.STAGE: ("api-stage", lambda slug, key: (slug, int(key))),
    ChangeKind.ROUND: ("api-round", lambda slug, key: (slug, int(key))),
    ChangeKind.PARTIE: ("api-partie", lambda slug, key: (slug, int(key))),
    ChangeKind.RANKING: ("api-ranking", lambda slug, _key: (slug,)),
    ChangeKind.PUBLISHED_RANKING: ("api-published-ranking", lambda slug, key: (slug, int(key))),
    ChangeKind.PLAYER: ("api-player", lambda _slug, key: (int(key),)),
    ChangeKind.CLUB: ("api-club", lambda _slug, key: (key,)),
}


def _ranking(found: RankingPage) -> dict[str, Any]:
    return {"items": RankingRowSerializer(found.page.items, many=True).data, **what_counts(found)}


def _stage(found: tuple[Any, int]) -> dict[str, Any]:
    line, rounds = found
    return dict(StageSerializer(asdict(line) | {"rounds": rounds, "external_id": None}).data)


def _by(serializer: type[serializers.Serializer[Any]]) -> Callable[[Any], dict[str, Any]]:
    return lambda value: dict(serializer(value).data)


def _round(found: Any) -> dict[str, Any]:
    names = ("number", "status", "stage", "parties", "open", "byes")
    shown = {name: getattr(found, name) for name in names}
    return dict(RoundSerializer(shown | {"external_id": None}).data)


_SHAPES: Final[Mapping[str, Callable[[Any], dict[str, Any]]]] = {
    ChangeKind.CHAMPIONSHIP: _by(ChampionshipListItemSerializer),
    ChangeKind.ENTRY: _by(EntrySerializer),
    ChangeKind.TEAM: _by(TeamSerializer),
    ChangeKind.STAGE: _stage,
    ChangeKind.ROUND: _round,
    ChangeKind.PARTIE: _by(PartieSerializer),
    ChangeKind.RANKING: _ranking,
    ChangeKind.PUBLISHED_RANKING: _by(PublishedRankingSerializer),
    ChangeKind.PLAYER: _by(PlayerListItemSerializer),
    ChangeKind.CLUB: _by(ClubSerializer),
}


def shown(lines: Sequence[Line], *, championship: Championship | None, with_data: bool) -> list[dict[str, Any]]:
    """Changes as they are answered. Every query is for all of them."""
    things = things_of(lines, championship=championship) if with_data else None
    slugs = things.slugs if things else slugs_of(lines)
    items = []
    for line in lines:
        slug = slugs.get(line.championship_id or 0)
        name, arguments = _ADDRESSES[line.kind]
        item: dict[str, Any] = {
            "cursor": cursor_of(line.position),
            "kind": line.kind,
            "championship": slug,
            "key": line.key,
            "address": reverse(name, args=arguments(slug or "-", line.key)),
            "at": line.at,
        }
        if things is not None:
            value = things.values.get((line.kind, line.object_id))
            item["data"] = None if value is None else _SHAPES[line.kind](value)
        items.append(item)
    return items


def folded(lines: Collection[Line]) -> list[Line]:
    """Of several lines of one thing the last one only: each shows it as it is now, so nothing is lost."""
    last = {(line.kind, line.object_id): line.position for line in lines}
    return [line for line in lines if last[line.kind, line.object_id] == line.position]


def with_few_rankings(lines: Sequence[Line]) -> Sequence[Line]:
    """The first lines, up to where there would be more than RANKINGS rankings, or RANKING_ROWS rows of them.

    At least one ranking is among them where there is any. One query where there are several.
    """
    asked = {line.object_id for line in lines if line.kind == ChangeKind.RANKING}
    sizes = ranking_sizes(asked) if len(asked) > 1 else {}
    rankings: set[int] = set()
    rows = 0
    for place, line in enumerate(lines):
        if line.kind != ChangeKind.RANKING or line.object_id in rankings:
            continue
        rankings.add(line.object_id)
        rows += sizes.get(line.object_id, 0)
        if len(rankings) > 1 and (len(rankings) > RANKINGS or rows > RANKING_ROWS):
            return lines[:place]
    return lines
