"""304 answers, beside the least that a DRF view needs to give one."""

from bench.found import Found, Held
from bench.servers import as_in_production, inside

NAME = "not_modified"
WHAT = "304 answers over HTTP on PostgreSQL, against a bare DRF view that answers 304 after the same token check"

LIMIT, AIM = 4.0, 2.0
"""As for handing in: what is known costs the stamp of its championship, a few small queries, and no row of it."""
CONTENT = {"list of entries, by its organiser", "partie", "entry"}
"""Whose ETag is that of their content: they are read whole to see that they are known. Shown without a limit."""


def run() -> Found:
    """Measure on a database of its own; bench.not_modified_inside does the work."""
    with as_in_production() as settings:
        said = inside("bench.not_modified_inside", **settings)
    ratios = said["ratios"]
    return Found(
        medians=said["medians"],
        figures={f"{name}: 304 / bare 304": ratio for name, ratio in ratios.items() if name in CONTENT}
        | {f"{name}: 304 / 200": ratio for name, ratio in said["saved"].items() if name in CONTENT},
        held={
            f"{name}: 304 / bare 304": Held(ratio, LIMIT, AIM) for name, ratio in ratios.items() if name not in CONTENT
        }
        | {f"{name}: 304 / 200": Held(ratio, 1.0, 0.5) for name, ratio in said["saved"].items() if name not in CONTENT},
    )
