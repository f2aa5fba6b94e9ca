"""From a browser's claims to a verdict: the server's clock goes with the judgments, into bundles too."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.test import Client

from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.rule_set import parse_rules
from annotation.models import Assignment, Judgment, Participation, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.from_database.reading_judgments import crowd_of
from annotation.releases.models import Verdict
from annotation.simulating.crowds import simulate
from tests.factories import a_small_study
from tests.integration.agreement.bundles import run_again
from tests.integration.annotation.answering.views.people import a_study_of, begin, save

pytestmark = [pytest.mark.django_db, pytest.mark.both]
RULES = 'name = "times"\n[[rule]]\nkind = "too-fast"\nfloor_ms = 500\n'


def works(client: Client, study: Study, claimed_ms: int, *, took: dt.timedelta | None = None) -> Participation:
    """A person answers everything at once and claims a time; `took` says that they began so long ago."""
    address = begin(client, study)
    for position in range(1, 4):
        save(client, address, position=position, number=str(20 * position), response_ms=str(claimed_ms))
    client.post(address.replace("/1/", "/finish/"))
    person = Participation.objects.latest("pk")
    if took:
        for assignment in person.assignments.all():
            Assignment.objects.filter(pk=assignment.pk).update(claimed_at=assignment.claimed_at - took)
    return person


def test_answers_sent_at_once_fail_whatever_their_times_claim(client: Client, tmp_path: Path) -> None:
    study = a_study_of("slider")
    cheat = works(client, study, 3000)
    honest = [works(client, study, 3000, took=dt.timedelta(seconds=20)) for _ in range(2)]
    rules = tmp_path / "times.toml"
    rules.write_text(RULES)
    release = clean_and_release(study=study, rules=str(rules), replicates=50)
    failed = Verdict.objects.get(run=release.run, outcome="failed")
    assert failed.participation == cheat
    assert "claimed 9 s, the server saw" in str(failed.evidence)
    assert Verdict.objects.filter(participation__in=honest, outcome="passed").count() == 2
    there, again = run_again(release, tmp_path)
    for name in ("gold.csv", "workers.csv"):
        assert (again / name).read_bytes() == (there / name).read_bytes()


def test_crowd_has_the_servers_time_of_each_assignment(client: Client) -> None:
    study = a_study_of("slider", items_per_page=2)
    works(client, study, 100, took=dt.timedelta(minutes=5))
    extras = crowd_of(study).extras
    first, last = Assignment.objects.get().claimed_at, Judgment.objects.latest("created_at").created_at
    assert set(extras["server_ms"]) == {float(round((last - first) / dt.timedelta(milliseconds=1)))}
    assert set(extras["items_per_page"]) == {2.0}


def test_assignments_from_before_and_simulated_people_are_not_doubted(client: Client) -> None:
    study = a_study_of("slider")
    works(client, study, 3000)
    Assignment.objects.update(items_per_page=None)
    assert "server_ms" not in crowd_of(study).extras
    made_up = a_small_study(items=4, judgments_per_item=2, items_per_assignment=4)
    simulate(study=made_up, workers=2, careless=0, seed=1)
    crowd = crowd_of(made_up)
    assert not np.isnan(crowd.extras["response_ms"]).any()
    assert "server_ms" not in crowd.extras
    assert clean(crowd, parse_rules(RULES)).worker_kept.all()


def test_pages_of_what_was_begun_stay_when_the_study_changes(client: Client) -> None:
    study = a_study_of("slider")
    address = begin(client, study)
    Study.objects.filter(pk=study.pk).update(items_per_page=3)
    assert client.get(address).context["pages"] == 3
    later: Any = begin(client, Study.objects.get(pk=study.pk))
    assert client.get(later).context["pages"] == 1
