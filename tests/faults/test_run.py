"""`make run` with real processes: it comes up, mends itself, keeps its data, and leaves nothing behind."""

import gzip
import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.services.fixtures import wait_for
from tools import place

pytestmark = [pytest.mark.faults, pytest.mark.sqlite]  # it makes its own database
LONG_ENOUGH = 240  # seconds: what is waited for comes within ten on a quiet machine


class Run:
    """One start of the launcher, and all processes that it started."""

    def __init__(self, var: Path, port: int) -> None:
        self.log = var.with_suffix(".log")
        self.port = port
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOUCHSTONE_", "DJANGO_"))}
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tools.launch"],
                cwd=place.ROOT,
                env={**kept, "TOUCHSTONE_VAR": str(var), "PORT": str(port)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                # As a shell starts a job in the background.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),  # noqa: PLW1509
            )

    def said(self) -> str:
        return self.log.read_text()

    def wait_until_ready(self) -> None:
        wait_for(lambda: "Ready at" in self.said(), seconds=LONG_ENOUGH, what=f"ready, as told in {self.log}")

    def family(self, word: str = "") -> list[int]:
        """The processes that have this run's port in their environment and the word in their command."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                ours = f"PORT={self.port}".encode() in (folder / "environ").read_bytes().split(b"\0")
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if ours and word in command and "guard.py" not in command:
                found.append(int(folder.name))
        return found

    def answers(self) -> bool:
        with closing(http.client.HTTPConnection(place.HOST, self.port, timeout=10)) as connection:
            try:
                connection.request("GET", "/")
                return connection.getresponse().status == http.HTTPStatus.OK
            except (OSError, http.client.HTTPException):
                return False

    def nobody_is_left(self) -> bool:
        return not self.family()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], Run]]:
    runs: list[Run] = []
    port = place.free_port()

    def start_one() -> Run:
        runs.append(Run(tmp_path / "var", port))
        return runs[-1]

    yield start_one
    for run in runs:
        run.process.kill()
        run.process.wait()
    for run in runs:
        wait_for(run.nobody_is_left, seconds=LONG_ENOUGH, what="no process left behind")


def compressed(run: Run, address: str) -> bytes:
    """What a browser gets, which must come compressed."""
    with closing(http.client.HTTPConnection(place.HOST, run.port, timeout=10)) as connection:
        connection.request("GET", address, headers={"Accept-Encoding": "gzip"})
        reply = connection.getresponse()
        assert (reply.status, reply.getheader("Content-Encoding")) == (http.HTTPStatus.OK, "gzip")
        return gzip.decompress(reply.read())


def test_run_comes_up_mends_itself_keeps_its_data_and_leaves_nothing(start: Callable[[], Run]) -> None:
    first = start()
    first.wait_until_ready()
    assert first.answers()
    assert re.search(r"This gold is .*\nNext: .*\nSign in as .*\nExcluded: 8 workers", first.said(), flags=re.DOTALL)
    assert re.search(r"with the password \S+ \(shown this once\)", first.said())
    page, style = compressed(first, "/"), compressed(first, "/admin/login/")
    assert b"<!doctype html>" in page.lower()
    [name] = re.findall(rb"/static/admin-touchstone/admin\.[0-9a-f]{12}\.css", style)[:1]
    assert b"{" in compressed(first, name.decode())
    for word in ("granian", "celery --quiet --app config worker", "celery --quiet --app config beat"):
        wait_for(lambda word=word: bool(first.family(word)), seconds=LONG_ENOUGH, what=f"a process {word}")  # type: ignore[misc]

    for pid in first.family("granian") + first.family("worker --pool"):
        os.kill(pid, signal.SIGKILL)

    wait_for(lambda: "The web process ended" in first.said(), seconds=LONG_ENOUGH, what="told of the web process")
    wait_for(lambda: "The worker ended" in first.said(), seconds=LONG_ENOUGH, what="told of the worker")
    wait_for(first.answers, seconds=LONG_ENOUGH, what="the web process is back")
    wait_for(lambda: bool(first.family("worker --pool")), seconds=LONG_ENOUGH, what="the worker is back")

    os.kill(first.process.pid, signal.SIGINT)
    assert first.process.wait(LONG_ENOUGH) == 0
    assert first.family() == []

    second = start()
    second.wait_until_ready()
    assert "changepassword" in second.said()
    removed = re.findall(r"^  p\w+  (?:self|unrelated)-.*$", first.said(), flags=re.MULTILINE)
    assert re.findall(r"^  p\w+  (?:self|unrelated)-.*$", second.said(), flags=re.MULTILINE) == removed
    assert len(removed) == 8

    second.process.kill()
    wait_for(second.nobody_is_left, seconds=LONG_ENOUGH, what="no process left behind by a kill -9 of the launcher")


def test_run_stopped_half_way_can_be_taken_up_again(start: Callable[[], Run]) -> None:
    half = start()
    time.sleep(1.5)  # in the middle of migrating, or of making the demo: each must do

    os.kill(half.process.pid, signal.SIGTERM)

    assert half.process.wait(LONG_ENOUGH) == 0
    assert half.family() == []
    again = start()
    again.wait_until_ready()
    assert "Excluded: 8 workers" in again.said()
