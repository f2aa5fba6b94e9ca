"""Presets: each can be made into a study, and all seven kinds of question have one."""

import pytest

from annotation import presets
from annotation.actions.studies import create_study
from annotation.errors import Refused
from annotation.importing import fields_of
from annotation.models import Study


@pytest.mark.django_db
@pytest.mark.parametrize("name", presets.names())
def test_a_preset_becomes_a_study(name: str) -> None:
    preset = presets.load(name)

    study = create_study(slug=name, preset=preset)

    study.full_clean(exclude=["owner"])
    assert (study.preset, study.preset_version, study.preset_sha256) == (name, preset.version, preset.sha256)
    assert study.items.count() == len(preset.items)
    assert study.labels.count() == len(preset.labels)


@pytest.mark.parametrize("name", presets.names())
def test_consent_says_that_the_kind_of_device_is_kept(name: str) -> None:
    preset = presets.load(name)
    kept = next(line for line in preset.study["consent"].splitlines() if line.startswith("We keep"))

    assert "what kind of device you used (phone, tablet or computer)" in kept
    assert preset.version == "2"


def test_every_kind_of_question_has_a_preset() -> None:
    assert {presets.load(name).study["kind"] for name in presets.names()} == set(Study.Kind.values)


def test_the_founding_study_has_66_pairs_and_both_checks_of_each_relation() -> None:
    preset = presets.load("spatial-similarity")

    targets = [item for item in preset.items if "check_name" not in item]
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
