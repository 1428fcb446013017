"""Whoever is new takes an invitation in a real browser, which says where a form comes from."""

from playwright.sync_api import Page, expect

from league.models import Championship, Membership
from league.services.accounts import invite
from league.services.claims import send_claim_link
from tests.factories import ChampionshipFactory, PlayerFactory, owner_of

PASSWORD = "trois-feux-verts-et-demi"


def test_somebody_new_takes_an_invitation(live_server, transactional_db: None, page: Page) -> None:
    championship: Championship = ChampionshipFactory(name="Coupe")
    links: list[str] = []
    invite(
        actor=owner_of(championship),
        championship_id=championship.pk,
        email="new@example.org",
        link=lambda token: links.append(token) or token,
    )
    page.goto(f"{live_server.url}/en/invitation/{links[0]}/")
    page.locator("[name=display_name]").fill("Ana")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Make the account and accept").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Coupe")
    assert Membership.objects.get(user__email="new@example.org").championship == championship


def test_somebody_new_takes_a_profile_by_its_link(live_server, transactional_db: None, page: Page) -> None:
    player = PlayerFactory(name="Ana Phare", email="ana@example.org")
    links: list[str] = []
    send_claim_link(
        actor=owner_of(ChampionshipFactory()),
        player_id=player.pk,
        link=lambda token: links.append(token) or token,
    )
    page.goto(f"{live_server.url}/en/claim/{links[0]}/")
    page.locator("[name=display_name]").fill("Ana")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Make the account and take it over").click()
    expect(page.get_by_role("main")).to_contain_text("Ana Phare")
    player.refresh_from_db()
    assert player.user is not None
