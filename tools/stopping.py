"""Hears that `make run` should stop: a signal, or the end of the `make` that started it."""

import os
import select
import signal
import sys
from pathlib import Path


class Stopping:
    """True once asked. Handlers are set whatever was inherited: a shell starts background jobs with SIGINT ignored.

    SIGHUP is left ignored where it arrives so, for that is all that `nohup` does and what its user asked for.
    """

    def __init__(self, *, with_parent: bool) -> None:
        self.asked = False
        self.parent = os.getppid() if with_parent else None
        self.parent_catches_sigint = self._parent_catches_sigint()
        self.wakeup, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, self._ask)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])

    def __bool__(self) -> bool:
        return self.asked or self.is_orphaned() or self._make_was_interrupted()

    def is_orphaned(self) -> bool:
        return self.parent is not None and os.getppid() != self.parent

    def wait(self, seconds: float) -> None:
        if select.select([self.wakeup], [], [], seconds)[0]:
            os.read(self.wakeup, 64)

    def _ask(self, *_: object) -> None:
        if not self.asked:
            self.asked = True
            os.write(sys.stdout.fileno(), "Stopping …\n".encode())

    def _parent_catches_sigint(self) -> bool:
        """Whether the parent has a handler for SIGINT, as Linux tells in the mask of caught signals."""
        if self.parent is None or not sys.platform.startswith("linux"):
            return False
        try:
            status = Path(f"/proc/{self.parent}/status").read_text(encoding="ascii", errors="replace")
        except OSError:
            return False
        caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
        return bool(int(caught, 16) >> (signal.SIGINT - 1) & 1)

    def _make_was_interrupted(self) -> bool:
        """GNU make passes SIGTERM on but not SIGINT: it drops its handler and waits for its children, untold."""
        return self.parent_catches_sigint and not self._parent_catches_sigint()
