"""The addresses of the API, below /api/v1/. No address ends in a slash."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
