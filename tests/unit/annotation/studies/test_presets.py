"""Presets: each can be made into a study, and all seven kinds of question have one."""

from collections import Counter
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from PIL import Image

from agreement.errors import Refused
from agreement.files.question_fields import fields_of
from agreement.kinds.registry import QUESTION_KINDS
from agreement.scoring.metrics import METRICS
from annotation.models import Blob, Study
from annotation.studies import presets
from annotation.studies.item_files import read_own_items
from annotation.studies.questions import questions_of
from annotation.studies.study_life import change_status, create_study
from tests.integration.agreement.analyse_file.command import needs_shared_data, read_rows, shared

TASK = {"size-sup1": "SUP1", "size-pos1": "POS1", "size-pos": "POS", "size-set-pos": "SET+POS"}
SIZES = [name for name in presets.names() if name.startswith("size-")]


@pytest.mark.django_db
@pytest.mark.parametrize("name", presets.names())
def test_a_preset_becomes_a_study(name: str) -> None:
    preset = presets.load(name)

    study = create_study(slug=name, preset=preset)

    study.full_clean(exclude=["owner"])
    assert (study.preset, study.preset_version, study.preset_sha256) == (name, preset.version, preset.sha256)
    assert study.items.count() == len(preset.items)
    assert study.labels.count() == len(preset.labels)
    assert study.metrics == list(preset.metrics)


@pytest.mark.parametrize("name", presets.names())
def test_metrics_that_a_preset_names_are_there(name: str) -> None:
    assert set(presets.load(name).metrics) <= set(METRICS)


@pytest.mark.django_db
@pytest.mark.parametrize("name", presets.names())
def test_every_preset_brings_items_and_can_open_at_once(name: str) -> None:
    preset = presets.load(name)
    study = create_study(slug=name, preset=preset)

    change_status(study=study, status=Study.Status.LIVE)

    assert 20 <= len(preset.targets) <= 80
    assert set(preset.check_quotas) == {item["check_name"] for item in preset.items if item.get("kind") == "check"}


@pytest.mark.parametrize("name", presets.names())
def test_consent_says_that_the_kind_of_device_is_kept(name: str) -> None:
    preset = presets.load(name)
    kept = next(line for line in preset.study["consent"].splitlines() if line.startswith("We keep"))

    assert "what kind of device you used (phone, tablet or computer)" in kept
    assert int(preset.version) >= 2


def test_every_kind_of_question_has_a_preset() -> None:
    assert {presets.load(name).study["kind"] for name in presets.names()} == set(QUESTION_KINDS)


def test_the_founding_study_has_66_pairs_and_both_checks_of_each_relation() -> None:
    preset = presets.load("spatial-similarity")

    targets = preset.targets
    unrelated = [item for item in preset.items if item.get("check_name") == "unrelated"]
    same = [item for item in preset.items if item.get("check_name") == "self"]

    assert (len(targets), len(unrelated), len(same)) == (66, 12, 12)
    assert {(item["fields"]["right"], item["max"]) for item in unrelated} == {("green", 60)}
    assert all(item["fields"]["left"] == item["fields"]["right"] and item["min"] == 90 for item in same)


def test_a_question_names_its_fields() -> None:
    assert fields_of(presets.load("scene-relations").study["question"]) == ["scene", "object", "other"]


def test_an_unknown_preset_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match="spatial-similarity"):
        presets.load("nothing")


def test_changing_a_loaded_preset_changes_no_other() -> None:
    first = presets.load("memory-colours")
    first.study["title"] = first.labels[0]["value"] = first.items[0]["fields"]["changed"] = "changed"
    first.check_quotas.clear()

    again = presets.load("memory-colours")

    assert "changed" not in {again.title, again.labels[0]["value"], *again.items[0]["fields"]}
    assert again.check_quotas


def test_memory_colours_has_the_eleven_labels_of_its_data() -> None:
    labels = [label["value"] for label in presets.load("memory-colours").labels]

    assert sorted(labels) == sorted(
        ["black", "blue", "brown", "green", "grey", "orange", "pink", "purple", "red", "white", "yellow"]
    )


@needs_shared_data
def test_every_reference_of_memory_colors_is_a_label_of_its_preset() -> None:
    references = {row["reference"] for row in read_rows(shared("memory-colors/items.csv"))}

    assert references == {label["value"] for label in presets.load("memory-colours").labels}


