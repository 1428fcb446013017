"""Making and changing championships in pages."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from engine.rulebooks import RULEBOOKS
from league.models import AuditEntry, Championship, Club, ResultEvent, What
from league.selectors.ranking import live_ranking
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]


def form_of(page: Any) -> Any:
    """The form that a page shows."""
    return page.context["form"]


def filled(page: Any) -> dict[str, Any]:
    """All that a browser would send of a page's form as it stands."""
    form = form_of(page)
    sent = {}
    for field in form:
        value = field.value()
        if value is True:
            sent[field.html_name] = "on"
        elif value not in (None, False):
            sent[field.html_name] = value
    return sent


class TestANewChampionship:
    pytestmark = pytest.mark.django_db

    def make(self, client: Client, rulebook: str, **changes: Any) -> Any:
        address = f"/en/organise/new/?rulebook={rulebook}"
        return client.post(address, {"do": "create", **filled(client.get(address)), **changes})

    @pytest.mark.parametrize("rulebook", RULEBOOKS)
    def test_needs_a_name_a_rulebook_and_a_table(self, hall: Hall, rulebook: str) -> None:
        for shape in RULEBOOKS[rulebook].tables:
            name = f"{rulebook} {shape.teams} {shape.players}"
            answer = self.make(hall.client(hall.stranger), rulebook, name=name, table=f"{shape.teams}x{shape.players}")
            assert answer.status_code == 302, said(answer)
            made = Championship.objects.get(name=name)
            assert (made.table_entries, made.players_per_team) == (shape.teams, shape.players)
            assert made.decided_by == ("points" if RULEBOOKS[rulebook].has_points else "manches")

    def test_keeps_only_house_rules_that_differ(self, hall: Hall) -> None:
        house = {"house-botte": "150", "house-victoire": "400", "house-vp_starts": "true", "house-blocked_end": "true"}
        self.make(hall.client(hall.stranger), "classique", name="House", **house)
        assert Championship.objects.get(name="House").house == {"botte": 150, "blocked_end": True}

    def test_takes_ranking_keys_of_ones_own(self, hall: Hall) -> None:
        keys = {"keys_as": "own", "primary": "manches_won", "tie-1": "draw", "tie-2": "km", "scale": "5 2,5"}
        answer = self.make(hall.client(hall.stranger), "classique", name="Keys", **keys)
        assert answer.status_code == 302, said(answer)
        made = Championship.objects.get(name="Keys")
        assert (made.primary, made.tie_breaks, made.scale) == ("manches_won", ["draw", "km"], [5, 2.5])

    def test_refuses_keys_that_do_not_go_together_at_their_field(self, hall: Hall) -> None:
        keys = {"keys_as": "own", "primary": "manches_won", "tie-1": "manches_won"}
        answer = self.make(hall.client(hall.stranger), "classique", name="Keys", **keys)
        assert answer.status_code == 422
        assert "tie-1" in form_of(answer).errors
        assert not Championship.objects.filter(name="Keys").exists()

    def test_says_all_faults_at_once_and_keeps_what_was_typed(self, hall: Hall) -> None:
        wrong = {"name": "", "time_zone": "Europe/Atlantis", "partie_end_value": "0", "house-botte": "7000"}
        answer = self.make(hall.client(hall.stranger), "classique", **wrong)
        assert {"name", "house-botte"} <= set(form_of(answer).errors)
        assert 'value="Europe/Atlantis"' in answer.content.decode()
        answer = self.make(hall.client(hall.stranger), "classique", **{**wrong, "name": "X", "house-botte": ""})
        assert set(form_of(answer).errors) == {"time_zone", "partie_end_value"}

    def test_a_taken_address_is_said_at_its_field(self, hall: Hall) -> None:
        answer = self.make(hall.client(hall.stranger), "classique", name="Coupe")
        assert answer.status_code == 409
        assert "slug" in form_of(answer).errors

    def test_sent_twice_is_made_once(self, hall: Hall) -> None:
        client = hall.client(hall.stranger)
        page = client.get("/en/organise/new/?rulebook=moderne")
        sent = {"do": "create", **filled(page), "name": "Twice", "club": "New Club"}
        answers = [client.post("/en/organise/new/?rulebook=moderne", sent) for _ in range(2)]
        assert answers[0].headers["Location"] == answers[1].headers["Location"] == "/en/organise/twice/"
        assert Championship.objects.filter(name="Twice").count() == Club.objects.filter(name="New Club").count() == 1

    def test_a_club_is_found_by_its_name_accents_aside(self, hall: Hall) -> None:
        for name, club in (("One", "Club de l'Été"), ("Two", "club de l'ete")):
            self.make(hall.client(hall.stranger), "classique", name=name, club=club)
        clubs = Championship.objects.filter(name__in=["One", "Two"]).values_list("club", flat=True)
        assert len(set(clubs)) == 1

    def test_an_unknown_rulebook_leads_back_to_the_choice(self, hall: Hall) -> None:
        page = hall.client(hall.stranger).get("/en/organise/new/?rulebook=nonsense")
        assert [one.id for one, _title, _summary in page.context["rulebooks"]] == list(RULEBOOKS)


