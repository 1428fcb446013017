"""Accounts, as the doors of signing in need them. Nothing here is for pages of other people."""

from league.models import User
from league.models.people import fold_email


def account_of(*, email: str) -> User | None:
    """The account that signs in with this address, however it is spelled. One query."""
    return User.objects.filter(email=fold_email(email)).first()
