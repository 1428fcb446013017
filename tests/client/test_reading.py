"""Reading: lists to their end, what is known from memory, the feed and a mirror."""

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import connection

from bornage_client import Bornage, Mirror, NotFoundError, ProblemError, UnreachableError, pages
from engine.simulate import simulate
from engine.text_notation import to_text
from league.demonstration import make_demonstration
from league.models import Scope, User
from league.policy import Actor
from league.services.renewal import renew_live_ranking
from league.services.tokens import create_token
from tests.client.conftest import There, answered, request_lost
from tests.factories import EntryFactory, PartieFactory, play, sheet
from tests.league.feed.mirror import LISTS

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_list_is_followed_to_its_end(there: There) -> None:
    EntryFactory.create_batch(5, championship=there.row)
    coupe = there.site.championship(there.row.slug)
    assert [entry["number"] for entry in coupe.entries(limit=2)] == list(range(1, 8))
    assert len(there.network.sent) == 4
    assert [entry["number"] for entry in coupe.entries()] == list(range(1, 8))


def test_what_has_not_changed_is_not_sent_again_and_what_has_is(there: There) -> None:
    coupe = there.site_of_everybody.championship(there.row.slug)
    before = [list(coupe.parties()), list(coupe.parties())]
    assert there.network.statuses == [200, 304]
    assert before[0] == before[1]
    assert before[0][0]["awaited"] == 1
    play(there.partie)
    assert next(coupe.parties())["awaited"] == 2
    assert there.network.statuses[2:] == [200]


def test_what_was_answered_from_memory_is_nobodys_to_change(there: There) -> None:
    coupe = there.site.championship(there.row.slug)
    coupe.read()["name"] = "spoilt"
    assert coupe.read()["name"] == there.row.name
    assert there.network.statuses == [200, 304]


def test_a_refusal_says_what_kind_it_is(there: There) -> None:
    with pytest.raises(NotFoundError) as found:
        there.site.championship("nowhere").read()
    assert (found.value.status, found.value.code) == (404, "not-found")
    assert found.value.request_id
    with pytest.raises(ProblemError) as bad:
        list(there.site.championship(there.row.slug).entries(colour="red"))
    assert (bad.value.status, bad.value.code, bad.value.field) == (400, "bad-parameter", "colour")
    assert there.slept == []


def test_a_read_is_sent_again_until_it_is_answered_and_no_longer(there: There) -> None:
    there.network.fates = [request_lost, answered(503), answered(502, Retry_After="7")]
    assert there.site.championship(there.row.slug).read()["slug"] == there.row.slug
    assert len(there.slept) == 3
    assert there.slept[2] == 7
    there.network.fates = [request_lost] * 5
    with pytest.raises(UnreachableError, match="the request is lost"):
        there.site.championship(there.row.slug).read()
    assert there.network.fates == []


def test_a_token_goes_to_the_site_alone(there: There) -> None:
    here = there.site.transport.url("https://elsewhere.example/api/v1/championships?limit=1")
    assert str(here) == f"{there.url}/api/v1/championships?limit=1"
    there.network.fates = [answered(301, Location="https://elsewhere.example/")]
    with pytest.raises(ProblemError, match="elsewhere"):
        there.site.championship(there.row.slug).read()
    assert len(there.network.sent) == 1


def test_a_ranking_that_is_replaced_between_its_pages_is_read_again(there: There) -> None:
    EntryFactory.create_batch(3, championship=there.row)
    play(there.partie)
    renew_live_ranking(championship_id=there.row.pk)

    def replaced(_request: httpx.Request, send: Any) -> httpx.Response:
        play(there.partie, 2, sheet({"A": 25, "B": 1000}))
        renew_live_ranking(championship_id=there.row.pk)
        connection.close()
        return send()  # type: ignore[no-any-return]

    there.network.fates = [lambda _request, send: send(), replaced]
    rows = there.site.championship(there.row.slug).ranking(limit=2)
    assert [row["position"] for row in rows] == [1, 2, 3, 4, 5]
    assert len({row["entry"] for row in rows}) == 5
    assert len(there.network.sent) == 3 + 3


def test_a_ranking_as_a_table(there: There) -> None:
    play(there.partie)
    renew_live_ranking(championship_id=there.row.pk)
    lines = there.site.championship(there.row.slug).ranking_as_csv().splitlines()
    assert len(lines) == 3
    assert "rank" in lines[0].split(",")


