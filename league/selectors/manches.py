"""A manche, as everybody may see it: its score line by line, its versions with their reasons, its moves."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.notation import to_document
from engine.steps import Step, steps
from engine.text_notation import ConversionError, to_text
from league.errors import NotFound
from league.models import Kind, Manche, Media, PartieStatus, Result, ResultScore, Seat
from league.seating import seat_labels
from scoring.documents import open_bytes
from scoring.points import LINES

_LINE_ORDER = {line.code: place for place, line in enumerate(LINES)}


@dataclass(frozen=True, slots=True)
class ScoreView:
    """What an entry had from a manche. `lines`: code and points in the order of RULES 8; `total` after the penalty."""

    label: str
    number: int
    team: str
    lines: Sequence[tuple[str, int]]
    points: int | None
    penalty: int
    penalty_reason: str
    total: int | None
    km: int
    coups_fourres: int
    won: bool


@dataclass(frozen=True, slots=True)
class ResultView:
    """A version of a result. `media`: the writing of its document, kept under `sha256` as it came."""

    id: int
    version: int
    state: str
    kind: str
    media: str
    sha256: str
    end: str
    claim_ok: bool | None
    verdict: dict[str, Any]
    scores: Sequence[ScoreView]
    reason: str
    settled_how: str
    settled_reason: str
    at: datetime
    confirmed_at: datetime | None


@dataclass(frozen=True, slots=True)
class MancheView:
    """A manche with its versions, the current one first. `seats`: labels in order of play (RULES 13)."""

    partie: int
    number: int
    status: str
    partie_status: str
    void_reason: str
    seats: Sequence[str]
    teams: dict[str, tuple[int, str]]
    """By label: the entry's number and its team's name."""
    versions: Sequence[ResultView]

    @property
    def current(self) -> ResultView | None:
        """The result that stands, or None while the manche is awaited."""
        return next((version for version in self.versions if version.state != "superseded"), None)

    @property
    def takes_results(self) -> bool:
        """Whether its partie still plays it, or there is something to correct (RULES 13)."""
        return takes_results(self.partie_status, self.current is not None)


def takes_results(partie_status: str, has_result: bool) -> bool:
    """Whether a manche of such a partie can take a result: the first one, or a correction (RULES 13)."""
    return partie_status == PartieStatus.OPEN or (partie_status == PartieStatus.CLOSED and has_result)


def manche_view(*, manche: Manche) -> MancheView:
    """A manche that `addresses.manche_at` found, in three queries."""
    partie = manche.partie
    seats = list(Seat.objects.filter(partie=partie).select_related("entry__team").order_by("label"))
    results = list(
        Result.objects.filter(manche=manche)
        .select_related("document")
        .defer("document__body")
        .prefetch_related("scores")
        .order_by("-version")
    )
    by_id = {seat.pk: seat for seat in seats}
    current = next((result for result in results if result.current_of_id), None)
    return MancheView(
        partie=partie.number,
        number=manche.number,
        status=manche.status_with(current),
        partie_status=partie.status,
        void_reason=manche.void_reason,
        seats=seat_labels([seat.label for seat in seats], partie.championship.players_per_team, manche.number),
        teams={seat.label: (seat.entry.number, seat.entry.team.name) for seat in seats},
        versions=[_result_view(result, by_id) for result in results],
    )


def document_of(*, manche: Manche, version: int) -> tuple[bytes, str]:
    """The bytes of a version's document as they came, and their writing (`json` or `text`). Raises NotFound."""
    found = (
        Result.objects.filter(manche=manche, version=version).values_list("document__body", "document__media").first()
    )
    if found is None:
        raise NotFound
    return bytes(found[0]), found[1]


def rewritten(body: bytes, writing: str) -> bytes | None:
    """A log that was recorded in its other writing (RULES 9), `json` or `text`; None for what has no such writing.

    A sheet has no text writing.
    """
    log = open_bytes(body).log
    if log is None:
        return None
    if writing == Media.JSON:
        return json.dumps(to_document(log), ensure_ascii=False).encode()
    try:
        return to_text(log).encode()
    except ConversionError:
        return None


def moves_of(*, manche: Manche, version: int) -> Iterator[Step]:
    """The steps of a version that came as a log, replayed from its bytes. Raises NotFound for a sheet."""
    kind = Result.objects.filter(manche=manche, version=version).values_list("kind", flat=True).first()
    if kind != Kind.LOG:
        raise NotFound
    body, _media = document_of(manche=manche, version=version)
    log = open_bytes(body).log
    assert log is not None  # it was judged valid when it was recorded
    return steps(log)


def _result_view(result: Result, seats: dict[int, Seat]) -> ResultView:
    return ResultView(
        id=result.pk,
        version=result.version,
        state=result.state,
        kind=result.kind,
        media=result.document.media,
        sha256=result.document.sha256,
        end=result.end,
        claim_ok=result.claim_ok,
        verdict=result.verdict,
        scores=sorted(
            (_score_view(score, seats[score.seat_id]) for score in result.scores.all()), key=lambda score: score.label
        ),
        reason=result.reason,
        settled_how=result.settled_how,
        settled_reason=result.settled_reason,
        at=result.at,
        confirmed_at=result.confirmed_at,
    )


def _score_view(score: ResultScore, seat: Seat) -> ScoreView:
    return ScoreView(
        label=seat.label,
        number=seat.entry.number,
        team=seat.entry.team.name,
        lines=sorted(score.lines.items(), key=lambda line: _LINE_ORDER[line[0]]),
        points=score.points,
        penalty=score.penalty,
        penalty_reason=score.penalty_reason,
        total=score.total,
        km=score.km,
        coups_fourres=score.coups_fourres,
        won=score.won,
    )
