"""The public pages of a championship: what they say, and what they never say."""

import re

import pytest
from django.test import Client

from league.models import Championship, LiveRanking, LiveRow, Partie, Player, User
from league.services.championships import create_championship
from league.services.renewal import renew_live_ranking
from tests.crowd import crowd
from tests.factories import ChampionshipFactory, EntryFactory, PartieFactory, UserFactory, owner_of, play, sheet
from tests.league.web.conftest import Played
from tests.league.web.saying import text_of
from tests.reading import reads_number

PAGES = (
    "",
    "terms/",
    "journal/",
    "parties/",
    "parties/?round=1",
    "parties/1/",
    "parties/1/manches/1/",
    "parties/1/manches/1/moves/",
    "parties/1/manches/1/moves/?step=17",
    "parties/1/manches/2/",
    "parties/1/manches/2/?version=1",
    "parties/2/manches/1/",
    "parties/1/manches/1/versions/1/log.json",
    "parties/1/manches/1/versions/1/log.bornes",
    "parties/1/manches/2/versions/2/sheet.json",
    "entries/",
    "entries/1/",
    "published/",
    "published/2/",
    "published/2/moved/?from=1",
)


class TestWhatPagesSay:
    def test_the_ranking_says_why_each_stands_above_the_next(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at())
        assert "Provisional ranking" in said
        assert "(Europe/Paris)" in said
        assert re.search(r"Why (above|level with) Les", said)
        assert re.search(r"Match points: \d against \d", said)

    def test_the_digest_of_the_secret_stands_under_a_ranking_that_draws_lots_alone(
        self, page: Client, played: Played
    ) -> None:
        live = LiveRanking.objects.get(championship=played.championship)
        for tie_breaks, shown in ((["km", "draw"], True), (["km"], False)):
            LiveRanking.objects.filter(pk=live.pk).update(keys=live.keys | {"tie_breaks": tie_breaks})
            assert (played.championship.secret_sha256 in text_of(page, played.at())) is shown
        assert played.championship.secret_sha256 in text_of(page, played.at("terms/")), "keys may still be changed"

    def test_an_entry_says_its_rank_its_value_and_why_it_stands_between_the_two_beside_it(
        self, page: Client, played: Played
    ) -> None:
        rows = list(LiveRow.objects.filter(championship=played.championship).order_by("position"))
        first, second, third = (row.entry for row in rows)
        said = text_of(page, played.at(f"entries/{second.number}/"))
        assert f"Rank {rows[1].rank} Match points {rows[1].values['match_points']} " in said
        assert re.search(rf"Why (below|level with) {first.team.name} (Match points: \d against \d|Level in)", said)
        assert re.search(rf"Why (above|level with) {third.team.name} \w", said)
        assert (
            f'href="{played.at()}#entry-{second.number}"'
            in page.get(played.at(f"entries/{second.number}/")).content.decode()
        )
        assert "Why below" not in text_of(page, played.at(f"entries/{first.number}/"))
        assert "Why above" not in text_of(page, played.at(f"entries/{third.number}/"))

    def test_an_entry_that_no_ranking_counts_yet_has_no_rank(self, page: Client, played: Played) -> None:
        LiveRow.objects.filter(championship=played.championship).delete()
        said = text_of(page, played.at("entries/1/"))
        assert "Where it stands" not in said

    def test_only_who_helps_to_run_it_is_led_to_the_organisers_pages(self, page: Client, played: Played) -> None:
        way = f'href="/en/organise/{played.championship.slug}/"'
        assert way not in page.get(played.home).content.decode()
        page.force_login(UserFactory.create())
        assert way not in page.get(played.home).content.decode()
        page.force_login(played.championship.created_by)
        assert way in page.get(played.home).content.decode()

    def test_a_ranking_that_is_being_computed_says_so(self, page: Client, played: Played) -> None:
        Championship.objects.filter(pk=played.championship.pk).update(ranking_due_since="2026-01-01T00:00Z")
        assert "it is being computed anew" in text_of(page, played.at())

    def test_a_championship_without_entries_says_what_is_missing(self, page: Client, db: None) -> None:
        championship = ChampionshipFactory()
        assert "nothing to rank yet" in text_of(page, f"/en/championships/{championship.slug}/")

    def test_the_keys_stand_in_words_with_the_way_to_their_rule(self, page: Client, played: Played) -> None:
        answer = page.get(played.at("terms/")).content.decode()
        assert 'href="/en/standings/#key-direct_encounter"' in answer
        assert "Manches won of those played." in answer

    def test_the_secret_itself_stands_there_only_at_the_end(self, page: Client, played: Played) -> None:
        assert played.championship.secret not in page.get(played.at("terms/")).content.decode()
        Championship.objects.filter(pk=played.championship.pk).update(status="finished")
        assert played.championship.secret in page.get(played.at("terms/")).content.decode()

    def test_house_rules_stand_in_words(self, page: Client, db: None) -> None:
        championship = ChampionshipFactory(house={"sans_200": 200})
        said = text_of(page, f"/en/championships/{championship.slug}/terms/")
        assert "Points: without 200 : 200" in said

    def test_a_partie_shows_places_match_points_and_its_corrected_manche(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at("parties/1/"))
        assert "Les Essieux" in said
        assert "Les Moyeux" in said
        assert "corrected" in said
        assert "penalty −50" in said
        assert "every move" in said

    def test_a_manche_leads_from_each_line_to_its_rule(self, page: Client, played: Played) -> None:
        answer = page.get(played.at("parties/1/manches/2/")).content.decode()
        assert 'href="/en/rules/#line-km"' in answer
        assert 'href="/en/rules/#line-victoire"' in answer

    def test_a_correction_says_when_and_why_and_keeps_what_it_replaced(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at("parties/1/manches/2/"))
        assert "Reason of the correction: The sheet was <upside> down" in said
        assert "Version 1" in said
        before = text_of(page, played.at("parties/1/manches/2/?version=1"))
        assert "You are looking at version 1, which was replaced." in before
        assert "Les Essieux wins" in before

    def test_a_penalty_stands_apart_from_the_computed_lines(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at("parties/1/manches/1/"))
        assert "Penalty A: Came late to the table −50" in said

    def test_a_claim_that_differs_is_shown_with_what_was_announced(self, page: Client, played: Played) -> None:
        partie = PartieFactory(championship=played.championship)
        play(partie, 1, sheet(claim={"A": 1000, "B": 475}))
        said = text_of(page, played.at(f"parties/{partie.number}/manches/1/"))
        assert "A announced 1000 points, the score comes to 1400." in said
        assert "Forgotten, perhaps: Victory" in said
        assert "as soon as an organiser has settled the difference" in said

    def test_a_manche_without_a_result_says_that_it_is_awaited(self, page: Client, played: Played) -> None:
        assert "This manche is still to be played" in text_of(page, played.at("parties/2/manches/1/"))

    def test_rulebooks_without_points_show_kilometres(self, page: Client, db: None) -> None:
        championship = ChampionshipFactory(
            rulebook="moderne", decided_by="manches", partie_end="wins", partie_end_value=2
        )
        partie = PartieFactory(championship=championship)
        play(partie, 1, sheet(rulebook="moderne"))
        said = text_of(page, f"/en/championships/{championship.slug}/parties/1/manches/1/")
        assert "This rulebook has no points" in said
        assert "475" in said

    def test_a_version_says_what_moved_and_why(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at("published/2/"))
        assert "result corrected, partie 1, manche 2 : The sheet was <upside> down" in said
        assert "entries moved." in said
        moved = text_of(page, played.at("published/2/moved/?from=1"))
        assert "What moved from version 1 to version 2" in moved
        assert "Les Moyeux 2 1" in moved

    def test_a_published_version_stays_as_it_was(self, page: Client, played: Played) -> None:
        assert re.search(r"Les Essieux", text_of(page, played.at("published/1/")))

    def test_the_journal_tells_everything_that_happened(self, page: Client, played: Played) -> None:
        said = text_of(page, played.at("journal/"))
        for what in (
            "entry registered",
            "result confirmed",
            "result corrected",
            "penalty on a manche",
            "partie closed",
        ):
            assert what in said

    def test_an_entry_lists_its_parties_and_a_player_their_championships(self, page: Client, played: Played) -> None:
        assert "Partie 1" in text_of(page, played.at("entries/1/"))
        player = played.championship.entries.get(number=1).team.players.get()
        assert "Coupe des Tests" in text_of(page, f"/en/players/{player.pk}/")

    def test_times_are_those_of_the_championship(self, page: Client, played: Played) -> None:
        Championship.objects.filter(pk=played.championship.pk).update(time_zone="Pacific/Kiritimati")
        paris = text_of(page, played.at("journal/"))
        Championship.objects.filter(pk=played.championship.pk).update(time_zone="Pacific/Niue")
        assert paris != text_of(page, played.at("journal/"))

    def test_the_list_is_filtered_by_text_status_and_rulebook(self, page: Client, played: Played) -> None:
        ChampionshipFactory(name="Autre Coupe", rulebook="fournier")
        assert "Coupe des Tests" in text_of(page, "/en/championships/")
        for query in ("q=autre", "rulebook=fournier", "status=finished"):
            assert "Coupe des Tests" not in text_of(page, f"/en/championships/?{query}")
        assert "Coupe des Tests" in text_of(page, "/en/championships/?q=tests&status=running&rulebook=classique")
        assert "No championship is like this." in text_of(page, "/en/championships/?q=nothing")


