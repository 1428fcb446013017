"""The decisions that RULES marks with **D**: what was decided where a source is silent or unclear, for which rulebooks.

Every D of docs/rules/RULES.md stands here once, under the paragraph that it stands in; a test counts them.
"""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.rulebooks import RULEBOOKS

EVERY: Final = tuple(RULEBOOKS)


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, where RULES says it (`RULES 6.4`), for which rulebooks (ids), and what the sources say."""

    paragraph: str
    rulebooks: tuple[str, ...]
    decided: Promise | str
    sources: Promise | str


DECISIONS: Final = (
    Decision(
        "RULES 0",
        ("dujardin-2010",),
        _("Safeties, the coup fourré and the number of each card are taken from the rulebook Classique."),
        _("Source 004 breaks off before its pages on them."),
    ),
    Decision(
        "RULES 3",
        ("classique",),
        _("Three and four players, and teams of two, may play, not only two players."),
        _("Source 000 only says: in teams or each for oneself."),
    ),
    Decision(
        "RULES 4.2",
        EVERY,
        _("Any card may be discarded, also one that could be played."),
        _("Source 004 says so; the others speak of discarding when nothing else can be done, which no log can prove."),
    ),
    Decision(
        "RULES 4.4",
        EVERY,
        _("The second go after a safety must be taken."),
        _("Source 002 says that it may be; but a hand of six must be kept."),
    ),
    Decision(
        "RULES 4.4",
        ("moderne", "fournier", "dujardin-2010"),
        _("A safety exposed while the draw pile is empty gives a second go, without a draw."),
        _("Their sources do not say; only source 000 takes it away."),
    ),
    Decision(
        "RULES 4.4",
        ("classique",),
        _("Whoever draws the last card and exposes a safety on that same go has no second go."),
        _("Source 000 does not say when the draw pile must be empty."),
    ),
    Decision(
        "RULES 5",
        ("moderne",),
        _("A team rolls from the start: no green light is needed."),
        _("Source 001 never asks for one."),
    ),
    Decision(
        "RULES 5",
        ("moderne", "fournier", "dujardin-2010"),
        _("A team with the right of way is attacked on its last remedy, and on an empty pile where that rolls."),
        _("Only source 000 says so."),
    ),
    Decision(
        "RULES 5",
        EVERY,
        _("A green light that is not needed cannot be played, only discarded."),
        _("No source speaks of one."),
    ),
    Decision(
        "RULES 5",
        ("classique", "fournier", "dujardin-2010"),
        _(
            "A safety exposed on its own hazard stands in for the remedy: a green light must follow, unless the right "
            "of way is exposed."
        ),
        _("Source 000 excepts only the right of way itself; other guides read it as it is read here."),
    ),
    Decision(
        "RULES 5",
        EVERY,
        _("The right of way takes away both a red light and a speed limit."),
        _("Source 001 names only the battle pile."),
    ),
    Decision(
        "RULES 6.4",
        ("classique",),
        _("A coup fourré on an empty draw pile gives no go: play goes on with the seat after the attacker."),
        _("Source 000 takes the second go away and does not say who follows."),
    ),
    Decision(
        "RULES 6.4",
        ("moderne", "fournier", "dujardin-2010"),
        _("A coup fourré on an empty draw pile gives the turn to its player, without a draw."),
        _("Their sources do not say."),
    ),
    Decision(
        "RULES 7",
        ("moderne", "dujardin-2010"),
        _("A manche ends when the draw pile and every hand are empty."),
        _("Only sources 000 and 002 say so."),
    ),
    Decision(
        "RULES 7",
        EVERY,
        _("The referee may stop a manche at any moment."),
        _("No source speaks of tournaments."),
    ),
    Decision(
        "RULES 7",
        ("moderne", "dujardin-2010"),
        _("When nobody arrives and several teams have most kilometres, nobody wins."),
        _("Their sources do not speak of a tie."),
    ),
    Decision(
        "RULES 7",
        ("classique", "fournier"),
        _("Arriving on the very turn that drew the last card is a delayed action too."),
        _("Their sources only ask for an empty draw pile."),
    ),
    Decision(
        "RULES 8",
        ("fournier",),
        _("When whoever called the extension does not win, each of its opponents has the 200 points."),
        _("Source 002 does not say who has them at a table of three."),
    ),
    Decision(
        "RULES 8",
        ("classique", "fournier", "dujardin-2010"),
        _("A manche that the referee stopped pays kilometres, safeties and coups fourrés, nothing else."),
        _("No source speaks of it."),
    ),
    Decision(
        "RULES 8",
        ("classique", "fournier", "dujardin-2010"),
        _("A partie that is level at the top goes on."),
        _("No source speaks of it."),
    ),
    Decision(
        "RULES 8",
        ("moderne", "fournier", "dujardin-2010"),
        _("The next seat begins the next manche."),
        _("Only source 000 says who does."),
    ),
)
"""In the order of RULES."""


def decisions_of(rulebook: str) -> list[Decision]:
    """The decisions that concern a rulebook, in the order of RULES."""
    return [decision for decision in DECISIONS if rulebook in decision.rulebooks]
