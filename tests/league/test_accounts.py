"""Accounts: one per e-mail address however it is spelled, and locked for a while after wrong passwords."""

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from league.models import User
from league.models.people import fold_email

pytestmark = pytest.mark.django_db


def sign_in(client: Client, email: str, password: str, **extra: str) -> int:
    """Try to sign in on the administration's page; the status of the answer (302: signed in)."""
    return client.post("/admin/login/", {"username": email, "password": password}, **extra).status_code


@pytest.fixture
def organiser() -> User:
    return User.objects.create_user("Ane@Example.org", "right", display_name="Ane", is_staff=True)


@pytest.mark.parametrize("spelling", ["ane@example.org", "ANE@EXAMPLE.ORG", "  Ane@example.org "])
def test_one_address_is_one_account_however_it_is_spelled(organiser: User, client: Client, spelling: str) -> None:
    assert organiser.email == "ane@example.org"
    assert User.objects.get_by_natural_key(spelling) == organiser
    assert sign_in(client, spelling, "right") == 302


def test_a_second_account_with_the_same_address_is_refused_by_the_database(organiser: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("ANE@example.org", display_name="Another")


def test_an_address_that_was_not_folded_is_refused_by_the_database() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create(email="Ane@example.org", display_name="Ane")


def test_folding_twice_changes_nothing_even_where_lower_case_folds_to_capitals() -> None:
    for email in ("Straße@example.org", "İ@example.org", "Ꭰ@example.org", "ꭰ@example.org"):
        folded = fold_email(email)
        assert fold_email(folded) == folded
        assert folded == folded.lower()


def test_five_wrong_passwords_lock_the_address_where_they_came_from(organiser: User, client: Client) -> None:
    spellings = ["ane@example.org", "ANE@example.org", "Ane@Example.org", "aNe@example.org", "anE@example.org"]
    assert [sign_in(client, email, "wrong") for email in spellings] == [200, 200, 200, 200, 429]
    assert sign_in(client, "ane@example.org", "right") == 429
    elsewhere = sign_in(client, "ane@example.org", "right", REMOTE_ADDR="192.0.2.7")
    assert elsewhere == 302, "a stranger's guesses do not lock the organiser out"


def test_a_visitor_cannot_pretend_another_address_when_no_proxy_is_configured(organiser: User, client: Client) -> None:
    tries = [sign_in(client, "ane@example.org", "wrong", HTTP_X_FORWARDED_FOR=f"192.0.2.{n}") for n in range(5)]
    assert tries[-1] == 429


def test_the_lock_out_page_is_ours(organiser: User, client: Client) -> None:
    for _ in range(5):
        answer = client.post("/admin/login/", {"username": organiser.email, "password": "wrong"})
    assert "429.html" in [template.name for template in answer.templates]
