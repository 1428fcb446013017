"""The document of the API (OpenAPI 3.1), made from its views."""

from drf_spectacular.openapi import AutoSchema


class Schema(AutoSchema):
    """How a view is described."""
