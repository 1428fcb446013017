"""A championship as a dump `championnat/1` (docs/dump.md), written piece by piece, whatever its size.

As everybody may read it, unless it is `private`: then with real names, licence numbers, e-mail addresses, drafts, who
is there, may stand in or will not play, what was refused, what was said in disputes, and the audit. The secret of the
draws is in it once the championship is finished, or where it is private. Accounts, tokens, links of tables and
registrations are in no dump.

Callers read inside `league.services.locks.one_moment`, so that all of it comes from one moment.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from league.models import (
    Absence,
    AuditEntry,
    Bye,
    Championship,
    Entry,
    LiveRanking,
    LiveRow,
    Partie,
    Player,
    PublishedRanking,
    ResultEvent,
    Round,
    RoundStatus,
    Stage,
    StageEntry,
    Substitute,
    TeamMember,
)
from league.selectors.dump_parties import Numbers, parties
from league.services.publishing import RULES_VERSION
from league.shown_names import public_club, public_name
from scoring import dump_format as dumped
from scoring.dump_format import COLUMNS

_AT_ONCE: Final = 2000
_SETTINGS: Final = tuple(
    name
    for name in (*dumped.CHAMPIONSHIP.required, *dumped.CHAMPIONSHIP.optional)
    if name not in ("club", "secret", "secret_sha256")
)


def dump(*, championship_id: int, private: bool = False) -> Iterator[bytes]:
    """The bytes of a dump, in pieces; each item of a list stands on a line of its own."""
    championship = Championship.objects.select_related("club").get(pk=championship_id)
    first = True
    for name, value in _members(championship, private=private):
        yield b"{" if first else b",\n "
        first = False
        yield json.dumps(name).encode() + b": "
        if isinstance(value, Iterator):
            yield from _list(value)
        else:
            yield _json(value)
    yield b"}\n"


def _list(items: Iterable[Any]) -> Iterator[bytes]:
    between = b"["
    for item in items:
        yield between + b"\n  " + _json(item)
        between = b","
    yield b"]" if between == b"," else b"[]"


def _json(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair, in what was refused
        return json.dumps(value).encode()


@dataclass(slots=True)
class _Source:
    """The championship, and what is called by which number in its dump."""

    championship: Championship
    private: bool
    numbers: Numbers = field(default_factory=Numbers)


def _members(championship: Championship, *, private: bool) -> Iterator[tuple[str, Any]]:
    source = _Source(championship, private)
    yield "format", dumped.FORMAT
    made = {"at": timezone.now().isoformat(), "private": private, "by": "Bornage", "rules_version": RULES_VERSION}
    yield "made", dumped.MADE.written(made)
    yield "championship", _championship(source)
    yield "players", _players(source)
    yield "entries", _entries(source)
    yield "stages", _stages(source)
    yield "rounds", _rounds(source)
    yield "absences", _of_rounds(Absence.objects.all() if private else _seen_absences(championship), championship)
    yield "byes", _of_rounds(Bye.objects.all(), championship)
    yield "parties", parties(championship, source.numbers, private=private)
    yield "journal", _journal(source)
    yield "published", _published(championship)
    live = _live(championship)
    if live is not None:
        yield "live", live
    if private:
        yield "audit", _audit(championship)


def columns_of(row: Any, *names: str) -> dict[str, Any]:
    """Columns of a row as JSON has them: times in ISO 8601."""
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _championship(source: _Source) -> dict[str, Any]:
    championship = source.championship
    said = columns_of(championship, *_SETTINGS)
    said["club"] = championship.club.name if championship.club else None
    said["secret"] = championship.secret if source.private else championship.shown_secret
    said["secret_sha256"] = championship.secret_sha256
    return dumped.CHAMPIONSHIP.written(said)


def _players(source: _Source) -> Iterator[dict[str, Any]]:
    """Who is in a team, or stood in, numbered in the order in which they were registered; private: who may stand in."""
    championship = source.championship
    plays = Q(pk__in=TeamMember.objects.filter(team__championship=championship).values("player"))
    plays |= Q(stood_in__seat__partie__championship=championship)
    if source.private:
        plays |= Q(pk__in=Substitute.objects.filter(team__championship=championship).values("player"))
    rows = (
        Player.objects.filter(plays)
        .distinct()
        .select_related("club")
        .prefetch_related(*(["numbers"] if source.private else []))
        .order_by("pk")
    )
    for number, player in enumerate(rows.iterator(chunk_size=_AT_ONCE), 1):
        source.numbers.players[player.pk] = number
        said = {"number": number, "name": public_name(player), "club": public_club(player) or None}
        if source.private:
            said |= columns_of(player, "name", "licence", "email", "is_minor", "shown_as", "shows_club")
            said["club"] = player.club.name if player.club else None
            said["numbers"] = [{"system": one.system, "number": one.number} for one in player.numbers.all()]
        yield dumped.PLAYER.written(said)


def _entries(source: _Source) -> Iterator[dict[str, Any]]:
    members: dict[int, list[int]] = {}
    substitutes: dict[int, list[int]] = {}
    named: list[tuple[QuerySet[Any], str, dict[int, list[int]]]] = [(TeamMember.objects.all(), "position", members)]
    if source.private:
        named.append((Substitute.objects.all(), "id", substitutes))
    for rows, order, found in named:
        ordered = rows.filter(team__championship=source.championship).order_by("team_id", order)
        for team_id, player_id in ordered.values_list("team_id", "player_id"):
            found.setdefault(team_id, []).append(source.numbers.players[player_id])
    for entry in Entry.objects.filter(championship=source.championship).select_related("team").order_by("number"):
        source.numbers.entries[entry.pk] = entry.number
        yield dumped.ENTRY.written(
            columns_of(entry, "number", "withdrawn_at", "penalty", "penalty_reason")
            | (columns_of(entry, "checked_in_at") if source.private else {})
            | {
                "name": entry.team.name,
                "is_named": entry.team.is_named,
                "players": members.get(entry.team_id, []),
                "substitutes": substitutes.get(entry.team_id, []),
            }
        )


def _stages(source: _Source) -> Iterator[dict[str, Any]]:
    members: dict[int, list[dict[str, Any]]] = {}
    rows = StageEntry.objects.filter(stage__championship=source.championship).order_by("stage", "seed")
    for stage_id, entry_id, pool, seed in rows.values_list("stage_id", "entry_id", "pool", "seed"):
        said = dumped.IN_STAGE.written({"entry": source.numbers.entries[entry_id], "pool": pool, "seed": seed})
        members.setdefault(stage_id, []).append(said)
    names = [name for name in (*dumped.STAGE.required, *dumped.STAGE.optional) if name != "entries"]
    for stage in Stage.objects.filter(championship=source.championship).order_by("number"):
        yield dumped.STAGE.written(columns_of(stage, *names) | {"entries": members.get(stage.pk, [])})


def _rounds(source: _Source) -> Iterator[dict[str, Any]]:
    names = [name for name in (*dumped.ROUND.required, *dumped.ROUND.optional) if name != "stage"]
    rows = Round.objects.filter(championship=source.championship).select_related("stage").order_by("number")
    for one in rows if source.private else rows.exclude(status=RoundStatus.DRAFT):
        yield dumped.ROUND.written(columns_of(one, *names) | {"stage": one.stage.number if one.stage else None})


def _seen_absences(championship: Championship) -> QuerySet[Absence]:
    """Those of rounds that everybody sees: who announced not to play a later one is for who draws it."""
    drawn = Round.objects.filter(championship=championship).exclude(status=RoundStatus.DRAFT).values("number")
    played = Partie.objects.filter(championship=championship).values("round")
    return Absence.objects.filter(Q(round__in=drawn) | Q(round__in=played))


def _of_rounds(kept: "QuerySet[Absence] | QuerySet[Bye]", championship: Championship) -> Iterator[dict[str, Any]]:
    rows = kept.filter(championship=championship).order_by("round", "entry__number")
    for round_, entry, at in rows.values_list("round", "entry__number", "at"):
        yield dumped.ROUND_OF_ENTRY.written({"round": round_, "entry": entry, "at": at.isoformat()})


def _journal(source: _Source) -> Iterator[dict[str, Any]]:
    names = ("position", "what", "partie", "manche", "version", "entry", "reason", "at")
    rows = ResultEvent.objects.filter(championship=source.championship).order_by("position")
    columns = ("position", "what", "partie__number", "manche__number", "result__version", "entry__number", "reason")
    for values in rows.values_list(*columns, "at").iterator(chunk_size=_AT_ONCE):
        said = dict(zip(names, values, strict=True))
        said["at"] = said["at"].isoformat()
        if (said["partie"], said["manche"], said["version"]) in source.numbers.hidden:
            said["version"] = None
        yield dumped.JOURNAL_LINE.written(said)


def _published(championship: Championship) -> Iterator[dict[str, Any]]:
    names = [name for name in (*dumped.PUBLISHED.required, *dumped.PUBLISHED.optional) if name != "rows"]
    for ranking in PublishedRanking.objects.filter(championship=championship).order_by("number"):
        columns = ("number", "name", "players", *COLUMNS)
        rows = ranking.rows.order_by("position").values(*columns)
        yield dumped.PUBLISHED.written(columns_of(ranking, *names) | {"rows": [_row(row) for row in rows]})


def _live(championship: Championship) -> dict[str, Any] | None:
    live = LiveRanking.objects.filter(championship=championship).first()
    if live is None:
        return None
    rows = LiveRow.objects.filter(championship=championship).order_by("position")
    said = columns_of(live, "journal_position", "keys", "stage_tables", "computed_at")
    return dumped.LIVE.written(said | {"rows": [_row(row) for row in rows.values("entry__number", *COLUMNS)]})


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row: its entry by number, and what is not null."""
    said = dict(row)
    entry = said.pop("entry__number", None) or said.pop("number")
    optional = ("why", "stage", "pool", "pool_rank")
    return {"entry": entry} | {name: value for name, value in said.items() if name not in optional or value is not None}


def _audit(championship: Championship) -> Iterator[dict[str, Any]]:
    rows = AuditEntry.objects.filter(championship=championship).select_related("user").order_by("id")
    for entry in rows.iterator(chunk_size=_AT_ONCE):
        details = columns_of(entry, "before", "after", "via") | {"by": entry.user.display_name if entry.user else None}
        yield dumped.AUDIT.written(
            columns_of(entry, "at", "action", "reason")
            | {
                "object": {"type": entry.object_type, "id": entry.object_id},
                "details": {name: value for name, value in details.items() if value},
            }
        )
