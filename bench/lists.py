"""Pages of lists, beside a bare ModelSerializer's list of the same rows."""

from bench.found import Found, Held
from bench.servers import as_in_production, inside

NAME = "lists"
WHAT = "pages of lists over HTTP on PostgreSQL, JSON and CSV, against a bare ModelSerializer's list or csv.writer"

LIMIT, AIM = 4.0, 2.0
"""The yardstick shows ids where the site shows what they stand for: seats with their teams, players, points."""
CSV_LIMIT, CSV_AIM = 8.0, 4.0
"""csv.writer shows what comes from the database without shaping it."""


def run() -> Found:
    """Measure on a database of its own; bench.lists_inside does the work."""
    with as_in_production() as settings:
        said = inside("bench.lists_inside", **settings)
    held = {
        f"{name}: page / bare": Held(ratio, *((CSV_LIMIT, CSV_AIM) if name.endswith("CSV") else (LIMIT, AIM)))
        for name, ratio in said["ratios"].items()
    }
    return Found(medians=said["medians"], held=held)
