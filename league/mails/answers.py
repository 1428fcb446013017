"""What is answered to a mail: what became of its document, in words, and what to do next.

Nothing of the mail itself is repeated, but for what the verdict names of the document: who forges a sender makes us
write nothing but a verdict to them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from league.errors import UserFault
from league.services.hand_in_answers import HandIn
from league.wording import line_name, sentence

MOST_FAULTS = 40
MOST_PARTIES = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """A mail's answer. `code`: what became of it, `recorded` … or the code of the fault."""

    subject: str
    body: str
    code: str


def answer_of(handed: HandIn, championship: str) -> Answer:
    """What became of a document. `championship`: its name."""
    place = {"partie": handed.partie, "manche": handed.manche}
    where = _("Partie %(partie)s, manche %(manche)s") % place
    subject = {
        "recorded": _("Partie %(partie)s, manche %(manche)s: recorded"),
        "second": _("Partie %(partie)s, manche %(manche)s: second entry recorded"),
        "repeated": _("Partie %(partie)s, manche %(manche)s: was here already"),
        "refused": _("Partie %(partie)s, manche %(manche)s: refused"),
    }[handed.outcome]
    said = list(_refusal(handed.verdict) if handed.refused else _result(handed))
    return Answer(subject % place, _letter([f"{championship}\n{where}", *said]), handed.outcome)


def answer_of_fault(fault: UserFault, championship: str) -> Answer:
    """Why nothing was handed in, and what to do. `championship`: its name, empty if the sender may not know it."""
    said = [str(each.message) for each in fault.faults]
    present = fault.extra.get("present", {}).get("version")
    if fault.code in ("result-exists", "reason-required") and present is not None:
        said.append(
            _("To correct it, send the mail again with these two lines above the log or in the text of the mail:")
            + f"\n\n    {_('reason: why it was wrong')}\n    {_('replaces: %(version)s') % {'version': present}}"
        )
    said += _open_ones(fault.extra.get("awaited"))
    said.append(_("Nothing has been changed."))
    subject = _("Your mail with a result: not taken")
    return Answer(subject, _letter([*([championship] if championship else []), *said]), fault.code)


def _letter(paragraphs: list[str]) -> str:
    return "\n\n".join([*paragraphs, _("This answer was written by the program that keeps the results.")]) + "\n"


def _open_ones(awaited: Any) -> Iterator[str]:
    """The manches that can be meant."""
    if not awaited:
        return
    lines = [
        _("Partie %(partie)s manche %(manche)s") % {"partie": partie, "manche": manche}
        for partie, manche in awaited[:MOST_PARTIES]
    ]
    more = ["    …"] if len(awaited) > MOST_PARTIES else []
    yield "\n".join([_("These wait for a result:"), "", *(f"    {line}" for line in lines), *more])


# ---- a result --------------------------------------------------------------------------------------------------------


def _result(handed: HandIn) -> Iterator[str]:
    if handed.outcome == "repeated":
        yield _("This very document is the result that stands (version %(version)s).") % {"version": handed.version}
    elif handed.outcome == "second":
        yield _("Your entry is kept beside the first one.")
    else:
        yield _("The result is recorded (version %(version)s).") % {"version": handed.version}
    yield _state(handed.state)
    yield "\n".join(_score(handed.verdict))
    for difference in handed.verdict.get("claim_differences") or ():
        yield _paragraph(difference)
    if handed.next_manche is not None:
        yield _("Manche %(manche)s comes next.") % {"manche": handed.next_manche}
    elif handed.partie_status == "closed":
        yield _("The partie is over.")


def _state(state: str | None) -> str:
    if state == "confirmed":
        return _("It counts.")
    if state == "differs":
        return _("The announced score is another one: it does not count until that is settled.")
    if state == "contested":
        return _("It is contested: it does not count until a referee has decided.")
    return _("It does not count yet: it waits to be confirmed.")


def _score(verdict: Mapping[str, Any]) -> Iterator[str]:
    score, teams = verdict.get("score"), verdict["outcome"]["teams"]
    for label, team in teams.items():
        if not score:
            yield _("%(team)s: %(km)s km") % {"team": label, "km": team["km"]}
            continue
        lines = " + ".join(f"{line_name(code)} {points}" for code, points in score[label]["lines"].items() if points)
        total = _("%(team)s: %(points)s points") % {"team": label, "points": score[label]["total"]}
        yield f"{total} ({lines})" if lines else total


# ---- a refusal -------------------------------------------------------------------------------------------------------


def _refusal(verdict: Mapping[str, Any]) -> Iterator[str]:
    why = verdict.get("malformed") or verdict.get("why") or []
    yield _("The document is refused. It is kept as an attempt; the manche is as it was.")
    if isinstance(why, list):
        lines = [f"- {_paragraph(one)}" for one in why[:MOST_FAULTS]]
        yield "\n".join([*lines, *(["- …"] if len(why) > MOST_FAULTS else [])])
    else:
        yield _move(verdict, why) + _paragraph(why)
        if why.get("line") is not None:
            yield _("Lines are counted from the first line of the log.")
    yield _("Put it right and send it again.")


def _move(verdict: Mapping[str, Any], why: Mapping[str, Any]) -> str:
    at = verdict.get("at")
    if at is None:
        return ""
    if why.get("move") is None:
        return _("At the end of the log: ")
    # people count moves from 1, `at` counts from 0
    return _("Move %(number)s, “%(move)s”: ") % {"number": at + 1, "move": why["move"]}


def _paragraph(why: Mapping[str, Any]) -> str:
    return f"{sentence(why)} ({why['paragraph']})"
