"""A championship goes out as a dump and comes in again, and is the same: results, rankings, whatever they depend on."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Championship, Document, LiveRanking
from league.selectors.etapes import ranking_document
from league.services.renewal import renew_live_ranking
from scoring.dump_reader import document_of, dump_document
from scoring.dump_stream import read_parts
from scoring.dump_verify import Verification, verify
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, play
from tests.league.dump.cases import ALL, rulings
from tests.league.dump.going import (
    decoded,
    empty_of_players,
    live_rows,
    published_rows,
    results_in,
    scores,
    taken_in,
    without_time_of_making,
    written,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("case", sorted(ALL))
@pytest.mark.parametrize("private", [True, False])
class TestRoundTrip:
    """Out and in again."""

    def test_all_that_is_said_comes_through(self, case: str, private: bool) -> None:
        before = decoded(ALL[case](), private=private)
        empty_of_players()
        after = decoded(taken_in(before).championship, private=private)
        if not private and "draw" in before["championship"]["tie_breaks"]:
            del before["live"]["rows"], after["live"]["rows"]  # without the secret lots are drawn anew
        assert without_time_of_making(after) == without_time_of_making(before)

    def test_scores_and_rankings_are_equal(self, case: str, private: bool) -> None:
        original = ALL[case]()
        raw = written(original, private=private)
        document = ranking_document(original)
        rows, versions, all_scores = live_rows(original), published_rows(original), scores(original)
        empty_of_players()
        copy = taken_in(raw).championship
        if private or "draw" not in original.tie_breaks:
            assert ranking_document(copy) == document
            assert live_rows(copy) == rows
        assert published_rows(copy) == versions
        if private or case != "hands":  # a first entry that nobody may see is not in what is public
            assert scores(copy) == all_scores
        assert LiveRanking.objects.get(championship=copy).journal_position == copy.journal_position
        assert copy.journal_position == original.journal_position
        assert copy.ranking_due_since is None

    def test_it_is_computed_again_without_a_difference(self, case: str, private: bool) -> None:
        original = ALL[case]()
        found = Verification()
        assert list(verify(read_parts([written(original, private=private)]), found)) == []
        assert found.live is True
        assert found.results == len(list(results_in(decoded(original, private=private))))
        assert found.lots == (private or "draw" not in original.tie_breaks)

    def test_the_dump_is_ranked_from_what_its_documents_come_to(self, case: str, private: bool) -> None:
        original = ALL[case]()
        if not private:
            finish_without_a_word(original)
        found = dump_document([written(original, private=private)])
        assert found == document_of(decoded(original, private=private))
        assert found == ranking_document(original)


def finish_without_a_word(championship: Championship) -> None:
    """Its secret is shown from then on; parties may be open, as they may not for the service."""
    Championship.objects.filter(pk=championship.pk).update(status="finished")


def test_the_cases_have_what_they_promise() -> None:
    whole = decoded(rulings(), private=True)
    assert {one["what"] for one in whole["journal"]} >= {
        "corrected", "penalised", "manche-voided", "manche-reinstated", "forfeit", "bye", "partie-voided",
        "entry-penalised", "withdrawn", "result-taken-back", "entered",
    }  # fmt: skip
    documents = [attempt["document"] for partie in whole["parties"] for attempt in partie.get("attempts", [])]
    assert [sorted({"text", "base64"} & one.keys()) for one in documents] == [["text"], ["base64"]]
    assert [one["replaces"] for one in results_in(whole) if "replaces" in one][:2] == [1, 2]
    assert [one["number"] for one in whole["published"]] == [1, 2, 3]
    assert whole["absences"]
    assert any(seat.get("stand_ins") for partie in whole["parties"] for seat in partie["seats"])


def test_bytes_come_back_as_they_came() -> None:
    """A byte order mark, line ends, and what is no text at all."""
    original = rulings()
    raw = written(original, private=True)
    empty_of_players()
    copy = taken_in(raw).championship
    bodies = [
        [
            bytes(one.body)
            for one in Document.objects.filter(**{path: championship}).order_by(number, "result__version", "pk")
        ]
        for championship in (original, copy)
        for path, number in (
            ("result__manche__partie__championship", "result__manche__partie__number"),
            ("attempt__partie__championship", "attempt__partie__number"),
        )
    ]
    assert sorted(bodies[0]) == sorted(bodies[2])
    assert bodies[1] == bodies[3]
    assert any(body.startswith(b"\xef\xbb\xbf") and body.endswith(b"\r\n\n") for body in bodies[2])
    assert b"\xff\xfe no text at all" in bodies[3]


def test_queries_do_not_grow_with_the_results() -> None:
    """Out and in: so many for each lot, not for each result."""
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=1, slug="many")
    entries = EntryFactory.create_batch(4, championship=championship)
    found = []
    for number in (2, 20):
        for round_number in range(championship.parties.count() + 1, number + 1):
            play(PartieFactory(championship=championship, entries=entries[:2], round=round_number))
        renew_live_ranking(championship_id=championship.pk)
        with CaptureQueriesContext(connection) as out:
            raw = written(championship)
        with CaptureQueriesContext(connection) as back:
            taken_in(raw, slug=f"copy-{number}")
        found.append((len(out), len(back)))
    assert found[0] == found[1]
