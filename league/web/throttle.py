"""How often one address may ask for something that costs: counted in the cache, kept nowhere."""

import time

from django.core.cache import cache


def wait_for(what: str, address: str | None, *, most: int, seconds: int) -> int:
    """Count one more use of `what` from an address; how many seconds to wait first, 0 if it may be done now.

    At most `most` uses in each stretch of `seconds`. Two requests at the same moment may count as one: this keeps a
    machine from being drowned, it is no quota. Where the cache is down nothing is held back (`league.cache`).
    """
    stretch, gone = divmod(int(time.time()), seconds)
    key = f"throttle:{what}:{address or 'unknown'}:{stretch}"
    used = cache.get(key, 0)
    if used >= most:
        return seconds - gone
    cache.set(key, used + 1, seconds)
    return 0
