"""RULES 3 and 4: tables, the deal, the turn and the second go."""

import pytest

from engine.cards import CARDS
from engine.notation import HandLog
from engine.play import IllegalMoveError, play
from engine.replay import judge
from engine.rulebooks import RULEBOOKS
from tests.engine.tables import Manche, seating, shape, stacked

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", [*RULEBOOKS])
GO_ON_EMPTY = pytest.mark.parametrize(
    ("rulebook", "goes_on"), [("classique", False), ("moderne", True), ("fournier", True), ("dujardin-2010", True)]
)


class TestTables:
    """RULES 3."""

    TABLES = (
        ("classique", "2x1 3x1 4x1 2x2 3x2 4x2"),
        ("moderne", "2x1 3x1 4x1 2x2 3x2 4x2"),
        ("fournier", "2x1 3x1 2x2 3x2"),
        ("dujardin-2010", "2x1 3x1 3x2 4x1 4x2"),
    )

    @pytest.mark.parametrize(("rulebook", "tables"), TABLES)
    def test_a_rulebook_has_its_tables_and_no_other(self, rulebook: str, tables: str) -> None:
        sizes = [(teams, players) for teams in range(1, 7) for players in range(1, 4)]
        found = {f"{teams}x{players}" for teams, players in sizes if RULEBOOKS[rulebook].table(teams, players)}
        assert found == set(tables.split())

    @pytest.mark.parametrize(
        ("rulebook", "table", "cards", "targets", "extended"),
        [
            *(("classique", table, 106, (1000,), None) for table in TABLES[0][1].split()),
            *(("moderne", table, 106, (1000,), None) for table in TABLES[1][1].split()),
            ("fournier", "2x1", 101, (700,), 1000),
            ("fournier", "3x1", 101, (700,), 1000),
            ("fournier", "2x2", 106, (1000,), None),
            ("fournier", "3x2", 106, (700,), 1000),
            *(("dujardin-2010", table, 106, (1000,), None) for table in ("2x1", "3x1", "3x2")),
            *(("dujardin-2010", table, 106, (1000, 700), None) for table in ("4x1", "4x2")),
        ],
    )
    def test_deck_and_targets(
        self, rulebook: str, table: str, cards: int, targets: tuple[int, ...], extended: int | None
    ) -> None:
        found = shape(rulebook, table)
        assert (sum(found.deck.values()), found.targets, found.extended) == (cards, targets, extended)
        # the 101 cards lack one of each attack, and nothing else
        full = shape("classique").deck
        assert {card: full[card] - found.deck[card] for card in full if full[card] != found.deck[card]} == (
            {} if cards == 106 else dict.fromkeys(("FR", "LV", "PE", "CR", "AC"), 1)
        )

    @pytest.mark.parametrize(
        ("teams", "seats"),
        [
            ("A: a1 a2 | B: b1 b2", "a1 a2 b1 b2"),
            ("A: a1 a2 | B: b1 b2", "a1 b1 b2 a2"),
            ("A: a1 a2 | B: b1 b2", "a1 b1 a2"),
            ("A: a1 a2 | B: b1 b2", "a1 b1 a2 c1"),
            ("A: a1 a2 | B: b1 b2", "a1 b1 a2 b2 a1"),
            ("A: a1 a1 | B: b1 b2", "a1 b1 a1 b2"),
            ("A: x y | B: x z", "x y x z"),
            ("A: a1 a2 | B: b1", "a1 b1 a2"),
            ("A: a1 | B: b1 | C:", "a1 b1"),
            ("A: a1", "a1"),
            ("", ""),
            ("A: | B:", ""),
            ("A: a1 | B: b1 | C: c1 | D: d1 | E: e1", "a1 b1 c1 d1 e1"),
            ("A: a1 a2 a3 | B: b1 b2 b3", "a1 b1 a2 b2 a3 b3"),
        ],
    )
    def test_seats_that_are_no_table_are_refused(self, teams: str, seats: str) -> None:
        parts = [part.partition(":") for part in teams.split(" | ") if part]
        log = HandLog("classique", {label: players.split() for label, _, players in parts}, seats.split(), [])
        assert judge(log).code == "bad-table"

    def test_the_team_of_the_first_seat_plays_first_whatever_the_order_of_the_teams(self) -> None:
        log = HandLog("classique", {"A": ["a1"], "B": ["b1"]}, ["b1", "a1"], ["b1:FV", "a1:FV"])
        assert (judge(log).code, judge(log).at) == ("incomplete", 2)
        assert judge(log._replace(moves=["a1:FV"])).code == "not-your-turn"

    def test_a_table_is_never_taken_for_one_that_was_seen_before(self) -> None:
        """Tables are remembered by their seats; who sits in which team, and what is no table at all, is looked at."""
        plain = {"format": "bornes/1", "rulebook": "classique", "seats": ["p1", "p2"], "moves": ["LV>A"]}
        for _ in range(2):
            assert judge(plain | {"teams": {"A": ["p1"], "B": ["p2"]}}).code == "own-team"
            assert judge(plain | {"teams": {"B": ["p1"], "A": ["p2"]}}).code == "incomplete"
            assert judge(plain | {"teams": {"C": ["p1"], "D": ["p2"]}}).code == "unknown-team"
            assert judge(plain | {"teams": {"A": ["p1", "p2"]}}).code == "bad-table"
            wrong: list[object] = [None, [], {"A": None}, {"A": ["p1"], "é": ["p2"]}]
            for teams in wrong:
                assert judge(plain | {"teams": teams}).code == "malformed-log"
                assert judge(plain | {"teams": teams, "seats": ["p9"]}).code == "malformed-log"

    def test_what_becomes_of_a_document_after_it_was_read_changes_no_table(self) -> None:
        teams = {"A": ["q1"], "B": ["q2"]}
        document = {"format": "bornes/1", "rulebook": "classique", "teams": teams, "seats": ["q1", "q2"], "moves": []}
        assert judge(document).code == "incomplete"
        teams["B"].append("q 3")
        assert judge(document).code == "malformed-log"
        teams["B"] = ["q2"]
        assert judge(document).code == "incomplete"

    def test_a_log_names_no_target_but_one_of_its_table(self) -> None:
        assert Manche("dujardin-2010", "4x1").table.target == 1000
        assert Manche("dujardin-2010", "4x1", target=700).table.target == 700
        for rulebook, table, target in (
            ("dujardin-2010", "3x1", 700),
            ("fournier", "2x1", 1000),
            ("classique", "2x1", 0),
        ):
            teams, seats = seating(table)
            assert judge(HandLog(rulebook, teams, seats, [], target=target)).code == "bad-target"


