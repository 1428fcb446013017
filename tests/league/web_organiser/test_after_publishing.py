"""What was published and is corrected afterwards: said before, said after, and published again with one click."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from league.models import Championship, PublishedRanking
from league.services.championships import finish_championship
from league.services.parties import void_partie
from league.services.renewal import renew_live_ranking
from tests.factories import owner_of, play
from tests.league.web_organiser.conftest import HOME, Hall
from tests.league.web_organiser.test_account_pages import said

Send = Callable[..., Any]

PUBLIC = "/en/championships/coupe/"
VOID = {"do": "void", "key": "k", "version": 2, "reason": "A card too many"}


class TestBeforeACorrection:
    def test_the_version_that_counts_it_is_named(self, owner: Client, send: Send) -> None:
        send("ranking/", "publish", label="Saturday")
        text = said(owner.post(HOME + "parties/1/manches/1/", VOID))
        assert "Version 1, “Saturday”, was published with what stands now" in text

    def test_not_where_no_version_counts_it(self, hall: Hall, owner: Client, send: Send) -> None:
        assert "was published with" not in said(owner.post(HOME + "parties/1/manches/1/", VOID))
        send("ranking/", "publish", label="After round 1", round=1)
        play(hall.second, 1)
        later = owner.post(HOME + "parties/2/manches/1/", VOID | {"version": 1})
        assert "was published with" not in said(later)

    def test_a_later_round_is_said_to_stay_as_it_was_drawn(self, hall: Hall, owner: Client) -> None:
        text = said(owner.post(HOME + "parties/1/manches/1/", VOID))
        assert "Round 2 was drawn already, on the results that stand now" in text
        assert "the correction draws nothing anew" in text
        play(hall.second, 1)
        assert "drawn already" not in said(owner.post(HOME + "parties/2/manches/1/", VOID | {"version": 1}))


class TestAfterACorrection:
    @pytest.fixture
    def corrected(self, send: Send) -> None:
        send("ranking/", "publish", label="Saturday")
        send("parties/1/manches/1/", "penalise", version=2, label="A", points=20, reason="Late")

    @pytest.mark.usefixtures("corrected")
    @pytest.mark.parametrize("address", ["", "ranking/"])
    def test_it_is_published_again_with_one_click(self, owner: Client, address: str) -> None:
        page = owner.get(HOME + address)
        assert "Publish the corrected version" in said(page)
        again = page.context["republished"]
        asked = {"do": "publish", "key": again.key, "label": again.label, "round": ""}
        assert owner.post(HOME + "ranking/", asked).status_code == 302
        assert PublishedRanking.objects.get(number=2).label == "Saturday, corrected"
        assert "Publish the corrected version" not in said(owner.get(HOME + address))

    @pytest.mark.usefixtures("corrected")
    def test_corrected_again_the_title_does_not_grow(self, owner: Client, send: Send) -> None:
        send("ranking/", "publish", label="Saturday, corrected")
        send("parties/1/manches/1/", "penalise", version=2, label="A", points=30, reason="Later")
        assert owner.get(HOME).context["republished"].label == "Saturday, corrected (2)"

    @pytest.mark.usefixtures("corrected")
    def test_finishing_warns(self, hall: Hall, owner: Client, send: Send) -> None:
        warning = "was overtaken by a correction: publish a corrected version first"
        assert warning in said(owner.get(HOME))
        send("ranking/", "publish", label="Saturday, corrected")
        assert warning not in said(owner.get(HOME))

    @pytest.mark.usefixtures("corrected")
    def test_a_version_of_fewer_rounds_that_came_after_hides_nothing(
        self, hall: Hall, owner: Client, send: Send
    ) -> None:
        send("ranking/", "publish", label="Saturday, corrected")
        send("ranking/", "publish", label="After round 1", round=1)
        play(hall.second, 1)
        send("parties/2/manches/1/", "penalise", version=1, label="A", points=20, reason="Late")
        assert owner.get(HOME).context["behind"].label == "Saturday, corrected"

    @pytest.mark.usefixtures("corrected")
    def test_everybody_reads_on_the_old_version_that_it_was_overtaken(self, send: Send) -> None:
        page = PUBLIC + "published/1/"
        assert "corrected or ruled since" in said(Client().get(page))
        send("ranking/", "publish", label="Saturday, corrected")
        text = said(Client().get(page))
        assert "A newer version replaces this one: version 2, Saturday, corrected" in text
        assert "replaces this one" not in said(Client().get(PUBLIC + "published/2/"))


class TestFinished:
    @pytest.fixture
    def finished(self, hall: Hall) -> Championship:
        actor = owner_of(hall.championship)
        for partie in (hall.first, hall.second):
            partie.refresh_from_db()
            void_partie(actor=actor, partie_id=partie.pk, version=partie.version, reason="Rain")
        hall.championship.refresh_from_db()
        finish_championship(actor=actor, championship_id=hall.championship.pk, version=hall.championship.version)
        renew_live_ranking(championship_id=hall.championship.pk)
        return hall.championship

    @pytest.mark.usefixtures("finished")
    def test_the_ranking_is_final(self, owner: Client) -> None:
        text = said(Client().get(PUBLIC))
        assert "Final ranking" in text
        assert "Provisional" not in text
        printed = said(owner.get(HOME + "print/standings/"))
        assert "Final" in printed
        assert "Provisional" not in printed

    def test_not_while_it_is_due(self, finished: Championship) -> None:
        Championship.objects.filter(pk=finished.pk).update(ranking_due_since=finished.created_at)
        assert "Provisional ranking" in said(Client().get(PUBLIC))

    def test_not_while_it_is_played(self, hall: Hall, owner: Client) -> None:
        assert "Provisional ranking" in said(Client().get(PUBLIC))
        assert "Provisional" in said(owner.get(HOME + "print/standings/"))
