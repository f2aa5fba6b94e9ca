"""Starts commands under the guard, which ends them when this process ends, even by kill -9."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tools import guard


@dataclass(frozen=True)
class Guarded:
    """A running command. `stop` returns when it and all it started are gone."""

    process: subprocess.Popen[bytes]
    lifeline: int

    def is_running(self) -> bool:
        return self.process.poll() is None

    def ask_to_stop(self) -> None:
        if self.is_running():
            self.process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        self.ask_to_stop()
        try:
            code = self.process.wait(guard.GRACE_SECONDS + 5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        os.close(self.lifeline)
        return code


def start(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    output: IO[bytes] | None = None,
    user: str | None = None,
    stop: signal.Signals = signal.SIGTERM,
    remove: Path | None = None,
) -> Guarded:
    theirs, mine = os.pipe()  # not inherited by any other child, so this process alone holds `mine`
    options = ["--lifeline", str(theirs), "--stop", stop.name]
    options += ["--user", user] if user else []
    options += ["--remove", str(remove)] if remove else []
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, *options, "--", *map(str, command)],
        env=env,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=[theirs],
        start_new_session=True,
    )
    os.close(theirs)
    return Guarded(process, mine)
