"""A real HTTP server on loopback that answers webhooks as it is told, and keeps what came."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from league.api.change_shapes import position_of


@dataclass(frozen=True)
class Came:
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self.body)
        return said

    @property
    def positions(self) -> list[int]:
        return [position_of(item["cursor"]) for item in self.said["data"]["items"]]

    def is_signed_by(self, secret: str) -> bool:
        """Verified as a receiver does, from the text of the convention and not by our own code."""
        key = base64.b64decode(secret[len("whsec_") :])
        signed = b".".join((self.headers["webhook-id"].encode(), self.headers["webhook-timestamp"].encode(), self.body))
        wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        given = [part.split(",", 1) for part in self.headers["webhook-signature"].split(" ")]
        return any(version == "v1" and value == wanted for version, value in given)


@dataclass
class Receiver:
    """What answers: `answers` one after the other, then 200. An answer is a status, or (status, headers, body)."""

    url: str = ""
    answers: list[Any] = field(default_factory=list)
    came: list[Came] = field(default_factory=list)
    before: Any = None
    """Called with the request before it is answered."""
    drip: float = 0.0
    """Seconds between the bytes of an answer."""


class _Handler(BaseHTTPRequestHandler):
    receiver: Receiver

    def do_POST(self) -> None:
        receiver = self.receiver
        body = self.rfile.read(int(self.headers["Content-Length"]))
        came = Came(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        receiver.came.append(came)
        told = receiver.answers.pop(0) if receiver.answers else 200
        if receiver.before is not None:
            receiver.before(came)
        status, headers, text = told if isinstance(told, tuple) else (told, {}, b"")
        if receiver.drip:
            self._drip(b"HTTP/1.0 200 OK\r\nX: " + b"y" * 10_000)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def _drip(self, text: bytes) -> None:
        for byte in text:
            self.wfile.write(bytes([byte]))
            self.wfile.flush()
            time.sleep(self.receiver.drip)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 — http.server's name
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The other side hung up: what some tests are about."""


@contextmanager
def receiving(host: str = "127.0.0.1") -> Iterator[Receiver]:
    """Run a receiver on a port of its own."""
    receiver = Receiver()
    handler = type("Handler", (_Handler,), {"receiver": receiver})
    with _Server((host, 0), handler) as server:
        receiver.url = f"http://{host}:{server.server_address[1]}/hook"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            server.shutdown()
            thread.join(5)
