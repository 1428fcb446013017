"""Rankings over stages and circuits in a browser: they fit a phone, and axe finds nothing."""

from collections.abc import Callable

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from league.models import Circuit, User, What
from league.policy import Actor
from league.services import journal
from league.services.circuits import add_leg, create_circuit, publish_circuit
from league.services.locks import lock_championship
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from tests.browser.test_public_pages import WINDOWS, fits
from tests.factories import ChampionshipFactory, EntryFactory, UserFactory, owner_of
from tests.staging import melee, mixed, round_of, stage_of, won

PASSWORD = "grande-borne-42"


@pytest.fixture
def owner(transactional_db: None) -> User:
    user: User = UserFactory(email="circuit@example.org")
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture
def circuit(owner: User) -> Circuit:
    """A circuit of a championship with pools and a knock-out after them; a mêlée besides. Names are long."""
    championship = ChampionshipFactory(
        slug="coupe", name="Grande Coupe des Pyrénées", owner=owner, partie_end="manches", partie_end_value=1
    )
    entries = [
        EntryFactory(championship=championship, name=name)
        for name in ("Anticonstitutionnellement", "Les Joyeux Conducteurs du Dimanche", "Zoé", "Ana", "Eloi", "Ibai")
    ]
    pools = [entries[:3], entries[3:]]
    round_of(stage_of(championship, 1, [], in_pools=pools, name="Poules"), 1)
    for pool in pools:
        won(1, pool[0], pool[1])
    round_of(stage_of(championship, 2, [entries[0], entries[3]], qualify=1, format="knockout"), 2)
    won(2, entries[0], entries[3])
    with transaction.atomic():
        journal.write(lock_championship(pk=championship.pk), journal.Line(What.STAGE_STARTED))
    renew_live_ranking(championship_id=championship.pk)
    publish(actor=owner_of(championship), championship_id=championship.pk, label="Classement final")
    mixed_up, players = melee(4, slug="melee")
    mixed(mixed_up, 1, (players[0], players[1]), (players[2], players[3]))
    actor = Actor(user=owner)
    made = create_circuit(
        actor=actor, name="Circuit des Gaves", settings={"points": [25, 18, 15], "visibility": "public"}
    )
    for _ in range(2):
        add_leg(actor=actor, circuit_id=made.pk, championship_id=championship.pk)
    publish_circuit(actor=actor, circuit_id=made.pk, label="Après la Coupe")
    return made


def looked_at(page: Page, address: str, accessible: Callable[[Page], None]) -> None:
    for width, scheme in WINDOWS:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200
        for summary in page.locator("details > summary").all():
            summary.click()
        assert fits(page), f"wider than {width} pixels"
        accessible(page)


PAGES = (
    "championships/coupe/",
    "championships/coupe/ranking/stages/1/",
    "championships/coupe/ranking/stages/2/",
    "championships/coupe/published/1/stages/1/",
    "championships/melee/",
    "championships/melee/parties/1/",
    "circuits/",
    "circuits/circuit-des-gaves/",
)


@pytest.mark.parametrize("rest", PAGES)
def test_a_page_fits_and_axe_finds_no_fault(
    live_server, circuit: Circuit, page: Page, accessible: Callable[[Page], None], rest: str
) -> None:
    looked_at(page, f"{live_server.url}/fr/{rest}", accessible)


def test_its_owner_orders_and_publishes_it(
    live_server, circuit: Circuit, page: Page, accessible: Callable[[Page], None]
) -> None:
    manage = f"{live_server.url}/fr/circuits/circuit-des-gaves/manage/"
    page.goto(manage)
    page.locator("main input[type=email]").fill("circuit@example.org")
    page.locator("main input[type=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    expect(page).to_have_url(manage)
    looked_at(page, manage, accessible)
    looked_at(page, f"{live_server.url}/fr/circuits/mine/", accessible)
    page.goto(manage)
    page.locator("#change-points").fill("30 20 10")
    page.locator("form:has(#change-points) button").click()
    page.locator("#publish-label").fill("Autres points")
    page.locator("form:has(#publish-label) button").click()
    page.goto(f"{live_server.url}/fr/circuits/circuit-des-gaves/")
    expect(page.locator("table.ranking td.strong").first).to_have_text("30")
