"""What tests of registration start from."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from league.models import Championship, Registration
from league.policy import ANYBODY
from league.services.registrations import Applicant, register
from tests.factories import ChampionshipFactory


def opened(**settings: Any) -> Championship:
    """A championship in which people can register."""
    return ChampionshipFactory(
        **{"registration_opens_at": timezone.now() - timedelta(hours=1), "waiting_list": True, **settings}
    )


def sent(championship: Championship, *names: str, key: str = "", **fields: Any) -> tuple[Registration, str | None]:
    """A form that somebody sent: for the people of these names."""
    about = {name: fields.pop(name) for name in ("team_name", "note") if name in fields}
    return register(
        actor=ANYBODY,
        championship_id=championship.pk,
        key=key or f"key of {names}",
        players=[Applicant(name, **fields) for name in names],
        link=lambda token: f"https://example.org/{token}",
        **about,
    )


def registered(championship: Championship, *names: str, **fields: Any) -> Registration:
    """A registration for the people of these names."""
    return sent(championship, *names, **fields)[0]
