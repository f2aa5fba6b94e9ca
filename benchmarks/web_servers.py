"""granian against gunicorn, on a Django view that answers at once and one that inserts a row (docs/decisions/0002).

gunicorn isn't among the project's packages: GUNICORN_SITE names a folder that `pip install --target` put it in.
Both serve with one process and four threads; they take turns, so that what else the machine does falls on both.
"""

import os
import socket
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.http_load import Load, load
from tools import guarded, place

SECONDS, ROUNDS, CONNECTIONS, THREADS = 3.0, 5, 16, 4
APP = "benchmarks.small_site:application"


def command(server: str, port: int) -> list[str]:
    if server == "granian":
        options = [
            "--interface",
            "wsgi",
            "--host",
            place.HOST,
            "--port",
            str(port),
            "--no-ws",
            "--log-level",
            "warning",
        ]
        return [sys.executable, "-m", "granian", *options, "--blocking-threads", str(THREADS), APP]
    options = ["--bind", f"{place.HOST}:{port}", "--threads", str(THREADS), "--worker-class", "gthread"]
    return [sys.executable, "-m", "gunicorn", *options, "--keep-alive", "60", "--log-level", "warning", APP]


def resident_mb(pid: int) -> float:
    """Of the process and all below it, as Linux counts shared pages fairly (PSS)."""
    total = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid:
                total += resident_mb(int(folder.name))
        except OSError:
            continue
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return total + next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def wait_until_up(port: int) -> float:
    began = time.perf_counter()
    while time.perf_counter() - began < 30:
        try:
            load(place.HOST, port, "/", connections=1, seconds=0.01)
            return time.perf_counter() - began
        except OSError:
            time.sleep(0.02)
    raise TimeoutError(f"The server on port {port} did not answer in 30 s.")


def behind_slow_clients(port: int) -> float:
    """Seconds until a request is answered while twice as many clients as threads have sent half of theirs."""
    slow = [socket.create_connection((place.HOST, port)) for _ in range(2 * THREADS)]
    try:
        for client in slow:
            client.sendall(b"GET / HTTP/1.1\r\nHost: ")
        time.sleep(0.2)
        began = time.perf_counter()
        with socket.create_connection((place.HOST, port), timeout=10) as quick:
            quick.sendall(f"GET / HTTP/1.1\r\nHost: {place.HOST}\r\n\r\n".encode())
            quick.recv(16)
        return time.perf_counter() - began
    except TimeoutError:
        return float("inf")
    finally:
        for client in slow:
            client.close()


@dataclass(frozen=True)
class Round:
    up_seconds: float
    memory_mb: float
    behind_slow_seconds: float
    loads: dict[str, Load]


def one_round(server: str, env: dict[str, str]) -> Round:
    port = place.free_port()
    running = guarded.start(command(server, port), env=env, cwd=place.ROOT)
    try:
        up = wait_until_up(port)
        loads = {}
        for path in ("/", "/insert"):
            load(place.HOST, port, path, connections=CONNECTIONS, seconds=0.5)
            loads[path] = load(place.HOST, port, path, connections=CONNECTIONS, seconds=SECONDS)
        return Round(up, resident_mb(running.process.pid), behind_slow_clients(port), loads)
    finally:
        running.stop()


def main() -> int:
    site = os.environ.get("GUNICORN_SITE", "")
    servers = ["granian", "gunicorn"] if site else ["granian"]
    if not site:
        print("gunicorn is left out: GUNICORN_SITE names no folder with it.")
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "rows.sqlite3"
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, number REAL)")
        env = {**os.environ, "PYTHONPATH": site, "BENCHMARK_DATABASE": str(database)}
        rounds = [(server, one_round(server, env)) for _ in range(ROUNDS) for server in servers]
    report(servers, rounds)
    return 0


def report(servers: list[str], rounds: list[tuple[str, Round]]) -> None:
    print("server    view      requests/s   p50 ms   p99 ms   failed")
    for server in servers:
        own = [done for name, done in rounds if name == server]
        for path in ("/", "/insert"):
            loads = [done.loads[path] for done in own]
            rate, p50, p99 = (median(getattr(x, name) for x in loads) for name in ("per_second", "p50_ms", "p99_ms"))
            print(f"{server:9} {path:9} {rate:10.0f} {p50:8.2f} {p99:8.2f} {sum(x.failed for x in loads):8d}")
        print(
            f"{server}: up in {median(done.up_seconds for done in own):.2f} s, "
            f"{median(done.memory_mb for done in own):.0f} MB, "
            f"{1000 * median(done.behind_slow_seconds for done in own):.1f} ms behind slow clients (inf: not in 10 s)"
        )


if __name__ == "__main__":
    sys.exit(main())
