"""What pages and API show of parties, manches, rankings and lists."""

from typing import Any

import pytest

from engine.notation import to_document
from engine.simulate import simulate
from league.errors import NotFound
from league.models import Championship, Manche, Partie, Result
from league.policy import ANYBODY
from league.selectors import (
    addresses,
    championships,
    dashboard,
    handed_in,
    inside,
    manches,
    organising,
    paging,
    parties,
    people,
    ranking,
)
from league.selectors.journal import journal
from league.services.parties import add_bye, close_partie, rule_forfeit, void_partie
from league.services.renewal import renew_live_ranking
from league.services.rulings import penalise, settle_claim, void_manche
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, as_bytes, owner_of, play, sheet
from tests.league.table_cases import enter

pytestmark = pytest.mark.django_db


def seat(partie: Partie, label: str) -> parties.SeatLine:
    return next(line for line in parties.partie_view(partie=partie).seats if line.label == label)


def manche_of(partie: Partie, number: int = 1) -> Manche:
    return addresses.manche_at(owner_of(partie.championship), partie.championship.slug, partie.number, number)


class TestParties:
    """Who sits where and what it came to, as the ranking has it."""

    def test_a_partie_without_a_result_has_no_places_and_waits_for_its_first_manche(self) -> None:
        view = parties.partie_view(partie=PartieFactory())
        assert [(line.place, line.match_points, line.points) for line in view.seats] == [(None, None, 0)] * 2
        assert (view.awaited, view.manches[0].status, view.manches[0].points) == (1, "awaiting", {})

    def test_an_open_partie_has_places_and_no_match_points_yet(self) -> None:
        partie = PartieFactory()
        play(partie)
        assert (seat(partie, "A").place, seat(partie, "A").match_points) == (1, None)
        assert (seat(partie, "B").place, seat(partie, "B").points, seat(partie, "B").km) == (2, 475, 475)

    def test_sums_are_after_penalties_and_without_annulled_manches(self) -> None:
        partie = PartieFactory()
        actor = owner_of(partie.championship)
        for number, km in ((1, 25), (2, 50)):
            play(partie, number, sheet({"A": 1000, "B": km}))
        penalise(actor=actor, manche_id=manche_of(partie).pk, version=1, label="A", points=1390, reason="Late")
        void_manche(actor=actor, manche_id=manche_of(partie, 2).pk, version=1, reason="Wrong deck")

        view = parties.partie_view(partie=partie)

        assert [(line.points, line.penalty, line.manches_won, line.place) for line in view.seats] == [
            (10, 1390, 1, 2),
            (25, 0, 0, 1),
        ]
        assert [line.status for line in view.manches] == ["confirmed", "void", "awaiting"]

    def test_a_closed_partie_has_the_match_points_of_the_ranking(self) -> None:
        championship = ChampionshipFactory(table_entries=3, partie_end="manches", partie_end_value=1, scale=[5, 2.5, 0])
        partie = PartieFactory(championship=championship)
        play(partie, 1, sheet({"A": 475, "B": 1000, "C": 475}))
        assert [(s.label, s.place, s.match_points) for s in parties.partie_view(partie=partie).seats] == [
            ("A", 2, "5/4"),
            ("B", 1, "5"),
            ("C", 2, "5/4"),
        ]

    def test_who_left_is_placed_below_and_has_none(self) -> None:
        partie = PartieFactory()
        play(partie)
        rule_forfeit(
            actor=owner_of(partie.championship),
            partie_id=partie.pk,
            entry_id=partie.seats.get(label="A").entry_id,
            version=None,
            reason="Left",
        )
        left = seat(partie, "A")
        assert (left.forfeited, left.forfeit_reason, left.place, left.match_points) == (True, "Left", 2, "0")
        assert seat(partie, "B").match_points == "2"
        assert parties.partie_view(partie=partie).awaited is None

    def test_a_void_partie_has_no_places(self) -> None:
        partie = PartieFactory()
        play(partie)
        void_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Wrong draw")
        assert seat(partie, "A").place is None

    def test_without_points_there_are_none_in_the_sums(self) -> None:
        championship = ChampionshipFactory(
            rulebook="moderne", decided_by="manches", partie_end="wins", partie_end_value=3
        )
        partie = PartieFactory(championship=championship)
        play(partie, 1, sheet(rulebook="moderne"))
        assert (seat(partie, "A").points, seat(partie, "A").manches_won, seat(partie, "A").km) == (None, 1, 1000)
        assert parties.partie_view(partie=partie).manches[0].points == {"A": None, "B": None}

    def test_without_points_there_are_none_before_the_first_result_either(self) -> None:
        championship = ChampionshipFactory(
            rulebook="moderne", decided_by="manches", partie_end="wins", partie_end_value=3
        )
        partie = PartieFactory(championship=championship)
        assert [line.points for line in parties.partie_view(partie=partie).seats] == [None, None]

    def test_rounds_are_counted_with_their_byes(self) -> None:
        championship = ChampionshipFactory()
        first, second = PartieFactory(championship=championship), PartieFactory(championship=championship, round=3)
        close_partie(actor=owner_of(championship), partie_id=first.pk, version=None, reason="Time")
        left_over = EntryFactory(championship=championship, name="Ane")
        add_bye(actor=owner_of(championship), entry_id=left_over.pk, round=2)

        assert second.round == 3
        assert [(r.number, r.parties, r.open, r.byes) for r in parties.rounds(championship=championship)] == [
            (1, 0, 0, []),
            (2, 0, 0, [(5, "Ane")]),
            (3, 1, 1, []),
        ]

    def test_the_parties_of_a_round_and_those_of_an_entry(self) -> None:
        championship = ChampionshipFactory()
        PartieFactory(championship=championship)
        last = PartieFactory(championship=championship, round=2)
        entry = last.seats.get(label="B").entry
        of_round = parties.parties(championship=championship, round_number=2)
        of_entry = parties.parties_of_entry(championship=championship, entry_number=entry.number)
        assert [view.number for view in of_round.items] == [view.number for view in of_entry.items] == [2]


