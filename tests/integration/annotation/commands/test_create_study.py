"""`manage.py create_study`: whose study it is, and which items it begins with."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.files.question_fields import word
from annotation.models import AuditEntry, Study, User
from annotation.studies.study_life import change_status
from tests.integration.agreement.analyse_file.command import needs_shared_data, shared

pytestmark = pytest.mark.django_db


def create(**options: Any) -> None:
    call_command("create_study", "colours", preset="memory-colours", stdout=io.StringIO(), **options)


def test_study_belongs_to_the_researcher_who_is_named() -> None:
    ann = User.objects.create_user("ann", is_staff=True)
    create(owner="ann")
    assert Study.objects.get(slug="colours").owner == ann


def test_unknown_owner_is_refused_and_no_study_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        create(owner="nobody")
    assert "--owner nobody: there is no researcher of that name" in capsys.readouterr().err
    assert not Study.objects.exists()
    create()
    assert Study.objects.get(slug="colours").owner is None


SIZES = "item_id,object,other,reference\n" + "".join(f"p{n},cat {n},dog {n},smaller\n" for n in range(10))


def create_sizes(tmp_path: Path, text: str, slug: str = "sizes", **options: Any) -> Study:
    file = tmp_path / "pairs.csv"
    file.write_text(text)
    call_command("create_study", slug, preset="object-sizes", items=file, stdout=io.StringIO(), **options)
    return Study.objects.get(slug=slug)


def ids(study: Study) -> set[str]:
    return set(study.items.targets().values_list("item_id", flat=True))


def test_a_preset_brings_its_items_with_references_and_its_checks() -> None:
    call_command("create_study", "sizes", preset="object-sizes", stdout=io.StringIO())
    study = Study.objects.get(slug="sizes")
    assert study.items.targets().count() == 40
    assert set(study.items.targets().values_list("reference", flat=True)) == {"smaller", "larger"}
    assert study.items.checks().filter(check_name="obvious").count() == 6
    assert (study.judgments_per_item, study.metrics[0]) == (3, "r_acc")


def test_items_of_a_file_take_the_place_of_the_presets_and_its_checks_stay(tmp_path: Path) -> None:
    study = create_sizes(tmp_path, SIZES)
    assert ids(study) == {f"p{n}" for n in range(10)}
    assert study.items.checks().count() == 6


def test_check_items_of_a_file_take_the_place_of_the_presets(tmp_path: Path) -> None:
    text = "item_id,object,other,check,expected\np1,cat,dog,,\nc1,flea,moon,plain,smaller\n"
    study = create_sizes(tmp_path, text)
    assert [item.item_id for item in study.items.checks()] == ["c1"]
    assert dict(study.check_quotas.values_list("check_name", "per_assignment")) == {"plain": 1}


def test_a_sample_is_drawn_by_its_seed_with_its_references(tmp_path: Path) -> None:
    drawn = []
    for at, seed in enumerate((1, 1, 2)):
        study = create_sizes(tmp_path, SIZES, slug=f"sizes-{at}", sample=4, seed=seed)
        drawn.append(ids(study))
        assert set(study.items.targets().values_list("reference", flat=True)) == {"smaller"}
        imported = AuditEntry.objects.filter(study=study, action=AuditEntry.Action.IMPORTED).latest("pk")
        assert imported.detail["from"] == f"pairs.csv: 4 of 10 items, drawn with seed {seed}"
    assert len(drawn[0]) == 4
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (SIZES, {"sample": 11}, "pairs.csv has 10 items to judge: a sample has 1 to 10 of them, not 11."),
        (SIZES, {"seed": 3}, "--seed decides which items a sample has: say how many with --sample."),
        ("item_id,object,other\ncheck-castle-key,a,b\n", {}, "'check-castle-key' is an item of the preset already"),
        ("item_id,object\np1,cat\n", {}, "the column other is missing"),
    ],
)
def test_bad_items_are_refused_and_leave_no_study(
    text: str, options: dict[str, Any], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        create_sizes(tmp_path, text, **options)
    assert sentence in capsys.readouterr().err
    assert not Study.objects.exists()


def test_a_sample_without_a_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        create(sample=3)
    assert "--sample is about a file of items: name it with --items." in capsys.readouterr().err


def create_pairs(tmp_path: Path, text: str, slug: str = "pairs", **options: Any) -> Study:
    file = tmp_path / "terms.csv"
    file.write_text(text)
    arguments = {"preset": "spatial-similarity", "terms": file, "stdout": io.StringIO(), **options}
    call_command("create_study", slug, **arguments)
    return Study.objects.get(slug=slug)


def test_terms_of_ones_own_take_the_place_of_the_presets_with_their_checks_and_quotas(tmp_path: Path) -> None:
    study = create_pairs(tmp_path, "term,alias\nin front of,front\nbehind,\nbeside,\n")
    assert ids(study) == {"in-front-of--behind", "in-front-of--beside", "behind--beside"}
    assert study.items.checks().count() == 6
    assert dict(study.check_quotas.values_list("check_name", "per_assignment")) == {"unrelated": 1, "self": 1}
    assert study.items.get(item_id="unrelated-behind").fields["right"] == "green"
    assert study.items.get(item_id="in-front-of--behind").fields["left_alias"] == "front"
    change_status(study=study, status=Study.Status.LIVE)


def test_the_documents_67_relations_are_2211_pairs(tmp_path: Path) -> None:
    study = create_pairs(tmp_path, "term\n" + "".join(f"relation {n}\n" for n in range(67)))
    assert (study.items.targets().count(), study.items.checks().count()) == (2_211, 134)


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("term\non\non\n", {}, "terms.csv, row 3, column term: 'on' stands in row 2 already."),
        ("term\non\nin\n", {"preset": "captions"}, "The preset captions is not about pairs of terms."),
        ("term\non\nin\n", {"items": Path("items.csv")}, "--terms and --items both bring items: name one of them."),
        ("term\non\nin\n", {"sample": 2}, "--sample is about a file of items: name it with --items."),
    ],
)
def test_bad_terms_leave_no_study_behind(
    tmp_path: Path, text: str, options: dict[str, Any], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        create_pairs(tmp_path, text, **options)
    assert reason in capsys.readouterr().err
    assert not Study.objects.exists()


@pytest.mark.parametrize("slug", ["/x", "two words", "", "a" * 81, "größe"])
def test_a_short_name_that_no_address_could_hold_is_refused(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call_command("create_study", slug, preset="spatial-similarity")
    assert ended.value.code == 1
    assert "can't be a study's short name" in capsys.readouterr().err
    assert not Study.objects.exists()


@needs_shared_data
def test_memory_colors_come_in_as_they_are_with_references_and_things_without_an_article() -> None:
    items = shared("memory-colors/items.csv")
    call_command("create_study", "theirs", preset="memory-colours", items=items, stdout=io.StringIO())
    study = Study.objects.get(slug="theirs")

    assert study.items.targets().count() == 109
    assert study.items.checks().count() == 6
    grass = study.items.get(item_id="grass")
    assert (str(word(study.question, grass.fields)), grass.reference) == ("What is the colour of grass?", "green")


@pytest.mark.parametrize(
    ("name", "targets"), [("memory-colours", 38), ("property-norms", 43), ("property-norms-free", 24)]
)
def test_the_presets_of_colours_and_properties_bring_items_and_checks(name: str, targets: int) -> None:
    call_command("create_study", "own", preset=name, stdout=io.StringIO())
    study = Study.objects.get(slug="own")

    assert study.items.targets().count() == targets
    assert study.items.checks().count() == 6
    assert study.judgments_per_item == (11 if name == "memory-colours" else 30)
    questions = {str(word(study.question, item.fields)) for item in study.items.all()}
    assert not any("  " in question or "{" in question or question.startswith(" ") for question in questions)
    assert any("lantern" in question for question in questions) == (name != "memory-colours")
