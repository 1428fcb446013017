"""A manche, as everybody may see it: its score line by line, its versions with their reasons, its moves."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from engine.notation import to_document
from engine.steps import Step, steps
from engine.text_notation import ConversionError, to_text
from league.errors import NotFound
from league.models import Kind, Manche, Media, PartieStatus, Result, ResultScore, Seat
from league.seating import seat_labels
from league.selectors.blind import hides_figures, is_shown
from league.selectors.side_names import side_name
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
    id: int = 0
    external_id: str | None = None
    """What programs call it; None but where league.selectors.own_ids has looked it up."""
    is_blind: bool = False
    """Whether a result stands that is not shown: a second person enters the manche without seeing the first."""

    @property
    def current(self) -> ResultView | None:
        """The result that stands, or None while the manche is awaited."""
        return next((version for version in self.versions if version.state != "superseded"), None)

    @property
    def called(self) -> list[tuple[str, str]]:
        """The seats in order of play, each with its side's name."""
        return [(seat, self.teams[seat[0].upper()][1]) for seat in self.seats]

    @property
    def takes_results(self) -> bool:
        """Whether its partie still plays it, or there is something to correct (RULES 13)."""
        return takes_results(self.partie_status, self.is_blind or self.current is not None)


def takes_results(partie_status: str, has_result: bool) -> bool:
    """Whether a manche of such a partie can take a result: the first one, or a correction (RULES 13)."""
    return partie_status == PartieStatus.OPEN or (partie_status == PartieStatus.CLOSED and has_result)


def manche_view(*, manche: Manche, inside: bool = False) -> MancheView:
    """A manche that `addresses.manche_at` found, in three queries.

    `inside`: also what is hidden from whoever may be the second to enter it (`league.selectors.blind`).
    """
    partie = manche.partie
    seats = list(Seat.objects.filter(partie=partie).select_related("entry__team", "partner__team").order_by("label"))
    results = list(
        Result.objects.filter(manche=manche)
        .select_related("document")
        .defer("document__body")
        .prefetch_related("scores")
        .order_by("-version")
    )
    by_id = {seat.pk: seat for seat in seats}
    current = next((result for result in results if result.current_of_id), None)
    state = current.state if current else None
    if not inside:
        results = [result for result in results if is_shown(partie.championship, result, state)]
    return MancheView(
        partie=partie.number,
        number=manche.number,
        status=manche.status_with(current),
        partie_status=partie.status,
        void_reason=manche.void_reason,
        seats=seat_labels([seat.label for seat in seats], partie.championship.players_per_team, manche.number),
        teams={seat.label: (seat.entry.number, side_name(seat)) for seat in seats},
        versions=[_result_view(result, by_id) for result in results],
        id=manche.pk,
        is_blind=not inside and hides_figures(partie.championship, state),
    )


def document_of(*, manche: Manche, version: int) -> tuple[bytes, str]:
    """The bytes of a version's document as they came, and their writing (`json` or `text`). Raises NotFound."""
    result = _shown(manche, version)
    return bytes(result.document.body), result.document.media


def _shown(manche: Manche, version: int) -> Result:
    rows = Result.objects.filter(manche=manche, version=version).select_related("document", "manche__current_result")
    result = rows.defer("verdict", "manche__current_result__verdict").first()
    if result is None:
        raise NotFound
    current = result.manche.current
    if not is_shown(manche.partie.championship, result, current.state if current else None):
        raise NotFound
    return result


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
    result = _shown(manche, version)
    if result.kind != Kind.LOG:
        raise NotFound(message=_("This version came as a score sheet: only a log has moves."))
    body = bytes(result.document.body)
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
        team=side_name(seat),
        lines=sorted(score.lines.items(), key=lambda line: _LINE_ORDER[line[0]]),
        points=score.points,
        penalty=score.penalty,
        penalty_reason=score.penalty_reason,
        total=score.total,
        km=score.km,
        coups_fourres=score.coups_fourres,
        won=score.won,
    )
