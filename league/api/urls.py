"""The addresses of the API, below /api/v1/. No address ends in a slash."""

from django.urls import URLPattern, path

from league.api import (
    batches,
    championships,
    changes,
    check,
    clubs,
    entries,
    hand_in,
    manche_list,
    manches,
    openapi,
    partie_writes,
    parties,
    people_urls,
    players,
    publishing,
    rankings,
    result_urls,
    round_urls,
    rulebooks,
    schema,
    teams,
    webhook_urls,
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
    path(f"{_AT}/parties", partie_writes.PartiesView.as_view(), name="api-parties"),
    path(f"{_AT}/parties/<partie:number>", parties.PartieView.as_view(), name="api-partie"),
    path(f"{_AT}/manches", manche_list.ManchesView.as_view(), name="api-manches"),
    path(_MANCHE, manches.MancheView.as_view(), name="api-manche"),
    path(f"{_MANCHE}/results", hand_in.ResultsView.as_view(), name="api-results"),
    path(f"{_MANCHE}/results/<int:version>", manches.ResultView.as_view(), name="api-result"),
    path(f"{_MANCHE}/results/<int:version>/document", manches.DocumentView.as_view(), name="api-document"),
    path(f"{_MANCHE}/results/<int:version>/steps", manches.StepsView.as_view(), name="api-steps"),
    path(f"{_AT}/ranking", rankings.RankingView.as_view(), name="api-ranking"),
    path(f"{_AT}/ranking/document", rankings.ClassementView.as_view(), name="api-classement"),
    path(f"{_AT}/rankings", publishing.PublishedRankingsView.as_view(), name="api-published-rankings"),
    path(f"{_AT}/rankings/<int:version>", rankings.PublishedRankingView.as_view(), name="api-published-ranking"),
    path(f"{_AT}/journal", rankings.JournalView.as_view(), name="api-journal"),
    *round_urls.paths(),
    *webhook_urls.paths(),
    path(f"{_AT}/batches", batches.BatchesView.as_view(), name="api-batches"),
    path("batches", batches.AccountBatchesView.as_view(), name="api-batches-of-account"),
    path("batches/<int:batch>", batches.BatchView.as_view(), name="api-batch"),
    path("batches/<int:batch>/items", batches.BatchItemsView.as_view(), name="api-batch-items"),
    path("batches/<int:batch>/answers", batches.BatchAnswersView.as_view(), name="api-batch-answers"),
    path("batches/<int:batch>/cancel", batches.BatchCancelView.as_view(), name="api-batch-cancel"),
    path(f"{_AT}/changes", changes.ChampionshipChangesView.as_view(), name="api-championship-changes"),
    path(
        f"{_AT}/changes/stream",
        changes.ChampionshipChangesStreamView.as_view(),
        name="api-championship-changes-stream",
    ),
    path("changes", changes.ChangesView.as_view(), name="api-changes"),
    path("changes/stream", changes.ChangesStreamView.as_view(), name="api-changes-stream"),
    *result_urls.paths(),
    *people_urls.paths(),
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