class TestManches:
    """A manche's score line by line, its versions, its moves."""

    def test_lines_stand_in_the_order_of_the_rules(self) -> None:
        partie = PartieFactory()
        teams: dict[str, Any] = {
            "A": {"km": 1000, "n200": 0, "bottes": ["AS", "CI", "IN", "VP"], "coups_fourres": ["VP"]},
            "B": {"km": 0, "n200": 0, "bottes": [], "coups_fourres": []},
        }
        play(partie, 1, sheet(teams=teams, sabot_empty=True))

        current = manches.manche_view(manche=manche_of(partie)).current

        assert current is not None
        assert [code for code, _points in current.scores[0].lines] == [
            "km",
            "bottes",
            "quatre-bottes",
            "coups-fourres",
            "victoire",
            "couronnement",
            "sans-200",
            "capot",
        ]
        assert current.scores[0].total == sum(points for _code, points in current.scores[0].lines)

    def test_versions_stand_newest_first_each_with_its_reason(self) -> None:
        partie = PartieFactory()
        play(partie)
        play(partie, 1, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)
        view = manches.manche_view(manche=manche_of(partie))
        assert [(v.version, v.state, v.reason) for v in view.versions] == [
            (2, "confirmed", "Misread"),
            (1, "superseded", ""),
        ]
        assert view.current == view.versions[0]

    def test_it_says_who_sits_where_in_this_manche(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(players_per_team=2))
        play(partie, 1, sheet(players_per_team=2))
        view = manches.manche_view(manche=manche_of(partie, 2))
        assert (view.seats, view.status, view.current) == (["b1", "a2", "b2", "a1"], "awaiting", None)
        assert view.teams == {"A": (1, partie.seats.get(label="A").entry.team.name), "B": (2, view.teams["B"][1])}

    def test_a_log_can_be_followed_move_by_move(self) -> None:
        partie = PartieFactory()
        log = simulate("classique", 2, 1, 7)
        play(partie, 1, to_document(log))

        steps = list(manches.moves_of(manche=manche_of(partie), version=1))

        assert [step.move for step in steps] == [None, *log.moves]
        assert steps[-1].end is not None

    def test_a_sheet_has_no_moves(self) -> None:
        partie = PartieFactory()
        play(partie)
        with pytest.raises(NotFound):
            manches.moves_of(manche=manche_of(partie), version=1)

    def test_every_versions_document_can_be_had_as_it_came(self) -> None:
        partie = PartieFactory()
        play(partie)
        play(partie, 1, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)
        assert manches.document_of(manche=manche_of(partie), version=1) == (as_bytes(sheet()), "json")
        with pytest.raises(NotFound):
            manches.document_of(manche=manche_of(partie), version=3)


