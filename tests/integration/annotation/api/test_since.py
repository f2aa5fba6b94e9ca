"""Judgments by `since`: none twice, and none passed over that was being written while somebody read."""

import threading
from typing import Any

import pytest
from django.db import connection, transaction

from annotation.answering.judging import open_assignment
from annotation.database.rows import last_settled_key
from annotation.models import Judgment
from tests.factories import a_person, a_small_study, an_answer
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.both, pytest.mark.concurrent]


def read(script: Script, path: str, since: str) -> tuple[list[str], str]:
    """All that has come since, and where to go on."""
    ids: list[str] = []
    while True:
        page = script.get(f"{path}?limit=3&since={since}").json()
        ids += [row["id"] for row in page["results"]]
        since = page["since"]
        if page["next_cursor"] is None:
            return ids, since


@pytest.mark.django_db
def test_what_came_since_comes_once_and_other_studies_do_not() -> None:
    script = Script(a_researcher())
    study, other = (a_small_study(items=8, owner=script.token.user, items_per_assignment=8) for _ in range(2))
    mine, others = (open_assignment(participation=a_person(one)) for one in (study, other))
    path, since, got = f"studies/{study.slug}/judgments/", "", []
    for position in range(1, 9):
        an_answer(mine, position)
        an_answer(others, position)
        if position % 3 == 0:
            new, since = read(script, path, since)
            got += new
    an_answer(mine, 1, 70.0)
    new, since = read(script, path, since)
    got += new
    expected = Judgment.objects.of_study(study.pk).order_by("pk").values_list("uuid", flat=True)
    assert got == [str(uuid) for uuid in expected]
    assert read(script, path, since)[0] == []
    both = script.get(f"{path}?since={since}&cursor={since}")
    assert both.status_code == 422


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_row_that_commits_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """One answer takes its number and commits after a later one: a reader in between gets neither, and then both."""
    monkeypatch.setattr("annotation.database.rows.PATIENCE_SECONDS", 0.05)
    script = Script(a_researcher())
    study = a_small_study(items=2, owner=script.token.user, items_per_assignment=2)
    first, second = (open_assignment(participation=a_person(study)) for _ in range(2))
    stored, may_commit = threading.Event(), threading.Event()

    def late() -> None:
        try:
            with transaction.atomic():
                an_answer(first, 1)
                stored.set()
                may_commit.wait(60)
        finally:
            connection.close()

    thread = threading.Thread(target=late)
    thread.start()
    assert stored.wait(60)
    an_answer(second, 1)
    path = f"studies/{study.slug}/judgments/"
    ids, since = read(script, path, "")
    assert ids == []
    may_commit.set()
    thread.join()
    ids, _ = read(script, path, since)
    assert len(ids) == Judgment.objects.count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_short_transaction_holds_a_reader_up_and_not_back() -> None:
    study = a_small_study(items=2, owner=a_researcher(), items_per_assignment=2)
    first, second = (open_assignment(participation=a_person(study)) for _ in range(2))
    stored, done = threading.Event(), threading.Event()

    def short() -> None:
        try:
            with transaction.atomic():
                an_answer(first, 1)
                stored.set()
                done.wait(0.1)
        finally:
            connection.close()

    thread = threading.Thread(target=short)
    thread.start()
    assert stored.wait(60)
    an_answer(second, 1)
    assert last_settled_key(Judgment) == max(Judgment.objects.values_list("pk", flat=True))
    thread.join()
    assert Judgment.objects.count() == 2


def test_no_place_is_needed_to_begin(db: Any) -> None:
    assert last_settled_key(Judgment) == 0