class TestDeal:
    """RULES 4.1."""

    def test_six_cards_each_one_at_a_time_in_seat_order(self) -> None:
        deck = list(shape("classique", "3x1").deck)
        deck = [card for card in deck for _ in range(shape("classique", "3x1").deck[card])]
        manche = Manche("classique", "3x1", deck=deck)
        assert [manche.hand(player) for player in ("a1", "b1", "c1")] == [deck[0:18:3], deck[1:18:3], deck[2:18:3]]
        assert manche.table.drawing() == CARDS.index(deck[18])
        assert manche.table.sabot_left == 106 - 18

    def test_the_deck_is_exactly_the_cards_of_the_table(self) -> None:
        deck = stacked()
        teams, seats = seating("2x1")
        for wrong in (
            deck[:-1],
            [*deck, "25"],
            [*deck[:-1], "XX"],
            ["25" if card == "VP" else card for card in deck],
            [],
        ):
            assert judge(HandLog("classique", teams, seats, [], wrong)).code == "bad-deck"
        assert judge(HandLog("classique", teams, seats, [], stacked("fournier"))).code == "bad-deck"
        assert judge(HandLog("fournier", teams, seats, [], deck)).code == "bad-deck"


class TestTurn:
    """RULES 4.2 and 4.3."""

    def test_the_card_just_drawn_may_be_played(self) -> None:
        manche = Manche(deck=stacked(draws="FV 25"))
        assert manche.refusal("a1:25") == "not-in-hand"
        assert manche.refusal("a1:-FV") is None
        assert manche.refusal("a1:FV") is None

    def test_a_seat_draws_one_card_a_turn(self) -> None:
        manche = Manche(deck=stacked(a1="FV", b1="FV", draws="25 50 75"))
        manche.play("a1:FV")
        assert "25" in manche.hand("a1")
        assert manche.refusal("a1:25") == "not-your-turn"
        manche.play("b1:FV")
        assert "50" in manche.hand("b1")
        assert len(manche.hand("b1")) == 6
        assert manche.refusal("a1:75") is None

    @EVERY_RULEBOOK
    @pytest.mark.parametrize("card", CARDS)
    def test_any_card_may_be_discarded_a_playable_one_too(self, rulebook: str, card: str) -> None:
        assert Manche(rulebook).refusal(f"a1:-{card}") is None
        assert Manche(rulebook, deck=stacked(rulebook, draws=card)).refusal(f"a1:-{card}") is None

    def test_a_player_need_not_be_named(self) -> None:
        manche = Manche().play("FV FV 100 -25")
        assert (manche.turn, manche.km("A")) == ("a1", 100)

    def test_the_turns_go_round_the_table(self) -> None:
        manche = Manche("classique", "3x2").discard(7)
        assert [move.partition(":")[0] for move in manche.log.moves] == ["a1", "b1", "c1", "a2", "b2", "c2", "a1"]

    @EVERY_RULEBOOK
    def test_with_an_empty_sabot_the_turns_go_on_without_drawing(self, rulebook: str) -> None:
        manche = Manche(rulebook, deck=stacked(rulebook)).empty_sabot()
        player = manche.turn
        assert len(manche.hand(player)) == 6
        manche.discard()
        assert len(manche.hand(player)) == 5
        assert manche.turn != player

    @pytest.mark.parametrize("empty", [False, True], ids=["full", "empty"])
    @pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
    def test_a_card_that_is_refused_is_still_in_hand(self, closed: bool, empty: bool) -> None:
        hand = "100 ES FR 100 FL RE"
        manche = Manche(deck=stacked(a1=hand, draws="200") if closed else None)
        if empty:
            manche.empty_sabot(keep=hand)
        held, drawn = manche.table.cards_held(0), manche.table.drawn
        for move in ("a1:100", "a1:ES", "a1:FR>B", "a1:FR>A", "a1:100+", "a1:RE>B", "a1:FL", "a1:200"):
            with pytest.raises(IllegalMoveError):
                play(manche.table, move)
            assert (manche.table.cards_held(0), manche.table.drawn, manche.turn) == (held, drawn, "a1")
            if closed:
                assert sorted(manche.hand("a1")) == sorted(hand.split())
        manche.play("a1:-100").pass_to("a1", keep="100")
        assert manche.refusal("a1:-100") is None


