"""`make test` has workers for each processor and hands them the tests of their database."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.scheduling import ByDatabase
from tools import suite

SHARE = "TOUCHSTONE_TEST_SHARE"


@pytest.mark.parametrize(("processors", "postgres"), [(1, 1), (2, 1), (4, 2), (16, 8)])
def test_more_processors_have_more_workers_on_either_database(processors: int, postgres: int) -> None:
    options = suite.workers(processors)
    specs = [option for option in options if option != "--tx"]

    assert sum(spec.endswith(f"env:{SHARE}=sqlite") for spec in specs) == processors
    assert sum(spec.endswith(f"env:{SHARE}=postgresql") for spec in specs) == postgres
    assert len({spec.split("//")[1] for spec in specs}) == processors + postgres, "each has a database of its own name"


def test_the_number_of_processors_is_that_of_this_process() -> None:
    assert 1 <= suite.processors() <= suite.MOST_PROCESSORS


class Worker:
    """As much of one of xdist's workers as a scheduler speaks to."""

    def __init__(self, database: str, number: int) -> None:
        self.gateway = SimpleNamespace(id=f"{database}{number}", spec=SimpleNamespace(env={SHARE: database}))
        self.shutting_down = False
        self.todo: list[int] = []
        self.stolen: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.todo += indices

    def send_steal(self, indices: list[int]) -> None:
        self.stolen = indices

    def shutdown(self) -> None:
        self.shutting_down = True


TESTS = {"sqlite": [f"test_{n}" for n in range(40)], "postgresql": [f"test_{n}" for n in range(0, 40, 4)]}


def test_every_test_of_a_database_is_run_once_by_the_workers_of_that_database() -> None:
    config: Any = SimpleNamespace(getvalue=lambda _name: [spec for spec in suite.workers(2) if spec != "--tx"])
    scheduler = ByDatabase(config, None)
    workers = [Worker("sqlite", 0), Worker("sqlite", 1), Worker("postgresql", 0)]
    for worker in workers:
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, TESTS[worker.gateway.spec.env[SHARE]])
    assert scheduler.collection_is_completed
    scheduler.schedule()

    done = _run(scheduler, workers)

    assert not scheduler.has_pending
    assert scheduler.tests_finished
    assert sorted(done) == sorted((database, test) for database, tests in TESTS.items() for test in tests)


def _run(scheduler: ByDatabase, workers: list[Worker]) -> list[tuple[str, str]]:
    """The first worker is three times as fast as the others, and is given what they have not begun."""
    done = []
    while busy := [worker for worker in workers if worker.todo]:
        for worker in [*busy, *workers[:1], *workers[:1]]:
            if len(worker.todo) > 1 or (worker.todo and worker.shutting_down):
                index = worker.todo.pop(0)
                database = worker.gateway.spec.env[SHARE]
                done.append((database, TESTS[database][index]))
                scheduler.mark_test_complete(worker, index)
            _give_back(scheduler, worker)
    return done


def _give_back(scheduler: ByDatabase, worker: Worker) -> None:
    if worker.stolen:
        stolen, worker.stolen = worker.stolen, []
        given_back = [index for index in worker.todo if index in stolen]
        worker.todo = [index for index in worker.todo if index not in stolen]
        scheduler.remove_pending_tests_from_node(worker, given_back)
