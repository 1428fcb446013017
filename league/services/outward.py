"""Requests to addresses that people typed: never into the networks around this site, never for long.

A name is asked for once; every address that it has must be one of the open internet, and the connection goes to such an
address, not to the name again: what the name says a moment later changes nothing. Redirects (307 and 308 only, the
others would turn a POST into a GET) are checked in the same way. No proxy is asked. All of it, the name, the
connection, TLS, redirects and the answer, ends within SECONDS, however slowly the other side drips.

The operator lets more networks in by WEBHOOK_NETWORKS; they may be spoken to without https too.
"""

import contextlib
import functools
import http.client
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

from django.conf import settings

SECONDS: Final = 10.0
"""For one message, whatever happens."""
MOST_REDIRECTS: Final = 3
KEPT: Final = 1024
"""Bytes of an answer that are read."""
LONGEST: Final = 500
"""Characters of an address."""

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_REDIRECTS = (307, 308)
_LOWEST_PORT = 1024  # below it only those of http
_NOT_HTTP = {1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, *range(6665, 6670), 6679, 6697}
"""Ports of other protocols, most of them as browsers refuse them (Fetch, "bad port")."""

_CLOSED: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
            *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
            *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
            *("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"),
        ),
    )
)
"""What is no part of the open internet (IANA's special-purpose registries; 6to4 and Teredo hide another address)."""
_OPEN_V6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class NotSent(Exception):  # noqa: N818 — what somebody's server does is no error of the program
    """No answer; `code` says why, a key of `league.delivery_words.WHY`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered: the beginning of its text, and in how many seconds it asks to be tried again, if it says."""

    status: int
    text: str
    retry_after: int | None


@dataclass(frozen=True, slots=True)
class Place:
    """A web address in its parts, fit to be sent to as far as it can be seen without asking for its name."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def named(self) -> str:
        """The host with its port, as the Host header wants it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.scheme == "https" else 80) else f"{host}:{self.port}"


def place_of(url: str) -> Place:
    """Take a web address apart. Raises NotSent `bad-address`, `not-http`, `user-info`, `bad-port`."""
    if len(url) > LONGEST or re.search(r"[\x00-\x20\x7f\\]", url):
        raise NotSent("bad-address")
    try:
        parts = urlsplit(url)
        port, host = parts.port, (parts.hostname or "").removesuffix(".").encode("idna").decode("ascii")
    except ValueError as error:  # UnicodeError too
        raise NotSent("bad-address") from error
    if parts.scheme not in ("http", "https"):
        raise NotSent("not-http")
    if not host or not re.fullmatch(r"[a-z0-9.:_-]+", host):
        raise NotSent("bad-address")
    if "@" in parts.netloc:
        raise NotSent("user-info")
    if port is None:
        port = 443 if parts.scheme == "https" else 80
    if (port < _LOWEST_PORT and port not in (80, 443)) or port in _NOT_HTTP:
        raise NotSent("bad-port")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._")
    query = quote(parts.query, safe="/%:@!$&'()*+,;=~-._?")
    return Place(parts.scheme, host, port, f"{path}?{query}" if query else path)


def check(url: str) -> None:
    """Raise NotSent for an address that can never be sent to; one with a name is not asked for here."""
    place = place_of(url)
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except OSError:
        if place.host.rpartition(".")[2] == "localhost":
            found = socket.getaddrinfo("127.0.0.1", place.port, type=socket.SOCK_STREAM)
        else:
            if place.scheme == "http" and settings.PRODUCTION and not settings.WEBHOOK_NETWORKS:
                raise NotSent("needs-https") from None
            return
    _let_in(place, [str(sockaddr[0]) for *_rest, sockaddr in found])


