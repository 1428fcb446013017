"""Tokens from the command line: listed without secrets, revoked."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from league.models import ApiToken, AuditEntry, User
from league.policy import Actor
from league.services.tokens import create_token, token_user
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def made(user: User, name: str) -> str:
    return create_token(actor=Actor(user=user), user=user, name=name, scopes=["read", "manage"])[1]


def test_they_are_listed_with_what_they_may_and_whether_they_are_good(capsys: pytest.CaptureFixture[str]) -> None:
    ana, bea = UserFactory(email="ana@example.org"), UserFactory(email="bea@example.org")
    texts = [made(ana, "Good"), made(ana, "Old"), made(ana, "Gone"), made(bea, "Hers")]
    now = timezone.now()
    ApiToken.objects.filter(name="Old").update(expires_at=now - timedelta(days=1), last_used_at=now)
    ApiToken.objects.filter(name="Gone").update(revoked_at=now)

    call_command("list_tokens")

    printed = capsys.readouterr().out
    lines = [line.split("\t") for line in printed.splitlines()]
    assert [(line[1], line[2], line[3], line[5]) for line in lines[1:]] == [
        ("ana@example.org", "Good", "manage,read", "good"),
        ("ana@example.org", "Old", "manage,read", "expired"),
        ("ana@example.org", "Gone", "manage,read", "revoked"),
        ("bea@example.org", "Hers", "manage,read", "good"),
    ]
    assert len({len(line) for line in lines}) == 1
    assert not any(text.split("_", 2)[2] in printed for text in texts)

    call_command("list_tokens", "ANA@example.org", "--good")
    assert [line.split("\t")[2] for line in capsys.readouterr().out.splitlines()[1:]] == ["Good"]
    with pytest.raises(CommandError, match="nobody"):
        call_command("list_tokens", "nobody@example.org")


@pytest.mark.parametrize("whole", [True, False])
def test_one_is_revoked_by_its_beginning_or_as_it_was_found(whole: bool, capsys: pytest.CaptureFixture[str]) -> None:
    text = made(UserFactory(), "Leaked")
    other = made(UserFactory(), "Other")
    call_command("revoke_token", text if whole else "_".join(text.split("_")[:2]))
    assert token_user(text) is None
    assert token_user(other) is not None
    assert AuditEntry.objects.get(action="revoke_token").request_id == "revoke_token"
    assert capsys.readouterr().out == "Leaked: revoked\n"


def test_one_that_there_is_not() -> None:
    with pytest.raises(CommandError, match="there is no token"):
        call_command("revoke_token", "bornage_nothing")
