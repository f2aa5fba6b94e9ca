"""Where `make run` keeps its data and on which port it serves: checked before any work is done."""

import errno
import fcntl
import os
import secrets
import socket
import sysconfig
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"


class Unusable(Exception):
    """Something here must be changed by the person who runs this; the message says what."""


@dataclass(frozen=True)
class Place:
    var: Path
    port: int
    lock: IO[str]

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"

    def is_prepared(self) -> bool:
        """Whether this code's tables are there, so that pages can be served before anything else is done."""
        stamp = self.var / "prepared"
        return stamp.exists() and stamp.read_text() == migrations()

    def note_prepared(self) -> None:
        (self.var / "prepared").write_text(migrations())

    def static_is_collected(self) -> bool:
        """Whether the static files, hashed and compressed, are those of this code and its packages."""
        manifest = self.var / "static" / "staticfiles.json"
        return manifest.exists() and manifest.stat().st_mtime > newest_static()


def migrations() -> str:
    """A digest of the names of all there are and of the database they are for."""
    files = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("*/migrations/0*.py"))
    return sha256("\n".join([os.environ.get("TOUCHSTONE_DATABASE_URL", ""), *files]).encode()).hexdigest()


def newest_static() -> float:
    """When a static file was last changed, removed or installed."""
    own = (ROOT / "static", *(ROOT / "annotation" / "answering" / "kinds").glob("*/static"))
    below = (path for folder in own for path in (folder, *folder.rglob("*")))
    return max(path.stat().st_mtime for path in (*below, Path(sysconfig.get_path("purelib"))))


def find() -> Place:
    port = usable_port(os.environ.get("PORT") or "8000")
    var = Path(os.environ.get("TOUCHSTONE_VAR") or ROOT / "var").resolve()
    try:
        var.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (var / "run.lock").open("a+")
    except OSError as error:
        raise Unusable(
            f"{var} can't be written to ({error.strerror}): name another folder with TOUCHSTONE_VAR=…"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        with lock:
            lock.seek(0)
            holder = lock.read().strip() or "another process"
        raise Unusable(
            f"Touchstone already runs on {var} ({holder}): use that one, stop it first, or name another folder "
            "with TOUCHSTONE_VAR=…"
        ) from None
    try:
        check_free(port)
    except Unusable:
        lock.close()
        raise
    lock.truncate(0)
    lock.write(f"process {os.getpid()}, http://{HOST}:{port}/")
    lock.flush()
    return Place(var, port, lock)


def example(port: int) -> str:
    """How the port is chosen, for whoever started this: `make run` or the installed command."""
    return f"touchstone run --port {port}" if os.environ.get("TOUCHSTONE_PROGRAM") else f"make run PORT={port}"


def usable_port(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and 0 < int(word) < 65536):
        raise Unusable(f"PORT is '{word}': write a whole number from 1 to 65535, for example {example(8001)}.")
    return int(word)


def check_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            if error.errno == errno.EACCES:
                raise Unusable(
                    f"Port {port} needs an administrator's rights: choose one above 1023, for example {example(8001)}."
                ) from None
            raise Unusable(f"Port {port} is taken: choose another, for example {example(free_port())}.") from None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def secret_key(var: Path) -> str:
    """The key of this folder's sessions: made once, readable by its owner alone."""
    path = var / "secret-key"
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    key = path.read_text().strip()
    if len(key) < 50:  # a full disk or a crash can leave half a key
        path.unlink()
        return secret_key(var)
    return key
