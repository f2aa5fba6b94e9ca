"""How long an answer waits on SQLite while a large file of items comes in: in one transaction, and by chunks.

The import runs in a process of its own, as `manage.py import_items` does, and the saves in this one.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import django
from django.db import OperationalError

MOST_WAIT_SECONDS = 1.0  # where nothing else keeps the machine busy


def import_items(slug: str, rows: int, *, at_once: bool) -> None:
    django.setup()
    from annotation.models import Study
    from annotation.studies import study_life
    from annotation.studies.item_files import NewItem

    if at_once:
        study_life.AT_ONCE = rows + 1
    items: list[NewItem] = [
        {"item_id": f"{'once' if at_once else 'chunk'}-{k}", "fields": {"left": f"a{k}", "right": f"b{k}"}}
        for k in range(rows)
    ]
    study_life.add_items(study=Study.objects.get(slug=slug), items=items, source="a benchmark")


def longest_wait(rows: int, *, at_once: bool) -> tuple[float, float, int]:
    """Seconds of the longest save, seconds of the whole import, and how many saves there were."""
    from annotation.answering.judging import open_assignment
    from tests.factories import a_person, a_small_study, an_answer

    study = a_small_study(items=10, judgments_per_item=1000, items_per_assignment=10)
    assignments = [open_assignment(participation=a_person(study)) for _ in range(40)]
    draft = a_small_study(items=1, live=False)
    spawn = multiprocessing.get_context("spawn")
    process = spawn.Process(target=import_items, args=(draft.slug, rows), kwargs={"at_once": at_once})
    began = time.perf_counter()
    process.start()
    waits: list[float] = []
    while process.is_alive():
        for assignment in assignments:
            for position in range(1, 11):
                if process.is_alive():
                    asked = time.perf_counter()
                    with suppress(OperationalError):  # the database is locked: it waited for 20 s in vain
                        an_answer(assignment, position)
                    waits.append(time.perf_counter() - asked)
                    time.sleep(0.1)
    process.join()
    return max(waits), time.perf_counter() - began, len(waits)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-bi-") as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TOUCHSTONE_VAR": folder,
            "TOUCHSTONE_DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
        }
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0, interactive=False)
        waits = {}
        for name, at_once in (("one transaction", True), ("chunks", False)):
            waits[name], took, saves = longest_wait(options.rows, at_once=at_once)
            print(f"{name:16} longest save {waits[name]:6.2f} s of {saves:4d}; the import took {took:5.1f} s")
        return int(waits["chunks"] > MOST_WAIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
