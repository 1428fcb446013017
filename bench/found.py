"""What a measurement finds, and how it times."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


class Missing(Exception):  # noqa: N818 — a machine without a server is no error
    """What a measurement needs is not on this machine: it is skipped, and named."""


@dataclass(frozen=True, slots=True)
class Held:
    """A figure that is held against a limit; `aim` is what we should like it to be."""

    figure: float
    limit: float
    aim: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether the limit is exceeded."""
        return self.figure > self.limit


@dataclass(frozen=True, slots=True)
class Found:
    """`medians` are seconds, `figures` anything else worth saying; `held` are the figures that have limits."""

    medians: Mapping[str, float]
    held: Mapping[str, Held]
    figures: Mapping[str, float] = field(default_factory=dict)

    def as_document(self) -> dict[str, Any]:
        """In JSON's types."""
        held = {
            name: {"figure": one.figure, "limit": one.limit, "aim": one.aim, "over": one.is_over}
            for name, one in self.held.items()
        }
        return {"medians": dict(self.medians), "figures": dict(self.figures), "held": held}


def interleaved(
    rounds: int, *, clock: Callable[[], float] = time.perf_counter, **runs: Sequence[Callable[[], Any]]
) -> dict[str, float]:
    """The median seconds of each run: `rounds` times all of them, after one round that is not counted.

    A run is a sequence of parts; the parts of all runs are done in turn, so that whatever else the machine does
    meanwhile falls on all of them. The garbage collector waits, so that nobody pays for another's garbage.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(rounds + 1):
        taken = dict.fromkeys(runs, 0.0)
        for parts in zip(*runs.values(), strict=True):
            for name, part in zip(runs, parts, strict=True):
                taken[name] += timed(part, clock)
        for name in runs if turn else ():
            seconds[name].append(taken[name])
    return {name: statistics.median(all_taken) for name, all_taken in seconds.items()}


def timed(part: Callable[[], Any], clock: Callable[[], float] = time.perf_counter) -> float:
    """The seconds that something takes, once."""
    gc.collect()
    gc.disable()
    try:
        started = clock()
        part()
        return clock() - started
    finally:
        gc.enable()
