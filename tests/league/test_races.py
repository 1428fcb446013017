"""Two at once, on PostgreSQL, with real threads and real transactions (DESIGN 4).

Each race is forced: the championship's row is held until all runners wait for it, then let go.
"""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection, transaction

from league.errors import Conflict, UserFault
from league.models import (
    Championship,
    Entry,
    LiveRanking,
    LiveRow,
    Manche,
    Membership,
    Result,
    ResultEvent,
    User,
)
from league.policy import Actor
from league.selectors.classement import document
from league.services import accounts, publishing, renewal
from league.services.accounts import (
    accept_invitation,
    create_first_account,
    invite,
    open_or_close_account,
    remove_organiser,
)
from league.services.championships import change_championship
from league.services.entries import add_team, enter
from league.services.locks import lock_championship
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.rulings import confirm
from scoring.standings import rank
from tests.factories import (
    ChampionshipFactory,
    PartieFactory,
    PlayerFactory,
    UserFactory,
    owner_of,
    play,
    sheet,
)
from tests.league.table_cases import side

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

Runner = Callable[[], Any]


def at_once(championship: Championship | None, *runners: Runner) -> list[Any]:
    """Run them in threads of their own; what each returned, or the fault that it raised, in their order.

    With a championship its lock is held until every runner waits for it.
    """
    answers: list[Any] = [None] * len(runners)

    def run(place: int, runner: Runner) -> None:
        try:
            answers[place] = runner()
        except UserFault as fault:
            answers[place] = fault
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(runners)]
    with transaction.atomic():
        if championship is not None:
            lock_championship(pk=championship.pk)
        for thread in threads:
            thread.start()
        if championship is not None:
            _wait_for(lambda: _waiting() >= len(runners))
    for thread in threads:
        thread.join(20)
        assert not thread.is_alive()
    return answers


def _waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # else it shows the same all through a transaction
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return int(cursor.fetchone()[0])


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "the runners never met"
        time.sleep(0.01)


def positions(championship: Championship) -> Sequence[int]:
    return list(ResultEvent.objects.filter(championship=championship).values_list("position", flat=True))


def test_the_same_bytes_twice_at_once_give_one_result() -> None:
    partie = PartieFactory()

    answers = at_once(partie.championship, *[lambda: play(partie)] * 3)

    assert sorted(answer.outcome for answer in answers) == ["recorded", "repeated", "repeated"]
    assert len({answer.result for answer in answers}) == 1
    assert Result.objects.count() == 1
    assert Manche.objects.count() == 2


def test_of_two_different_documents_at_once_one_wins_and_the_other_is_told_the_present_version() -> None:
    partie = PartieFactory()

    answers = at_once(
        partie.championship, lambda: play(partie), lambda: play(partie, document=sheet({"A": 1000, "B": 600}))
    )

    (lost,) = [answer for answer in answers if isinstance(answer, Conflict)]
    (won,) = [answer for answer in answers if not isinstance(answer, Conflict)]
    assert won.outcome == "recorded"
    assert (lost.code, lost.status) == ("result-exists", 409)
    assert lost.extra["present"] == {"version": 1, "state": "confirmed", "result": won.result}
    assert Result.objects.count() == 1


def test_of_two_corrections_of_one_version_at_once_one_wins() -> None:
    partie = PartieFactory()
    play(partie)

    answers = at_once(
        partie.championship,
        *[
            lambda km=km: play(partie, document=sheet({"A": 1000, "B": km}), reason="Misread", replaces=1)
            for km in (600, 625)
        ],
    )

    (lost,) = [answer for answer in answers if isinstance(answer, Conflict)]
    assert lost.extra["present"]["version"] == 2
    assert sorted(Result.objects.values_list("version", "state")) == [(1, "superseded"), (2, "confirmed")]


def test_one_request_sent_twice_at_once_is_done_once_and_answered_alike() -> None:
    partie = PartieFactory()

    first, second = at_once(partie.championship, *[lambda: play(partie, idempotency_key="k")] * 2)

    assert first == second
    assert sorted([first.replayed, second.replayed]) == [False, True]


