"""From a dump `championnat/1` to the document that ranks its championship: `classement/1`, or `etapes/1` with stages.

Every document that counts is judged again: what a side had comes from its log or sheet, not from the numbers beside
it; only what people ruled (penalties, forfeits, what is void) is read as it is written. Nothing of a partie is kept but
its figures.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from scoring.dump_judging import Rules, figures_of, judge_result, rules_of
from scoring.dump_stream import DumpError, Part, parts_of, read_parts
from scoring.ranking_reader import FORMAT as CLASSEMENT
from scoring.ranking_shapes import At, path
from scoring.stage_assembly import BegunStage, DrawnRound, Facts, half_of_scheduled, stages_document
from scoring.verdicts import Judged

ENTRY_PENALISED: Final = "entry-penalised"
_KEYS: Final = ("scale", "best_n", "minimum")

Judge = Callable[[Mapping[str, Any], At, Sequence[str], Rules], Judged | None]
"""Judges a result at its path, of a partie with these labels; None: it is left out."""


def dump_document(chunks: Iterable[bytes], up_to_round: int | None = None) -> dict[str, Any]:
    """What the bytes of a dump are ranked from; raises `DumpError`."""
    return gather(read_parts(chunks)).ranking_document(up_to_round)


def document_of(dump: dict[str, Any]) -> dict[str, Any]:
    """What a dump is ranked from that was decoded as a whole; raises `DumpError`."""
    return gather(parts_of(dump)).ranking_document()


def gather(parts: Iterable[Part]) -> "Gathered":
    """All that a ranking needs of a dump; raises `DumpError`."""
    gathered = Gathered()
    for part in parts:
        gathered.take(part, judge_result)
    return gathered


@dataclass(slots=True)
class Gathered:
    """What a ranking needs of a dump, taken part by part in the order of the format."""

    championship: dict[str, Any] = field(default_factory=dict)
    rules: Rules | None = None
    entries: dict[int, dict[str, Any]] = field(default_factory=dict)
    players: set[int] = field(default_factory=set)
    stages: dict[int, BegunStage] = field(default_factory=dict)
    drawn: dict[int, DrawnRound] = field(default_factory=dict)
    rounds: set[int] = field(default_factory=set)
    byes: list[dict[str, int]] = field(default_factory=list)
    parties: dict[int, dict[str, Any]] = field(default_factory=dict)
    opened: dict[int, datetime] = field(default_factory=dict)
    penalised: dict[int, datetime] = field(default_factory=dict)
    journal: list[tuple[int, int | None]] = field(default_factory=list)
    """Of each line its position and the round of its partie, None where it is about no partie."""

    def take(self, part: Part, judge: Judge) -> None:
        """Take one part. Raises `DumpError` where it points at what is not there."""
        takes = {
            "championship": self._championship,
            "players": self._player,
            "entries": self._entry,
            "stages": self._stage,
            "rounds": self._round,
            "byes": self._bye,
            "journal": self._line,
        }
        if part.name == "parties":
            self._partie(part, judge)
        elif part.name in takes:
            takes[part.name](part)

    def ranking_document(self, up_to_round: int | None = None) -> dict[str, Any]:
        """`classement/1`, or `etapes/1` where the championship has stages that have begun.

        Where the secret is not in the dump, lots are left aside, as in what a site shows before the end. `up_to_round`:
        only the results of rounds up to it.
        """
        whole = self._table(up_to_round)
        if not self.stages:
            return whole
        return stages_document(
            whole,
            Facts(
                stages=[self._copy(stage) for _, stage in sorted(self.stages.items())],
                drawn=self.drawn,
                opened=lambda rounds: {number: self.opened[number] for number in rounds if number in self.opened},
                penalised=lambda entries: self.penalised,
                half=self._half if self._needs_half else None,
            ),
            up_to_round,
        )

    @staticmethod
    def _copy(stage: BegunStage) -> BegunStage:
        """For one document: those who came late are put into it there."""
        return BegunStage(
            stage.number,
            stage.name,
            is_knockout=stage.is_knockout,
            pools=stage.pools,
            advance=stage.advance,
            carries_over=stage.carries_over,
            started_at=stage.started_at,
            members=dict(stage.members),
        )

    @property
    def _needs_half(self) -> bool:
        return self.championship["primary"] == "mean_points" and self.championship["minimum"] is None

    def _half(self, parties: Sequence[Mapping[str, Any]]) -> int:
        if self.championship["partie_end"] != "manches":
            return 0
        return half_of_scheduled(parties, self.championship["partie_end_value"] or 0)

    def _table(self, up_to_round: int | None) -> dict[str, Any]:
        said = self.championship
        parties = [one for _, one in sorted(self.parties.items()) if up_to_round is None or one["round"] <= up_to_round]
        tie_breaks = said["tie_breaks"]
        if said["secret"] is None:
            tie_breaks = [key for key in tie_breaks if key != "draw"]
        whole: dict[str, Any] = {
            "format": CLASSEMENT,
            "table": said["table_entries"],
            "decided_by": said["decided_by"],
            "primary": said["primary"],
            "tie_breaks": tie_breaks,
            **{name: said[name] for name in _KEYS if said[name] is not None},
        }
        if "draw" in tie_breaks:
            whole["secret"] = said["secret"]
        if self._needs_half:
            whole["minimum"] = self._half(parties)
        whole["entries"] = [one for _, one in sorted(self.entries.items())]
        whole["parties"] = parties
        byes = sorted(self.byes, key=lambda bye: (bye["round"], bye["entry"]))
        whole["byes"] = [bye for bye in byes if up_to_round is None or bye["round"] <= up_to_round]
        return whole

    def _championship(self, part: Part) -> None:
        self.championship = part.value
        self.rules = rules_of(part.value)

    def _player(self, part: Part) -> None:
        _fresh(part.value["number"], self.players, (*part.at, "number"))
        self.players.add(part.value["number"])

    def _entry(self, part: Part) -> None:
        said = part.value
        _fresh(said["number"], self.entries, (*part.at, "number"))
        for place, number in enumerate(said["players"]):
            _known(number, self.players, (*part.at, "players", place), "player")
        for place, number in enumerate(said["substitutes"]):
            _known(number, self.players, (*part.at, "substitutes", place), "player")
        entry = {"number": said["number"], "name": said["name"]}
        if said["penalty"]:
            entry["penalty"] = said["penalty"]
        if said["withdrawn_at"] is not None:
            entry["withdrawn"] = True
        self.entries[said["number"]] = entry

    def _stage(self, part: Part) -> None:
        said = part.value
        _fresh(said["number"], self.stages, (*part.at, "number"))
        members: dict[int, int | None] = {}
        in_order = sorted(enumerate(said["entries"]), key=lambda one: one[1]["seed"])
        for place, member in in_order:
            _known(member["entry"], self.entries, (*part.at, "entries", place, "entry"), "entry")
            _fresh(member["entry"], members, (*part.at, "entries", place, "entry"))
            members[member["entry"]] = member["pool"]
        if not members:
            return  # it has not begun
        self.stages[said["number"]] = BegunStage(
            said["number"],
            said["name"],
            is_knockout=said["format"] == "knockout",
            pools=said["pools"],
            advance=said["table_qualify"],
            carries_over=said["carry_over"] == "qualified",
            started_at=_time(said["started_at"]),
            members=members,
        )

    def _round(self, part: Part) -> None:
        said = part.value
        _fresh(said["number"], self.rounds, (*part.at, "number"))
        self.rounds.add(said["number"])
        if said["stage"] is not None and said["status"] != "draft":
            self.drawn[said["number"]] = DrawnRound(said["stage"], _pairing(said["pairing"], (*part.at, "pairing")))

    def _bye(self, part: Part) -> None:
        _known(part.value["entry"], self.entries, (*part.at, "entry"), "entry")
        self.byes.append({"round": part.value["round"], "entry": part.value["entry"]})

    def _line(self, part: Part) -> None:
        said = part.value
        partie = self.parties.get(said["partie"])
        self.journal.append((said["position"], partie["round"] if partie else None))
        if said["what"] == ENTRY_PENALISED and said["entry"] is not None:
            at = _time(said["at"])
            assert at is not None
            self.penalised[said["entry"]] = max(at, self.penalised.get(said["entry"], at))

    def _partie(self, part: Part, judge: Judge) -> None:
        said = part.value
        number, round_ = said["number"], said["round"]
        _fresh(number, self.parties, (*part.at, "number"))
        seats = self._seats(part)
        labels = [seat["label"] for seat in seats]
        by_label = {seat["label"]: seat["entry"] for seat in seats}
        assert self.rules is not None  # the championship comes before its parties
        manches: list[dict[str, Any]] = []
        for at, manche in _in_order(said["manches"], (*part.at, "manches"), "number"):
            counts = manche["voided_at"] is None
            for here, result in _in_order(manche["results"], (*at, "results"), "version"):
                if counts and result["state"] == "confirmed":
                    judged = judge(result, here, labels, self.rules)
                    if judged is not None:
                        manches.append(_manche(result, judged, by_label))
            _require_one_current(manche["results"], at)
        partie: dict[str, Any] = {"number": number, "round": round_, **self._sitting(seats), "manches": manches}
        forfeits = [seat["entry"] for seat in seats if seat["forfeited_at"] is not None]
        if forfeits:
            partie["forfeits"] = forfeits
        if said["status"] != "closed":
            partie["status"] = said["status"]
        self.parties[number] = partie
        opened = _time(said["opened_at"])
        assert opened is not None
        self.opened[round_] = min(opened, self.opened.get(round_, opened))

    def _seats(self, part: Part) -> list[dict[str, Any]]:
        seats: list[dict[str, Any]] = part.value["seats"]
        labels: set[str] = set()
        for place, seat in enumerate(seats):
            at = (*part.at, "seats", place)
            _fresh(seat["label"], labels, (*at, "label"))
            labels.add(seat["label"])
            for who in ("entry", "partner"):
                if seat[who] is not None:
                    _known(seat[who], self.entries, (*at, who), "entry")
            for inner, one in enumerate(seat["stand_ins"]):
                _known(one["player"], self.players, (*at, "stand_ins", inner, "player"), "player")
        return sorted(seats, key=lambda seat: str(seat["label"]))

    def _sitting(self, seats: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        teams = [[seat["entry"]] + ([seat["partner"]] if seat["partner"] is not None else []) for seat in seats]
        if self.championship["ranks"] == "players" and any(len(team) > 1 for team in teams):
            return {"teams": teams}
        return {"entries": [seat["entry"] for seat in seats]}


def _manche(result: Mapping[str, Any], judged: Judged, by_label: Mapping[str, int]) -> dict[str, Any]:
    """The manche as `classement/1` has it; points are those after what the referee takes off."""
    penalties = {score["label"]: score["penalty"] for score in result["scores"]}
    manche: dict[str, Any] = {"points": {}, "km": {}, "winner": None, "coups_fourres": {}}
    for label, number in by_label.items():
        found, entry = figures_of(judged, label), str(number)
        if found.points is None:
            manche.pop("points", None)  # a rulebook without points
        else:
            manche["points"][entry] = found.points - penalties.get(label, 0)
        manche["km"][entry] = found.km
        manche["coups_fourres"][entry] = found.coups_fourres
        if found.won:
            manche["winner"] = number
    return manche


def _require_one_current(results: Sequence[Mapping[str, Any]], at: At) -> None:
    standing = [result for result in results if result["state"] != "superseded"]
    if len(standing) > 1:
        raise DumpError("bad-dump", path((*at, "results")), "has two results that stand")
    versions = {result["version"] for result in results}
    for place, result in enumerate(results):
        before = result["replaces"]
        if before is not None and (before not in versions or before >= result["version"]):
            raise DumpError("bad-dump", path((*at, "results", place, "replaces")), "is no version before this one")


def _in_order(found: Sequence[dict[str, Any]], at: At, by: str) -> list[tuple[At, dict[str, Any]]]:
    seen: set[int] = set()
    for place, one in enumerate(found):
        _fresh(one[by], seen, (*at, place, by))
        seen.add(one[by])
    return sorted((((*at, place), one) for place, one in enumerate(found)), key=lambda one: int(one[1][by]))


def _pairing(pairing: dict[str, Any], at: At) -> dict[str, Any]:
    """Of what was drawn, the tables, which say what a partie is played for."""
    tables = pairing.get("tables", [])
    if type(tables) is not list or not all(type(one) is dict and type(one.get("number")) is int for one in tables):
        raise DumpError("bad-dump", path((*at, "tables")), "is no list of tables with numbers")
    return {"tables": tables}


def _time(said: str | None) -> datetime | None:
    return None if said is None else datetime.fromisoformat(said)


def _fresh(number: object, taken: Container[object], at: At) -> None:
    if number in taken:
        raise DumpError("bad-dump", path(at), f"is {number} a second time")


def _known(number: object, known: Container[object], at: At, what: str) -> None:
    if number not in known:
        raise DumpError("bad-dump", path(at), f"is {number}, the number of no {what}")
