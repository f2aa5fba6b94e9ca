"""The processes of a site, each of which can be killed without warning and started again on what it left behind."""

import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from tests.services.errors import ServiceMissing
from tests.services.postgres import binaries, give_to, owner
from tests.services.valkey import binary as valkey_binary
from tools import guarded, place

START_SECONDS = 60
# As in production: what was committed is on the disk.
POSTGRES = {"listen_addresses": "", "shared_buffers": "64MB", "max_connections": "100", "timezone": "UTC"}


@dataclass
class Machine:
    """One process under the guard, which ends it when these tests end, however they do."""

    name: str
    command: Sequence[str | Path]
    env: Mapping[str, str]
    folder: Path
    user: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    running: guarded.Guarded | None = field(default=None, init=False)

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    def start(self) -> None:
        with self.log.open("ab") as output:
            self.running = guarded.start(
                self.command, env=self.env, cwd=place.ROOT, output=output, user=self.user, stop=self.stop_signal
            )

    def kill(self) -> None:
        """-9 for the process and all that it started, which then have no time to say or save anything."""
        if self.running is None:
            return
        for pid in descendants(self.running.process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.stop()

    def stop(self) -> None:
        if self.running is not None:
            self.running.stop()
            self.running = None


def descendants(pid: int) -> list[int]:
    """All processes below this one, the nearest first, as /proc tells."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        parents.setdefault(parent, []).append(int(folder.name))
    found, waiting = [], [pid]
    while waiting:
        waiting = [child for parent in waiting for child in parents.get(parent, [])]
        found += waiting
    return found


def make_postgres(folder: Path, **settings: str) -> tuple[Machine, str]:
    """A PostgreSQL with its files in `folder` (short: a socket's path may have 107 bytes), started, and its address."""
    whom = owner()
    found = binaries(whom, folder)
    give_to(whom, folder)
    clean = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
    options = ["-U", "touchstone", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
    made = whom.run([found / "initdb", "-D", folder / "data", *options], folder, clean)
    if made.returncode:
        raise ServiceMissing(f"PostgreSQL could not make its files in {folder}: {made.stderr.strip()}")
    command: list[str | Path] = [found / "postgres", "-D", folder / "data", "-k", folder]
    for name, value in {**POSTGRES, **settings}.items():
        command += ["-c", f"{name}={value}"]
    machine = Machine("postgres", command, clean, folder, user=whom.name, stop_signal=signal.SIGINT)
    machine.start()
    url = f"postgresql://touchstone@/touchstone?host={folder}"
    wait_for_postgres(url.replace("/touchstone?", "/postgres?"), "CREATE DATABASE touchstone")
    return machine, url


def wait_for_postgres(url: str, statement: str = "SELECT 1") -> None:
    give_up_at = time.monotonic() + START_SECONDS
    while True:
        try:
            with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
                connection.execute(statement)
                return
        except psycopg.OperationalError as error:
            if time.monotonic() > give_up_at:
                raise ServiceMissing(f"PostgreSQL did not start in {START_SECONDS} s: {error}") from None
            time.sleep(0.05)


def make_web(
    folder: Path, env: Mapping[str, str], port: int, *, name: str = "web", workers: int = 1, app: str = "config.rsgi"
) -> Machine:
    """The web server as `make run` starts it (tools/launch.py); bare WSGI where the application is one."""
    interface = ["wsgi", "--blocking-threads", "4"] if app.endswith("wsgi") else ["rsgi", "--runtime-mode", "st"]
    options = ["--interface", *interface, "--host", place.HOST, "--port", str(port), "--workers", str(workers)]
    options += ["--no-ws", "--log-level", "warning", f"{app}:application"]
    return Machine(name, [sys.executable, "-m", "granian", *options], env, folder)


def make_worker(folder: Path, env: Mapping[str, str]) -> Machine:
    celery = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "--app", "config"]
    options = ["worker", "--pool", "solo", "--beat", "--scheduler", "celery.beat:Scheduler", "--loglevel", "WARNING"]
    options += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return Machine("worker", [*celery, *options], env, folder)


def make_valkey(folder: Path, port: int) -> Machine:
    options = ["--bind", place.HOST, "--port", str(port), "--save", "", "--appendonly", "no", "--dir", str(folder)]
    return Machine("broker", [valkey_binary(), *options], dict(os.environ), folder)
