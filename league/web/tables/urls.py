"""Addresses of a table's pages, below its secret code."""

from django.urls import URLPattern, URLResolver, include, path

from league.web.tables import log, page, sheet

_table: list[URLPattern | URLResolver] = [
    path("", page.table, name="table"),
    path("now/", page.now, name="table-now"),
    path("manches/<int:manche>/sheet/", sheet.sheet, name="table-sheet"),
    path("manches/<int:manche>/sheet/score/", sheet.sheet_score, name="table-sheet-score"),
    path("manches/<int:manche>/log/", log.log, name="table-log"),
]

urlpatterns: list[URLPattern | URLResolver] = [path("t/<str:code>/", include(_table))]
