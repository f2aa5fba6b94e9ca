"""Stored summaries: made by a job, read back alike, made again when old, and never shown with who has withdrawn."""

import datetime as dt
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from annotation import jobs
from annotation.models import Job, Study
from annotation.people.leaving import withdraw
from annotation.releases import summaries
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.models import StudySummary
from annotation.releases.summaries import (
    Figures,
    ask_for_old_summaries,
    ask_for_summary,
    compute_figures,
    figures_of,
    is_due,
)
from annotation.releases.tasks import SUMMARY
from tests.factories import a_study, per_assignment_done

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def study(monkeypatch: pytest.MonkeyPatch) -> Study:
    """With answers of three people, and taken for a large one."""
    monkeypatch.setattr(summaries, "AT_ONCE", 5)
    study = a_study()
    for number in (20.0, 55.0, 60.0):
        per_assignment_done(study, number, is_careful=number > 30)
    return study


def stored(study: Study) -> Job:
    job = jobs.run_here(kind=SUMMARY, study=study, parameters={}, by=None)
    assert job.status == Job.Status.DONE, job.error
    return job


def same(one: Figures, other: Figures) -> None:
    assert {**one.facts, "withdrawn": 0} == {**other.facts, "withdrawn": 0}
    for mine, theirs in ((one.workers, other.workers), (one.items, other.items)):
        assert list(mine) == list(theirs)
        for name in mine:
            np.testing.assert_array_equal(mine[name], theirs[name])


def test_what_is_stored_is_what_is_computed(study: Study) -> None:
    assert figures_of(study) is None

    stored(study)

    found = figures_of(study)
    assert found is not None
    same(found, compute_figures(study))
    assert (found.since, found.judgments) == (0, compute_figures(study).judgments)
    assert found.made_at is not None


def test_the_job_may_run_twice(study: Study) -> None:
    stored(study)
    stored(study)
    assert StudySummary.objects.filter(study=study).count() == 1


def test_a_small_study_is_computed_at_once(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "AT_ONCE", 4_000)
    found = figures_of(study)
    assert found is not None
    assert found.made_at is None
    assert not ask_for_summary(study=study, by=None)


def test_it_says_how_many_judgments_have_come_in_since(study: Study) -> None:
    stored(study)
    before = compute_figures(study).judgments
    per_assignment_done(study)
    found = figures_of(study)
    assert found is not None
    assert found.since == compute_figures(study).judgments - before


def aged(study: Study, **by: Any) -> None:
    StudySummary.objects.filter(study=study).update(made_at=timezone.now() - dt.timedelta(**by))


def test_it_is_due_once_enough_has_come_in_or_it_is_old(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(study)
    assert not is_due(study)
    aged(study, hours=2)
    assert not is_due(study)  # nothing has changed
    per_assignment_done(study)
    assert is_due(study)
    aged(study, minutes=2)
    assert not is_due(study)  # fewer than a hundred are new
    monkeypatch.setattr(summaries, "MANY", 5)
    assert is_due(study)
    aged(study, seconds=5)
    assert not is_due(study)  # it was made a moment ago


def test_an_exclusion_makes_it_due(study: Study) -> None:
    stored(study)
    aged(study, minutes=2)
    exclude(participation=study.participations.earliest("pk"), reason="careless", by=None)
    assert is_due(study)


def test_a_summary_is_asked_for_once(study: Study) -> None:
    assert ask_for_summary(study=study, by=None)
    assert ask_for_summary(study=study, by=None)
    assert study.jobs.filter(kind=SUMMARY).count() == 1


def test_a_job_that_failed_is_not_asked_for_at_every_look(study: Study) -> None:
    failed = {"status": Job.Status.FAILED, "finished_at": timezone.now()}
    Job.objects.create(kind=SUMMARY, study=study, **failed)
    assert not ask_for_summary(study=study, by=None)


def test_the_clock_asks_for_those_that_have_grown_old(study: Study) -> None:
    stored(study)
    aged(study, hours=1)
    assert ask_for_old_summaries() == 0
    per_assignment_done(study)
    assert ask_for_old_summaries() == 1


def test_a_withdrawal_deletes_it(study: Study) -> None:
    stored(study)
    withdraw(participation=study.participations.earliest("pk"), by=None)
    assert not StudySummary.objects.exists()


def test_what_was_computed_before_a_withdrawal_is_not_shown(study: Study) -> None:
    stored(study)
    kept = StudySummary.objects.get()
    withdraw(participation=study.participations.earliest("pk"), by=None)
    kept.pk = None
    kept.save(force_insert=True)
    assert figures_of(study) is None


def test_who_is_excluded_has_no_influence_and_no_part_in_agreement(study: Study) -> None:
    person = study.participations.earliest("pk")
    exclude(participation=person, reason="careless", by=None)
    found = compute_figures(study)
    row = found.worker(person.pk)
    assert row is not None
    assert np.isnan(row["without"])
    assert found.facts["judgments"] == row["judgments"] * 3