def test_results_of_many_tables_at_once_take_positions_without_a_gap() -> None:
    championship = ChampionshipFactory()
    parties = [PartieFactory(championship=championship) for _ in range(6)]

    answers = at_once(championship, *[lambda partie=partie: play(partie) for partie in parties])

    assert [answer.outcome for answer in answers] == ["recorded"] * 6
    championship.refresh_from_db()
    assert positions(championship) == list(range(1, championship.journal_position + 1))


def test_confirmed_twice_at_once_it_counts_once() -> None:
    partie = PartieFactory(championship=ChampionshipFactory(confirmation="organiser"))
    play(partie, actor=side(partie, "A"))
    manche = Manche.objects.get()

    at_once(
        partie.championship,
        *[lambda: confirm(actor=owner_of(partie.championship), manche_id=manche.pk, version=1)] * 2,
    )

    assert ResultEvent.objects.filter(what="confirmed").count() == 1
    assert Manche.objects.count() == 2


def test_teams_entered_at_once_have_numbers_of_their_own() -> None:
    championship = ChampionshipFactory()
    actor = owner_of(championship)
    teams = [
        add_team(actor=actor, championship_id=championship.pk, player_ids=[player.pk])
        for player in PlayerFactory.create_batch(4)
    ]

    at_once(championship, *[lambda team=team: enter(actor=actor, team_id=team.pk) for team in teams])

    assert sorted(Entry.objects.values_list("number", flat=True)) == [1, 2, 3, 4]


def test_the_rulebook_and_the_first_result_at_once_agree_in_either_order() -> None:
    partie = PartieFactory()
    championship = partie.championship

    changed, handed_in = at_once(
        championship,
        lambda: change_championship(
            actor=owner_of(championship),
            championship_id=championship.pk,
            version=None,
            settings={"rulebook": "dujardin-2010"},
        ),
        lambda: play(partie),
    )

    championship.refresh_from_db()
    if isinstance(changed, Conflict):
        assert (changed.code, handed_in.outcome) == ("results-in", "recorded")
        assert championship.rulebook == "classique"
    else:
        assert handed_in.verdict["faults"] == [["other-rulebook", None]]
        assert championship.rulebook == "dujardin-2010"


def test_two_first_accounts_at_once_are_one() -> None:
    def make(name: str) -> User:
        return create_first_account(
            actor=Actor(), email=f"{name}@example.org", display_name=name, password="a long enough phrase"
        )

    answers = at_once(None, *[lambda name=name: make(name) for name in ("ane", "bo", "cleo", "dov")])

    assert User.objects.count() == 1
    assert sorted(getattr(answer, "code", "made") for answer in answers) == ["made", *["not-first"] * 3]


def test_of_two_who_close_each_others_account_at_once_one_stays() -> None:
    one, other = (UserFactory(is_staff=True, is_superuser=True) for _ in range(2))

    answers = at_once(
        None,
        lambda: open_or_close_account(actor=Actor(user=one), user_id=other.pk, is_open=False),
        lambda: open_or_close_account(actor=Actor(user=other), user_id=one.pk, is_open=False),
    )

    assert sorted(getattr(answer, "code", "closed") for answer in answers) == ["closed", "last-staff"]
    assert User.objects.filter(is_active=True).count() == 1


def test_an_organiser_removed_twice_at_once_is_removed_once() -> None:
    championship = ChampionshipFactory()
    second = Membership.objects.create(championship=championship, user=UserFactory(), role="organiser")

    answers = at_once(
        championship,
        *[lambda: remove_organiser(actor=owner_of(championship), membership_id=second.pk)] * 2,
    )

    assert [getattr(answer, "code", None) for answer in answers if answer] == ["not-found"]


