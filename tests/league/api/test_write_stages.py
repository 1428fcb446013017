"""Stages through the API: set up, changed, started; pools that lead to a knock-out; what is read of them."""

from typing import Any

import pytest

from league.models import AuditEntry, ExternalId, Partie, Stage
from league.services.renewal import renew_live_ranking
from tests.factories import sheet
from tests.league.api.program import Program
from tests.league.api.test_write_rounds import championship_of, sides

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Program:
    return Program(championship_of(8))


class TestSettingUp:
    def test_a_stage_is_added_once_under_its_external_id(self, program: Program) -> None:
        asked = {"format": "swiss", "rounds_planned": 5, "external_id": "suisse"}
        first, again = (program.done("POST", "/stages", asked) for _ in range(2))
        assert (first.status_code, again.status_code) == (201, 200)
        assert first.json() == again.json() == program.get("/stages/~suisse")
        assert first["Location"] == f"/api/v1/championships/{program.slug}/stages/1"
        assert program.send("GET", "/stages/1")["ETag"] == first["ETag"]
        assert program.refused("/stages", asked | {"rounds_planned": 6}) == (409, "external-id-taken")
        assert Stage.objects.count() == 1

    def test_every_fault_is_said(self, program: Program) -> None:
        answer = program.send("POST", "/stages", {"format": "swiss", "rounds_planned": 100, "pools": 65})
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["errors"]] == ["rounds_planned", "pools"]
        assert program.refused("/stages", {"format": "chess"}) == (422, "bad-field")
        assert program.refused("/stages", {"format": "swiss", "rounds": 5}) == (422, "bad-field")
        assert program.refused("/stages", {"format": "swiss", "rounds_planned": 10**30})[0] == 422
        assert not Stage.objects.exists()

    def test_a_stage_is_changed_on_the_state_that_was_read(self, program: Program) -> None:
        etag = program.done("POST", "/stages", {"format": "swiss"})["ETag"]
        change = {"name": "Suisse", "rounds_planned": 7}
        assert program.refused("/stages/1", change, "PATCH") == (428, "precondition-required")
        changed = program.done("PATCH", "/stages/1", change, If_Match=etag)
        assert (changed.json()["name"], changed.json()["rounds_planned"]) == ("Suisse", 7)
        stale = program.send("PATCH", "/stages/1", {"rounds_planned": None}, If_Match=etag)
        assert (stale.status_code, stale.json()["present"]) == (412, changed.json())
        cleared = program.done("PATCH", "/stages/1", {"rounds_planned": None}, If_Match=changed["ETag"])
        assert (cleared.json()["rounds_planned"], cleared.json()["name"]) == (None, "Suisse")
        assert AuditEntry.objects.filter(action="change_stage").count() == 2

    def test_a_stage_is_taken_away_with_its_name(self, program: Program) -> None:
        program.post("/stages", {"format": "swiss", "external_id": "one"})
        program.post("/stages", {"format": "knockout", "qualify": 4, "external_id": "two"})
        assert program.refused("/stages/1", method="DELETE") == (428, "precondition-required")
        program.done("DELETE", "/stages/~one", If_Match="*")
        assert program.get("/stages/~two")["number"] == 1
        assert program.send("GET", "/stages/~one").status_code == 404
        assert list(ExternalId.objects.filter(kind="stage").values_list("external_id", flat=True)) == ["two"]

    def test_all_are_planned_at_once_or_none(self, program: Program) -> None:
        plan = [{"format": "round_robin", "pools": 2}, {"format": "knockout", "qualify": 2}]
        said = program.post("/stages/plan", {"stages": plan})["stages"]
        assert [(one["number"], one["format"], one["pools"]) for one in said] == [
            (1, "round_robin", 2),
            (2, "knockout", 1),
        ]
        assert program.get("/stages")["items"] == said
        assert program.refused("/stages/plan", {"stages": [plan[0], {"format": "swiss", "pools": 0}]})[0] == 422
        assert program.get("/stages")["items"] == said
        program.post("/stages/1/start")
        assert program.refused("/stages/plan", {"stages": plan}) == (409, "stage-begun")
        assert program.refused("/stages/1", {"pools": 4}, "PATCH", If_Match="*") == (409, "stage-begun")


