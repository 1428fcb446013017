"""Replaying and scoring hand logs, beside decoding them: one core, nothing but the engine and scoring."""

import json
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from bench.found import Found, Held, interleaved
from engine.notation import to_document
from engine.replay import judge
from engine.simulate import simulate
from scoring.points import score

NAME = "replay"
WHAT = "replay and score 800 simulated closed logs of classique, against json.loads of the same"

EACH = 400
ROUNDS = 9
SLICE = 50
LIMIT, AIM = 5.0, 3.0


def run() -> Found:
    """Judge and score decoded logs of tables 2×1 and 2×2; in seconds of the processor, whatever else it does."""
    logs = [simulate("classique", 2, players, seed) for seed in range(EACH) for players in (1, 2)]
    texts = [json.dumps(to_document(log)) for log in logs]
    documents = [json.loads(text) for text in texts]
    slices = [slice(start, start + SLICE) for start in range(0, len(logs), SLICE)]
    medians = interleaved(
        ROUNDS,
        clock=time.process_time,
        json_loads=[partial(_decode, texts[some]) for some in slices],
        replay_and_score=[partial(_replay, documents[some]) for some in slices],
    )
    ratio = medians["replay_and_score"] / medians["json_loads"]
    return Found(
        medians=medians,
        held={"replay_and_score / json_loads": Held(ratio, LIMIT, AIM)},
        figures={"hands a second": len(logs) / medians["replay_and_score"]},
    )


def _decode(texts: Sequence[str]) -> None:
    for text in texts:
        json.loads(text)


def _replay(documents: Sequence[Any]) -> None:
    for document in documents:
        found = judge(document)
        assert found.outcome is not None
        assert found.rulebook is not None
        score(found.outcome, found.rulebook)
