"""Somebody who can't see the pictures is seen: by the rule, in participants.csv and on the page Pay."""

import csv
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Payment, Study, User
from annotation.people.leaving import withdraw
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.release_tables import participants, participants_to_publish, workers
from annotation.releases.from_database.reading_judgments import crowd_of, frame_of
from annotation.releases.models import Exclusion, GoldRelease, Verdict
from tests.integration.agreement.bundles import run_again
from tests.integration.agreement.crowds import a_study_of, answers, came, judged

pytestmark = pytest.mark.django_db
ITEMS = [{"item_id": name} for name in "abcd"]
RULES = 'name = "pictures"\n[[rule]]\nkind = "cant-see"\nshare_above = 0.5\n'


@pytest.fixture
def study() -> Study:
    """Ann and bob see all four pictures, cat one of four, dan none."""
    study = a_study_of("choice", ITEMS, ["red", "blue"], judgments_per_item=4)
    for name, seen in (("ann", "abcd"), ("bob", "abcd"), ("cat", "a"), ("dan", "")):
        person = came(study, name)
        Payment.objects.create(participation=person, amount="1.00", currency="GBP")
        if seen:
            answers(person, "label", dict.fromkeys(seen, "red" if name != "bob" else "blue"))
        if unseen := set("abcd") - set(seen):
            answers(person, "could_not_see", dict.fromkeys(sorted(unseen), True))
    return study


def released(study: Study, folder: Path, **changes: Any) -> GoldRelease:
    (folder / "pictures.toml").write_text(RULES)
    return clean_and_release(study=study, rules=str(folder / "pictures.toml"), replicates=50, **changes)


def table(chunks: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(b"".join(chunks).decode().splitlines()))


def test_rule_excludes_who_saw_too_little_and_who_saw_nothing(study: Study, tmp_path: Path) -> None:
    release = released(study, tmp_path)
    failed = Verdict.objects.filter(run=release.run, outcome="failed").order_by("participation__pseudonym")
    assert [(one.participation.pseudonym, one.evidence[0]["answer"]) for one in failed] == [
        ("cat", "could not see the picture of 3 of 4 items"),
        ("dan", "could not see the picture of 4 of 4 items"),
    ]
    excluded = Exclusion.objects.in_force().values_list("participation__pseudonym", flat=True)
    assert sorted(excluded) == ["cat", "dan"]
    assert release.run.counts["unverified"]["of"] == 3


def test_bundle_judges_alike(study: Study, tmp_path: Path) -> None:
    there, again = run_again(released(study, tmp_path), tmp_path)
    for name in ("gold.csv", "workers.csv", "judgments.csv"):
        assert (again / name).read_bytes() == (there / name).read_bytes()
    rows = table([(there / "workers.csv").read_bytes()])
    assert [(row["worker_id"], row["kept"]) for row in rows] == [("ann", "1"), ("bob", "1"), ("cat", "0")]


def test_run_keeps_the_counts_that_it_began_with(study: Study, tmp_path: Path) -> None:
    release = released(study, tmp_path)
    before = b"".join(workers(release))
    place = study.participations.get(pseudonym="ann").assigned_items.get(item__item_id="a")
    judged(place, "could_not_see", True, revision=2)
    assert b"".join(workers(release)) == before
    assert dict(zip(crowd_of(study).workers, crowd_of(study).unseen, strict=True))["ann"] == 1  # type: ignore[arg-type]


def test_who_has_withdrawn_is_in_no_crowd(study: Study, tmp_path: Path) -> None:
    release = released(study, tmp_path)
    withdraw(participation=study.participations.get(pseudonym="dan"))
    for source in (study, release.run):
        assert list(crowd_of(source).workers) == ["ann", "bob", "cat"]


def test_crowd_has_those_who_saw_nothing_as_workers_without_a_judgment(study: Study) -> None:
    frame = frame_of(study)
    assert list(frame.crowd.workers) == ["ann", "bob", "cat", "dan"]
    assert frame.crowd.unseen is not None
    assert frame.crowd.unseen.tolist() == [0, 0, 3, 4]
    assert len(frame.judging) == 3


def test_practice_and_earlier_revisions_are_not_counted() -> None:
    study = a_study_of("choice", [*ITEMS, {"item_id": "p", "kind": "practice"}], ["red", "blue"])
    answers(came(study, "eve"), "could_not_see", dict.fromkeys("abp", True))
    place = study.participations.get().assigned_items.get(item__item_id="b")
    judged(place, "label", "red", revision=2)
    assert [row["could_not_see"] for row in table(participants(study))] == ["1"]
    unseen = crowd_of(study).unseen
    assert unseen is not None
    assert unseen.tolist() == [1]


def test_participants_have_the_count_as_their_last_column(study: Study) -> None:
    for made in (participants(study), participants_to_publish(study)):
        rows = table(made)
        assert list(rows[0])[-1] == "could_not_see"
        assert [row["could_not_see"] for row in rows] == ["0", "0", "3", "4"]


def test_page_pay_names_who_is_to_be_paid_for_little(client: Client, study: Study) -> None:
    client.force_login(User.objects.create_superuser("owner"))
    address = reverse("admin:annotation_study_payments", args=[study.pk])
    page = " ".join(client.get(address).text.split())
    assert "2 of the people who finished" in page
    assert "cat</a>: 3 of 4 items" in page
    assert "dan</a>: 4 of 4 items" in page
    assert "ann</a>" not in page
    Payment.objects.filter(participation__pseudonym__in=["cat", "dan"]).update(
        status="paid", settled_at="2026-11-01T00:00Z"
    )
    assert "can't see the picture" not in client.get(address).text
