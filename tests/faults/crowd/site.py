"""A whole site of real processes: web, worker, broker and database, each of which can be killed and started again."""

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.crowd.machines import Machine, make_postgres, make_valkey, make_web, make_worker
from tools import place

Server = tuple[str, str, int]


@dataclass
class Site:
    folder: Path
    env: dict[str, str]
    machines: dict[str, Machine]
    servers: list[Server]
    data: Path  # where the database keeps its files
    faults: Counter[str] = field(default_factory=Counter)

    def scene(self, *arguments: object) -> dict[str, Any]:
        command = [sys.executable, "-m", "tests.faults.crowd.scene", *map(str, arguments)]
        done = subprocess.run(command, env=self.env, cwd=place.ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(f"{arguments}: {done.stderr[-2000:]}")
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer

    def kill_one(self, rng: random.Random, down_for: float) -> threading.Thread | None:
        """Kills a machine that is up, -9, and starts it again after a while; the thread ends when it has."""
        up = sorted(name for name, machine in self.machines.items() if machine.running is not None)
        if not up:
            return None
        machine = self.machines[rng.choice(up)]
        machine.kill()
        self.faults[machine.name] += 1

        def revive() -> None:
            time.sleep(down_for)
            machine.start()

        thread = threading.Thread(target=revive)
        thread.start()
        return thread

    def logs(self) -> str:
        return "\n".join(
            f"--- {log.name}\n{log.read_text(errors='replace')[-3000:]}" for log in self.folder.glob("*.log")
        )


def environment(folder: Path, database: str, broker: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOUCHSTONE_", "DJANGO_"))}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TOUCHSTONE_DATABASE_URL": database,
        "TOUCHSTONE_BROKER_URL": broker,
        "TOUCHSTONE_VAR": str(folder),
        "TOUCHSTONE_SECRET_KEY": "known to everyone, for it protects nothing but these tests",
        "TOUCHSTONE_ALLOWED_HOSTS": place.HOST,
        "TOUCHSTONE_HTTPS_ONLY": "0",
        "TOUCHSTONE_SWEEP_SECONDS": "1",
        "TOUCHSTONE_JOB_SILENCE_SECONDS": "5",
    }


@contextmanager
def running_site(vendor: str, app: str = "config.rsgi") -> Iterator[Site]:
    """PostgreSQL, Valkey and two web processes; or SQLite, the broker that needs no server, and one."""
    with tempfile.TemporaryDirectory(prefix="ts-cr-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL runs as another user and passes through
        machines: dict[str, Machine] = {}
        try:
            if vendor == "postgresql":
                own = folder / "pg"
                own.mkdir()
                machines["postgres"], database = make_postgres(own)
                port = place.free_port()
                machines["broker"] = make_valkey(folder, port)
                env = environment(folder, database, f"redis://{place.HOST}:{port}/0")
            else:
                (folder / "data").mkdir()
                env = environment(folder, f"sqlite:///{folder / 'data' / 'crowd.sqlite3'}", "filesystem://localhost")
            webs = {f"web{k}": place.free_port() for k in range(1, 3 if vendor == "postgresql" else 2)}
            for web, port in webs.items():
                machines[web] = make_web(folder, env, port, name=web, app=app)
            machines["worker"] = make_worker(folder, env)
            servers = [("http", place.HOST, port) for port in webs.values()]
            site = Site(folder, env, machines, servers, folder / ("pg" if vendor == "postgresql" else "data"))
            site.scene("migrate")
            for machine in machines.values():
                if machine.running is None:
                    machine.start()
            yield site
        finally:
            for machine in reversed(machines.values()):
                machine.stop()
