"""On which database a test runs: on SQLite, and on PostgreSQL too where the two can differ (marked `both`)."""

import os
from typing import Any

import pytest

DATABASES = ("sqlite", "postgresql")
DEFAULT = "sqlite"
MARKED = {"sqlite": "sqlite", "postgres": "postgresql"}
# Each broker beside the database that it is used with; `make faults` tries each beside either.
BESIDE = {"embedded": "sqlite", "valkey": "postgresql"}
IS_FULL = os.environ.get("TOUCHSTONE_TEST_FAULTS") == "full"
# Whose tests this process runs; one that nobody divided runs all that its database can.
SHARE = os.environ.get("TOUCHSTONE_TEST_SHARE")


def databases_of(item: pytest.Item) -> set[str]:
    """What touches no database is run once as well, by the workers of the database that most tests use."""
    marks = {mark.name for mark in item.iter_markers()}
    if alone := {database for mark, database in MARKED.items() if mark in marks}:
        return alone
    if (broker := _parameter(item, "broker_url")) and not IS_FULL:
        return {BESIDE[broker]}
    return set(DATABASES) if "both" in marks else {DEFAULT}


def runs_here(item: pytest.Item) -> bool:
    return SHARE is None or SHARE in databases_of(item)


def _parameter(item: pytest.Item, name: str) -> Any:
    call = getattr(item, "callspec", None)
    return call.params.get(name) if call else None
