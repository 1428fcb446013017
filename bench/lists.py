"""Pages of lists, beside a bare ModelSerializer's list of the same rows."""

from bench.found import Found, Held
from bench.servers import as_in_production, inside

NAME = "lists"
WHAT = "pages of lists over HTTP on PostgreSQL, JSON and CSV, against a bare ModelSerializer's list or csv.writer"

LIMITS = {"players": 4.0, "changes": 4.0, "entries": 8.0, "manches": 8.0, "parties": 24.0, "changes with data": 24.0}
"""The yardstick reads one table and shows ids. A player and a change are hardly more; an entry brings its team and its
players, a manche its document and scores; a partie brings seats, teams, players, manches and scores, from six tables;
a change with data the whole thing. The aim is half of each."""
CSV_TIMES = 2
"""As CSV twice that: csv.writer shows what comes from the database without shaping it."""


def run() -> Found:
    """Measure on a database of its own; bench.lists_inside does the work."""
    with as_in_production() as settings:
        said = inside("bench.lists_inside", **settings)
    held = {f"{name}: page / bare": _held(name, ratio) for name, ratio in said["ratios"].items()}
    return Found(medians=said["medians"], held=held)


def _held(name: str, ratio: float) -> Held:
    kind, _size, form = name.split(", ")
    limit = LIMITS[kind] * (CSV_TIMES if form == "CSV" else 1)
    return Held(ratio, limit, limit / 2)
