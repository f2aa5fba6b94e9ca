"""What holds for every test: no network beyond this machine, no silent skip in CI, each database its own tests."""

import os
import socket
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

SHARED_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}
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


def pytest_report_header() -> str:
    return f"database: {vendor()}"


def vendor() -> str:
    return str(settings.DATABASES["default"]["ENGINE"].rpartition(".")[2].replace("sqlite3", "sqlite"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    other = {"sqlite": "postgres", "postgresql": "sqlite"}[vendor()]
    unwanted = {other} | ({"browser"} if os.environ.get("TOUCHSTONE_TEST_NO_BROWSER") else set())
    leave = [item for item in items if unwanted & {mark.name for mark in item.iter_markers()}]
    if leave:
        config.hook.pytest_deselected(items=leave)
        items[:] = [item for item in items if item not in leave]


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
    """How many tests each database saw, where `make test` ran both."""
    counts: dict[str, Counter[str]] = {}
    for outcome in ("passed", "failed", "error", "skipped", "xfailed"):
        for report in terminalreporter.stats.get(outcome, []):
            if node := getattr(report, "node", None):
                counts.setdefault(node.gateway.id, Counter())[outcome] += 1
    if {"sqlite", "postgresql"} & set(counts):
        terminalreporter.section("databases")
        for database, outcomes in sorted(counts.items()):
            terminalreporter.line(f"{database}: " + ", ".join(f"{n} {outcome}" for outcome, n in outcomes.items()))
