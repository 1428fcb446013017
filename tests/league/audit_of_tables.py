"""What sides and referees do at tables, for the test that each of it is written down."""

from collections.abc import Callable
from typing import Any

from league.models import Dispute, Partie
from league.policy import Actor, SideOfTable
from league.services import confirmation, disputes, publishing, pushed, table_links
from tests.factories import ChampionshipFactory, PartieFactory, as_bytes, sheet
from tests.league.table_cases import enter, seen, side

Do = Callable[..., Any]
Tried = Callable[[Any], Any]


def _pending(hall: Any) -> Partie:
    """A partie at which A has handed in and B is asked."""
    cup = ChampionshipFactory(owner=hall.actor.user, confirmation="opponent")
    partie: Partie = PartieFactory(championship=cup)
    enter(partie, "A")
    return partie


def _as_b(service: Do, **how: Any) -> Tried:
    def tried(hall: Any) -> Any:
        partie = _pending(hall)
        at = SideOfTable(partie.championship_id, partie.pk, partie.number, "B")
        return service(actor=Actor(at=at, ip=hall.actor.ip, request_id=hall.actor.request_id), **seen(partie), **how)

    return tried


def _accepts_all(hall: Any) -> Any:
    partie = _pending(hall)
    listed = [tuple(seen(partie).values())]
    return hall.do(confirmation.accept_all, championship_id=partie.championship_id, seen=listed)


def _on_dispute(service: Do, **how: Any) -> Tried:
    def tried(hall: Any) -> Any:
        partie = _pending(hall)
        dispute: Dispute = confirmation.contest(actor=side(partie, "B"), text="No", **seen(partie))
        return hall.do(service, dispute_id=dispute.pk, **how)

    return tried


def _pushed(hall: Any) -> Any:
    item = pushed.Pushed(body=as_bytes(sheet()), partie=hall.partie.number, manche="~g-1")
    return hall.do(pushed.push, slug=hall.championship.slug, item=item)


def _published(hall: Any) -> Any:
    prepared = publishing.prepare(championship_id=hall.championship.pk)
    return hall.on_championship(publishing.publish_prepared, label="Round 1", prepared=prepared)


DONE: dict[str, Tried] = {
    "accept_all": _accepts_all,
    "confirm_as_side": _as_b(confirmation.confirm_as_side),
    "contest": _as_b(confirmation.contest, text="We had 500 km"),
    "decide": _on_dispute(disputes.decide, version=1, how="stands", reason="R"),
    "publish_prepared": _published,
    "push": _pushed,
    "renew_link": lambda hall: hall.on_partie(table_links.renew_link, version=0),
    "say": _on_dispute(disputes.say, text="Who saw it?"),
}
MADE_ANEW = {
    "accept_all": "confirm",
    "confirm_as_side": "confirm",
    "decide": "decide_dispute",
    "publish_prepared": "publish",
    "push": "hand_in",
    "say": "say_in_dispute",
}
BY_A_SIDE = {"confirm_as_side", "contest"}
"""Done by whoever holds a table's slip, without an account: the audit names the side."""
