"""What is worth a warning in a draft, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.selectors.drafts import Warned


def in_words(warned: Warned) -> str:
    """A warning as a sentence."""
    names = " – ".join(warned.names)
    if warned.code == "repeat":
        return ngettext(
            "%(names)s have met %(n)s time already.", "%(names)s have met %(n)s times already.", warned.times
        ) % {"names": names, "n": warned.times}
    if warned.code == "partners":
        return ngettext(
            "%(names)s have played together %(n)s time already.",
            "%(names)s have played together %(n)s times already.",
            warned.times,
        ) % {"names": names, "n": warned.times}
    if warned.code == "second-bye":
        return _("%(names)s had a bye already, while others had none.") % {"names": names}
    if warned.code == "extra-bye":
        return ngettext(
            "%(n)s entry more than needed has a bye.", "%(n)s entries more than needed have a bye.", warned.times
        ) % {"n": warned.times}
    sentences = {
        "clubmates": _("%(names)s are of one club."),
        "short-table": _("A table with one entry less, which this championship does not foresee."),
        "table-size": _("A table cannot seat so many: it cannot be published like this."),
        "twice": _("%(names)s stands in this round twice."),
        "absent": _("%(names)s announced not to play: postpone this table, or rule a forfeit."),
        "other-pool": _("%(names)s are of different pools: this partie would count in neither."),
        "withdrawn": _("Entry %(names)s has withdrawn: draw again, or take it out of the round."),
    }
    return sentences.get(warned.code, warned.code) % {"names": names}
