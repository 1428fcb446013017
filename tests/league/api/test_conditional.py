"""Conditional reads (RFC 9110): 304 for what is known, never for what has changed, and cheap."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.http import http_date

from league.api import conditional
from league.api.urls import urlpatterns
from league.models import Championship, Change, Partie
from league.selectors.feed import stamp
from league.services.entries import rename_team
from league.services.renewal import renew_live_ranking
from league.services.results import hand_in
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, owner_of, play
from tests.league.api.conftest import World, log_as_text, token
from tests.league.api.test_lists import grow
from tests.league.api.test_routes import JSON_READS, address

pytestmark = pytest.mark.django_db


@pytest.fixture
def base(world: World) -> str:
    return f"/api/v1/championships/{world.championship.slug}"


def status(client: Client, place: str, **headers: str) -> int:
    return int(client.get(place, **headers).status_code)


class TestEveryRead:
    """What holds for each address."""

    def test_has_an_etag_and_says_who_may_keep_it(self, client: Client, world: World) -> None:
        for name in JSON_READS:
            answer = client.get(address(world, name))
            assert answer["Cache-Control"] == "no-cache", name
            varies = {part.strip() for part in answer["Vary"].split(",")}
            assert {"Accept", "Accept-Language", "Authorization", "Cookie"} <= varies, name
            etag = answer["ETag"]
            bare = etag.removeprefix("W/")
            for known in (etag, bare, f"W/{bare}", f'"x", {etag}', f'W/"y" , {bare},"z"', "*"):
                again = client.get(address(world, name), HTTP_IF_NONE_MATCH=known)
                assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag), (name, known)
                assert (again["Cache-Control"], "Vary" in again) == ("no-cache", True), name
                assert "Content-Type" not in again, name
            for other in ('"x"', etag.replace('"', ""), "", 'W/"x", "y"'):
                assert status(client, address(world, name), HTTP_IF_NONE_MATCH=other) == 200, (name, other)
            assert client.head(address(world, name), HTTP_IF_NONE_MATCH=etag).status_code == 304, name

    def test_what_a_token_reads_is_kept_by_nobody_else(self, client: Client, world: World, authorization: str) -> None:
        for name in JSON_READS:
            first = client.get(address(world, name), HTTP_AUTHORIZATION=authorization)
            assert first["Cache-Control"] == "private, no-cache", name
            known = {"HTTP_AUTHORIZATION": authorization, "HTTP_IF_NONE_MATCH": first["ETag"]}
            assert status(client, address(world, name), **known) == 304, name

    def test_what_is_not_there_is_404_whatever_is_known(self, client: Client, base: str) -> None:
        later = http_date(timezone.now().timestamp() + 3600)
        for place in ("/entries/99", "/parties/99/manches/1/results", "/parties/1/manches/1/results/9/document"):
            for known in ({"HTTP_IF_NONE_MATCH": "*"}, {"HTTP_IF_MODIFIED_SINCE": later}):
                assert status(client, f"{base}{place}", **known) == 404, place

    def test_a_draft_is_hidden_from_who_knew_it(self, client: Client, world: World, base: str) -> None:
        etag = client.get(f"{base}/entries")["ETag"]
        Championship.objects.update(visibility="draft")
        assert status(client, f"{base}/entries", HTTP_IF_NONE_MATCH=etag) == 404


class TestWhatItDependsOn:
    """One address, several answers."""

    def test_languages_forms_and_queries_are_known_each_by_itself(self, client: Client, base: str) -> None:
        etags = {
            client.get(f"{base}/entries{query}", HTTP_ACCEPT=accept, HTTP_ACCEPT_LANGUAGE=language)["ETag"]
            for query in ("", "?limit=1", "?fields=number")
            for accept in ("application/json", "text/csv")
            for language in ("en", "fr")
        }
        assert len(etags) == 12

    def test_the_two_writings_of_a_log_are_known_each_by_itself(self, client: Client, world: World, base: str) -> None:
        actor = owner_of(world.championship)
        assert not hand_in(actor=actor, partie_id=world.partie.pk, number=3, body=log_as_text(3)).refused
        place = f"{base}/parties/{world.partie.number}/manches/3/results/1/document"
        as_it_came, as_json = (client.get(place, HTTP_ACCEPT=accept) for accept in ("*/*", "application/json"))
        assert as_it_came.content != as_json.content
        assert status(client, place, HTTP_ACCEPT="application/json", HTTP_IF_NONE_MATCH=as_it_came["ETag"]) == 200
        assert status(client, place, HTTP_ACCEPT="application/json", HTTP_IF_NONE_MATCH=as_json["ETag"]) == 304

    def test_another_program_answers_anew(self, client: Client, base: str, monkeypatch: pytest.MonkeyPatch) -> None:
        from league.api import conditional

        etag = client.get(f"{base}/entries")["ETag"]
        monkeypatch.setattr(conditional, "program", lambda: "another")
        assert status(client, f"{base}/entries", HTTP_IF_NONE_MATCH=etag) == 200

    def test_the_etag_of_a_thing_is_that_of_all_of_it(self, client: Client, base: str) -> None:
        for place in ("", "/entries/1", "/parties/1", "/parties/1/manches/1"):
            whole = client.get(f"{base}{place}")["ETag"]
            assert not whole.startswith("W/"), place
            assert client.get(f"{base}{place}?fields=external_id" if place else f"{base}?fields=slug")["ETag"] == whole

    def test_what_an_organiser_sees_besides_is_known_by_itself(
        self, client: Client, world: World, base: str, authorization: str
    ) -> None:
        from league.services.external_ids import name_thing

        first = client.get(f"{base}/entries", HTTP_AUTHORIZATION=authorization)
        entry = world.championship.entries.get(number=1)
        how = {"actor": owner_of(world.championship), "kind": "entry", "object_id": entry.pk}
        name_thing(**how, external_id="their-1", championship_id=world.championship.pk, request_sha256="0" * 64)
        known = {"HTTP_AUTHORIZATION": authorization, "HTTP_IF_NONE_MATCH": first["ETag"]}
        assert status(client, f"{base}/entries", **known) == 200


class TestDates:
    """Last-Modified and If-Modified-Since: since when a state is seen."""

    @pytest.fixture(autouse=True)
    def _a_new_process(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conditional, "SIGHTINGS", conditional.Sightings())

    def test_a_list_says_since_when_it_is_so_once_that_is_a_minute_ago(self, client: Client, base: str) -> None:
        assert "Last-Modified" not in client.get(f"{base}/entries")
        with time_machine.travel(timezone.now() + timedelta(minutes=5)):
            said = client.get(f"{base}/entries")["Last-Modified"]
            answer = client.get(f"{base}/entries", HTTP_IF_MODIFIED_SINCE=said)
            assert (answer.status_code, answer["Last-Modified"]) == (304, said)
            assert status(client, f"{base}/entries?limit=2", HTTP_IF_MODIFIED_SINCE=said) == 304
            before = http_date(timezone.now().timestamp() - 3600)
            assert status(client, f"{base}/entries", HTTP_IF_MODIFIED_SINCE=before) == 200
            assert status(client, f"{base}/entries", HTTP_IF_MODIFIED_SINCE="yesterday") == 200

    def test_the_date_is_left_aside_beside_an_etag(self, client: Client, base: str) -> None:
        client.get(f"{base}/entries")
        with time_machine.travel(timezone.now() + timedelta(minutes=5)):
            first = client.get(f"{base}/entries")
            both = {"HTTP_IF_MODIFIED_SINCE": first["Last-Modified"], "HTTP_IF_NONE_MATCH": '"other"'}
            assert status(client, f"{base}/entries", **both) == 200
            assert status(client, f"{base}/entries", **{**both, "HTTP_IF_NONE_MATCH": first["ETag"]}) == 304

    @pytest.mark.parametrize("written", [timedelta(minutes=-5), timedelta(0), timedelta(minutes=6)])
    def test_what_was_changed_since_is_answered_anew(
        self, client: Client, world: World, base: str, written: timedelta
    ) -> None:
        """Whenever it was written: a transaction that took long brings what looks older than what was answered."""
        client.get(f"{base}/entries")
        last = Change.objects.latest("position").at
        later = timezone.now() + timedelta(minutes=5)
        with time_machine.travel(later, tick=False):
            said = client.get(f"{base}/entries")["Last-Modified"]
        rename_first(world)
        Change.objects.filter(position=None).update(at=last + written)
        for minutes in (0, 5, 10):
            with time_machine.travel(later + timedelta(minutes=minutes)):
                answer = client.get(f"{base}/entries", HTTP_IF_MODIFIED_SINCE=said)
                assert answer.status_code == 200
                assert answer.get("Last-Modified") != said
                as_last_read = http_date(later.timestamp() - 1)  # a date of the reader's own
                assert status(client, f"{base}/entries", HTTP_IF_MODIFIED_SINCE=as_last_read) == 200

    def test_two_changes_within_a_second_are_told_apart(self, client: Client, world: World, base: str) -> None:
        began = timezone.now().replace(microsecond=100_000) + timedelta(minutes=1)
        with time_machine.travel(began, tick=False):
            before = client.get(f"{base}/entries")
        rename_first(world)
        with time_machine.travel(began + timedelta(seconds=0.5), tick=False):
            assert client.get(f"{base}/entries").content != before.content
        with time_machine.travel(began + timedelta(minutes=5), tick=False):
            dated = http_date(began.timestamp())  # as its header Date
            assert status(client, f"{base}/entries", HTTP_IF_MODIFIED_SINCE=dated) == 200

    def test_another_process_says_its_own_date_and_never_one_that_is_too_early(
        self, client: Client, world: World, base: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client.get(f"{base}/entries")
        later = timezone.now() + timedelta(minutes=5)
        with time_machine.travel(later, tick=False):
            said = client.get(f"{base}/entries")["Last-Modified"]
            rename_first(world)
            monkeypatch.setattr(conditional, "SIGHTINGS", conditional.Sightings())
            assert status(client, f"{base}/entries", HTTP_IF_MODIFIED_SINCE=said) == 200
        with time_machine.travel(later + timedelta(minutes=5)):
            assert status(client, f"{base}/entries", HTTP_IF_MODIFIED_SINCE=said) == 200

    def test_states_are_forgotten_when_there_are_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conditional, "_MOST_STATES", 3)
        seen = conditional.Sightings()
        for thing in range(10):
            seen.since(thing, "state")
        assert len(seen._seen) <= 3


def rename_first(world: World) -> None:
    entry = world.championship.entries.get(number=1)
    rename_team(actor=owner_of(world.championship), team_id=entry.team_id, version=None, name="Anew")


class TestMatch:
    """If-Match and If-Unmodified-Since on a read."""

    def test_another_state_is_412(self, client: Client, base: str) -> None:
        etag = client.get(f"{base}/parties/1")["ETag"]
        for said, expected in ((etag, 200), ("*", 200), (f'"x", {etag}', 200), ('"x"', 412), (f"W/{etag}", 412)):
            assert status(client, f"{base}/parties/1", HTTP_IF_MATCH=said) == expected, said
        refused = client.get(f"{base}/parties/1", HTTP_IF_MATCH='"x"')
        assert (refused["Content-Type"], refused.json()["code"]) == ("application/problem+json", "stale")

    def test_a_compressed_thing_is_the_same_thing(self, client: Client, base: str) -> None:
        etag = client.get(f"{base}/parties/1", HTTP_ACCEPT_ENCODING="gzip")["ETag"]
        assert etag.endswith('-gzip"')
        assert status(client, f"{base}/parties/1", HTTP_IF_MATCH=etag) == 200


LISTS = [
    *("entries", "teams", "rounds", "parties", "manches", "journal", "ranking", "rankings", "rankings/1"),
    *("ranking/document", "parties/1/manches/1/results", "parties/1/manches/1/results/1/document"),
]


@pytest.mark.parametrize("who", ["anybody", "a stranger with a token", "somebody signed in"])
def test_what_is_known_costs_few_queries_whatever_its_size(client: Client, who: str) -> None:
    cups: list[Championship] = [ChampionshipFactory(partie_end="manches", partie_end_value=2) for _ in range(2)]
    grow(cups[0], 4)
    grow(cups[1], 18)
    headers = {}
    if who == "a stranger with a token":
        headers["HTTP_AUTHORIZATION"] = token(UserFactory())
    elif who == "somebody signed in":
        client.force_login(UserFactory())
    for name in LISTS:
        costs = []
        for cup in cups:
            place = f"/api/v1/championships/{cup.slug}/{name}"
            known = {**headers, "HTTP_IF_NONE_MATCH": client.get(place, **headers)["ETag"]}
            with CaptureQueriesContext(connection) as queries:
                assert status(client, place, **known) == 304, name
            costs.append(len(queries))
        besides = {"anybody": 0, "a stranger with a token": 1, "somebody signed in": 2}[who]
        assert costs[0] == costs[1] <= 2 + besides, (name, costs)


def test_what_is_known_of_the_whole_site_costs_one(client: Client) -> None:
    PartieFactory()
    for name in ("championships", "clubs", "players"):
        etag = client.get(f"/api/v1/{name}")["ETag"]
        with CaptureQueriesContext(connection) as queries:
            assert status(client, f"/api/v1/{name}", HTTP_IF_NONE_MATCH=etag) == 304
        assert len(queries) == 1, name


# ---- nothing that changed is taken for known -------------------------------------------------------------------------


def stamped_places() -> Iterator[str]:
    """Every address of a championship whose ETag is not that of its content."""
    values = {"number": 1, "manche": 1, "version": 1, "team": 1, "slug": "{slug}", "stage": 1}
    for pattern in urlpatterns:
        view: Any = getattr(pattern.callback, "cls", None)
        if view is not None and view.stamped:
            place = "/api/v1/" + str(pattern.pattern)
            if "<own_" not in place:  # by the ids of programs: for those who may look inside, by content
                yield re.sub(r"<\w+:(\w+)>", lambda found: str(values[found[1]]), place)


Seen = dict[str, tuple[str, bytes]]


class Watcher:
    """Reads all that is stamped, after every deed, and finds what changed under an ETag that did not."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.places = list(stamped_places())
        self.before: Seen = {}

    def look(self, after: str) -> None:
        cache.clear()
        now: Seen = {}
        for championship in Championship.objects.all():
            for place in self.places:
                at = place.format(slug=championship.slug)
                if at not in now:
                    answer = self.client.get(at)
                    now[at] = (answer.get("ETag", ""), answer.content)
        for at, (etag, content) in now.items():
            if at in self.before and etag and self.before[at][0] == etag:
                assert self.before[at][1] == content, f"{at} was changed by {after} under the same ETag"
        self.before = now


