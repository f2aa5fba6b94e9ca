"""A process that `make run` keeps alive: started under the guard, and again when it dies, each time a little later."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools import guarded

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 1.0  # a start takes two or three more, and annotators wait
# A process that ran for so long was well: its next death starts the waiting from the beginning.
STEADY_SECONDS = 60.0


@dataclass
class Child:
    name: str
    command: Sequence[str]
    env: Mapping[str, str]
    running: guarded.Guarded | None = None
    started_at: float = 0.0
    wait_seconds: float = FIRST_WAIT_SECONDS
    start_again_at: float = 0.0

    def start(self) -> None:
        self.running = guarded.start(self.command, env=self.env)
        self.started_at = time.monotonic()

    def tend(self) -> str | None:
        """Starts the process again if it has died and its wait is over; returns what there is to tell about it."""
        now = time.monotonic()
        if self.running is None:
            if now >= self.start_again_at:
                self.start()
            return None
        if self.running.is_running():
            return None
        code = self.running.stop()
        self.running = None
        if now - self.started_at >= STEADY_SECONDS:
            self.wait_seconds = FIRST_WAIT_SECONDS
        self.start_again_at = now + self.wait_seconds
        said = f"The {self.name} ended (exit code {code}); it is started again in {self.wait_seconds:.1f} s."
        self.wait_seconds = min(2 * self.wait_seconds, LONGEST_WAIT_SECONDS)
        return said


def stop_all(children: Sequence[Child]) -> None:
    """Asks all first and waits afterwards, so that the slowest sets the time and not the sum."""
    running = [child.running for child in children if child.running is not None]
    for process in running:
        process.ask_to_stop()
    for process in running:
        process.stop()
