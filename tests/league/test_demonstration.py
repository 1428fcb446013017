"""The demonstration is made through the services, shows what it promises, and is handed over to the first account."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from league.demonstration import make_demonstration
from league.models import (
    Attempt,
    Championship,
    LiveRow,
    Membership,
    PartieStatus,
    PublishedRanking,
    Result,
    ResultState,
    SettledHow,
    User,
)
from league.policy import Actor
from league.services.accounts import create_first_account, needs_first_account

pytestmark = pytest.mark.django_db


@pytest.fixture
def demonstration(django_capture_on_commit_callbacks: Callable[..., Any]) -> Championship:
    """The demonstration, its ranking renewed as its results came in."""
    with django_capture_on_commit_callbacks(execute=True):
        return make_demonstration()


def test_shows_a_refused_log_a_claim_that_differs_a_settled_one_and_a_correction(demonstration: Championship) -> None:
    """What a visitor is told to look for is there."""
    results = Result.objects.filter(manche__partie__championship=demonstration)
    assert Attempt.objects.filter(partie__championship=demonstration).exclude(code="").count() == 1
    assert results.filter(state=ResultState.DIFFERS).count() == 1
    assert results.filter(settled_how=SettledHow.COMPUTED, state=ResultState.CONFIRMED).count() == 1
    assert results.filter(supersedes__isnull=False).exclude(reason="").count() == 1
    assert set(results.values_list("kind", "document__media")) == {("log", "json"), ("log", "text"), ("sheet", "json")}


def test_is_under_way_with_twelve_ranked_teams(demonstration: Championship) -> None:
    """Three rounds are closed, the fourth is open, and three versions are published."""
    assert LiveRow.objects.filter(championship=demonstration, rank__isnull=False).count() == 12
    assert not demonstration.parties.filter(round__lte=3).exclude(status=PartieStatus.CLOSED).exists()
    assert demonstration.parties.filter(round=4, status=PartieStatus.OPEN).exists()
    assert PublishedRanking.objects.filter(championship=demonstration).count() == 3
    demonstration.refresh_from_db()
    assert demonstration.ranking_due_since is None


def test_leaves_the_first_account_to_be_made_which_then_owns_it(demonstration: Championship) -> None:
    """Its own owner cannot sign in, so the first start still offers to make the first account."""
    assert needs_first_account()
    user = create_first_account(
        actor=Actor(), email="orga@example.org", display_name="Orga", password="trois-feux-verts-et-demi"
    )
    assert Membership.objects.get(user=user).championship == demonstration
    assert not needs_first_account()
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert not needs_first_account()


def test_command_makes_it_once_and_only_on_an_empty_database() -> None:
    """`--if-empty` is silent where there is something; without it a second one is an error."""
    call_command("demo", "--if-empty")
    call_command("demo", "--if-empty")
    assert Championship.objects.count() == 1
    with pytest.raises(CommandError):
        call_command("demo")
