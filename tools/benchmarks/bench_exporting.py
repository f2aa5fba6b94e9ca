"""Exporting judgments: rows a second and memory, beside psql's copy of the same columns, rows and order.

The command and the API's answer, on a throwaway PostgreSQL; with `--sqlite` beside the `sqlite3` program. They take
turns, so that what else the machine does falls on all, and the best round of each counts. Processor seconds are those
of the client and of the server together.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

from tests.faults.crowd.machines import descendants, make_postgres
from tools.benchmarks.bench_saving import environment
from tools.benchmarks.process_memory import run_watched

LEAST_SHARE, LEAST_OF_API, MOST_MB = 0.7, 0.7, 150
SLUG = "big"

# What somebody would write by hand who wants the file that the export writes.
SAME = """
WITH mine AS (
    SELECT j.id, j.number, j.response_ms, j.created_at, a.assignment_id, a.participation_id, a.item_id
    FROM annotation_judgment j
    JOIN annotation_assigneditem a ON a.id = j.assigned_item_id
    JOIN annotation_item i ON i.id = a.item_id
    JOIN annotation_participation p ON p.id = a.participation_id
    WHERE i.study_id = 1 AND j.number IS NOT NULL AND i.kind <> 'practice' AND (NOT j.is_late OR i.kind = 'check')
        AND NOT p.is_pilot
        AND p.status NOT IN ('declined', 'failed-comprehension', 'returned', 'timed-out', 'rejected', 'withdrawn')
        AND NOT EXISTS (
            SELECT 1 FROM annotation_judgment l
            WHERE l.assigned_item_id = j.assigned_item_id AND l.revision > j.revision
        )
), numbered AS (
    SELECT a.id, row_number() OVER (ORDER BY a.id) AS number, a.items_per_page, a.claimed_at
    FROM annotation_assignment a JOIN annotation_participation p ON p.id = a.participation_id WHERE p.study_id = 1
), ended AS (SELECT assignment_id, max(created_at) AS last FROM mine GROUP BY 1)
SELECT p.pseudonym AS worker_id, i.item_id, m.number AS value, i.kind, i.check_name AS "check", m.response_ms,
    {minute} AS submitted_at, n.number AS assignment_id, CASE WHEN x.id IS NULL THEN 1 ELSE 0 END AS kept, x.reason,
    {took} AS server_ms, n.items_per_page
FROM mine m
JOIN annotation_participation p ON p.id = m.participation_id
JOIN annotation_item i ON i.id = m.item_id
JOIN numbered n ON n.id = m.assignment_id
JOIN ended e ON e.assignment_id = m.assignment_id
LEFT JOIN agreement_exclusion x ON x.participation_id = p.id AND x.lifted_at IS NULL
ORDER BY m.id
"""
POSTGRESQL = {
    "minute": "to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI\"Z\"')",
    "took": "round(extract(epoch FROM e.last - n.claimed_at) * 1000)",
}
SQLITE = {
    "minute": "strftime('%Y-%m-%dT%H:%MZ', m.created_at)",
    "took": "round((julianday(e.last) - julianday(n.claimed_at)) * 86400000)",
}


@dataclass(frozen=True)
class Turn:
    seconds: float
    processor_seconds: float
    peak_mb: float


def ran(command: list[str], server: list[int]) -> Turn:
    """A command from its start to its end; memory is its own."""
    before = processor_seconds(server)
    run = run_watched(command)
    time.sleep(0.2)  # its server process ends, and is counted
    return Turn(run.seconds, run.processor_seconds + processor_seconds(server) - before, run.peak_mb)


def processor_seconds(server: list[int]) -> float:
    """Of the database's processes, with those that have ended."""
    ticks = 0
    for pid in {below for top in server for below in descendants(top)}:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def through_the_api(server: list[int]) -> Turn:
    """In this process, as a web server's: begun when the request is."""
    from annotation.models import Study, User
    from tests.integration.annotation.api.scripts import Script

    study = Study.objects.get(slug=SLUG)
    script = Script(study.owner or User.objects.filter(is_superuser=True).first() or _somebody(), ["read"])
    before, began, used = processor_seconds(server), time.perf_counter(), time.process_time()
    answer = script.get(f"studies/{SLUG}/exports/judgments/")
    for _ in answer.streaming_content:
        pass
    took, used = time.perf_counter() - began, time.process_time() - used
    time.sleep(0.2)
    return Turn(took, used + processor_seconds(server) - before, 0.0)


