"""The published bundle: nothing that is private is in it, and its figures are the release's."""

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.cli.verifying import verify
from annotation.models import AuditEntry, EndQuestion, Participation, Payment, Study
from annotation.people.leaving import withdraw
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.releasing import published_names
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.models import GoldRelease, PublishedNames
from tests.factories import per_assignment_done
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
SECRETS = {
    "platform id": "SENTINEL-PLATFORM-ID", "session": "SENTINEL-SESSION", "comment": "SENTINEL-COMMENT",
    "free text": "SENTINEL-FREE-TEXT", "payment": "SENTINEL-PAYMENT", "exclusion": "SENTINEL-EXCLUSION",
    "rare answer": "SENTINEL-RARE",
}  # fmt: skip


@pytest.fixture
def release() -> GoldRelease:
    """Eight people: seven women and one of another gender; one is excluded by hand."""
    study, _ = an_owned_study()
    options = f"woman\n{SECRETS['rare answer']}"
    EndQuestion.objects.create(study=study, name="gender", text="Your gender?", options=options, position=1)
    EndQuestion.objects.create(study=study, name="remark", text="Anything?", position=2)
    for number in range(8):
        per_assignment_done(study, number=20 + 8 * number, is_careful=number != 1)
    for number, person in enumerate(study.participations.order_by("pk")):
        gender = SECRETS["rare answer"] if number == 3 else "woman"
        Participation.objects.filter(pk=person.pk).update(
            comments=SECRETS["comment"],
            demographics={"gender": gender, "remark": SECRETS["free text"]},
            device="phone" if number == 3 else "computer",
        )
        person.worker.platform_id = f"{SECRETS['platform id']}-{number}"
        person.worker.save()
        Payment.objects.filter(participation=person).update(
            platform_id=f"{SECRETS['platform id']}-{number}", session_id=SECRETS["session"], reason=SECRETS["payment"]
        )
    first = study.participations.order_by("pk").first()
    assert first is not None
    assert study.owner is not None
    exclude(participation=first, reason=SECRETS["exclusion"], by=study.owner)
    return clean_and_release(study=study, replicates=50, by=study.owner)


def published(study: Study, folder: Path) -> Path:
    path = folder / "published.zip"
    call_command("export", study.slug, "published-bundle", "--out", path, stdout=io.StringIO())
    return path


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_nothing_private_is_anywhere_in_it_and_its_figures_are_the_releases(
    release: GoldRelease, tmp_path: Path
) -> None:
    path = published(release.study, tmp_path)
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    pseudonyms = list(release.study.participations.values_list("pseudonym", flat=True))
    for name, content in files.items():
        for secret in [*SECRETS.values(), *pseudonyms]:
            assert secret.encode() not in content, (name, secret)
    assert {"report.html", "croissant.json", "README.md", "zenodo.json", "participants.csv", "by_hand.csv"} <= set(
        files
    )
    names = [f"w{number:02}" for number in range(1, 9)]
    assert [row["worker_id"] for row in rows(files["workers.csv"])] == names
    assert {row["reason"] for row in rows(files["by_hand.csv"])} == {"by a researcher"}

    found = verify(path, expect=release.sha256)
    assert (found.words, found.differences, found.notes) == ("identical", [], [])


def test_export_says_the_hash_that_stands_for_the_bundle(release: GoldRelease, tmp_path: Path) -> None:
    for what in ("bundle", "published-bundle"):
        out, path = io.StringIO(), tmp_path / f"{what}.zip"
        call_command("export", release.study.slug, what, "--out", path, stdout=out)
        with zipfile.ZipFile(path) as archive:
            digest = hashlib.sha256(archive.read("SHA256SUMS")).hexdigest()
        assert f"SHA-256 of its SHA256SUMS: {digest}" in out.getvalue()
        assert verify(path, expect=digest).words == "identical"


def test_answers_that_fewer_than_five_people_share_are_blank_and_counted(release: GoldRelease, tmp_path: Path) -> None:
    path = published(release.study, tmp_path)
    with zipfile.ZipFile(path) as archive:
        people, readme = rows(archive.read("participants.csv")), archive.read("README.txt").decode()
        report, methods = json.loads(archive.read("report.json")), archive.read("methods-details.md").decode()
    assert list(people[0]) == ["worker_id", "status", "minutes", "verified", "device", "gender", "could_not_see"]
    assert sorted((row["device"], row["gender"]) for row in people) == [("", ""), *[("computer", "woman")] * 7]
    assert "2 others are left blank (device 1, gender 1)." in readme
    (gender, _) = report["collection"]["questions"]
    assert gender["options"] == {"woman": gender["answered"] - gender["withheld"]}
    assert f"answers that fewer than five people share {gender['withheld']}" in methods


def test_the_key_is_a_file_of_its_own_and_recorded(release: GoldRelease, tmp_path: Path) -> None:
    out = tmp_path / "key.csv"
    call_command("export", release.study.slug, "published-key", "--out", out, stdout=io.StringIO())
    key = rows(out.read_bytes())
    pseudonyms = sorted(release.study.participations.values_list("pseudonym", flat=True))
    assert [(row["worker_id"], row["pseudonym"]) for row in key] == [
        (f"w{number:02}", who) for number, who in enumerate(pseudonyms, start=1)
    ]
    assert AuditEntry.objects.get(study=release.study, action="exported").detail["what"] == "published-key"


def test_names_stay_when_somebody_withdraws(release: GoldRelease, tmp_path: Path) -> None:
    before = dict(published_names(release=release))
    gone = release.study.participations.order_by("pseudonym")[2]
    withdraw(participation=gone)
    with zipfile.ZipFile(published(release.study, tmp_path)) as archive:
        found = [row["worker_id"] for row in rows(archive.read("workers.csv"))]
    assert found == [name for name in before.values() if name != before[gone.pseudonym]]
    assert PublishedNames.objects.get().names == before


def test_who_may_only_look_gets_the_bundle_and_not_the_key(release: GoldRelease) -> None:
    study = release.study
    viewer = signed_in(a_researcher(study, "viewer"))
    address, key = (
        reverse("agreement:download", args=[study.uuid, 1, f"published-{one}"]) for one in ("bundle", "key")
    )
    bundle = viewer.get(address)
    assert bundle.status_code == 200
    assert zipfile.is_zipfile(io.BytesIO(bundle.getvalue()))
    assert viewer.get(key).status_code == 403
    assert key.encode() not in viewer.get(reverse("agreement:results", args=[study.uuid])).content
    assert signed_in(a_researcher(study, "editor")).get(key).status_code == 200