class TestLists:
    @pytest.fixture
    def home(self, db: None) -> str:
        championship = crowd(entries=23, results=40)
        renew_live_ranking(championship_id=championship.pk)
        return f"/en/championships/{championship.slug}/"

    def test_a_ranking_comes_in_pages_of_twenty(self, page: Client, home: str) -> None:
        first, second = (page.get(f"{home}?page={number}").content.decode() for number in (1, 2))
        assert first.count('id="entry-') == 20
        assert second.count('id="entry-') == 3
        assert 'href="?page=2"' in first
        assert 'href="?page=1"' in second
        assert "Page 2 of 2" in second

    def test_the_last_row_of_a_page_still_says_why(self, page: Client, home: str) -> None:
        assert re.search(r"Why (above|level with) the next", text_of(page, home))

    def test_parties_keep_their_round_from_page_to_page(self, page: Client, db: None) -> None:
        championship = crowd(entries=10, results=50)
        Partie.objects.update(round=3)
        source = page.get(f"/en/championships/{championship.slug}/parties/?round=3").content.decode()
        assert 'href="?round=3&amp;page=2"' in source

    def test_a_page_after_the_last_one_is_empty(self, page: Client, home: str) -> None:
        assert page.get(f"{home}?page=9").status_code == 200


class TestPrivacy:
    def test_no_page_holds_an_email_address_or_an_account(self, page: Client, played: Played) -> None:
        private = [*Player.objects.values_list("email", flat=True), *User.objects.values_list("email", flat=True)]
        private += User.objects.values_list("display_name", flat=True)
        assert "" not in private
        player = Player.objects.earliest("pk")
        for address in (*map(played.at, PAGES), "/en/", "/en/championships/", f"/en/players/{player.pk}/"):
            answer = page.get(address)
            assert answer.status_code == 200, address
            for secret in (*private, played.championship.secret):
                assert secret not in answer.content.decode(), address

    @pytest.fixture
    def draft(self, played: Played) -> Played:
        Championship.objects.filter(pk=played.championship.pk).update(visibility="draft")
        return played

    @pytest.mark.parametrize("address", PAGES)
    def test_a_draft_is_not_there(self, page: Client, draft: Played, address: str) -> None:
        assert page.get(draft.at(address)).status_code == 404

    def test_a_draft_stands_in_no_list_and_on_no_player_page(self, page: Client, draft: Played) -> None:
        player = draft.championship.entries.get(number=1).team.players.get()
        assert page.get(f"/en/players/{player.pk}/").status_code == 404
        for address in ("/en/", "/en/championships/", "/en/championships/?q=tests"):
            assert "Coupe des Tests" not in page.get(address).content.decode()

    def test_its_owner_sees_a_draft(self, page: Client, draft: Played) -> None:
        page.force_login(draft.championship.created_by, backend="django.contrib.auth.backends.ModelBackend")
        assert "draft: only its organisers see it" in text_of(page, draft.at())

    def test_somebody_else_who_is_signed_in_does_not(self, page: Client, draft: Played) -> None:
        page.force_login(UserFactory(), backend="django.contrib.auth.backends.ModelBackend")
        assert page.get(draft.at()).status_code == 404

    def test_an_unlisted_one_is_found_by_its_address_only(self, page: Client, played: Played) -> None:
        Championship.objects.filter(pk=played.championship.pk).update(visibility="unlisted")
        answer = page.get(played.at())
        assert answer.status_code == 200
        assert '<meta name="robots" content="noindex">' in answer.content.decode()
        assert "Coupe des Tests" not in page.get("/en/championships/").content.decode()

    def test_a_refused_attempt_stands_nowhere(self, page: Client, played: Played) -> None:
        partie = PartieFactory(championship=played.championship)
        answer = play(partie, 1, sheet({"A": 1000, "B": 9999}, tags={"x": "ATTEMPTED"}))
        assert answer.refused
        for address in ("journal/", f"parties/{partie.number}/", f"parties/{partie.number}/manches/1/"):
            assert not reads_number(page.get(played.at(address)).content.decode(), 9999)


