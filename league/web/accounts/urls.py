"""Addresses of the pages of accounts."""

from django.urls import path
from django.views.generic import TemplateView

from league.web.accounts import beginnings, claims, player, profile, sign_in, tokens

urlpatterns = [
    path("account/", profile.profile, name="profile"),
    path("account/first/", beginnings.first_account, name="first-account"),
    path("account/sign-in/", sign_in.sign_in, name="sign-in"),
    path("account/sign-out/", sign_in.sign_out, name="sign-out"),
    path("account/password/", profile.password, name="password"),
    path("account/forgotten/", sign_in.forgotten, name="forgotten"),
    path(
        "account/forgotten/sent/",
        TemplateView.as_view(template_name="accounts/forgotten_sent.html"),
        name="forgotten-sent",
    ),
    path("account/forgotten/<uidb64>/<token>/", sign_in.new_password, name="password_reset_confirm"),
    path("account/tokens/", tokens.tokens, name="tokens"),
    path("account/player/", player.my_player, name="my-player"),
    path("account/player/anonymise/", player.anonymise_me, name="anonymise-me"),
    path("claim/", claims.by_code, name="claim-code"),
    path("claim/<str:token>/", claims.by_link, name="claim-link"),
    path("players/<int:player_id>/claim/", claims.ask_for_link, name="claim-player"),
    path("invitation/<str:token>/", beginnings.invitation, name="invitation"),
]
