"""The database is full, or gone for a minute: a 503 with a sentence, nothing half stored, and all goes on after."""

import http.client
import json
import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from uuid import uuid4

import psycopg
import pytest

from agreement.simulation.visiting import Browser, Page, Reply
from tests.faults.crowd.site import Site
from tests.faults.crowd.sizes import GONE_SECONDS, VENDOR
from tests.services.fixtures import wait_for

pytestmark = [pytest.mark.faults, pytest.mark.both]
SENTENCE = "save anything at the moment"
TABLESPACE_MEGABYTES = 24


class Someone:
    """A person at the first question of a study, whose every request is sent once."""

    def __init__(self, site: Site, slug: str) -> None:
        self.site = site
        site.scene("prepare", slug, 12, 3, 10)
        self.entry = f"/take/{slug}/?PROLIFIC_PID=someone&SESSION_ID=s1&STUDY_ID=x"
        self.browser = Browser(site.servers, random.Random(1))
        self.acknowledged: list[dict[str, object]] = []
        self.browser.post(self.entry, [])
        consent = self.browser.get(self._here())
        self.browser.post(consent.address, [("consent", "yes")])
        instructions = self.browser.get(self._here())
        page = self.browser.post(instructions.address, [])
        self.page = page.address
        self.asked = Page(page.body).questions
        self.address = self.page.rpartition("/")[0].rpartition("/")[0] + "/save/"

    def _here(self) -> str:
        reply = self.browser.send("POST", self.entry, [])
        return reply.location

    def save(self, position: int, key: str, number: int) -> Reply:
        fields = [("position", str(position)), ("key", key), ("number", str(number))]
        reply = self.browser.send_once("POST", self.address, fields)
        if reply.status == 200:
            one = {"address": self.address, "position": position, "key": key, "fields": fields}
            if one not in self.acknowledged:
                self.acknowledged.append(one)
        return reply

    def stored_as_told(self, slug: str) -> bool:
        file = self.site.folder / f"{slug}.json"
        file.write_text(json.dumps(self.acknowledged))
        tally = self.site.scene("tally", slug, file)
        return bool(tally["saved and missing"] == 0 and tally["told"]["stored"] == len(self.acknowledged))


def is_refused_kindly(reply: Reply) -> bool:
    if reply.status != 503:
        return False
    if reply.body.startswith("{"):
        told = json.loads(reply.body)
        return told["saved"] is False and SENTENCE in told["sentence"]
    return SENTENCE in reply.body


def answers(site: Site) -> bool:
    try:
        return Browser(site.servers, random.Random(1)).send_once("GET", "/health", None).status == 503
    except (OSError, http.client.HTTPException):
        return False


@contextmanager
def gone(site: Site) -> Iterator[None]:
    if VENDOR == "postgresql":
        site.machines["postgres"].kill()
        try:
            yield
        finally:
            site.machines["postgres"].start()
    else:
        away = site.data.with_name("away")
        site.data.rename(away)
        site.machines["web1"].kill()  # while it runs it has the file open, and a name is nothing to it
        site.machines["web1"].start()
        try:
            wait_for(lambda: answers(site), seconds=120, what="the web process is back")
            yield
        finally:
            away.rename(site.data)


def test_a_database_that_is_gone_is_said_so_and_all_goes_on_after(site: Site) -> None:
    someone, key = Someone(site, "gone"), str(uuid4())
    assert someone.save(1, str(uuid4()), 10).status == 200

    with gone(site):
        began = time.monotonic()
        while time.monotonic() - began < GONE_SECONDS:
            assert is_refused_kindly(someone.save(2, key, 20))
            for address in (someone.page, someone.entry):
                assert is_refused_kindly(someone.browser.send_once("GET", address, None))
            time.sleep(0.5)

    give_up_at = time.monotonic() + 120
    while (reply := someone.save(2, key, 20)).status != 200 and time.monotonic() < give_up_at:
        assert is_refused_kindly(reply)
        time.sleep(0.1)
    assert someone.save(3, str(uuid4()), 30).status == 200
    assert someone.stored_as_told("gone")


@contextmanager
def full(site: Site) -> Iterator[None]:
    """PostgreSQL: its tables lie on a small file system of their own, which a file fills. SQLite: its own limit."""
    if VENDOR == "sqlite":
        file = site.folder / "max_page_count"
        with closing(sqlite3.connect(site.data / "crowd.sqlite3")) as database:
            file.write_text(str(database.execute("PRAGMA page_count").fetchone()[0]))
        try:
            yield
        finally:
            file.unlink()
        return
    filler = site.data / "small" / "filler"
    subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=4k"], capture_output=True, check=False)
    assert shutil.disk_usage(filler.parent).free == 0
    try:
        yield
    finally:
        filler.unlink()


@pytest.fixture
def small_disk(site: Site) -> Iterator[None]:
    if VENDOR == "sqlite":
        yield
        return
    folder = site.data / "small"
    folder.mkdir()
    size = ["-o", f"size={TABLESPACE_MEGABYTES}m"]
    if subprocess.run(["mount", "-t", "tmpfs", *size, "tmpfs", folder], capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system needs an administrator's rights")
    try:
        inside = folder / "tables"
        inside.mkdir()
        folder.chmod(0o777)
        owner = (site.data / "data").stat()
        os.chown(inside, owner.st_uid, owner.st_gid)
        move(site, f"CREATE TABLESPACE small LOCATION '{inside}'", "ALTER DATABASE touchstone SET TABLESPACE small")
        yield
        move(site, "ALTER DATABASE touchstone SET TABLESPACE pg_default", "DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


def move(site: Site, *statements: str) -> None:
    """Nobody may be in a database that is moved."""
    url = site.env["TOUCHSTONE_DATABASE_URL"].replace("/touchstone?", "/postgres?")
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            for _ in range(50):
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'touchstone'"
                )
                try:
                    connection.execute(statement)
                    break
                except psycopg.errors.ObjectInUse:
                    time.sleep(0.1)
            else:
                pytest.fail(f"{statement}: somebody is always in the database")


@pytest.mark.usefixtures("small_disk")
def test_a_full_database_is_said_so_and_all_goes_on_after(site: Site) -> None:
    someone = Someone(site, "full")
    assert someone.save(1, str(uuid4()), 10).status == 200

    with full(site):
        for attempt in range(2000):  # what is free inside of the tables' own pages is used up first
            position, key = 1 + attempt % 12, str(uuid4())
            reply = someone.save(position, key, attempt % 100)
            if reply.status != 200:
                break
        assert is_refused_kindly(reply)
        assert someone.browser.send_once("GET", someone.page, None).status == 200  # reading goes on

    assert someone.save(position, key, 77).status == 200
    assert someone.save(position, key, 77).status == 200  # a repeat
    assert someone.stored_as_told("full")
