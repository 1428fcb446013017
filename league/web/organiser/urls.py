"""Addresses of the organisers' pages, and of accounts."""

from django.urls import URLPattern, URLResolver, include, path

from league.web.organiser import (
    championships,
    check_in,
    disputes,
    draft,
    draw,
    entries,
    exports,
    free_tables,
    imports,
    journal,
    keys,
    logs,
    manches,
    my_tables,
    organisers,
    parties,
    players,
    publishing,
    rounds,
    sheets,
)

_manche: list[URLPattern | URLResolver] = [
    path("", manches.manche, name="organise-manche"),
    path("sheet/", sheets.sheet, name="organise-sheet"),
    path("sheet/score/", sheets.sheet_score, name="organise-sheet-score"),
    path("log/", logs.log, name="organise-log"),
]

_championship: list[URLPattern | URLResolver] = [
    path("", championships.championship, name="organise-championship"),
    path("settings/", championships.settings, name="organise-settings"),
    path("settings/keys/", keys.keys, name="organise-keys"),
    path("settings/organisers/", organisers.organisers, name="organise-organisers"),
    path("tables/", my_tables.my_tables, name="organise-tables"),
    path("entries/", entries.entries, name="organise-entries"),
    path("entries/export.<str:ending>", exports.entries_file, name="organise-export"),
    path("entries/import/", imports.imports, name="organise-import"),
    path("entries/import/<int:import_id>/", imports.import_list, name="organise-import-list"),
    path("entries/<int:number>/", entries.entry, name="organise-entry"),
    path("check-in/", check_in.check_in_page, name="organise-check-in"),
    path("players/", players.players, name="organise-players"),
    path("players/new/", players.new_player, name="organise-new-player"),
    path("players/<int:player_id>/", players.player, name="organise-player"),
    path("parties/", rounds.parties_page, name="organise-parties"),
    path("parties/round/", free_tables.whole_round, name="organise-round"),
    path("parties/draw/", draw.draw, name="organise-draw"),
    path("parties/draft/", draft.draft, name="organise-draft"),
    path("parties/go/", rounds.go_to_table, name="organise-go"),
    path("parties/<int:number>/", parties.partie, name="organise-partie"),
    path("parties/<int:number>/manches/<int:manche>/", include(_manche)),
    path("attempts/", logs.refused, name="organise-refused"),
    path("attempts/<int:attempt_id>/", logs.attempt, name="organise-attempt"),
    path("attempts/<int:attempt_id>/text", logs.attempt_text, name="organise-attempt-text"),
    path("disputes/", disputes.disputes_page, name="organise-disputes"),
    path("disputes/<int:dispute_id>/", disputes.dispute_page, name="organise-dispute"),
    path("ranking/", publishing.ranking, name="organise-ranking"),
    path("journal/", journal.journal, name="organise-journal"),
    path("journal/audit/", journal.audit, name="organise-audit"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("organise/", championships.dashboard, name="organise"),
    path("organise/new/", championships.new, name="organise-new"),
    path("organise/<slug:slug>/", include(_championship)),
    path("", include("league.web.accounts.urls")),
]
