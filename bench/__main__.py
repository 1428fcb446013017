"""`python -m bench [NAME…]`: measure, print, and write build/bench.json."""

import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from bench import batch, hand_in_http, lists, not_modified, pairing, ranking_pages, replay
from bench.found import Found, Missing

OUT: Final = Path(__file__).resolve().parent.parent / "build" / "bench.json"


class Measurement(Protocol):
    """A module that measures something."""

    NAME: str
    WHAT: str
    run: Callable[[], Found]


MEASUREMENTS: Final[tuple[Measurement, ...]] = (
    replay,
    pairing,
    hand_in_http,
    batch,
    not_modified,
    lists,
    ranking_pages,
)


def main(names: list[str]) -> None:
    """Run the measurements of these names, or all; an unknown name ends the program with the list of those known."""
    known = {measurement.NAME: measurement for measurement in MEASUREMENTS}
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"no measurement is called {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    answers: dict[str, Any] = {}
    over: list[str] = []
    for name in names or known:
        print(f"\n{name}: {known[name].WHAT}", flush=True)
        try:
            found = known[name].run()
        except Missing as missing:
            print(f"  SKIPPED: {missing}")
            answers[name] = {"skipped": str(missing)}
            continue
        answers[name] = found.as_document()
        _print(found)
        over += [f"{name}: {figure}" for figure, held in found.held.items() if held.is_over]
    _write(answers)
    if over:
        print("\n!!! OVER THE LIMIT !!!\n" + "\n".join(f"  {line}" for line in over), file=sys.stderr)


def _print(found: Found) -> None:
    for name, seconds in found.medians.items():
        print(f"  {name:<56}{_duration(seconds):>14}")
    for name, figure in found.figures.items():
        print(f"  {name:<56}{figure:>14,.1f}")
    for name, held in found.held.items():
        aim = f", aim {held.aim:g}" if held.aim is not None else ""
        print(f"  {name:<56}{held.figure:>14.2f}   limit {held.limit:g}{aim}{'   !!! OVER' if held.is_over else ''}")


def _duration(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds >= 1 else f"{seconds * 1000:.3f} ms"


def _write(answers: dict[str, Any]) -> None:
    """Beside what was measured before: some measurements may be run alone."""
    before = json.loads(OUT.read_text(encoding="utf-8"))["measurements"] if OUT.exists() else {}
    document = {"python": platform.python_version(), "machine": platform.machine(), "measurements": before | answers}
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(f"\nwritten to {OUT.relative_to(OUT.parent.parent)}")


if __name__ == "__main__":
    main(sys.argv[1:])
