"""The database holds the invariants also when the services are passed by (DESIGN 4)."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from league.models import (
    ApiToken,
    Attempt,
    AuditEntry,
    Bye,
    Championship,
    Club,
    Document,
    Entry,
    IdempotencyRecord,
    Invitation,
    LiveRow,
    Manche,
    Membership,
    Partie,
    Player,
    PublishedRanking,
    PublishedRow,
    Result,
    ResultEvent,
    ResultScore,
    Seat,
    Team,
    TeamMember,
)
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.factories import ChampionshipFactory, ClubFactory, PartieFactory, PlayerFactory, owner_of, play, sheet

pytestmark = pytest.mark.django_db


def refuses(*names: str) -> AbstractContextManager[Any]:
    """Whatever is done inside breaks one of these constraints.

    SQLite names the columns of a unique constraint instead of the constraint.
    """
    if connection.vendor == "postgresql":
        return pytest.raises(IntegrityError, match="|".join(names))
    return pytest.raises(IntegrityError)


def copy(row: models.Model, **changes: Any) -> None:
    """Write the row a second time, with changes, past every service."""
    row.pk = None
    row._state.adding = True
    for name, value in changes.items():
        setattr(row, name, value)
    row.save(force_insert=True)


@pytest.fixture
def partie() -> Partie:
    """A partie with a result in two versions, an attempt, a live and a published ranking."""
    partie = PartieFactory()
    play(partie)
    play(partie, 1, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)
    play(partie, 2, sheet({"A": 1000, "B": 26}))
    renew_live_ranking(championship_id=partie.championship.pk)
    publish(actor=owner_of(partie.championship), championship_id=partie.championship.pk, label="Now")
    return partie


def update(model: type[models.Model], **changes: Any) -> Callable[[], Any]:
    return lambda: model._default_manager.update(**changes)


def again(model: type[models.Model], which: int = 0, **changes: Any) -> Callable[[], Any]:
    return lambda: copy(model._default_manager.order_by("pk")[which], **changes)


BROKEN: list[tuple[str, Callable[[], Any]]] = [
    ("league_championship_slug_unique", again(Championship)),
    ("league_championship_table_entries", update(Championship, table_entries=5)),
    ("league_championship_players_per_team", update(Championship, players_per_team=3)),
    ("league_championship_partie_end", update(Championship, partie_end_value=None)),
    ("league_championship_partie_end", update(Championship, partie_end="referee")),
    ("league_championship_known_choices", update(Championship, visibility="secret")),
    (
        "league_championship_due_for_something",
        update(Championship, journal_position=0, ranking_due_since=timezone.now()),
    ),
    ("league_membership_unique", again(Membership)),
    ("league_membership_role", update(Membership, role="king")),
    ("league_team_named", update(Team, name_folded="")),
    ("league_team_member_position_unique", lambda: copy(TeamMember.objects.earliest("pk"), player=PlayerFactory())),
    ("league_team_member_player_unique", again(TeamMember, position=2)),
    ("league_team_member_position", update(TeamMember, position=3)),
    ("league_entry_number_unique", update(Entry, number=1)),
    ("league_entry_number_positive", lambda: Entry.objects.filter(number=1).update(number=0)),
    ("league_entry_penalty_has_reason", update(Entry, penalty=1)),
    ("league_partie_number_unique", again(Partie)),
    ("league_partie_numbers_positive", update(Partie, round=0)),
    ("league_partie_table_unique", lambda: (Partie.objects.update(table_number=1), again(Partie, number=2)())),
    ("league_partie_status|league_partie_ruling_has_reason", update(Partie, status="closed")),
    ("league_partie_status", update(Partie, closed_how="end")),
    ("league_partie_status|league_partie_ruling_has_reason", update(Partie, status="paused")),
    (
        "league_partie_ruling_has_reason",
        update(Partie, status="closed", closed_how="referee", closed_at=timezone.now()),
    ),
    ("league_seat_entry_unique", again(Seat, label="C")),
    ("league_seat_label_unique", update(Seat, label="A")),
    ("league_seat_label", lambda: Seat.objects.filter(label="A").update(label="E")),
    ("league_seat_forfeit_has_reason", update(Seat, forfeited_at=timezone.now())),
    ("league_manche_number_unique", update(Manche, number=1)),
    ("league_manche_number_positive", lambda: Manche.objects.filter(number=1).update(number=0)),
    ("league_manche_void_has_reason", update(Manche, voided_at=timezone.now())),
    ("league_document_media", update(Document, media="pdf")),
    ("league_result_version_unique", lambda: Result.objects.filter(version=1).update(version=2)),
    ("league_result_version_positive", lambda: Result.objects.filter(version=1).update(version=0)),
    (
        "league_result_current",
        lambda: Result.objects.filter(version=1).update(state="confirmed", confirmed_at=timezone.now()),
    ),
    ("league_result_current", lambda: Result.objects.filter(version=2).update(state="superseded")),
    ("league_result_current", lambda: Result.objects.filter(version=2).update(state="certain")),
    ("league_result_current", lambda: Result.objects.filter(version=2).update(current_of=Manche.objects.get(number=2))),
    ("league_result_confirmed_when", lambda: Result.objects.filter(version=2).update(confirmed_at=None)),
    ("league_result_differs", lambda: Result.objects.filter(version=2).update(state="differs")),
    ("league_result_difference_settled", lambda: Result.objects.filter(version=2).update(claim_ok=False)),
    ("league_result_settled_with_reason", lambda: Result.objects.filter(version=2).update(settled_how="computed")),
    ("league_result_correction_has_reason", lambda: Result.objects.filter(version=2).update(reason="")),
    ("league_result_kind", update(Result, kind="book")),
    ("league_score_seat_unique", again(ResultScore, won=False)),
    ("league_score_one_winner", update(ResultScore, won=True)),
    ("league_score_penalty_has_reason", update(ResultScore, penalty=5)),
    ("league_score_penalty_has_reason", update(ResultScore, penalty=5, penalty_reason="Late", points=None)),
    ("league_score_coups_fourres", update(ResultScore, coups_fourres=5)),
    ("league_attempt_has_code", update(Attempt, code="")),
    ("league_journal_position_unique", again(ResultEvent)),
    ("league_journal_line", lambda: ResultEvent.objects.filter(position=1).update(what="rumour")),
    ("league_live_row_position_unique", update(LiveRow, position=1)),
    ("league_published_number_unique", again(PublishedRanking)),
    ("league_published_numbers_positive", update(PublishedRanking, round=0)),
    ("league_published_row_position_unique", update(PublishedRow, position=1)),
    ("league_published_row_entry_unique", again(PublishedRow, position=9)),
    ("league_audit_action", update(AuditEntry, action="")),
    ("league_player_licence_unique", update(Player, licence="FR12")),
    ("league_player_named", update(Player, name_folded="")),
]


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=[f"{at}-{name}" for at, (name, _) in enumerate(BROKEN)])
def test_a_constraint_holds_when_services_are_passed_by(partie: Partie, name: str, broken: Callable[[], Any]) -> None:
    with refuses(name), transaction.atomic():
        broken()


def test_a_manche_has_one_current_result(partie: Partie) -> None:
    old = Result.objects.get(version=1)
    with refuses("league_result_current_of_id_key"), transaction.atomic():
        Result.objects.filter(pk=old.pk).update(
            state="confirmed", confirmed_at=timezone.now(), current_of=old.manche_id
        )


def test_clubs_byes_invitations_tokens_and_answers() -> None:
    championship = ChampionshipFactory()
    user, now = championship.created_by, timezone.now()
    club = ClubFactory()
    with refuses("league_club_slug_unique"), transaction.atomic():
        Club.objects.create(name="Other", name_folded="other", slug=club.slug)
    with refuses("league_club_name_unique"), transaction.atomic():
        Club.objects.create(name=club.name, name_folded=club.name_folded, slug="other")

    entry = PartieFactory(championship=championship).seats.get(label="A").entry
    bye = Bye.objects.create(championship=championship, round=1, entry=entry)
    with refuses("league_bye_unique"), transaction.atomic():
        copy(bye)
    with refuses("league_bye_round_positive"), transaction.atomic():
        Bye.objects.update(round=0)

    invitation = Invitation.objects.create(
        championship=championship,
        email="a@example.org",
        token_sha256="a" * 64,
        invited_by=user,
        created_at=now,
        expires_at=now + timedelta(days=1),
    )
    with refuses("league_invitation_expires_later"), transaction.atomic():
        Invitation.objects.update(expires_at=now)
    with refuses("league_invitation_accepted_by_somebody"), transaction.atomic():
        Invitation.objects.update(accepted_at=now)
    with refuses("league_invitation_role"), transaction.atomic():
        Invitation.objects.update(role="king")
    with refuses("league_invitation_one_waiting"), transaction.atomic():
        copy(invitation, token_sha256="b" * 64)
    with refuses("league_invitation_token_unique"), transaction.atomic():
        copy(invitation, email="b@example.org", token_sha256="a" * 64)

    token = ApiToken.objects.create(user=user, name="Hall", prefix="0" * 12, secret_sha256="a" * 64)
    with refuses("league_token_prefix_unique"), transaction.atomic():
        copy(token)
    record = IdempotencyRecord.objects.create(user=user, key="k", request_sha256="a" * 64, answer={})
    with refuses("league_idempotency_key_unique"), transaction.atomic():
        copy(record)
    with refuses("league_idempotency_has_key"), transaction.atomic():
        IdempotencyRecord.objects.update(key="")


@pytest.mark.parametrize("model", [Partie, Manche, Seat, Document, Entry, Team, Player, Championship])
def test_what_results_stand_on_cannot_be_deleted(partie: Partie, model: type[models.Model]) -> None:
    for row in model._default_manager.filter(pk=model._default_manager.earliest("pk").pk):
        with pytest.raises(ProtectedError):
            row.delete()


def test_a_user_who_did_something_cannot_be_deleted(partie: Partie) -> None:
    with pytest.raises(ProtectedError):
        partie.championship.created_by.delete()
