"""`make test`: gets the services, then runs pytest with a worker on SQLite for each processor, and half as many beside
them on PostgreSQL. They are more than the processors, since tests wait at times, for browsers and for processes.
"""

import argparse
import os
import signal
import sys
from contextlib import ExitStack

from tests.services import chromium
from tests.services.errors import ServiceMissing
from tests.services.postgres import throwaway_postgres
from tools import guarded

PYTEST = [sys.executable, "-m", "pytest"]
MOST_PROCESSORS = 16  # each worker collects all tests first: more of them end no sooner
FAST = ["-m", "not browser and not faults and not slow", "--dist", "worksteal"]
PLUGINS = ["-p", "tests.scheduling", "-p", "tests.flaky"]
# Workers of different databases have different numbers of tests, so that per cent of any of them would pass 100.
ALL = [*PLUGINS, "--dist", "worksteal", "--max-worker-restart", "2", "-o", "console_output_style=classic"]


def processors() -> int:
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(mine, MOST_PROCESSORS)


def workers(on: int) -> list[str]:
    """A worker runs the tests of its share (tests/shares.py), on the database of that name (tests/settings.py)."""
    options = []
    for database, count in (("sqlite", on), ("postgresql", (on + 1) // 2)):
        for number in range(count):
            options += ["--tx", f"popen//id={database}{number}//env:TOUCHSTONE_TEST_SHARE={database}"]
    return options


def run(command: list[str], env: dict[str, str]) -> int:
    """Under the guard, so that a killed test run leaves no browser, worker or server behind."""
    running = guarded.start(command, env=env, stop=signal.SIGINT)
    try:
        return running.process.wait()
    finally:
        running.stop()


def full(arguments: list[str], env: dict[str, str]) -> int:
    with ExitStack() as services:
        try:
            env["TOUCHSTONE_TEST_POSTGRES_URL"] = services.enter_context(throwaway_postgres())
        except ServiceMissing as missing:
            print(missing, file=sys.stderr)
            return 1
        browser = chromium.find_or_install()
        if browser is None:
            env["TOUCHSTONE_TEST_NO_BROWSER"] = "1"
        else:
            env["CHROMIUM"] = str(browser)
        code = run([*PYTEST, *ALL, *workers(processors()), *arguments], env)
    if browser is None:
        print(chromium.WHAT_TO_INSTALL, file=sys.stderr)
        return code or 1
    return code


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("arguments", nargs="*", help="handed on to pytest")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    env = dict(os.environ)
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # to compile the tests again takes each process 7 s, half of collecting
    try:
        if options.fast:
            return run([*PYTEST, *FAST, "--numprocesses", str(processors()), *options.arguments], env)
        return full(options.arguments, env)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
