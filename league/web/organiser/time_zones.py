"""Time zones for a field that completes them."""

from functools import cache
from zoneinfo import available_timezones

_CONTINENTS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)


@cache
def time_zones() -> tuple[str, ...]:
    """The zones that are named after a place, by name."""
    return tuple(sorted(zone for zone in available_timezones() if zone.partition("/")[0] in _CONTINENTS))
