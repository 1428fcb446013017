"""Pages and API of a ranking over stages: sections, tables of the pools, why, published versions, constant queries."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Entry, What
from league.services import journal
from league.services.locks import lock_championship
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, EntryFactory, owner_of
from tests.league.web.saying import text_of
from tests.staging import round_of, stage_of, won

pytestmark = pytest.mark.django_db


def staged(slug: str, pool_size: int) -> Championship:
    """Two pools of so many, the winners of which play a final; the loser of it is published, then the live ranking."""
    championship = ChampionshipFactory(slug=slug, partie_end="manches", partie_end_value=1)
    entries: list[Entry] = [
        EntryFactory(championship=championship, name=f"Team {number:02}") for number in range(1, 2 * pool_size + 1)
    ]
    pools = [entries[:pool_size], entries[pool_size:]]
    stage = stage_of(championship, 1, [], in_pools=pools, name="Poules")
    round_of(stage, 1)
    for pool in pools:
        won(1, pool[0], pool[1], km=[300])
    final = stage_of(championship, 2, [pools[0][0], pools[1][0]], qualify=1, format="knockout")
    round_of(final, 2)
    won(2, pools[1][0], pools[0][0], km=[400])
    journal.write(lock_championship(pk=championship.pk), journal.Line(What.STAGE_STARTED))
    renew_live_ranking(championship_id=championship.pk)
    publish(actor=owner_of(championship), championship_id=championship.pk, label="End")
    return championship


@pytest.fixture
def championship() -> Championship:
    return staged("coupe", 3)


def test_the_ranking_says_which_stage_placed_whom_and_why(client: Client, championship: Championship) -> None:
    said = text_of(client, "/en/championships/coupe/")
    assert "All stages Knock-out Poules" in said
    assert said.index("Team 04") < said.index("Team 01")
    assert "Stage reached: Knock-out against Poules" in said
    assert "Round reached: 2 against 1" in said
    assert "pool 1" in said


def test_the_pools_stand_side_by_side_with_those_who_went_on(client: Client, championship: Championship) -> None:
    said = text_of(client, "/en/championships/coupe/ranking/stages/1/")
    first, second = said.index("Pool 1"), said.index("Pool 2")
    assert first < said.index("Team 01") < said.index("Team 02") < second < said.index("Team 04")
    assert "Provisional ranking" in said
    assert "Match points: 2 against 0" in said


def test_a_published_version_keeps_its_stages(client: Client, championship: Championship) -> None:
    said = text_of(client, "/en/championships/coupe/published/1/stages/2/")
    assert "version 1" in said
    assert "Provisional" not in said
    assert said.index("Team 04") < said.index("Team 01")
    assert "Team 02" not in said
    assert "All stages" in text_of(client, "/en/championships/coupe/published/1/")


@pytest.mark.parametrize("rest", ["ranking/stages/3/", "published/1/stages/3/", "published/7/stages/1/"])
def test_what_is_not_there_is_not_found(client: Client, championship: Championship, rest: str) -> None:
    assert client.get(f"/en/championships/coupe/{rest}").status_code == 404


def test_without_stages_there_are_no_tabs(client: Client) -> None:
    championship = ChampionshipFactory(slug="plain")
    EntryFactory(championship=championship)
    renew_live_ranking(championship_id=championship.pk)
    assert "All stages" not in text_of(client, "/en/championships/plain/")
    assert client.get("/en/championships/plain/ranking/stages/1/").status_code == 404


def test_a_draft_is_not_found(client: Client, championship: Championship) -> None:
    Championship.objects.update(visibility="draft")
    assert client.get("/en/championships/coupe/ranking/stages/1/").status_code == 404


@pytest.mark.parametrize("rest", ["", "ranking/stages/1/", "published/1/", "published/1/stages/1/", "entries/1/"])
def test_queries_do_not_grow(client: Client, championship: Championship, rest: str) -> None:
    staged("large", 12)
    found = []
    for slug in ("coupe", "large"):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/en/championships/{slug}/{rest}").status_code == 200
        found.append(len(queries))
    assert found[0] == found[1] <= 16


def test_the_api_says_stage_pool_and_rank_in_it(client: Client, championship: Championship) -> None:
    body = client.get("/api/v1/championships/coupe/ranking").json()
    rows = [(row["entry"], row["rank"], row["stage"], row["pool"], row["pool_rank"]) for row in body["items"]]
    assert rows[:4] == [(4, 1, 2, None, None), (1, 2, 2, None, None), (2, 3, 1, 1, 2), (5, 3, 1, 2, 2)]
    assert body["keys"]["stages"][0] == {"number": 1, "name": "Poules", "kind": "ranking", "pools": 2}
    version = client.get("/api/v1/championships/coupe/rankings/1").json()
    assert [(row["entry"], row["stage"]) for row in version["items"]][:2] == [(4, 2), (1, 2)]
    assert version["version"]["keys"]["stages"][1]["kind"] == "knockout"
