"""Saving an answer against a bare one-insert view: same server, same middleware, same database, same minute.

The two take turns, so that what else the machine does falls on both, and the median of the rounds counts.
`--seconds` sets how long each turn takes, `--sqlite` takes a file in the place of PostgreSQL.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from uuid import uuid4

import django
import numpy as np

from tests.faults.crowd.machines import descendants, make_postgres, make_web
from tools import place

LEAST_SHARE, MOST_P99 = 0.6, 1.5
CONNECTIONS = 8
PEOPLE, ITEMS = 100, 20


@dataclass(frozen=True)
class Turn:
    per_second: float
    p50_ms: float
    p99_ms: float
    failed: int
    cpu_ms: float  # of the web processes and the database for each request: a busy machine changes it less


async def answers(reader: asyncio.StreamReader) -> bool:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
    body = await reader.readexactly(length)
    return b'"saved": true' in body


async def connection(port: int, requests: Iterator[bytes], until: float, times: list[float]) -> int:
    reader, writer = await asyncio.open_connection(place.HOST, port)
    failed = 0
    began = 0.0
    while not began or time.perf_counter() < until:
        request = next(requests)
        began = time.perf_counter()
        writer.write(request)
        failed += not await answers(reader)
        times.append(time.perf_counter() - began)
    writer.close()
    return failed


def processor_seconds(pids: list[int]) -> float:
    """What these processes and all below them have used so far."""
    ticks = 0
    for pid in {below for top in pids for below in descendants(top)}:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def turn(port: int, requests: Iterator[bytes], seconds: float, pids: list[int]) -> Turn:
    times: list[float] = []
    used = processor_seconds(pids)
    began = time.perf_counter()
    failed = await asyncio.gather(*(connection(port, requests, began + seconds, times) for _ in range(CONNECTIONS)))
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    took = time.perf_counter() - began
    cpu_ms = (processor_seconds(pids) - used) / len(times) * 1000
    return Turn(len(times) / took, float(p50), float(p99), sum(failed), cpu_ms)


def post(path: str, body: str) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: {place.HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def saves(addresses: list[str]) -> Iterator[bytes]:
    """Everybody answers their first question, then everybody their second …, and then all over again."""
    circumstances = "&response_ms=2100&first_touch_ms=900&moves=3&input_kind=mouse"
    while True:
        for position in range(1, ITEMS + 1):
            for address in addresses:
                key = uuid4()
                yield post(address, f"position={position}&key={key}&number={position * 5}{circumstances}")


def bare() -> Iterator[bytes]:
    while True:
        yield post("/bare", "position=1&number=5")


def people_at_work() -> list[str]:
    """The addresses that their pages save to. Imported late, for the settings name a database that was just made."""
    from annotation.answering.judging import open_assignment
    from annotation.platforms.tokens import Purpose, Token, sign_token
    from tests.factories import a_person, a_small_study

    study = a_small_study(items=ITEMS * 5, judgments_per_item=PEOPLE, items_per_assignment=ITEMS)
    addresses = []
    for _ in range(PEOPLE):
        assignment = open_assignment(participation=a_person(study))
        addresses.append(f"/a/{sign_token(Purpose.ASSIGNMENT, Token(assignment.uuid, assignment.token_version))}/save/")
    return addresses


def environment(url: str, folder: Path) -> dict[str, str]:
    return {
        "DJANGO_SETTINGS_MODULE": "tools.benchmarks.bench_settings",
        "TOUCHSTONE_DATABASE_URL": url,
        "TOUCHSTONE_VAR": str(folder),
        "TOUCHSTONE_SECRET_KEY": "protects nothing but this benchmark, and is long enough for every check",
        "TOUCHSTONE_ALLOWED_HOSTS": place.HOST,
        "TOUCHSTONE_HTTPS_ONLY": "0",
    }


def measure(seconds: float, rounds: int, server: list[int]) -> dict[str, list[Turn]]:
    from django.core.management import call_command
    from django.db import connection as database

    from tools.benchmarks.bare_insert import make_table

    call_command("migrate", verbosity=0, interactive=False)
    make_table()
    port = place.free_port()
    requests = {"bare": bare(), "saving": saves(people_at_work())}
    database.close()
    web = make_web(Path(os.environ["TOUCHSTONE_VAR"]), dict(os.environ), port, workers=2)
    web.start()
    try:
        wait_until_up(port)
        pids = [*server, *([web.running.process.pid] if web.running else [])]
        turns: dict[str, list[Turn]] = {name: [] for name in requests}
        for round_ in range(-1, rounds):  # the first one warms up
            for name, stream in requests.items():
                done = asyncio.run(turn(port, stream, seconds if round_ >= 0 else 1, pids))
                if round_ >= 0:
                    turns[name].append(done)
        return turns
    finally:
        web.stop()


def wait_until_up(port: int) -> None:
    give_up_at = time.monotonic() + 30
    while True:
        try:
            asyncio.run(turn(port, iter([post("/bare", "number=5")] * CONNECTIONS), 0.001, []))
        except (OSError, asyncio.IncompleteReadError):
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.1)
        else:
            return


def report(turns: dict[str, list[Turn]]) -> int:
    print("view      requests/s   p50 ms   p99 ms   processor ms a request   failed")
    middle: dict[str, Turn] = {}
    for name, own in turns.items():
        rate, p50, p99, cpu_ms = (
            median(getattr(one, field) for one in own) for field in ("per_second", "p50_ms", "p99_ms", "cpu_ms")
        )
        middle[name] = Turn(rate, p50, p99, sum(one.failed for one in own), cpu_ms)
        print(f"{name:8} {rate:11.0f} {p50:8.2f} {p99:8.2f} {cpu_ms:24.2f} {middle[name].failed:8d}")
    share = middle["saving"].per_second / middle["bare"].per_second
    p99 = middle["saving"].p99_ms / middle["bare"].p99_ms
    print(f"saving does {share:.2f} of the bare view's requests a second (wanted: {LEAST_SHARE} or more)")
    print(f"saving's p99 is {p99:.2f} times the bare view's (wanted: {MOST_P99} or less)")
    failed = sum(one.failed for one in middle.values())
    return int(share < LEAST_SHARE or p99 > MOST_P99 or failed > 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each turn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sqlite", action="store_true", help="a file in the place of PostgreSQL")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-bs-") as folder:
        postgres = None
        url = f"sqlite:///{folder}/bench.sqlite3"
        if not options.sqlite:
            postgres, url = make_postgres(Path(folder))
        try:
            os.environ.update(environment(url, Path(folder)))
            django.setup()
            server = [postgres.running.process.pid] if postgres and postgres.running else []
            return report(measure(options.seconds, options.rounds, server))
        finally:
            if postgres:
                postgres.stop()


if __name__ == "__main__":
    sys.exit(main())
