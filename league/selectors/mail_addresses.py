"""Addresses for results by mail, for whoever they belong to."""

from league.models import Championship, MailAddress, User
from league.policy import Action, roles_that_may


def mail_addresses_of(*, user: User, championship: Championship) -> list[MailAddress]:
    """A user's own addresses of a championship, newest first. One query."""
    return list(MailAddress.objects.filter(user=user, championship=championship).order_by("-created_at", "-id"))


def championships_to_hand_in(*, user: User) -> list[tuple[str, str]]:
    """Slug and name of each championship in which a user may hand in, newest first. One query."""
    rows = Championship.objects.filter(
        memberships__user=user, memberships__role__in=roles_that_may(Action.HAND_IN)
    ).order_by("-created_at", "-id")
    return list(rows.values_list("slug", "name"))
