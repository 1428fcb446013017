"""In which language a mail is answered: the mail's own, the account's, the site's; and how it writes its subject."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail as outbox_of
from django.utils import timezone

from league.models import MailAddress, Player, Registration
from league.services.mail_addresses import create_mail_address
from league.services.received_mail import receive_mail
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, owner_of
from tests.league.mail_cases import LOG, mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(settings: Any) -> str:
    """A good address, of the owner of a championship in which one manche waits."""
    settings.MAIL_TO = "results@club.example"
    championship = ChampionshipFactory(slug="coupe")
    PartieFactory(championship=championship)
    owner = owner_of(championship)
    assert owner.user is not None
    return create_mail_address(actor=owner, user=owner.user, championship=championship, name="x")[1]


def answered(address: str, **headers: str) -> Any:
    """The answer to a mail with a log."""
    message = mail(LOG, **({"subject": "Partie 1 manche 1"} | headers))
    receive_mail(raw=message.as_bytes(), to=address)
    return outbox_of.outbox[-1]


def language(address: str, **headers: str) -> str:
    """The language in which a mail is answered."""
    return str(answered(address, **headers).extra_headers["Content-Language"])


def test_the_mails_own_comes_first_and_the_sites_last(address: str) -> None:
    assert language(address) == "fr"
    assert language(address, Content_Language="en-US", Message_ID="<2@example.org>") == "en"
    assert language(address, Accept_Language="en, fr", Message_ID="<3@example.org>") == "en"


def test_then_that_in_which_whoever_has_the_account_registered_last(address: str) -> None:
    for days, said in ((9, "fr"), (5, "en")):
        entry = EntryFactory()
        Registration.objects.create(
            championship=entry.championship,
            position=1,
            players=[{"name": "Ane", "language": said}],
            token_sha256=said,
            state="accepted",
            at=timezone.now() - timedelta(days=days),
            entry=entry,
        )
        player = entry.team.players.get()
        Player.objects.update(user=None)
        Player.objects.filter(pk=player.pk).update(user=MailAddress.objects.get().user)
        assert language(address, Message_ID=f"<{days}@example.org>") == said
    assert language(address, subject="Partie 1 manche 1 / motif", Message_ID="<8@example.org>") == "fr"
    Registration.objects.update(players=[{"name": "Ane", "language": "xx"}])
    assert language(address, Message_ID="<7@example.org>") == "fr", "the site does not have that one"


def test_the_subject_is_one_text_so_that_its_language_writes_its_own_colon(address: str) -> None:
    before = "Partie %(partie)s, manche %(manche)s: recorded"
    in_french = {before: "Partie %(partie)s, manche %(manche)s\u00a0: résultat enregistré"}
    with patch("league.mails.answers._", lambda text: in_french.get(text, text)):
        assert answered(address).subject == "Partie 1, manche 1\u00a0: résultat enregistré"
