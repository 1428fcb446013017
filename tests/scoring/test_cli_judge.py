"""`python -m scoring judge`: what it reads, what it prints, how it ends."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.cards import KM
from engine.messages import CARD_NAMES
from engine.notation import to_document
from engine.simulate import simulate
from engine.text_notation import to_text
from scoring.__main__ import main
from scoring.progress import Progress
from scoring.verdicts import judge_bytes, judge_document
from tests.scoring.sheet_cases import sheet

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "scoring", "judge"]
LOG = simulate("classique", 2, 1, 7)
LOGS = [json.dumps(to_document(simulate("classique", 2, 1, seed))) for seed in range(20)]


def run(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, input=given, capture_output=True, timeout=60, check=False)


def verdicts(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def write(path: Path, text: str) -> str:
    path.write_text(text, "utf-8", newline="")
    return str(path)


@pytest.fixture
def mixed(tmp_path: Path) -> list[str]:
    """A log in text, one over many lines of JSON, and many documents one a line, all valid."""
    return [
        write(tmp_path / "hand.bornes", to_text(LOG)),
        write(tmp_path / "hand.json", json.dumps(to_document(LOG), indent=2)),
        write(tmp_path / "many.ndjson", f"{json.dumps(sheet())}\n\n{LOGS[0]}\n"),
    ]


def test_files_of_every_kind_are_answered_in_order(mixed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", *mixed]) == 0
    text, pretty, first, second = verdicts(capsys.readouterr().out)
    assert [(answer["file"], answer["line"]) for answer in (text, pretty, first, second)] == [
        (mixed[0], 1),
        (mixed[1], 1),
        (mixed[2], 1),
        (mixed[2], 3),
    ]
    bare = {key: value for key, value in first.items() if key not in ("file", "line")}
    assert bare == judge_document(sheet())
    assert text["score"] == pretty["score"] == judge_bytes(to_text(LOG).encode())["score"]


def test_a_refusal_is_said_in_english_beside_its_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = to_document(LOG._replace(moves=["a1:FV", "b1:FR>A", "a1:100"], deck=None))
    main(["judge", write(tmp_path / "many.ndjson", f"{json.dumps(log)}\n{json.dumps(sheet({'km': 975}))}")])
    stopped, short = verdicts(capsys.readouterr().out)
    assert stopped["why"]["text"] == ("Team A does not roll: Red light lies on its battle pile and wants Green light.")
    assert stopped["why"]["sentence"] != stopped["why"]["text"]
    assert [why["text"] for why in short["why"]] == [
        "No team stands on 1000 km: correct a distance, or the end of the manche."
    ]


def test_refused_documents_end_with_1_and_keep_their_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = LOGS[0][:200]
    file = write(tmp_path / "many.ndjson", "\n".join([LOGS[0], broken, json.dumps(sheet(end="won")), LOGS[1]]))
    assert main(["judge", file]) == 1
    answers = verdicts(capsys.readouterr().out)
    assert [answer["valid"] for answer in answers] == [True, False, False, True]
    assert (answers[1]["code"], answers[1]["line"], answers[1]["why"]["line"]) == ("malformed-log", 2, 2)
    assert answers[2]["faults"] == [["malformed-sheet", None]]


@pytest.mark.parametrize("unreadable", ["missing", "directory", "empty"])
def test_an_unreadable_file_ends_with_2_and_the_others_are_answered(
    unreadable: str, tmp_path: Path, mixed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = {
        "missing": str(tmp_path / "missing.json"),
        "directory": str(tmp_path),
        "empty": write(tmp_path / "empty.ndjson", " \n\n"),
    }[unreadable]
    refused = write(tmp_path / "refused.json", "{}")
    assert main(["judge", file, refused, mixed[0]]) == 2
    captured = capsys.readouterr()
    assert [answer["valid"] for answer in verdicts(captured.out)] == [False, True]
    assert captured.err.startswith(f"judge: {file}: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [(), ("-",)])
def test_standard_input_is_read_with_a_dash_or_nothing(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, given=f"\ufeff{json.dumps(sheet())}\r\n{LOGS[0]}".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert [(answer["file"], answer["line"]) for answer in verdicts(done.stdout.decode())] == [("-", 1), ("-", 2)]


def test_bytes_that_are_no_text_at_all_are_refused() -> None:
    done = run(given=bytes(range(256)))
    assert (done.returncode, done.stderr) == (1, b"")
    assert verdicts(done.stdout.decode())[0]["code"] == "malformed-log"


def explained(document: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    main(["judge", "--explain", write(tmp_path / "one.json", json.dumps(document))])
    return capsys.readouterr().out.replace(str(tmp_path / "one.json"), "one.json")


def test_explain_shows_the_score_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(sheet(claim={"A": 1500, "B": 475}), tmp_path, capsys)
    assert text == (
        "one.json, line 1: score sheet, classique: valid\n"
        "  The target was reached, A wins.\n"
        "                    A       B\n"
        "  Distance       1000     475\n"
        "  Safeties        100       -\n"
        "  Victory         400       -\n"
        "  Without 200     300       -\n"
        "  Total          1800     475\n"
        "  Announced      1500     475\n"
        "  A announced 1500 points, the score comes to 1800. Forgotten, perhaps: Without 200.\n"
    )


def test_explain_shows_distances_where_there_are_no_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(sheet(rulebook="moderne"), tmp_path, capsys)
    assert text.splitlines()[-1].split() == ["Distance", "1000", "475"]


def test_explain_shows_the_state_in_which_a_move_was_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = to_document(LOG._replace(moves=["a1:FV", "b1:FR>A", "a1:100"], deck=None))
    assert explained(log, tmp_path, capsys) == (
        "one.json, line 1: hand log: refused\n"
        "  Move 3, “a1:100” by a1: Team A does not roll: Red light lies on its battle pile and wants "
        "Green light. (stopped, RULES 5)\n"
        "  Before it: a1 to play, 92 cards in the draw pile, to 1000 km.\n"
        "  A: 0 km, stopped by Red light.\n"
        "  B: 0 km, does not roll.\n"
    )


def test_explain_says_of_a_log_that_stops_too_early_where_that_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = explained(to_document(LOG._replace(moves=LOG.moves[:4])), tmp_path, capsys)
    assert text.splitlines()[1].startswith("  At the end of the log: ")
    assert "(incomplete, " in text


def test_explain_shows_the_hand_that_lacks_the_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = LOG.seats[0]
    assert LOG.deck is not None
    hand = {*LOG.deck[0:12:2], LOG.deck[12]}
    lacking = next(card for card in KM if card not in hand)
    text = explained(to_document(LOG._replace(moves=[f"{first}:-{lacking}"])), tmp_path, capsys)
    assert f"{first} does not hold {lacking} km. (not-in-hand, RULES 4)" in text
    line = next(line for line in text.splitlines() if line.startswith(f"  {first} holds: "))
    assert set(line.removesuffix(".").removeprefix(f"  {first} holds: ").split(", ")) == {
        CARD_NAMES[card] for card in hand
    }


def test_explain_says_of_every_fault_of_a_sheet_where_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, *faults = explained(sheet({"km": 990, "n200": -1}), tmp_path, capsys).splitlines()
    assert first == "one.json, line 1: score sheet: refused"
    assert [fault.split()[0] for fault in faults] == ["teams.A.n200,", "teams.A.km,", "end,"]
    assert "(bad-count, RULES 2)" in faults[0]


def test_explain_repeats_no_terminal_controls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "\x1b[2J\u202e\n"
    log = to_document(LOG._replace(rulebook=hostile))
    for document in (log, sheet({"bottes": [hostile]}), sheet(extension=hostile, rulebook="fournier")):
        text = explained(document, tmp_path, capsys)
        assert not {"\x1b", "\u202e"} & set(text)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    file = write(tmp_path / "many.ndjson", "\n".join(LOGS * 50))
    with subprocess.Popen([*COMMAND, file], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as judging:
        assert judging.stdout is not None
        assert judging.stderr is not None
        assert json.loads(judging.stdout.readline())["valid"] is True
        judging.stdout.close()
        assert judging.stderr.read() == b""
        judging.wait(timeout=60)


def test_standard_input_is_answered_at_once_and_an_interrupt_is_quiet() -> None:
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)

    def hear_interrupts() -> None:
        """What a shell starts in the background is deaf to them, and so is what that starts."""
        signal.signal(signal.SIGINT, signal.default_int_handler)

    with subprocess.Popen(COMMAND, cwd=ROOT, preexec_fn=hear_interrupts, **pipes) as judging:
        assert judging.stdin is not None
        assert judging.stdout is not None
        assert judging.stderr is not None
        judging.stdin.write(LOGS[0].encode() + b"\n")
        judging.stdin.flush()
        assert json.loads(judging.stdout.readline())["valid"] is True
        judging.send_signal(signal.SIGINT)
        assert judging.wait(timeout=60) == 130
        assert judging.stderr.read() == b""


PEAK = (
    "import sys; from scoring.__main__ import main; status = main(sys.argv[1:]); "
    "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')), file=sys.stderr); "
    "sys.exit(status)"
)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux for the peak of a process's memory")
def test_many_logs_are_judged_in_constant_memory(tmp_path: Path) -> None:
    def peak(lines: int) -> int:
        """Peak memory of a process that judges so many logs, in KiB."""
        file = write(tmp_path / "many.ndjson", "\n".join(LOGS * (lines // len(LOGS))))
        done = subprocess.run(
            [sys.executable, "-c", PEAK, "judge", file],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=120,
            check=True,
        )
        return int(done.stderr)

    few = peak(2_000)
    assert peak(20_000) < few + 3_000  # the file alone grows by 27,000


def judge_on_a_terminal(file: str) -> str:
    """What the command writes to standard error where that is a terminal."""
    screen, terminal = pty.openpty()
    try:
        subprocess.run([*COMMAND, file], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=terminal, timeout=60, check=True)
        os.set_blocking(screen, False)
        return os.read(screen, 100_000).decode()
    finally:
        os.close(terminal)
        os.close(screen)


def test_a_bar_shows_on_a_terminal_and_is_gone_at_the_end(tmp_path: Path) -> None:
    written = judge_on_a_terminal(write(tmp_path / "many.ndjson", "\n".join(LOGS)))
    assert re.match(r"\r\x1b\[K\[#*\.+\] +[0-9]+%  documents: 1", written)
    assert written.endswith("\r\x1b[K")


def test_a_pipe_has_no_bar_and_a_bar_of_unknown_length_only_counts(tmp_path: Path) -> None:
    assert run(write(tmp_path / "many.ndjson", "\n".join(LOGS))).stderr == b""

    class Terminal:
        written = ""

        def write(self, text: str) -> None:
            self.written += text

        def flush(self) -> None: ...

        def isatty(self) -> bool:
            return True

    terminal: Any = Terminal()
    Progress(terminal, 0).step()
    assert terminal.written == "\r\x1b[Kdocuments: 1"
