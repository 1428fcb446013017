"""What an address names that is not there: which kind of thing, under which key.

Services and selectors say only that something was not found. Here the address is gone through from its head, as far as
the asker may see: what may not be read is answered as what is not there, so drafts cannot be told apart.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.api.references import External
from league.errors import NotFound
from league.models import Championship, Dispute, Entry, Manche, Partie, Registration, Stage, Substitute, Team
from league.policy import Action, Actor, may, may_see_drafts
from league.selectors.addresses import championship_at, manche_at
from league.selectors.batches import batch_at
from league.selectors.circuits import circuit_at
from league.selectors.external_ids import object_named
from league.selectors.manches import manche_view
from league.selectors.rounds import round_view
from league.selectors.webhooks import webhooks_of

Keys = Mapping[str, Any]
"""The keys of an address that were found, by the names of its arguments, as numbers."""

STEP: Final = re.compile(r"([a-z-]+)/<\w+:(\w+)>")
"""A word of a route and the argument that stands behind it."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of thing: its name for programs, what is said if there is none, and how it is looked for.

    `there`: the rows that it is one of; None where only its own view can tell. `inside`: only who may look inside the
    championship learns which of these there are.
    """

    name: str
    sentence: Promise
    there: Callable[[Championship, Keys], QuerySet[Any]] | None = None
    inside: bool = False


_KINDS: Final[Mapping[str, _Kind]] = {
    "absences": _Kind("absence", _("Entry %(key)s is not noted as absent from this round.")),
    "batches": _Kind("batch", _("You have no batch %(key)s.")),
    "byes": _Kind("bye", _("Entry %(key)s has no bye in this round.")),
    "clubs": _Kind("club", _("There is no club %(key)s.")),
    "deliveries": _Kind("delivery", _("The webhook has no delivery %(key)s.")),
    "disputes": _Kind(
        "dispute",
        _("There is no dispute %(key)s in this championship."),
        lambda championship, keys: Dispute.objects.filter(
            manche__partie__championship=championship, pk=keys["dispute"]
        ),
        inside=True,
    ),
    "entries": _Kind(
        "entry",
        _("There is no entry %(key)s in this championship."),
        lambda championship, keys: Entry.objects.filter(championship=championship, number=keys["number"]),
    ),
    "legs": _Kind("leg", _("The championship %(key)s does not count in this circuit.")),
    "manches": _Kind(
        "manche",
        _("There is no manche %(key)s of this partie."),
        lambda championship, keys: Manche.objects.filter(
            partie__championship=championship, partie__number=keys["number"], number=keys["manche"]
        ),
    ),
    "merges": _Kind("merge", _("There is no merge %(key)s into this player.")),
    "numbers": _Kind("number", _("The player has no number %(key)s.")),
    "parties": _Kind(
        "partie",
        _("There is no partie %(key)s in this championship."),
        lambda championship, keys: Partie.objects.filter(championship=championship, number=keys["number"]),
    ),
    "players": _Kind("player", _("There is no player %(key)s whom you may see.")),
    "rankings": _Kind(
        "ranking",
        _("There is no published ranking %(key)s."),
        lambda championship, keys: championship.published_rankings.filter(number=keys["version"]),
    ),
    "registrations": _Kind(
        "registration",
        _("There is no registration %(key)s in this championship."),
        lambda championship, keys: Registration.objects.filter(championship=championship, position=keys["number"]),
        inside=True,
    ),
    "results": _Kind("result", _("The manche has no version %(key)s of its result.")),
    "rounds": _Kind("round", _("There is no round %(key)s in this championship.")),
    "rulebooks": _Kind("rulebook", _("There is no rulebook %(key)s.")),
    "stages": _Kind(
        "stage",
        _("There is no stage %(key)s in this championship."),
        lambda championship, keys: Stage.objects.filter(
            championship=championship, number=keys["stage" if "stage" in keys else "number"]
        ),
    ),
    "substitutes": _Kind(
        "substitute",
        _("The team has no substitute %(key)s."),
        lambda championship, keys: Substitute.objects.filter(
            team__championship=championship, team=keys["team"], pk=keys["substitute"]
        ),
        inside=True,
    ),
    "tables": _Kind("table", _("There is no table %(key)s in this round.")),
    "teams": _Kind(
        "team",
        _("There is no team %(key)s in this championship."),
        lambda championship, keys: Team.objects.filter(championship=championship, pk=keys["team"]),
    ),
    "webhooks": _Kind(
        "webhook",
        _("There is no webhook %(key)s of this championship."),
        lambda championship, keys: webhooks_of(championship).filter(pk=keys["webhook"]),
        inside=True,
    ),
}
"""By the word of an address that stands before the key."""

WORDS: Final = frozenset({"championships", "circuits", *_KINDS})
"""The words before keys that are known here."""

_OWN_MANCHE: Final = _("There is no manche %(key)s in this championship.")


def what_is_missing(actor: Actor, match: Any) -> NotFound:
    """The fault of an address (Django's ResolverMatch) below which something was not found.

    It names the first thing that is not there, `kind` and `key`; nothing where all is there, and only what its view
    looked for is not, or where the asker may not read the championship or the circuit.
    """
    keys: dict[str, Any] = {}
    championship: Championship | None = None
    steps = list(STEP.findall(match.route)) if match is not None else []
    for place, (word, name) in enumerate(steps):
        said = match.kwargs[name]
        if word in ("championships", "circuits"):
            try:
                found = championship_at(actor, said) if word == "championships" else circuit_at(actor, said)
            except NotFound:
                return NotFound()
            championship = found if isinstance(found, Championship) else None
            continue
        if championship is not None and not _may_be_told(actor, championship, word):
            return NotFound()
        keys[name] = _number(actor, match.kwargs, said, keys)
        is_last = place == len(steps) - 1 and match.route.endswith(f":{name}>")
        if keys[name] is None or not _is_there(actor, championship, word, keys, is_last=is_last):
            return _named(word, said, "number" in keys)
    return NotFound()


def _may_be_told(actor: Actor, championship: Championship, word: str) -> bool:
    return not (word in _KINDS and _KINDS[word].inside) or may(actor, Action.LOOK_INSIDE, championship)


def _number(actor: Actor, kwargs: Keys, said: Any, keys: Keys) -> Any:
    """What an address calls a thing by itself: its number, also where a program's own id stands; None for nobody's."""
    if not isinstance(said, External):
        return said
    at = object_named(actor=actor, slug=kwargs.get("slug"), kind=said.kind, external_id=said.external_id)
    if at is None or (at.partie is not None and keys.get("number", at.partie) != at.partie):
        return None
    return at.number


def _is_there(actor: Actor, championship: Championship | None, word: str, keys: Keys, *, is_last: bool) -> bool:
    """Whether a thing is there for the asker; where that cannot be asked here, whether more of the address follows."""
    if championship is not None and word == "rounds":
        with_draft = may_see_drafts(actor, championship)
        return _is_found(lambda: round_view(championship=championship, number=keys["number"], with_draft=with_draft))
    if championship is not None and word == "results":
        place = (actor, championship.slug, keys["number"], keys["manche"])
        return any(one.version == keys["version"] for one in manche_view(manche=manche_at(*place)).versions)
    if word == "batches":
        return _is_found(lambda: batch_at(actor, keys["batch"]))
    kind = _KINDS.get(word)
    if championship is None or kind is None or kind.there is None:
        return not is_last
    if word == "manches" and "number" not in keys:
        return True  # found by its own id
    return kind.there(championship, keys).exists()


def _is_found(look: Callable[[], object]) -> bool:
    try:
        look()
    except NotFound:
        return False
    return True


def _named(word: str, said: Any, in_partie: bool) -> NotFound:
    kind = _KINDS.get(word)
    if kind is None:
        return NotFound()
    key = f"~{said.external_id}" if isinstance(said, External) else str(said)
    sentence = kind.sentence if word != "manches" or in_partie else _OWN_MANCHE
    return NotFound(message=str(sentence) % {"key": key}, extra={"kind": kind.name, "key": key})
