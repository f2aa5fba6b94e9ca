"""Saving an answer through the reading front (docs/decisions/0014) against the same site on the server's bare WSGI.

Both stand on one PostgreSQL at the same time, with as many processes and threads, and take turns, so that what else the
machine does falls on both.
"""

import argparse
import asyncio
import os
import socket
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import django

from tests.faults.crowd.machines import Machine, make_postgres, make_web
from tools import place
from tools.benchmarks.bench_saving import Turn, environment, people_at_work, saves, turn, wait_until_up

LEAST_SHARE = 0.9
HALF_SENT = 6
INTERFACES = {"wsgi": "config.wsgi", "front": "config.rsgi"}


def seconds_behind_half_sent(port: int) -> float:
    """Until a sign of life comes while so many clients have sent half of a body; inf where it takes over 5 s."""
    slow = [socket.create_connection((place.HOST, port)) for _ in range(HALF_SENT)]
    try:
        for client in slow:
            head = f"POST /bare HTTP/1.1\r\nHost: {place.HOST}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            client.sendall(f"{head}Cookie: csrftoken={'x' * 32}\r\nContent-Length: 900\r\n\r\nnumber=".encode())
        time.sleep(0.3)
        began = time.perf_counter()
        with socket.create_connection((place.HOST, port), timeout=5) as quick:
            quick.sendall(f"GET /health HTTP/1.1\r\nHost: {place.HOST}\r\n\r\n".encode())
            quick.recv(16)
        return time.perf_counter() - began
    except TimeoutError:
        return float("inf")
    finally:
        for client in slow:
            client.close()


def measure(seconds: float, rounds: int, workers: int) -> tuple[dict[str, list[Turn]], dict[str, float]]:
    from django.core.management import call_command
    from django.db import connection as database

    from tools.benchmarks.bare_insert import make_table

    call_command("migrate", verbosity=0, interactive=False)
    make_table()
    requests = saves(people_at_work())
    database.close()
    folder = Path(os.environ["TOUCHSTONE_VAR"])
    webs: dict[str, tuple[int, Machine]] = {}
    try:
        for name, app in INTERFACES.items():
            port = place.free_port()
            webs[name] = port, make_web(folder, dict(os.environ), port, name=name, workers=workers, app=app)
            webs[name][1].start()
            wait_until_up(port)
        turns: dict[str, list[Turn]] = {name: [] for name in webs}
        for round_ in range(-1, rounds):  # the first one warms up
            for name, (port, web) in webs.items():
                pids = [web.running.process.pid] if web.running else []
                done = asyncio.run(turn(port, requests, seconds if round_ >= 0 else 1, pids))
                if round_ >= 0:
                    turns[name].append(done)
        return turns, {name: seconds_behind_half_sent(port) for name, (port, _) in webs.items()}
    finally:
        for _, web in webs.values():
            web.stop()


def report(turns: dict[str, list[Turn]], behind: dict[str, float]) -> int:
    print("server   requests/s   p50 ms   p99 ms   processor ms a request   failed   s behind half-sent bodies")
    rates = {}
    for name, own in turns.items():
        rate, p50, p99, cpu = (
            median(getattr(x, key) for x in own) for key in ("per_second", "p50_ms", "p99_ms", "cpu_ms")
        )
        rates[name] = rate
        failed = sum(one.failed for one in own)
        print(f"{name:8} {rate:10.0f} {p50:8.2f} {p99:8.2f} {cpu:24.2f} {failed:8d} {behind[name]:12.3f}")
    share = median(one.per_second / other.per_second for one, other in zip(turns["front"], turns["wsgi"], strict=True))
    print(f"the front does {share:.2f} of bare WSGI's requests a second (wanted: {LEAST_SHARE} or more)")
    return int(share < LEAST_SHARE or behind["front"] > 1 or any(x.failed for own in turns.values() for x in own))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each turn")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--workers", type=int, default=1, help="processes of each server")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ts-bf-") as folder:
        postgres, url = make_postgres(Path(folder))
        try:
            os.environ.update(environment(url, Path(folder)))
            django.setup()
            return report(*measure(options.seconds, options.rounds, options.workers))
        finally:
            postgres.stop()


if __name__ == "__main__":
    sys.exit(main())
