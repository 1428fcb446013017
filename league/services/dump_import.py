"""A championship from a dump `championnat/1`, taken in as a whole or not at all (docs/dump.md).

Read in one pass and written in lots, so that a dump of any length needs little memory. Every document is judged again.
What a dump leaves out of what a site keeps is made here: who did what is not known here, so nobody is named.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import DataError, IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import Conflict, UserFault
from league.models import (
    Absence,
    AuditEntry,
    Bye,
    Championship,
    Club,
    LiveRanking,
    Membership,
    PublishedRanking,
    PublishedRow,
    ResultEvent,
    Role,
    Round,
    Stage,
    StageEntry,
)
from league.policy import Actor
from league.services import audit, journal
from league.services.dump_columns import fitted
from league.services.dump_parties import Judges, ReadPartie, Rows, make_parties, read_partie, when
from league.services.dump_people import People, club_of, frozen_names, make_entries, make_players
from league.services.settings_of_play import faults
from scoring.dump_format import COLUMNS
from scoring.dump_reader import Gathered
from scoring.dump_stream import DumpError, Part, read_parts
from scoring.kept_rows import computed
from scoring.ranking_document import RankingError
from scoring.ranking_shapes import At, path
from scoring.verdicts import Judged

_AT_ONCE: Final = 1000
_PARTIES_AT_ONCE: Final = 100
_OTHERWISE: Final = frozenset({"club", "secret", "secret_sha256", "journal_position"})


@dataclass(frozen=True, slots=True)
class Imported:
    """What came in. `known_players`: those who were here already; `has_secret`: whether lots stay as they were."""

    championship: Championship
    entries: int
    players: int
    known_players: int
    results: int
    attempts: int
    has_secret: bool


def import_championship(*, actor: Actor, dump: Iterable[bytes], slug: str = "") -> Imported:
    """Take in the championship of a dump, which then belongs to the actor; under the address `slug` if one is given.

    Raises Conflict `imported-already`, `slug-taken`; UserFault with the `code` of what is wrong in the dump
    (`malformed`, `bad-dump`, `sha256-differs`, `document-refused`, `document-does-not-fit`, `score-differs`,
    `kind-differs`, `end-differs`, `same-player`, `contradiction`, `bad-ranking`) and its path as `field`.
    """
    if actor.user is None:
        raise ValueError("a championship needs an owner")
    try:
        with transaction.atomic():
            return _Import(actor, slug).read(dump)
    except RankingError as fault:
        message = _("This dump cannot be taken in: %(at)s %(why)s.")
        raise UserFault(
            fault.code, message % {"at": fault.at or "", "why": fault.why}, field=fault.at, extra=fault.as_data()
        ) from fault


@dataclass(slots=True)
class _Digested:
    """Chunks of bytes, counted into a digest as they are read."""

    chunks: Iterable[bytes]
    digest: Any = field(default_factory=hashlib.sha256)

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            self.digest.update(chunk)
            yield chunk


class _Import:
    """One dump under way: part by part, in the order of the format."""

    def __init__(self, actor: Actor, slug: str) -> None:
        assert actor.user is not None  # a championship needs an owner
        self._actor, self._owner = actor, actor.user
        self._slug = slug
        self._championship = Championship()
        self._secret_in_dump = False
        self._clubs: dict[str, Club] = {}
        self._people = People()
        self._rows = Rows()
        self._stages: dict[int, int] = {}
        self._gathered = Gathered()
        self._position = 0

    def read(self, dump: Iterable[bytes]) -> Imported:
        """Write all of it. Raises `DumpError`, `RankingError`, Conflict."""
        digested = _Digested(dump)
        for name, parts in _lots(read_parts(digested)):
            take = getattr(self, f"_take_{name}", None)
            if name != "parties":
                for part in parts:
                    self._gathered.take(part, _never)
            if take is not None:
                self._held(take, name, parts)
        return self._finished(digested.digest.hexdigest())

    def _held(self, take: Any, name: str, parts: Sequence[Part]) -> None:
        """What the database refuses is a fault of the dump."""
        try:
            with transaction.atomic():
                take(parts)
        except (IntegrityError, DataError) as fault:
            at = path(parts[0].at) if len(parts) == 1 else name
            raise DumpError("contradiction", at, f"does not hold together: {fault}") from fault

    def _take_championship(self, parts: Sequence[Part]) -> None:
        said, at = parts[0].value, parts[0].at
        slug = self._slug or said["slug"]
        self._refuse_taken(slug)
        values = {name: value for name, value in said.items() if name not in _OTHERWISE} | {"slug": slug}
        self._championship = Championship(
            **fitted(Championship, values, at),
            club=club_of(self._actor, said["club"], (*at, "club"), self._clubs),
            secret=self._secret(said),
            created_by=self._owner,
        )
        for fault in faults(self._championship):
            field = (fault.field or "").removesuffix("_id")
            where = path((*at, field) if field else at)
            raise DumpError("bad-dump", where, f"is not possible: {fault.message}")
        self._championship.save(force_insert=True)
        Membership.objects.create(user=self._owner, championship=self._championship, role=Role.OWNER)

    def _refuse_taken(self, slug: str) -> None:
        present = Championship.objects.filter(slug=slug).first()
        if present is None:
            return
        before = AuditEntry.objects.filter(championship=present, action="import_championship").first()
        if before is not None:
            message = _("The championship at the address %(slug)s was imported already, on %(at)s.")
            raise Conflict("imported-already", message % {"slug": slug, "at": f"{before.at:%Y-%m-%d}"}, field="slug")
        message = _("There is a championship at the address %(slug)s already: choose another address for this one.")
        raise Conflict("slug-taken", message % {"slug": slug}, field="slug")

    def _secret(self, said: Mapping[str, Any]) -> str:
        secret: str | None = said["secret"]
        self._secret_in_dump = secret is not None
        if secret is None:
            return secrets.token_hex(32)
        if hashlib.sha256(secret.encode()).hexdigest() != said["secret_sha256"]:
            raise DumpError("sha256-differs", "championship.secret_sha256", "is not that of the secret")
        return secret

    def _take_players(self, parts: Sequence[Part]) -> None:
        make_players(self._actor, parts, self._clubs, self._people)

    def _take_entries(self, parts: Sequence[Part]) -> None:
        make_entries(self._championship, parts, self._people)

    def _take_stages(self, parts: Sequence[Part]) -> None:
        for part in parts:
            values = {name: value for name, value in part.value.items() if name != "entries"}
            stage = Stage.objects.create(championship=self._championship, **fitted(Stage, values, part.at))
            self._stages[stage.number] = stage.pk
            StageEntry.objects.bulk_create(
                StageEntry(
                    stage=stage,
                    entry_id=self._people.entries[one["entry"]],
                    **fitted(StageEntry, {"pool": one["pool"], "seed": one["seed"]}, (*part.at, "entries", place)),
                )
                for place, one in enumerate(part.value["entries"])
            )

    def _take_rounds(self, parts: Sequence[Part]) -> None:
        for part in parts:
            values = {name: value for name, value in part.value.items() if name not in ("stage", "at")}
            stage = part.value["stage"]
            if stage is not None and stage not in self._stages:
                raise DumpError("bad-dump", path((*part.at, "stage")), f"is {stage}, the number of no stage")
            Round.objects.create(
                championship=self._championship,
                stage_id=None if stage is None else self._stages[stage],
                **fitted(Round, values | when(part.value), part.at),
            )

    def _take_absences(self, parts: Sequence[Part]) -> None:
        Absence.objects.bulk_create(self._of_round(Absence, part) for part in parts)

    def _take_byes(self, parts: Sequence[Part]) -> None:
        Bye.objects.bulk_create(self._of_round(Bye, part) for part in parts)

    def _of_round(self, model: Any, part: Part) -> Any:
        entry = self._entry(part.value["entry"], (*part.at, "entry"))
        values = fitted(model, {"round": part.value["round"]} | when(part.value), part.at)
        return model(championship=self._championship, entry_id=entry, **values)

    def _entry(self, number: int, at: At) -> int:
        if number not in self._people.entries:
            raise DumpError("bad-dump", path(at), f"is {number}, the number of no entry")
        return self._people.entries[number]

    def _take_parties(self, parts: Sequence[Part]) -> None:
        read: list[ReadPartie] = []
        for part in parts:
            judges = Judges()
            self._gathered.take(part, judges)  # what it points at first, and what counts
            assert self._gathered.rules is not None
            read.append(read_partie(part, self._gathered.rules, judges))
        make_parties(self._championship, read, self._people, self._rows)

    def _take_journal(self, parts: Sequence[Part]) -> None:
        ResultEvent.objects.bulk_create(self._line(part) for part in parts)

    def _line(self, part: Part) -> ResultEvent:
        said = part.value
        self._position += 1
        if said["position"] != self._position:
            raise DumpError("bad-dump", path((*part.at, "position")), f"is not {self._position}, which comes next")
        partie, manche, version = said["partie"], said["manche"], said["version"]
        entry = None if said["entry"] is None else self._entry(said["entry"], (*part.at, "entry"))
        rows, at = self._rows, part.at
        values = {name: said[name] for name in ("position", "what", "reason", "at")}
        return ResultEvent(
            championship=self._championship,
            partie_id=_pointed(rows.parties, partie, (*at, "partie"), known=partie),
            manche_id=_pointed(rows.manches, (partie, manche), (*at, "manche"), known=manche),
            result_id=_pointed(rows.results, (partie, manche, version), (*at, "version"), known=version),
            entry_id=entry,
            **fitted(ResultEvent, values, at),
        )

    def _take_published(self, parts: Sequence[Part]) -> None:
        for part in parts:
            values = {name: value for name, value in part.value.items() if name != "rows"}
            ranking = PublishedRanking.objects.create(
                championship=self._championship,
                row_count=len(part.value["rows"]),
                **fitted(PublishedRanking, values, part.at),
            )
            PublishedRow.objects.bulk_create(
                (self._row(ranking, row, (*part.at, "rows", place)) for place, row in enumerate(part.value["rows"])),
                batch_size=500,
            )

    def _row(self, ranking: PublishedRanking, row: Mapping[str, Any], at: At) -> PublishedRow:
        entry = self._entry(row["entry"], (*at, "entry"))
        name, players = frozen_names(row, self._people)
        values = {"number": row["entry"], "name": name, "players": players}
        values |= {column: row[column] for column in COLUMNS}
        return PublishedRow(ranking=ranking, entry_id=entry, **fitted(PublishedRow, values, at))

    def _finished(self, sha256: str) -> Imported:
        """The journal's end, the mark that the ranking is due, the audit: and a last look whether it can be ranked."""
        championship, said = self._championship, self._gathered.championship
        if self._position != said["journal_position"]:
            why = f"is {said['journal_position']}, and the journal ends at {self._position}"
            raise DumpError("bad-dump", "championship.journal_position", why)
        computed(self._gathered.ranking_document())
        LiveRanking.objects.create(championship=championship, keys=championship.ranking_keys)
        championship.journal_position = self._position
        championship.ranking_due_since = timezone.now() if self._position else None
        championship.save(update_fields=["journal_position", "ranking_due_since"])
        found = Imported(
            championship,
            entries=len(self._people.entries),
            players=len(self._people.players),
            known_players=len(self._people.known),
            results=len(self._rows.results),
            attempts=self._rows.attempts,
            has_secret=self._secret_in_dump,
        )
        audit.record(
            actor=self._actor,
            action="import_championship",
            on=championship,
            championship=championship,
            after={
                "slug": championship.slug,
                "sha256": sha256,
                "entries": found.entries,
                "made": found.players - found.known_players,
            },
        )
        transaction.on_commit(lambda: journal.wake(championship.pk), robust=True)
        return found


def _lots(parts: Iterable[Part]) -> Iterator[tuple[str, list[Part]]]:
    """Parts of one member together, as many as are written at once; the players, and the entries, all of them."""
    lot: list[Part] = []
    for part in parts:
        most = {"parties": _PARTIES_AT_ONCE, "players": 1 << 30, "entries": 1 << 30}.get(part.name, _AT_ONCE)
        if lot and (lot[0].name != part.name or len(lot) >= most):
            yield lot[0].name, lot
            lot = []
        lot.append(part)
    if lot:
        yield lot[0].name, lot


def _pointed(rows: Mapping[Any, int], at_row: Any, at: At, *, known: int | None) -> int | None:
    """The primary key of what a line of the journal points at."""
    if known is None:
        return None
    if at_row not in rows:
        raise DumpError("bad-dump", path(at), f"is {known}, and there is none")
    return rows[at_row]


def _never(*_: Any) -> Judged | None:
    raise AssertionError("only parties have documents")
