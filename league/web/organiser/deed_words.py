"""What services are called in the audit, in words."""

from typing import Final

from django.utils.translation import gettext_lazy

DEED_NAMES: Final = {
    "accept_invitation": gettext_lazy("invitation accepted"),
    "add_bye": gettext_lazy("bye given"),
    "add_team": gettext_lazy("team made"),
    "change_championship": gettext_lazy("championship changed"),
    "change_keys": gettext_lazy("ranking keys changed"),
    "change_role": gettext_lazy("role changed"),
    "close_partie": gettext_lazy("partie closed"),
    "confirm": gettext_lazy("result confirmed"),
    "correct": gettext_lazy("result corrected"),
    "create_championship": gettext_lazy("championship made"),
    "create_token": gettext_lazy("API token made"),
    "enter": gettext_lazy("entry registered"),
    "finish_championship": gettext_lazy("championship finished"),
    "hand_in": gettext_lazy("result handed in"),
    "hand_in_refused": gettext_lazy("document refused"),
    "invite": gettext_lazy("organiser invited"),
    "open_partie": gettext_lazy("partie opened"),
    "penalise": gettext_lazy("penalty on a manche"),
    "penalise_entry": gettext_lazy("penalty on the championship"),
    "publish": gettext_lazy("ranking published"),
    "reinstate": gettext_lazy("entry reinstated"),
    "reinstate_manche": gettext_lazy("manche reinstated"),
    "remove_bye": gettext_lazy("bye taken away"),
    "remove_organiser": gettext_lazy("organiser taken off"),
    "rename_team": gettext_lazy("team renamed"),
    "reopen_partie": gettext_lazy("partie reopened"),
    "resume_championship": gettext_lazy("championship resumed"),
    "revoke_token": gettext_lazy("API token revoked"),
    "rule_forfeit": gettext_lazy("forfeit ruled"),
    "settle_claim": gettext_lazy("claim settled"),
    "take_back_result": gettext_lazy("result moved to another table"),
    "void_manche": gettext_lazy("manche annulled"),
    "void_partie": gettext_lazy("partie annulled"),
    "withdraw": gettext_lazy("entry withdrawn"),
    "withdraw_invitation": gettext_lazy("invitation taken back"),
}
"""By the name that the audit keeps; a name that is not here is shown as it is."""