def _somebody() -> Any:
    from annotation.models import User

    return User.objects.create_superuser("bench")


def by_hand(url: str, folder: Path) -> list[str]:
    out = folder / "by-hand.csv"
    if url.startswith("sqlite"):
        script = folder / "by-hand.sql"
        script.write_text(f".mode csv\n.headers on\n.once {out}\n{' '.join(SAME.format(**SQLITE).split())};\n")
        return [shutil.which("sqlite3") or "sqlite3", "-init", str(script), url.removeprefix("sqlite:///"), ".exit"]
    return ["psql", "-q", url, "-c", f"\\copy ({' '.join(SAME.format(**POSTGRESQL).split())}) TO '{out}' CSV HEADER"]


def measure(url: str, folder: Path, server: list[int], rounds: int) -> dict[str, Turn]:
    command = [sys.executable, "manage.py", "export", SLUG, "judgments", "--out"]
    turns: dict[str, Callable[[], Turn]] = {
        "by hand": lambda: ran(by_hand(url, folder), server),
        "export": lambda: ran([*command, str(folder / "out.csv")], server),
        "as JSON Lines": lambda: ran([*command, str(folder / "out.jsonl")], server),
        "API": lambda: through_the_api(server),
    }
    found: dict[str, list[Turn]] = {name: [] for name in turns}
    for _ in range(rounds):
        for name, turn in turns.items():
            found[name].append(turn())
    return {
        name: Turn(
            min(one.seconds for one in own), min(one.processor_seconds for one in own), max(one.peak_mb for one in own)
        )
        for name, own in found.items()
    }


def report(found: dict[str, Turn], rows: int) -> int:
    print("                  rows/s   seconds   processor seconds   peak MB")
    for name, turn in found.items():
        memory = f"{turn.peak_mb:9.0f}" if turn.peak_mb else ""
        print(f"{name:14} {rows / turn.seconds:9,.0f} {turn.seconds:9.2f} {turn.processor_seconds:19.2f} {memory}")
    hand, export, api = found["by hand"], found["export"], found["API"]
    share, of_api = hand.seconds / export.seconds, export.seconds / api.seconds
    print(f"the command has {share:.2f} of the rows a second by hand (wanted: {LEAST_SHARE} or more), and takes")
    print(f"{export.processor_seconds / hand.processor_seconds:.2f} times the processors' time")
    print(f"the API has {of_api:.2f} of the command's rows a second (wanted: {LEAST_OF_API} or more)")
    return int(share < LEAST_SHARE or of_api < LEAST_OF_API or export.peak_mb > MOST_MB)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judgments", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sqlite", action="store_true", help="a file in the place of PostgreSQL; nothing is promised")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-be-") as name:
        folder, postgres = Path(name), None
        url = f"sqlite:///{folder}/bench.sqlite3"
        if not options.sqlite:
            postgres, url = make_postgres(folder)
        try:
            os.environ |= {**environment(url, folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
            os.environ |= {"TOUCHSTONE_ALLOWED_HOSTS": "testserver"}
            django.setup()
            from django.core.management import call_command
            from django.db import connection

            from tools.benchmarks.big_study import make_study

            call_command("migrate", verbosity=0, interactive=False)
            rows = make_study(SLUG, options.judgments)
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
            server = [postgres.running.process.pid] if postgres and postgres.running else []
            missed = report(measure(url, folder, server, options.rounds), rows)
            return 0 if options.sqlite else missed
        finally:
            if postgres:
                postgres.stop()


if __name__ == "__main__":
    sys.exit(main())
