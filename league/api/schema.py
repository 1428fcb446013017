"""The address of the API's own document."""

import hashlib
from functools import cache

import msgspec
from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from league.api.openapi import document
from league.api.views import ApiView, unchanged


class SchemaView(ApiView):
    """The document of the API."""

    @extend_schema(operation_id="get_schema", tags=["api"], responses={200: {"type": "object"}})
    def get(self, request: Request) -> HttpResponseBase:
        """This document (OpenAPI 3.1)."""
        body, etag = _encoded()
        headers = {"ETag": etag, "Cache-Control": "no-cache"}
        return unchanged(request, etag) or HttpResponse(body, content_type="application/json", headers=headers)


@cache
def _encoded() -> tuple[bytes, str]:
    body = msgspec.json.encode(document())
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
