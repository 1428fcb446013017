"""Lists from files in pages: sent, looked over, settled, accepted."""

from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Entry, ListImport, Player
from league.selectors.imports import look_over
from tests.factories import ChampionshipFactory, PlayerFactory, owner_of
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]


def sent(send: Send, text: str, **fields: Any) -> Any:
    """Send a file."""
    file = SimpleUploadedFile("Liste été.csv", text.encode(), "text/csv")
    return send("entries/import/", "keep", file=file, **{"into": "enter", **fields})


def waiting(send: Send, text: str) -> tuple[ListImport, str]:
    """A list that was sent, and its page's address below the championship."""
    answer = sent(send, text)
    assert answer.status_code == 302, said(answer)
    found = ListImport.objects.latest("pk")
    assert answer.headers["Location"] == f"{HOME}entries/import/{found.pk}/"
    return found, f"entries/import/{found.pk}/"


def digest(found: ListImport) -> str:
    """What the page of a list carries along."""
    return look_over(championship=found.championship, found=found).digest


def test_a_file_is_looked_over_then_accepted(hall: Hall, owner: Client, send: Send) -> None:
    _found, address = waiting(send, "Nom;Club\nZoé Rouvre;Été 36\nAna Bois;\n;X\n")
    page = owner.get(HOME + address)
    text = said(page)
    assert "Liste été.csv" in text
    for words in ("2 new", "1 wrong", "Line 4", "A name is missing.", "Zoé Rouvre", "Enter 2"):
        assert words in text, words
    assert not Player.objects.filter(name="Zoé Rouvre").exists()
    answer = send(address, "accept", seen=page.context["preview"].digest)
    assert answer.status_code == 302
    done = said(owner.get(HOME + address))
    assert "2 entries are made." in done
    assert "A name is missing." in done
    names = Entry.objects.filter(championship=hall.championship, number__gt=4).order_by("number")
    assert [entry.team.name for entry in names] == ["Zoé Rouvre", "Ana Bois"]


def test_a_name_that_is_nearly_known_is_settled_on_the_page(hall: Hall, owner: Client, send: Send) -> None:
    known = PlayerFactory(name="Zoé Rouvre")
    found, address = waiting(send, "name\nRouvre Zoe\nAna Bois\n")
    text = said(owner.get(HOME + address))
    assert "Who is “Rouvre Zoe”?" in text
    assert "This is Zoé Rouvre" in text
    answer = send(address, "accept", seen=digest(found))
    assert answer.status_code == 409
    assert "Say first who is who" in said(answer)
    assert send(address, "accept", seen=digest(found), **{"who-2.1": str(known.pk)}).status_code == 302
    assert Entry.objects.filter(championship=hall.championship, team__players=known).exists()


def test_answers_are_kept_until_the_list_is_accepted(hall: Hall, owner: Client, send: Send) -> None:
    PlayerFactory(name="Zoé Rouvre")
    _found, address = waiting(send, "name\nRouvre Zoe\n")
    assert send(address, "settle", **{"who-2.1": "new"}).status_code == 302
    page = owner.get(HOME + address)
    assert page.context["preview"].counts["ask"] == 0
    assert 'name="who-2.1" value="new" checked' in page.content.decode()


def test_when_what_is_known_has_changed_the_page_shows_it_and_says_so(hall: Hall, send: Send) -> None:
    found, address = waiting(send, "name\nZoé Rouvre\n")
    looked_at = digest(found)
    PlayerFactory(name="Zoe Rouvre")
    answer = send(address, "accept", seen=looked_at)
    assert answer.status_code == 409
    assert "has changed since this page was shown" in said(answer)
    assert "Who is “Zoé Rouvre”?" in said(answer)
    assert Entry.objects.filter(championship=hall.championship).count() == 4


def test_the_same_file_again_says_that_everything_is_known(hall: Hall, owner: Client, send: Send) -> None:
    text = "name\nZoé Rouvre\nAna Bois\n"
    found, address = waiting(send, text)
    send(address, "accept", seen=digest(found))
    _again, address = waiting(send, text)
    page = said(owner.get(HOME + address))
    assert "Everything on this list is known already" in page
    assert 'value="accept"' not in page


def test_what_is_no_list_is_said_at_the_file(hall: Hall, send: Send) -> None:
    answer = sent(send, "no titles;here\nAna;X\n")
    assert answer.status_code == 422
    assert "must name the columns" in str(answer.context["form"].errors["file"])
    assert send("entries/import/", "keep", into="enter").status_code == 422
    assert not ListImport.objects.exists()


def test_a_file_that_is_too_large_is_refused_at_the_door(hall: Hall, send: Send) -> None:
    assert sent(send, "name\n" + "A" * (1024 * 1024 + 70_000)).status_code == 413


def test_thrown_away_it_is_gone(hall: Hall, owner: Client, send: Send) -> None:
    _found, address = waiting(send, "name\nZoé Rouvre\n")
    assert send(address, "discard").headers["Location"] == HOME + "entries/import/"
    assert owner.get(HOME + address).status_code == 404


def test_sent_after_it_was_accepted_the_page_shows_what_became_of_it(hall: Hall, owner: Client, send: Send) -> None:
    found, address = waiting(send, "name\nZoé Rouvre\n")
    send(address, "accept", seen=digest(found))
    assert send(address, "accept", seen="x").status_code == 302
    assert Entry.objects.filter(championship=hall.championship).count() == 5


def test_a_list_of_another_championship_is_not_there(hall: Hall, send: Send) -> None:
    found, _address = waiting(send, "name\nZoé Rouvre\n")
    ChampionshipFactory(slug="third", owner=hall.owner)
    assert hall.client(hall.owner).get(f"/en/organise/third/entries/import/{found.pk}/").status_code == 404


def test_a_long_list_comes_in_pages_that_cost_the_same(hall: Hall, owner: Client, send: Send) -> None:
    def cost(lines: int) -> int:
        _found, address = waiting(send, "name\n" + "\n".join(f"Somebody {n}" for n in range(lines)))
        owner.get(HOME + address)
        with CaptureQueriesContext(connection) as queries:
            page = owner.get(HOME + address)
        assert len(page.context["rows"]) == min(lines, 50)
        return len(queries)

    assert cost(3) == cost(300)
    assert owner_of(hall.championship).user == hall.owner
