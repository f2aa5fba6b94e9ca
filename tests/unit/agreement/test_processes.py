from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from agreement.processes import map_tasks

pytestmark = pytest.mark.concurrent


def _call(task: Callable[[], Any]) -> Any:
    return task()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_answers_come_in_the_order_of_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # a test run over two databases has threads of its own
    parts = [lambda n=n: (n * n, os.getpid()) for n in range(5)]

    answers = map_tasks(parts, _call, 2)

    assert [answer for answer, _ in answers] == [0, 1, 4, 9, 16]
    assert os.getpid() not in {process for _, process in answers}


def test_one_process_or_a_process_with_threads_computes_by_itself() -> None:
    def pid() -> int:
        return os.getpid()

    assert set(map_tasks([pid, pid], _call, 1)) == {os.getpid()}
    wait = threading.Event()
    thread = threading.Thread(target=wait.wait)
    thread.start()
    try:
        assert set(map_tasks([pid, pid], _call, 2)) == {os.getpid()}
    finally:
        wait.set()
        thread.join()


def test_what_goes_wrong_is_raised_as_it_is() -> None:
    def wrong() -> None:
        raise KeyError("the very one")

    parts: list[Callable[[], Any]] = [wrong, int]

    with pytest.raises(KeyError, match="the very one"):
        map_tasks(parts, _call, 2)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_what_a_child_takes_with_it_when_it_dies_is_computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    parent = os.getpid()

    def deadly() -> int:
        if os.getpid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
        return 7

    parts: list[Callable[[], Any]] = [deadly, deadly, int, int]
    assert map_tasks(parts, _call, 2) == [7, 7, 0, 0]
