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
        "method-not-allowed": ProblemType(405, _("This address does not take this method")),
        "not-acceptable": ProblemType(406, _("This cannot be had in the form that was asked for")),
        "in-progress": ProblemType(409, _("The first request with this key is under way")),
        "external-id-taken": ProblemType(409, _("This external id stands for another thing")),
        "finished": ProblemType(409, _("The championship is finished")),
        "manche-void": ProblemType(409, _("The manche was annulled")),
        "result-exists": ProblemType(409, _("The manche has a result")),
        "reason-required": ProblemType(409, _("A correction needs a reason")),
        "later-manches": ProblemType(409, _("Later manches stand in the way")),
        "length-required": ProblemType(411, _("The length of the body must be said")),
        "stale": ProblemType(412, _("This has changed in the meantime")),
        "too-large": ProblemType(413, _("This is too large")),
        "unsupported-media-type": ProblemType(415, _("A body of this type cannot be read here")),
        "key-reused": ProblemType(422, _("This idempotency key was used for another request")),
        "bad-field": ProblemType(422, _("A member of the body has no such value")),
        "bad-external-id": ProblemType(422, _("This cannot be an external id")),
        "too-long": ProblemType(422, _("A text is too long")),
        "precondition-required": ProblemType(428, _("If-Match is needed")),
        "too-many-requests": ProblemType(429, _("Too many requests")),
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
