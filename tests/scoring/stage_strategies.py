"""Hypothesis strategies for documents `etapes/1` and `circuit/1`: few figures, so that much comes out level."""

from typing import Any

from hypothesis import strategies as st

from tests.scoring.ranking_documents import Document
from tests.scoring.ranking_strategies import NAMES, any_manche, any_partie, entries_of, keys, tables_of


@st.composite
def stages_documents(draw: st.DrawFn) -> Document:
    """Any document that fits: pools and knock-outs in any order, whoever came on, results carried over or not."""
    table, decided_by = draw(st.integers(2, 4)), draw(st.sampled_from(["points", "manches"]))
    everybody = draw(st.lists(st.integers(1, 30), unique=True, max_size=9))
    stages: list[Document] = []
    inside = everybody
    for number in range(draw(st.integers(1, 3))):
        if number:
            inside = [entry for entry in draw(st.permutations(everybody)) if draw(st.booleans())]
        if draw(st.booleans()):
            stages.append(draw(_knockout(inside, table, decided_by)))
            continue
        after_a_table = bool(stages) and stages[-1]["kind"] == "ranking"
        carry_over = st.sampled_from(["none", "qualified"] if after_a_table else ["none"])
        said = draw(st.fixed_dictionaries({}, optional={"carry_over": carry_over, "name": st.just("Finale")}))
        ranked_by = draw(keys(table, decided_by))
        pools = [draw(tables_of(numbers, ranked_by)) for numbers in draw(_pools(inside))]
        stages.append({"kind": "ranking", "pools": pools} | said)
    return {"format": "etapes/1", "stages": stages}


@st.composite
def _pools(draw: st.DrawFn, numbers: list[int]) -> list[list[int]]:
    pools: list[list[int]] = [[] for _ in range(draw(st.integers(1, 3)))]
    for number in numbers:
        draw(st.sampled_from(pools)).append(number)
    return pools


@st.composite
def _knockout(draw: st.DrawFn, numbers: list[int], table: int, decided_by: str) -> Document:
    sizes = [size for size in {table, max(2, table - 1)} if size <= len(numbers)]
    parties = draw(st.lists(_knockout_partie(numbers, sizes), max_size=6)) if sizes else []
    byes = draw(st.lists(st.sampled_from(numbers), max_size=2)) if numbers else []
    said = {"advance": st.integers(1, table - 1), "name": st.just("Finale")}
    return {
        "kind": "knockout",
        "table": table,
        "decided_by": decided_by,
        "entries": draw(entries_of(numbers)),
        "parties": [{"number": place, **partie} for place, partie in enumerate(parties, start=1)],
        "byes": [{"round": 10 + place, "entry": entry} for place, entry in enumerate(byes)],
        **draw(st.fixed_dictionaries({}, optional=said)),
    }


@st.composite
def _knockout_partie(draw: st.DrawFn, numbers: list[int], sizes: list[int]) -> Document:
    partie = draw(any_partie(numbers, sizes)) | {"round": draw(st.integers(1, 4))}
    sides = partie["entries"]
    if draw(st.booleans()):
        partie["place"] = draw(st.sampled_from([1, 1, 3, 5]))
    if draw(st.booleans()):
        among = draw(st.lists(st.sampled_from(sides), min_size=2, unique=True))
        partie["extra"] = draw(any_manche(among)) | {"entries": among}
    alone = [number for number in numbers if number not in sides]
    if len(alone) >= len(sides) and draw(st.booleans()):
        partie["teams"] = [[side, partner] for side, partner in zip(sides, alone, strict=False)]
        del partie["entries"]
    return partie


@st.composite
def circuits(draw: st.DrawFn) -> Document:
    """Any document of a circuit: level places, players of one club in one row, rows of nobody who is ranked."""
    by = draw(st.sampled_from(["player", "club"]))
    numbers = draw(st.lists(st.integers(1, 30), unique=True, max_size=6))
    said: dict[str, Any] = {"best_n": st.integers(1, 3)}
    if by == "club":
        said["best_of_club"] = st.integers(1, 3)
    championships = []
    for number in range(draw(st.integers(0, 4))):
        left = draw(st.permutations(numbers))
        results: list[Document] = []
        for rank in draw(_ranks()):
            if by == "club":
                entries = draw(st.lists(st.sampled_from(numbers), max_size=2)) if numbers else []
            else:
                taken = draw(st.integers(0, 2))
                entries, left = left[:taken], left[taken:]
            results.append({"rank": rank, "entries": entries})
        championships.append({"number": number + 1, "results": draw(st.permutations(results))})
    return {
        "format": "circuit/1",
        "by": by,
        "points": draw(st.lists(st.sampled_from([10, 6, 4, 3, 2.5, 0]), max_size=5)),
        "entries": [{"number": number, "name": draw(st.sampled_from(NAMES))} for number in numbers],
        "championships": championships,
        **draw(st.fixed_dictionaries({}, optional=said)),
    }


@st.composite
def _ranks(draw: st.DrawFn) -> list[int | None]:
    ranks: list[int | None] = []
    for level in draw(st.lists(st.integers(1, 3), max_size=4)):
        ranks += [len(ranks) + 1] * level
    return ranks + [None] * draw(st.integers(0, 2))
