"""Time zones for a field that completes them."""

from functools import cache

from league.time_zones import known_time_zones

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
    return tuple(sorted(zone for zone in known_time_zones() if zone.partition("/")[0] in _CONTINENTS))
