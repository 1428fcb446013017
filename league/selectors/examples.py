"""What documentation shows of a site."""

from league.models import Championship, Visibility


def championship_to_show() -> str | None:
    """The slug of the newest public championship with a result at manche 1 of partie 1; None without one. One query."""
    played = Championship.objects.filter(
        visibility=Visibility.PUBLIC,
        parties__number=1,
        parties__manches__number=1,
        parties__manches__current_result__isnull=False,
    )
    return played.order_by("-created_at", "-pk").values_list("slug", flat=True).first()
