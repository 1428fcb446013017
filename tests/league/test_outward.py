"""Addresses that people typed are sent to on the open internet only, and never for long."""

import ipaddress
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from league.services import outward
from league.services.outward import NotSent, check, is_open, place_of, post
from tests.league.webhook_receiver import Receiver, receiving

LOOPBACK = [ipaddress.ip_network("127.0.0.0/8")]
HEADERS = {"Content-Type": "application/json"}


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_NETWORKS = LOOPBACK
    with receiving() as one:
        yield one


def names(monkeypatch: pytest.MonkeyPatch, **hosts: list[str]) -> list[str]:
    """Let names stand for these addresses; returns the list of what is asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        known = hosts.get(host.replace(".", "_").replace("-", "_"))
        if known is None or kwargs.get("flags"):
            return real(host, port, *args, **kwargs)
        asked.append(host)
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in known
        ]

    monkeypatch.setattr(outward.socket, "getaddrinfo", resolve)
    return asked


def refused(url: str) -> str:
    with pytest.raises(NotSent) as raised:
        post(url, b"{}", HEADERS)
    return raised.value.code


def unfit(url: str) -> str:
    with pytest.raises(NotSent) as raised:
        check(url)
    return raised.value.code


CLOSED = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254"),
    *("172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1"),
    *("198.51.100.7", "203.0.113.7", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"),
    *("::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1"),
    *("64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::", "3fff::1"),
    *("5f00::1", "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1"),
]


@pytest.mark.parametrize("address", CLOSED)
def test_an_address_that_is_none_of_the_open_internet_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_open(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    assert unfit(f"https://{host}/") == "private-address"
    names(monkeypatch, inside_example_org=[address])
    assert refused("https://inside.example.org/") == "private-address"


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_an_address_of_the_open_internet_is_let_through(address: str) -> None:
    assert is_open(ipaddress.ip_address(address))
    check(f"https://[{address}]/" if ":" in address else f"https://{address}/")


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f.1", "127.1", "0177.0.0.1", "localhost", "a.localhost", "LOCALHOST."]
)
def test_other_writings_of_loopback_are_seen_through(host: str) -> None:
    assert unfit(f"https://{host}/") == "private-address"


def test_one_private_address_among_others_is_enough_to_refuse_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names(monkeypatch, both_example_org=["8.8.8.8", "10.0.0.1"])
    assert refused("https://both.example.org/") == "private-address"


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://example.org/", "not-http"),
        ("file:///etc/passwd", "not-http"),
        ("example.org", "not-http"),
        ("https://", "bad-address"),
        ("https://user:pass@example.org/", "user-info"),
        ("https://user@example.org/", "user-info"),
        ("https://@example.org/", "user-info"),
        ("https://example.org:22/", "bad-port"),
        ("https://example.org:6379/", "bad-port"),
        ("https://example.org:0/", "bad-port"),
        ("https://example.org:99999/", "bad-address"),
        ("https://example.org\\@10.0.0.1/", "bad-address"),
        ("https://exa mple.org/", "bad-address"),
        ("https://example.org/\r\nX: y", "bad-address"),
        ("https://[::1", "bad-address"),
        ("https://[fe80::1%25eth0]/", "bad-address"),
        ("https://a..b/", "bad-address"),
        ("https://example.org/" + "x" * 500, "bad-address"),
    ],
)
def test_what_is_no_address_to_send_to_is_refused_before_anybody_is_asked(url: str, code: str) -> None:
    assert unfit(url) == code
    assert refused(url) == code


def test_an_address_is_written_as_http_wants_it() -> None:
    place = place_of("https://Exämple.org:8443/ä b".replace(" ", "%20") + "?q=é#part")
    assert (place.host, place.named) == ("xn--exmple-cua.org", "xn--exmple-cua.org:8443")
    assert place.path == "/%C3%A4%20b?q=%C3%A9"
    assert place_of("http://[2606:4700::1111]:80").named == "[2606:4700::1111]"


class TestPlainHttp:
    def test_in_production_it_is_refused(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.PRODUCTION = True
        names(monkeypatch, open_example_org=["8.8.8.8"])
        assert unfit("http://8.8.8.8/") == unfit("http://open.example.org/") == "needs-https"
        assert refused("http://open.example.org/") == "needs-https"

    def test_in_production_it_is_let_through_into_the_operators_networks(
        self, settings: Any, receiver: Receiver
    ) -> None:
        settings.PRODUCTION = True
        check(receiver.url)
        assert post(receiver.url, b"{}", HEADERS).status == 200


class TestAnExchange:
    def test_body_and_headers_arrive_and_the_answer_is_read(self, receiver: Receiver) -> None:
        receiver.answers = [(201, {"Retry-After": "7"}, b"thank <b>you</b>")]

        answer = post(receiver.url + "?a=b", b'{"a": 1}', HEADERS)

        assert (answer.status, answer.text, answer.retry_after) == (201, "thank <b>you</b>", 7)
        (came,) = receiver.came
        assert (came.path, came.body, came.headers["content-type"]) == ("/hook?a=b", b'{"a": 1}', "application/json")
        assert came.headers["host"] == receiver.url.split("/")[2]

    def test_loopback_is_refused_unless_the_operator_lets_it_in(self, receiver: Receiver, settings: Any) -> None:
        settings.WEBHOOK_NETWORKS = [ipaddress.ip_network("10.0.0.0/8")]
        assert refused(receiver.url) == unfit(receiver.url) == "private-address"
        assert receiver.came == []

    def test_no_proxy_of_the_environment_is_asked(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:1")
        assert post(receiver.url, b"{}", HEADERS).status == 200

    def test_a_huge_answer_is_not_read(self, receiver: Receiver) -> None:
        receiver.answers = [(200, {}, b"x" * 50_000_000)]
        started = time.monotonic()
        assert len(post(receiver.url, b"{}", HEADERS).text) == outward.KEPT
        assert time.monotonic() - started < 5

    def test_an_answer_that_drips_is_cut_off(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outward, "SECONDS", 1.0)
        receiver.drip = 0.1  # each read is answered in time; all of it would take minutes
        started = time.monotonic()
        assert refused(receiver.url) == "timeout"
        assert time.monotonic() - started < 2

    def test_an_answer_that_never_comes_is_given_up(self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outward, "SECONDS", 0.5)
        receiver.before = lambda _came: time.sleep(2)
        started = time.monotonic()
        assert refused(receiver.url) == "timeout"
        assert time.monotonic() - started < 1.5

    def test_a_resolver_that_does_not_answer_is_left_behind(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(outward, "SECONDS", 0.5)
        monkeypatch.setattr(outward.socket, "getaddrinfo", lambda *_, **__: time.sleep(2) or [])
        started = time.monotonic()
        assert refused("https://slow.example.org/") == "timeout"
        assert time.monotonic() - started < 1.5

    def test_what_is_no_http_is_told_apart(self, settings: Any) -> None:
        settings.WEBHOOK_NETWORKS = LOOPBACK
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]

            def answer() -> None:
                line, _peer = server.accept()
                line.recv(1000)
                line.sendall(b"220 mail.example.org\r\n")
                line.close()

            thread = threading.Thread(target=answer)
            thread.start()
            assert refused(f"http://127.0.0.1:{port}/") == "bad-answer"
            thread.join(5)
        assert refused(f"http://127.0.0.1:{port}/") == "unreachable"

    def test_a_name_that_nobody_has_is_told_apart(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(*_: Any, **__: Any) -> Any:
            raise socket.gaierror("no such name")

        monkeypatch.setattr(outward.socket, "getaddrinfo", unknown)
        assert refused("https://nowhere.example.org/") == "unknown-host"

    def test_a_certificate_that_nobody_vouches_for_is_refused(self, settings: Any, tmp_path: Any) -> None:
        settings.WEBHOOK_NETWORKS = LOOPBACK
        with tls_server(tmp_path) as port:
            assert refused(f"https://127.0.0.1:{port}/") == "certificate"

    def test_tls_asks_for_the_name_and_checks_it_though_the_address_is_what_is_connected_to(
        self, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.WEBHOOK_NETWORKS = LOOPBACK
        names(monkeypatch, hooks_example_org=["127.0.0.1"], other_example_org=["127.0.0.1"])
        with tls_server(tmp_path, "hooks.example.org") as port:
            context = outward.ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
            monkeypatch.setattr(outward, "_certificates", lambda: context)
            assert post(f"https://hooks.example.org:{port}/", b"{}", HEADERS).status == 204
            assert refused(f"https://other.example.org:{port}/") == "certificate"


class TestNoRebinding:
    def test_the_name_is_asked_for_once_and_the_checked_address_connected_to(
        self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = names(monkeypatch, hooks_example_org=["127.0.0.1"])
        connected: list[Any] = []
        real = socket.create_connection
        monkeypatch.setattr(
            outward.socket,
            "create_connection",
            lambda address, **how: (connected.append(address), real(address, **how))[1],
        )
        port = receiver.url.split(":")[2].split("/")[0]

        assert post(f"http://hooks.example.org:{port}/", b"{}", HEADERS).status == 200

        assert asked == ["hooks.example.org"]
        assert connected == [("127.0.0.1", int(port))]
        assert receiver.came[0].headers["host"] == f"hooks.example.org:{port}"

    def test_a_name_that_turns_private_is_refused_at_the_next_message(
        self, receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answers = [["127.0.0.1"], ["10.0.0.1"]]
        monkeypatch.setattr(
            outward.socket,
            "getaddrinfo",
            lambda host, port, **_: [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0)[0], port))],
        )
        url = receiver.url.replace("127.0.0.1", "turns.example.org")
        real = socket.create_connection
        monkeypatch.setattr(outward.socket, "create_connection", _without_names(real))
        assert post(url, b"{}", HEADERS).status == 200
        assert refused(url) == "private-address"


def _without_names(real: Any) -> Any:
    """socket.create_connection for a numeric address, which asks nobody."""

    def connect(address: Any, timeout: float) -> socket.socket:
        line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        line.settimeout(timeout)
        line.connect(address)
        return line

    return connect


class TestRedirects:
    @pytest.mark.parametrize("status", [307, 308])
    def test_the_same_request_goes_on(self, receiver: Receiver, status: int) -> None:
        receiver.answers = [(status, {"Location": "/there"}, b"")]
        assert post(receiver.url, b'{"a": 1}', HEADERS).status == 200
        assert [(came.path, came.body) for came in receiver.came] == [("/hook", b'{"a": 1}'), ("/there", b'{"a": 1}')]

    @pytest.mark.parametrize("status", [301, 302, 303])
    def test_one_that_would_become_a_get_is_an_answer(self, receiver: Receiver, status: int) -> None:
        receiver.answers = [(status, {"Location": "/there"}, b"")]
        assert post(receiver.url, b"{}", HEADERS).status == status
        assert len(receiver.came) == 1

    @pytest.mark.parametrize(
        ("to", "code"),
        [
            ("http://10.0.0.1/", "private-address"),
            ("http://[::1]/", "private-address"),
            ("http://169.254.169.254/latest/meta-data", "private-address"),
            ("//inside.example.org/", "private-address"),
            ("file:///etc/passwd", "not-http"),
            ("http://user@127.0.0.1/", "user-info"),
            ("http://[", "bad-address"),
        ],
    )
    def test_each_step_is_checked_like_the_first(
        self, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, to: str, code: str
    ) -> None:
        names(monkeypatch, inside_example_org=["192.168.0.1"])
        receiver.answers = [(307, {"Location": to}, b"")]
        assert refused(receiver.url) == code
        assert len(receiver.came) == 1

    def test_more_than_three_are_too_many(self, receiver: Receiver) -> None:
        receiver.answers = [(307, {"Location": "/again"}, b"")] * 3
        assert post(receiver.url, b"{}", HEADERS).status == 200
        receiver.answers = [(307, {"Location": "/again"}, b"")] * 4
        assert refused(receiver.url) == "redirects"


def tls_server(folder: Any, name: str = "localhost") -> Any:
    """A server behind TLS with a certificate of its own making, which answers 204."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "2", "-keyout", key, "-out", certificate, "-subj", f"/CN={name}"),
            *("-addext", f"subjectAltName=DNS:{name}"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    @contextmanager
    def run() -> Iterator[int]:
        with socket.create_server(("127.0.0.1", 0)) as server:
            ends = threading.Event()
            server.settimeout(0.1)

            def serve() -> None:
                while not ends.is_set():
                    try:
                        line, _peer = server.accept()
                    except TimeoutError:
                        continue
                    with line:
                        line.settimeout(5)
                        try:
                            with context.wrap_socket(line, server_side=True) as secured:
                                came = secured.recv(10_000)
                                while came and not came.endswith(b"{}"):  # what is left unread would cut the line
                                    came += secured.recv(10_000)
                                secured.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
                        except OSError:
                            pass

            thread = threading.Thread(target=serve)
            thread.start()
            try:
                yield server.getsockname()[1]
            finally:
                ends.set()
                thread.join(5)

    return run()
