"""Captions from people in the database: a person stands beside models on the leaderboard, on the same references."""

from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from agreement.report.methods import methods_text
from annotation.models import Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe, score_here
from annotation.releases.leaderboards import metrics_of, table_of
from annotation.releases.models import GoldRelease
from tests.integration.agreement.crowds import a_study_of, answers, came

pytestmark = pytest.mark.django_db
ITEMS = [f"i{at}" for at in range(12)]
WORDS = ("a", "red", "dog", "sits", "by", "the", "house", "tree")


@pytest.fixture
def study() -> Study:
    rng = np.random.default_rng(1)
    truth = {item: rng.choice(WORDS, 6) for item in ITEMS}
    study = a_study_of("text", [{"item_id": item} for item in ITEMS], judgments_per_item=4)
    for name in ("ann", "ben", "eve", "zoe"):
        said = {item: " ".join(np.where(rng.random(6) < 0.3, rng.choice(WORDS, 6), truth[item])) for item in ITEMS}
        answers(came(study, name), "text", said)
    return study


@pytest.fixture
def release(study: Study, tmp_path: Path) -> GoldRelease:
    release = clean_and_release(study=study, replicates=50)
    for name, text in (("dogs", "a red dog sits by the house"), ("trees", "the tree")):
        path = tmp_path / f"{name}.csv"
        path.write_text("item_id,text\n" + "".join(f"{item},{text}\n" for item in ITEMS))
        add_probe(study=study, name=name, file=path)
    score_here(release=release, seed=1)
    return release


def test_a_person_stands_beside_models_on_the_same_number_of_references(release: GoldRelease) -> None:
    table = table_of(release)

    assert table is not None
    assert table.metric == "mean_of_four_without_one"
    assert [row.name for row in table.rows] == ["dogs", "trees", "A typical person, leave-one-out"]
    person = table.rows[-1]
    found = release.report["ceiling"]["leave_one_out"]
    assert found["headline"] == "pooled"
    assert (person.estimate, person.low) == (found["pooled"]["estimate"], found["pooled"]["low"])
    assert (found["pooled"]["n"], found["others_behind_a_gold"]) == (48, 3.0)
    beside = table_of(release, "rouge_l_coco_without_one")
    assert beside is not None
    assert beside.rows[-1].estimate == found["other_metrics"]["rouge_l_coco_without_one"]["estimate"]
    against_all = table_of(release, "rouge_l_coco")
    assert against_all is not None
    assert [row.name for row in against_all.rows] == ["dogs", "trees"]  # a person has one reference fewer
    assert metrics_of(release)["rouge_l_coco_without_one"] == "ROUGE-L (COCO), one reference fewer"


def test_a_model_is_a_share_of_a_person(release: GoldRelease) -> None:
    share = release.scorings.get(probe__name="dogs").matched_share

    assert 0 < share["estimate"] < 1
    assert share["person"]["n"] == share["model"]["n"] == 4
    assert share["low"] is not None


def test_the_methods_say_what_texts_are_held_against(release: GoldRelease) -> None:
    methods = methods_text(release.published)

    assert "People's texts, each held against the other texts of its item (leave-one-out, 3.0 of them on" in methods
    assert "pooled over 48 texts" in methods
    assert "By CIDEr-D, one reference fewer a person has" in methods


def test_the_command_that_scores_names_every_metric(study: Study, release: GoldRelease, tmp_path: Path) -> None:
    path = tmp_path / "cats.csv"
    path.write_text("item_id,text\n" + "".join(f"{item},a red dog\n" for item in ITEMS))
    said = StringIO()

    call_command("score", study.slug, str(path), "--name", "cats", stdout=said)

    for metric in ("bleu_1", "bleu_4", "cider_d", "meteor_exact_stem", "mean_of_four", "translation_precision"):
        assert f"\n{metric}" in said.getvalue()
