"""Hypothesis strategies for documents `classement/1`: small figures, so that much comes out level."""

from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from scoring.tiebreaks import PRIMARY_KEYS, TIE_BREAKS
from tests.scoring.ranking_documents import Document, document, partie

NAMES = ["Ana", "ana", "Zoé", "Zoe", "Émile", "eloi", "Çelik", "Œuf"]


@st.composite
def documents(draw: st.DrawFn, *, draws: bool = True) -> Document:
    """Any document that fits: every table, key, status, forfeits, byes, penalties, scales; lots if `draws`."""
    table = draw(st.integers(2, 4))
    decided_by = draw(st.sampled_from(["points", "manches"]))
    numbers = draw(st.lists(st.integers(1, 50), unique=True, max_size=7))
    return draw(tables_of(numbers, draw(keys(table, decided_by, draws=draws))))


@st.composite
def keys(draw: st.DrawFn, table: int, decided_by: str, *, draws: bool = True) -> dict[str, Any]:
    """The members of a document that say how it is ranked."""
    primary = draw(st.sampled_from([name for name, key in PRIMARY_KEYS.items() if decided_by in key.decided_by]))
    offered = [n for n, key in TIE_BREAKS.items() if decided_by in key.decided_by and n != primary]
    if not draws:
        offered.remove("draw")
    scale = st.lists(st.integers(0, 9), min_size=table, max_size=table)
    return {
        "table": table,
        "decided_by": decided_by,
        "primary": primary,
        "tie_breaks": draw(st.lists(st.sampled_from(offered), unique=True)),
        "secret": "noix",
        "best_n": draw(st.integers(1, 3)),
        "minimum": draw(st.integers(0, 3)),
        **draw(st.fixed_dictionaries({}, optional={"scale": scale})),
    }


@st.composite
def tables_of(draw: st.DrawFn, numbers: list[int], ranked_by: dict[str, Any]) -> Document:
    """A document of those entries, ranked so."""
    table = ranked_by["table"]
    entries = draw(entries_of(numbers))
    sizes = [size for size in {table, max(2, table - 1)} if size <= len(numbers)]
    parties = draw(st.lists(any_partie(numbers, sizes), max_size=8)) if sizes else []
    byes = draw(st.lists(st.sampled_from(numbers), max_size=3)) if numbers else []
    said: dict[str, Any] = {"byes": [_bye(draw, 100 + place, entry) for place, entry in enumerate(byes)]}
    return document(entries, *parties, **ranked_by, **(said if byes or draw(st.booleans()) else {}))


@st.composite
def entries_of(draw: st.DrawFn, numbers: list[int]) -> list[Document]:
    """Their objects, some with a penalty, some withdrawn."""
    said = st.fixed_dictionaries({}, optional={"penalty": st.integers(0, 3), "withdrawn": st.booleans()})
    return [{"number": number, "name": draw(st.sampled_from(NAMES))} | draw(said) for number in numbers]


def _bye(draw: st.DrawFn, round_: int, entry: int) -> Document:
    share = st.fixed_dictionaries({}, optional={"share": st.sampled_from([0, 0.5, 0.75, 1])})
    return {"round": round_, "entry": entry} | draw(share)


@st.composite
def melees(draw: st.DrawFn) -> Document:
    """Players ranked: a document whose parties are of teams made afresh, some of one player, of two or of three."""
    of = draw(documents())
    numbers = [entry["number"] for entry in of["entries"]]
    if len(numbers) < 4:
        return of
    parties = draw(st.lists(_melee(numbers, of["table"]), min_size=1, max_size=8))
    return of | {"parties": [{"number": n, "round": n, **each} for n, each in enumerate(parties, start=1)]}


@st.composite
def _melee(draw: st.DrawFn, numbers: list[int], table: int) -> Document:
    choices = [
        (sides, partners)
        for sides in {table, max(2, table - 1)}
        for partners in (1, 2, 3)
        if sides * partners <= len(numbers)
    ]
    sides, partners = draw(st.sampled_from(sorted(choices)))
    players = draw(st.permutations(numbers))
    teams = [players[side * partners : (side + 1) * partners] for side in range(sides)]
    whole = draw(any_partie([team[0] for team in teams], [sides]))
    whole["teams"] = sorted(teams, key=lambda team: whole["entries"].index(team[0]))
    del whole["entries"]
    return whole


@st.composite
def any_partie(draw: st.DrawFn, numbers: list[int], sizes: list[int]) -> Document:
    """A partie of some of those numbers, of one of those sizes, in any state."""
    size = draw(st.sampled_from(sizes))
    entries = draw(st.lists(st.sampled_from(numbers), min_size=size, max_size=size, unique=True))
    said = {
        "forfeits": st.lists(st.sampled_from(entries), unique=True),
        "status": st.sampled_from(["open", "void", "closed"]),
    }
    return partie(
        *draw(st.lists(any_manche(entries), max_size=3)),
        entries=entries,
        **draw(st.fixed_dictionaries({}, optional=said)),
    )


@st.composite
def any_manche(draw: st.DrawFn, entries: list[int]) -> Document:
    """A manche of those entries; few figures, so that much comes out level."""

    def figures(*choices: int) -> dict[str, int]:
        return {str(entry): draw(st.sampled_from(choices)) for entry in entries}

    return {
        "points": figures(0, 100, 200, -100),
        "km": figures(0, 25, 50),
        "winner": draw(st.sampled_from([None, *entries])),
        "coups_fourres": figures(0, 1),
    }


@st.composite
def round_robins(draw: st.DrawFn) -> Document:
    """Everybody met everybody, perhaps twice, and all are level but for their encounters, to the depth of the rule."""
    numbers = list(range(1, draw(st.integers(2, 6)) + 1))
    parties = []
    for pair in combinations(numbers, 2):
        for _ in range(draw(st.integers(1, 2))):
            points = draw(st.sampled_from([(0, 0), (100, 0), (0, 100)]))
            parties.append(partie(_nobody_won(dict(zip(pair, points, strict=True)))))
    tie_breaks = ["direct_encounter", *draw(st.lists(st.sampled_from(["total_points", "buchholz"]), unique=True))]
    return document(len(numbers), *parties, primary="manches_won", tie_breaks=tie_breaks)


def _nobody_won(points: dict[int, int]) -> Document:
    figures = {str(entry): figure for entry, figure in points.items()}
    nothing = dict.fromkeys(figures, 0)
    return {"points": figures, "km": nothing, "winner": None, "coups_fourres": nothing}
