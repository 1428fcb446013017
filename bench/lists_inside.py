"""Run by bench.lists in a process of its own, on an empty database; prints what it found as JSON."""

import json

import django

django.setup()

from django.urls import reverse  # noqa: E402 — Django is set up above

from bench.asking import Ask, Server, median, medians_of_runs, ratio  # noqa: E402
from bench.read_site import Read, made  # noqa: E402
from bench.servers import gunicorn  # noqa: E402
from bench.yardstick import LISTED  # noqa: E402

RUNS, EACH = 5, 8
SIZES = (20, 100)
CSV = {"Accept": "text/csv"}


def places(site: Read) -> dict[str, str]:
    """The address of each list."""
    slug = site.championship.slug
    return {
        "entries": reverse("api-entries", args=(slug,)),
        "parties": reverse("api-parties", args=(slug,)),
        "manches": reverse("api-manches", args=(slug,)),
        "players": reverse("api-players"),
        "changes": reverse("api-championship-changes", args=(slug,)),
    }


def pairs(site: Read) -> dict[str, tuple[Ask, Ask]]:
    """What is measured, by its name, each with its yardstick."""
    found = {}
    for kind, place in places(site).items():
        for size in SIZES:
            listed, bare = f"{place}?limit={size}", f"/bare/{kind}"
            if kind == "changes":
                with_data, listed = listed, f"{listed}&data=false"
                yardstick = Ask(f"{bare}?limit={size}", site.reader)
                found[f"changes with data, {size}, JSON"] = (Ask(with_data, site.reader), yardstick)
            found[f"{kind}, {size}, JSON"] = (Ask(listed, site.reader), Ask(f"{bare}?limit={size}", site.reader))
            if kind != "changes":
                found[f"{kind}, {size}, CSV"] = (
                    Ask(listed, site.reader | CSV),
                    Ask(f"{bare}/csv?limit={size}", site.reader),
                )
    return found


def main() -> None:
    """Measure every list beside its yardstick."""
    site = made()
    assert LISTED.keys() == places(site).keys()
    medians, ratios = {}, {}
    with gunicorn() as port:
        server = Server(port)
        for name, (listed, bare) in pairs(site).items():
            _check(name, server.ask(listed).body)
            runs = medians_of_runs(server, {name: listed, "bare": bare}, runs=RUNS, each=EACH)
            medians[name], medians[f"{name}, bare"] = median(runs, name), median(runs, "bare")
            ratios[name] = ratio(runs, name, "bare")
    print(json.dumps({"medians": medians, "ratios": ratios}))


def _check(name: str, body: bytes) -> None:
    """That a list has as many lines as it is measured for."""
    _kind, size, form = name.split(", ")
    count = len(json.loads(body)["items"]) if form == "JSON" else len(body.splitlines()) - 1
    if count != int(size):
        raise RuntimeError(f"{name}: {count} lines")


if __name__ == "__main__":
    main()