class TestFeed:
    def test_a_cursor_stands_behind_what_was_taken(self, there: There) -> None:
        """Whoever breaks off in the middle of a page goes on with the change that was not done."""
        feed = there.site.championship(there.row.slug).feed()
        keys = [(change["kind"], change["key"]) for change in feed.to_head()]
        assert len(keys) > 3
        again = there.site.championship(there.row.slug).feed()
        for number, _change in enumerate(again.to_head(), 1):
            if number == 3:
                break
        rest = there.site.championship(there.row.slug).feed(again.cursor)
        assert [(change["kind"], change["key"]) for change in rest.to_head()] == keys[2:]

    def test_a_mirror_is_what_the_lists_say_and_goes_on_at_its_cursor(self, there: There) -> None:
        mirror = there.site.championship(there.row.slug).mirror()
        assert mirror.update() > 0
        _require_equal(mirror, there)
        PartieFactory(championship=there.row)
        play(there.partie)
        renew_live_ranking(championship_id=there.row.pk)
        resumed = Mirror(there.site.championship(there.row.slug).feed(mirror.feed.cursor), mirror.things)
        assert resumed.update() > 0
        _require_equal(resumed, there)
        assert resumed.update() == 0

    def test_what_is_gone_goes_from_a_mirror(self, there: There) -> None:
        mirror = there.site.mirror()
        mirror.update()
        assert mirror.of("partie", there.row.slug)
        there.row.visibility = "draft"
        there.row.save()
        mirror.update()
        assert mirror.of("partie", there.row.slug) == {}
        assert mirror.of("championship", there.row.slug) == {}

    @pytest.mark.postgres
    def test_follow_waits_for_what_comes(self, there: There) -> None:
        feed = there.site.championship(there.row.slug).feed()
        list(feed.to_head())
        timer = threading.Timer(0.5, lambda: (play(there.partie), connection.close()))
        timer.start()
        change = next(feed.follow(wait=20))
        timer.join()
        assert change["kind"] in ("partie", "ranking", "round", "championship")

    def test_follow_comes_later_where_too_many_wait(self, there: There) -> None:
        feed = there.site.championship(there.row.slug).feed()
        list(feed.to_head())
        empty = {"items": [], "next": feed.cursor, "head": feed.cursor}
        there.network.fates = [lambda _r, _s: httpx.Response(200, json=empty, headers={"Retry-After": "5"})]
        play(there.partie)
        next(feed.follow())
        assert there.slept == [5]


def _require_equal(mirror: Mirror, there: There) -> None:
    """As everybody reads the lists, who are shown less than the owner."""
    at = f"championships/{there.row.slug}"
    for kind, (name, key) in LISTS.items():
        with Bornage(there.url) as everybody:
            listed = {str(item[key]): item for item in pages.items(everybody.transport, f"{at}/{name}")}
        assert mirror.of(kind, there.row.slug) == listed, kind


README = Path(__file__).resolve().parents[2] / "clients" / "python" / "README.md"


def _examples() -> Iterator[str]:
    yield from re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_the_first_example_of_the_readme_runs_on_the_demonstration(
    live_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some of its open parties wait for a decision, and for no result."""
    demonstration = make_demonstration()
    owner = User.objects.get(pk=demonstration.created_by_id)
    User.objects.filter(pk=owner.pk).update(is_active=True)
    token = create_token(actor=Actor(user=owner), user=owner, name="A program", scopes=Scope.values)[1]
    example = next(_examples()).replace("http://127.0.0.1:8000", live_server.url).replace("bornage_…", token)
    log = to_text(simulate("classique", 2, 2, "from elsewhere"))
    open_parties = demonstration.parties.filter(status="open").count()
    exec(compile(example, str(README), "exec"), {"log": log})
    said = capsys.readouterr().out
    assert "Point Mort" in said
    handed_in = re.findall(r"^game-(\d+)-hand-\d+ ", said, re.MULTILINE)
    assert 0 < len(handed_in) < open_parties


def test_every_example_of_the_readme_runs(there: There, capsys: pytest.CaptureFixture[str]) -> None:
    """Against this site in the place of the one that they name."""
    from tests.league.api.conftest import log_as_text

    token = there.site.transport._headers["Authorization"].removeprefix("Bearer ")
    names = {"http://127.0.0.1:8000": there.url, "bornage_…": token, "coupe-de-la-borne-blanche": there.row.slug}
    count, kept = 0, {"log": log_as_text().decode(), "logs": [log_as_text(2, 1).decode()], "waits": False}
    for example in _examples():
        for name, here in names.items():
            example = example.replace(name, here)
        exec(compile(example, str(README), "exec"), kept)
        count += 1
    assert count >= 3
    assert f"game-{there.partie.number}-hand-1 confirmed" in capsys.readouterr().out
    assert there.partie.manches.filter(results__isnull=False).count() == 2
