"""The database holds the invariants of stages, rounds, registrations, claims, merges, tables and circuits too."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import models, transaction
from django.utils import timezone

from league.models import (
    Absence,
    Championship,
    Circuit,
    CircuitLeg,
    Dispute,
    DisputeMessage,
    Entry,
    ListImport,
    Partie,
    Player,
    PlayerMerge,
    PlayerNumber,
    ProfileClaim,
    PublishedCircuit,
    Registration,
    Result,
    Round,
    Seat,
    Stage,
    StageEntry,
    StandIn,
    Substitute,
)
from tests.factories import PartieFactory, PlayerFactory, play
from tests.league.feed.broken_constraints import BROKEN as OF_FEED
from tests.league.test_constraints import BROKEN as FIRST
from tests.league.test_constraints import copy, refuses
from tests.league.test_constraints_of_batches import BROKEN as OF_BATCHES
from tests.league.test_constraints_of_external_ids import BROKEN as OF_EXTERNAL_IDS
from tests.league.test_constraints_of_mail import BROKEN as OF_MAIL
from tests.league.test_constraints_of_webhooks import BROKEN as OF_WEBHOOKS

pytestmark = pytest.mark.django_db

NOW = timezone.now()


@pytest.fixture
def day() -> Championship:
    """A championship with one row of everything that a day has."""
    partie: Partie = PartieFactory()
    cup = partie.championship
    play(partie)
    entries = list(Entry.objects.filter(championship=cup).order_by("number"))
    user, player, other = cup.created_by, PlayerFactory(), PlayerFactory()
    stage = Stage.objects.create(championship=cup, number=1, format="swiss")
    for seed, entry in enumerate(entries, 1):
        StageEntry.objects.create(stage=stage, entry=entry, seed=seed, pool=1)
    Round.objects.create(championship=cup, stage=stage, number=1, status="locked", published_at=NOW, locked_at=NOW)
    Round.objects.create(championship=cup, stage=stage, number=2, by=user)
    Absence.objects.create(championship=cup, round=2, entry=entries[0])
    for position in (1, 2):
        Registration.objects.create(
            championship=cup, position=position, token_sha256=str(position) * 64, said_sha256="a" * 64
        )
    ListImport.objects.create(championship=cup, file_name="list.csv", sha256="a" * 64, by=user)
    PlayerNumber.objects.create(player=player, system="fed", number="1")
    ProfileClaim.objects.create(player=player, token_sha256="a" * 64, expires_at=NOW + timedelta(days=1))
    PlayerMerge.objects.create(kept=player, merged=other)
    seat = Seat.objects.get(partie=partie, label="A")
    Substitute.objects.create(team=seat.entry.team, player=other)
    StandIn.objects.create(seat=seat, position=1, player=other)
    result = Result.objects.get()
    dispute = Dispute.objects.create(manche=result.manche, result=result, side="A")
    DisputeMessage.objects.create(dispute=dispute, text="It was 450", side="A")
    circuit = Circuit.objects.create(slug="tour", name="Tour", owner=user)
    CircuitLeg.objects.create(circuit=circuit, championship=cup, position=1)
    PublishedCircuit.objects.create(circuit=circuit, number=1, label="End")
    return cup


def update(model: type[models.Model], **changes: Any) -> Callable[[], Any]:
    return lambda: model._default_manager.update(**changes)


def first(model: type[models.Model], **changes: Any) -> Callable[[], Any]:
    """Change the first row only."""
    return lambda: model._default_manager.filter(pk=model._default_manager.earliest("pk").pk).update(**changes)


def again(model: type[models.Model], **changes: Any) -> Callable[[], Any]:
    return lambda: copy(model._default_manager.earliest("pk"), **changes)


BROKEN: list[tuple[str, Callable[[], Any]]] = [
    ("league_championship_known_choices", update(Championship, ranks="clubs")),
    ("league_championship_known_choices", update(Championship, substitution="always")),
    ("league_championship_known_choices", update(Championship, clock_at_end="never")),
    ("league_championship_melee_of_pairs", update(Championship, ranks="players")),
    (
        "league_championship_registration_closes_later",
        update(Championship, registration_opens_at=NOW, registration_closes_at=NOW),
    ),
    ("league_stage_number_unique", again(Stage)),
    ("league_stage_settings", update(Stage, number=0)),
    ("league_stage_settings", update(Stage, pools=0)),
    ("league_stage_settings", update(Stage, table_qualify=4)),
    ("league_stage_settings", update(Stage, format="lottery")),
    ("league_stage_settings", update(Stage, carry_over="some")),
    ("league_stage_knockout_without_pools", update(Stage, format="knockout", pools=2)),
    ("league_stage_qualify", update(Stage, qualify=0)),
    ("league_stage_entry_unique", again(StageEntry, seed=9)),
    ("league_stage_seed_unique", update(StageEntry, seed=1)),
    ("league_stage_entry_numbers", first(StageEntry, seed=0)),
    ("league_stage_entry_numbers", first(StageEntry, pool=0)),
    ("league_round_number_unique", again(Round)),
    ("league_round_one_draft", first(Round, status="draft", locked_at=None)),
    ("league_round_settings", first(Round, number=0)),
    ("league_round_settings", first(Round, clock_at_end="never")),
    ("league_round_status", first(Round, locked_at=None)),
    ("league_round_status", first(Round, status="published")),
    ("league_round_status|league_round_settings", first(Round, status="lost")),
    ("league_round_clock_has_time", first(Round, clock_started_at=NOW)),
    ("league_absence_unique", again(Absence)),
    ("league_absence_round_positive", update(Absence, round=0)),
    ("league_registration_position_unique", update(Registration, position=1)),
    ("league_registration_token_unique", update(Registration, token_sha256="c" * 64)),
    ("league_registration_state", first(Registration, state="lost")),
    ("league_registration_state", first(Registration, position=0)),
    ("league_registration_accepted_is_entry", first(Registration, state="accepted")),
    (
        "league_registration_accepted_is_entry",
        lambda: Registration.objects.filter(position=1).update(entry=Entry.objects.earliest("pk")),
    ),
    ("league_player_number_unique", again(PlayerNumber)),
    ("league_player_number_filled", update(PlayerNumber, system="")),
    ("league_player_number_filled", update(PlayerNumber, number="")),
    ("league_player_shown_as", update(Player, shown_as="mask")),
    ("league_profile_claim_token_unique", again(ProfileClaim)),
    ("league_profile_claim_expires_later", update(ProfileClaim, expires_at=NOW - timedelta(days=1))),
    ("league_player_merge_of_two", lambda: PlayerMerge.objects.update(merged=PlayerMerge.objects.get().kept)),
    ("league_player_merge_once", lambda: copy(PlayerMerge.objects.get(), kept=PlayerFactory())),
    ("league_substitute_unique", again(Substitute)),
    ("league_stand_in_position_unique", lambda: copy(StandIn.objects.get(), player=PlayerFactory())),
    ("league_stand_in_player_unique", again(StandIn, position=2)),
    ("league_stand_in_position", update(StandIn, position=3)),
    ("league_dispute_one_open", again(Dispute)),
    ("league_dispute_side", update(Dispute, side="E")),
    ("league_dispute_closed_with_decision", update(Dispute, closed_at=NOW)),
    ("league_dispute_message_has_text", update(DisputeMessage, text="")),
    ("league_partie_postponed_with_reason", update(Partie, postponed_at=NOW)),
    (
        "league_seat_partner_unique",
        lambda: Seat.objects.update(partner=PartieFactory().seats.get(label="A").entry),
    ),
    ("league_seat_partner_is_another", lambda: Seat.objects.update(partner=models.F("entry"))),
    ("league_circuit_slug_unique", again(Circuit)),
    ("league_circuit_choices", update(Circuit, by="team")),
    ("league_circuit_choices", update(Circuit, visibility="secret")),
    ("league_circuit_leg_unique", again(CircuitLeg, position=2)),
    ("league_circuit_leg_position_unique", lambda: copy(CircuitLeg.objects.get(), championship=_another())),
    ("league_published_circuit_unique", again(PublishedCircuit)),
    *OF_FEED,
]


def _another() -> Championship:
    championship: Championship = PartieFactory().championship
    return championship


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=[f"{at}-{name}" for at, (name, _) in enumerate(BROKEN)])
def test_a_constraint_holds_when_services_are_passed_by(
    day: Championship, name: str, broken: Callable[[], Any]
) -> None:
    with refuses(name), transaction.atomic():
        broken()


def test_every_constraint_is_named_and_broken_somewhere() -> None:
    named = {
        constraint.name
        for model in apps.get_app_config("league").get_models()
        for constraint in model._meta.constraints
        if not constraint.name.startswith("league_user_")  # held by tests of accounts
    }
    elsewhere = [*FIRST, *OF_BATCHES, *OF_EXTERNAL_IDS, *OF_MAIL, *OF_WEBHOOKS]
    tried = {name for names, _ in [*elsewhere, *BROKEN] for name in names.split("|")} | {
        "league_club_slug_unique",
        "league_club_name_unique",
        "league_bye_unique",
        "league_bye_round_positive",
        "league_invitation_expires_later",
        "league_invitation_accepted_by_somebody",
        "league_invitation_role",
        "league_invitation_one_waiting",
        "league_invitation_token_unique",
        "league_token_prefix_unique",
        "league_idempotency_key_unique",
        "league_idempotency_has_key",
    }
    assert named == tried
