"""The administration pages: for staff, to read; the little that they change goes through the services."""

import re
from collections.abc import Iterator

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from league.models import ApiToken, AuditEntry, Championship, Partie, User, Webhook
from league.services.deliveries import new_delivery
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from league.services.tokens import create_token
from tests.factories import ClubFactory, PartieFactory, UserFactory, owner_of, play, sheet
from tests.league.webhook_cases import webhook_to

pytestmark = pytest.mark.django_db

OURS = [model for model in admin.site._registry if model._meta.app_label == "league"]


@pytest.fixture
def staff(client: Client) -> Iterator[Client]:
    client.force_login(
        UserFactory(is_staff=True, email="staff@example.org"), "django.contrib.auth.backends.ModelBackend"
    )
    return client


@pytest.fixture
def partie() -> Partie:
    partie = PartieFactory()
    ClubFactory()
    play(partie)
    play(partie, 2, sheet({"A": 1000, "B": 26}))
    renew_live_ranking(championship_id=partie.championship.pk)
    publish(actor=owner_of(partie.championship), championship_id=partie.championship.pk, label="Now")
    webhook = webhook_to("https://hooks.example.org/", partie.championship)
    new_delivery(webhook, "changes", {}, position=1)
    create_token(actor=owner_of(partie.championship), user=partie.championship.created_by, name="Hall", scopes=["read"])
    return partie


def address(model: type[Model], page: str, *args: object) -> str:
    return reverse(f"admin:league_{model._meta.model_name}_{page}", args=args)


@pytest.mark.parametrize("model", OURS, ids=[model.__name__ for model in OURS])
def test_staff_read_every_model_and_write_none(staff: Client, partie: Partie, model: type[Model]) -> None:
    assert staff.get(address(model, "changelist")).status_code == 200
    assert staff.get(address(model, "add")).status_code == 403
    row = model._default_manager.order_by("pk").first()
    if row is None:
        return
    page = staff.get(address(model, "change", row.pk))
    assert page.status_code == 200
    assert 'name="_save"' not in page.text
    assert staff.post(address(model, "change", row.pk), {}).status_code == 403
    assert staff.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    assert model._default_manager.filter(pk=row.pk).exists()


@pytest.mark.parametrize("model", OURS, ids=[model.__name__ for model in OURS])
def test_what_programs_use_as_an_address_is_in_no_form(staff: Client, partie: Partie, model: type[Model]) -> None:
    """A slug, a number, an id: the feed tells a thing under its key, so another key would leave the old one behind."""
    assert not admin.site._registry[model].list_editable
    fields = {field.name for field in model._meta.get_fields() if getattr(field, "editable", False)}
    row = model._default_manager.order_by("pk").first()
    if row is None:
        return
    before = model._default_manager.filter(pk=row.pk).values().get()
    page = staff.get(address(model, "change", row.pk)).text
    shown = page.partition('id="content-main"')[2]
    inputs = re.findall(r"<(?:input|select|textarea)[^>]*>", shown)
    named = {re.sub(r'.*\bname="(?:\w+-\d+-)?(\w+)".*', r"\1", one) for one in inputs if 'type="hidden"' not in one}
    assert not named & fields
    staff.post(address(model, "change", row.pk), dict.fromkeys(fields, "7") | {"_save": "Save"})
    assert model._default_manager.filter(pk=row.pk).values().get() == before


def test_neither_secrets_nor_digests_are_shown(staff: Client, partie: Partie) -> None:
    championship, token = Championship.objects.get(), ApiToken.objects.get()
    assert championship.secret not in staff.get(address(Championship, "change", championship.pk)).text
    assert token.secret_sha256 not in staff.get(address(ApiToken, "change", token.pk)).text
    webhook = Webhook.objects.get()
    assert webhook.secret not in staff.get(address(Webhook, "change", webhook.pk)).text
    user = championship.created_by
    user.set_password("a phrase that nobody guesses")
    user.save()
    assert user.password not in staff.get(address(User, "change", user.pk)).text


def test_others_are_shown_the_door(client: Client, partie: Partie) -> None:
    client.force_login(partie.championship.created_by, "django.contrib.auth.backends.ModelBackend")
    assert client.get(address(Championship, "changelist")).status_code == 302


def act(client: Client, model: type[Model], action: str, row: Model) -> str:
    answer = client.post(address(model, "changelist"), {"action": action, "_selected_action": [row.pk]}, follow=True)
    assert answer.status_code == 200
    return answer.text


class TestActions:
    """Each is a service's work, with its audit."""

    def test_an_account_is_closed_and_opened_again(self, staff: Client) -> None:
        user = UserFactory()
        act(staff, User, "close_accounts", user)
        user.refresh_from_db()
        assert not user.is_active
        act(staff, User, "open_accounts", user)
        user.refresh_from_db()
        assert user.is_active
        entries = AuditEntry.objects.filter(action="open_or_close_account")
        assert [(entry.user.email, entry.after, entry.ip) for entry in entries.order_by("pk")] == [
            ("staff@example.org", {"is_active": False}, "127.0.0.1"),
            ("staff@example.org", {"is_active": True}, "127.0.0.1"),
        ]

    def test_nobody_closes_their_own_account(self, staff: Client) -> None:
        own = User.objects.get(email="staff@example.org")
        act(staff, User, "close_accounts", own)
        own.refresh_from_db()
        assert own.is_active

    def test_a_token_is_revoked(self, staff: Client, partie: Partie) -> None:
        act(staff, ApiToken, "revoke", ApiToken.objects.get())
        assert ApiToken.objects.get().revoked_at is not None
        assert AuditEntry.objects.filter(action="revoke_token").exists()

    def test_a_ranking_that_is_due_is_renewed(self, staff: Client) -> None:
        championship = PartieFactory().championship
        act(staff, Championship, "renew", championship)
        championship.refresh_from_db()
        assert championship.ranking_due_since is None

    def test_nothing_can_be_deleted_from_a_list(self, staff: Client, partie: Partie) -> None:
        act(staff, Championship, "delete_selected", partie.championship)
        assert Championship.objects.exists()
