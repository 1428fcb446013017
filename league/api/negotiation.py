"""Which form an answer has: that which the Accept header likes best (RFC 9110, 12.5.1), JSON if it does not mind."""

from typing import Any

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer


class ByPreference(BaseContentNegotiation):
    """Weighs what the header says (`q`), which DRF's own leaves aside."""

    def select_parser(self, request: Any, parsers: Any) -> None:
        """None: league.api.bodies reads bodies."""
        return

    def select_renderer(
        self, request: Any, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The renderer that is liked best. Raises NotAcceptable."""
        by_media = {renderer.media_type: renderer for renderer in renderers}
        asked = request._request  # noqa: SLF001 — DRF's own does not know accepted types
        preferred = asked.get_preferred_type(list(by_media)) if asked.accepted_types else next(iter(by_media))
        if preferred is None:
            raise NotAcceptable(available_renderers=renderers)
        return by_media[preferred], preferred
