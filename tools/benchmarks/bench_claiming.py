"""Claiming twenty places out of a million against claiming them out of a thousand, with fifty people at once.

The same few queries whatever the size, and a p99 at most three times that of the small study. `--items` makes the
large study smaller. The two take turns, so that what else the machine does falls on both.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

import django
import numpy as np

from tests.faults.crowd.machines import make_postgres
from tools.benchmarks.bench_saving import environment

MOST_P99 = 3.0
CLAIMERS, BATCH, TARGET, SMALL = 50, 20, 10, 100


def make_study(slug: str, items: int) -> tuple[int, float]:
    """The study's number, and how long opening its places took."""
    from annotation.models import CheckQuota, Study
    from annotation.studies import presets
    from annotation.studies.item_files import NewItem
    from annotation.studies.study_life import add_items, change_status

    preset = presets.load("spatial-similarity")
    fields = {**preset.study, "slug": slug, "seed": 5, "judgments_per_item": TARGET, "items_per_assignment": BATCH}
    study = Study.objects.create(**{**fields, "assignments_per_worker": 1})
    new: list[NewItem] = [{"item_id": f"i{k}", "fields": {"left": f"a{k}", "right": "b"}} for k in range(items)]
    for name in ("self", "unrelated"):
        CheckQuota.objects.create(study=study, check_name=name, per_assignment=1)
        new += [{"item_id": f"{name}{k}", "kind": "check", "check_name": name} for k in range(10)]
    add_items(study=study, items=new, source="a benchmark")
    began = time.perf_counter()
    change_status(study=study, status=Study.Status.LIVE)
    return study.pk, time.perf_counter() - began


def people(study: int, count: int) -> list[int]:
    from annotation.entry.entering import enter, give_consent
    from annotation.models import Study

    found = Study.objects.get(pk=study)
    came = []
    for number in range(count):
        person = enter(study=found, platform="direct", platform_id=f"{study}-{number}-{time.monotonic_ns()}")
        give_consent(participation=person)
        came.append(person.pk)
    return came


def claims(waiting: list[int], *, at_once: int) -> list[float]:
    """So many at the same time, each on a connection of its own; how many seconds each one's claim took."""
    took: list[float] = []
    for first in range(0, len(waiting), at_once):
        start = threading.Barrier(at_once)
        threads = [threading.Thread(target=claim, args=(pk, start, took)) for pk in waiting[first : first + at_once]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if len(took) != len(waiting):
        raise AssertionError("a claim failed: see above")
    return took


def claim(pk: int, start: threading.Barrier, took: list[float]) -> None:
    from django.db import connection

    from annotation.answering.judging import open_assignment
    from annotation.models import Participation

    person = Participation.objects.select_related("study").get(pk=pk)
    start.wait()
    began = time.perf_counter()
    assignment = open_assignment(participation=person)
    seconds = time.perf_counter() - began
    if assignment.assigned_items.filter(slot__isnull=False).count() == BATCH:
        took.append(seconds)
    connection.close()


def queries(study: int) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from annotation.answering.judging import open_assignment
    from annotation.models import Participation

    person = Participation.objects.select_related("study").get(pk=people(study, 1)[0])
    with CaptureQueriesContext(connection) as captured:
        open_assignment(participation=person)
    return len(captured)


def give_all_back(study: int) -> None:
    """So that the small study has room for the next fifty."""
    from django.utils import timezone

    from annotation.models import Participation
    from annotation.places.allocation import release_places

    for person in Participation.objects.filter(study=study):
        release_places(participation=person, moment=timezone.now())


def measure(items: int, rounds: int) -> int:
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    studies = {}
    for name, size in (("small", SMALL), ("large", items)):
        studies[name], seconds = make_study(name, size)
        print(f"{name}: {size} items, {size * TARGET} places opened in {seconds:.1f} s", flush=True)
    took: dict[str, list[list[float]]] = {name: [] for name in studies}
    alone: dict[str, list[float]] = {name: [] for name in studies}
    asked = {name: queries(study) for name, study in studies.items()}
    for round_ in range(rounds + 1):  # the first one warms up
        for name, study in studies.items():
            give_all_back(studies["small"])
            together = claims(people(study, CLAIMERS), at_once=CLAIMERS)
            give_all_back(studies["small"])
            one_by_one = claims(people(study, 10), at_once=1)
            if round_:
                took[name].append(together)
                alone[name] += one_by_one
    return report(took, alone, asked)


def report(took: dict[str, list[list[float]]], alone: dict[str, list[float]], asked: dict[str, int]) -> int:
    print(f"study    claims   queries   alone ms   {CLAIMERS} at once: p50 ms   p99 ms")
    p99 = {}
    for name, rounds in took.items():
        p50, p99[name] = (median(float(np.percentile(one, q)) * 1000 for one in rounds) for q in (50, 99))
        single = median(alone[name]) * 1000
        print(f"{name:7} {sum(map(len, rounds)):7d} {asked[name]:9d} {single:10.1f} {p50:19.1f} {p99[name]:8.1f}")
    times = p99["large"] / p99["small"]
    print(f"the large study's p99 is {times:.2f} times the small one's (wanted: {MOST_P99} or less)")
    return int(times > MOST_P99 or asked["large"] > asked["small"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000, help="of the large study")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-bc-") as folder:
        postgres, url = make_postgres(Path(folder))
        try:
            os.environ.update(environment(url, Path(folder)))
            django.setup()
            return measure(options.items, options.rounds)
        finally:
            postgres.stop()


if __name__ == "__main__":
    sys.exit(main())
