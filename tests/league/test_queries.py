"""How many queries things cost: what is handed in most, and what is read most (they do not grow with the size)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import ApiToken, Championship, LiveRow, Manche, Player
from league.policy import Action, Actor, require
from league.selectors import addresses, championships, inside, manches, parties, people, ranking
from league.selectors import journal as journal_selector
from league.selectors.classement import document
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.results import hand_in
from league.services.tokens import create_token, token_user
from tests.crowd import crowd
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, as_bytes, owner_of, play, sheet


@contextmanager
def counted(at_most: int) -> Iterator[None]:
    with CaptureQueriesContext(connection) as queries:
        yield
    assert len(queries) <= at_most, "\n".join(query["sql"] for query in queries)


@pytest.mark.django_db(transaction=True)
class TestHandIn:
    """All that a hand-in over HTTP asks of the database: token, address, policy, service; BEGIN and COMMIT counted."""

    @pytest.fixture(autouse=True)
    def _jobs_elsewhere(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # with a broker the renewal is another process's work
        monkeypatch.setattr("league.services.journal.wake", lambda championship_id: None)

    def hand_in_by_token(self, text: str, championship: Championship, number: int, **how: Any) -> None:
        token = token_user(text)
        assert token is not None
        actor = Actor(user=token.user, token=token, ip="192.0.2.7", request_id="r")
        partie = addresses.partie_at(actor, championship.slug, 1)
        require(actor, Action.HAND_IN, partie.championship)
        document = how.pop("document", None) or sheet({"A": 1000, "B": 25 * number})
        answer = hand_in(actor=actor, partie_id=partie.pk, number=number, body=as_bytes(document), **how)
        assert answer.outcome == "recorded"

    @pytest.fixture
    def championship(self) -> Championship:
        return PartieFactory(championship=ChampionshipFactory(partie_end="manches", partie_end_value=30)).championship

    @pytest.fixture
    def text(self, championship: Championship) -> str:
        token, text = create_token(
            actor=owner_of(championship), user=championship.created_by, name="Hall", scopes=["hand_in", "read"]
        )
        token_user(text)  # its use is noted now, and again in five minutes
        assert ApiToken.objects.get(pk=token.pk).last_used_at is not None
        return text

    def test_a_new_result_costs_at_most_14_queries(self, championship: Championship, text: str) -> None:
        with counted(14):
            self.hand_in_by_token(text, championship, 1)

    def test_it_costs_no_more_after_many_manches(self, championship: Championship, text: str) -> None:
        for number in range(1, 20):
            play(championship.parties.get(), number, sheet({"A": 1000, "B": 25 * number}))
        with counted(14):
            self.hand_in_by_token(text, championship, 20)

    def test_the_result_that_closes_a_partie_costs_no_more(self, text: str, championship: Championship) -> None:
        Championship.objects.update(partie_end_value=1)
        with counted(14):
            self.hand_in_by_token(text, championship, 1)
        assert championship.parties.get().status == "closed"

    def test_with_an_idempotency_key_one_more(self, championship: Championship, text: str) -> None:
        with counted(15):
            self.hand_in_by_token(text, championship, 1, idempotency_key="k")

    def test_that_no_request_with_its_key_is_under_way_is_asked_without_another_one(
        self, championship: Championship, text: str
    ) -> None:
        with counted(15):
            self.hand_in_by_token(text, championship, 1, idempotency_key="k", waits=False)

    def test_under_an_own_id_two_more(self, championship: Championship, text: str) -> None:
        with counted(16):
            self.hand_in_by_token(text, championship, 1, external_id="g-1")

    def test_a_correction_one_more(self, championship: Championship, text: str) -> None:
        self.hand_in_by_token(text, championship, 1)
        with counted(15):
            self.hand_in_by_token(
                text, championship, 1, document=sheet({"A": 1000, "B": 50}), reason="Misread", replaces=1
            )


@pytest.mark.django_db
class TestReading:
    """Pages and API answers cost the same whatever the size."""

    @pytest.fixture
    def small(self) -> Championship:
        return self.made(parties=1)

    @pytest.fixture
    def large(self) -> Championship:
        return self.made(parties=8)

    def made(self, parties: int) -> Championship:
        championship = ChampionshipFactory(partie_end="manches", partie_end_value=2, players_per_team=2)
        for _ in range(parties):
            partie = PartieFactory(championship=championship)
            for number in (1, 2):
                play(partie, number, sheet({"A": 1000, "B": 25 * number}, players_per_team=2))
            play(partie, 3, sheet())
        EntryFactory(championship=championship)
        renew_live_ranking(championship_id=championship.pk)
        publish(actor=owner_of(championship), championship_id=championship.pk, label="Now")
        return championship

    READS: tuple[tuple[str, int, Callable[[Championship], Any]], ...] = (
        ("live ranking", 4, lambda c: ranking.live_ranking(championship=c)),
        ("published version", 3, lambda c: ranking.version_page(championship=c, version=1)),
        ("published versions", 1, lambda c: ranking.versions(championship=c)),
        ("rounds", 2, lambda c: parties.rounds(championship=c)),
        ("parties", 7, lambda c: parties.parties(championship=c, round_number=1)),
        ("partie", 6, lambda c: parties.partie_view(partie=c.parties.first())),
        ("entries", 3, lambda c: people.entries(championship=c)),
        ("championships", 2, lambda c: championships.championships(actor=owner_of(c))),
        ("championship", 2, lambda c: championships.championship_view(c)),
        ("journal", 2, lambda c: journal_selector.journal(championship=c)),
        ("attempts", 2, lambda c: inside.attempts(championship=c)),
        ("to settle", 2, lambda c: inside.to_settle(championship=c)),
        ("audit", 2, lambda c: inside.audit(championship=c)),
        ("document", 5, document),
    )

    @pytest.mark.parametrize(("at_most", "read"), [read[1:] for read in READS], ids=[read[0] for read in READS])
    def test_a_list_costs_the_same_whatever_the_size(
        self, small: Championship, large: Championship, at_most: int, read: Callable[[Championship], Any]
    ) -> None:
        counts = []
        for championship in (Championship.objects.get(pk=small.pk), Championship.objects.get(pk=large.pk)):
            with CaptureQueriesContext(connection) as queries:
                read(championship)
            counts.append(len(queries))
        assert counts[0] == counts[1] <= at_most + 1  # one for what the test itself looks up

    def test_an_address_and_what_policy_asks_cost_one_query(self, small: Championship) -> None:
        for found in (
            lambda actor: addresses.championship_at(actor, small.slug),
            lambda actor: addresses.partie_at(actor, small.slug, 1).championship,
            lambda actor: addresses.manche_at(actor, small.slug, 1, 1).partie.championship,
            lambda actor: addresses.entry_at(actor, small.slug, 1).championship,
        ):
            actor = owner_of(small)
            with counted(1):
                require(actor, Action.CHANGE, found(actor))

    def test_a_manche_costs_three_queries_whatever_its_versions(self, small: Championship) -> None:
        partie = PartieFactory(championship=small)
        play(partie, 1, sheet(players_per_team=2))
        for version in range(1, 6):
            changed = sheet({"A": 1000, "B": 25 * version}, players_per_team=2)
            play(partie, 1, changed, reason="Misread", replaces=version)
        manche = Manche.objects.select_related("partie__championship").get(partie=partie, number=1)
        with counted(3):
            assert len(manches.manche_view(manche=manche).versions) == 6

    def test_a_player_costs_three_queries_whatever_the_championships(self, large: Championship) -> None:
        player = Player.objects.earliest("pk")
        with counted(3):
            people.player_view(actor=Actor(), player_id=player.pk)


@pytest.mark.django_db(transaction=True)
def test_a_renewal_costs_under_20_queries_whatever_the_size() -> None:
    counts = []
    for championship in (crowd(entries=20, results=40), crowd(entries=300, results=600)):
        with CaptureQueriesContext(connection) as queries:
            renew_live_ranking(championship_id=championship.pk)
        counts.append(len(queries))
        assert LiveRow.objects.filter(championship=championship).count() == championship.entries.count()
    if connection.vendor == "postgresql":
        assert counts[0] == counts[1] < 20
    else:
        assert counts[0] < 20  # SQLite takes many rows in several statements
