"""A release's report: drawn by a job after the analysis, shown and exported, and gone with whoever withdraws."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agreement.figures import rendering
from annotation.jobs import run_job
from annotation.models import Job, Participation, Study
from annotation.people.leaving import withdraw
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.models import Exclusion, GoldRelease, ReleaseReport
from annotation.simulating.crowds import simulate
from annotation.studies import presets
from annotation.studies.study_life import change_status, create_study
from tests.factories import a_study
from tests.integration.researchers import a_released_study, a_researcher, an_owned_study, signed_in
from tests.services.drawing import IN_A_PROCESS_OF_ITS_OWN

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def draw(release: GoldRelease) -> Job:
    job = Job.objects.filter(study=release.study, kind="report").latest("pk")
    run_job(job.pk)
    job.refresh_from_db()
    assert job.status == Job.Status.DONE, job.error
    return job


def address(view: str, release: GoldRelease, **more: Any) -> str:
    return reverse(f"agreement:{view}", kwargs={"study": release.study.uuid, "number": release.number, **more})


def results(client: Client, release: GoldRelease) -> str:
    return client.get(reverse("agreement:figures", args=[release.study.uuid])).text


def test_report_is_drawn_after_the_analysis_and_stands_on_the_results_page() -> None:
    _study, release, client = a_released_study()
    assert "The figures of this release are not drawn yet." in results(client, release)
    assert client.get(address("report", release)).status_code == 404
    draw(release)
    page = results(client, release)
    names = [figure["name"] for figure in ReleaseReport.objects.get(release=release).figures]
    assert names[:3] == ["judgment-distribution", "people-and-judgments", "check-answers"]
    for name in names:
        picture = client.get(address("figure", release, name=name))
        assert (picture.status_code, picture["Content-Type"]) == (200, "image/svg+xml")
        assert address("figure", release, name=name) in page
    report = client.get(address("report", release))
    assert report.status_code == 200
    assert "<script" not in report.text
    assert client.get(address("figure", release, name="passwords")).status_code == 404


def test_people_without_a_right_to_the_study_see_no_figure() -> None:
    _study, release, client = a_released_study()
    draw(release)
    _other, stranger = an_owned_study()
    for view, more in (("report", {}), ("figure", {"name": "check-answers"}), ("download", {"export": "report"})):
        assert client.get(address(view, release, **more)).status_code == 200
        assert stranger.get(address(view, release, **more)).status_code == 404
    viewer = signed_in(a_researcher(release.study, "viewer"))
    assert viewer.get(address("report", release)).status_code == 200
    assert viewer.post(address("draw", release)).status_code == 403


def test_report_goes_when_somebody_withdraws_and_is_drawn_again_without_them() -> None:
    owner = a_researcher()
    study = create_study(slug="spatial", preset=presets.load("spatial-similarity"), owner=owner, seed=7)
    study, client = change_status(study=study, status=Study.Status.LIVE, by=owner, why="a test"), signed_in(owner)
    simulate(study=study, workers=30, careless=3, seed=1)
    release = clean_and_release(study=study, replicates=20)
    draw(release)
    kept = study.participations.exclude(exclusions__in=Exclusion.objects.in_force()).latest("pk")
    assert kept.pseudonym in whole(release)
    withdraw(participation=kept)
    assert not ReleaseReport.objects.exists()
    assert "not drawn yet" in results(client, release)
    assert client.post(address("draw", release)).status_code == 302
    draw(release)
    assert kept.pseudonym not in whole(release)
    assert f"<h1>{study.title}</h1>" in client.get(address("report", release)).text
    assert "Erratum to release 1" in client.get(address("report", release)).text


def whole(release: GoldRelease) -> str:
    with zipfile.ZipFile(io.BytesIO(ReleaseReport.objects.get(release=release).content)) as archive:
        return "".join(archive.read(name).decode(errors="replace") for name in archive.namelist())


def test_drawing_twice_leaves_one_report_with_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_in_a_process", IN_A_PROCESS_OF_ITS_OWN)  # as in use
    study, release, client = a_released_study()
    draw(release)
    first = bytes(ReleaseReport.objects.get().content)
    assert client.post(address("draw", release)).status_code == 302
    draw(release)
    assert bytes(ReleaseReport.objects.get().content) == first
    assert study.participations.filter(status=Participation.Status.WITHDRAWN).count() == 0


def test_bundle_and_command_have_the_report(tmp_path: Path) -> None:
    study, release, _client = a_released_study()
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        assert "report.html" not in archive.namelist()
    told = io.StringIO()
    call_command("export", study.slug, "bundle", "--out", tmp_path / "bundle.zip", "--json", stdout=told)
    assert json.loads(told.getvalue())["what"] == "bundle"
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        names = set(archive.namelist())
        assert {"report.html", "figures/check-answers.pdf", "figures/check-answers.vl.json"} <= names
    call_command("export", study.slug, "report", "--out", tmp_path / "report.zip", stdout=io.StringIO())
    with zipfile.ZipFile(tmp_path / "report.zip") as archive:
        assert set(archive.namelist()) - {"drawn-with.json"} < names


def test_report_of_pairs_of_terms_draws_the_similarities_of_people_and_models(tmp_path: Path) -> None:
    study = a_study()
    simulate(study=study, workers=66, careless=0, seed=4)
    items = study.items.targets().values_list("item_id", flat=True)
    scores, log_probabilities = tmp_path / "scores.csv", tmp_path / "lp.csv"
    scores.write_text("\n".join(["item_id,score", *(f"{item},{len(item)}" for item in items), ""]))
    terms = ("below", "under", "above", "over", "away", "near", "next to", "left", "right", "in", "on")
    rows = [f"s,w,-{1 + (5 * at + 3 * of) % 7},{term},{terms[of]}" for at, term in enumerate(terms) for of in range(4)]
    log_probabilities.write_text("\n".join(["sentence_id,token,logprob,term,context", *rows, ""]))
    add_probe(study=study, name="lengths", file=scores)
    add_probe(study=study, name="made", file=log_probabilities)
    release = clean_and_release(study=study, replicates=20)

    draw(release)

    figures = {figure["name"]: figure for figure in ReleaseReport.objects.get().figures}
    assert {"similarity-matrix", "similarity-matrix-1", "similarity-matrix-2", "p-vectors"} <= set(figures)
    assert figures["similarity-matrix"]["title"] == "Similarity of terms: people"
    assert figures["similarity-matrix-1"]["title"] == "Similarity of terms: lengths"
    assert "Without far from." in figures["similarity-matrix-2"]["caption"]