class TestSecondGo:
    """RULES 4.4."""

    @EVERY_RULEBOOK
    def test_the_second_go_is_not_optional(self, rulebook: str) -> None:
        assert Manche(rulebook).play("a1:VP").refusal("b1:-25") == "not-your-turn"

    @EVERY_RULEBOOK
    def test_a_botte_in_the_second_go_gives_a_third(self, rulebook: str) -> None:
        manche = Manche(rulebook).play("a1:VP a1:CI a1:IN a1:AS")
        assert manche.turn == "a1"
        assert manche.table.sabot_left == sum(shape(rulebook).deck.values()) - 12 - 4

    @GO_ON_EMPTY
    @pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
    def test_with_an_empty_sabot_the_rulebook_says(self, rulebook: str, goes_on: bool, closed: bool) -> None:
        manche = Manche(rulebook, deck=stacked(rulebook, a1="CI", b1="IN") if closed else None)
        manche.empty_sabot(keep="CI IN")
        player, botte = manche.turn, {"a1": "CI", "b1": "IN"}[manche.turn]
        manche.play(f"{player}:{botte}")
        assert (manche.turn == player) == goes_on

    @GO_ON_EMPTY
    @pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
    def test_who_draws_the_last_card_on_that_go_exposes_with_an_empty_sabot(
        self, rulebook: str, goes_on: bool, closed: bool
    ) -> None:
        manche = Manche(rulebook, deck=stacked(rulebook, a1="CI", b1="IN") if closed else None)
        manche.empty_sabot(leave=1, keep="CI IN")
        player, botte = manche.turn, {"a1": "CI", "b1": "IN"}[manche.turn]
        manche.play(f"{player}:{botte}")
        assert manche.table.sabot_left == 0
        assert (manche.turn == player) == goes_on

    @EVERY_RULEBOOK
    def test_who_draws_the_last_but_one_goes_on(self, rulebook: str) -> None:
        manche = Manche(rulebook).empty_sabot(leave=2, keep="CI")
        player = manche.turn
        manche.play(f"{player}:CI")
        assert manche.turn == player
        manche.discard()
        assert manche.table.sabot_left == 0

    def test_a_second_go_that_finds_no_card_ends_the_turn(self) -> None:
        manche = Manche("moderne").empty_sabot(keep="CI").discard(10, keep="CI").play("a1:CI")
        assert manche.turn == "b1"
        assert manche.end is None


class TestPassingOver:
    """RULES 4.3: a seat with no card left is passed over."""

    def test_until_the_manche_ends(self) -> None:
        # b1 lays down four bottes in one turn, so has no card left when the others still have four or five
        manche = Manche("moderne", "3x1", deck=stacked("moderne", "3x1", b1="VP CI IN AS")).empty_sabot()
        manche.pass_to("b1")
        manche.play("b1:VP b1:CI b1:IN b1:AS").discard()
        while manche.hand("b1"):
            manche.discard()
        turns = []
        while manche.end is None:
            turns.append(manche.turn)
            manche.discard()
        assert turns == ["c1", "a1"] * 5
        assert manche.end == "exhausted"
