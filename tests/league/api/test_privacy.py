"""What never leaves: e-mail addresses, licence numbers, drafts, refused attempts, the secret before its time."""

import pytest
from django.test import Client

from league.models import Club
from league.services.parties import close_partie
from tests.factories import (
    ChampionshipFactory,
    ClubFactory,
    EntryFactory,
    PlayerFactory,
    UserFactory,
    as_bytes,
    owner_of,
    sheet,
)
from tests.league.api.conftest import World, token
from tests.league.api.test_routes import JSON_READS, address, show


def everything(client: Client, world: World, *, but: str = "", **headers: str) -> str:
    """All that the API has to say, in one text."""
    answers = [client.get(address(world, name), **headers) for name in JSON_READS if name != but]
    assert all(answer.status_code == 200 for answer in answers)
    return "\n".join(answer.content.decode() for answer in answers)


def test_no_address_licence_or_name_of_an_account_leaves_but_in_what_is_private_of_a_player(
    client: Client, world: World
) -> None:
    owner = world.championship.created_by
    for but, headers in (("", {}), ("api-player", {"HTTP_AUTHORIZATION": token(owner, "read", "hand_in", "manage")})):
        said = everything(client, world, but=but, **headers)
        assert "@" not in said, "an e-mail address"
        assert "L-777" not in said, "a licence number"
        assert owner.display_name not in said


def test_a_refused_document_is_nowhere_to_be_read(client: Client, world: World, send) -> None:
    wrong = sheet({"A": 1000, "B": 480}, tags="a remark that was refused")
    assert send(as_bytes(wrong)).status_code == 422
    said = everything(client, world, but="api-codes")
    assert "a remark that was refused" not in said
    assert "km-not-multiple" not in said


def test_the_secret_of_the_lots_is_shown_when_the_championship_is_finished(client: Client, world: World) -> None:
    from league.services.championships import finish_championship

    secret = world.championship.secret
    assert secret not in everything(client, world)
    actor = owner_of(world.championship)
    close_partie(actor=actor, partie_id=world.partie.pk, version=None, reason="Late")
    finish_championship(actor=actor, championship_id=world.championship.pk, version=None)
    assert client.get(f"/api/v1/championships/{world.championship.slug}").json()["secret"] == secret


@pytest.mark.parametrize("visibility", ["draft", "unlisted"])
def test_what_is_not_public_is_not_listed_even_for_who_runs_it(client: Client, world: World, visibility: str) -> None:
    show(world.championship, visibility)
    client.force_login(world.championship.created_by)
    for name in ("championships", "players"):
        assert client.get(f"/api/v1/{name}").json()["items"] == [], name


def test_a_player_who_is_in_drafts_only_is_not_there(client: Client, world: World) -> None:
    show(world.championship, "draft")
    assert client.get(f"/api/v1/players/{world.player}").status_code == 404
    show(world.championship, "unlisted")
    assert client.get(f"/api/v1/players/{world.player}").status_code == 200, "whoever has the address"
    nobody = PlayerFactory()
    assert client.get(f"/api/v1/players/{nobody.pk}").status_code == 404


@pytest.mark.django_db
def test_the_players_of_a_club_are_counted_with_those_that_can_be_seen(client: Client) -> None:
    club: Club = ClubFactory()
    draft = ChampionshipFactory(visibility="draft")
    entry = EntryFactory(championship=draft)
    entry.team.players.update(club=club)
    assert client.get("/api/v1/clubs").json()["items"][0]["players"] == 0
    show(draft, "public")
    assert client.get("/api/v1/clubs").json()["items"][0]["players"] == 1


def test_a_stranger_who_is_signed_in_sees_no_more_than_anybody(client: Client, world: World) -> None:
    client.force_login(UserFactory())
    show(world.championship, "draft")
    assert client.get(address(world, "api-championship")).status_code == 404
