"""RULES 7: how a manche ends, who wins, the couronnement, the rallonge."""

import pytest

from engine.rulebooks import RULEBOOKS
from tests.engine.tables import Manche, stacked

EVERY_RULEBOOK = pytest.mark.parametrize("rulebook", [*RULEBOOKS])
MOST_KM_WINS = pytest.mark.parametrize(
    ("rulebook", "most_km_wins"),
    [("classique", False), ("moderne", True), ("fournier", False), ("dujardin-2010", True)],
)
OPEN_OR_CLOSED = pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])


def drive(manche: Manche, team: str, cards: str, keep: str = "") -> Manche:
    """Lays étapes of a team, by whoever of it is on turn; the others discard."""
    for card in cards.split():
        while not manche.turn.startswith(team.lower()):
            manche.discard(keep=keep)
        manche.play(f"{manche.turn}:{card}")
    return manche


class TestTarget:
    """A team stands exactly on the target: at once, even if others still hold cards."""

    def test_the_manche_is_over_at_once(self) -> None:
        manche = drive(Manche(), "A", "FV 200 200 100 100 100 100 100 75 25")
        assert (manche.end, manche.outcome()["winner"]) == ("target", "A")
        assert manche.refusal("b1:-25") == "after-end"

    def test_a_target_of_700(self) -> None:
        manche = drive(Manche("dujardin-2010", "4x1", target=700), "C", "FV 200 200 100 100 100")
        assert (manche.end, manche.outcome()["winner"]) == ("target", "C")

    def test_the_outcome_says_what_was_laid(self) -> None:
        manche = drive(Manche(), "A", "FV 200 200 100 100 100 100 100 75 25")
        outcome = manche.outcome()
        assert outcome["teams"]["A"]["km"] == 1000
        assert outcome["teams"]["A"]["steps"] == {"25": 1, "50": 0, "75": 1, "100": 5, "200": 2}
        assert outcome["sabot_left"] == manche.table.sabot_left == 106 - 12 - len(manche.log.moves)
        assert (outcome["extension"], outcome["couronnement"]) == (None, False)

    def test_teams_stand_in_the_order_of_their_labels(self) -> None:
        manche = Manche("classique", "3x1").play("*")
        turned = manche.log._replace(seats=["b1", "c1", "a1"], teams={"C": ["c1"], "A": ["a1"], "B": ["b1"]})
        manche.log = turned
        assert [*manche.outcome()["teams"]] == ["A", "B", "C"]


class TestExhausted:
    """The sabot and every hand are empty."""

    @EVERY_RULEBOOK
    @OPEN_OR_CLOSED
    def test_when_the_last_card_is_played(self, rulebook: str, closed: bool) -> None:
        manche = Manche(rulebook, deck=stacked(rulebook) if closed else None).empty_sabot()
        for left in reversed(range(12)):
            assert manche.end is None
            manche.discard()
            assert sum(manche.table.cards_held(seat) for seat in (0, 1)) == left
        assert manche.end == "exhausted"
        assert (manche.outcome()["sabot_left"], manche.outcome()["couronnement"]) == (0, False)

    @MOST_KM_WINS
    def test_most_km_win_where_the_rulebook_says_so(self, rulebook: str, most_km_wins: bool) -> None:
        start = "" if rulebook == "moderne" else "FV "
        manche = drive(drive(Manche(rulebook), "A", f"{start}25"), "B", f"{start}50").play_out()
        assert manche.outcome()["winner"] == ("B" if most_km_wins else None)

    @MOST_KM_WINS
    def test_a_tie_has_no_winner(self, rulebook: str, most_km_wins: bool) -> None:
        start = "" if rulebook == "moderne" else "FV "
        manche = drive(drive(Manche(rulebook, "3x1"), "A", f"{start}50"), "C", f"{start}25 25").play_out()
        assert manche.outcome()["winner"] is None

    def test_a_tie_below_the_top_is_no_tie(self) -> None:
        manche = drive(drive(drive(Manche("moderne", "3x1"), "A", "25"), "B", "50"), "C", "25").play_out()
        assert manche.outcome()["winner"] == "B"


