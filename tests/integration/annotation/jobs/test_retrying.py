"""A failed job done again by the button: a new job, recorded, one however often it is pressed."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from agreement.errors import Refused
from annotation.jobs import retry_job, running
from annotation.models import AuditEntry, Job, Study
from tests.integration.annotation.jobs.test_races import at_once
from tests.integration.researchers import a_released_study, a_researcher, an_owned_study, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
GIVEN = {"toml": "name = 'x'", "seed": 4}


def a_job(study: Study | None, status: str = "failed", kind: str = "analyse") -> Job:
    finished = timezone.now() if status in {"failed", "done", "cancelled"} else None
    return Job.objects.create(
        kind=kind, study=study, status=status, parameters=GIVEN, attempts=1, error="out of memory", finished_at=finished
    )


def press(client: Any, job: Job, **given: str) -> Any:
    return client.post(reverse("admin:annotation_job_retry", args=[job.pk]), given)


def test_button_makes_a_new_job_and_records_it(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(running, "send_job", sent.append)
    study, client = an_owned_study()
    failed = a_job(study)
    page = client.get(reverse("admin:annotation_job_change", args=[failed.pk]))
    assert "Try again" in page.text
    with django_capture_on_commit_callbacks(execute=True):
        answer = press(client, failed)
    again = Job.objects.get(retry_of=failed)
    assert answer.headers["Location"] == reverse("admin:annotation_job_change", args=[again.pk])
    assert (again.kind, again.study, again.parameters, again.status) == ("analyse", study, GIVEN, "queued")
    assert (again.created_by, again.attempts, again.error, sent) == (study.owner, 0, "", [again.pk])
    entry = AuditEntry.objects.filter(study=study).latest("pk")
    assert (entry.by, entry.detail["job done again"]) == (study.owner, "analyse")
    assert entry.detail["new job"] == str(again.uuid)
    failed.refresh_from_db()
    assert (failed.status, failed.error) == ("failed", "out of memory")


def test_second_press_is_the_same_job_even_after_it_ended() -> None:
    study, client = an_owned_study()
    failed = a_job(study)
    press(client, failed)
    Job.objects.filter(retry_of=failed).update(status="done", finished_at=timezone.now())
    press(client, failed)
    assert Job.objects.filter(retry_of=failed).count() == 1
    assert AuditEntry.objects.filter(study=study, detail__has_key="job done again").count() == 1
    page = client.get(reverse("admin:annotation_job_change", args=[failed.pk])).text
    assert "started again as a new job" in page
    assert "Try again" not in page


def test_retry_that_failed_too_is_retried_in_its_turn() -> None:
    study, _ = an_owned_study()
    first = retry_job(job=a_job(study), by=None)
    Job.objects.filter(pk=first.pk).update(status="failed", finished_at=timezone.now())
    first.refresh_from_db()
    assert retry_job(job=first, by=None).retry_of == first


@pytest.mark.parametrize("status", ["queued", "running", "done", "cancelled"])
def test_only_a_failed_job_is_retried(status: str) -> None:
    study, client = an_owned_study()
    job = a_job(study, status)
    assert "Try again" not in client.get(reverse("admin:annotation_job_change", args=[job.pk])).text
    with pytest.raises(Refused, match="only a failed job can be started again"):
        retry_job(job=job, by=None)
    answer = client.post(reverse("admin:annotation_job_retry", args=[job.pk]), follow=True)
    assert "only a failed job can be started again" in answer.text
    assert Job.objects.count() == 1


def test_job_of_the_site_itself_is_not_retried() -> None:
    with pytest.raises(Refused, match="job of the site itself"):
        retry_job(job=a_job(None), by=None)
    chief = signed_in(a_researcher(is_superuser=True))
    job = Job.objects.get()
    assert press(chief, job).status_code == 404
    assert "Try again" not in chief.get(reverse("admin:annotation_job_change", args=[job.pk])).text


@pytest.mark.parametrize(("level", "status"), [("viewer", 403), ("editor", 302), ("manager", 302), ("", 404)])
def test_retrying_is_for_those_who_may_change_the_study(level: str, status: int) -> None:
    study, _ = an_owned_study()
    failed = a_job(study)
    client = signed_in(a_researcher(study, level))
    if level:
        page = client.get(reverse("admin:annotation_job_change", args=[failed.pk]))
        assert ("Try again" in page.text) == (level != "viewer")
    assert press(client, failed).status_code == status
    assert Job.objects.filter(retry_of=failed).exists() == (status == 302)


def test_retrying_is_by_post_alone() -> None:
    study, client = an_owned_study()
    assert client.get(reverse("admin:annotation_job_retry", args=[a_job(study).pk])).status_code == 405


def test_results_page_offers_it_and_comes_back_to_itself() -> None:
    study, client = an_owned_study()
    failed = a_job(study)
    address = reverse("agreement:results", args=[study.uuid])
    assert "Try again" in client.get(address).text
    viewer = signed_in(a_researcher(study, "viewer"))
    assert "Try again" not in viewer.get(address).text
    assert press(client, failed, back="results").headers["Location"] == address


def test_leaderboard_offers_it_and_comes_back_to_itself() -> None:
    study, _release, client = a_released_study()
    failed = a_job(study, kind="score")
    address = reverse("agreement:leaderboard", args=[study.uuid])
    assert "Try again" in client.get(address).text
    assert press(client, failed, back="leaderboard").headers["Location"] == address


def test_database_holds_one_retry_of_a_job() -> None:
    study, _ = an_owned_study()
    failed = a_job(study)
    retry_job(job=failed, by=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="analyse", study=study, retry_of=failed)


@pytest.mark.django_db(transaction=True)
def test_button_pressed_eight_times_at_once_makes_one_job() -> None:
    study, _ = an_owned_study()
    failed = a_job(study)
    made = at_once(8, lambda: retry_job(job=Job.objects.get(pk=failed.pk), by=None))
    assert len({job.pk for job in made}) == 1
    assert Job.objects.filter(retry_of=failed).count() == 1
    assert AuditEntry.objects.filter(detail__has_key="job done again").count() == 1
