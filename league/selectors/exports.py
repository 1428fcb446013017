"""The entries of a championship as a list: what an import reads.

Doors ask `policy.require(actor, Action.LOOK_INSIDE, championship)` first: real names and private addresses stand here.
"""

from django.db.models import Prefetch

from league.listed import Listed, ListedPlayer
from league.models import Championship, Entry, TeamMember


def listed_entries(*, championship: Championship) -> list[Listed]:
    """The entries by number, those that withdrew too; a team has a name here only where it has one of its own.

    Two queries.
    """
    members = TeamMember.objects.select_related("player__club").order_by("position")
    rows = (
        Entry.objects.filter(championship=championship)
        .select_related("team")
        .prefetch_related(Prefetch("team__members", members))
        .order_by("number")
    )
    return [_listed(entry) for entry in rows]


def _listed(entry: Entry) -> Listed:
    players = [
        ListedPlayer(
            line=entry.number + 1,
            name=player.name,
            club=player.club.name if player.club else "",
            licence=player.licence,
            email=player.email,
            minor=player.is_minor,
        )
        for player in (member.player for member in entry.team.members.all())
    ]
    return Listed(entry.team.name if entry.team.is_named else "", entry.number, players)
