"""`make test`: gets the services, then runs pytest in three processes at once: one for each database, and one for what
touches none. Three for two cores, since those on a database wait at times, for browsers and workers.
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
# Each worker runs the tests of its share (tests/house_rules.py), on the database of that name (tests/settings.py).
# Shares differ in size, so that per cent of any of them would pass 100.
ALL = ["--dist", "each", "--max-worker-restart", "2", "-o", "console_output_style=classic"]
for _name in ("sqlite", "postgresql", "no-database"):
    ALL += ["--tx", f"popen//id={_name}//env:TOUCHSTONE_TEST_SHARE={_name}"]
FAST = ["--numprocesses", "2", "-m", "not browser and not faults and not slow"]


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
        code = run([*PYTEST, *ALL, *arguments], env)
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
            return run([*PYTEST, *FAST, *options.arguments], env)
        return full(options.arguments, env)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
