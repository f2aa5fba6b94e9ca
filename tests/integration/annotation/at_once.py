"""Does several things at the same time, each in a thread with a connection of its own."""

import threading
from collections.abc import Callable

from django.db import connections


def at_once(*things: Callable[[], object]) -> list[BaseException]:
    """Starts all together and waits for all; returns what they raised."""
    start = threading.Barrier(len(things))
    raised: list[BaseException] = []

    def run(thing: Callable[[], object]) -> None:
        try:
            start.wait()
            thing()
        except BaseException as failure:  # noqa: BLE001  a thread's failure must reach the test
            raised.append(failure)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(thing,)) for thing in things]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads), "they wait for each other"
    return raised
