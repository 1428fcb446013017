"""The one Django app of the project."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LeagueConfig(AppConfig):
    """Names the app; registers nothing."""

    name = "league"
    verbose_name = _("League")
    default_auto_field = "django.db.models.BigAutoField"
