"""A dump is ranked and checked from its documents, read piece by piece, and refused with the place of its fault."""

import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.dump_reader import document_of, dump_document
from scoring.dump_stream import DumpError, is_dump, parts_of, read_parts
from scoring.dump_verify import Verification, verify
from scoring.kept_rows import computed
from scoring.rankings import rank_any
from scoring.standings import rank
from scoring.verdicts import judge_document
from tests.scoring.dump_cases import AT, Dump, document, dump, partie, result, sheet


def raw(whole: Dump) -> bytes:
    return json.dumps(whole).encode()


def live(whole: Dump) -> dict[str, Any]:
    """The live ranking that a site would have beside it."""
    rows = computed(document_of(whole)).rows
    return {
        "journal_position": 2,
        "keys": {},
        "rows": json.loads(json.dumps([{"entry": entry, **columns} for entry, columns in rows.items()])),
    }


def checked(whole: Dump) -> tuple[list[tuple[str, str | None]], Verification]:
    found = Verification()
    return [(one.code, one.at) for one in verify(read_parts([raw(whole)]), found)], found


class TestDocument:
    """What a dump is ranked from."""

    def test_it_is_what_one_writes_by_hand_from_the_sheets(self) -> None:
        found = dump_document([raw(dump())])
        points = judge_document(json.loads(dump()["parties"][2]["manches"][0]["results"][0]["document"]["text"]))
        assert found["parties"][:2] == [
            {
                "number": 1,
                "round": 1,
                "entries": [1, 2],
                "manches": [
                    {
                        "points": {"1": 1350, "2": 475},
                        "km": {"1": 1000, "2": 475},
                        "winner": 1,
                        "coups_fourres": {"1": 0, "2": 0},
                    }
                ],
            },
            {
                "number": 2,
                "round": 2,
                "entries": [3, 1],
                "manches": [
                    {
                        "points": {"3": 1400, "1": 300},
                        "km": {"3": 1000, "1": 300},
                        "winner": 3,
                        "coups_fourres": {"3": 0, "1": 0},
                    }
                ],
            },
        ]
        assert found["parties"][2]["manches"][0]["points"] == {
            "2": points["score"]["A"]["total"],
            "3": points["score"]["B"]["total"],
        }
        assert found["byes"] == [{"round": 1, "entry": 3}]
        assert rank_any(dump()) == rank(found)

    def test_scores_come_from_the_documents_and_not_from_the_numbers_beside_them(self) -> None:
        false = dump()
        for partie_ in false["parties"]:
            for score in partie_["manches"][0]["results"][-1]["scores"]:
                score |= {"points": 9999, "km": 25, "won": False}
        assert document_of(false) == document_of(dump())

    def test_what_does_not_count_is_left_out(self) -> None:
        whole = dump()
        whole["parties"][0]["manches"][0] |= {"voided_at": AT, "void_reason": "Cards missing"}
        whole["parties"][1]["manches"][0]["results"][0]["state"] = "pending"
        assert [one["manches"] for one in document_of(whole)["parties"][:2]] == [[], []]

    def test_without_the_secret_no_lots_are_drawn(self) -> None:
        whole = dump()
        whole["championship"]["tie_breaks"] = ["draw"]
        assert (document_of(whole)["tie_breaks"], "secret" in document_of(whole)) == ([], False)
        whole["championship"]["secret"] = "s1"
        assert (document_of(whole)["tie_breaks"], document_of(whole)["secret"]) == (["draw"], "s1")

    def test_as_of_a_round(self) -> None:
        assert [one["number"] for one in dump_document([raw(dump())], 2)["parties"]] == [1, 2]

    def test_in_a_mêlée_a_side_has_two(self) -> None:
        whole = dump()
        whole["championship"] |= {"ranks": "players", "players_per_team": 2}
        pair = {**sheet(475), "players_per_team": 2}
        whole["players"].append({"number": 4, "name": "Eloi"})
        whole["entries"].append({"number": 4, "name": "Eloi", "players": [4]})
        whole["parties"] = [partie(1, (1, 2), result(pair))]
        for seat, partner in zip(whole["parties"][0]["seats"], (3, 4), strict=True):
            seat["partner"] = partner
        whole["byes"] = []
        (found,) = document_of(whole)["parties"]
        assert found["teams"] == [[1, 3], [2, 4]]
        assert found["manches"][0]["winner"] == 1