class TestRanking:
    """Pages of the live ranking."""

    def test_pages_hold_their_rows_and_every_name_that_a_why_speaks_of(self) -> None:
        championship = ChampionshipFactory(partie_end="manches", partie_end_value=1)
        names = [f"Équipe {number:02}" for number in range(1, 6)]
        for name in names:
            EntryFactory(championship=championship, name=name)
        renew_live_ranking(championship_id=championship.pk)
        championship.refresh_from_db()

        first = ranking.live_ranking(championship=championship, size=2)
        last = ranking.live_ranking(championship=championship, size=2, number=3)

        assert [row.team for row in first.page.items] == names[:2]
        assert [row.team for row in last.page.items] == names[4:]
        assert (first.page.total, first.page.pages, first.page.has_next, last.page.has_next) == (5, 3, True, False)
        # nobody has met: the why names a pair that is on no page but this one needs
        spoken_of = {number for said in first.page.items[0].why["passed"] for number in said.get("pair", ())}  # type: ignore[index]
        assert spoken_of <= set(first.names)

    def test_it_says_when_results_came_in_that_it_does_not_count_yet(self) -> None:
        partie = PartieFactory()
        renew_live_ranking(championship_id=partie.championship.pk)
        before = Championship.objects.get()
        assert not ranking.live_ranking(championship=before).is_due
        play(partie)
        after = Championship.objects.get()
        assert ranking.live_ranking(championship=after).is_due
        assert ranking.live_ranking(championship=after).journal_position == before.journal_position


class TestInside:
    """What organisers see."""

    def test_attempts_are_kept_with_their_bytes(self) -> None:
        partie = PartieFactory()
        bad = sheet({"A": 1000, "B": 26})
        play(partie, 1, bad)
        (attempt,) = inside.attempts(championship=partie.championship).items
        assert (attempt.partie, attempt.manche, attempt.code) == (1, 1, "km-not-multiple")
        assert inside.attempt_document(championship=partie.championship, attempt_id=attempt.id) == (
            as_bytes(bad),
            "json",
        )
        with pytest.raises(NotFound):
            inside.attempt_document(championship=PartieFactory().championship, attempt_id=attempt.id)

    def test_what_waits_for_a_decision_is_listed_until_it_is_taken(self) -> None:
        partie = PartieFactory()
        play(partie, 1, sheet(claim={"A": 1, "B": 475}))
        (waits,) = inside.to_settle(championship=partie.championship).items
        assert (waits.partie, waits.manche, waits.state) == (1, 1, "differs")
        assert waits.claim_differences[0]["team"] == "A"

        settle_claim(
            actor=owner_of(partie.championship),
            manche_id=waits.manche_id,
            version=waits.version,
            how="computed",
            reason="Added up wrong",
        )
        assert inside.to_settle(championship=partie.championship).total == 0

    def test_what_was_annulled_waits_for_nobody(self) -> None:
        partie = PartieFactory()
        play(partie, 1, sheet(claim={"A": 1, "B": 475}))
        void_partie(actor=owner_of(partie.championship), partie_id=partie.pk, version=None, reason="Wrong draw")
        assert inside.to_settle(championship=partie.championship).total == 0

    def test_an_address_is_had_only_through_a_championship_of_its_player(self) -> None:
        entry = EntryFactory()
        player = entry.team.players.get()
        assert inside.email_of_player(championship=entry.championship, player_id=player.pk) == player.email
        with pytest.raises(NotFound):
            inside.email_of_player(championship=ChampionshipFactory(), player_id=player.pk)


