"""Players that make complete legal games from a seed."""

from collections import Counter

import pytest

from engine.notation import HandLog
from engine.replay import WholeLogError, judge
from engine.rulebooks import RULEBOOKS
from engine.simulate import Player, at_random, sensibly, simulate
from tests.engine.games import KINDS, Kind

PLAYERS = pytest.mark.parametrize("player", [at_random, sensibly], ids=["at_random", "sensibly"])


def test_there_is_a_kind_for_every_table_and_target_of_every_rulebook() -> None:
    assert len(KINDS) == 2 * (6 + 6 + 4 + 5 + 2)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_the_same_seed_gives_the_same_log_and_another_another(kind: Kind) -> None:
    assert kind.simulate(7) == kind.simulate(7)
    assert kind.simulate(7).moves != kind.simulate(8).moves


def test_the_seed_may_be_a_word() -> None:
    assert simulate("classique", 2, 1, "demo") == simulate("classique", 2, 1, "demo")
    assert simulate("classique", 2, 1, "demo").deck != simulate("classique", 2, 1, "Demo").deck


def test_the_choice_does_not_hang_on_how_python_hashes() -> None:
    """A log of a seed may be quoted in documents and tests: it is this one in every process."""
    log = simulate("classique", 2, 1, 1)
    assert log.deck is not None
    assert log.deck[:6] == ["200", "FR", "FV", "RE", "VP", "FV"]


def test_an_open_log_is_the_closed_one_without_its_deck() -> None:
    closed = simulate("fournier", 3, 2, 5)
    assert closed.deck is not None
    assert simulate("fournier", 3, 2, 5, closed=False) == closed._replace(deck=None)


@pytest.mark.parametrize("first", range(6))
def test_the_table_is_seated_as_a_partie_seats_it(first: int) -> None:
    """RULES 13: teams A, B …, players a1, b1 …, turned to whoever begins."""
    log = simulate("classique", 3, 2, 1, first=first)
    order = ["a1", "b1", "c1", "a2", "b2", "c2"]
    assert log.seats == order[first:] + order[:first]
    assert log.teams == {"A": ["a1", "a2"], "B": ["b1", "b2"], "C": ["c1", "c2"]}
    assert log.moves[0].startswith(f"{order[first]}:")
    assert judge(log).valid


@PLAYERS
def test_programs_that_record_play_always_write_the_player(player: Player) -> None:
    """RULES 9: but for `#` and `*`."""
    for seed in range(20):
        log = simulate("dujardin-2010", 3, 1, seed, player=player)
        assert all(":" in move for move in log.moves if move not in ("#", "*"))


@pytest.mark.parametrize(
    ("rulebook", "teams", "players", "options", "code"),
    [
        ("bridge", 2, 1, {}, "unknown-rulebook"),
        ("classique", 5, 1, {}, "bad-table"),
        ("fournier", 4, 1, {}, "bad-table"),
        ("classique", 2, 1, {"target": 700}, "bad-target"),
        ("moderne", 2, 1, {"house": {"botte": 100}}, "bad-house"),
    ],
)
def test_what_no_table_allows_is_refused(
    rulebook: str, teams: int, players: int, options: dict[str, object], code: str
) -> None:
    with pytest.raises(WholeLogError) as caught:
        simulate(rulebook, teams, players, 1, **options)  # type: ignore[arg-type]
    assert caught.value.code == code


def sample(player: Player, seeds: int) -> list[HandLog]:
    """Logs of every table, some seeds each."""
    return [
        simulate(rulebook.id, shape.teams, shape.players, seed, player=player)
        for rulebook in RULEBOOKS.values()
        for shape in rulebook.tables
        for seed in range(seeds)
    ]


@pytest.fixture(scope="module")
def seen() -> dict[Player, Counter[str]]:
    """What happened in some hundred manches of each player."""
    found: dict[Player, Counter[str]] = {}
    for player in (at_random, sensibly):
        counts = found[player] = Counter[str]()
        for log in sample(player, 8):
            outcome = judge(log).outcome
            assert outcome is not None
            counts[outcome.end] += 1
            counts["couronnement"] += outcome.couronnement
            counts["extension"] += outcome.extension is not None
            counts["no winner"] += outcome.winner is None
            counts["won by most km"] += outcome.winner is not None and outcome.end != "target"
            counts["coup-fourré"] += any(team.coups_fourres for team in outcome.teams.values())
            counts["capot"] += any(team.km == 0 for team in outcome.teams.values())
            counts["four bottes"] += any(len(team.bottes) == 4 for team in outcome.teams.values())
            counts["attack"] += any(">" in move for move in log.moves)
    return found


@PLAYERS
@pytest.mark.parametrize(
    "what", ["target", "exhausted", "blocked", "no winner", "won by most km", "coup-fourré", "attack"]
)
def test_whatever_can_happen_happens(what: str, player: Player, seen: dict[Player, Counter[str]]) -> None:
    """All ends of RULES 7 but the referee's."""
    assert seen[player][what] > 0


@pytest.mark.parametrize("what", ["couronnement", "extension", "capot", "four bottes"])
def test_and_the_rest_by_one_player_or_the_other(what: str, seen: dict[Player, Counter[str]]) -> None:
    assert seen[at_random][what] + seen[sensibly][what] > 0


def test_who_plays_sensibly_arrives_more_often(seen: dict[Player, Counter[str]]) -> None:
    assert seen[sensibly]["target"] > 2 * seen[at_random]["target"]


def test_the_referee_is_never_simulated(seen: dict[Player, Counter[str]]) -> None:
    assert seen[at_random]["interrupted"] == seen[sensibly]["interrupted"] == 0