class TestPoolsAndAKnockout:
    """Two pools of four, the first two of each in a knock-out; played by a program from the plan to the final."""

    @pytest.fixture
    def played(self, program: Program) -> Program:
        plan = [{"format": "round_robin", "pools": 2}, {"format": "knockout", "qualify": 2, "place_match": True}]
        program.post("/stages/plan", {"stages": plan})
        started = program.post("/stages/1/start", {"order": "number"})
        assert (started["entries"], started["started_at"] is not None) == (8, True)
        assert program.post("/stages/1/start", {"order": "number"}) == started
        for number in (1, 2, 3):
            draft = program.post("/rounds")
            assert sorted({table["pool"] for table in draft["tables"]}) == [1, 2]
            program.post(f"/rounds/{number}/publish")
            program.play(number)
        return program

    def test_are_played_to_the_final(self, played: Program) -> None:
        members = played.get("/stages/1/entries")["items"]
        assert [(one["entry"], one["pool"]) for one in members] == list(enumerate([1, 2, 2, 1, 1, 2, 2, 1], 1))
        coming = played.get("/stages/2/coming")
        assert ({one["entry"] for one in coming["certain"]}, coming["level"]) == ({1, 2, 3, 4}, [])
        assert played.post("/stages/2/start")["entries"] == 4
        assert played.send("GET", "/stages/2/coming").status_code == 404
        assert played.get("/stages/1")["finished_at"] is not None
        played.post("/rounds")
        played.post("/rounds/4/publish")
        played.play(4)
        final = played.post("/rounds")
        assert sorted(table["place"] for table in final["tables"]) == [1, 3]
        played.post("/rounds/5/publish")
        played.play(5)
        bracket = played.get("/stages/2/bracket")
        assert [one["number"] for one in bracket["rounds"]] == [4, 5]
        last = next(table for table in bracket["rounds"][1]["tables"] if table["place"] == 1)
        assert last["went_on"] == [1]
        assert [one["seed"] for one in bracket["seeds"]] == [1, 2, 3, 4]
        assert played.send("GET", "/stages/1/bracket").status_code == 404

    def test_have_tables_of_each_pool(self, played: Program) -> None:
        renew_live_ranking(championship_id=Partie.objects.first().championship_id)  # type: ignore[union-attr]
        first = played.get("/stages/1/ranking?limit=3")
        rest = played.get(first["next"])
        rows = [*first["items"], *rest["items"]]
        assert [(row["pool"], row["entry"]) for row in rows[:2]] == [(1, 1), (1, 4)]
        assert [(row["pool"], row["position"]) for row in rows[3:5]] == [(1, 4), (2, 1)]
        assert played.send("GET", "/stages/2/ranking").status_code == 404

    def test_wait_for_who_goes_on_from_a_level_table(self, played: Program) -> None:
        played.post("/stages/2/start")
        played.post("/rounds")
        published = played.post("/rounds/4/publish")
        self.level(played, published["tables"][0])
        self.level(played, published["tables"][1])
        assert played.refused("/rounds")[0] == 409
        level = played.get("/draw")["level"]
        assert [(one["round"], one["places"], one["can_play_on"]) for one in level] == [(4, 1, True)] * 2
        one, other = (table["table"] for table in level)
        extra = played.post(f"/rounds/4/tables/{one}/extra-manche")
        (made,) = [table for table in extra["tables"] if table["extra_of"] == one]
        assert played.post(f"/rounds/4/tables/{one}/extra-manche") == extra
        played.post(f"/parties/{made['partie']}/manches/1/results", sheet())
        played.post(f"/rounds/4/tables/{other}/as-seeded")
        assert played.refused("/rounds/4/tables/99/as-seeded") == (409, "not-level")
        assert played.get("/draw")["level"] == []
        assert len(played.post("/rounds")["tables"]) == 2

    def level(self, program: Program, table: Any) -> None:
        """A partie that ends without a result that decides."""
        document = sheet({"A": 500, "B": 500}, end="interrupted")
        program.post(f"/parties/{table['partie']}/manches/1/results", document)


class TestWhoIsLevel:
    def test_at_the_limit_is_told_apart(self, program: Program) -> None:
        program.post("/stages/plan", {"stages": [{"format": "swiss"}, {"format": "knockout", "qualify": 2}]})
        program.post("/rounds")
        published = program.post("/rounds/1/publish")
        for table in published["tables"]:
            program.post(f"/parties/{table['partie']}/manches/1/results", sheet())
        refused = program.send("POST", "/stages/2/start")
        assert (refused.status_code, refused.json()["code"], refused.json()["places"]) == (
            422,
            "level-at-the-limit",
            2,
        )
        level = refused.json()["level"]
        assert sorted(level) == sorted(table[0] for table in sides(published))
        program.post("/stages/2/start", {"chosen": level[1:3]})
        assert sorted(one["entry"] for one in program.get("/stages/2/entries")["items"]) == sorted(level[1:3])