class TestStream:
    """Bytes in whatever chunks, the same pieces."""

    @pytest.mark.parametrize("indent", [None, 1])
    def test_chunks_of_any_size_give_the_same(self, indent: int | None) -> None:
        whole = dump()
        text = json.dumps(whole, indent=indent, ensure_ascii=False).encode()
        expected = list(parts_of(whole))
        rng = random.Random(4)
        for _ in range(20):
            assert list(read_parts(chunks(text, rng))) == expected

    def test_only_the_piece_under_way_is_kept(self) -> None:
        """The first entry is known before the last one is read."""
        text = raw(dump())
        asked: list[int] = []

        def slowly() -> Iterator[bytes]:
            for at in range(0, len(text), 10):
                asked.append(at)
                yield text[at : at + 10]
            yield b" " * (1 << 22)
            asked.append(-1)

        pieces = read_parts(slowly())
        next(pieces)
        assert -1 not in asked

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (b"", "{ is expected"),
            (b"[]", "{ is expected"),
            (b'{"format" "championnat/1"}', ": is expected"),
            (b'{"format": "championnat/1"} x', "something follows"),
            (b'{"format": "championnat/1", "made": {"at": 1, "at": 2}}', "a key stands twice"),
            (b'{"format": "championnat/1", "made": {"at": NaN}}', "NaN is no number"),
            (b'{"format": "championnat/1", "format": "championnat/1"}', "stands twice"),
            (b'{"format": "championnat/1", 3: 4}', "a name is expected"),
            (b'{"format": "championnat/1", "made": ' + b"[" * 100_000, "nested too deeply"),
            (b'{"format": "championnat/1\xff"}', "not UTF-8"),
        ],
    )
    def test_what_is_no_json(self, text: bytes, why: str) -> None:
        with pytest.raises(DumpError, match=why) as raised:
            list(read_parts([text]))
        assert raised.value.code == "malformed"

    def test_a_fault_of_form_says_its_line_and_the_piece(self) -> None:
        text = json.dumps(dump(), indent=1).replace('"Zoé"', "Zoé").replace('"Zo\\u00e9"', "Zoe")
        line = text.splitlines().index('   "name": Zoe') + 1
        with pytest.raises(DumpError) as raised:
            list(read_parts([text.encode()]))
        assert (raised.value.at, f"line {line}:" in raised.value.why) == ("players[1]", True)

    def test_a_dump_is_known_by_its_first_member(self) -> None:
        assert is_dump(raw(dump()))
        assert is_dump(b'\xef\xbb\xbf{\n  "format" : "championnat/1",')
        assert not is_dump(b'{"format": "classement/1"')


def chunks(text: bytes, rng: random.Random) -> Iterator[bytes]:
    at = 0
    while at < len(text):
        size = rng.choice((1, 2, 3, 50, 5000))
        yield text[at : at + size]
        at += size


def _set(*path: Any, **to: Any) -> Callable[[Dump], None]:
    def change(whole: Dump) -> None:
        inside: Any = whole
        for step in path:
            inside = inside[step]
        inside.update(to)

    return change


OTHER = json.dumps(sheet(475, turned=True))
LAST = ("parties", 1, "manches", 0, "results", 0)
LAST_AT = "parties[1].manches[0].results[0]"