class TestHandedIn:
    """What was handed in, as its organisers see it."""

    @pytest.mark.parametrize(
        "settings",
        [
            {"players_per_team": 2},
            {"players_per_team": 2, "house": {"vp_starts": False}},
            {"rulebook": "dujardin-2010", "table_entries": 4, "target": 700},
        ],
        ids=str,
    )
    def test_a_log_as_a_sheet_is_one_of_the_same_game(self, settings: dict[str, Any]) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(**settings))
        players = settings.get("players_per_team", 1)
        rulebook, teams = partie.championship.rulebook, partie.championship.table_entries
        how = {name: settings.get(name) for name in ("house", "target")}
        log = to_document(simulate(rulebook, teams, players, 1, **how))
        assert play(partie, 1, log).outcome == "recorded"

        as_sheet = handed_in.sheet_of_result(manche=manche_of(partie), version=1)

        again = play(partie, 1, as_sheet, reason="Typed from the log", replaces=1)
        assert (again.outcome, as_sheet["players_per_team"]) == ("recorded", players)
        first, second = Result.objects.order_by("version")
        points = [list(result.scores.order_by("seat").values_list("points", "km")) for result in (first, second)]
        assert points[0] == points[1]


class TestDashboard:
    """What waits for an organiser."""

    def test_what_waits_in_a_partie_that_was_annulled_waits_no_more(self) -> None:
        partie = PartieFactory(championship=ChampionshipFactory(confirmation="organiser"))
        actor = owner_of(partie.championship)
        enter(partie, "A")
        assert len(dashboard.decisions(actor=actor)) == dashboard.own_championships(actor=actor).items[0].pending == 1

        void_partie(actor=actor, partie_id=partie.pk, version=1, reason="Drawn wrongly")

        assert dashboard.decisions(actor=actor) == []
        assert dashboard.decisions(actor=actor, championship=partie.championship) == []
        assert dashboard.own_championships(actor=actor).items[0].pending == 0


class TestLists:
    """Lists are found by folded names, paged and in a fixed order."""

    def test_players_are_found_without_their_accents(self) -> None:
        championship = ChampionshipFactory()
        player, _other = (EntryFactory(championship=championship).team.players.get() for _ in range(2))
        player.name, player.name_folded = "Zoé Çelik", "zoe celik"
        player.save()
        found = organising.players_of(championship=championship, text="CELIK").items
        assert [line.id for line in found] == [player.pk]

    def test_a_sign_that_a_database_cannot_keep_is_looked_for_without_it(self) -> None:
        player = EntryFactory(championship=ChampionshipFactory(name="Coupe")).team.players.get()
        championship = Championship.objects.get()
        found = organising.players_of(championship=championship, text=f"{player.name}\0").items
        assert [line.id for line in found] == [player.pk]
        assert len(championships.championships(actor=ANYBODY, text="Cou\0pe").items) == 1
        assert not championships.championships(actor=ANYBODY, status="\0 ", rulebook="a\0").items

    def test_a_page_beyond_the_last_is_empty_and_a_size_has_its_limits(self) -> None:
        championship = EntryFactory().championship
        beyond = people.entries(championship=championship, number=9)
        assert (list(beyond.items), beyond.total, beyond.pages, beyond.first) == ([], 1, 1, 0)
        assert people.entries(championship=championship, size=10_000).size == paging.LARGEST
        assert people.entries(championship=championship, size=0, number=-3).number == 1

    def test_the_journal_is_read_newest_first(self) -> None:
        partie = PartieFactory()
        play(partie)
        lines = journal(championship=partie.championship).items
        assert [(line.position, line.what) for line in lines] == [(3, "confirmed"), (2, "entered"), (1, "entered")]
        assert (lines[0].partie, lines[0].manche, lines[0].version) == (1, 1, 1)

    def test_addresses_that_name_nothing(self) -> None:
        championship = ChampionshipFactory()
        for find in (
            lambda: addresses.championship_at(ANYBODY, "nowhere"),
            lambda: addresses.partie_at(ANYBODY, championship.slug, 1),
            lambda: addresses.manche_at(ANYBODY, championship.slug, 1, 1),
            lambda: addresses.entry_at(ANYBODY, championship.slug, 1),
        ):
            with pytest.raises(NotFound):
                find()
