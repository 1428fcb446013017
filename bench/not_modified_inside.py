"""Run by bench.not_modified in a process of its own, on an empty database; prints what it found as JSON."""

import json

import django

django.setup()

from django.urls import reverse  # noqa: E402 — Django is set up above

from bench.asking import Ask, Server, median, medians_of_runs, ratio  # noqa: E402
from bench.read_site import made  # noqa: E402
from bench.servers import gunicorn  # noqa: E402
from bench.yardstick import ETAG  # noqa: E402

RUNS, EACH = 7, 20
BARE = "bare view"


def main() -> None:
    """Ask for each once, then again with the ETag that came."""
    site = made()
    slug = site.championship.slug
    lists = {
        "list of entries": f"{reverse('api-entries', args=(slug,))}?limit=100",
        "list of parties": f"{reverse('api-parties', args=(slug,))}?limit=100",
        "ranking": f"{reverse('api-ranking', args=(slug,))}?limit=100",
        "partie": reverse("api-partie", args=(slug, 1)),
        "entry": reverse("api-entry", args=(slug, 1)),
    }
    wanted = {name: (place, site.reader) for name, place in lists.items()}
    wanted["list of entries, by its organiser"] = (lists["list of entries"], site.organiser)
    asks = {BARE: Ask("/bare/known", site.reader | {"If-None-Match": ETAG}, status=304)}
    with gunicorn() as port:
        server = Server(port)
        for name, (place, headers) in wanted.items():
            etag = server.ask(Ask(place, headers)).headers["ETag"]
            asks[name] = Ask(place, headers | {"If-None-Match": etag}, status=304)
            asks[f"{name}, 200"] = Ask(place, headers)
        runs = medians_of_runs(server, asks, runs=RUNS, each=EACH)
    names = [name for name in asks if name in wanted]
    found = {
        "medians": {name: median(runs, name) for name in asks},
        "ratios": {name: ratio(runs, name, BARE) for name in names},
        "saved": {name: ratio(runs, name, f"{name}, 200") for name in names},
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
