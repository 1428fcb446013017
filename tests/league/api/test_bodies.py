"""A body has at most 1 MiB, whatever its framing, and is read as it came."""

import http.client
import io
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import as_bytes, sheet
from tests.league.api.conftest import JSON, World, log_as_text

LIMIT = 1024 * 1024
CHECK = "/api/v1/check"


def padded(size: int) -> bytes:
    """A valid sheet of this many bytes."""
    document = as_bytes(sheet())
    return document + b" " * (size - len(document))


@pytest.mark.parametrize("size", [LIMIT, LIMIT + 1])
def test_one_mib_passes_and_one_byte_more_does_not(send: Any, size: int) -> None:
    answer = send(padded(size))
    assert answer.status_code == (201 if size == LIMIT else 413)
    if size > LIMIT:
        assert (answer["Content-Type"], answer.json()["code"]) == ("application/problem+json", "too-large")
        assert answer.json()["limit"] == LIMIT


def chunked(client: Client, place: str, body: bytes, *, terminated: bool = True, **extra: Any) -> Any:
    """As a server hands on a body that came in chunks: no length, and a stream that ends by itself."""
    environ = {"wsgi.input": io.BytesIO(body), "HTTP_TRANSFER_ENCODING": "chunked", "CONTENT_TYPE": JSON, **extra}
    return client.generic("POST", place, **environ, **({"wsgi.input_terminated": True} if terminated else {}))


def test_a_body_in_chunks_is_handed_in_as_any_other(client: Client, world: World, authorization: str) -> None:
    body = as_bytes(sheet())
    answer = chunked(client, world.results(), body, HTTP_AUTHORIZATION=authorization)
    assert answer.status_code == 201
    assert client.get(answer.json()["url"] + "/document").content == body


def test_too_large_a_body_in_chunks_is_413_and_read_no_further(
    client: Client, world: World, authorization: str
) -> None:
    endless = io.BytesIO(padded(3 * LIMIT))
    answer = chunked(client, world.results(), b"", HTTP_AUTHORIZATION=authorization, **{"wsgi.input": endless})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert endless.tell() == LIMIT + 1


@pytest.mark.django_db
def test_chunks_that_the_server_does_not_take_apart_are_411(client: Client) -> None:
    answer = chunked(client, CHECK, as_bytes(sheet()), terminated=False)
    assert (answer.status_code, answer.json()["code"]) == (411, "length-required")


@pytest.mark.django_db
@pytest.mark.parametrize("length", ["100", "nonsense", "-1", "²"])
def test_a_body_that_breaks_off_or_has_no_true_length_is_not_taken_for_a_whole_one(client: Client, length: str) -> None:
    answer = client.generic(
        "POST", CHECK, CONTENT_LENGTH=length, CONTENT_TYPE=JSON, **{"wsgi.input": io.BytesIO(b'{"format": "marque/1"')}
    )
    assert answer.status_code == 400
    assert answer.json()["code"] == ("incomplete-body" if length == "100" else "malformed-log")


class Broken(io.RawIOBase):
    """A connection that breaks."""

    def read(self, size: int = -1) -> bytes:
        raise ConnectionResetError


@pytest.mark.django_db
def test_a_connection_that_breaks_is_the_senders_fault(client: Client) -> None:
    answer = client.generic("POST", CHECK, CONTENT_LENGTH="10", CONTENT_TYPE=JSON, **{"wsgi.input": Broken()})
    assert (answer.status_code, answer.json()["code"]) == (400, "incomplete-body")


class TestCheck:
    """A log or a sheet judged for anybody."""

    @pytest.mark.django_db
    def test_the_verdict_is_the_answer_and_nothing_is_kept(
        self, client: Client, django_assert_num_queries: Any
    ) -> None:
        with django_assert_num_queries(0):
            answer = client.post(CHECK, log_as_text(), content_type="text/plain")
        assert answer.status_code == 200
        said = answer.json()
        assert (said["kind"], said["writing"], said["verdict"]["valid"]) == ("log", "text", True)

    @pytest.mark.django_db
    def test_a_refused_document_is_answered_200_too(self, client: Client) -> None:
        for body in (as_bytes(sheet({"A": 1000, "B": 480})), b'{"format": "bornes/1"}', b'{"oops'):
            answer = client.post(CHECK, body, content_type=JSON)
            assert (answer.status_code, answer.json()["verdict"]["valid"]) == (200, False)

    def test_a_token_is_not_needed_and_its_allowance_is_its_own(self, client: Client, authorization: str) -> None:
        answer = client.post(CHECK, as_bytes(sheet()), content_type=JSON, HTTP_AUTHORIZATION=authorization)
        assert answer.status_code == 200


@pytest.fixture(scope="module")
def gunicorn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The site as bin/web starts it, without a database: checking needs none."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = Path(__file__).resolve().parents[3]
    environment = {
        "PATH": os.environ["PATH"],
        "BORNAGE_VAR": str(tmp_path_factory.mktemp("var")),
        "DJANGO_SETTINGS_MODULE": "league.settings",
    }
    arguments = ["league.wsgi", "--bind", f"127.0.0.1:{port}", "--worker-class", "gthread", "--no-control-socket"]
    command = [sys.executable, "-m", "gunicorn", *arguments]
    with subprocess.Popen(
        command, cwd=root, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            _wait_for(port)
            yield port
        finally:
            process.terminate()
            process.communicate(timeout=20)


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < deadline, "the server does not come up"
            time.sleep(0.05)
        else:
            return


@pytest.mark.parametrize("size", [1000, LIMIT, LIMIT + 1, 3 * LIMIT])
@pytest.mark.parametrize("framing", ["length", "chunks"])
def test_the_limit_holds_on_a_real_server(gunicorn: int, framing: str, size: int) -> None:
    body = padded(size)
    connection = http.client.HTTPConnection("127.0.0.1", gunicorn, timeout=20)
    parts = [body[at : at + 65_536] for at in range(0, size, 65_536)]
    chunks = framing == "chunks"
    try:
        headers = {"Content-Type": JSON}
        connection.request("POST", CHECK, parts if chunks else body, headers, encode_chunked=chunks)
    except (BrokenPipeError, ConnectionResetError):
        assert size > LIMIT, "it need not listen to the end of what is too large"
    answer = connection.getresponse()
    assert answer.status == (200 if size <= LIMIT else 413)
    assert (b'"valid":true' if size <= LIMIT else b'"too-large"') in answer.read()
    connection.close()


@pytest.mark.parametrize("framing", [b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", b"Content-Length: 50\r\n\r\n{"])
def test_wrong_framing_on_a_real_server_is_400(gunicorn: int, framing: bytes) -> None:
    with socket.create_connection(("127.0.0.1", gunicorn), timeout=20) as connection:
        head = f"POST {CHECK} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {JSON}\r\n"
        connection.sendall(head.encode() + framing)
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


def test_the_address_of_the_check_is_that_of_the_tests() -> None:
    assert reverse("api-check") == CHECK
