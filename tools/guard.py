"""Runs one command and sees to its end: when its owner dies, however it dies, the command and all it started go too.

`python tools/guard.py --lifeline FD [--user NAME] [--stop SIGNAL] [--remove FOLDER] -- command …`

The owner holds the other end of the pipe FD. The kernel closes it even after a kill -9, which no handler could see.
"""

import argparse
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

GRACE_SECONDS = 7  # an idle Celery worker takes four to five to notice
ORPHAN_GRACE_SECONDS = 1.5
PR_SET_PDEATHSIG = 1


def dies_with_guard(stop: int) -> Callable[[], None] | None:
    """On Linux the command is told when the guard itself is killed; elsewhere it would outlive that."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, stop)


def signal_group(leader: int, number: int) -> None:
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):  # gone already; macOS says "not permitted" of a group of zombies
        return


def end(command: subprocess.Popen[bytes], stop: int, grace: float) -> None:
    """Asks politely, waits, then insists; also of what the command left in its group."""
    if command.poll() is None:
        command.send_signal(stop)
        try:
            command.wait(grace)
        except subprocess.TimeoutExpired:
            print(f"{command.args!r} did not stop in {grace} s and was killed.", file=sys.stderr)
    signal_group(command.pid, signal.SIGKILL)
    command.wait()


def watch(command: subprocess.Popen[bytes], lifeline: int, wakeup: int) -> float:
    """Returns once the command has ended, its owner has gone or somebody asks to stop: the seconds left to end it."""
    while command.poll() is None:
        ready, _, _ = select.select([lifeline, wakeup], [], [])
        if lifeline in ready:
            return ORPHAN_GRACE_SECONDS
        if wakeup in ready and set(os.read(wakeup, 64)) - {signal.SIGCHLD}:
            return GRACE_SECONDS
    return GRACE_SECONDS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lifeline", type=int, required=True)
    parser.add_argument("--user")
    parser.add_argument("--stop", default="SIGTERM")
    parser.add_argument("--remove", type=Path)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    stop = signal.Signals[options.stop]

    wakeup, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)  # the loop in watch() reads the number from the pipe
    os.set_inheritable(options.lifeline, False)

    command = subprocess.Popen(
        options.command,
        user=options.user,
        extra_groups=[] if options.user else None,
        start_new_session=True,
        preexec_fn=dies_with_guard(stop),  # noqa: PLW1509 - the guard has one thread
    )
    grace: float = ORPHAN_GRACE_SECONDS
    try:
        grace = watch(command, options.lifeline, wakeup)
    finally:
        end(command, stop, grace)
        if options.remove:
            shutil.rmtree(options.remove, ignore_errors=True)
    return command.returncode if command.returncode >= 0 else 128 - command.returncode


if __name__ == "__main__":
    sys.exit(main())
