"""How many examples the property tests try: few where people wait for them, many where `BORNAGE_EXAMPLES` says so.

`BORNAGE_EXAMPLES=20` tries twenty times as many. With CI set, hypothesis itself chooses the same examples at every run.
"""

import os
from typing import Final

from hypothesis import HealthCheck, settings

TIMES: Final = int(os.environ.get("BORNAGE_EXAMPLES", "1"))


def examples(quick: int) -> settings:
    """So many examples of a property by default."""
    return settings(max_examples=quick * TIMES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
