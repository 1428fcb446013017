"""What the database holds of addresses for mail and of received mails also when the services are passed by."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from league.models import MailAddress, ReceivedMail
from tests.factories import ChampionshipFactory
from tests.league.test_constraints import again, refuses, update

pytestmark = pytest.mark.django_db

BROKEN: list[tuple[str, Callable[[], Any]]] = [
    ("league_mail_address_secret_unique", again(MailAddress)),
    ("league_mail_address_named", update(MailAddress, name="")),
    ("league_received_mail_once", again(ReceivedMail)),
]


@pytest.mark.parametrize(("name", "broken"), BROKEN, ids=[name for name, _ in BROKEN])
def test_a_constraint_holds_when_services_are_passed_by(name: str, broken: Callable[[], Any]) -> None:
    championship = ChampionshipFactory()
    row = MailAddress.objects.create(
        championship=championship, user=championship.created_by, name="N", secret_sha256="x"
    )
    ReceivedMail.objects.create(address=row, message_id_sha256="x", answer={})
    with refuses(name), transaction.atomic():
        broken()
