"""Compression: for who accepts it, of what may be kept, with ETags that are still known."""

import gzip
from typing import Any

import pytest
from django.test import Client

from league.api.compression import LEAST
from tests.league.api.conftest import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def base(world: World) -> str:
    return f"/api/v1/championships/{world.championship.slug}"


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip", "gzip;q=0.5", "*", "deflate,gzip ;q=1.0, *;q=0"])
def test_what_is_long_is_compressed_for_who_accepts_it(client: Client, base: str, accepted: str) -> None:
    plain = client.get(f"{base}/parties")
    small = client.get(f"{base}/parties", HTTP_ACCEPT_ENCODING=accepted)
    assert small["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.content) == plain.content
    assert int(small["Content-Length"]) == len(small.content) < len(plain.content)
    for answer in (plain, small):
        assert "Accept-Encoding" in answer["Vary"]
    assert "Content-Encoding" not in plain


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "gzip; q=0.000", "xgzip"])
def test_nor_for_who_does_not(client: Client, base: str, accepted: str) -> None:
    assert "Content-Encoding" not in client.get(f"{base}/parties", HTTP_ACCEPT_ENCODING=accepted)


def test_what_is_short_is_not(client: Client, base: str) -> None:
    answer = client.get(f"{base}/entries/1?fields=number", HTTP_ACCEPT_ENCODING="gzip")
    assert len(answer.content) < LEAST
    assert "Content-Encoding" not in answer


def test_no_answer_to_a_write_is_compressed_nor_a_refusal(client: Client, base: str, send: Any) -> None:
    made = send(HTTP_ACCEPT_ENCODING="gzip")
    assert (made.status_code, len(made.content) > LEAST) == (201, True)
    refused = client.get(f"{base}/entries?fields=x", HTTP_ACCEPT_ENCODING="gzip")
    assert refused.status_code == 400
    for answer in (made, refused):
        assert "Content-Encoding" not in answer


def test_the_etag_of_what_was_compressed_is_known_again(client: Client, base: str) -> None:
    for name in ("/parties/1", "/entries", ""):
        plain = client.get(f"{base}{name}")["ETag"]
        small = client.get(f"{base}{name}", HTTP_ACCEPT_ENCODING="gzip")["ETag"]
        assert (plain == small) is plain.startswith("W/"), "other bytes have another strong ETag"
        for etag in (plain, small):
            for accepted in ("gzip", ""):
                answer = client.get(f"{base}{name}", HTTP_IF_NONE_MATCH=etag, HTTP_ACCEPT_ENCODING=accepted)
                assert (answer.status_code, answer["ETag"]) == (304, etag), name


def test_the_page_of_the_document_is_left_to_others(client: Client, db: None) -> None:
    assert "Content-Encoding" not in client.get("/api/v1/docs", HTTP_ACCEPT_ENCODING="gzip")
