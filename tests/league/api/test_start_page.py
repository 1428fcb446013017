"""Five minutes with the API: what the page says is done as it stands there, by curl and in Python, on a site."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings

from league.models import Championship, Visibility
from league.policy import Actor
from league.services.tokens import create_token
from tests.factories import ChampionshipFactory, PartieFactory, UserFactory, play, sheet

PARTED = "a line between two answers"


@pytest.fixture
def token(transactional_db: None) -> str:
    """A token as the page asks for; the site has a public championship to be shown."""
    play(PartieFactory(championship=ChampionshipFactory(slug="shown", visibility=Visibility.PUBLIC)), 1, sheet())
    user = UserFactory()
    scopes = ["read", "hand_in", "manage"]
    _token, text = create_token(actor=Actor(user=user), user=user, name="tour", scopes=scopes)
    return text


def blocks(site: str, language: str) -> list[str]:
    """The blocks of code of one language, as whoever copies them gets them."""
    page = httpx.get(f"{site}/en/docs/start/").text
    found = [html.unescape(block) for block in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.DOTALL)]
    return [block for block in found if block.startswith("import") == (language == "python")]


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_the_commands_lead_to_a_result_in_the_ranking(live_server: Any, token: str, tmp_path: Path) -> None:
    commands = blocks(live_server.url, "sh")
    assert len(commands) > 10
    script = "set -e\n" + f"\necho\necho '{PARTED}'\n".join(commands).replace("bornage_…", token)
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    said = [answer.strip() for answer in done.stdout.split(PARTED)]
    assert not [answer for answer in said if '"code":' in answer and '"request_id":' in answer], said

    by_start = {answer.split('"')[1]: json.loads(answer) for answer in said if re.fullmatch(r'\{"\w+".*\}', answer)}
    assert by_start["kind"]["verdict"]["code"] == "not-your-turn"
    handed_in, corrected = (json.loads(answer) for answer in said if answer.startswith('{"outcome"'))
    for version, result in enumerate((handed_in, corrected), 1):
        assert (result["state"], result["partie_status"], result["version"]) == ("confirmed", "closed", version)
    scores = [result["verdict"]["score"]["A"]["total"] for result in (handed_in, corrected)]
    assert scores[1] == 400 != scores[0]
    listed, public, ranking, changes = (json.loads(answer) for answer in said if answer.startswith('{"items"'))
    assert [one["slug"] for one in listed["items"]] == ["shown"]
    assert public["items"]
    assert [(row["rank"], row["team"]) for row in ranking["items"]] == [(1, "Peio Garat"), (2, "Ane Etxeberria")]
    assert {"kind": "partie", "key": "1"} in changes["items"]
    assert any(answer.startswith("rank,team,") for answer in said)
    tried = Championship.objects.get(slug=handed_in["championship"])
    assert (tried.status, tried.visibility) == ("finished", "draft")


def test_the_python_does_the_same(live_server: Any, token: str) -> None:
    (program,) = blocks(live_server.url, "python")
    path = os.pathsep.join([str(settings.BASE_DIR / "clients" / "python" / "src"), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"TOKEN": token, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(line.startswith("confirmed {") for line in lines)
    assert "partie 1" in lines
    assert [line.split(" {")[0] for line in lines[-2:]] == ["1 Peio Garat", "2 Ane Etxeberria"]
