"""What a page says to its reader."""

import html
import re

from django.test import Client


def text_of(page: Client, address: str) -> str:
    """What a page says, its marks taken out and white space single."""
    answer = page.get(address)
    assert answer.status_code == 200, (address, answer.status_code)
    inside = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return " ".join(html.unescape(inside).split())
