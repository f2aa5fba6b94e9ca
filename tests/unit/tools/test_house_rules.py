"""The rules that hold for every test do hold."""

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import house_rules
from tests.house_rules import NetworkUsed


def test_no_test_reaches_another_machine() -> None:
    with socket.socket() as outside, pytest.raises(NetworkUsed, match=r"192\.0\.2\.1"):
        outside.connect(("192.0.2.1", 80))


def test_this_machine_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


class CollectedItem:
    """As much of a collected test as decides whose it is."""

    config = SimpleNamespace(rootpath=Path("/here"))

    def __init__(self, *marks: pytest.MarkDecorator, path: str = "a.py", fixtures: str = "", broker: str = "") -> None:
        self.marks, self.path, self.fixturenames = marks, Path("/here") / path, fixtures.split()
        self.callspec = SimpleNamespace(params={"broker_url": broker} if broker else {})

    def iter_markers(self) -> list[pytest.Mark]:
        return [decorated.mark for decorated in self.marks]


def shares(*marks: pytest.MarkDecorator, **more: str) -> set[str]:
    item: Any = CollectedItem(*marks, **more)
    return house_rules._shares(item)


def test_what_touches_no_database_runs_once() -> None:
    assert shares() == shares(pytest.mark.slow) == {"no-database"}


def test_what_uses_a_database_runs_on_both() -> None:
    assert shares(pytest.mark.django_db) == shares(fixtures="tmp_path transactional_db") == {"sqlite", "postgresql"}


def test_what_is_of_one_database_runs_on_that_one() -> None:
    assert shares(pytest.mark.django_db, pytest.mark.postgres) == shares(pytest.mark.postgres) == {"postgresql"}
    assert shares(pytest.mark.django_db, pytest.mark.once(on="sqlite")) == {"sqlite"}


@pytest.mark.parametrize("mark", [pytest.mark.browser, pytest.mark.once])
def test_what_shows_the_same_on_either_database_runs_on_one_of_the_two(mark: pytest.MarkDecorator) -> None:
    found = [shares(pytest.mark.django_db, mark, path=f"{name}.py") for name in "abcdefgh"]
    assert {len(each) for each in found} == {1}
    assert set.union(*found) == {"sqlite", "postgresql"}


def test_each_broker_is_tried_beside_the_database_that_it_is_used_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_rules, "IS_FULL", False)
    of = {broker: shares(pytest.mark.faults, fixtures="db", broker=broker) for broker in ("embedded", "valkey")}
    assert of == {"embedded": {"sqlite"}, "valkey": {"postgresql"}}
    monkeypatch.setattr(house_rules, "IS_FULL", True)
    assert shares(pytest.mark.faults, fixtures="db", broker="valkey") == {"sqlite", "postgresql"}
