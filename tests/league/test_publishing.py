"""Published versions: numbered, frozen, each with what it counts and what moved (STANDINGS 4)."""

from typing import Any

import pytest

from league.errors import Conflict, NotFound, UserFault
from league.models import Championship, Partie, PublishedRanking, ResultEvent
from league.selectors.classement import document
from league.selectors.ranking import Move, difference, version_page, versions
from league.services.championships import change_keys
from league.services.entries import rename_team, withdraw
from league.services.publishing import publish
from league.services.rulings import penalise
from scoring.standings import explain, rank
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def championship() -> Championship:
    """Two rounds of one manche a partie: Ane beats Bo, then Bo beats Ane by more."""
    championship = ChampionshipFactory(partie_end="manches", partie_end_value=1, tie_breaks=["total_points"])
    entries = [EntryFactory(championship=championship, name=name) for name in ("Ane", "Bo")]
    for round_number, km in ((1, {"A": 1000, "B": 475}), (2, {"A": 25, "B": 1000})):
        play(PartieFactory(championship=championship, entries=entries, round=round_number), 1, sheet(km))
    championship.refresh_from_db()
    return championship


def release(championship: Championship, label: str = "Now", **how: Any) -> PublishedRanking:
    return publish(actor=owner_of(championship), championship_id=championship.pk, label=label, **how)


def frozen(ranking: PublishedRanking) -> list[tuple[int | None, str, dict[str, Any]]]:
    return [(row.rank, row.name, row.values) for row in ranking.rows.order_by("position")]


def correct(championship: Championship, number: int = 2) -> None:
    """The second partie turns out to be Ane's."""
    partie = Partie.objects.get(championship=championship, number=number)
    play(partie, 1, sheet({"A": 1000, "B": 25}), reason="Columns swapped", replaces=1)


def test_a_version_says_what_it_counts(championship: Championship) -> None:
    ranking = release(championship, "End of round 2", note=" Provisional ")

    assert (ranking.number, ranking.label, ranking.round, ranking.note) == (1, "End of round 2", None, "Provisional")
    assert ranking.journal_position == championship.journal_position == ResultEvent.objects.count()
    assert (ranking.keys, ranking.rules_version) == (championship.ranking_keys, "1")
    assert ranking.by == championship.created_by
    rows = explain(document(championship))["rows"]
    assert [(row.number, row.rank, row.values, row.why) for row in ranking.rows.order_by("position")] == [
        (row["entry"], row["rank"], row["values"], row["why"]) for row in rows
    ]


def test_as_of_a_round_the_present_results_of_the_rounds_up_to_it_count(championship: Championship) -> None:
    ranking = release(championship, "Round 1", round=1)

    assert [(rank_, name) for rank_, name, _ in frozen(ranking)] == [(1, "Ane"), (2, "Bo")]
    assert rank(document(championship, 1))["rows"] != rank(document(championship))["rows"]


def test_a_version_is_frozen_whatever_comes_later(championship: Championship) -> None:
    ranking = release(championship)
    before = frozen(ranking)

    correct(championship)
    entry = championship.entries.get(number=1)
    rename_team(actor=owner_of(championship), team_id=entry.team_id, version=None, name="Zoé")
    withdraw(actor=owner_of(championship), entry_id=entry.pk, reason="Moved away")
    change_keys(
        actor=owner_of(championship),
        championship_id=championship.pk,
        version=None,
        settings={"tie_breaks": ["km"]},
        reason="The hall voted",
    )

    assert frozen(ranking) == before
    ranking.refresh_from_db()
    assert ranking.keys["tie_breaks"] == ["total_points"]


def test_after_a_correction_the_next_version_says_what_moved_and_why(championship: Championship) -> None:
    release(championship)
    correct(championship)

    second = release(championship, "Corrected")

    assert second.number == 2
    assert second.moved == [{"entry": 1, "from": 2, "to": 1}, {"entry": 2, "from": 1, "to": 2}]
    assert second.causes == [
        {
            "position": championship.journal_position + 1,
            "what": "corrected",
            "partie": 2,
            "manche": 1,
            "entry": None,
            "reason": "Columns swapped",
        }
    ]


