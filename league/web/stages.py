"""One stage of a ranking, live or published: the tables of its pools, with those who went on (STANDINGS 5)."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.selectors.stage_tables import StageTables, live_stage, published_stage
from league.web.ranking_words import primary_key, shown_rows, stage_tabs, stage_title
from league.web.seen import championship_page, for_anybody
from league.wording import key_name


@for_anybody
def stage_page(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """A stage of the live ranking."""
    championship, context = championship_page(request, slug, "ranking")
    found = live_stage(championship=championship, stage=stage)
    context |= {"live": found, "here": "true"} | _shown(found)
    return render(request, "championship/stage.html", context)


@for_anybody
def published_stage_page(request: HttpRequest, slug: str, number: int, stage: int) -> HttpResponse:
    """A stage of a published version."""
    championship, context = championship_page(request, slug, "published")
    found = published_stage(championship=championship, version=number, stage=stage)
    context |= {"number": number, "published_at": found.computed_at, "here": "true"} | _shown(found)
    return render(request, "championship/stage.html", context)


def _shown(found: StageTables) -> dict[str, Any]:
    number = found.stage["number"]
    return {
        "title": stage_title(found.stage),
        "current": number,
        "stage_tabs": stage_tabs(found.keys),
        "is_knockout": found.stage["kind"] == "knockout",
        "tables": [
            {
                "pool": table.pool,
                "primary": key_name(primary_key(found.keys, number, table.pool)),
                "rows": shown_rows(table.rows, found.names, found.keys),
            }
            for table in found.tables
        ],
    }
