"""Every page's address, below its language: /fr/…, /en/…. Path words are English and the same in every language."""

from django.urls import URLPattern, URLResolver, include, path

from league.api.problem_page import problem_page
from league.web import (
    championship,
    check,
    circuits,
    home,
    manches,
    parties,
    published,
    rounds,
    rulebooks,
    rules,
    stages,
)
from league.web.docs import pages as docs
from league.web.organiser import circuits as own_circuits
from league.web.printed import projector
from league.web.registration import pages as registration

_partie: list[URLPattern | URLResolver] = [
    path("", parties.partie_page, name="partie"),
    path("manches/<int:manche>/", manches.manche_page, name="manche"),
    path("manches/<int:manche>/moves/", manches.moves_page, name="moves"),
    path("manches/<int:manche>/versions/<int:version>/<slug:kind>.<str:ending>", manches.document, name="document"),
]

_championship: list[URLPattern | URLResolver] = [
    path("", championship.ranking, name="championship"),
    path("terms/", championship.terms, name="championship-terms"),
    path("journal/", championship.journal_page, name="championship-journal"),
    path("parties/", parties.rounds_page, name="championship-parties"),
    path("clock/", rounds.clock, name="championship-clock"),
    path("parties/<int:number>/", include(_partie)),
    path("entries/", parties.entries_page, name="championship-entries"),
    path("entries/<int:number>/", parties.entry_page, name="entry"),
    path("projector/", projector.projector, name="projector"),
    path("register/", registration.register_page, name="register"),
    path("register/<str:token>/", registration.registration_page, name="registration"),
    path("published/", published.versions_page, name="championship-published"),
    path("published/<int:number>/", published.version, name="published-version"),
    path("published/<int:number>/moved/", published.difference_page, name="published-difference"),
    path("published/<int:number>/stages/<int:stage>/", stages.published_stage_page, name="published-stage"),
    path("ranking/stages/<int:stage>/", stages.stage_page, name="ranking-stage"),
]

_circuits: list[URLPattern | URLResolver] = [
    path("", circuits.circuit_list, name="circuits"),
    path("mine/", own_circuits.mine, name="organise-circuits"),
    path("<slug:slug>/", circuits.circuit_page, name="circuit"),
    path("<slug:slug>/manage/", own_circuits.manage, name="organise-circuit"),
    path("<slug:slug>/versions/<int:version>/", circuits.circuit_page, name="circuit-version"),
    path("<slug:slug>/versions/<int:version>/document.json", circuits.circuit_document, name="circuit-document"),
]

_docs: list[URLPattern | URLResolver] = [
    path("docs/", docs.text_page, {"name": "docs"}, name="docs"),
    path("docs/start/", docs.text_page, {"name": "docs-start"}, name="docs-start"),
    path("docs/api/", docs.text_page, {"name": "docs-api"}, name="docs-api"),
    path("docs/problems/", problem_page, name="docs-problems"),
    path("docs/webhooks/", docs.text_page, {"name": "docs-webhooks"}, name="docs-webhooks"),
    path("docs/mail/", docs.text_page, {"name": "docs-mail"}, name="docs-mail"),
    path("docs/dump/", docs.text_page, {"name": "docs-dump"}, name="docs-dump"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("about/", home.about, name="about"),
    path("championships/", home.championship_list, name="championships"),
    path("championships/<slug:slug>/", include(_championship)),
    path("circuits/", include(_circuits)),
    path("players/<int:player_id>/", parties.player_page, name="player"),
    path("check/", check.check_page, name="check"),
    path("rulebooks/", rulebooks.rulebook_list, name="rulebooks"),
    path("rulebooks/differences/", rulebooks.differences, name="rulebook-differences"),
    path("rulebooks/<slug:rulebook>/", rulebooks.rulebook_page, name="rulebook"),
    path("rulebooks/<slug:rulebook>/sheet/<int:teams>x<int:players>/", rulebooks.sheet, name="rulebook-sheet"),
    path("rulebooks/<slug:rulebook>.txt", rulebooks.rulebook_text, name="rulebook-text"),
    path("rules/", rules.text_page, {"name": "rules"}, name="rules"),
    path("standings/", rules.text_page, {"name": "standings"}, name="standings"),
    path("decisions/", rules.text_page, {"name": "decisions"}, name="decisions"),
    *_docs,
    path("", include("league.web.tables.urls")),
    path("", include("league.web.organiser.urls")),
]
