"""Championships that have everything a dump must carry, made by services."""

from collections.abc import Callable

from django.utils import timezone

from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Championship, PlayerNumber, Stage, StageEntry, What
from league.services import journal
from league.services.absences import announce_absence
from league.services.disputes import say
from league.services.entries import penalise_entry, withdraw
from league.services.locks import lock_championship
from league.services.moving import move_result
from league.services.parties import add_bye, close_partie, rule_forfeit, void_partie
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.results import hand_in
from league.services.rulings import penalise, reinstate_manche, settle_claim, void_manche
from league.services.substitutes import name_substitute, stand_in
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PartieFactory,
    PlayerFactory,
    owner_of,
    play,
    sheet,
)
from tests.league.table_cases import enter, seen, side
from tests.staging import melee, mixed, of_pairs, round_of, stage_of, won

Make = Callable[[], Championship]


def renewed(championship: Championship) -> Championship:
    """Its live ranking counts whatever stands, also what tests put there without a service."""
    journal.write(lock_championship(pk=championship.pk), journal.Line(What.STAGE_STARTED))
    renew_live_ranking(championship_id=championship.pk)
    championship.refresh_from_db()
    return championship


def rulings() -> Championship:
    """One table of results under house rules: corrections, rulings of every kind, byes, absences, substitutes."""
    championship: Championship = ChampionshipFactory(
        slug="rulings",
        club_id=ClubFactory().pk,
        players_per_team=2,
        partie_end="manches",
        partie_end_value=2,
        house={"capot": 0},
        substitution="named",
        tie_breaks=["direct_encounter", "buchholz", "km", "draw"],
        registration_closes_at=timezone.now(),
    )
    actor = owner_of(championship)
    entries = [EntryFactory(championship=championship, name=f"Équipe {letter}") for letter in "ABCDEFGH"]
    first = PartieFactory(championship=championship, entries=entries[:2])
    spare = PlayerFactory(name="Zoé Çelik", licence="FR-1")
    PlayerNumber.objects.create(player=spare, system="arena", number="77")
    name_substitute(actor=actor, team_id=entries[0].team_id, player_id=spare.pk)
    stand_in(actor=actor, partie_id=first.pk, label="A", position=2, player_id=spare.pk)
    log = to_text(simulate("classique", 2, 2, "dump", first=0)._replace(house={"capot": 0}))
    refused = log.replace(".", ". ", 1)[:200]
    hand_in(actor=actor, partie_id=first.pk, number=1, body=refused.encode())
    hand_in(actor=actor, partie_id=first.pk, number=1, body=b"\xff\xfe no text at all")
    hand_in(actor=actor, partie_id=first.pk, number=1, body=b"\xef\xbb\xbf" + log.encode() + b"\r\n\n")
    house = {"house": {"capot": 0}, "players_per_team": 2}
    play(first, 1, sheet(**house), reason="Another log was handed in", replaces=1)
    play(first, 1, sheet({"A": 475, "B": 1000}, **house), reason="Sides turned", replaces=2)
    manche = first.manches.get(number=1)
    penalise(actor=actor, manche_id=manche.pk, version=3, label="B", points=150, reason="Late")
    play(first, 2, sheet(claim={"A": 1, "B": 2}, **house))
    settle_claim(
        actor=actor, manche_id=first.manches.get(number=2).pk, version=1, how="computed", reason="Looked at together"
    )
    second = PartieFactory(championship=championship, entries=entries[2:4])
    play(second, 1, sheet(**house))
    void_manche(actor=actor, manche_id=second.manches.get(number=1).pk, version=1, reason="Cards missing")
    play(second, 2, sheet({"A": 1000, "B": 300}, **house))
    play(second, 3, sheet({"A": 200, "B": 1000}, **house))
    third = PartieFactory(championship=championship, entries=entries[4:6])
    play(third, 1, sheet(**house))
    rule_forfeit(actor=actor, partie_id=third.pk, entry_id=entries[5].pk, version=None, reason="Went home")
    void_partie(
        actor=actor,
        partie_id=PartieFactory(championship=championship, entries=entries[6:], round=1).pk,
        version=None,
        reason="Never drawn",
    )
    fourth = PartieFactory(championship=championship, entries=[entries[0], entries[2]], round=2)
    play(fourth, 1, sheet({"A": 475, "B": 400}, **house))
    close_partie(actor=actor, partie_id=fourth.pk, version=None, reason="The hall closes")
    publish(actor=actor, championship_id=championship.pk, label="Round 1", round=1, note="As it was")
    add_bye(actor=actor, entry_id=entries[6].pk, round=2)
    announce_absence(actor=actor, entry_id=entries[7].pk, first=7, last=8)
    penalise_entry(actor=actor, entry_id=entries[1].pk, points=1, reason="Twice late")
    publish(actor=actor, championship_id=championship.pk, label="Round 2")
    withdraw(actor=actor, entry_id=entries[5].pk, reason="Ill")
    publish(actor=actor, championship_id=championship.pk, label="Round 2, corrected", round=2)
    fifth = PartieFactory(championship=championship, entries=[entries[1], entries[3]], round=3)
    sixth = PartieFactory(championship=championship, entries=[entries[4], entries[6]], round=3)
    play(fifth, 1, sheet(**house))
    move_result(
        actor=actor,
        **seen(fifth),
        partie_number=sixth.number,
        manche_number=1,
        reason="Wrong table",
    )
    manche_id = sixth.manches.get(number=1).pk
    void_manche(actor=actor, manche_id=manche_id, version=1, reason="Cards missing")
    reinstate_manche(actor=actor, manche_id=manche_id, version=1, reason="They were found")
    return renewed(championship)


