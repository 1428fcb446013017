"""Every operation of the API in tables, by subject: made from its own document, so that none is missing."""

from collections import defaultdict
from typing import Final

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from league.api.openapi import document

SUBJECTS: Final = {
    "championships": "Championships",
    "people": "Players, clubs, teams, entries, registrations",
    "stages": "Stages",
    "rounds": "Rounds, byes, absences",
    "drafts": "Drafts of rounds",
    "clock": "The clock of a round",
    "parties": "Parties",
    "hand-in": "Handing in",
    "manches": "Manches, results, documents",
    "rulings": "Rulings and disputes",
    "rankings": "Rankings and the journal",
    "circuits": "Circuits",
    "batches": "Batches",
    "changes": "The feed",
    "webhooks": "Webhooks",
    "rules": "Rulebooks and codes",
    "api": "The API itself",
}
"""The subjects in the order in which they are shown, by the tag of their operations. Others come after them."""

_BELOW: Final = "/api/v1/"
_METHODS: Final = ("get", "post", "patch", "put", "delete")


def operations() -> SafeString:
    """A table for each subject: method, address (below /api/v1/) and what it does; each leads to its description."""
    rows: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for path, methods in document()["paths"].items():
        for method in sorted(methods, key=_METHODS.index):
            operation = methods[method]
            tag = operation["tags"][0]
            where = f"{reverse('api-docs')}#/{tag}/{operation['operationId']}"
            needs = "token" if operation["security"] else ""
            rows[tag].append((where, method.upper(), path.removeprefix(_BELOW), operation["summary"], needs))
    order = [*SUBJECTS, *sorted(rows.keys() - SUBJECTS.keys())]
    return format_html_join("", "{}", ((_table(tag, rows[tag]),) for tag in order if tag in rows))


def _table(tag: str, rows: list[tuple[str, ...]]) -> SafeString:
    subject = SUBJECTS.get(tag, tag.capitalize())
    lines = format_html_join("\n", '<tr><td><a href="{}"><code>{} {}</code></a></td><td>{}</td><td>{}</td></tr>', rows)
    return format_html(
        '<h3 id="operations-{}">{}</h3>\n'
        '<div class="table-box" role="region" aria-label="{}" tabindex="0"><table class="operations">'
        "<thead><tr><th>address</th><th>what it does</th><th>needs</th></tr></thead>\n"
        "<tbody>{}</tbody></table></div>\n",
        tag,
        subject,
        subject,
        lines,
    )