class TestSettings:
    def test_are_changed(self, hall: Hall, owner: Client) -> None:
        page = owner.get(HOME + "settings/")
        owner.post(HOME + "settings/", {"do": "change", **filled(page), "name": "Coupe d'hiver", "club": "Club 9"})
        hall.championship.refresh_from_db()
        assert (hall.championship.name, hall.championship.club.name) == ("Coupe d'hiver", "Club 9")

    def test_of_the_game_stay_once_results_are_in(self, hall: Hall, owner: Client) -> None:
        page = owner.get(HOME + "settings/")
        answer = owner.post(HOME + "settings/", {"do": "change", **filled(page), "partie_end_value": 5})
        assert answer.status_code == 409
        assert "partie_end_value" in form_of(answer).errors

    def test_two_at_once_the_second_is_shown_what_stands_and_keeps_what_it_typed(
        self, hall: Hall, owner: Client
    ) -> None:
        seen = filled(owner.get(HOME + "settings/"))
        owner.post(HOME + "settings/", {"do": "change", **seen, "name": "First"})
        answer = owner.post(HOME + "settings/", {"do": "change", **seen, "name": "Second", "key": "another"})
        assert answer.status_code == 412
        assert ("Name", "First") in answer.context["now"]
        assert 'value="Second"' in answer.content.decode()
        again = {"do": "change", **filled(answer), "key": "third"}
        assert owner.post(HOME + "settings/", again).status_code == 302, "sent again it is meant"
        hall.championship.refresh_from_db()
        assert hall.championship.name == "Second"

    def test_another_rulebook_brings_its_own_table_and_usual_values(self, hall: Hall) -> None:
        stranger = hall.client(hall.stranger)
        address = "/en/organise/other/settings/?rulebook=fournier"
        answer = stranger.post(address, {"do": "change", **filled(stranger.get(address))})
        assert answer.status_code == 302
        assert Championship.objects.get(slug="other").rulebook == "fournier"

    def test_a_draft_is_shown_to_everybody_by_one_button(self, hall: Hall) -> None:
        stranger = hall.client(hall.stranger)
        page = stranger.get("/en/organise/other/")
        form = page.context["deeds"]["open"]
        stranger.post(
            "/en/organise/other/", {"do": "open", "key": form["key"].value(), "version": form["version"].value()}
        )
        assert Client().get("/en/championships/other/").status_code == 200


