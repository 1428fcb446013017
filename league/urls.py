"""The site's addresses. Each room brings its own list; this file only says where it hangs."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from league import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    # Here: api/v1/ from league.api.urls.
    *i18n_patterns(path("", include("league.web.urls"))),
]
