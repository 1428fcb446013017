"""Who may send a batch and look at it; each item is asked again whether its token may."""

import pytest
from django.test import Client
from django.utils import timezone

from league.api.batch_work import work_off
from league.models import ApiToken, Batch, Championship, Membership, Result, Role, Scope
from league.services.tokens import revoke_token
from tests.factories import UserFactory, owner_of
from tests.league.api.batches.cases import NDJSON, Sender, hall, kept, lines, manches, result, states, work_some
from tests.league.api.conftest import token

pytestmark = pytest.mark.django_db


class TestRights:
    def test_a_token_that_is_revoked_in_the_middle(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(4))
        work_some(batch, 2)
        revoke_token(actor=owner_of(championship), token_id=ApiToken.objects.get().pk)
        assert work_off(batch.pk)
        assert states(batch) == ["saved", "saved", "refused", "refused"]
        assert batch.items.get(line=3).answer["code"] == "invalid-token"
        assert Result.objects.count() == 2

    def test_one_that_expires_in_the_middle(self, sender: Sender) -> None:
        batch = kept(sender, *manches(2))
        work_some(batch, 1)
        ApiToken.objects.update(expires_at=timezone.now())
        work_off(batch.pk)
        assert states(batch) == ["saved", "refused"]

    def test_an_account_that_is_closed_in_the_middle(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(2))
        work_some(batch, 1)
        championship.created_by.is_active = False
        championship.created_by.save()
        work_off(batch.pk)
        assert states(batch) == ["saved", "refused"]

    def test_a_role_that_is_taken_away_in_the_middle(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(3))
        work_some(batch, 1)
        Membership.objects.update(role=Role.AUDITOR)
        work_off(batch.pk)
        assert states(batch) == ["saved", "refused", "refused"]
        assert batch.items.get(line=2).answer["code"] == "not-permitted"

    def test_a_scope_is_asked_of_each_item(self, client: Client, championship: Championship) -> None:
        text = token(championship.created_by, Scope.HAND_IN)
        own = Sender(client, text, f"/api/v1/championships/{championship.slug}/batches")
        answers = own.answers(result(), {"club": {"name": "Le Relais"}})
        assert [(one["status"], one.get("code")) for one in answers] == [(201, None), (403, "insufficient-scope")]
        text = token(championship.created_by, Scope.MANAGE)
        own = Sender(client, text, f"/api/v1/championships/{championship.slug}/batches")
        answers = own.answers(result(manche=2), {"club": {"name": "Le Relais"}})
        assert [(one["status"], one.get("code")) for one in answers] == [(403, "not-permitted"), (201, None)]

    def test_who_may_not_write_sends_nothing(self, client: Client, championship: Championship) -> None:
        address = f"/api/v1/championships/{championship.slug}/batches"
        assert client.post(address, lines(result()), content_type=NDJSON).status_code == 401
        for text, status in (
            (token(UserFactory(), Scope.HAND_IN), 403),
            (token(championship.created_by, Scope.READ), 403),
            (token(championship.created_by, Scope.HAND_IN, championship=hall()), 403),
        ):
            assert Sender(client, text, address).send(result()).status_code == status
        nobody = UserFactory(may_organise=False)
        assert Sender(client, token(nobody, Scope.MANAGE), "/api/v1/batches").send(result()).status_code == 403
        assert not Batch.objects.exists()

    def test_a_batch_is_its_senders_own(self, client: Client, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, result())
        address = f"/api/v1/batches/{batch.pk}"
        own, elsewhere = championship.created_by, hall()
        for text, status in (
            (sender.authorization, 200),
            (token(own, Scope.READ), 200),
            (token(own, Scope.HAND_IN), 404),
            (token(own, Scope.READ, Scope.HAND_IN, championship=elsewhere), 404),
            (token(UserFactory(is_staff=True), Scope.READ, Scope.HAND_IN), 404),
        ):
            for part in ("", "/items", "/answers"):
                assert client.get(address + part, headers={"Authorization": text}).status_code == status
            if status == 404:
                assert client.post(f"{address}/cancel", headers={"Authorization": text}).status_code == 404
            listed = client.get("/api/v1/batches", headers={"Authorization": text}).json()["items"]
            assert len(listed) == (status == 200)
        assert client.get(address).status_code == 401
        assert client.get("/api/v1/batches").status_code == 401
        client.force_login(own)
        assert client.get(address).status_code == 200
        assert client.post(f"{address}/cancel").status_code == 401
