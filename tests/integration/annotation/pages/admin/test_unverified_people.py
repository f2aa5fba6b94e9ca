"""Whoever came without a signature counts as unverified, and every page and file that counts people says so."""

import csv
import io
import zipfile

import pytest
from django.urls import reverse

from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.release_tables import participants
from tests.factories import per_assignment_done
from tests.integration.researchers import an_owned_study

pytestmark = pytest.mark.django_db


def test_unverified_people_are_called_so_wherever_people_are_counted() -> None:
    study, client = an_owned_study(platform="prolific", pay="1.50", currency="GBP")
    for number in (40, 60, 50):
        per_assignment_done(study, number=number, is_careful=True)
    study.participations.update(is_verified=False)
    release = clean_and_release(study=study, replicates=100)
    person = study.participations.earliest("pk")
    archive = zipfile.ZipFile(io.BytesIO(b"".join(bundle(release))))
    rows = list(csv.DictReader(io.StringIO(b"".join(participants(study)).decode())))

    places = {
        "watch": (
            "3 of them are unverified: they came",
            reverse("agreement:watch", args=[study.uuid]),
        ),
        "people": ("unverified", f"{reverse('admin:annotation_participation_changelist')}?study={study.pk}"),
        "person": ("unverified", reverse("admin:annotation_participation_change", args=[person.pk])),
        "pay": ("are unverified", reverse("admin:annotation_study_payments", args=[study.pk])),
        "agreement": ("unverified workers", reverse("agreement:agreement", args=[study.uuid])),
    }
    assert [name for name, (words, address) in places.items() if words not in client.get(address).text] == []
    assert {row["verified"] for row in rows} == {"0"}
    assert release.report["unverified"] == {"workers": 3, "of": 3}
    assert "identities are not verified" in release.methods
    assert "3 of the 3 workers are unverified" in archive.read("README.txt").decode()
