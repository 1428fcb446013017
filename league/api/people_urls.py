"""The addresses at which championships, clubs, players, teams and entries are written, and registrations looked at."""

from django.urls import URLPattern, path

from league.api import championships, clubs, entry_actions, player_actions, registrations, teams

_AT = "championships/<slug:slug>"
_ENTRY = f"{_AT}/entries/<entry:number>"
_TEAM = f"{_AT}/teams/<team:team>"
_REGISTRATIONS = f"{_AT}/registrations"
_REGISTRATION = f"{_REGISTRATIONS}/<int:number>"
_PLAYER = "players/<player:player>"


def paths() -> list[URLPattern]:
    """Those that stand beside the addresses of what they are about."""
    return [
        path(f"{_AT}/finish", championships.FinishView.as_view(), name="api-championship-finish"),
        path(f"{_AT}/resume", championships.ResumeView.as_view(), name="api-championship-resume"),
        path(f"{_ENTRY}/withdraw", entry_actions.WithdrawView.as_view(), name="api-entry-withdraw"),
        path(f"{_ENTRY}/reinstate", entry_actions.ReinstateView.as_view(), name="api-entry-reinstate"),
        path(f"{_ENTRY}/penalise", entry_actions.PenaliseView.as_view(), name="api-entry-penalise"),
        path(f"{_ENTRY}/check-in", entry_actions.CheckInView.as_view(), name="api-entry-check-in"),
        path(f"{_ENTRY}/check-out", entry_actions.CheckOutView.as_view(), name="api-entry-check-out"),
        path(f"{_AT}/check-in", entry_actions.CheckAllInView.as_view(), name="api-check-in"),
        path(_REGISTRATIONS, registrations.RegistrationsView.as_view(), name="api-registrations"),
        path(f"{_REGISTRATIONS}/accept", registrations.AcceptClearView.as_view(), name="api-registrations-accept"),
        path(_REGISTRATION, registrations.RegistrationView.as_view(), name="api-registration"),
        path(f"{_REGISTRATION}/accept", registrations.AcceptView.as_view(), name="api-registration-accept"),
        path(f"{_REGISTRATION}/decline", registrations.DeclineView.as_view(), name="api-registration-decline"),
        path(f"{_TEAM}/substitutes", teams.SubstitutesView.as_view(), name="api-substitutes"),
        path(f"{_TEAM}/substitutes/<int:substitute>", teams.SubstituteView.as_view(), name="api-substitute"),
        path("clubs/<club:club>", clubs.ClubView.as_view(), name="api-club"),
        path(f"{_PLAYER}/merge", player_actions.PlayerMergeView.as_view(), name="api-player-merge"),
        path(
            f"{_PLAYER}/merges/<int:merge>/undo",
            player_actions.PlayerUnmergeView.as_view(),
            name="api-player-unmerge",
        ),
        path(f"{_PLAYER}/numbers", player_actions.PlayerNumbersView.as_view(), name="api-player-numbers"),
        path(f"{_PLAYER}/numbers/<int:number>", player_actions.PlayerNumberView.as_view(), name="api-player-number"),
        path(f"{_PLAYER}/anonymise", player_actions.PlayerAnonymiseView.as_view(), name="api-player-anonymise"),
    ]