class TestBlocked:
    """Only with `blocked_end`: the sabot is empty and no player holds a card that could be played."""

    DEAD = "FL FL FL FL FL FL ES ES ES RS RS RE"
    """Twelve cards that nobody can play at a table that nobody attacked."""

    def blocked(self, rulebook: str, *, closed: bool = False) -> Manche:
        """A two-handed manche in which all cards left are dead."""
        if not closed:
            return Manche(rulebook).empty_sabot(keep=self.DEAD)
        hands = {"a1": self.DEAD[:17], "b1": self.DEAD[18:]}
        return Manche(rulebook, deck=stacked(rulebook, **hands)).empty_sabot()

    @OPEN_OR_CLOSED
    @pytest.mark.parametrize("rulebook", ["classique", "moderne", "fournier", "dujardin-2010"])
    def test_may_be_declared_in_dujardin_alone(self, rulebook: str, closed: bool) -> None:
        manche = self.blocked(rulebook, closed=closed)
        assert manche.refusal("#") == (None if rulebook == "dujardin-2010" else "not-blocked")

    @OPEN_OR_CLOSED
    def test_ends_the_manche(self, closed: bool) -> None:
        manche = self.blocked("dujardin-2010", closed=closed).play("#")
        assert manche.outcome()["end"] == "blocked"
        assert manche.outcome()["winner"] is None
        assert manche.refusal("a1:-FL") == "after-end"

    def test_the_most_km_win(self) -> None:
        manche = drive(Manche("dujardin-2010"), "B", "FV 25").pass_to("a1")
        manche.play("a1:PE>B").empty_sabot(keep="FL FL FL FL FL FL RS RS RS RE RE RE")
        assert manche.play("#").outcome()["winner"] == "B"

    def test_not_while_the_sabot_has_two_cards(self) -> None:
        manche = Manche("dujardin-2010").empty_sabot(leave=2, keep=self.DEAD + " RE RE")
        assert manche.refusal("#") == "not-blocked"

    @OPEN_OR_CLOSED
    def test_who_is_on_turn_has_drawn_the_last_card(self, closed: bool) -> None:
        """So with one card left the sabot is empty at the declaration, and that card counts as held."""
        dead = self.DEAD
        deck = stacked("dujardin-2010", a1=dead[:17], b1=dead[18:], last="RE") if closed else None
        manche = Manche("dujardin-2010", deck=deck).empty_sabot(leave=1, keep=dead + " RE")
        player = manche.table.turn
        manche.play("#")
        assert manche.outcome()["sabot_left"] == 0
        assert manche.table.cards_held(player) == 7

    @OPEN_OR_CLOSED
    def test_not_when_that_last_card_could_be_played(self, closed: bool) -> None:
        dead = self.DEAD
        deck = stacked("dujardin-2010", a1=dead[:17], b1=dead[18:], last="FV") if closed else None
        manche = Manche("dujardin-2010", deck=deck).empty_sabot(leave=1, keep=dead + " FV")
        assert manche.refusal("#") == "not-blocked"

    @pytest.mark.parametrize("card", ["VP", "AS", "FV", "LV"])
    @OPEN_OR_CLOSED
    def test_not_while_somebody_could_play_a_card(self, card: str, closed: bool) -> None:
        dead = self.DEAD[:17], self.DEAD[18:32] + " " + card
        deck = stacked("dujardin-2010", a1=dead[0], b1=dead[1]) if closed else None
        manche = Manche("dujardin-2010", deck=deck).empty_sabot(keep=" ".join(dead))
        assert manche.refusal("#") == "not-blocked"

    @pytest.mark.parametrize("card", ["100", "FR", "PE"])
    @OPEN_OR_CLOSED
    def test_etapes_and_attacks_that_the_piles_refuse_are_no_such_card(self, card: str, closed: bool) -> None:
        dead = self.DEAD[:17], self.DEAD[18:32] + " " + card
        deck = stacked("dujardin-2010", a1=dead[0], b1=dead[1]) if closed else None
        manche = Manche("dujardin-2010", deck=deck).empty_sabot(keep=" ".join(dead))
        assert manche.refusal("#") is None

    def test_an_etape_past_the_target_is_none_either(self) -> None:
        manche = drive(Manche("dujardin-2010"), "A", "FV 200 200 100 100 100 100 75 75")
        manche = drive(manche, "B", "FV 200 200 100 100 100 100 75 75")
        assert (manche.km("A"), manche.km("B")) == (950, 950)
        rest = "FL FL FL FL FL FL ES ES ES ES ES"
        assert manche.empty_sabot(keep=f"{rest} 75").refusal("#") is None
        manche = drive(Manche("dujardin-2010"), "A", "FV 200 200 100 100 100 100 75 75")
        assert drive(manche, "B", "FV").empty_sabot(keep=f"{rest} 50").refusal("#") == "not-blocked"

    def test_closed_the_hands_are_looked_at(self) -> None:
        """A feu vert is dead in the hand of the team that rolls, and alive in the other's."""
        for holder, refusal in (("a1", None), ("b1", "not-blocked")):
            hands = {"a1": "FV RS", "b1": "FL"}
            hands[holder] += " FV"
            manche = Manche("dujardin-2010", deck=stacked("dujardin-2010", draws="RS", **hands))
            assert manche.play("a1:FV").empty_sabot().refusal("#") == refusal

    def test_an_attack_that_would_only_go_on_ones_own_team_is_none_either(self) -> None:
        for holder, refusal in (("a1", None), ("b1", "not-blocked")):
            hands = {"a1": "FV RS", "b1": "FL"}
            hands[holder] += " PE"
            manche = Manche("dujardin-2010", deck=stacked("dujardin-2010", draws="RS", **hands))
            assert manche.play("a1:FV").empty_sabot().refusal("#") == refusal

    def test_open_a_card_that_not_every_holder_could_play_may_be_with_another(self) -> None:
        manche = Manche("dujardin-2010").play("a1:FV").empty_sabot(keep=self.DEAD[:32] + " FV")
        assert manche.refusal("#") is None

    def test_open_a_card_that_every_holder_could_play_is_held_by_one_who_could(self) -> None:
        manche = Manche("dujardin-2010").empty_sabot(keep=self.DEAD[:32] + " FV")
        assert manche.refusal("#") == "not-blocked"

    def test_open_a_seat_without_cards_is_not_asked(self) -> None:
        """B rolls and could not play the feu vert, but when it has no card left the feu vert must be A's."""
        manche = Manche("dujardin-2010").play("a1:-25 b1:FV").empty_sabot(keep="VP CI IN AS FV FL FL FL FL FL FL ES")
        manche.play("a1:-FL b1:VP b1:CI b1:IN b1:AS b1:-FL")
        assert manche.refusal("#") is None
        manche.play("a1:-FL b1:-FL")
        assert manche.table.held == [4, 0]
        assert manche.refusal("#") == "not-blocked"

    @pytest.mark.parametrize(("answer", "refusal"), [("FL", "not-blocked"), ("ES", None)])
    def test_right_after_an_attack_which_stays_unanswered(self, answer: str, refusal: str | None) -> None:
        a1 = "LV RE RE RE RE RE" if answer == "FL" else "LV FL FL FL FL FL"
        deck = stacked("dujardin-2010", a1=a1, b1=" ".join([answer] * 6))
        manche = Manche("dujardin-2010", deck=deck).empty_sabot().play("a1:LV>B")
        assert manche.refusal("#") == refusal
        if refusal is None:
            manche.play("#")
            assert manche.display("B").limited


