"""Where a request comes from: as our own proxies saw it, never as the sender says."""

import pytest
from django.test import RequestFactory, override_settings

from league.visitor import address_of


@pytest.mark.parametrize(
    ("proxies", "forwarded", "remote", "address"),
    [
        (0, None, "192.0.2.1", "192.0.2.1"),
        (0, "203.0.113.9", "192.0.2.1", "192.0.2.1"),
        (1, "203.0.113.9", "192.0.2.1", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "192.0.2.1", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9", "192.0.2.1", "198.51.100.1"),
        (2, "203.0.113.9", "192.0.2.1", "192.0.2.1"),
        (1, None, "192.0.2.1", "192.0.2.1"),
        (1, "2001:DB8::1", "192.0.2.1", "2001:db8::1"),
        (1, "no address", "192.0.2.1", None),
        (0, None, "", None),
    ],
)
def test_the_address_is_the_one_that_our_outermost_proxy_saw(
    proxies: int, forwarded: str | None, remote: str, address: str | None
) -> None:
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    request = RequestFactory().get("/", REMOTE_ADDR=remote, **headers)
    with override_settings(PROXIES=proxies):
        assert address_of(request) == address