class TestRefused:
    """With a code and a place."""

    @pytest.mark.parametrize(
        ("change", "code", "at"),
        [
            (_set("entries", 1, number=1), "bad-dump", "entries[1].number"),
            (_set("entries", 1, players=[9]), "bad-dump", "entries[1].players[0]"),
            (_set("parties", 1, number=1), "bad-dump", "parties[1].number"),
            (_set("parties", 1, "seats", 0, label="E"), "bad-dump", "parties[1].seats[0].label"),
            (_set("parties", 1, "seats", 0, label="B"), "bad-dump", "parties[1].seats[1].label"),
            (_set("byes", 0, entry=8), "bad-dump", "byes[0].entry"),
            (_set("championship", rulebook="poker"), "bad-dump", "championship.rulebook"),
            (_set("championship", house={"joker": 1}), "bad-dump", "championship.house"),
            (_set("championship", secret_sha256="f"), "bad-dump", "championship.secret_sha256"),
            (_set(*LAST, "document", text="{}"), "sha256-differs", f"{LAST_AT}.document.sha256"),
            (_set(*LAST, document=document("{}")), "document-refused", f"{LAST_AT}.document"),
            (_set(*LAST, document=document(OTHER, "text")), "bad-dump", f"{LAST_AT}.document.media"),
            (
                _set(*LAST, document=document(OTHER.replace("classique", "moderne"))),
                "document-does-not-fit",
                f"{LAST_AT}.document",
            ),
            (
                _set(*LAST, document=document(json.dumps({**sheet(475), "house": {"capot": 0}}))),
                "document-does-not-fit",
                f"{LAST_AT}.document",
            ),
            (
                _set(*LAST, document=document(json.dumps({**sheet(475), "players_per_team": 2}))),
                "document-does-not-fit",
                f"{LAST_AT}.document",
            ),
            (_set(*LAST, "document", text=None), "bad-dump", f"{LAST_AT}.document"),
            (_set(*LAST, "document", text=None, base64="§"), "bad-dump", f"{LAST_AT}.document.base64"),
        ],
    )
    def test_where_it_does_not_hold(self, change: Callable[[Dump], None], code: str, at: str) -> None:
        whole = dump()
        change(whole)
        with pytest.raises(DumpError) as raised:
            dump_document([raw(whole)])
        assert (raised.value.code, raised.value.at) == (code, at)

    @pytest.mark.parametrize("name", ["made", "championship", "players", "entries", "parties", "journal"])
    def test_what_is_missing(self, name: str) -> None:
        whole = dump()
        del whole[name]
        with pytest.raises(DumpError) as raised:
            document_of(whole)
        assert (raised.value.code, raised.value.at) == ("bad-dump", name)


class TestVerify:
    """Every score and every ranking, held against what is written."""

    def test_nothing_differs(self) -> None:
        whole = dump()
        whole["live"] = live(whole)
        differences, found = checked(whole)
        assert differences == []
        assert (found.results, found.live, found.differences) == (4, True, 0)

    @pytest.mark.parametrize(
        ("change", "code", "at"),
        [
            (_set(*LAST, "scores", 1, points=5), "score-differs", f"{LAST_AT}.scores[1].points"),
            (_set(*LAST, "scores", 1, km=5), "score-differs", f"{LAST_AT}.scores[1].km"),
            (_set(*LAST, "scores", 1, won=True), "score-differs", f"{LAST_AT}.scores[1].won"),
            (_set(*LAST, "scores", 0, label="B"), "score-differs", f"{LAST_AT}.scores"),
            (_set(*LAST, kind="log"), "kind-differs", f"{LAST_AT}.kind"),
            (_set(*LAST, end="interrupted"), "end-differs", f"{LAST_AT}.end"),
            (_set("live", "rows", 0, rank=2), "ranking-differs", "live.rows[0].rank"),
            (_set("live", "rows", 0, "values", match_points="7"), "ranking-differs", "live.rows[0].values"),
            (_set("live", "rows", 2, entry=3), "ranking-differs", "live.rows"),
        ],
    )
    def test_one_thing_that_was_tampered_with_is_found(
        self, change: Callable[[Dump], None], code: str, at: str
    ) -> None:
        whole = dump()
        whole["live"] = live(whole)
        change(whole)
        differences, found = checked(whole)
        assert differences == [(code, at)]
        assert found.live is not at.startswith("live")

    def test_an_old_version_is_looked_at_too(self) -> None:
        whole = dump()
        whole["parties"][0]["manches"][0]["results"][0]["scores"][0]["points"] = 1
        assert checked(whole)[0] == [("score-differs", "parties[0].manches[0].results[0].scores[0].points")]

    def test_another_document_moves_the_ranking_as_well(self) -> None:
        whole = dump()
        whole["live"] = live(whole)
        forged = copy.deepcopy(whole)
        forged["parties"][1]["manches"][0]["results"][0] |= {"document": document(OTHER)}
        codes = [code for code, _ in checked(forged)[0]]
        assert codes.count("score-differs") == 6
        assert "ranking-differs" in codes

    def test_a_published_version_is_computed_again_unless_something_has_changed_since(self) -> None:
        whole = dump()
        rows = [row | {"name": "N", "players": []} for row in live(whole)["rows"]]
        version = {"label": "L", "rules_version": "1", "keys": {}, "at": AT, "rows": rows}
        whole["published"] = [
            version | {"number": 1, "journal_position": 2},
            version | {"number": 2, "journal_position": 1},
        ]
        differences, found = checked(whole)
        assert (differences, found.published, found.changed_since) == ([], [1], [2])
        whole["published"][0] = copy.deepcopy(whole["published"][0])
        whole["published"][0]["rows"][1]["standing"] = "withdrawn"
        assert checked(whole)[0] == [("ranking-differs", "published[0].rows[1].standing")]

    def test_where_lots_decide_and_the_secret_is_not_there_any_order_of_the_level_fits(self) -> None:
        whole = dump(byes=[], parties=[])
        whole["championship"] |= {"tie_breaks": ["draw"], "secret": "s1"}
        whole["live"] = live(whole)
        assert checked(whole)[0] == []
        assert sorted(row["rank"] for row in whole["live"]["rows"]) == [1, 2, 3]
        whole["live"]["rows"][0]["rank"], whole["live"]["rows"][1]["rank"] = 2, 1
        assert checked(whole)[0] != []
        del whole["championship"]["secret"]
        differences, found = checked(whole)
        assert (differences, found.lots) == ([], False)
        whole["live"]["rows"][0]["rank"] = 4
        assert checked(whole)[0] == [("ranking-differs", "live.rows[0].rank")]


