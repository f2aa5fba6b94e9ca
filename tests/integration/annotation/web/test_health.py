"""Whoever watches over the site is told what keeps answers from being stored; `make run` ends in a sentence."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Timer
from types import SimpleNamespace

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from annotation.web.unavailable import LEAST_FREE_BYTES, broken_sqlite
from tests.integration.annotation.answering.views.people import a_study_of, begin, save
from tools import place

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.concurrent]


def a_database(folder: Path) -> Path:
    file = folder / "some.sqlite3"
    with sqlite3.connect(file) as made:
        made.execute("CREATE TABLE row (text TEXT)")
        made.executemany("INSERT INTO row VALUES (?)", [("x" * 1000,)] * 100)
    made.close()
    return file


def test_full_disk_is_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    full = SimpleNamespace(f_bavail=LEAST_FREE_BYTES // 4096 - 1, f_frsize=4096)
    monkeypatch.setattr("annotation.web.unavailable.os.statvfs", lambda _: full)
    response = client.get("/health")
    assert response.status_code == 503
    assert "The disk is full: 50 MB are free" in response.text


def test_database_that_refuses_to_be_read_is_said(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object, **__: object) -> None:
        raise DatabaseError("database disk image is malformed")

    monkeypatch.setattr("annotation.web.unavailable.connection.cursor", damaged)
    response = client.get("/health")
    assert response.status_code == 503
    assert "The database does not answer (DatabaseError)." in response.text


@pytest.mark.sqlite
def test_file_that_was_overwritten_under_the_site_is_said(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = a_database(tmp_path)
    file.write_bytes(b"garbage" * 1000)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
    response = client.get("/health")
    assert response.status_code == 503
    assert "not a database of SQLite" in response.text


READS_AND_LEAVES = """
import contextlib, sqlite3, sys
with contextlib.closing(sqlite3.connect(sys.argv[1])) as other:
    other.execute("SELECT count(*) FROM sqlite_master").fetchone()
"""


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_looking_at_the_file_leaves_the_log_of_those_who_write(client: Client) -> None:
    """A process that closes the database's file once loses all locks that its connections hold on it. The next other
    process to leave the database then takes itself for the last, and deletes the log with the answers in it.
    """
    connection.close()  # other tests read the file themselves, and so lost its locks
    address = begin(client, a_study_of("slider"))
    log = Path(f"{connection.settings_dict['NAME']}-wal")
    assert client.get("/health").status_code == 200
    subprocess.run([sys.executable, "-c", READS_AND_LEAVES, str(connection.settings_dict["NAME"])], check=True)
    assert log.exists()
    assert save(client, address, number="5").status_code == 200


def test_sound_file_is_fine_and_a_cut_one_is_not(tmp_path: Path) -> None:
    file = a_database(tmp_path)
    assert broken_sqlite(file) == ""
    file.write_bytes(file.read_bytes()[:-5000])
    assert "its end is missing" in broken_sqlite(file)
    file.rename(tmp_path / "away")
    a_database(tmp_path)
    assert broken_sqlite(file) == ""
    file.unlink()
    assert "can't be read" in broken_sqlite(file)


def test_file_that_grows_at_this_moment_is_not_called_damaged(tmp_path: Path) -> None:
    """SQLite copies its log into the file page by page, the first page with the new size before the last of them."""
    file = a_database(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:-5000])
    growing = Timer(0.3, file.write_bytes, [whole])
    growing.start()
    assert broken_sqlite(file) == ""
    growing.join()


def test_look_at_the_file_leaves_the_locks_of_its_connections(tmp_path: Path) -> None:
    """Without them another process that closes the database deletes the log, and what comes later is lost."""
    file = a_database(tmp_path)
    count = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('SELECT COUNT(*) FROM row').fetchone())"
    elsewhere = [sys.executable, "-c", count, str(file)]
    with closing(sqlite3.connect(file, isolation_level=None)) as ours:
        ours.execute("PRAGMA journal_mode = WAL")
        ours.execute("INSERT INTO row VALUES ('before')")
        assert broken_sqlite(file) == ""
        subprocess.run(elsewhere, check=True, capture_output=True)
        ours.execute("INSERT INTO row VALUES ('after')")
        seen = subprocess.run(elsewhere, check=True, capture_output=True, text=True)
    assert seen.stdout.strip() == "102"


def test_pages_over_a_damaged_database_ask_to_try_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = begin(client, a_study_of("slider"))

    def damaged(*_: object, **__: object) -> None:
        raise DatabaseError("database disk image is malformed")

    monkeypatch.setattr("annotation.answering.views.judging.pages_of", damaged)
    monkeypatch.setattr("annotation.answering.saving_answers.load_question", damaged)
    page = client.get(address)
    assert page.status_code == 503
    assert "try again" in page.text
    assert save(client, address, number="5").status_code == 503


def test_start_over_a_damaged_file_ends_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "touchstone.sqlite3").write_bytes(b"this was a database once " * 1000)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("TOUCHSTONE_", "DJANGO_"))}
    env |= {"TOUCHSTONE_VAR": str(tmp_path), "TOUCHSTONE_SECRET_KEY": "x" * 50, "TOUCHSTONE_ALLOWED_HOSTS": "localhost"}
    command = [sys.executable, "-m", "tools.prepare"]
    ran = subprocess.run(command, cwd=place.ROOT, env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert ran.stderr.startswith(f"The database {tmp_path}/touchstone.sqlite3 can't be used (file is not a database)")
