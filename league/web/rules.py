"""RULES, STANDINGS and the decisions as pages."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from league.web.rule_texts import rule_text


def text_page(request: HttpRequest, name: str) -> HttpResponse:
    """One of the texts of docs/, with an anchor a paragraph."""
    language = get_language() or "en"
    text = rule_text(name, language)
    return render(request, "rules.html", {"text": text, "name": name, "translated": text.language == language})
