"""What came in for a manche, to take away and to follow move by move."""

import re

from django.test import Client

from tests.factories import play, sheet
from tests.league.web.conftest import Played
from tests.league.web.saying import text_of


class TestDocuments:
    def test_a_log_is_given_back_byte_for_byte(self, page: Client, played: Played) -> None:
        kept = played.partie.manches.get(number=1).current.document.body
        answer = page.get(played.at("parties/1/manches/1/versions/1/log.json"))
        assert answer.content == bytes(kept)
        assert answer["Content-Type"] == "application/json"
        assert answer["Content-Disposition"] == 'attachment; filename="coupe-des-tests-1-1-v1.json"'

    def test_and_in_its_other_writing(self, page: Client, played: Played) -> None:
        from engine.text_notation import read_text

        answer = page.get(played.at("parties/1/manches/1/versions/1/log.bornes"))
        assert read_text(answer.content) == played.log

    def test_a_sheet_of_an_old_version_too(self, page: Client, played: Played) -> None:
        old = page.get(played.at("parties/1/manches/2/versions/1/sheet.json")).json()
        new = page.get(played.at("parties/1/manches/2/versions/2/sheet.json")).json()
        assert (old["teams"]["A"]["km"], new["teams"]["A"]["km"]) == (1000, 250)


class TestReplay:
    def test_without_javascript_no_keys_are_promised(self, page: Client, played: Played) -> None:
        answer = page.get(played.at("parties/1/manches/1/moves/")).content.decode()
        assert re.search(r'<p class="[^"]*keys-hint" hidden>', answer), "replay.js shows it"

    def test_htmx_is_given_the_part_that_changes_and_the_news(self, page: Client, played: Played) -> None:
        answer = page.get(played.at("parties/1/manches/1/moves/?step=3"), headers={"hx-request": "true"})
        source = answer.content.decode()
        assert "<html" not in source
        assert 'id="live" hx-swap-oob="innerHTML"' in source
        assert "HX-Request" in answer["Vary"]

    def test_every_step_has_its_address_and_shows_hands_in_a_closed_log(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at("parties/1/manches/1/moves/?step=1"))
        assert "Move 1" in said
        assert "Hands" in said
        assert "Les Essieux" in said

    def test_a_step_after_the_last_is_the_last(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at("parties/1/manches/1/moves/?step=9999"))
        assert f"{len(played.log.moves)} / {len(played.log.moves)}" in said
        assert "The manche is over." in said

    def test_the_moves_of_a_version_that_was_replaced_stay(self, page: Client, played: Played) -> None:
        play(played.partie, 1, sheet({"A": 1000, "B": 0}), reason="Only a sheet", replaces=1)
        assert page.get(played.at("parties/1/manches/1/moves/")).status_code == 404
        source = page.get(played.at("parties/1/manches/1/moves/?version=1&step=2")).content.decode()
        assert "?version=1&amp;step=3" in source
