"""The first page: how studies stand, what to do next, what needs attention; the same queries for any number of them."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotation.jobs import request_job
from annotation.models import Job, Participation, Payment, Study
from annotation.pages.all_studies import LatestRelease, latest_releases
from annotation.releases.models import GoldRelease
from annotation.releases.tasks import ANALYSE
from annotation.studies.study_life import change_status
from tests.factories import a_small_study, a_study, per_assignment_done
from tests.integration.researchers import a_released_study, a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db


def home(client: Client) -> Any:
    return client.get(reverse("admin:index")).context


def attention(client: Client) -> list[str]:
    return [f"{advice.sentence} {advice.verb}" for advice in home(client)["attention"]]


def next_step(client: Client) -> str:
    (card,) = home(client)["studies"]
    return f"{card.advice.sentence} {card.advice.verb}"


def test_new_researcher_sees_what_to_do_first() -> None:
    a_study()  # of somebody else
    page = signed_in(a_researcher()).get(reverse("admin:index"))
    text = page.content.decode()
    assert "Your first study" in text
    assert f'class="t-button t-primary" href="{reverse("admin:annotation_study_from_preset")}"' in text
    assert not page.context["studies"]


def test_draft_is_given_items_and_then_opened() -> None:
    owner = a_researcher()
    study = Study.objects.create(slug="new", title="New", kind="text", question="{a}", owner=owner)
    assert next_step(signed_in(owner)) == "Give it items to judge. Items"
    study.delete()
    a_small_study(items=2, live=False, owner=owner)
    assert next_step(signed_in(owner)) == "Go through the checklist, then open it. Launch"


def test_open_study_waits_for_its_first_person_and_then_collects() -> None:
    study, client = an_owned_study()
    assert next_step(client) == "Nobody has come yet: give people its link. Links"
    per_assignment_done(study)
    assert next_step(client) == "Collecting. Watch"
    (card,) = home(client)["studies"]
    assert (card.people, card.done) == (1, study.items_per_assignment)
    assert 0 < card.share < 1


def test_study_that_is_full_is_to_be_analysed() -> None:
    owner = a_researcher()
    study = a_small_study(items=3, judgments_per_item=1, items_per_assignment=3, owner=owner)
    per_assignment_done(study)
    client = signed_in(owner)
    assert next_step(client) == "Analyse what was collected. Results"
    request_job(kind=ANALYSE, study=study, parameters={}, by=owner)
    assert next_step(client) == "The analysis is running. Results"


def test_release_says_its_next_step_until_it_is_out_of_date() -> None:
    study, release, client = a_released_study()
    change_status(study=study, status=Study.Status.PAUSED, by=study.owner)
    step = release.report["verdict"]["next"][0]["sentence"]
    assert next_step(client).startswith(step)
    Participation.objects.filter(study=study).update(finished_at=timezone.now() + dt.timedelta(minutes=1))
    out_of_date = "Release 1 is out of date: people have finished since. Analyse again"
    assert next_step(client) == out_of_date
    assert out_of_date in attention(client)


def test_study_that_nobody_comes_to_is_stuck() -> None:
    study, client = an_owned_study()
    per_assignment_done(study)
    assert attention(client) == []
    Participation.objects.update(entered_at=timezone.now() - dt.timedelta(days=3))
    assert attention(client) == ["It still needs judgments, and nobody has come in for 3 days. Watch"]


def test_suspects_are_named_until_somebody_has_decided_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    study, _release, client = a_released_study()
    kept = Participation.objects.filter(study=study, exclusions=None).values_list("pseudonym", flat=True)
    suspects = frozenset(kept)

    def releases(studies: Any) -> dict[int, LatestRelease]:
        return {key: replace(one, suspects=suspects) for key, one in latest_releases(studies).items()}

    monkeypatch.setattr("annotation.pages.home.latest_releases", releases)
    assert attention(client) == ["The answers of 2 people look careless, and are undecided. Look at them"]
    Participation.objects.filter(pseudonym=min(suspects)).update(looked_at=timezone.now())
    assert attention(client) == ["The answers of 1 person look careless, and are undecided. Look at them"]


def test_pay_is_shown_to_managers_alone() -> None:
    study, client = an_owned_study()
    for status in ("approved", "due"):
        assignment = per_assignment_done(study)
        Payment.objects.update_or_create(
            participation=assignment.participation,
            defaults={"status": status, "amount": Decimal("1.50"), "currency": "GBP"},
        )
    change_status(study=study, status=Study.Status.PAUSED, by=study.owner)
    shown = home(client)
    assert (shown["spent"], shown["owed"], shown["studies"][0].spent) == ("1.50 GBP", "1.50 GBP", "1.50 GBP")
    assert "1 payment to decide on (1.50 GBP). Decide" in attention(client)
    viewer = signed_in(a_researcher(study, "viewer"))
    shown = home(viewer)
    assert (shown["spent"], shown["studies"][0].spent) == ("no amount", "")
    assert not any("payment" in advice for advice in attention(viewer))


def test_jobs_that_no_worker_takes_are_named() -> None:
    study, client = an_owned_study()
    request_job(kind=ANALYSE, study=study, parameters={}, by=None)
    assert not home(client)["waits_for_worker"]
    Job.objects.update(created_at=timezone.now() - dt.timedelta(minutes=5))
    assert home(client)["waits_for_worker"]
    Job.objects.update(status=Job.Status.RUNNING, touched_at=timezone.now())
    assert not home(client)["waits_for_worker"]


def test_failed_job_is_named_to_who_may_see_its_study() -> None:
    study, client = an_owned_study()
    request_job(kind=ANALYSE, study=study, parameters={}, by=None)
    Job.objects.update(status=Job.Status.FAILED, finished_at=timezone.now())
    assert attention(client) == ["A job failed (analyse). See why"]
    assert attention(an_owned_study()[1]) == []


def test_stranger_sees_nothing_of_a_study() -> None:
    study, _release, _client = a_released_study()
    page = an_owned_study(title="Mine")[1].get(reverse("admin:index"))
    assert study.title not in page.content.decode()


@pytest.mark.parametrize("owner_is_administrator", [False, True])
def test_home_costs_the_same_queries_for_two_hundred_studies(*, owner_is_administrator: bool) -> None:
    study, _release, _client = a_released_study()
    owner = study.owner
    assert owner is not None
    owner.is_superuser = owner_is_administrator
    owner.save()
    client = signed_in(owner)
    counts = []
    for number in (0, 200):
        Study.objects.bulk_create(
            Study(slug=f"many-{k}", title=f"Study {k}", kind="text", question="{a}", owner=owner, status="live")
            for k in range(number)
        )
        client.get(reverse("admin:index"))
        with CaptureQueriesContext(connection) as asked:
            assert client.get(reverse("admin:index")).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1] == HOME_QUERIES
    assert GoldRelease.objects.count() == 1


HOME_QUERIES = 15