class TestWhatIsNotThere:
    @pytest.mark.parametrize(
        "address",
        [
            "parties/99/",
            "parties/?round=9",
            "parties/1/manches/9/",
            "parties/1/manches/2/?version=9",
            "parties/1/manches/2/moves/",
            "parties/2/manches/1/moves/",
            "parties/1/manches/1/versions/9/log.json",
            "parties/1/manches/1/versions/1/log.exe",
            "parties/1/manches/1/versions/1/sheet.json",
            "parties/1/manches/2/versions/1/sheet.bornes",
            "entries/99/",
            "published/9/",
            "published/2/moved/?from=9",
        ],
    )
    def test_an_address_below_a_championship(self, page: Client, played: Played, address: str) -> None:
        assert page.get(played.at(address)).status_code == 404

    @pytest.mark.django_db
    @pytest.mark.parametrize(
        "address",
        ["/en/championships/none/", "/en/players/99999/", "/en/rulebooks/none/", "/en/rulebooks/none.txt", "/en/x"],
    )
    def test_an_address(self, page: Client, address: str) -> None:
        answer = page.get(address)
        assert answer.status_code == 404
        assert "There is nothing here" in answer.content.decode()

    @pytest.mark.parametrize("number", ["0", "-1", "x", "99999999999999999999", "٣"])
    def test_a_page_number_that_is_none_shows_a_page(self, page: Client, played: Played, number: str) -> None:
        assert page.get(played.at(f"?page={number}")).status_code == 200
        assert page.get(played.at(f"parties/1/manches/1/moves/?step={number}")).status_code == 200


