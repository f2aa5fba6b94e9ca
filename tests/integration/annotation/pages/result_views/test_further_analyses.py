"""Further analyses of a study: asked for on the page and by command, stored with the release, shown and exported."""

import io
import json
import random
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from annotation.jobs import run_job
from annotation.models import EndQuestion, Job, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.models import ReleaseReport
from annotation.releases.summaries import settings_of
from tests.integration.agreement.analyse_file.command import analyse, refused, write_rows
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.annotation.pages.result_views.pressing import part, pressed, run_queued
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db
LABELS = ("no", "yes")


def a_study_with_people() -> tuple[Study, Client]:
    """Ten people, five of either age, gave labels to twelve items; the young turn every third around."""
    owner = a_researcher()
    items = [{"item_id": f"i{at:02}", "kind": "target", "fields": {}} for at in range(12)]
    study = a_study_of("choice", items, LABELS, owner=owner, judgments_per_item=10)
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old are you?", options="old\nyoung")
    EndQuestion.objects.create(study=study, position=2, name="remarks", text="Anything else?")
    for at in range(10):
        age = ("old", "young")[at % 2]
        person = came(study, f"p{at}", demographics={"age": age})
        turned = age == "young"
        given = {f"i{i:02}": LABELS[(i + (turned and i % 3 == 0) + (i == at)) % 2] for i in range(12)}
        answers(person, "label", given)
    return study, signed_in(owner)


def test_what_is_ticked_is_made_stored_with_the_release_shown_and_ticked_again() -> None:
    study, client = a_study_with_people()
    page = part(client, study, "analyse")
    choices = dict(page.context["form"].fields["also_subgroups"].choices)
    assert list(choices) == ["", "age"]  # free text makes no groups
    answer = pressed(client, study, also=["subgroups", "coefficients"], also_subgroups="age")
    assert answer.status_code == 302
    job = run_queued()
    assert job.status == "done", job.error
    assert set(job.parameters["also"]) == {"coefficients", "subgroups:age"}
    release = study.releases.get()
    assert [part["analysis"] for part in release.report["further"]] == ["coefficients", "subgroups:age"]
    assert "Workers were grouped by age: old (5 people), young (5 people)." in release.methods
    page = part(client, study, "claims")
    assert "Subgroups of workers" in page.text
    assert "Agreement between" in page.text
    assert set(settings_of(study).also) == {"coefficients", "subgroups:age"}
    form = part(client, study, "analyse").context["form"]
    assert (set(form["also"].value()), form["also_subgroups"].value()) == ({"coefficients", "subgroups"}, "age")
    pressed(client, study, also=[], also_subgroups="")
    assert run_queued().status == "done"
    assert "further" not in study.releases.get(number=2).report


def test_what_is_missing_or_misread_is_said_at_its_field_and_nothing_starts() -> None:
    study, client = a_study_with_people()
    page = pressed(client, study, also=["subgroups", "alt-test"], also_subgroups="", also_alt_test="lots")
    assert page.status_code == 422
    form = page.context["form"]
    assert "needs this: column" in str(form.errors["also_subgroups"])
    assert "not a number from 0 to 1" in str(form.errors["also_alt_test"])
    assert not Job.objects.exists()


def test_a_bundle_makes_all_again_but_what_workers_said_of_themselves_and_verify_says_so(tmp_path: Path) -> None:
    study, _client = a_study_with_people()
    also = ["coefficients", "subgroups:age"]
    release = clean_and_release(study=study, replicates=100, also=also, by=study.owner)
    run_job(Job.objects.get(kind="report", status="queued").pk)
    content = b"".join(bundle(release))
    path = tmp_path / "bundle.zip"
    path.write_bytes(content)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        readme = archive.read("README.txt").decode()
        names = archive.namelist()
    assert "--also coefficients " in readme
    assert "Not made again by this command: subgroups:age." in readme
    assert {"coefficients.csv", "subgroups-age.csv"} <= {Path(name).name for name in names}
    assert ReleaseReport.objects.filter(release=release).exists()
    told = io.StringIO()
    call_command("verify", path, "--json", stdout=told)
    answer = json.loads(told.getvalue())
    assert answer["differences"] == []
    assert "no bundle has what workers said of themselves: subgroups:age" in " ".join(answer["notes"])