def test_one_new_address_takes_two_invitations_at_once_with_one_account(monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(2)
    lay_name = accounts._lay_name

    def wait_and_lay(*given: Any) -> None:
        together.wait(10)  # both have found that the address has no account
        lay_name(*given)

    monkeypatch.setattr(accounts, "_lay_name", wait_and_lay)
    tokens = []
    for championship in (ChampionshipFactory(), ChampionshipFactory()):
        asked = {"actor": owner_of(championship), "championship_id": championship.pk, "link": str}
        tokens.append(invite(email="new@example.org", **asked)[1])

    answers = at_once(
        None,
        *[
            lambda token=token: accept_invitation(
                actor=Actor(), token=token, display_name="New", password="a long enough phrase"
            )
            for token in tokens
        ],
    )

    assert sorted(getattr(answer, "code", "taken") for answer in answers) == ["email-taken", "taken"]
    assert Membership.objects.filter(user__email="new@example.org").count() == 1


def test_an_invitation_opened_twice_at_once_is_taken_once() -> None:
    championship = ChampionshipFactory()
    _invitation, token = invite(
        actor=owner_of(championship), championship_id=championship.pk, email="new@example.org", link=str
    )

    answers = at_once(
        championship,
        *[lambda: accept_invitation(actor=Actor(), token=token, display_name="New", password="a long enough phrase")]
        * 2,
    )

    assert sorted(getattr(answer, "code", "taken") for answer in answers) == ["invitation-gone", "taken"]
    assert Membership.objects.filter(user__email="new@example.org").count() == 1


def test_rankings_renewed_by_two_workers_while_results_come_in_end_as_the_document_has_it() -> None:
    championship = ChampionshipFactory()
    parties = [PartieFactory(championship=championship) for _ in range(4)]

    at_once(
        None,
        *[lambda partie=partie: play(partie) for partie in parties],
        *[lambda: renew_live_ranking(championship_id=championship.pk)] * 3,
    )
    renew_live_ranking(championship_id=championship.pk)

    championship.refresh_from_db()
    assert championship.ranking_due_since is None
    assert LiveRanking.objects.get().journal_position == championship.journal_position
    assert live_rows() == rank(document(championship))["rows"]


def test_a_worker_with_an_older_moment_does_not_undo_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    partie = PartieFactory(championship=ChampionshipFactory(partie_end_value=1000))
    championship = partie.championship
    mark_as_due(championship)
    real = renewal.computed

    def overtaken(whole: dict[str, Any]) -> Any:
        monkeypatch.setattr(renewal, "computed", real)
        rows = real(whole)
        play(partie)  # and its own renewal, at once
        return rows

    monkeypatch.setattr(renewal, "computed", overtaken)
    renew_live_ranking(championship_id=championship.pk)

    championship.refresh_from_db()
    assert championship.ranking_due_since is None
    assert live_rows() == rank(document(championship))["rows"]
    assert live_rows()[0]["values"]["match_points"] == "2"


def test_what_a_renewal_reads_comes_from_one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    partie = PartieFactory(championship=ChampionshipFactory(partie_end_value=1000))
    mark_as_due(partie.championship)
    seen: list[dict[str, Any]] = []
    real_document = renewal.ranking_document

    def overtaken(championship: Championship) -> dict[str, Any]:
        monkeypatch.setattr(renewal, "ranking_document", real_document)
        at_once(None, lambda: play(partie))
        seen.append(real_document(championship))
        return seen[0]

    monkeypatch.setattr(renewal, "ranking_document", overtaken)
    renew_live_ranking(championship_id=partie.championship.pk)

    # the moment was before the result: neither the manche is seen, nor that the partie has closed
    assert seen[0]["parties"] == [{"number": 1, "round": 1, "entries": [1, 2], "manches": [], "status": "open"}]
    assert live_rows()[0]["values"]["match_points"] == "2"


def mark_as_due(championship: Championship) -> None:
    Championship.objects.filter(pk=championship.pk).update(ranking_due_since=championship.created_at)


def live_rows() -> list[dict[str, Any]]:
    return [
        {
            "rank": row.rank,
            "entry": row.entry.number,
            "values": row.values,
            "above_next_by": row.above_next_by,
        }
        for row in LiveRow.objects.select_related("entry").order_by("position")
    ]


def test_a_result_that_comes_in_while_a_version_is_computed_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    partie = PartieFactory(championship=ChampionshipFactory(partie_end_value=1000))
    real = publishing.computed

    def overtaken(whole: dict[str, Any]) -> Any:
        monkeypatch.setattr(publishing, "computed", real)
        rows = real(whole)
        at_once(None, lambda: play(partie))
        return rows

    monkeypatch.setattr(publishing, "computed", overtaken)
    published = publish(actor=owner_of(partie.championship), championship_id=partie.championship.pk, label="Now")

    partie.championship.refresh_from_db()
    assert published.journal_position == partie.championship.journal_position
    assert published.rows.get(rank=1).values["match_points"] == "2"
