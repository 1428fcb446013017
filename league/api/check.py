"""A log or a sheet judged for anybody; nothing of it is kept."""

from typing import Any, ClassVar

import msgspec
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from league.api.bodies import read_document
from league.api.examples import CHECK_ANSWERS, DOCUMENTS, REQUESTS
from league.api.openapi import problems
from league.api.shapes import shape
from league.api.views import ApiView
from league.models import Kind, Media
from league.services.checking import check, warnings_of
from league.wording import sentence, verdict_in_words


class SheetWarningSerializer(serializers.Serializer[Any]):
    """What a sheet hardly ever says. `name` acknowledges it when the sheet is handed in (`acknowledged`)."""

    name = serializers.CharField()
    text = serializers.CharField()


class CheckSerializer(serializers.Serializer[Any]):
    """What was found."""

    kind = serializers.ChoiceField(Kind.values)
    writing = serializers.ChoiceField(Media.values)
    sha256 = serializers.CharField(help_text="Of the document as it came.")
    verdict = shape("Verdict")
    warnings = SheetWarningSerializer(many=True)


class CheckView(ApiView):
    """Documents judged."""

    rates: ClassVar = {"POST": "costly"}

    @extend_schema(
        operation_id="check_document",
        tags=["hand-in"],
        request=REQUESTS,
        examples=[*DOCUMENTS, *CHECK_ANSWERS],
        responses={200: CheckSerializer, **problems(400, 411, 413, 415)},
    )
    def post(self, request: Request) -> HttpResponse:
        """Judge a log or a sheet. A refused one is answered 200 as well: its verdict is what was asked for."""
        document = read_document(request)
        reading = check(body=document)
        body = {
            "kind": reading.kind,
            "writing": reading.media,
            "sha256": reading.sha256,
            "verdict": verdict_in_words(reading.verdict),
            "warnings": [{"name": one.name, "text": sentence(one.why)} for one in warnings_of(body=document)],
        }
        headers = {"Cache-Control": "no-store"}
        return HttpResponse(msgspec.json.encode(body), content_type="application/json", headers=headers)
