"""Looking at batches while they are done and afterwards."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from league.api.batch_work import work_off
from league.models import Batch, Championship
from tests.league.api.batches.cases import NDJSON, Sender, hall, kept, manches, read, result, work_some

pytestmark = pytest.mark.django_db


class TestLookedAt:
    def test_how_far_it_has_come(self, sender: Sender, championship: Championship) -> None:
        batch = kept(sender, *manches(4), b"{")
        shown = sender.get(f"/api/v1/batches/{batch.pk}").json()
        assert (shown["state"], shown["done"], shown["rest"]) == ("waiting", 0, None)
        work_some(batch, 2)
        Batch.objects.update(created_at=timezone.now() - timedelta(seconds=10), worked_at=timezone.now())
        shown = sender.get(f"/api/v1/batches/{batch.pk}").json()
        assert (shown["items"], shown["done"], shown["rest"]) == (5, 2, 15)
        work_off(batch.pk)
        shown = sender.get(shown["url"]).json()
        assert (shown["state"], shown["championship"], shown["rest"]) == ("done", championship.slug, 0)
        assert shown["counts"] == {
            "waiting": 0,
            "saved": 4,
            "repeated": 0,
            "refused": 1,
            "failed": 0,
            "cancelled": 0,
        }

    def test_its_lines_in_pages_and_by_state(self, sender: Sender) -> None:
        batch = kept(sender, result(), b"{", result(manche=2), b"[]", result(manche=3))
        work_some(batch, 4)
        page = sender.get(f"/api/v1/batches/{batch.pk}/items?limit=2").json()
        assert [one["line"] for one in page["items"]] == [1, 2]
        page = sender.get(page["next"]).json()
        assert [(one["line"], one["status"]) for one in page["items"]] == [(3, 201), (4, 422)]
        page = sender.get(f"/api/v1/batches/{batch.pk}/items?state=refused").json()
        assert [(one["line"], one["code"]) for one in page["items"]] == [(2, "malformed-body"), (4, "bad-field")]
        page = sender.get(f"/api/v1/batches/{batch.pk}/items?state=waiting").json()
        assert [(one["line"], one["problem"], one["data"]) for one in page["items"]] == [(5, None, None)]

    def test_its_answers_while_it_is_done(self, sender: Sender) -> None:
        batch = kept(sender, *manches(3))
        work_some(batch, 2)
        said = sender.get(f"/api/v1/batches/{batch.pk}/answers")
        assert (said.streaming, said["Content-Type"]) == (True, NDJSON)
        assert [one["line"] for one in read(b"".join(said.streaming_content))] == [1, 2]

    def test_ones_batches_newest_first(self, client: Client, sender: Sender) -> None:
        sender.answers(result())
        second = kept(sender, result(manche=2))
        other = hall()
        third = kept(Sender(client, sender.authorization, "/api/v1/batches"), {"club": {"name": "Le Relais"}})
        assert [one["id"] for one in sender.get("/api/v1/batches").json()["items"]][:2] == [third.pk, second.pk]
        assert [one["id"] for one in sender.get(f"{sender.address}?state=waiting").json()["items"]] == [second.pk]
        assert sender.get(f"/api/v1/championships/{other.slug}/batches").json()["items"] == []