class TestCommands:
    """`rank` and `verify`."""

    def run(self, *arguments: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-m", "scoring", *arguments], input=given, capture_output=True, check=False
        )

    def test_rank_reads_a_dump_from_a_file_or_a_pipe(self, tmp_path: Path) -> None:
        file = tmp_path / "dump.json"
        file.write_text(json.dumps(dump(), indent=2))
        from_file = self.run("rank", str(file))
        assert (from_file.returncode, json.loads(from_file.stdout)) == (0, rank_any(dump()))
        assert self.run("rank", given=raw(dump())).stdout == from_file.stdout
        assert b"Zo\xc3\xa9" in self.run("rank", "--explain", str(file)).stdout

    def test_rank_refuses_with_the_place(self) -> None:
        whole = dump()
        whole["parties"][1]["manches"][0]["results"][0]["document"]["text"] = "{}"
        refused = self.run("rank", given=raw(whole))
        answer = json.loads(refused.stdout)
        assert (refused.returncode, answer["code"]) == (1, "sha256-differs")
        assert answer["at"] == f"{LAST_AT}.document.sha256"
        assert self.run("rank", given=raw(dump())[:-30]).returncode == 2

    def test_verify_exits_with_1_where_something_differs(self) -> None:
        assert self.run("verify", given=raw(dump())).returncode == 0
        whole = dump()
        whole["parties"][1]["manches"][0]["results"][0]["scores"][0]["points"] = 1500
        found = self.run("verify", given=raw(whole))
        lines = [json.loads(line) for line in found.stdout.splitlines()]
        assert found.returncode == 1
        assert lines[0] == {
            "code": "score-differs",
            "at": f"{LAST_AT}.scores[0].points",
            "written": 1500,
            "found": 1400,
        }
        assert lines[1]["differences"] == 1
        said = self.run("verify", "--explain", given=raw(whole)).stdout.decode()
        assert f"{LAST_AT}.scores[0].points is written as 1500, and comes to 1400." in said

    def test_verify_exits_with_2_where_it_cannot_be_read(self) -> None:
        assert self.run("verify", given=b"{}").returncode == 2
        missing = self.run("verify", "no such file")
        assert (missing.returncode, missing.stderr.startswith(b"verify: no such file: ")) == (2, True)
        assert self.run("verify", given=b"[FV] text").stdout.startswith(b'{"code": "malformed"')
