"""Labels that are the points of a scale, from a study's setting to gold, agreement, models and the bundle."""

import io
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from agreement.estimation.estimate import Estimate
from annotation.models import Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.freezing import out_of_date
from annotation.releases.actions.scoring_probes import add_probe
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.from_database.reading_judgments import crowd_of
from annotation.releases.models import GoldRelease
from annotation.simulating.crowds import simulate
from annotation.studies.completeness import what_is_missing
from annotation.studies.item_files import NewItem
from annotation.studies.study_life import add_items, change_status

pytestmark = [pytest.mark.django_db, pytest.mark.both]
POINTS = ("never", "rarely", "sometimes", "often", "always")
STEPS = {"quadratic_kappa_of_steps", "linear_kappa_of_steps", "spearman_of_steps", "distance_in_steps"}


def a_scale_study(points: tuple[str, ...] = POINTS, *, live: bool = True, **changes: bool) -> Study:
    study = Study.objects.create(
        slug="how-often", kind="choice", title="How often?", question="How often does {thing} rain?", seed=7,
        judgments_per_item=8, items_per_assignment=30, **changes,
    )  # fmt: skip
    for position, value in enumerate(points, start=1):
        study.labels.create(value=value, display_text=value.title(), position=position)
    items: list[NewItem] = [
        {"item_id": f"i{n}", "fields": {"thing": f"town {n}"}, "reference": points[n % len(points)]} for n in range(30)
    ]
    add_items(study=study, items=items, source="a test")
    return change_status(study=study, status=Study.Status.LIVE) if live else study


def released(study: Study, folder: Path) -> GoldRelease:
    simulate(study=study, workers=8, careless=0, seed=2)
    probe = folder / "model.csv"
    probe.write_text("item_id,label\n" + "".join(f"i{n},{POINTS[max(n % 5 - n % 2, 0)]}\n" for n in range(30)))
    add_probe(study=study, file=probe, name="model")
    return clean_and_release(study=study, replicates=50)


def test_order_is_used_wherever_it_says_something(tmp_path: Path) -> None:
    study = a_scale_study(ordered=True)
    release = released(study, tmp_path)

    assert release.columns[-1] == "median_label"
    cells = [line.cells[-1] for line in release.labels.all()]
    assert {part for cell in cells for part in cell.split("|")} <= set(POINTS)
    results = release.published.results
    agreement = results.agreement.cleaned
    assert isinstance(agreement.krippendorff_alpha["ordinal"].headline, Estimate)
    assert agreement.weighted_kappa.keys() == {"linear", "quadratic"}
    assert "unused-order" not in [warning.code for warning in results.warnings]
    scores = {score.metric: score.figure for score in results.scores if not score.breakdown and score.probe == "model"}
    assert scores.keys() >= STEPS
    distance = scores["distance_in_steps"]
    assert isinstance(distance, Estimate)
    assert 0 < distance.estimate < 1.5

    packed = tmp_path / "bundle.zip"
    packed.write_bytes(b"".join(bundle(release)))
    with zipfile.ZipFile(packed) as archive:
        assert " --ordered " in archive.read("README.txt").decode()
    call_command("verify", str(packed), stdout=io.StringIO())


def test_without_the_setting_it_is_named_and_a_release_stays_what_it_was(tmp_path: Path) -> None:
    study = a_scale_study()
    release = released(study, tmp_path)

    [text] = [warning.text for warning in release.published.results.warnings if warning.code == "unused-order"]
    assert "tick “Labels are ordered” under Answer in Setup" in str(text) or "--ordered" in str(text)
    assert "median_label" not in release.columns
    assert not STEPS & {score.metric for score in release.published.results.scores}

    Study.objects.filter(pk=study.pk).update(ordered=True)
    release.refresh_from_db()
    assert out_of_date(GoldRelease.objects.get(pk=release.pk)) == ["labels are now ordered"]
    assert not crowd_of(GoldRelease.objects.get(pk=release.pk).run).ordered
    again = clean_and_release(study=Study.objects.get(pk=study.pk), replicates=50)
    assert again.columns[-1] == "median_label"


def test_a_scale_of_too_many_points_keeps_a_study_from_opening() -> None:
    study = a_scale_study(tuple(f"point {n}" for n in range(40)), live=False, ordered=True)
    [reason] = what_is_missing(study)
    assert reason.startswith("How often? has 40 ordered labels, and a scale has 2 to 12 points: leave some out, or")


def test_limits_that_no_answer_can_keep_keep_a_study_from_opening() -> None:
    study = a_scale_study(live=False)
    study.labels.filter(value="never").update(exclusive=True)
    Study.objects.filter(pk=study.pk).update(kind="choices", fewest=5)
    study.refresh_from_db()
    [reason] = what_is_missing(study)
    assert reason.startswith("How often? asks for 5 labels of an answer, and 4 can be chosen together: give a smaller")


@pytest.mark.parametrize(("fewest", "most"), [(2, 3), (1, 1), (None, 2)])
def test_simulated_people_keep_to_the_limits(fewest: int | None, most: int | None) -> None:
    study = a_scale_study(live=False)
    study.labels.filter(value="never").update(exclusive=True)
    Study.objects.filter(pk=study.pk).update(kind="choices", fewest=fewest, most=most)
    study.refresh_from_db()
    change_status(study=study, status=Study.Status.LIVE)
    assert simulate(study=study, workers=6, careless=3, seed=5).answers == 180
