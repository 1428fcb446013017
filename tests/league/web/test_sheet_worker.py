"""The service worker of the score sheet: served at the root, fresh, and allowed by the content security policy."""

from django.test import Client


def test_the_worker_is_a_script_at_the_root(client: Client) -> None:
    answer = client.get("/sheet-worker.js")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]
    assert b"X-Kept-Offline" in answer.content


def test_pages_may_start_it_and_send_what_waits(client: Client, db: None) -> None:
    answer = client.get("/en/rules/")
    assert "worker-src 'self'" in answer.headers["Content-Security-Policy"]
    assert 'id="outbox"' in answer.content.decode()
    assert "js/outbox.js" in answer.content.decode()
