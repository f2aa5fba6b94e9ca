"""Runs what failed again, alone: what passes then is flaky, said loudly, and the run fails from the second one on.

Not so for tests of faults, of several things at once and of drawn examples: a race that is lost once in ten runs is
what they are there to show. A plugin of `make test`, which loads it by `-p tests.flaky`.
"""

import os
import subprocess
import sys
from collections.abc import Generator
from typing import Any, NamedTuple

import pytest

NEVER_TRIED_AGAIN = ("faults", "concurrent", "hypothesis")
MOST_TRIED_AGAIN = 10  # of more failures, the cause is no accident
ALLOWED = 1
SECONDS = 900  # of one test alone, with a database of its own
SHARE = "TOUCHSTONE_TEST_SHARE"
FLAKY = pytest.StashKey[list["Failure"]]()


class Failure(NamedTuple):
    """A test that failed, on the database of the worker that ran it, with all that it reported."""

    nodeid: str
    share: str | None
    reports: list[Any]  # of its parts too; of a file that can't be read, that of collecting it

    def __str__(self) -> str:
        return f"{self.nodeid} ({self.share})" if self.share else self.nodeid


def _share(report: Any) -> str | None:
    worker = getattr(report, "node", None)
    return worker.gateway.spec.env.get(SHARE) if worker is not None else os.environ.get(SHARE)


def failures_in(stats: dict[str, list[Any]]) -> list[Failure]:
    """Each test once, though it may have failed in its call, in its parts and when all was put away."""
    failures: dict[tuple[str, str | None], Failure] = {}
    for category in ("failed", "error"):
        for report in stats.get(category, []):
            share = _share(report)
            failures.setdefault((report.nodeid, share), Failure(report.nodeid, share, [])).reports.append(report)
    return list(failures.values())


def may_be_tried_again(failure: Failure) -> bool:
    """A file that can't be read and a worker that died are no accidents either."""
    return all(
        isinstance(report, pytest.TestReport)
        and report.when in ("setup", "call", "teardown")
        and not set(NEVER_TRIED_AGAIN) & set(report.keywords)
        for report in failure.reports
    )


def passes_alone(failure: Failure, config: pytest.Config) -> bool:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    if failure.share:
        env[SHARE] = failure.share
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", failure.nodeid]
    try:
        again = subprocess.run(command, cwd=config.rootpath, env=env, check=False, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return again.returncode == pytest.ExitCode.OK


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, Any, Any]:
    result = yield
    if session.testsfailed and not hasattr(session.config, "workerinput"):
        _try_again(session)
    return result


def _try_again(session: pytest.Session) -> None:
    terminal: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    failures = failures_in(terminal.stats)
    if len(failures) > MOST_TRIED_AGAIN:
        terminal.write_line(f"\n{len(failures)} tests failed: none of them is tried again.")
        return
    candidates = [failure for failure in failures if may_be_tried_again(failure)]
    if candidates:
        terminal.write_line(f"\nAgain, each alone: {', '.join(map(str, candidates))}")
    flaky = [failure for failure in candidates if passes_alone(failure, session.config)]
    session.config.stash[FLAKY] = flaky
    if flaky and len(flaky) <= ALLOWED:
        _forgive(flaky, session, terminal)


def _forgive(flaky: list[Failure], session: pytest.Session, terminal: Any) -> None:
    forgiven = {id(report) for failure in flaky for report in failure.reports}
    session.testsfailed = 0
    for category in ("failed", "error"):
        kept = [report for report in terminal.stats.pop(category, []) if id(report) not in forgiven]
        if kept:
            terminal.stats[category] = kept
            session.testsfailed += len(kept)
    terminal._add_stats("flaky", [failure.reports[0] for failure in flaky])


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    flaky = config.stash.get(FLAKY, [])
    if not flaky:
        return
    terminalreporter.section("FLAKY: failed among the others, passed alone", red=True, bold=True)
    for failure in flaky:
        terminalreporter.line(f"FLAKY {failure}", red=True, bold=True)
        if len(flaky) <= ALLOWED:  # others stand among the failures
            for report in failure.reports:
                terminalreporter.line(report.longreprtext)
    allowed = "One is let pass: mend it, for the run fails with the second."
    terminalreporter.line(allowed if len(flaky) <= ALLOWED else f"{len(flaky)} flaky tests: the run fails.", bold=True)
