"""An answer that was being stored while a run began is not lost from sight, however many others came with it."""

import threading

import pytest
from django.db import connection, transaction
from django.db.models import Max

from annotation.models import Judgment
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.freezing import SETTLED, out_of_date
from annotation.releases.models import CleaningRun
from tests.integration.agreement.crowds import a_slider_crowd, answers, came

pytestmark = [pytest.mark.both, pytest.mark.concurrent]
MANY = 1_500  # numbers that others took meanwhile
ANSWERS = {"i1": 5.0, "u1": 0.0, "s1": 100.0}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_answer_that_commits_after_the_run_with_a_much_smaller_number_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("annotation.database.rows.PATIENCE_SECONDS", 0.05)
    study = a_slider_crowd()
    late, early = came(study, "kim"), came(study, "lou")
    stored, may_commit = threading.Event(), threading.Event()

    def store_late() -> None:
        try:
            with transaction.atomic():
                answers(late, "number", ANSWERS)
                stored.set()
                may_commit.wait(60)
        finally:
            connection.close()

    thread = threading.Thread(target=store_late)
    thread.start()
    try:
        assert stored.wait(60)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT setval('annotation_judgment_id_seq', nextval('annotation_judgment_id_seq') + %s)", [MANY]
            )
        answers(early, "number", {"i2": 5.0})
        release = clean_and_release(study=study, replicates=50)
        assert out_of_date(release) == []
    finally:
        may_commit.set()
        thread.join()
    numbers = Judgment.objects.filter(assigned_item__participation=late).aggregate(last=Max("pk"))["last"]
    assert numbers + MANY < Judgment.objects.aggregate(last=Max("pk"))["last"]
    assert out_of_date(release) == ["3 answers came in"]


@pytest.mark.django_db
def test_run_begins_behind_all_that_is_settled_and_one_of_before_has_the_same_answer() -> None:
    study = a_slider_crowd()
    release = clean_and_release(study=study, replicates=50)
    run = release.run
    last = Judgment.objects.aggregate(last=Max("pk"))["last"]
    assert run.counts[SETTLED] == last
    answers(came(study, "kim"), "number", ANSWERS)
    for noted in ({SETTLED: last}, {SETTLED: 0}, {"last_judgment": last}, {}):
        others = {name: value for name, value in run.counts.items() if name != SETTLED}
        CleaningRun.objects.filter(pk=run.pk).update(counts=others | noted)
        release.run.refresh_from_db()
        assert out_of_date(release) == ["3 answers came in"]
