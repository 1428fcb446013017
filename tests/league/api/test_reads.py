"""What is read: manches line by line, documents in both writings, rankings with why, the rules as data."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from engine.cards import DECK_106
from engine.notation import read_json
from engine.rulebooks import RULEBOOKS
from engine.text_notation import read_text
from league.api.rulebooks import FAULTS
from league.services.publishing import publish
from league.services.renewal import renew_live_ranking
from scoring import sheet_faults
from scoring.sheets import judge_sheet
from scoring.standings import rank
from tests.factories import owner_of, play, sheet
from tests.league.api.conftest import BORNES, JSON, World, log_as_json, log_as_text

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def base(world: World) -> str:
    return f"/api/v1/championships/{world.championship.slug}"


class TestManche:
    """A manche and its versions."""

    def test_the_score_stands_line_by_line(self, client: Client, base: str) -> None:
        said = client.get(f"{base}/parties/1/manches/2").json()
        assert (said["status"], said["seats"]) == ("confirmed", ["b1", "a1"])
        scores = {score["label"]: score for score in said["current"]["scores"]}
        assert scores["A"]["lines"] == [{"code": "km", "points": 1000}, {"code": "victoire", "points": 400}]
        assert (scores["A"]["total"], scores["B"]["total"], scores["A"]["won"]) == (1400, 475, True)

    def test_a_manche_without_a_result_is_awaited(self, client: Client, base: str) -> None:
        said = client.get(f"{base}/parties/1/manches/3").json()
        assert (said["status"], said["current"], said["versions"]) == ("awaiting", None, [])

    def test_a_correction_leaves_the_old_version_readable(self, client: Client, base: str, world: World) -> None:
        play(world.partie, 2, sheet({"A": 1000, "B": 600}), reason="Misread", replaces=1)
        said = client.get(f"{base}/parties/1/manches/2").json()
        assert [(v["version"], v["state"], v["reason"]) for v in said["versions"]] == [
            (2, "confirmed", "Misread"),
            (1, "superseded", ""),
        ]
        old = client.get(f"{base}/parties/1/manches/2/results/1").json()
        assert {score["label"]: score["total"] for score in old["scores"]} == {"A": 1400, "B": 475}

    def test_the_steps_of_a_log_lead_from_the_deal_to_the_end(self, client: Client, base: str) -> None:
        place = f"{base}/parties/1/manches/1/results/1/steps"
        first = client.get(f"{place}?limit=1").json()["items"][0]
        assert (first["at"], first["move"], len(first["hands"]["a1"])) == (-1, None, 6)
        moves = read_json(log_as_json()).moves
        steps = [client.get(f"{place}?limit=100").json()]
        while steps[-1]["next"]:
            steps.append(client.get(steps[-1]["next"]).json())
        assert [step["move"] for page in steps for step in page["items"]] == [None, *moves]
        assert steps[-1]["items"][-1]["end"] is not None

    def test_a_sheet_has_no_steps(self, client: Client, base: str) -> None:
        assert client.get(f"{base}/parties/1/manches/2/results/1/steps").status_code == 404


class TestDocument:
    """A document as it came, or a log in its other writing."""

    def ask(self, client: Client, base: str, manche: int, accept: str = "*/*", query: str = "") -> Any:
        return client.get(f"{base}/parties/1/manches/{manche}/results/1/document{query}", HTTP_ACCEPT=accept)

    def test_as_it_came_if_that_is_welcome(self, client: Client, base: str, send: Any) -> None:
        text = b"\xef\xbb\xbf" + log_as_text(3, first=0)
        assert send(text, BORNES).status_code == 201
        for accept, media in (("*/*", BORNES), ("text/*", "text/plain"), (f"{JSON};q=0.1, {BORNES}", BORNES)):
            answer = self.ask(client, base, 3, accept)
            assert (answer.content, answer["Content-Type"]) == (text, media), accept

    def test_a_text_log_as_json_and_back(self, client: Client, base: str, send: Any) -> None:
        send(log_as_text(3), BORNES)
        for answer in (self.ask(client, base, 3, JSON), self.ask(client, base, 3, query="?writing=json")):
            assert answer["Content-Type"] == JSON
            assert read_json(answer.content) == read_text(log_as_text(3).decode())
        assert "Accept" in answer["Vary"]

    def test_a_json_log_as_text(self, client: Client, base: str) -> None:
        for accept in (BORNES, "text/plain"):
            answer = self.ask(client, base, 1, accept)
            assert (answer.status_code, answer["Content-Type"]) == (200, accept)
            assert read_text(answer.content.decode()) == read_json(log_as_json())

    def test_a_sheet_has_no_text_writing(self, client: Client, base: str) -> None:
        for answer in (self.ask(client, base, 2, BORNES), self.ask(client, base, 2, query="?writing=text")):
            assert (answer.status_code, answer.json()["offered"]) == (406, [JSON])

    def test_neither_in_xml(self, client: Client, base: str) -> None:
        assert self.ask(client, base, 1, "application/xml").status_code == 406


class TestRanking:
    """The live ranking and the published ones."""

    def test_each_row_says_why_it_stands_above_the_next(self, client: Client, base: str, world: World) -> None:
        play(world.partie, 3)
        play(world.partie, 4)
        renew_live_ranking(championship_id=world.championship.pk)
        said = client.get(f"{base}/ranking").json()
        assert (said["provisional"], said["is_due"]) == (True, False)
        first, second = said["items"][:2]
        assert second["entry"] == world.bye.number
        assert first["above_next_by"] == "manche_share"
        assert first["why"] == {
            "code": "separated",
            "key": "manche_share",
            "upper": "1",
            "lower": None,
            "passed": [
                {"code": "level", "key": "match_points", "value": "2"},
                {"code": "never-met", "key": "direct_encounter", "pair": [1, 3]},
            ],
        }
        assert said["names"][str(second["entry"])] == second["team"]
        assert said["keys"]["primary"] == "match_points"

    def test_what_is_known_is_304_until_a_result_changes_it(self, client: Client, base: str, world: World) -> None:
        renew_live_ranking(championship_id=world.championship.pk)
        first = client.get(f"{base}/ranking")
        known = client.get(f"{base}/ranking", HTTP_IF_NONE_MATCH=first["ETag"])
        assert (known.status_code, known.content, known["ETag"]) == (304, b"", first["ETag"])
        play(world.partie, 3)
        due = client.get(f"{base}/ranking", HTTP_IF_NONE_MATCH=first["ETag"])
        assert (due.status_code, due.json()["is_due"]) == (200, True)
        renew_live_ranking(championship_id=world.championship.pk)
        after = client.get(f"{base}/ranking", HTTP_IF_NONE_MATCH=due["ETag"])
        assert (after.status_code, after.json()["is_due"]) == (200, False)

    def test_a_published_version_stays_as_it_was(self, client: Client, base: str, world: World) -> None:
        before = client.get(f"{base}/rankings/1").json()
        play(world.partie, 3)
        play(world.partie, 4)
        publish(actor=owner_of(world.championship), championship_id=world.championship.pk, label="The end", round=1)
        assert client.get(f"{base}/rankings/1").json() == before
        second = client.get(f"{base}/rankings/2").json()
        assert [version["number"] for version in client.get(f"{base}/rankings").json()["items"]] == [1, 2]
        assert second["version"]["moved"]
        assert set(second["version"]["moved"][0]) == {"entry", "from", "to"}

    def test_anybody_can_recompute_it_from_its_document(self, client: Client, base: str, world: World) -> None:
        play(world.partie, 3)
        play(world.partie, 4)
        renew_live_ranking(championship_id=world.championship.pk)
        document = client.get(f"{base}/ranking/document").json()
        rows = rank(document)["rows"]
        shown = client.get(f"{base}/ranking").json()["items"]
        assert [(row["rank"], row["entry"], row["values"]) for row in rows] == [
            (row["rank"], row["entry"], row["values"]) for row in shown
        ]

    def test_the_journal_tells_what_counted_and_when(self, client: Client, base: str) -> None:
        lines = client.get(f"{base}/journal?limit=100").json()["items"]
        assert [line["position"] for line in lines] == list(range(1, len(lines) + 1))
        confirmed = [line for line in lines if line["what"] == "confirmed"]
        assert [(line["partie"], line["manche"], line["version"]) for line in confirmed] == [(1, 1, 1), (1, 2, 1)]


class TestRules:
    """The rules as data."""

    def test_a_rulebook_has_its_parameters_tables_and_decisions(self, client: Client) -> None:
        for id_, rulebook in RULEBOOKS.items():
            said = client.get(f"/api/v1/rulebooks/{id_}", HTTP_ACCEPT_LANGUAGE="en").json()
            assert said["parameters"]["start_feu_vert"] == rulebook.start_feu_vert
            assert ("botte" in said["parameters"]) is rulebook.has_points
            assert [(table["teams"], table["players"]) for table in said["tables"]] == [
                (shape.teams, shape.players) for shape in rulebook.tables
            ]
            assert said["decisions"], id_
        assert client.get("/api/v1/rulebooks/classique").json()["tables"][0]["deck"] == dict(DECK_106)
        assert client.get("/api/v1/rulebooks/none").status_code == 404

    def test_every_code_of_the_rules_is_listed_with_its_paragraph(self, client: Client) -> None:
        listed = set()
        place: str | None = "/api/v1/codes?limit=100"
        while place:
            said = client.get(place).json()
            listed |= {(item["kind"], item["code"], item["paragraph"]) for item in said["items"]}
            place = said["next"]
        assert ("refusal", "stopped", "RULES 5") in listed
        assert ("fault", "botte-twice", "RULES 2") in listed
        assert ("misfit", "other-seats", "RULES 13") in listed
        assert ("misfit", "second-interrupted", "STANDINGS 1") in listed
        assert ("line", "capot", "RULES 8") in listed
        assert ("problem", "result-exists", None) in listed

    def test_the_faults_of_sheets_are_all_there_and_no_other(self) -> None:
        tree = ast.parse(Path(sheet_faults.__file__).read_text(encoding="utf-8"))
        raised = {
            call.args[0].value
            for call in ast.walk(tree)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "_fault"
            if isinstance(call.args[0], ast.Constant)
        }
        frame = {"malformed-sheet", "unknown-rulebook", "bad-house", "bad-table", "bad-target"}
        assert set(FAULTS) == raised | frame

    def test_the_paragraph_of_a_fault_is_that_of_its_verdicts(self) -> None:
        seen = {}
        for line in (ROOT / "tests/conformance/sheets.ndjson").read_text(encoding="utf-8").splitlines():
            for why in judge_sheet(json.loads(line)["sheet"])["why"]:
                seen[why["code"]] = why["paragraph"]
        assert seen
        assert {code: FAULTS[code] for code in seen} == seen
