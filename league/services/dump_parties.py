"""The parties of a dump, with every version of every result, as rows: many at a time.

Every document is judged again, and must come to the scores that stand beside it: verdicts and score lines are what it
comes to here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.db import DataError, IntegrityError, transaction

from league.models import (
    Attempt,
    Championship,
    Dispute,
    DisputeMessage,
    Document,
    Manche,
    Partie,
    Result,
    ResultScore,
    Seat,
    SecondEntry,
    StandIn,
)
from league.services.dump_columns import fitted
from league.services.dump_people import People
from scoring.documents import open_bytes
from scoring.dump_judging import Rules, bytes_of, differences, judge_result
from scoring.dump_stream import DumpError, Part
from scoring.ranking_shapes import At, path
from scoring.verdicts import Judged, examine

_AT_ONCE: Final = 500
_OF_PARTIE = ("number", "round", "status", "closed_how", "reason", "opened_at", "closed_at")
_OF_RESULT = (
    "version",
    "kind",
    "end",
    "claim_ok",
    "state",
    "reason",
    "settled_how",
    "settled_reason",
    "by_side",
    "at",
    "confirmed_at",
    "confirmed_side",
    "acknowledged",
)
_OF_SCORE = ("points", "km", "coups_fourres", "won", "penalty", "penalty_reason")


@dataclass(slots=True)
class Rows:
    """Primary keys by number: of parties, of manches by (partie, manche), of results by (partie, manche, version)."""

    parties: dict[int, int] = field(default_factory=dict)
    manches: dict[tuple[int, int], int] = field(default_factory=dict)
    results: dict[tuple[int, int, int], int] = field(default_factory=dict)
    attempts: int = 0


@dataclass(slots=True)
class ReadPartie:
    """A partie of a dump whose documents were judged; `judged` by the path of the result."""

    part: Part
    judged: dict[At, Judged]


class Judges:
    """Judges a result once, and holds what its document comes to against what is written."""

    def __init__(self) -> None:
        self.judged: dict[At, Judged] = {}

    def __call__(self, result: Mapping[str, Any], at: At, labels: Sequence[str], rules: Rules) -> Judged:
        """What a document comes to. Raises `DumpError`: what `judge_result` raises, and the code of a difference."""
        if at not in self.judged:
            judged = judge_result(result, at, labels, rules)
            for difference in differences(result, at, judged):
                why = f"is written as {difference.written!r}, and the document comes to {difference.found!r}"
                raise DumpError(difference.code, difference.at, why)
            self.judged[at] = judged
        return self.judged[at]


def read_partie(part: Part, rules: Rules, judges: Judges) -> ReadPartie:
    """Judge all versions of all results of a partie. Raises `DumpError`."""
    labels = sorted(seat["label"] for seat in part.value["seats"])
    if not part.value["manches"]:
        raise DumpError("bad-dump", path((*part.at, "manches")), "is empty: a partie has its first manche")
    for at, manche in _placed(part.at, "manches", part.value["manches"]):
        for inside, result in _placed(at, "results", manche["results"]):
            judges(result, inside, labels, rules)
    return ReadPartie(part, judges.judged)


def make_parties(championship: Championship, read: Sequence[ReadPartie], people: People, rows: Rows) -> None:
    """Write parties. What the database refuses is tried one by one, so that the place of the fault is known.

    Raises `DumpError` `contradiction`.
    """
    try:
        with transaction.atomic():
            _Writing(championship, people, rows).write(read)
    except (IntegrityError, DataError) as fault:
        if len(read) == 1:
            raise DumpError("contradiction", path(read[0].part.at), f"does not hold together: {fault}") from fault
        for one in read:
            make_parties(championship, [one], people, rows)


class _Writing:
    """One lot of parties."""

    def __init__(self, championship: Championship, people: People, rows: Rows) -> None:
        self._championship = championship
        self._people = people
        self._rows = rows

    def write(self, read: Sequence[ReadPartie]) -> None:
        """Write all of them: what others point at first."""
        parties = Partie.objects.bulk_create([self._partie(one.part) for one in read], batch_size=_AT_ONCE)
        by_part = list(zip(read, parties, strict=True))
        self._rows.parties |= {partie.number: partie.pk for partie in parties}
        seats = self._seats(by_part)
        manches = self._manches(by_part)
        self._results(read, manches, seats)
        self._attempts(by_part)

    def _partie(self, part: Part) -> Partie:
        said = part.value
        values = {name: said[name] for name in (*_OF_PARTIE, "postponed_at", "postponed_reason")}
        values["table_number"] = said["table"]
        return Partie(championship=self._championship, **fitted(Partie, values, part.at))

    def _seats(self, by_part: Sequence[tuple[ReadPartie, Partie]]) -> dict[tuple[int, str], int]:
        seats, stand_ins = [], []
        for one, partie in by_part:
            for at, said in _placed(one.part.at, "seats", one.part.value["seats"]):
                values = {name: said[name] for name in ("label", "forfeited_at", "forfeit_reason")}
                partner = None if said["partner"] is None else self._people.entries[said["partner"]]
                entry = self._people.entries[said["entry"]]
                seat = Seat(partie=partie, entry_id=entry, partner_id=partner, **fitted(Seat, values, at))
                seats.append(seat)
                for inside, here in _placed(at, "stand_ins", said["stand_ins"]):
                    named = {"position": here["position"], "reason": here["reason"]} | when(here)
                    values = fitted(StandIn, named, inside)
                    stand_ins.append(StandIn(seat=seat, player=self._people.players[here["player"]], **values))
        Seat.objects.bulk_create(seats, batch_size=_AT_ONCE)
        StandIn.objects.bulk_create(stand_ins, batch_size=_AT_ONCE)
        return {(seat.partie_id, seat.label): seat.pk for seat in seats}

    def _manches(self, by_part: Sequence[tuple[ReadPartie, Partie]]) -> dict[At, Manche]:
        found: dict[At, Manche] = {}
        for one, partie in by_part:
            for at, said in _placed(one.part.at, "manches", one.part.value["manches"]):
                values = {name: said[name] for name in ("number", "voided_at", "void_reason")}
                found[at] = Manche(partie=partie, **fitted(Manche, values, at))
        Manche.objects.bulk_create(found.values(), batch_size=_AT_ONCE)
        self._rows.manches |= {(m.partie.number, m.number): m.pk for m in found.values()}
        return found

    def _results(
        self, read: Sequence[ReadPartie], manches: Mapping[At, Manche], seats: Mapping[tuple[int, str], int]
    ) -> None:
        """Version after version, since each points at the one that it replaces."""
        waiting = [
            _Version((*at, "results", place), said, one.judged[*at, "results", place], manches[at])
            for one in read
            for at, manche in _placed(one.part.at, "manches", one.part.value["manches"])
            for place, said in enumerate(manche["results"])
        ]
        made: dict[tuple[int, int], Result] = {}
        while waiting:
            now = [one for one in waiting if one.replaces is None or one.replaces in made]
            waiting = [one for one in waiting if one.replaces is not None and one.replaces not in made]
            assert now  # the reader has seen that each replaces an earlier version
            documents = self._documents([((*one.at, "document"), one.said["document"]) for one in now])
            results = [_result(one, document, made) for one, document in zip(now, documents, strict=True)]
            Result.objects.bulk_create(results, batch_size=_AT_ONCE)
            for one, result in zip(now, results, strict=True):
                made[result.manche_id, result.version] = result
                self._rows.results[one.manche.partie.number, one.manche.number, result.version] = result.pk
            _write_scores(now, results, seats)
            self._second_entries(now, results)
        self._disputes(read, manches, made)

    def _documents(self, said: Sequence[tuple[At, Mapping[str, Any]]]) -> list[Document]:
        documents = []
        for at, one in said:
            values = {name: one[name] for name in ("sha256", "media", "received_at")}
            documents.append(Document(body=bytes_of(one, at), **fitted(Document, values, at)))
        return Document.objects.bulk_create(documents, batch_size=_AT_ONCE)

    def _second_entries(self, versions: Sequence["_Version"], results: Sequence[Result]) -> None:
        said = [
            (at, one, result)
            for version, result in zip(versions, results, strict=True)
            for at, one in _placed(version.at, "second_entries", version.said["second_entries"])
        ]
        documents = self._documents([((*at, "document"), one["document"]) for at, one, _ in said])
        SecondEntry.objects.bulk_create(
            SecondEntry(
                result=result,
                document=document,
                verdict=examine(open_bytes(bytes(document.body))).verdict,
                **fitted(SecondEntry, {name: one[name] for name in ("agrees", "at", "by_side")}, at),
            )
            for (at, one, result), document in zip(said, documents, strict=True)
        )

    @staticmethod
    def _disputes(
        read: Sequence[ReadPartie], manches: Mapping[At, Manche], made: Mapping[tuple[int, int], Result]
    ) -> None:
        disputes, messages = [], []
        for at, manche, said in (
            (at, manches[of_manche], said)
            for one in read
            for of_manche, whole in _placed(one.part.at, "manches", one.part.value["manches"])
            for at, said in _placed(of_manche, "disputes", whole["disputes"])
        ):
            result = made.get((manche.pk, said["version"]))
            if result is None:
                raise DumpError("bad-dump", path((*at, "version")), f"is {said['version']}, which is no result here")
            values = {name: said[name] for name in ("side", "opened_at", "closed_at", "decision")}
            dispute = Dispute(manche=manche, result=result, **fitted(Dispute, values, at))
            disputes.append(dispute)
            for place, message in enumerate(said["messages"]):
                fitting = fitted(DisputeMessage, message, (*at, "messages", place))
                messages.append(DisputeMessage(dispute=dispute, **fitting))
        Dispute.objects.bulk_create(disputes)
        DisputeMessage.objects.bulk_create(messages)

    def _attempts(self, by_part: Sequence[tuple[ReadPartie, Partie]]) -> None:
        said = [
            (at, attempt, partie)
            for one, partie in by_part
            for at, attempt in _placed(one.part.at, "attempts", one.part.value["attempts"])
        ]
        documents = self._documents([((*at, "document"), one["document"]) for at, one, _ in said])
        Attempt.objects.bulk_create(
            Attempt(
                partie=partie,
                document=document,
                number=one["manche"],
                **fitted(Attempt, {name: one[name] for name in ("code", "verdict", "at", "by_side")}, at),
            )
            for (at, one, partie), document in zip(said, documents, strict=True)
        )
        self._rows.attempts += len(said)


class _Version(NamedTuple):
    """A version of a result: what is said at its path, what its document comes to, and the manche that it is of."""

    at: At
    said: Mapping[str, Any]
    judged: Judged
    manche: Manche

    @property
    def replaces(self) -> tuple[int, int] | None:
        """The manche and the version that it replaces."""
        return None if self.said["replaces"] is None else (self.manche.pk, self.said["replaces"])


def _result(one: _Version, document: Document, made: Mapping[tuple[int, int], Result]) -> Result:
    return Result(
        manche=one.manche,
        current_of=None if one.said["state"] == "superseded" else one.manche,
        document=document,
        verdict=one.judged.verdict,
        supersedes=None if one.replaces is None else made[one.replaces],
        **fitted(Result, {name: one.said[name] for name in _OF_RESULT}, one.at),
    )


def _write_scores(
    versions: Sequence[_Version], results: Sequence[Result], seats: Mapping[tuple[int, str], int]
) -> None:
    rows = []
    for one, result in zip(versions, results, strict=True):
        score = one.judged.score
        for at, said in _placed(one.at, "scores", one.said["scores"]):
            label = said["label"]
            rows.append(
                ResultScore(
                    result=result,
                    seat_id=seats[one.manche.partie_id, label],
                    lines=score[label]["lines"] if score else {},
                    **fitted(ResultScore, {name: said[name] for name in _OF_SCORE}, at),
                )
            )
    ResultScore.objects.bulk_create(rows, batch_size=_AT_ONCE)


def _placed(at: At, name: str, items: Sequence[dict[str, Any]]) -> Iterator[tuple[At, dict[str, Any]]]:
    """The items of a list, each with its path."""
    for place, item in enumerate(items):
        yield (*at, name, place), item


def when(said: Mapping[str, Any]) -> dict[str, Any]:
    """The time of something, where the dump says one: else it is that of the import."""
    return {} if said["at"] is None else {"at": said["at"]}
