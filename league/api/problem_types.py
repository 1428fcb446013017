"""What each code of a problem means: its status, and a title that does not change from one occurrence to the next.

The codes are API: stable. Those of a document that is refused are the rules' own (RULES 10, 11 and 13).
"""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class ProblemType(NamedTuple):
    """A kind of problem: the status of its answers, and what it is in a few words."""

    status: int
    title: Promise


PROBLEM_TYPES: Mapping[str, ProblemType] = MappingProxyType(
    {
        "bad-request": ProblemType(400, _("The request cannot be understood")),
        "bad-parameter": ProblemType(400, _("A parameter has no such value")),
        "bad-cursor": ProblemType(400, _("This cursor does not come from this list")),
        "bad-idempotency-key": ProblemType(400, _("This is no Idempotency-Key")),
        "malformed-body": ProblemType(400, _("The body is not JSON")),
        "incomplete-body": ProblemType(400, _("The body ended too early")),
        "malformed-log": ProblemType(400, _("This is not a hand log")),
        "malformed-sheet": ProblemType(400, _("This is not a score sheet")),
        "not-authenticated": ProblemType(401, _("A token is needed")),
        "invalid-token": ProblemType(401, _("This token is not good, or no longer")),
        "insufficient-scope": ProblemType(403, _("This token may not be used for that")),
        "not-permitted": ProblemType(403, _("You may not do this")),
        "not-found": ProblemType(404, _("There is no such thing")),
        "no-result": ProblemType(404, _("The manche has no result yet")),
        "method-not-allowed": ProblemType(405, _("This address does not take this method")),
        "not-acceptable": ProblemType(406, _("This cannot be had in the form that was asked for")),
        "in-progress": ProblemType(409, _("The first request with this key is under way")),
        "external-id-taken": ProblemType(409, _("This external id stands for another thing")),
        "finished": ProblemType(409, _("The championship is finished")),
        "manche-void": ProblemType(409, _("The manche was annulled")),
        "result-exists": ProblemType(409, _("The manche has a result")),
        "reason-required": ProblemType(409, _("A correction needs a reason")),
        "too-many-batches": ProblemType(409, _("Other batches are to be done first")),
        "batch-over": ProblemType(409, _("The batch is over")),
        "later-manches": ProblemType(409, _("Later manches stand in the way")),
        "draft-exists": ProblemType(409, _("A round is a draft")),
        "no-draft": ProblemType(409, _("This is no draft any more")),
        "kept-table": ProblemType(409, _("This table was played already")),
        "parties-open": ProblemType(409, _("Parties are still open")),
        "stage-before": ProblemType(409, _("The stage before was not started yet")),
        "stage-begun": ProblemType(409, _("The stage was started")),
        "stage-over": ProblemType(409, _("All rounds of the stage are drawn")),
        "too-many-stages": ProblemType(409, _("A championship cannot have more stages")),
        "at-another-table": ProblemType(409, _("Somebody still plays at another table")),
        "plays-this-round": ProblemType(409, _("The entry plays in this round")),
        "table-taken": ProblemType(409, _("The table is taken")),
        "not-published": ProblemType(409, _("The round is still a draft")),
        "round-published": ProblemType(409, _("The round has begun")),
        "round-locked": ProblemType(409, _("The round is locked")),
        "not-the-last": ProblemType(409, _("Only the last round can be taken back")),
        "reopened-too-often": ProblemType(409, _("The round was reopened too often")),
        "results-in": ProblemType(409, _("Results of the round are in")),
        "not-level": ProblemType(409, _("Nobody is level at the limit")),
        "no-such-table": ProblemType(409, _("No table seats so many")),
        "not-open": ProblemType(409, _("The partie is closed")),
        "too-many-webhooks": ProblemType(409, _("A championship cannot have more webhooks")),
        "webhook-stopped": ProblemType(409, _("The webhook is stopped")),
        "has-bye": ProblemType(409, _("The entry has a bye in this round")),
        "ended": ProblemType(409, _("The partie closed at its end")),
        "unsettled": ProblemType(409, _("A result waits for a decision")),
        "partie-void": ProblemType(409, _("The partie was annulled")),
        "does-not-fit": ProblemType(409, _("The document does not fit there")),
        "penalty-stands": ProblemType(409, _("A penalty stands with the result")),
        "log-not-turned": ProblemType(409, _("A log says who played")),
        "result-changed": ProblemType(409, _("There is another result by now")),
        "unsettled-claim": ProblemType(409, _("The claim is to be settled first")),
        "contested": ProblemType(409, _("The result is contested")),
        "nothing-to-settle": ProblemType(409, _("No claim is to be settled")),
        "second-interrupted": ProblemType(409, _("Another manche was stopped already")),
        "dispute-closed": ProblemType(409, _("The dispute was decided")),
        "no-second-entry": ProblemType(409, _("There is no second entry")),
        "nothing-awaited": ProblemType(409, _("The partie awaits no manche")),
        "no-substitutes": ProblemType(409, _("Nobody stands in here")),
        "not-a-substitute": ProblemType(409, _("This player is no substitute of the team")),
        "in-another-team": ProblemType(409, _("The player is in another team")),
        "sits-already": ProblemType(409, _("The player sits there already")),
        "too-many-parties": ProblemType(409, _("The player has stood in as often as may be")),
        "nothing-new": ProblemType(409, _("There is nothing new to publish")),
        "nothing-to-publish": ProblemType(409, _("There is nothing to publish")),
        "length-required": ProblemType(411, _("The length of the body must be said")),
        "stale": ProblemType(412, _("This has changed in the meantime")),
        "too-large": ProblemType(413, _("This is too large")),
        "too-many-items": ProblemType(413, _("These are too many items")),
        "unsupported-media-type": ProblemType(415, _("A body of this type cannot be read here")),
        "key-reused": ProblemType(422, _("This idempotency key was used for another request")),
        "bad-field": ProblemType(422, _("A member of the body has no such value")),
        "empty-batch": ProblemType(422, _("There is nothing in this batch")),
        "bad-external-id": ProblemType(422, _("This cannot be an external id")),
        "too-long": ProblemType(422, _("A text is too long")),
        "unknown-reference": ProblemType(422, _("Nothing has this external id")),
        "unknown-entry": ProblemType(422, _("There is no such entry")),
        "unknown-table": ProblemType(422, _("There is no such table")),
        "nobody": ProblemType(422, _("There are not enough entries")),
        "level-at-the-limit": ProblemType(422, _("Entries are level at the limit")),
        "too-many-pools": ProblemType(422, _("There are too many pools")),
        "bad-format": ProblemType(422, _("This format does not fit the championship")),
        "bad-number": ProblemType(422, _("A number is out of its range")),
        "bad-round": ProblemType(422, _("This cannot be the number of a round")),
        "bad-table": ProblemType(422, _("So many cannot sit at a table")),
        "bad-table-number": ProblemType(422, _("This cannot be the number of a table")),
        "bad-minutes": ProblemType(422, _("The clock cannot have these minutes")),
        "entry-twice": ProblemType(422, _("An entry stands there twice")),
        "not-in-draft": ProblemType(422, _("The entry is not in the draft")),
        "other-pool": ProblemType(422, _("Entries of several pools sit together")),
        "table-full": ProblemType(422, _("The table is full")),
        "teams-of-two": ProblemType(422, _("Teams of two are drawn")),
        "withdrawn": ProblemType(422, _("The entry has withdrawn")),
        "required": ProblemType(422, _("Something is missing")),
        "unknown-choice": ProblemType(422, _("There is no such choice")),
        "unknown-partie": ProblemType(422, _("There is no such partie")),
        "unknown-manche": ProblemType(422, _("There is no such manche")),
        "same-manche": ProblemType(422, _("The result stands there already")),
        "bad-sides": ProblemType(422, _("The sides do not fit")),
        "teams-are-drawn": ProblemType(422, _("Teams are made by the draw")),
        "bad-penalty": ProblemType(422, _("This cannot be a penalty")),
        "no-points": ProblemType(422, _("There are no points to take off")),
        "precondition-required": ProblemType(428, _("If-Match is needed")),
        "bad-address": ProblemType(422, _("This is no web address")),
        "not-http": ProblemType(422, _("The address is none of http")),
        "needs-https": ProblemType(422, _("The address must be one of https")),
        "user-info": ProblemType(422, _("The address may not hold a name or a password")),
        "bad-port": ProblemType(422, _("This port is not sent to")),
        "private-address": ProblemType(422, _("The address leads into a private network")),
        "too-many-requests": ProblemType(429, _("Too many requests")),
        "too-many-listeners": ProblemType(503, _("Too many listen at the moment")),
        "internal": ProblemType(500, _("A fault of this site")),
    }
)
"""The problems that are not refusals of the rules, by code."""

REFUSED = _("The rules refuse this document")


def title_of(code: str, status: int) -> str:
    """The title of a code in the reader's language; a refusal of the rules has one for all codes."""
    known = PROBLEM_TYPES.get(code)
    if known is not None:
        return str(known.title)
    return str(REFUSED) if status == HTTPStatus.UNPROCESSABLE_ENTITY else HTTPStatus(status).phrase
