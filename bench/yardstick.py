"""The yardstick of handing in: the least that a DRF view can do with a document. Same token check, one insert."""

import hashlib

from django.urls import path
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import urls
from league.models import Document

handler400, handler403 = urls.handler400, urls.handler403
handler404, handler500 = urls.handler404, urls.handler500


class Bare(APIView):
    """Keeps the body of a request that shows a token."""

    def post(self, request: Request) -> Response:
        """Insert it."""
        if request.auth is None:
            raise NotAuthenticated
        body = request.stream.read() if request.stream else b""
        document = Document.objects.create(sha256=hashlib.sha256(body).hexdigest(), body=body, media="json")
        return Response({"id": document.pk}, status=201)


urlpatterns = [path("bare", Bare.as_view()), *urls.urlpatterns]
