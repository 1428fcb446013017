"""The site's addresses. Each room brings its own list; this file only says where it hangs."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from league import health
from league.api.problem_page import problem_page
from league.web.docs.pages import example
from league.web.sheet.worker import worker

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("league.api.urls")),
    path("sheet-worker.js", worker, name="sheet-worker"),
    path("docs/problems", problem_page, name="api-problems"),
    path("docs/examples/<str:name>", example, name="docs-example"),
    *i18n_patterns(path("", include("league.web.urls"))),
]

handler400 = "league.api.problems.bad_request"
handler403 = "league.api.problems.permission_denied"
handler404 = "league.api.problems.page_not_found"
handler500 = "league.api.problems.server_error"
