"""What was erased stands in no file of SQLite's any more, and emptying its log makes nobody wait."""

import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from annotation.answering.judging import open_assignment
from annotation.entry.entering import decline, enter
from annotation.models import Participation
from annotation.people.leaving import PATIENCE_MS, empty_write_ahead_log, withdraw
from annotation.tasks import purge
from tests.factories import a_person, an_answer
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]
SECRET = "Zacharias Quill grew up beside a fern"


@pytest.fixture
def database() -> Path:
    return Path(connection.settings_dict["NAME"])


@pytest.fixture
def reader(database: Path) -> Iterator[sqlite3.Connection]:
    """Somebody who reads the database as it is now, and goes on reading."""
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM annotation_study").fetchone()
        yield other


def on_disk(database: Path, what: str = SECRET) -> bool:
    """Looks by another process: one that closes the file itself loses all locks of its connections on it (POSIX)."""
    files = [path for path in database.parent.iterdir() if path.name.startswith(database.name)]
    return subprocess.run(["grep", "-qF", "--", what, *map(str, files)], check=False).returncode == 0


def log_size(database: Path) -> int:
    return database.with_name(f"{database.name}-wal").stat().st_size


def somebody_wrote() -> Participation:
    assignment = open_assignment(participation=a_person(a_study_of("text", platform="direct")))
    an_answer(assignment, 1, fields={"text": SECRET})
    return assignment.participation


def test_deleted_rows_are_written_over() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete")
        assert cursor.fetchone() == (1,)


def test_withdrawal_leaves_nothing_in_the_files(database: Path) -> None:
    person = somebody_wrote()
    assert on_disk(database)
    withdraw(participation=person)
    assert not on_disk(database)
    assert log_size(database) == 0


def test_no_leaves_nothing_of_the_ids_in_the_files(database: Path) -> None:
    study = a_study_of("text", platform="prolific")
    person = enter(study=study, platform="prolific", platform_id="PERSON5f1d", session_id="SESSION77b1")
    assert on_disk(database, "PERSON5f1d")
    assert on_disk(database, "SESSION77b1")
    decline(participation=person)
    assert not on_disk(database, "PERSON5f1d")
    assert not on_disk(database, "SESSION77b1")


def test_log_that_is_read_stays_until_the_hourly_purge_and_nobody_waits(
    database: Path, reader: sqlite3.Connection
) -> None:
    person = somebody_wrote()
    withdraw(participation=person)
    begun = time.monotonic()
    assert not empty_write_ahead_log()
    # A writer would wait 20 seconds for the reader if the log were emptied with the usual patience.
    assert time.monotonic() - begun < 10
    assert on_disk(database)
    reader.execute("ROLLBACK")
    purge()
    assert not on_disk(database)


def test_usual_patience_is_back_after_emptying() -> None:
    empty_write_ahead_log()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone()[0] > 100 * PATIENCE_MS
