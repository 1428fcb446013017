"""Pages of organisers read in a constant number of queries, however much there is."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Invitation, Membership
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, owner_of, play, sheet
from tests.league.web_organiser.conftest import HOME, Hall

ADDRESSES = (
    "",
    "settings/",
    "settings/keys/",
    "settings/organisers/",
    "entries/",
    "entries/1/",
    "entries/export.csv",
    "entries/import/",
    "check-in/",
    "registrations/",
    "check-in/?show=all&q=e",
    "players/",
    "parties/?round=1",
    "parties/round/?round=9",
    "parties/draw/",
    "parties/1/",
    "parties/1/manches/1/",
    "parties/1/manches/1/sheet/",
    "parties/1/manches/2/log/",
    "disputes/",
    "attempts/",
    "ranking/",
    "journal/",
    "journal/audit/",
)


def counts(client: Client) -> Iterator[tuple[str, int]]:
    """How many queries each page takes; the second visit, so that nothing is only remembered."""
    for address in ("/en/organise/", *(HOME + address for address in ADDRESSES)):
        client.get(address)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(address).status_code == 200
        yield address, len(queries)


def much_more(hall: Hall) -> None:
    """More of everything that a page lists."""
    championship = hall.championship
    entries = EntryFactory.create_batch(12, championship=championship)
    for pair in range(4):
        partie = PartieFactory(championship=championship, entries=entries[2 * pair : 2 * pair + 2])
        play(partie, 1, sheet())
        play(partie, 2, sheet(claim={"A": 1, "B": 2}))
        play(partie, 2, sheet({"A": 990, "B": 0}), reason="x", replaces=1)
    for km in (525, 550, 575):
        version = 2 + (km - 525) // 25
        play(hall.first, 1, sheet({"A": 1000, "B": km}), reason="Again", replaces=version)
    play(hall.first, 2, sheet({"A": 990, "B": 25}), reason="x", replaces=1)
    for n in range(4):
        publish(actor=owner_of(championship), championship_id=championship.pk, label=f"V{n}", round=n + 1)
    for _ in range(4):
        Membership.objects.create(user=UserFactory(), championship=championship, role="organiser")
        ChampionshipFactory(owner=hall.owner)
    assert not Invitation.objects.exists()
    renew_live_ranking(championship_id=championship.pk)


def test_queries_do_not_grow_with_rows(hall: Hall, owner: Client) -> None:
    publish(actor=owner_of(hall.championship), championship_id=hall.championship.pk, label="First")
    few = dict(counts(owner))
    much_more(hall)
    many = dict(counts(owner))
    assert many == few
    assert max(many.values()) <= 22, many


@pytest.mark.parametrize("teams", [2, 4])
def test_the_score_of_a_sheet_costs_few_queries(hall: Hall, owner: Client, teams: int) -> None:
    championship = ChampionshipFactory(slug="wide", owner=hall.owner, table_entries=teams)
    partie = PartieFactory(
        championship=championship, entries=EntryFactory.create_batch(teams, championship=championship)
    )
    with CaptureQueriesContext(connection) as queries:
        owner.post(f"/en/organise/wide/parties/{partie.number}/manches/1/sheet/score/", {"A-km": "25"})
    assert len(queries) <= 7, [query["sql"][:120] for query in queries]
