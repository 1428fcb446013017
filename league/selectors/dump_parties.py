"""The parties of a dump, with every log and sheet as it came: a hundred at a time, some queries for each hundred."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Model, Prefetch

from league.models import (
    Attempt,
    Championship,
    Confirmation,
    Dispute,
    Document,
    Manche,
    Partie,
    Result,
    ResultState,
    Seat,
    SecondEntry,
)
from league.selectors.blind import hides_figures
from scoring import dump_format as dumped

_AT_ONCE: Final = 100


@dataclass(slots=True)
class Numbers:
    """What is called by which number in a dump, by primary key; `hidden`: the versions that it leaves out."""

    players: dict[int, int] = field(default_factory=dict)
    entries: dict[int, int] = field(default_factory=dict)
    hidden: set[tuple[int, int, int]] = field(default_factory=set)


def parties(championship: Championship, numbers: Numbers, *, private: bool) -> Iterator[dict[str, Any]]:
    """The parties by number. What a blind second entry must not see is left out, unless it is private."""
    results = Result.objects.select_related("document").defer("verdict").prefetch_related("scores").order_by("version")
    more: list[Prefetch[Any] | str] = []
    if private:
        results = results.prefetch_related(
            Prefetch("second_entries", SecondEntry.objects.select_related("document").order_by("id"))
        )
        disputes = Dispute.objects.prefetch_related("messages").order_by("id")
        attempts = Attempt.objects.select_related("document").order_by("id")
        more = [Prefetch("manches__disputes", disputes), Prefetch("attempts", attempts)]
    rows = (
        Partie.objects.filter(championship=championship)
        .prefetch_related(
            Prefetch("seats", Seat.objects.prefetch_related("stand_ins").order_by("label")),
            Prefetch("manches", Manche.objects.order_by("number")),
            Prefetch("manches__results", results),
            *more,
        )
        .order_by("number")
    )
    hides = not private and championship.confirmation == Confirmation.SECOND_ENTRY
    for partie in rows.iterator(chunk_size=_AT_ONCE):
        yield _partie(partie, championship if hides else None, numbers, private=private)


def _partie(partie: Partie, hiding: Championship | None, numbers: Numbers, *, private: bool) -> dict[str, Any]:
    names = ("number", "round", "opened_at", "status", "closed_how", "reason", "closed_at")
    said = _columns(partie, *names, "postponed_at", "postponed_reason") | {"table": partie.table_number}
    labels = {seat.pk: seat.label for seat in partie.seats.all()}
    said["seats"] = [_seat(seat, numbers) for seat in partie.seats.all()]
    said["manches"] = []
    for manche in partie.manches.all():
        results = list(manche.results.all())
        shown = _shown(results, hiding)
        numbers.hidden |= {(partie.number, manche.number, one.version) for one in results if one not in shown}
        said["manches"].append(_manche(manche, shown, labels, private=private))
    if private:
        said["attempts"] = [
            dumped.ATTEMPT.written(
                _columns(one, "code", "verdict", "at", "by_side")
                | {"manche": one.number, "document": _document(one.document)}
            )
            for one in partie.attempts.all()
        ]
    return dumped.PARTIE.written(said)


def _shown(results: Sequence[Result], hiding: Championship | None) -> list[Result]:
    """The versions that everybody may see, as `league.selectors.blind` says."""
    current = next((one.state for one in results if one.state != ResultState.SUPERSEDED), None)
    if hiding is None or not hides_figures(hiding, current):
        return list(results)
    return [one for one in results if one.confirmed_at is not None]


def _seat(seat: Seat, numbers: Numbers) -> dict[str, Any]:
    stand_ins = [
        dumped.STAND_IN.written(_columns(one, "position", "reason", "at") | {"player": numbers.players[one.player_id]})
        for one in seat.stand_ins.all()
    ]
    return dumped.SEAT.written(
        _columns(seat, "label", "forfeited_at", "forfeit_reason")
        | {
            "entry": numbers.entries[seat.entry_id],
            "partner": None if seat.partner_id is None else numbers.entries[seat.partner_id],
            "stand_ins": stand_ins,
        }
    )


def _manche(manche: Manche, results: Sequence[Result], labels: dict[int, str], *, private: bool) -> dict[str, Any]:
    versions = {one.pk: one.version for one in results}
    said = _columns(manche, "number", "voided_at", "void_reason")
    said["results"] = [_result(one, versions, labels, private=private) for one in results]
    if private:
        said["disputes"] = [
            dumped.DISPUTE.written(
                _columns(one, "opened_at", "side", "closed_at", "decision")
                | {
                    "version": versions[one.result_id],
                    "messages": [
                        dumped.MESSAGE.written(_columns(message, "text", "at", "side"))
                        for message in one.messages.all()
                    ],
                }
            )
            for one in manche.disputes.all()
        ]
    return dumped.MANCHE.written(said)


_OF_RESULT: Final = (
    "version",
    "state",
    "kind",
    "end",
    "at",
    "reason",
    "claim_ok",
    "settled_how",
    "settled_reason",
    "by_side",
    "confirmed_at",
    "confirmed_side",
    "acknowledged",
)
_OF_SCORE: Final = ("points", "km", "coups_fourres", "won", "penalty", "penalty_reason")


def _result(result: Result, versions: dict[int, int], labels: dict[int, str], *, private: bool) -> dict[str, Any]:
    said = _columns(result, *_OF_RESULT)
    said["replaces"] = versions.get(result.supersedes_id or 0)
    said["document"] = _document(result.document)
    scores = sorted(result.scores.all(), key=lambda score: labels[score.seat_id])
    said["scores"] = [
        dumped.SCORE.written(_columns(one, *_OF_SCORE) | {"label": labels[one.seat_id]}) for one in scores
    ]
    if private:
        said["second_entries"] = [
            dumped.SECOND_ENTRY.written(
                _columns(one, "agrees", "at", "by_side") | {"document": _document(one.document)}
            )
            for one in result.second_entries.all()
        ]
    return dumped.RESULT.written(said)


def _document(document: Document) -> dict[str, Any]:
    """The bytes as they came: as text where they are UTF-8, which gives them back one by one, else in Base64."""
    said = _columns(document, "sha256", "media", "received_at")
    body = bytes(document.body)
    try:
        said["text"] = body.decode()
    except UnicodeDecodeError:
        said["base64"] = base64.b64encode(body).decode()
    return dumped.DOCUMENT.written(said)


def _columns(row: Model, *names: str) -> dict[str, Any]:
    """Columns of a row as JSON has them: times in ISO 8601."""
    found = {name: getattr(row, name) for name in names}
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in found.items()}