def test_size_sentences_compare_an_object_with_the_scene_and_a_shape_with_its_kind() -> None:
    """POS says "object" and means the whole scene; SET+POS names a shape and means the shapes of that kind."""
    instructions = presets.load("size-sentences").study["instructions"]

    assert 'says "object", compare it with everything in the picture' in instructions
    assert "compare it with the shapes of that kind" in instructions
    assert "among the shapes of its own kind" not in instructions


@pytest.mark.parametrize(
    ("name", "reference_set"),
    [
        ("size-sup1", "Compare it with all the other shapes in the picture."),
        ("size-pos1", "Compare it with all the other shapes in the picture, which are of the same kind."),
        ("size-pos", "Compare it with everything in the picture, whatever its shape."),
        ("size-set-pos", "Compare a circle with the circles, a square with the squares"),
    ],
)
def test_each_size_task_has_a_preset_that_says_its_reference_set_and_has_checks(name: str, reference_set: str) -> None:
    preset = presets.load(name)

    assert reference_set in preset.study["instructions"]
    assert preset.check_quotas == {"obvious": 2}
    assert (preset.study["kind"], preset.study["question"]) == ("verify", "{sentence}")
    assert [label["value"] for label in preset.labels] == ["true", "false"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", SIZES)
def test_a_size_preset_brings_80_pictures_of_740_pixels_and_obvious_checks(name: str) -> None:
    study = create_study(slug=name, preset=presets.load(name))

    targets = study.items.targets()
    says = Counter(targets.values_list("reference", flat=True))
    assert says == {"true": 40, "false": 40} or (name == "size-sentences" and min(says.values()) > 30)
    assert study.items.checks().count() == 8
    assert set(study.items.checks().values_list("check_name", flat=True)) == {"obvious"}
    contents = [bytes(content) for content in Blob.objects.values_list("content", flat=True)]
    assert len(contents) == 88
    assert {Image.open(BytesIO(content)).size for content in contents} == {(740, 740)}
    tasks = Counter(item.fields["task"] for item in targets)
    assert tasks == (
        {"SUP1": 20, "POS1": 20, "POS": 20, "SET+POS": 20} if name == "size-sentences" else {TASK[name]: 80}
    )
    if name != "size-sentences":
        classes = {(item.fields["shape"], item.fields["colour"], item.fields["sentence_type"]) for item in targets}
        assert len(classes) == 80


def test_a_size_preset_is_what_make_scenes_writes(tmp_path: Path) -> None:
    """The items are the same by either way, so that a template's study can be made again from files."""
    out = tmp_path / "scenes"
    call_command(
        "make_scenes", task="SET+POS", n=80, seed=1, gap=12, checks=8, size=740, out=out, without_pictures=False,
        stdout=StringIO(),
    )  # fmt: skip
    preset = presets.load("size-set-pos")

    assert preset.items == read_own_items(out / "items.csv", preset.questions)
    name = "pictures/set-pos-01.png"
    assert presets.load("size-set-pos").picture(name) == (out / name).read_bytes()


@pytest.mark.django_db
def test_a_preset_of_several_questions_brings_all_of_them_with_their_conditions_and_checks() -> None:
    preset = presets.load("adequacy-and-fluency")
    study = create_study(slug="quality", preset=preset)

    names = ["adequacy", "errors", "fluency", "comment"]
    assert [each.question_name for each in study.questions()] == names
    assert questions_of(study) == preset.questions
    assert questions_of(study)[1].shown_if == {"question": "adequacy", "labels": ["most", "little"]}
    assert not study.asked(4).is_required
    checked = {names[number - 1] for number in study.items.checks().values_list("check_question", flat=True)}
    assert checked == {"adequacy", "fluency"}


@pytest.mark.django_db
def test_a_preset_asks_how_sure_people_are_and_offers_that_they_do_not_know() -> None:
    study = create_study(slug="sure", preset=presets.load("relation-with-confidence"))

    relation, distance = study.questions()
    assert (relation.asks_confidence, relation.offers_dont_know) == (True, True)
    assert (distance.asks_confidence, distance.offers_dont_know) == (False, False)


def test_a_preset_of_several_questions_is_no_sample_for_a_study_of_one() -> None:
    assert "relation-with-confidence" not in presets.samples_for("choice")