def post(url: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Send a body and return what is answered. Raises NotSent."""
    deadline = time.monotonic() + SECONDS
    for _hop in range(1 + MOST_REDIRECTS):
        place = place_of(url)
        answer, location = _asked(place, body, headers, deadline)
        if answer.status not in _REDIRECTS or not location:
            return answer
        try:
            url = urljoin(f"{place.scheme}://{place.named}{place.path}", location)
        except ValueError as error:
            raise NotSent("bad-address") from error
        if place.scheme == "https" and not url.startswith("https:"):
            raise NotSent("needs-https")
    raise NotSent("redirects")


def is_open(address: Address) -> bool:
    """Whether an address is one of the open internet, also by the one that it carries inside."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_open(inner)
        if address not in _OPEN_V6:
            return False
    return address.is_global and not address.is_multicast and not any(address in closed for closed in _CLOSED)


def _let_in(place: Place, found: list[str]) -> list[str]:
    """The addresses of a place, if each of them may be sent to. Raises NotSent `private-address`, `needs-https`."""
    networks: list[Network] = settings.WEBHOOK_NETWORKS
    for text in found:
        address = ipaddress.ip_address(text)
        plain = getattr(address, "ipv4_mapped", None) or address
        if any(plain in network for network in networks):
            continue
        if not is_open(address):
            raise NotSent("private-address")
        if place.scheme == "http" and settings.PRODUCTION:
            raise NotSent("needs-https")
    return found


def _asked(place: Place, body: bytes, headers: dict[str, str], deadline: float) -> tuple[Answer, str | None]:
    """One request, and where it redirects to."""
    connected = _connect(place, _let_in(place, _addresses(place, deadline)), deadline)
    # a time-out of the socket is for each read: a side that drips never meets it, so the line is cut from outside
    line = connected.dup()
    clock = threading.Timer(max(0.0, deadline - time.monotonic()), _hang_up, [line])
    clock.daemon = True
    clock.start()
    try:
        return _exchange(place, connected, body, headers)
    except ssl.SSLCertVerificationError as error:
        raise NotSent("certificate") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        if time.monotonic() >= deadline or isinstance(error, TimeoutError):
            raise NotSent("timeout") from error
        if isinstance(error, OSError) and not isinstance(error, http.client.RemoteDisconnected):
            raise NotSent("unreachable") from error
        raise NotSent("bad-answer") from error
    finally:
        clock.cancel()
        line.close()
        connected.close()


def _exchange(
    place: Place, connected: socket.socket, body: bytes, headers: dict[str, str]
) -> tuple[Answer, str | None]:
    talk = http.client.HTTPConnection(place.host, place.port)
    secured = connected
    if place.scheme == "https":
        secured = _certificates().wrap_socket(connected, server_hostname=place.host)
    talk.sock = secured
    try:
        talk.request("POST", place.path, body, {**headers, "Host": place.named, "Connection": "close"})
        with talk.getresponse() as response:
            text = response.read(KEPT).decode("utf-8", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
            after = response.headers.get("Retry-After", "")
            seconds = int(after) if re.fullmatch(r"[0-9]{1,6}", after) else None
            return Answer(response.status, text, seconds), response.headers.get("Location")
    finally:
        talk.close()


def _connect(place: Place, addresses: list[str], deadline: float) -> socket.socket:
    """A connection to the first address that takes one."""
    late = False
    for address in addresses:
        left = deadline - time.monotonic()
        if left <= 0:
            raise NotSent("timeout")
        try:
            return socket.create_connection((address, place.port), timeout=left)
        except OSError as error:
            late = isinstance(error, TimeoutError)
    raise NotSent("timeout" if late else "unreachable")


def _addresses(place: Place, deadline: float) -> list[str]:
    """What a name stands for. The system's resolver takes no time-out: it is left behind when it is slow."""
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def resolve() -> None:
        try:
            found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
            answers.put(list(dict.fromkeys(str(sockaddr[0]) for *_rest, sockaddr in found)))
        except (OSError, UnicodeError) as error:
            answers.put(OSError(str(error)))

    threading.Thread(target=resolve, daemon=True).start()
    try:
        found = answers.get(timeout=max(0.0, deadline - time.monotonic()))
    except queue.Empty:
        raise NotSent("timeout") from None
    if isinstance(found, OSError) or not found:
        raise NotSent("unknown-host")
    return found


def _hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


@functools.cache
def _certificates() -> ssl.SSLContext:
    return ssl.create_default_context()
