"""QR codes, drawn into the page as SVG: nothing is loaded, and they stay sharp on paper."""

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_svg(address: str, *, title: str) -> SafeString:
    """An SVG that a phone reads as this address; `title` is said to who hears the page.

    Error correction M: a slip is folded and spilt on.
    """
    code = segno.make(address, error="m", micro=False)
    drawn = code.svg_inline(scale=4, border=4, omitsize=True, title=title, svgclass="qr", lineclass=None)
    return mark_safe(drawn)  # noqa: S308 — drawn by segno, which escapes the title