def stages() -> Championship:
    """Pools, a Swiss into which results are carried, and a knock-out with one more manche and a third place."""
    championship: Championship = ChampionshipFactory(
        slug="stages", partie_end="manches", partie_end_value=1, tie_breaks=["direct_encounter", "km"]
    )
    entries = [EntryFactory(championship=championship, name=f"Team {letter}") for letter in "ABCDEFGH"]
    pools = stage_of(championship, 1, [], name="Poules", in_pools=[entries[:4], entries[4:7]], format="round_robin")
    for number in (1, 2):
        round_of(pools, number)
    won(1, entries[0], entries[1], km=[400])
    won(1, entries[4], entries[5], km=[300])
    won(2, entries[1], entries[2], km=[350])
    won(2, entries[5], entries[6], km=[250])
    won(2, entries[0], entries[4])  # across pools: it counts in neither
    add_bye(actor=owner_of(championship), entry_id=entries[3].pk, round=1)
    penalise_entry(actor=owner_of(championship), entry_id=entries[1].pk, points=1, reason="Late")
    swiss = stage_of(championship, 2, [entries[n] for n in (0, 1, 4, 5)], qualify=2, carry_over="qualified")
    won(3, entries[0], entries[4], km=[475])  # a round that was opened by hand
    penalise_entry(actor=owner_of(championship), entry_id=entries[4].pk, points=2, reason="Later")
    knockout = stage_of(
        championship, 3, [entries[n] for n in (0, 4, 1, 5)], qualify=4, format="knockout", place_match=True
    )
    semi = round_of(knockout, 4)
    level = PartieFactory(championship=championship, entries=[entries[0], entries[5]], round=4)
    play(level, 1, sheet({"A": 475, "B": 475}))
    won(4, entries[4], entries[1])
    more = won(4, entries[5], entries[0])
    sides = [([1], [6], level.number, None), ([5], [2], level.number + 1, None), ([6], [1], more.number, 1)]
    semi.pairing = {
        "tables": [
            {"number": number, "sides": [a, b], "partie": partie, "place": None, "extra_of": extra}
            for number, (a, b, partie, extra) in enumerate(sides, 1)
        ],
        "byes": [],
    }
    semi.save()
    final = round_of(knockout, 5)
    places = [(won(5, entries[5], entries[4]), 1), (won(5, entries[1], entries[0]), 3)]
    final.pairing = {
        "tables": [
            {"number": number, "sides": [], "partie": partie.number, "place": place, "extra_of": None}
            for number, (partie, place) in enumerate(places, 1)
        ],
        "byes": [],
    }
    final.save()
    assert Stage.objects.filter(championship=championship).count() == 3
    assert StageEntry.objects.filter(stage=swiss).count() == 4
    publish(actor=owner_of(championship), championship_id=championship.pk, label="Pools", round=2)
    publish(actor=owner_of(championship), championship_id=championship.pk, label="End")
    return renewed(championship)


def players() -> Championship:
    """A mêlée by mean points, whose minimum follows from what was drawn."""
    championship, entries = melee(
        9, slug="players", primary="mean_points", tie_breaks=["manche_share", "draw"], best_n=None
    )
    for round_number in (1, 2):
        order = entries if round_number == 1 else [*entries[2:], *entries[:2]]
        for at in (0, 4):
            four = order[at : at + 4]
            partie = mixed(championship, round_number, (four[0], four[1]), (four[2], four[3]))
            play(partie, 1, of_pairs({"A": 1000, "B": 100 * (at + round_number)}))
    add_bye(actor=owner_of(championship), entry_id=entries[8].pk, round=1)
    return renewed(championship)


def hands() -> Championship:
    """Results from the tables: contested ones, second entries that agree, differ, or are awaited."""
    championship: Championship = ChampionshipFactory(
        slug="hands", confirmation="second_entry", partie_end="manches", partie_end_value=2
    )
    agreed, differing, waiting = (PartieFactory(championship=championship, round=number) for number in (1, 2, 3))
    enter(agreed, "A")
    enter(agreed, "B")
    enter(differing, "A", 475)
    enter(differing, "B", 500)
    dispute = differing.manches.get(number=1).disputes.get()
    say(actor=side(differing, "B"), dispute_id=dispute.pk, text="We had 500 km")
    enter(waiting, "A", 325)
    return renewed(championship)


ALL: dict[str, Make] = {"rulings": rulings, "stages": stages, "players": players, "hands": hands}
