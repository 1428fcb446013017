"""What an organiser prints: complete, clean, the same as PDF; and the projector that everybody may open."""

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Bye, Partie, Round, Visibility
from league.services.renewal import renew_live_ranking
from league.table_codes import table_address
from league.web.printed.pdf import own_file
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory
from tests.league.web_organiser.conftest import HOME, Hall

PRINT = HOME + "print/"
SCREEN = "/en/championships/coupe/projector/"
EVERY = ("tables", "names", "slips", "sheets", "standings", "badges")


@pytest.fixture
def drawn(hall: Hall) -> Hall:
    """Round 1 at table 7, with a bye."""
    Partie.objects.filter(pk=hall.first.pk).update(table_number=7)
    Bye.objects.create(championship=hall.championship, round=1, entry=hall.entries[2])
    return hall


def text(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def get(hall: Hall, what: str, **asked: Any) -> Any:
    return hall.client(hall.owner).get(f"{PRINT}{what}/", asked or None)


class TestPages:
    def test_the_tables_of_a_round_are_listed_in_the_order_of_seats_with_its_byes(self, drawn: Hall) -> None:
        said = text(get(drawn, "tables", round=1))
        first, second, third, _fourth = (entry.team.name for entry in drawn.entries)
        assert f"7 A 1 {first} B 2 {second}" in said
        assert f"bye 3 {third}" in said

    def test_everybody_is_found_by_name_in_alphabetical_order(self, drawn: Hall) -> None:
        drawn.entries[0].team.name, drawn.entries[0].team.name_folded = "Éloi", "eloi"
        drawn.entries[1].team.name, drawn.entries[1].team.name_folded = "Zoé", "zoe"
        for entry in drawn.entries[:2]:
            entry.team.save()
        said = text(get(drawn, "names", round=1))
        assert said.index("1 Éloi 7 A") < said.index("2 Zoé 7 B")
        assert "bye" in said

    def test_a_slip_has_the_code_of_its_table(self, drawn: Hall) -> None:
        page = get(drawn, "slips", round=1).content.decode()
        partie = Partie.objects.get(pk=drawn.first.pk)
        assert page.count('class="qr"') == 1
        assert "Table 7" in text(get(drawn, "slips", round=1))
        # what the code says is the table's address: the page draws what segno draws for it
        from league.web.printed.qr import qr_svg

        address = f"http://testserver{table_address(partie)}"
        assert str(qr_svg(address, title="Address of table 7")) in page

    def test_a_slip_has_a_line_for_each_manche_that_may_be_played(self, drawn: Hall) -> None:
        assert get(drawn, "slips", round=1).content.decode().count('<th scope="row" class="num">') == 3
        for end, value, lines in (("wins", 3, 5), ("points", 5000, 6), ("manches", 99, 10)):
            cup = ChampionshipFactory(owner=drawn.owner, partie_end=end, partie_end_value=value)
            PartieFactory(championship=cup)
            page = drawn.client(drawn.owner).get(f"/en/organise/{cup.slug}/print/slips/").content.decode()
            assert page.count('<th scope="row" class="num">') == lines

    def test_codes_that_lead_to_this_machine_alone_are_warned_of(self, drawn: Hall) -> None:
        client = drawn.client(drawn.owner)
        assert "only this machine can reach" in text(client.get(PRINT, headers={"host": "127.0.0.1:8000"}))
        assert "only this machine can reach" not in text(client.get(PRINT))

    def test_a_blank_sheet_has_the_lines_that_the_rulebook_pays(self, drawn: Hall) -> None:
        said = text(get(drawn, "sheets"))
        for line in ("cards of 200 km", "Coups fourrés", "Victory", "Without 200", "Total", "Signature"):
            assert line in said
        cup = ChampionshipFactory(
            slug="sans",
            owner=drawn.owner,
            rulebook="moderne",
            decided_by="manches",
            partie_end="wins",
            partie_end_value=2,
        )
        said = text(drawn.client(drawn.owner).get(f"/en/organise/{cup.slug}/print/sheets/"))
        assert "Without 200" not in said
        assert "km in all" in said

    def test_a_table_of_one_less_has_its_own_blank_sheet(self, drawn: Hall) -> None:
        cup = ChampionshipFactory(slug="trois", owner=drawn.owner, table_entries=3, allow_short_tables=True)
        page = drawn.client(drawn.owner).get(f"/en/organise/{cup.slug}/print/sheets/").content.decode()
        assert page.count('class="blank-sheet"') == 2

    def test_the_standings_are_whole(self, drawn: Hall) -> None:
        EntryFactory.create_batch(30, championship=drawn.championship)
        renew_live_ranking(championship_id=drawn.championship.pk)
        page = get(drawn, "standings").content.decode()
        assert page.count('<th scope="row">') == 34

    def test_badges_have_the_players_and_leave_out_who_has_withdrawn(self, drawn: Hall) -> None:
        page = get(drawn, "badges").content.decode()
        assert page.count('class="badge-card"') == 4
        drawn.entries[3].withdrawn_at = drawn.entries[3].team.championship.created_at
        drawn.entries[3].save()
        assert get(drawn, "badges").content.decode().count('class="badge-card"') == 3

    @pytest.mark.parametrize(("what", "asked"), [("tables", {"round": 9}), ("songs", {}), ("slips", {"round": 0})])
    def test_what_is_not_there_is_not_found(self, drawn: Hall, what: str, asked: dict[str, Any]) -> None:
        assert get(drawn, what, **asked).status_code == 404

    def test_the_overview_leads_to_each(self, drawn: Hall) -> None:
        page = drawn.client(drawn.owner).get(f"{PRINT}?round=1").content.decode()
        for what in EVERY:
            assert f'href="/en/organise/coupe/print/{what}/' in page

    @pytest.mark.parametrize("what", EVERY)
    def test_queries_do_not_grow_with_tables_and_entries(self, drawn: Hall, what: str) -> None:
        def count() -> int:
            get(drawn, what)
            with CaptureQueriesContext(connection) as queries:
                assert get(drawn, what).status_code == 200
            return len(queries)

        before = count()
        for number in range(8, 12):
            PartieFactory(championship=drawn.championship, round=2, table_number=number)
        renew_live_ranking(championship_id=drawn.championship.pk)
        assert count() == before


@pytest.mark.pdf
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("what", EVERY)
def test_every_page_is_a_pdf_too_and_loads_nothing_from_elsewhere(drawn: Hall, what: str) -> None:
    answer = get(drawn, what, pdf="")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF-")
    assert len(answer.content) > 3000, "the letters are in it"


@pytest.mark.pdf
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("url", ["file:///etc/passwd", "https://example.org/x.css", "https://page.invalid/static/../x"])
def test_a_pdf_is_made_of_our_own_files_only(url: str) -> None:
    with pytest.raises(Exception, match=r"own files|no such file|outside"):
        own_file(url)


class TestProjector:
    def test_it_turns_from_the_tables_of_the_last_round_to_the_standings(self, drawn: Hall) -> None:
        first = Client().get(SCREEN)
        assert "Round 2" in text(first)
        assert 'hx-get="?turn=1"' in first.content.decode()
        second = Client().get(SCREEN + "?turn=1")
        assert "Standings" in text(second)
        assert 'hx-get="?turn=0"' in second.content.decode()
        assert text(Client().get(SCREEN + "?turn=2")) == text(first)

    def test_it_stands_still_while_it_is_held(self, drawn: Hall) -> None:
        page = Client().get(SCREEN + "?turn=1&hold").content.decode()
        assert "hx-get" not in page
        assert "http-equiv" not in page
        assert "Let it turn" in page

    def test_many_tables_and_rows_take_several_turns_and_each_is_shown(self, drawn: Hall) -> None:
        for number in range(1, 15):
            PartieFactory(championship=drawn.championship, round=3, table_number=number)
        renew_live_ranking(championship_id=drawn.championship.pk)
        seen = "".join(text(Client().get(f"{SCREEN}?turn={turn}")) for turn in range(5))
        from league.models import Entry

        for name in Entry.objects.filter(championship=drawn.championship).values_list("team__name", flat=True):
            assert name in seen

    def test_a_draft_of_a_championship_is_nobodys_screen(self, drawn: Hall) -> None:
        drawn.championship.visibility = Visibility.DRAFT
        drawn.championship.save()
        assert Client().get(SCREEN).status_code == 404
        assert drawn.client(drawn.owner).get(SCREEN).status_code == 200

    def test_a_part_of_it_is_the_inside_alone(self, drawn: Hall) -> None:
        answer = Client().get(SCREEN, headers={"HX-Request": "true"})
        assert "<html" not in answer.content.decode()

    def test_it_shows_the_clock_of_the_round(self, drawn: Hall) -> None:
        assert "data-clock" not in Client().get(SCREEN).content.decode()
        Round.objects.create(
            championship=drawn.championship,
            number=2,
            status="published",
            published_at=timezone.now(),
            clock_minutes=50,
        )
        assert "50:00" in text(Client().get(SCREEN))
        assert "50:00" in text(Client().get(SCREEN + "?turn=1"))