class TestInterrupted:
    """Declared with `*`: at any moment, in every rulebook."""

    @EVERY_RULEBOOK
    @OPEN_OR_CLOSED
    def test_before_the_first_move(self, rulebook: str, closed: bool) -> None:
        manche = Manche(rulebook, deck=stacked(rulebook) if closed else None)
        left = manche.table.sabot_left
        manche.play("*")
        assert (manche.end, manche.outcome()["winner"]) == ("interrupted", None)
        assert (manche.outcome()["extension"], manche.outcome()["couronnement"]) == (None, False)
        assert manche.outcome()["sabot_left"] == left - 1
        assert manche.table.cards_held(0) == 7

    def test_it_has_no_winner_though_a_team_leads(self) -> None:
        assert Manche("moderne").play("a1:100 *").outcome()["winner"] is None

    @OPEN_OR_CLOSED
    def test_right_after_an_attack_the_seat_on_turn_has_drawn(self, closed: bool) -> None:
        manche = Manche(deck=stacked(a1="LV", b1="VP") if closed else None).play("a1:LV>B *")
        assert manche.outcome()["sabot_left"] == 106 - 12 - 2
        assert manche.table.cards_held(1) == 7
        assert manche.refusal("b1:VP!") == "after-end"

    def test_with_an_empty_sabot_nobody_draws(self) -> None:
        manche = Manche().empty_sabot().play("*")
        assert manche.outcome()["sabot_left"] == 0
        assert manche.table.held == [6, 6]

    def test_not_once_the_manche_is_over(self) -> None:
        manche = Manche().play("*")
        assert [manche.refusal(move) for move in ("*", "#", "a1:-25")] == ["after-end"] * 3


