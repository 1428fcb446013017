"""Every page's address, below its language: /fr/…, /en/…. Path words are English and the same in every language."""

from django.urls import URLPattern, URLResolver, path

from league.web import home

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    # Here: path("", include("league.web.organiser.urls")).
]
