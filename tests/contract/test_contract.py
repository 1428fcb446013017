"""schemathesis asks the running site (gunicorn on PostgreSQL, with Redis and a worker) all that its document lets ask.

Whatever it finds is a fault of the site or of the document. It runs as its users run it, by its command line, with the
same seed each time; tests/contract/schemathesis.toml says how, `LEFT_OUT` what is not asked and why.
"""

import os
import subprocess
import sys
from pathlib import Path
from string import Template
from typing import Final

import pytest

from league.models import Scope, User
from league.policy import Actor
from league.services.tokens import create_token
from tests.factories import UserFactory
from tests.league.api.everything import Everything
from tests.live import running_site
from tests.worker import ROOT

pytestmark = [pytest.mark.contract, pytest.mark.postgres, pytest.mark.redis]

EVERY: Final = "*"
LEFT_OUT: Final[dict[tuple[str, str], str]] = {
    ("positive_data_acceptance", EVERY): (
        "what fits the document is refused all the same where the rules of the game or the state of the tournament "
        "say so: 409 and 422 with a code of their own"
    ),
    ("negative_data_rejection", "check_document"): (
        "judging whatever it is sent is what this address is for: of something that is neither log nor sheet it says "
        "so, in a verdict, with 200"
    ),
    ("negative_data_rejection", "send_batch"): (
        "each line of a batch is refused on its own, in its own answer, and the batch is answered with 200"
    ),
    ("negative_data_rejection", "send_batch_of_account"): "as send_batch",
    (EVERY, "stream_changes"): "events go on for minutes; tests/league/feed listens to them",
    (EVERY, "stream_championship_changes"): "as stream_changes",
}
"""The checks and operations (by their ids) that are left out, and why."""

CHANGES: Final = ("list_changes", "list_championship_changes")
"""Those that may wait for a change: they are asked not to."""

WHOLE: Final = ("examples", "coverage", "fuzzing", "stateful")
SHORT: Final = ("fuzzing",)


def configuration(world: Everything, tmp_path: Path) -> Path:
    """The configuration with the ids of a world, and what is left out."""
    template = (Path(__file__).parent / "schemathesis.toml").read_text()
    parts = [Template(template).substitute(world.ids)]
    for (check, operation), _reason in LEFT_OUT.items():
        if operation == EVERY:
            parts.append(f"[checks.{check}]\nenabled = false\n")
        elif check == EVERY:
            parts.append(f'[[operations]]\ninclude-operation-id = "{operation}"\nenabled = false\n')
        else:
            parts.append(f'[[operations]]\ninclude-operation-id = "{operation}"\nchecks.{check}.enabled = false\n')
    parts += [
        f'[[operations]]\ninclude-operation-id = "{operation}"\nparameters = {{ "query.wait" = 0 }}\n'
        for operation in CHANGES
    ]
    path = tmp_path / "schemathesis.toml"
    path.write_text("\n".join(parts))
    return path


def authorization(user: User) -> list[str]:
    """The option that sends a token of this user, which may do all that its user may."""
    _row, text = create_token(actor=Actor(user=user), user=user, name="schemathesis", scopes=Scope.values)
    return ["--header", f"Authorization: Bearer {text}"]


def asked(url: str, config: Path, *options: str) -> str:
    """Run schemathesis on a site; what it has to say, empty if it found nothing."""
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "--no-color", "run"]
    command += [f"{url}/api/v1/schema", "--url", url, "--report-dir", str(config.parent), *options]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1800, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("who", ["owner", "nobody", "organiser elsewhere"])
def test_schemathesis_finds_nothing(worker_prefix: str, tmp_path: Path, who: str) -> None:
    world = Everything()
    config = configuration(world, tmp_path)
    phases = WHOLE if who == "owner" else SHORT
    users = {"owner": world.championship.created_by, "organiser elsewhere": UserFactory(may_organise=True)}
    header = authorization(users[who]) if who in users else []
    with running_site(worker_prefix, name="contract") as site:
        found = asked(site.url, config, "--phases", ",".join(phases), *header)
    if found:
        pytest.fail(found, pytrace=False)
