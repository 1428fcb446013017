"""Accounts, as the doors of signing in need them. Nothing here is for pages of other people."""

from django.conf import settings

from league.models import Registration, User
from league.models.people import fold_email


def account_of(*, email: str) -> User | None:
    """The account that signs in with this address, however it is spelled. One query."""
    return User.objects.filter(email=fold_email(email)).first()


def language_of_account(*, user: User) -> str | None:
    """The language in which whoever has this account registered last, which mail to them is written in; None if the
    site does not know one. One query.
    """
    of_theirs = Registration.objects.filter(entry__team__members__player__user=user)
    players = of_theirs.order_by("-at", "-pk").values_list("players", flat=True).first()
    said = players[0].get("language") if players else None
    return said if said in dict(settings.LANGUAGES) else None
