"""What holds for every test: no network beyond this machine, no silent skip in CI, each database its own tests."""

import gc
import os
import shutil
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings

from tests import shares

SHARED_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}
# Each of these takes seconds of a processor: `make test-fast` leaves them to `make test`.
SLOW = {
    "analyse_file/test_outputs.py",
    "actions/test_analysing.py",
    "exports/test_exports.py",
    "scoring/test_probe_pairs.py",
    "people/test_size_adjectives.py",
    "scoring/test_text_metrics.py",
    "benchmarks/test_coverage.py",
    "people/test_packages.py",
}
CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}


class NetworkUsed(Exception):
    """A test tried to reach another machine."""


def pytest_configure() -> None:
    connect = socket.socket.connect

    def connect_here(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise NetworkUsed(f"A test tried to reach {address[0]}: use a stand-in on this machine instead.")
        connect(self, address)

    socket.socket.connect = connect_here  # type: ignore[method-assign, assignment]
    # A busy machine is no defect: no deadline, and drawing examples may be slow. In CI the same examples every time.
    slow = [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile("house", deadline=None, derandomize=CI, suppress_health_check=slow)
    hypothesis.settings.load_profile("house")


def pytest_unconfigure() -> None:
    """The folder of tests/settings.py; the workers of a run over two databases end without their exit handlers."""
    folder = os.environ.get("TOUCHSTONE_VAR", "")
    if Path(folder).name.startswith("ts-var-"):  # and no other: somebody may run the tests under their own settings
        shutil.rmtree(folder, ignore_errors=True)


def pytest_report_header() -> str:
    return f"database: {vendor()}"


def vendor() -> str:
    return str(settings.DATABASES["default"]["ENGINE"].rpartition(".")[2].replace("sqlite3", "sqlite"))


@pytest.hookimpl(tryfirst=True)  # before `-m slow` chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "/".join(item.path.parts[-2:]) in SLOW or item.get_closest_marker("needs_shared_data"):
            item.add_marker("slow")
    unwanted = {mark for mark, database in shares.MARKED.items() if database != vendor()}
    unwanted |= {"browser"} if os.environ.get("TOUCHSTONE_TEST_NO_BROWSER") else set()
    unwanted |= set() if "prove" in config.option.markexpr else {"prove"}
    leave = [
        item for item in items if unwanted & {mark.name for mark in item.iter_markers()} or not shares.runs_here(item)
    ]
    if leave:
        config.hook.pytest_deselected(items=leave)
        left = set(leave)
        items[:] = [item for item in items if item not in left]


def pytest_collection_finish() -> None:
    """What collecting made lives until the end: the garbage collector needn't look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Tests alone: looking for doctests, pytest would import the sites and settings that tests start, and keep them."""
    if collection_path.suffix == ".py" and not collection_path.name.startswith("test_"):
        return True
    return None


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("needs_shared_data") and not SHARED_DATA.is_dir():
        pytest.skip(f"reads {SHARED_DATA}, which is not here")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """In CI a skipped test is a failed one: what nobody ran, nobody knows."""
    report = yield
    excused = item.get_closest_marker("needs_shared_data") and not SHARED_DATA.is_dir()
    if CI and report.skipped and not hasattr(report, "wasxfail") and not excused:
        report.outcome = "failed"
        report.longrepr = f"Skipped, which CI does not allow: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Any:
    report = yield
    if CI and report.outcome == "skipped":
        report.outcome = "failed"
        report.longrepr = f"A whole file was skipped, which CI does not allow: {report.longrepr}"
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """How many tests each database saw, where `make test` ran both, and how many had no crowds to read."""
    if not SHARED_DATA.is_dir() and (absent := len(terminalreporter.stats.get("skipped", []))):
        terminalreporter.line(f"{absent} tests of large public crowds were left out: {SHARED_DATA} is not here")
    counts: dict[str, Counter[str]] = {}
    for outcome in ("passed", "failed", "flaky", "error", "skipped", "xfailed"):
        for report in terminalreporter.stats.get(outcome, []):
            if node := getattr(report, "node", None):
                counts.setdefault(node.gateway.spec.env.get("TOUCHSTONE_TEST_SHARE"), Counter())[outcome] += 1
    if set(shares.DATABASES) & set(counts):
        terminalreporter.section("databases")
        for database, outcomes in sorted(counts.items()):
            terminalreporter.line(f"{database}: " + ", ".join(f"{n} {outcome}" for outcome, n in outcomes.items()))
