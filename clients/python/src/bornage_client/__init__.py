"""A client of Bornage's API that does not lose and does not double.

from bornage_client import Bornage

with Bornage("https://tournaments.example", token="bornage_…") as site:
    coupe = site.championship("coupe-de-la-borne-blanche")
    for entry in coupe.entries():
        print(entry["number"], entry["team"])
    answer = coupe.hand_in(24, 1, log, external_id="game-9001")

client      Bornage and Championship: what can be asked
transport   one request: retried with the same key until it is answered
errors      what a site answers when it refuses
pages       lists, followed to their end
batches     thousands of items at once
feed        what changed, in order; Mirror keeps a copy
shapes      what answers look like, for type checkers
"""

from bornage_client.batches import BatchAnswer, BatchRun
from bornage_client.client import Bornage, Championship
from bornage_client.errors import (
    BornageError,
    ConflictError,
    NotFoundError,
    NotPermittedError,
    ProblemError,
    RefusedError,
    StaleError,
    UnreachableError,
)
from bornage_client.feed import Feed, Mirror
from bornage_client.transport import Retries

__all__ = [
    "BatchAnswer",
    "BatchRun",
    "Bornage",
    "BornageError",
    "Championship",
    "ConflictError",
    "Feed",
    "Mirror",
    "NotFoundError",
    "NotPermittedError",
    "ProblemError",
    "RefusedError",
    "Retries",
    "StaleError",
    "UnreachableError",
]
__version__ = "0.1.0"