def tried() -> list[str]:
    from tests.league.test_audit import DONE

    return sorted(DONE)


@pytest.mark.sweep
@pytest.mark.parametrize("service", tried())
def test_whatever_a_service_changes_is_not_taken_for_known(client: Client, service: str) -> None:
    """What moves the stamps cannot be: only what leaves one where it was is looked at, in all that is answered."""
    stamps = Stamps()
    with transaction.atomic():
        run(service, before=stamps.look, after=stamps.look)
        transaction.set_rollback(True)
    if stamps.stayed:
        watcher = Watcher(client)
        run(service, before=lambda: watcher.look("what came before"), after=lambda: watcher.look(service))


class Stamps:
    """The positions of all championships and of the site, before a deed and after it."""

    def __init__(self) -> None:
        self.before: dict[int | None, int] = {}
        self.stayed = False

    def look(self) -> None:
        ids = [None, *Championship.objects.values_list("pk", flat=True)]
        now = {pk: stamp(pk) for pk in ids}
        self.stayed = any(self.before.get(pk) == position for pk, position in now.items())
        self.before = now


def run(service: str, *, before: Callable[[], None], after: Callable[[], None]) -> None:
    """Try a service as the audit's tests do, with something done right before it and right after it."""
    from tests.league.test_audit import DONE, Hall

    class Watched(Hall):
        def do(self, doing: Any, **how: Any) -> Any:
            if doing.__name__ == service:
                before()
            try:
                return super().do(doing, **how)
            finally:
                if doing.__name__ == service:
                    after()

    DONE[service](Watched(confirmation="organiser" if service == "confirm" else "at_once"))


def test_what_a_job_changes_is_not_taken_for_known(client: Client) -> None:
    partie: Partie = PartieFactory()
    championship = partie.championship
    watcher = Watcher(client)
    watcher.look("nothing")
    play(partie)
    watcher.look("a result")
    renew_live_ranking(championship_id=championship.pk)
    watcher.look("the renewal")
    EntryFactory(championship=championship)
    watcher.look("an entry")
