"""The test databases: on SQLite a real file, as in use, that can be emptied although its tables are append-only."""

import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.db import OperationalError, connection

TRIES = 5


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A database in memory is shared by threads under other locks than a file is, and would hide or invent faults."""
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "test.sqlite3")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Emptying is DELETE on SQLite: triggers that forbid it step aside. PostgreSQL's TRUNCATE passes them anyway."""
    # On the class: a driven browser's event loop gives this thread a connection of its own.
    operations: Any = type(connection.ops)
    if connection.vendor == "sqlite":
        operations.execute_sql_flush = _past_the_triggers(operations.execute_sql_flush)
    else:
        operations.execute_sql_flush = _after_the_last_request(operations.execute_sql_flush)
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock():
            _close_the_connections_of_event_loops()


def _close_the_connections_of_event_loops() -> None:
    """They outlive the browser that they were opened beside, and a database that anybody is in can't be dropped."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def _after_the_last_request(flush: Any) -> Any:
    """A page that is closed sends its last answer, and the site may be storing it while the database is emptied."""

    def flush_again_if_in_the_way(self: Any, sql_list: list[str]) -> None:
        for attempt in range(TRIES):
            try:
                flush(self, sql_list)
            except OperationalError:
                if attempt + 1 == TRIES:
                    raise
                time.sleep(0.5)
            else:
                return

    return flush_again_if_in_the_way


def _past_the_triggers(flush: Any) -> Any:
    def flush_without_triggers(self: Any, sql_list: Iterable[str]) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _sql in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            flush(self, sql_list)
            for _name, sql in triggers:
                cursor.execute(sql)

    return flush_without_triggers