class TestCouronnement:
    """The target was reached while the sabot was empty, on the turn that drew its last card too."""

    def both_on_900(self, *, closed: bool = False, last_card: bool = True) -> Manche:
        """A manche in which either team needs a 100, which its player has if the manche is closed."""
        road = "200 200 200 200" + " 100" * 10
        deck = stacked("moderne", a1="100 CI", b1="100 IN", draws=road) if closed else None
        manche = Manche("moderne", deck=deck, house={"last_card_couronnement": last_card})
        for card in road.split():
            manche.play(f"{manche.turn}:{card}")
        assert (manche.km("A"), manche.km("B")) == (900, 900)
        return manche

    @OPEN_OR_CLOSED
    @pytest.mark.parametrize(
        ("left", "last_card", "crowned"),
        [(2, True, False), (2, False, False), (1, True, True), (1, False, False), (0, True, True), (0, False, True)],
    )
    def test_by_what_is_left_as_the_winning_go_begins(
        self, left: int, last_card: bool, crowned: bool, closed: bool
    ) -> None:
        manche = self.both_on_900(closed=closed, last_card=last_card).empty_sabot(leave=left, keep="100 100")
        manche.play(f"{manche.turn}:100")
        assert manche.outcome()["couronnement"] is crowned

    @OPEN_OR_CLOSED
    @pytest.mark.parametrize(
        ("left", "last_card", "crowned"),
        [(3, True, False), (3, False, False), (2, True, True), (2, False, False), (1, True, True), (1, False, True)],
    )
    def test_in_a_second_go_it_is_the_draw_of_that_very_go_that_counts(
        self, left: int, last_card: bool, crowned: bool, closed: bool
    ) -> None:
        manche = self.both_on_900(closed=closed, last_card=last_card)
        manche.empty_sabot(leave=left, keep="100 100 CI IN")
        botte = {"a1": "CI", "b1": "IN"}[manche.turn]
        manche.play(f"{manche.turn}:{botte} {manche.turn}:100")
        assert manche.outcome()["couronnement"] is crowned

    def test_is_stated_even_where_it_earns_nothing(self) -> None:
        manche = self.both_on_900().empty_sabot(keep="100")
        manche.play(f"{manche.turn}:100")
        assert not RULEBOOKS["moderne"].has_points
        assert manche.outcome()["couronnement"] is True