def test_a_bundle_has_what_verifies_them_again_order_and_repeats_too(tmp_path: Path) -> None:
    items = [{"item_id": f"i{at:02}", "kind": "target", "fields": {}} for at in range(12)]
    again = {"kind": "check", "check_name": "again", "expected": list(LABELS), "fields": {}}
    study = a_study_of(
        "choice", [*items, *({"item_id": f"r{at}", **again} for at in range(2))], LABELS, owner=a_researcher(),
        judgments_per_item=10,
    )  # fmt: skip
    for at in range(2):
        study.items.filter(item_id=f"r{at}").update(repeats=study.items.get(item_id=f"i0{at}"))
    rng = random.Random(2)
    for at in range(6):
        order = [item.item_id for item in study.items.all()]
        rng.shuffle(order)
        given = {item: LABELS[(int(item[1:]) + (rng.random() < 0.2)) % 2] for item in order}
        answers(came(study, f"p{at}"), "label", given)
    also = ["hierarchical-dawid-skene", "intra-annotator", "drift"]
    release = clean_and_release(study=study, rules="own-bounds", replicates=50, also=also, by=study.owner)
    said = {part["analysis"]: " ".join(part["says"]) for part in release.report["further"]}
    assert "Of 6 people and 2 items there are 12 pairs" in said["intra-annotator"]
    assert "told by the time" in said["drift"]
    run_job(Job.objects.get(kind="report", status="queued").pk)
    path = tmp_path / "bundle.zip"
    path.write_bytes(b"".join(bundle(release)))
    with zipfile.ZipFile(path) as archive:
        posteriors = archive.read("tables/label-posteriors.csv").decode().splitlines()
    assert posteriors[0] == "Item,Judgments,Most probable,Probability of no,Probability of yes"
    assert len(posteriors) == 13
    told = io.StringIO()
    call_command("verify", path, "--json", stdout=told)
    assert json.loads(told.getvalue())["differences"] == []


def test_the_command_takes_them_and_none_for_none_of_them() -> None:
    study, _client = a_study_with_people()
    told = io.StringIO()
    call_command("analyse", study.slug, "--also", "subgroups:age", "--json", stdout=told)
    assert [part["analysis"] for part in json.loads(told.getvalue())["further"]] == ["subgroups:age"]
    told = io.StringIO()
    call_command("analyse", study.slug, "--alt-test", "0.2", "--also", "coefficients", "--json", stdout=told)
    assert [part["analysis"] for part in json.loads(told.getvalue())["further"]] == ["alt-test:0.2", "coefficients"]
    told = io.StringIO()
    call_command("analyse", study.slug, "--also", "none", "--json", stdout=told)
    assert "further" not in json.loads(told.getvalue())


def test_alternative_annotator_test_is_asked_for_by_an_option_of_its_own(tmp_path: Path) -> None:
    rng = random.Random(1)
    rows = [f"w{w},i{i},{LABELS[(i + (rng.random() < 0.2)) % 2]}" for w in range(4) for i in range(40)]
    judgments = write_rows(tmp_path / "judgments.csv", "worker_id,item_id,value", rows)
    probe = write_rows(tmp_path / "model.csv", "item_id,label", [f"i{i},{LABELS[i % 2]}" for i in range(40)])
    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--alt-test", "0.2")
    [found] = report["alt_test"]
    assert (found["probe"], found["epsilon"], len(found["annotators"])) == ("model", 0.2, 4)
    assert [part["analysis"] for part in report["further"]] == ["alt-test:0.2"]
    said = refused(judgments, tmp_path / "none", "--probe", str(probe), "--alt-test", "2")
    assert "--also alt-test:2: epsilon: '2' is not a number from 0 to 1" in said


def test_a_file_of_workers_groups_them_and_a_bad_one_is_refused_with_all_else(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{LABELS[(i + (w == i)) % 2]}" for w in range(10) for i in range(12)]
    judgments = write_rows(tmp_path / "judgments.csv", "worker_id,item_id,value", rows)
    workers = write_rows(
        tmp_path / "workers.csv", "worker_id,age", [f"w{w},{'old' if w < 5 else 'young'}" for w in range(10)]
    )
    report = analyse(judgments, tmp_path / "out", "--workers", str(workers), "--also", "subgroups:age", "alt-test")
    parts = {part["analysis"]: part for part in report["further"]}
    assert [row["group"] for row in parts["subgroups:age"]["tables"][0]["rows"]] == ["old", "young"]
    assert parts["alt-test"]["undefined"] == "no model was given that answers the items as people do"
    assert {source["name"] for source in report["inputs"]} == {"judgments.csv", "workers.csv"}
    twice = write_rows(tmp_path / "twice.csv", "worker_id,age", ["w0,old", "w0,young"])
    said = "\n".join(refused(judgments, tmp_path / "none", "--workers", str(twice), "--also", "alt-tset"))
    assert "twice.csv, row 3, this worker is in an earlier row too" in said
    assert "--also: there is no analysis 'alt-tset'" in said