class TestKeys:
    def test_are_changed_with_a_reason_that_the_journal_keeps(self, hall: Hall, owner: Client) -> None:
        page = owner.get(HOME + "settings/keys/")
        owner.post(
            HOME + "settings/keys/",
            {"do": "change", **filled(page), "primary": "manches_won", "tie-2": "km", "reason": "Asked by the clubs"},
        )
        hall.championship.refresh_from_db()
        assert hall.championship.primary == "manches_won"
        assert ResultEvent.objects.get(what=What.KEYS_CHANGED).reason == "Asked by the clubs"
        assert "Asked by the clubs" in said(owner.get(HOME + "settings/keys/"))
        assert "match points → manches won" in said(owner.get(HOME + "settings/keys/"))

    def test_without_a_reason_nothing_changes(self, hall: Hall, owner: Client) -> None:
        page = owner.get(HOME + "settings/keys/")
        answer = owner.post(HOME + "settings/keys/", {"do": "change", **filled(page), "primary": "manches_won"})
        assert answer.status_code == 422
        assert "reason" in form_of(answer).errors

    def test_a_key_that_needs_a_number_says_so_at_it(self, hall: Hall, owner: Client) -> None:
        page = owner.get(HOME + "settings/keys/")
        answer = owner.post(
            HOME + "settings/keys/", {"do": "change", **filled(page), "primary": "best_n", "reason": "Because"}
        )
        assert answer.status_code == 422
        assert "best_n" in form_of(answer).errors

    def test_only_keys_that_are_offered_can_be_chosen(self, hall: Hall, owner: Client) -> None:
        form = form_of(owner.get(HOME + "settings/keys/"))
        assert "mean_km_difference" not in dict(form.fields["tie-1"].choices)
        assert "mean_difference" in dict(form.fields["tie-1"].choices)


class TestTheEnd:
    def test_waits_for_open_parties(self, hall: Hall, send: Send) -> None:
        answer = send("", "finish", version=hall.championship.version)
        assert answer.status_code == 409
        assert "still open" in said(answer)

    def test_shows_the_secret_and_can_be_taken_back(self, hall: Hall, send: Send, owner: Client) -> None:
        for partie in (hall.first, hall.second):
            owner_void = {"version": partie.version, "reason": "Nobody came"}
            partie.refresh_from_db()
            send(f"parties/{partie.number}/", "void", **{**owner_void, "version": partie.version})
        assert send("", "finish", version=hall.championship.version).status_code == 302
        assert hall.championship.secret in Client().get("/en/championships/coupe/terms/").content.decode()
        hall.championship.refresh_from_db()
        assert send("", "resume", version=hall.championship.version, reason="A mistake").status_code == 302
        assert AuditEntry.objects.get(action="resume_championship").reason == "A mistake"


class TestTheDashboard:
    def test_shows_what_waits(self, hall: Hall, owner: Client) -> None:
        page = said(owner.get("/en/organise/"))
        assert "the claim differs Partie 1, manche 2" in page
        assert "1 to settle" in page

    def test_tells_of_a_ranking_that_is_late(self, hall: Hall, owner: Client) -> None:
        assert "the ranking is late" not in said(owner.get("/en/organise/"))
        long_ago = hall.championship.created_at.replace(year=2001)
        Championship.objects.filter(pk=hall.championship.pk).update(ranking_due_since=long_ago)
        assert "the ranking is late" in said(owner.get("/en/organise/"))

    def test_offers_a_championship_to_whoever_has_none(self, hall: Hall) -> None:
        hall.stranger.memberships.all().delete()
        assert "You run no championship yet" in said(hall.client(hall.stranger).get("/en/organise/"))

    def test_speaks_of_nobody_elses(self, hall: Hall) -> None:
        assert "manche 2" not in said(hall.client(hall.stranger).get("/en/organise/"))


def test_the_ranking_is_renewed_with_the_new_keys(
    hall: Hall, owner: Client, django_capture_on_commit_callbacks: Any
) -> None:
    page = owner.get(HOME + "settings/keys/")
    with django_capture_on_commit_callbacks(execute=True):
        owner.post(
            HOME + "settings/keys/", {"do": "change", **filled(page), "primary": "manches_won", "reason": "Why not"}
        )
    assert live_ranking(championship=hall.championship).keys["primary"] == "manches_won"


def test_what_a_key_needs_to_be_the_primary_one_is_not_said_of_a_tie_break(hall: Hall, owner: Client) -> None:
    page = said(owner.get(HOME + "settings/keys/"))
    primaries, _, ties = page.partition("If level, one after the other")
    limit = "added up. Only where every partie has a fixed number of manches."
    assert primaries.count(limit) == 2
    assert "Points of all manches, added up." in ties
    assert limit not in ties
