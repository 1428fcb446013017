"""Who the people are whose names are not shown, for those who run the championship: a hall must find everybody.

Doors show this on organisers' pages alone; nothing public, projected or posted reads it.
"""

from league.models import Championship, ShownAs, TeamMember
from league.shown_names import BETWEEN, LONGEST_TEAM_NAME


def real_names(*, championship: Championship) -> dict[int, str]:
    """By entry number the whole names of the players of an entry whose shown name leaves some out. One query.

    Who shows the whole name is not listed, nor who was made anonymous for good: nobody knows those any more.
    """
    rows = (
        TeamMember.objects.filter(team__championship=championship, team__entry__isnull=False)
        .exclude(player__shown_as=ShownAs.NAME)
        .filter(player__anonymised_at__isnull=True)
        .order_by("team__entry__number", "position")
    )
    found: dict[int, list[str]] = {}
    for number, name in rows.values_list("team__entry__number", "player__name"):
        found.setdefault(number, []).append(name)
    return {number: BETWEEN.join(names)[: 2 * LONGEST_TEAM_NAME] for number, names in found.items()}
