"""`python -m scoring rank`: what it reads, what it prints, how it ends (STANDINGS 7)."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice, repeat
from pathlib import Path

import pytest

from engine.simulate import simulate
from engine.text_notation import to_text
from scoring.json_stream import json_documents
from scoring.rankings import rank_any
from scoring.standings import rank
from tests.scoring.ranking_documents import Document, bye, document, partie

ROOT = Path(__file__).parents[2]

GOOD = document(
    [{"number": 1, "name": "Zoé"}, {"number": 2, "name": "Ana"}, {"number": 3, "name": "Ana", "withdrawn": True}],
    partie({1: 900, 2: 300}),
    partie({1: 300, 2: 900}),
    byes=[bye(3)],
    tie_breaks=["direct_encounter", "km"],
)
OTHER = document(2, partie({1: 300, 2: 900}), tie_breaks=["km"])
BAD = document(2, partie({1: 300, 2: 900}, forfeits=[3]))


def run(*arguments: str, given: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "scoring", "rank", *arguments],
        cwd=ROOT,
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
        env=os.environ | environment,
    )


def answers(of: subprocess.CompletedProcess[bytes]) -> list[Document]:
    return [json.loads(line) for line in of.stdout.splitlines()]


def raw(of: Document, indent: int | None = None) -> bytes:
    return json.dumps(of, indent=indent, ensure_ascii=False).encode()


REFUSAL = {"code": "bad-ranking", "at": "parties[0].forfeits[0]", "why": "is 3, no entry of this partie"}


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_a_document_on_standard_input(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, given=raw(GOOD))
    assert answers(done) == [rank(GOOD)]
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_a_document_in_a_file_over_one_line_or_many(tmp_path: Path, indent: int | None) -> None:
    file = tmp_path / "classement.json"
    file.write_bytes(raw(GOOD, indent))
    done = run(str(file))
    assert answers(done) == [rank(GOOD)]
    assert done.returncode == 0


def test_many_documents_a_line_each_are_answered_a_line_each() -> None:
    done = run(given=b"\n".join([raw(GOOD), b"", raw(OTHER), raw(GOOD)]))
    assert answers(done) == [rank(GOOD), rank(OTHER), rank(GOOD)]
    assert done.returncode == 0


def test_many_documents_over_many_lines() -> None:
    done = run(given=b"\n".join([raw(GOOD, 0), raw(OTHER), raw(GOOD, 2), raw(BAD, 1)]))
    assert answers(done) == [rank(GOOD), rank(OTHER), rank(GOOD), REFUSAL]
    assert done.returncode == 1


def test_a_document_with_an_entry_and_a_partie_on_each_line_as_people_write_it() -> None:
    written = raw(GOOD).replace(b"[{", b"[\n{").replace(b"}, {", b"},\n{")
    assert b"\n{" in written
    assert answers(run(given=written)) == [rank(GOOD)]


def test_one_refused_of_many_is_answered_in_its_place() -> None:
    done = run(given=b"\n".join([raw(GOOD), raw(BAD), raw(OTHER)]))
    assert answers(done) == [rank(GOOD), REFUSAL, rank(OTHER)]
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_line_that_cannot_be_read_is_answered_in_its_place_and_the_next_are_ranked() -> None:
    done = run(given=b"\n".join([raw(GOOD), b'{"format": ]', raw(BAD), b"\xff", raw(OTHER)]))
    refused = {"code": "bad-ranking", "at": None}
    assert answers(done) == [
        rank(GOOD),
        refused | {"why": "line 2, column 12: this is not JSON: a value is expected"},
        REFUSAL,
        refused | {"why": "line 4, column 1: this is not UTF-8"},
        rank(OTHER),
    ]
    assert done.returncode == 2


@pytest.mark.parametrize(
    "given",
    [
        b"nonsense",
        b"{",
        b'{\n"format": "classement/1",\n',
        b'{\n"name": "\xff"\n}',
        b"[" * 100_000,
        b'"half',
        b"{}{}",
        b'{"a": 1, "a": 2}',
        b"NaN",
        b"9" * 10_000,
        rb'"\ud800"',
        "{}".encode("utf-16"),
    ],
)
def test_one_document_that_cannot_be_read(given: bytes) -> None:
    done = run(given=given)
    (answer,) = answers(done)
    assert (answer["code"], answer["at"]) == ("bad-ranking", None)
    assert (done.returncode, done.stderr) == (2, b"")


def test_a_text_log_is_refused_once_not_line_by_line() -> None:
    log = to_text(simulate("classique", 2, 1, 7)).encode()
    assert log.count(b"\n") > 5
    done = run(given=b"\n" + log)
    (answer,) = answers(done)
    assert answer["why"].startswith("line 2, column 2: this is not JSON")
    assert done.returncode == 2


@pytest.mark.parametrize("given", [b"[]", b"7", b"null", b'"classement/1"', b"{}"])
def test_json_that_is_no_ranking_document_is_refused(given: bytes) -> None:
    assert run(given=given).returncode == 1


@pytest.mark.parametrize("given", [b"", b"\n \r\n\n"])
def test_no_document_at_all(given: bytes) -> None:
    done = run(given=given)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"rank: -: there is no document\n"


def test_a_file_that_is_not_there_or_no_file(tmp_path: Path) -> None:
    for file in (tmp_path / "none.json", tmp_path):
        done = run(str(file))
        assert (done.returncode, done.stdout) == (2, b"")
        assert str(file).encode() in done.stderr
        assert b"Traceback" not in done.stderr


def test_a_byte_order_mark_and_carriage_returns() -> None:
    bom = b"\xef\xbb\xbf"
    assert answers(run(given=bom + raw(GOOD, 1).replace(b"\n", b"\r\n"))) == [rank(GOOD)]
    assert answers(run(given=bom + raw(GOOD) + b"\r\n" + raw(OTHER) + b"\r\n")) == [rank(GOOD), rank(OTHER)]


def test_lines_are_answered_as_they_come_also_after_a_broken_first_one() -> None:
    def endless() -> Iterator[bytes]:
        yield b"broken in the middle"
        yield from repeat(b'{"a": 1}\n')

    first, *rest = islice(json_documents(endless()), 4)
    assert first.error is not None
    assert [found.data for found in rest] == [{"a": 1}] * 3


def test_a_reader_that_has_had_enough_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "many.ndjson"
    file.write_bytes(b"\n".join([raw(GOOD)] * 1000))
    command = [sys.executable, "-m", "scoring", "rank", str(file)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="asks for a device that is full")
def test_answers_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "classement.json"
    file.write_bytes(raw(GOOD))
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "scoring", "rank", str(file)]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"The answers cannot be written: ")
    assert done.stderr.count(b"\n") == 1


STAGES: Document = {
    "format": "etapes/1",
    "stages": [
        {"kind": "ranking", "pools": [document(2, partie({1: 900, 2: 300})), document([{"number": 3, "name": "Zoé"}])]},
        {
            "kind": "knockout",
            "table": 2,
            "decided_by": "points",
            "entries": [{"number": 1, "name": "E1"}, {"number": 3, "name": "Zoé"}],
            "parties": [{"number": 1, "place": 1, **partie({1: 100, 3: 200}, round=1)}],
        },
    ],
}
CIRCUIT: Document = {
    "format": "circuit/1",
    "by": "player",
    "points": [5, 2],
    "entries": [{"number": 1, "name": "Ana"}, {"number": 2, "name": "Zoé"}, {"number": 3, "name": "Eloi"}],
    "championships": [{"number": 1, "results": [{"rank": 1, "entries": [2, 3]}, {"rank": 2, "entries": []}]}],
}


@pytest.mark.parametrize("indent", [None, 0, 1])
def test_stages_and_circuits_are_answered_among_tables(indent: int | None) -> None:
    done = run(given=b"\n".join([raw(STAGES, indent), raw(GOOD), raw(CIRCUIT, indent)]))
    assert answers(done) == [rank_any(STAGES), rank(GOOD), rank_any(CIRCUIT)]
    assert done.returncode == 0


def test_stages_and_circuits_that_do_not_fit_are_refused() -> None:
    done = run(given=raw(STAGES | {"stages": []}) + b"\n" + raw(CIRCUIT | {"best_n": 0}))
    assert [(answer["code"], answer["at"]) for answer in answers(done)] == [
        ("bad-ranking", "stages"),
        ("bad-ranking", "best_n"),
    ]
    assert done.returncode == 1


# --explain


def test_explained_for_people() -> None:
    done = run("--explain", given=raw(GOOD), PYTHONIOENCODING="utf-8")
    assert done.returncode == 0
    passed = "level in match points: 2; level in direct encounter among Ana (2), Zoé: 1; level in kilometres: 1200"
    assert done.stdout.decode().splitlines() == [
        "  1.  Ana (2): match points 2, kilometres 1200",
        f"      level with Zoé: level in all keys ({passed})",
        "  1.  Zoé (1): match points 2, kilometres 1200",
        "   -  Ana (3), withdrawn: match points 2, kilometres 0",
    ]


def test_explained_stages_and_a_circuit() -> None:
    done = run("--explain", given=raw(STAGES) + b"\n" + raw(CIRCUIT), PYTHONIOENCODING="utf-8")
    passed = "level in points of the circuit: 5; level in places (how often × place): 1 × 1"
    assert done.stdout.decode().splitlines() == [
        "  1.  Zoé (3), stage 2: round reached 1, place played for 1",
        "      above E1: place played for: 1 against 2 (level in round reached: 1)",
        "  2.  E1 (1), stage 2: round reached 1, place played for 2",
        "      above E2: stage reached: 2 against 1",
        "  3.  E2 (2), stage 1, pool 1: rank in the pool 2, match points a partie 0",
        "",
        "  1.  Eloi (3): points of the circuit 5, places (how often × place) 1 × 1",
        f"      level with Zoé: level in all keys ({passed})",
        "  1.  Zoé (2): points of the circuit 5, places (how often × place) 1 × 1",
        "      above Ana: points of the circuit: 5 against 0",
        "  3.  Ana (1): points of the circuit 0, places (how often × place) -",
    ]


def test_explained_stages_say_who_is_out_of_the_ranking() -> None:
    withdrawn = document([{"number": 1, "name": "Ana", "withdrawn": True}], primary="mean_points", minimum=2)
    few = document([{"number": 2, "name": "Zoé"}], primary="mean_points", minimum=2)
    stages = {"format": "etapes/1", "stages": [{"kind": "ranking", "pools": [withdrawn, few]}]}
    done = run("--explain", given=raw(stages), PYTHONIOENCODING="utf-8")
    assert done.stdout.decode().splitlines() == [
        "   -  Zoé (2), stage 1, pool 2, under the minimum: rank in the pool -, match points a partie -",
        "   -  Ana (1), stage 1, pool 1, withdrawn: rank in the pool -, match points a partie -",
    ]


def test_explained_a_row_without_value_under_the_minimum_and_a_refusal() -> None:
    under = document(1, primary="mean_points", minimum=2)
    done = run("--explain", given=raw(under) + b"\n" + raw(BAD) + b"\n}")
    assert done.stdout.decode().splitlines() == [
        "   -  E1 (1), under the minimum with 0 manches: points a manche -",
        "",
        "Refused: parties[0].forfeits[0] is 3, no entry of this partie.",
        "",
        "Unreadable: line 3, column 1: this is not JSON: a value is expected.",
    ]
    assert done.returncode == 2


def test_explained_a_name_steers_no_terminal_and_needs_no_alphabet_of_it() -> None:
    of = document([{"number": 1, "name": "Zo\x1b[2Jé"}])
    assert "Zo\ufffd[2Jé".encode() in run("--explain", given=raw(of), PYTHONIOENCODING="utf-8").stdout
    assert rb"Zo\ufffd[2J\xe9" in run("--explain", given=raw(of), PYTHONIOENCODING="ascii").stdout


def test_wrong_usage() -> None:
    assert run("one.json", "two.json").returncode == 2
    assert run("--unknown").returncode == 2
    said = run("--help").stdout
    assert all(name in said for name in (b"classement/1", b"etapes/1", b"circuit/1"))
