"""A blind second entry over HTTP: what the answer says of it, and what nobody reads before it is in."""

import pytest
from django.test import Client

from league.models import Championship, Membership, Partie, Role, User
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, as_bytes, sheet
from tests.league.api.conftest import JSON, token
from tests.reading import reads_number

pytestmark = pytest.mark.django_db


def handed_in(partie: Partie, user: User, km: int = 475) -> tuple[int, dict[str, object]]:
    at = f"/api/v1/championships/{partie.championship.slug}/parties/1/manches/1/results"
    body = as_bytes(sheet({"A": 1000, "B": km}))
    answer = Client().post(at, body, content_type=JSON, headers={"Authorization": token(user)})
    return answer.status_code, answer.json()


@pytest.fixture
def cup() -> Championship:
    return ChampionshipFactory(confirmation="second_entry")


def another(cup: Championship) -> User:
    user = UserFactory()
    Membership.objects.create(user=user, championship=cup, role=Role.REFEREE)
    return user


@pytest.mark.parametrize(("km", "state"), [(475, "confirmed"), (500, "contested")])
def test_the_answer_says_whether_both_agree(cup: Championship, km: int, state: str) -> None:
    partie, second = PartieFactory(championship=cup), another(cup)
    first_status, first = handed_in(partie, cup.created_by)
    assert (first_status, first["outcome"], first["state"]) == (201, "recorded", "pending")

    status, said = handed_in(partie, second, km)

    assert (status, said["outcome"], said["state"], said["version"]) == (201, "second", state, 1)
    assert said["url"] == first["url"]
    assert handed_in(partie, second, km)[1]["outcome"] == "repeated"
    read = Client().get(f"/api/v1/championships/{cup.slug}/parties/1/manches/1").json()
    assert (read["status"], read["current"]["state"]) == (state, state)


def test_nothing_of_the_first_is_read_before(cup: Championship) -> None:
    partie = PartieFactory(championship=cup)
    handed_in(partie, cup.created_by, 425)
    at = f"/api/v1/championships/{cup.slug}/parties/1/manches/1"
    read = Client().get(at).json()
    assert (read["status"], read["current"], read["versions"]) == ("pending", None, [])
    assert Client().get(f"{at}/results").json()["items"] == []
    for rest in ("/results/1", "/results/1/document", "/results/1/steps"):
        assert Client().get(at + rest).status_code == 404, rest
    assert not reads_number(Client().get(f"/api/v1/championships/{cup.slug}/parties/1").content.decode(), 425)
