"""The addresses of what is handed in, ruled and published; `league.api.urls` has them among its own."""

from django.urls import URLPattern, path

from league.api import disputes, manche_deeds, own_manches, partie_deeds, partie_writes
from league.api.own_manches import register

_AT = "championships/<slug:slug>"
_PARTIE = f"{_AT}/parties/<partie:number>"
_MANCHE = f"{_PARTIE}/manches/<manche:manche>"
_OWN = f"{_AT}/manches/<own_manche:manche>"
_DISPUTE = f"{_AT}/disputes/<int:dispute>"


def paths() -> list[URLPattern]:
    """Made once the converters are: of things (league.api.references) and of manches alone."""
    register()
    return [
        path(f"{_PARTIE}/close", partie_deeds.CloseView.as_view(), name="api-partie-close"),
        path(f"{_PARTIE}/void", partie_deeds.VoidView.as_view(), name="api-partie-void"),
        path(f"{_PARTIE}/reopen", partie_deeds.ReopenView.as_view(), name="api-partie-reopen"),
        path(f"{_PARTIE}/forfeit", partie_deeds.ForfeitView.as_view(), name="api-partie-forfeit"),
        path(f"{_PARTIE}/who-plays", partie_writes.WhoPlaysView.as_view(), name="api-who-plays"),
        path(f"{_PARTIE}/link", partie_writes.LinkView.as_view(), name="api-table-link"),
        path(f"{_PARTIE}/link/renew", partie_writes.RenewLinkView.as_view(), name="api-table-link-renew"),
        path(f"{_PARTIE}/results", own_manches.PartieResultsView.as_view(), name="api-partie-results"),
        path(_OWN, own_manches.OwnMancheView.as_view(), name="api-own-manche"),
        path(f"{_OWN}/results", own_manches.OwnResultsView.as_view(), name="api-own-results"),
        path(f"{_MANCHE}/confirm", manche_deeds.ConfirmView.as_view(), name="api-manche-confirm"),
        path(f"{_MANCHE}/settle", manche_deeds.SettleView.as_view(), name="api-manche-settle"),
        path(f"{_MANCHE}/penalise", manche_deeds.PenaliseView.as_view(), name="api-manche-penalise"),
        path(f"{_MANCHE}/void", manche_deeds.VoidView.as_view(), name="api-manche-void"),
        path(f"{_MANCHE}/reinstate", manche_deeds.ReinstateView.as_view(), name="api-manche-reinstate"),
        path(f"{_MANCHE}/move", manche_deeds.MoveView.as_view(), name="api-manche-move"),
        path(f"{_MANCHE}/turn", manche_deeds.TurnView.as_view(), name="api-manche-turn"),
        path(f"{_AT}/waiting", disputes.WaitingView.as_view(), name="api-waiting"),
        path(f"{_AT}/waiting/accept", disputes.AcceptView.as_view(), name="api-waiting-accept"),
        path(f"{_AT}/disputes", disputes.DisputesView.as_view(), name="api-disputes"),
        path(_DISPUTE, disputes.DisputeView.as_view(), name="api-dispute"),
        path(f"{_DISPUTE}/messages", disputes.SayView.as_view(), name="api-dispute-say"),
        path(f"{_DISPUTE}/decide", disputes.DecideView.as_view(), name="api-dispute-decide"),
    ]
