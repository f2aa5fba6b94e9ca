"""How fast the API takes items in, gives judgments page by page, and exports, each beside the plain way of doing it.

python -m benchmarks.api_speed                       # a throwaway PostgreSQL: items against COPY
python -m benchmarks.api_speed --database big.sqlite3 --study big   # pages and exports of a large study
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django

PAGES_TIMED = 12


@contextmanager
def timed(found: dict[str, float], name: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    found[name] = time.perf_counter() - began


def expect(found: object, expected: object) -> None:
    if found != expected:
        sys.exit(f"{found} instead of {expected}: what is timed is not what is meant")


def set_up(url: str, folder: str) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TOUCHSTONE_VAR": folder,
        "TOUCHSTONE_DATABASE_URL": url,
        "TOUCHSTONE_SECRET_KEY": "a benchmark's key, which guards nothing at all and is long enough",
        "TOUCHSTONE_ALLOWED_HOSTS": "testserver",
        "TOUCHSTONE_HTTPS_ONLY": "0",
        "TOUCHSTONE_API_READS_PER_MINUTE": "1000000",
    }
    django.setup()


def items(rows: int) -> dict[str, float]:
    """Seconds of the API's import (the request and its job) and of a bare COPY of as many rows into the same table."""
    from annotation import tasks  # noqa: F401 - where the import of items is registered
    from annotation.database.bulk import insert_rows
    from annotation.jobs import run_next
    from annotation.models import Item, Study, User
    from tests.factories import a_small_study
    from tests.integration.annotation.api.scripts import Script

    script = Script(User.objects.create_user("owner", is_staff=True))
    study = a_small_study(items=1, live=False, owner=script.token.user)
    body = "item_id,left,right,scene\n" + "".join(f"item-{k},word {k},other {k},room {k % 40}\n" for k in range(rows))
    found: dict[str, float] = {}
    with timed(found, "the API"):
        path = f"studies/{study.slug}/items/import/"
        answer = script.ask("POST", path, body.encode(), content_type="text/csv")
        expect(answer.status_code, 202)
        run_next()
    expect(script.get(answer.headers["Location"]).json()["status"], "done")
    expect(study.items.count(), rows + 1)
    bare = Study.objects.create(slug="bare", title="x", kind="text", question="x", owner=script.token.user)
    with timed(found, "COPY"):
        insert_rows(Item, *rows_of(bare, rows))
    return found


def rows_of(study: Any, rows: int) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    from uuid import uuid4

    from django.db import connection

    columns = ["uuid", "study_id", "item_id", "position", "kind", "fields", "reference"]
    as_text = connection.vendor == "sqlite"

    def made() -> Iterator[tuple[Any, ...]]:
        for k in range(rows):
            fields = json.dumps({"left": f"word {k}", "right": f"other {k}", "scene": f"room {k % 40}"})
            uuid = uuid4()
            yield (uuid.hex if as_text else uuid, study.pk, f"item-{k}", k + 1, "target", fields, "")

    return columns, made()


def pages(slug: str) -> dict[str, float]:
    """Milliseconds of a page of 1,000 judgments at the beginning, in the middle and near the end."""
    from annotation.api.pages import cursor_text
    from annotation.models import Judgment, Study
    from tests.integration.annotation.api.scripts import Script

    study = Study.objects.get(slug=slug)
    script = Script(owner_of(study), ["read"])
    last = Judgment.objects.order_by("-pk").values_list("pk", flat=True)[0]
    found = {}
    for name, share in (("first page", 0.0), ("middle", 0.5), ("near the end", 0.98)):
        times = []
        for k in range(PAGES_TIMED):
            start = cursor_text(int(last * share) + k * 1_000)
            began = time.perf_counter()
            answer = script.get(f"studies/{slug}/judgments/?limit=1000&cursor={start}")
            times.append(time.perf_counter() - began)
            expect(len(answer.json()["results"]), 1_000)
        found[name] = 1000 * statistics.median(times)
    return found


def owner_of(study: Any) -> Any:
    from annotation.models import User

    return study.owner or User.objects.filter(is_superuser=True).first() or User.objects.create_superuser("bench")


def exports(slug: str) -> dict[str, float]:
    """Rows a second of judgments.csv, by the function that `manage.py export` streams and through the API."""
    from annotation.models import Study
    from annotation.releases.exports.export_choice import stream
    from tests.integration.annotation.api.scripts import Script

    study, found = Study.objects.get(slug=slug), {}
    began = time.perf_counter()
    rows = sum(piece.count(b"\n") for piece in stream(study, "judgments", release=None))
    found["export"] = rows / (time.perf_counter() - began)
    script = Script(owner_of(study), ["read"])
    began = time.perf_counter()
    answer = script.get(f"studies/{slug}/exports/judgments/")
    through = sum(piece.count(b"\n") for piece in answer.streaming_content)
    found["API"] = through / (time.perf_counter() - began)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--database", type=Path, help="an SQLite file with a large study, instead of items")
    parser.add_argument("--study", default="big")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-as-") as folder:
        if options.database is not None:
            set_up(f"sqlite:///{options.database.resolve()}", folder)
            from django.core.management import call_command

            call_command("migrate", verbosity=0, interactive=False)
            for name, ms in pages(options.study).items():
                print(f"{name:14} {ms:8.1f} ms a page of 1,000 judgments")
            for name, rate in exports(options.study).items():
                print(f"{name:14} {rate:8,.0f} rows a second of judgments.csv")
            return 0
        from tests.services.postgres import throwaway_postgres

        with throwaway_postgres() as url:
            set_up(url, folder)
            from django.core.management import call_command

            call_command("migrate", verbosity=0, interactive=False)
            found = items(options.rows)
            for name, seconds in found.items():
                print(f"{name:8} {seconds:6.2f} s, {options.rows / seconds:9,.0f} items a second")
            print(f"the API has {found['COPY'] / found['the API']:.2f} of COPY's rows a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
