"""Parties and manches with the external ids that programs gave them, for who may look inside of the championship."""

from collections.abc import Sequence
from dataclasses import replace

from league.models import Championship, ExternalKind
from league.policy import Action, Actor, may
from league.selectors.external_ids import external_ids
from league.selectors.manches import MancheView
from league.selectors.parties import PartieView
from league.selectors.windows import Window


def parties_with_ids(actor: Actor, championship: Championship, views: Sequence[PartieView]) -> list[PartieView]:
    """Two queries, whatever the number; none for who may not look inside: to them external ids are None."""
    if not may(actor, Action.LOOK_INSIDE, championship):
        return list(views)
    slug = championship.slug
    parties = external_ids(actor=actor, kind=ExternalKind.PARTIE, object_ids=[view.id for view in views], slug=slug)
    manche_ids = [manche.id for view in views for manche in view.manches]
    manches = external_ids(actor=actor, kind=ExternalKind.MANCHE, object_ids=manche_ids, slug=slug)
    return [
        replace(
            view,
            external_id=parties.get(view.id),
            manches=[replace(manche, external_id=manches.get(manche.id)) for manche in view.manches],
        )
        for view in views
    ]


def window_with_ids(actor: Actor, championship: Championship, found: Window[PartieView]) -> Window[PartieView]:
    """A window of a list of parties, as `parties_with_ids`."""
    return replace(found, items=parties_with_ids(actor, championship, found.items))


def manche_with_id(actor: Actor, championship: Championship, view: MancheView) -> MancheView:
    """As `parties_with_ids`, of one manche, in one query."""
    if not may(actor, Action.LOOK_INSIDE, championship):
        return view
    ids = external_ids(actor=actor, kind=ExternalKind.MANCHE, object_ids=[view.id], slug=championship.slug)
    return replace(view, external_id=ids.get(view.id))