class TestRallonge:
    """Who stands exactly on 700 may call the extension with that very étape; the target is then 1000 for all."""

    ROAD = "FV 200 200 100 100"

    def test_the_manche_goes_on_to_1000(self) -> None:
        manche = drive(Manche("fournier"), "A", f"{self.ROAD} 100+")
        assert (manche.end, manche.table.target, manche.km("A")) == (None, 1000, 700)
        manche = drive(manche, "A", "100 100 100")
        assert (manche.end, manche.outcome()["winner"], manche.outcome()["extension"]) == ("target", "A", "A")

    def test_for_all(self) -> None:
        manche = drive(Manche("fournier"), "A", f"{self.ROAD} 100+")
        manche = drive(manche, "B", "FV 200 200 100 100 100")
        assert (manche.end, manche.km("B")) == (None, 700)
        manche = drive(manche, "B", "75 75 75 75")
        assert (manche.outcome()["winner"], manche.outcome()["extension"]) == ("B", "A")

    def test_without_the_call_the_manche_is_over(self) -> None:
        manche = drive(Manche("fournier"), "A", f"{self.ROAD} 100")
        assert (manche.end, manche.outcome()["extension"]) == ("target", None)

    def test_only_exactly_on_the_target(self) -> None:
        manche = drive(Manche("fournier"), "A", self.ROAD).discard()
        assert manche.refusal("a1:75+") == "no-extension"
        assert manche.refusal("a1:100+") is None

    def test_only_once_a_manche(self) -> None:
        manche = drive(drive(Manche("fournier"), "A", f"{self.ROAD} 100+"), "B", self.ROAD).discard()
        assert manche.refusal("b1:100+") == "no-extension"
        assert manche.refusal("b1:100") is None
        manche = drive(drive(Manche("fournier"), "A", f"{self.ROAD} 100+"), "A", "100 100").discard()
        assert manche.refusal("a1:100+") == "no-extension"
        assert manche.play("a1:100").end == "target"

    @pytest.mark.parametrize(
        ("rulebook", "table", "target"),
        [("fournier", "2x2", None), ("classique", "2x1", None), ("dujardin-2010", "4x1", 700)],
    )
    def test_not_at_a_table_without_one(self, rulebook: str, table: str, target: int | None) -> None:
        manche = drive(Manche(rulebook, table, target=target), "A", self.ROAD if target else f"{self.ROAD} 100 100 100")
        while not manche.turn.startswith("a"):
            manche.discard()
        assert manche.refusal(f"{manche.turn}:100+") == "no-extension"
        assert manche.play(f"{manche.turn}:100").end == "target"

    def test_nobody_on_1000_leaves_no_winner(self) -> None:
        manche = drive(Manche("fournier"), "A", f"{self.ROAD} 100+").play_out()
        assert (manche.end, manche.outcome()["winner"], manche.outcome()["extension"]) == ("exhausted", None, "A")

    @pytest.mark.parametrize(("most_km_wins", "winner"), [(True, "A"), (False, None)])
    def test_unless_most_km_win(self, most_km_wins: bool, winner: str | None) -> None:
        manche = drive(Manche("fournier", house={"most_km_wins": most_km_wins}), "A", f"{self.ROAD} 100+").play_out()
        assert manche.outcome()["winner"] == winner

    def test_not_with_a_copy_too_many_nor_out_of_turn(self) -> None:
        manche = drive(Manche("fournier"), "A", self.ROAD)
        assert manche.refusal("a1:100+") == "not-your-turn"
        while manche.refusal(f"{manche.turn}:-100") is None:
            manche.play(f"{manche.turn}:-100")
        manche.pass_to("a1")
        assert manche.refusal("a1:100+") == "too-many-copies"