class TestEveryPage:
    @pytest.mark.parametrize("address", PAGES[:12])
    def test_it_comes_under_a_strict_policy_without_inline_script_or_style(
        self, page: Client, played: Played, address: str
    ) -> None:
        answer = page.get(played.at(address))
        policy = answer["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "style-src 'self'" in policy
        assert "unsafe" not in policy
        source = answer.content.decode()
        assert not re.search(r"\sstyle=|\son[a-z]+=|<style|javascript:", source)
        assert all(re.search(r"\ssrc=", script) for script in re.findall(r"<script[^>]*>", source))

    def test_it_has_its_like_in_the_other_language(self, page: Client, played: Played) -> None:
        source = page.get(played.at("parties/?round=1")).content.decode()
        assert 'href="/fr/championships/coupe-des-tests/parties/?round=1" hreflang="fr"' in source

    @pytest.mark.django_db
    def test_the_bare_address_leads_to_the_reader_s_language_french_first(self, page: Client) -> None:
        assert page.get("/")["Location"] == "/fr/"
        assert page.get("/", headers={"accept-language": "en"})["Location"] == "/en/"
        assert page.get("/", headers={"accept-language": "de"})["Location"] == "/fr/"

    def test_names_are_escaped(self, page: Client, db: None) -> None:
        owner = UserFactory()
        from league.policy import Actor

        championship = create_championship(
            actor=Actor(user=owner),
            name="<script>alert(1)</script>",
            slug="x",
            settings={"rulebook": "classique", "decided_by": "points", "partie_end": "referee", "visibility": "public"},
        )
        EntryFactory(championship=championship, name="<b>bold</b>")
        assert owner_of(championship).user == owner
        for address in ("", "entries/", "terms/"):
            source = page.get(f"/en/championships/x/{address}").content.decode()
            assert "<script>alert" not in source
            assert "<b>bold" not in source
