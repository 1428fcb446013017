"""Lists on PostgreSQL while others write: what is there all the time is read once, whichever list it is."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

from league.models import Championship, Manche, Player, Team
from league.services.entries import rename_team
from league.services.parties import add_bye
from league.services.people import add_club
from league.services.publishing import publish
from tests.factories import ChampionshipFactory, ClubFactory, EntryFactory, PartieFactory, owner_of, play, sheet
from tests.league.api.test_lists import walk

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PAGE = 2

Write = Callable[[int], Any]


@pytest.fixture
def cup() -> Championship:
    championship: Championship = ChampionshipFactory(partie_end="manches", partie_end_value=2)
    for at in range(3):
        partie = PartieFactory(championship=championship, round=at + 1)
        play(partie, 1, sheet({"A": 1000, "B": 25 * at}))
        add_bye(actor=owner_of(championship), entry_id=EntryFactory(championship=championship).pk, round=at + 1)
        publish(actor=owner_of(championship), championship_id=championship.pk, label="Now")
        ClubFactory()
        ChampionshipFactory()
    first = championship.parties.get(number=1)
    for version in range(1, 5):
        play(first, 1, sheet({"A": 1000, "B": 25 * version + 100}), reason="Misread", replaces=version)
    return championship


def writes(cup: Championship) -> list[Write]:
    """What several people do at once, each again and again."""
    actor = owner_of(cup)
    first = cup.parties.get(number=1)

    def result(at: int) -> None:
        partie = PartieFactory(championship=cup, round=at + 10)
        play(partie, 1)
        publish(actor=actor, championship_id=cup.pk, label=f"Now {at}")

    def correction(at: int) -> None:
        version = Manche.objects.get(partie=first, number=1).results.count()
        play(first, 1, sheet({"A": 1000, "B": 25 * (version % 30)}), reason="Misread", replaces=version)

    def renamed(at: int) -> None:
        team = Team.objects.filter(championship=cup).order_by("?")[0]
        rename_team(actor=actor, team_id=team.pk, version=None, name=f"{'az'[at % 2]} {at}")
        Player.objects.filter(pk=team.players.values("pk")[:1]).update(name_folded=f"{'az'[at % 2]} {at}")

    def elsewhere(at: int) -> None:
        add_club(actor=actor, name=f"{'AZ'[at % 2]} {at}")
        EntryFactory(championship=ChampionshipFactory())
        EntryFactory(championship=cup)

    return [result, correction, renamed, elsewhere]


@contextmanager
def writing(*deeds: Write) -> Iterator[Counter[str]]:
    """Others write as long as this lasts; what they did is counted by its name."""
    done: Counter[str] = Counter()
    is_over = threading.Event()
    faults: list[BaseException] = []

    def run(deed: Write) -> None:
        try:
            while not is_over.is_set():
                deed(sum(done.values()))
                done[deed.__name__] += 1
        except BaseException as fault:  # noqa: BLE001 — told to the test's own thread
            faults.append(fault)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(deed,)) for deed in deeds]
    for thread in threads:
        thread.start()
    try:
        yield done
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert faults == []


LISTS = {
    "entries": "number",
    "teams?order=id": "id",
    "parties": "number",
    "manches": "partie",
    "rounds": "number",
    "journal": "position",
    "rankings": "number",
    "parties/1/manches/1/results": "version",
}
OF_THE_SITE = {"championships": "slug", "clubs?order=id": "slug", "players?order=id": "id"}


def test_what_is_there_all_the_time_is_read_once(cup: Championship, client: Client, settings: Any) -> None:
    settings.API_RATES = dict.fromkeys(settings.API_RATES, 10**9)
    places = {f"/api/v1/championships/{cup.slug}/{name}": key for name, key in LISTS.items()}
    places |= {f"/api/v1/{name}": key for name, key in OF_THE_SITE.items()}
    with writing(*writes(cup)) as done:
        for place, key in places.items():
            cache.clear()
            sign = "&" if "?" in place else "?"
            before = [item[key] for page in walk(client, f"{place}{sign}limit=100") for item in page["items"]]
            so_far, seen = done.total(), []
            for page in walk(client, f"{place}{sign}limit={PAGE}"):
                seen += [item[key] for item in page["items"]]
                time.sleep(0.02)
                if len(seen) > len(before) + 40:
                    break  # it grows faster than it is read
            assert done.total() > so_far, "somebody wrote meanwhile"
            if key != "partie":  # a partie has several manches, begun while they are read
                assert max(Counter(seen).values()) == 1, place
            assert not (Counter(before) - Counter(seen)), place
