"""The address of the API's own document."""

from functools import cache

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from league.api.conditional import etag_of_bytes
from league.api.openapi import document
from league.api.views import ApiView


class SchemaView(ApiView):
    """The document of the API."""

    @extend_schema(operation_id="get_schema", tags=["api"], responses={200: {"type": "object"}})
    def get(self, request: Request) -> HttpResponse:
        """This document (OpenAPI 3.1)."""
        body, etag = _encoded()
        return HttpResponse(body, content_type="application/json", headers={"ETag": etag})


@cache
def _encoded() -> tuple[bytes, str]:
    body = msgspec.json.encode(document())
    return body, etag_of_bytes(body)
