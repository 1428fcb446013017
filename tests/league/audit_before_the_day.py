"""What services do before the first round and at the door, for the test that each of them is written down."""

from collections.abc import Callable
from typing import Any

from league.models import Championship, ListImport, Registration
from league.selectors.dump import dump
from league.selectors.imports import look_over
from league.services import check_in, dump_import, imports, places, registrations
from tests.league.registering import opened, registered, sent

Do = Callable[..., Any]
Tried = Callable[[Any], Any]

LIST = b"Nom;Courriel\nAne Nouvelle;ane@example.org\nBo Nouveau;\n"


def _opened(hall: Any, **settings: Any) -> Championship:
    return opened(owner=hall.actor.user, **settings)


def _applied(hall: Any) -> Registration:
    return registered(_opened(hall), "Ane Nouvelle", email="ane@example.org")


def _registers(hall: Any) -> Any:
    return hall.do(
        registrations.register,
        championship_id=_opened(hall).pk,
        key="a form",
        players=[registrations.Applicant("Ane Nouvelle", email="ane@example.org")],
        link=str,
    )


def _cancels(hall: Any) -> Any:
    _registration, token = sent(_opened(hall), "Ane Nouvelle")
    return hall.do(registrations.cancel_registration, token=token)


def _on_registration(service: Do, **how: Any) -> Tried:
    return lambda hall: hall.do(service, registration_id=_applied(hall).pk, version=None, **how)


def _accepts_clear(hall: Any) -> Any:
    return hall.do(registrations.accept_clear, championship_id=_applied(hall).championship_id)


def _more_places(hall: Any) -> Any:
    settings = {"max_entries": 20}
    championship = _opened(hall)
    return hall.do(registrations.change_registration, championship_id=championship.pk, version=None, settings=settings)


def _moves_up(hall: Any) -> Any:
    championship = _opened(hall, max_entries=1)
    for name in ("Ane Nouvelle", "Bo Nouveau"):
        registered(championship, name)
    championship.max_entries = 2
    championship.save(update_fields=["max_entries"])
    return hall.do(places.move_up, championship=championship)


def _kept(hall: Any) -> ListImport:
    found: ListImport = hall.on_championship(imports.keep_list, file_name="list.csv", body=LIST)
    return found


def _accepted(hall: Any) -> Any:
    found = _kept(hall)
    preview = look_over(championship=found.championship, found=found)
    return hall.do(imports.accept_list, import_id=found.pk, seen=preview.digest)


def _there(hall: Any) -> Any:
    return hall.do(check_in.check_in, entry_id=hall.spare.pk)


def _gone(hall: Any) -> Any:
    return hall.do(check_in.check_out, entry_id=_there(hall).pk)


def _imported(hall: Any) -> Any:
    whole = b"".join(dump(championship_id=hall.championship.pk))
    return hall.do(dump_import.import_championship, dump=[whole], slug="copy")


DONE: dict[str, Tried] = {
    "accept_clear": _accepts_clear,
    "accept_list": _accepted,
    "accept_registration": _on_registration(registrations.accept_registration, answers={}),
    "cancel_registration": _cancels,
    "change_registration": _more_places,
    "check_in": _there,
    "check_in_all": lambda hall: hall.do(check_in.check_in_all, championship_id=hall.championship.pk),
    "check_out": _gone,
    "decline_registration": _on_registration(registrations.decline_registration, reason="R"),
    "discard_list": lambda hall: hall.do(imports.discard_list, import_id=_kept(hall).pk),
    "import_championship": _imported,
    "keep_list": _kept,
    "move_up": _moves_up,
    "register": _registers,
    "settle_list": lambda hall: hall.do(imports.settle_list, import_id=_kept(hall).pk, answers={"2.1": "new"}),
}
MADE_ANEW = {
    "accept_clear": "accept_registration",
    "change_registration": "change_championship",
    "check_in_all": "check_in",
}
