"""The addresses of the API, below /api/v1/. No address ends in a slash."""

from django.urls import URLPattern, path

from league.api import (
    championships,
    check,
    clubs,
    entries,
    hand_in,
    manches,
    openapi,
    parties,
    players,
    rankings,
    rulebooks,
    schema,
    teams,
)
from league.api.references import register

register()

_AT = "championships/<slug:slug>"
_MANCHE = f"{_AT}/parties/<partie:number>/manches/<manche:manche>"

urlpatterns: list[URLPattern] = [
    path("championships", championships.ChampionshipsView.as_view(), name="api-championships"),
    path(_AT, championships.ChampionshipView.as_view(), name="api-championship"),
    path(f"{_AT}/entries", entries.EntriesView.as_view(), name="api-entries"),
    path(f"{_AT}/entries/<entry:number>", entries.EntryView.as_view(), name="api-entry"),
    path(f"{_AT}/teams", teams.TeamsView.as_view(), name="api-teams"),
    path(f"{_AT}/teams/<team:team>", teams.TeamView.as_view(), name="api-team"),
    path(f"{_AT}/rounds", parties.RoundsView.as_view(), name="api-rounds"),
    path(f"{_AT}/parties", parties.PartiesView.as_view(), name="api-parties"),
    path(f"{_AT}/parties/<partie:number>", parties.PartieView.as_view(), name="api-partie"),
    path(_MANCHE, manches.MancheView.as_view(), name="api-manche"),
    path(f"{_MANCHE}/results", hand_in.ResultsView.as_view(), name="api-results"),
    path(f"{_MANCHE}/results/<int:version>", manches.ResultView.as_view(), name="api-result"),
    path(f"{_MANCHE}/results/<int:version>/document", manches.DocumentView.as_view(), name="api-document"),
    path(f"{_MANCHE}/results/<int:version>/steps", manches.StepsView.as_view(), name="api-steps"),
    path(f"{_AT}/ranking", rankings.RankingView.as_view(), name="api-ranking"),
    path(f"{_AT}/ranking/document", rankings.ClassementView.as_view(), name="api-classement"),
    path(f"{_AT}/rankings", rankings.PublishedRankingsView.as_view(), name="api-published-rankings"),
    path(f"{_AT}/rankings/<int:version>", rankings.PublishedRankingView.as_view(), name="api-published-ranking"),
    path(f"{_AT}/journal", rankings.JournalView.as_view(), name="api-journal"),
    path("clubs", clubs.ClubsView.as_view(), name="api-clubs"),
    path("players", players.PlayersView.as_view(), name="api-players"),
    path("players/<player:player>", players.PlayerView.as_view(), name="api-player"),
    path("check", check.CheckView.as_view(), name="api-check"),
    path("rulebooks", rulebooks.RulebooksView.as_view(), name="api-rulebooks"),
    path("rulebooks/<slug:rulebook>", rulebooks.RulebookView.as_view(), name="api-rulebook"),
    path("codes", rulebooks.CodesView.as_view(), name="api-codes"),
    path("schema", schema.SchemaView.as_view(), name="api-schema"),
    path("docs", openapi.page, name="api-docs"),
]
