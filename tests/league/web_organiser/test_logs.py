"""Handing in logs in pages; what was refused, said in words."""

import base64
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from engine.notation import to_document
from engine.simulate import simulate
from engine.text_notation import to_text
from league.models import Attempt, Result
from league.wording import sentence
from tests.factories import play
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

NEXT = HOME + "parties/2/manches/1/log/"
LOG = simulate("classique", 2, 1, "handed in")


def broken() -> dict[str, Any]:
    """The log with a first move that the rules refuse: an étape before any green light."""
    document = to_document(LOG)
    hand = document["deck"][0:12:2]
    document["moves"][0] = "a1:" + next((card for card in hand if card.isdigit()), "-nothing")
    return document


def test_a_pasted_text_is_replayed_and_recorded(hall: Hall, owner: Client) -> None:
    answer = owner.post(NEXT, {"text": to_text(LOG), "key": "k"})
    assert answer.headers["Location"] == HOME + "parties/2/?entered=1"
    result = Result.objects.get(manche__partie=hall.second)
    assert (result.kind, result.document.media) == ("log", "text")


@pytest.mark.parametrize("name", ["manche.json", "manche.bornes"])
def test_a_file_is_kept_byte_for_byte(hall: Hall, owner: Client, name: str) -> None:
    body = json.dumps(to_document(LOG), indent=3).encode() if name.endswith("json") else to_text(LOG).encode()
    owner.post(NEXT, {"file": SimpleUploadedFile(name, body), "key": "k"})
    assert bytes(Result.objects.get(manche__partie=hall.second).document.body) == body


def test_sent_twice_it_is_recorded_once(hall: Hall, owner: Client) -> None:
    for _ in range(2):
        assert owner.post(NEXT, {"text": to_text(LOG), "key": "k"}).status_code == 302
    assert Result.objects.filter(manche__partie=hall.second).count() == 1


def test_a_refused_one_is_kept_and_explained(hall: Hall, owner: Client) -> None:
    answer = owner.post(NEXT, {"text": json.dumps(broken()), "key": "k"})
    attempt = Attempt.objects.get(partie=hall.second)
    assert answer.headers["Location"] == f"{HOME}attempts/{attempt.pk}/"
    page = owner.get(answer.headers["Location"])
    assert "has not started: it wants a green light first" in said(page)
    assert '#rules-5">RULES 5</a>' in page.content.decode().replace('-p1"', '"')
    assert "Move 1" in said(page)
    assert page.context["form"]["text"].value() == json.dumps(broken()), "to be mended, nothing is lost"
    assert not Result.objects.filter(manche__partie=hall.second).exists()
    assert "1 document was refused" in said(owner.get(HOME + "parties/2/"))


def test_out_of_turn_the_hand_shown_is_that_of_who_played(hall: Hall, owner: Client) -> None:
    document = to_document(LOG)
    document["moves"] = ["b1:" + document["deck"][1]]
    page = owner.post(NEXT, {"text": json.dumps(document), "key": "k"}, follow=True)
    assert page.context["board"].turn == "a1"
    assert [player for player, _cards in page.context["board"].hands] == ["b1"]


def test_a_refused_one_sent_twice_is_one_attempt(hall: Hall, owner: Client) -> None:
    answers = [owner.post(NEXT, {"text": json.dumps(broken()), "key": "k"}).headers["Location"] for _ in range(2)]
    assert answers[0] == answers[1]
    assert Attempt.objects.filter(partie=hall.second).count() == 1


def test_what_is_no_log_at_all_says_where(hall: Hall, owner: Client) -> None:
    answer = owner.post(NEXT, {"text": '{"format": "bornes/1",\n "rulebook": }', "key": "k"}, follow=True)
    assert "line 2, column 14" in said(answer)


def test_what_does_not_fit_the_partie_says_so(hall: Hall, owner: Client) -> None:
    other = simulate("moderne", 2, 1, "other")
    answer = owner.post(NEXT, {"text": to_text(other), "key": "k"}, follow=True)
    assert "It does not fit this partie" in said(answer)
    assert "classique" in said(answer)
    assert "other-rulebook" in said(answer)


def test_a_sheet_is_taken_as_a_document_too_and_its_faults_are_listed(hall: Hall, owner: Client) -> None:
    page = owner.get(f"{HOME}attempts/{hall.attempt}/")
    assert "The sheet has faults" in said(page)
    assert "km-not-multiple" in said(page)


def test_the_document_of_an_attempt_is_given_back_as_it_came(hall: Hall, owner: Client) -> None:
    owner.post(NEXT, {"text": to_text(LOG) + " nonsense", "key": "k"})
    attempt = Attempt.objects.get(partie=hall.second)
    answer = owner.get(f"{HOME}attempts/{attempt.pk}/text")
    assert answer.content == bytes(attempt.document.body)
    assert "attachment" in answer.headers["Content-Disposition"]


def test_an_attempt_of_another_championship_is_not_there(hall: Hall) -> None:
    assert hall.client(hall.stranger).get(f"/en/organise/other/attempts/{hall.attempt}/").status_code == 404


def test_two_at_once_both_are_shown_and_a_reason_is_asked(hall: Hall, owner: Client) -> None:
    play(hall.second, 1)
    answer = owner.post(NEXT, {"text": to_text(LOG), "key": "k"})
    assert answer.status_code == 409
    assert "Yours" in said(answer)
    assert 'name="replaces" value="1"' in answer.content.decode()
    assert to_text(LOG)[:60] in answer.context["form"]["text"].value()
    correction = {"text": to_text(LOG), "key": "k2", "replaces": 1, "reason": "Every move was noted"}
    seen = owner.post(NEXT, correction)
    assert "Nothing is saved yet" in said(seen)
    kept = re.search(r'name="kept" value="([^"]+)"', seen.content.decode())
    assert kept
    assert base64.b64decode(kept[1]) == to_text(LOG).encode(), "what is saved then is what was seen, byte for byte"
    corrected = owner.post(NEXT, correction | {"text": "", "kept": kept[1], "foreseen": "yes"})
    assert corrected.status_code == 302
    assert Result.objects.get(manche__partie=hall.second, version=2).reason == "Every move was noted"


def test_nothing_sent_is_no_document(hall: Hall, owner: Client) -> None:
    answer = owner.post(NEXT, {"text": " ", "key": "k"})
    assert answer.status_code == 422
    assert not Attempt.objects.filter(partie=hall.second).exists()


def test_the_overview_leads_to_every_refused_document(hall: Hall, owner: Client) -> None:
    page = owner.get(HOME)
    assert "1 document was refused" in said(page)
    assert f'href="{HOME}attempts/"' in page.content.decode()
    listed = owner.get(HOME + "attempts/")
    assert "Partie 1, manche 2" in said(listed)
    assert f'href="{HOME}attempts/{hall.attempt}/"' in listed.content.decode()
    assert hall.client(hall.stranger).get(HOME + "attempts/").status_code == 403


def test_lists_of_refused_documents_say_why(hall: Hall, owner: Client) -> None:
    """In a sentence; the code stands beside it."""
    owner.post(NEXT, {"text": json.dumps(broken()), "key": "k"})
    overview, manche = said(owner.get(HOME + "attempts/")), said(owner.get(HOME + "parties/2/"))
    assert "has not started: it wants a green light first" in overview
    assert "has not started: it wants a green light first" in manche
    sheet_fault = Attempt.objects.get(pk=hall.attempt).verdict["why"]
    assert sentence(sheet_fault[0]) in overview
    assert "km-not-multiple" in overview