def test_what_moved_is_told_against_the_last_version_of_the_same_round(championship: Championship) -> None:
    release(championship, "Round 1", round=1)
    release(championship, "Round 2", round=2)
    correct(championship, 1)  # the same bytes would be no correction: Ane won by 475, now by 25

    again = release(championship, "Round 1, corrected", round=1)

    assert (again.number, again.moved) == (3, [])
    assert [cause["what"] for cause in again.causes] == ["corrected"]


def test_what_happened_in_a_later_round_is_no_cause(championship: Championship) -> None:
    release(championship, "Round 1", round=1)
    correct(championship, 2)
    assert release(championship, "Round 1, again", round=1).causes == []


def test_rulings_are_told_as_causes_and_plain_results_are_not(championship: Championship) -> None:
    release(championship)
    entries = list(championship.entries.order_by("number"))
    third = PartieFactory(championship=championship, entries=entries, round=3)
    play(third, 1, sheet({"A": 1000, "B": 0}))
    penalise(
        actor=owner_of(championship),
        manche_id=third.manches.get().pk,
        version=1,
        label="A",
        points=50,
        reason="Late",
    )

    assert [(cause["what"], cause["entry"], cause["reason"]) for cause in release(championship).causes] == [
        ("penalised", 1, "Late")
    ]


def test_every_ruling_is_told_however_many_there_are(championship: Championship) -> None:
    release(championship)
    entry = championship.entries.get(number=1)
    ResultEvent.objects.bulk_create(
        ResultEvent(championship=championship, position=position, what="entry-penalised", entry=entry, reason="Late")
        for position in range(championship.journal_position + 1, championship.journal_position + 302)
    )
    Championship.objects.update(journal_position=championship.journal_position + 301)
    assert len(release(championship).causes) == 301


def test_a_note_is_kept_tidy(championship: Championship) -> None:
    assert release(championship, note="As\0 announced\n ").note == "As announced"


def test_a_version_that_would_say_the_same_is_not_made(championship: Championship) -> None:
    release(championship)
    with pytest.raises(Conflict) as conflict:
        release(championship)
    assert (conflict.value.code, conflict.value.extra) == ("nothing-new", {"number": 1})
    release(championship, "Round 1", round=1)


def test_without_an_entry_there_is_nothing_to_publish() -> None:
    with pytest.raises(Conflict, match="nothing-to-publish"):
        release(ChampionshipFactory())


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"label": " "}, "required"),
        ({"round": 0}, "bad-round"),
        ({"round": 9_999_999_999}, "bad-round"),
        ({"note": "x" * 501}, "too-long"),
    ],
)
def test_what_is_wrong_is_told(championship: Championship, how: dict[str, Any], code: str) -> None:
    with pytest.raises(UserFault, match=code):
        release(championship, **how)


class TestReading:
    """Old versions stay readable."""

    def test_versions_are_listed_newest_first(self, championship: Championship) -> None:
        release(championship, "First")
        correct(championship)
        release(championship, "Second")
        assert [(v.number, v.label) for v in versions(championship=championship)] == [(2, "Second"), (1, "First")]

    def test_a_version_has_pages_and_every_name_that_its_whys_speak_of(self, championship: Championship) -> None:
        release(championship)
        found = version_page(championship=championship, version=1, size=1)
        assert (found.page.total, found.page.pages, len(found.page.items)) == (2, 2, 1)
        assert found.page.items[0].team == "Bo"
        assert found.names == {2: "Bo"}
        second = version_page(championship=championship, version=1, size=1, number=2)
        assert [row.team for row in second.page.items] == ["Ane"]

    def test_a_version_that_is_not_there(self, championship: Championship) -> None:
        with pytest.raises(NotFound):
            version_page(championship=championship, version=1)

    def test_the_difference_of_two_versions(self, championship: Championship) -> None:
        release(championship)
        correct(championship)
        EntryFactory(championship=championship, name="Cléo")
        release(championship)

        assert difference(championship=championship, before=1, after=2) == [
            Move(1, "Ane", 2, 1),
            Move(2, "Bo", 1, 2),
            Move(3, "Cléo", None, 3),
        ]
        assert difference(championship=championship, before=2, after=1)[-1] == Move(3, "Cléo", 3, None)
