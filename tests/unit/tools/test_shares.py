"""Every test runs on at least one database, and what is marked `both` on either."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from tests import house_rules, shares
from tests.shares import DATABASES, DEFAULT
from tools import place


class CollectedItem:
    """As much of a collected test as decides where it runs."""

    def __init__(self, *marks: pytest.MarkDecorator, broker: str = "") -> None:
        self.marks = marks
        self.callspec = SimpleNamespace(params={"broker_url": broker} if broker else {})

    def iter_markers(self) -> list[pytest.Mark]:
        return [decorated.mark for decorated in self.marks]


def databases(*marks: pytest.MarkDecorator, broker: str = "") -> set[str]:
    item: Any = CollectedItem(*marks, broker=broker)
    return shares.databases_of(item)


def test_what_touches_no_database_and_what_shows_the_same_on_either_runs_once() -> None:
    assert databases() == databases(pytest.mark.django_db) == databases(pytest.mark.browser) == {DEFAULT}


def test_what_is_marked_both_runs_on_both() -> None:
    assert databases(pytest.mark.django_db, pytest.mark.both) == set(DATABASES)


def test_what_is_of_one_database_runs_on_that_one() -> None:
    assert databases(pytest.mark.postgres) == databases(pytest.mark.both, pytest.mark.postgres) == {"postgresql"}
    assert databases(pytest.mark.both, pytest.mark.sqlite) == {"sqlite"}


def test_each_broker_is_tried_beside_the_database_that_it_is_used_with(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "IS_FULL", False)
    assert databases(pytest.mark.both, broker="embedded") == {"sqlite"}
    assert databases(pytest.mark.both, broker="valkey") == {"postgresql"}
    monkeypatch.setattr(shares, "IS_FULL", True)
    assert databases(pytest.mark.both, broker="valkey") == set(DATABASES)


FILES = [
    *("tests/unit/tools/test_place.py", "tests/integration/annotation/test_one_validation.py"),
    *("tests/integration/annotation/test_races.py", "tests/integration/annotation/web/test_health.py"),
]


def collected(*chosen: str, share: str | None = None) -> set[str]:
    """As the workers of `make test` collect them; nobody connects to the database while tests are collected."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TOUCHSTONE_"))}
    env |= {"TOUCHSTONE_TEST_SHARE": share} if share else {}
    env["TOUCHSTONE_TEST_POSTGRES_URL"] = "postgresql://nobody@/nothing?host=/nowhere"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *FILES, *chosen]
    done = subprocess.run(command, cwd=place.ROOT, env=env, check=True, capture_output=True, text=True)
    return {line for line in done.stdout.splitlines() if "::" in line}


def test_every_test_is_collected_on_at_least_one_database_and_those_of_both_on_both() -> None:
    everything = collected()  # that can run on SQLite
    both = collected("-m", "both and not sqlite")
    sqlite, postgres = (collected(share=database) for database in DATABASES)

    assert both
    assert both == sqlite & postgres
    assert everything == sqlite
    assert {name.partition("::")[0] for name in sqlite} == set(FILES)
    assert postgres > both, "tests marked `postgres` run there alone"


# What differs between databases, or shows itself only if two do something at once.
OF_A_DATABASE = re.compile(
    r"\b(IntegrityError|DataError|OperationalError|select_for_update|on_commit|at_once)\b|\.cursor\("
)
AT_ONCE = re.compile(r"\b(ThreadPoolExecutor|Thread\(|Barrier\(|from [\w.]+\.at_once import)")


def unmarked(folder: str, pattern: re.Pattern[str], *marks: str) -> list[str]:
    texts = {path: path.read_text(encoding="utf-8") for path in (place.ROOT / folder).rglob("test_*.py")}
    marked = re.compile(rf"\bmark\.({'|'.join(marks)})\b")
    assert any(pattern.search(text) for text in texts.values())
    return [path.name for path, text in texts.items() if pattern.search(text) and not marked.search(text)]


def test_what_tells_databases_apart_is_marked() -> None:
    assert unmarked("tests/integration", OF_A_DATABASE, "both", "sqlite", "postgres") == []


def test_what_does_several_things_at_once_is_marked() -> None:
    assert unmarked("tests/integration", AT_ONCE, "concurrent", "faults") == []


def test_files_that_are_slow_are_there() -> None:
    paths = {"/".join(path.parts[-2:]) for path in (place.ROOT / "tests").rglob("test_*.py")}

    assert house_rules.SLOW - paths == set()
