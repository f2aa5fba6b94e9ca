"""`manage.py label_scenes`: labels of scenes that are there already, our own and the released ones."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import needs_shared_data, read_rows, shared, write_rows

SHAPES = [
    # A scene of three circles and a huge square: T of the circles is 1000 - .5 x 800 = 600, of the scene 5000 - 2450.
    "s1,circle,red,1000,0.5",
    "s1,circle,blue,700,0.5",
    "s1,circle,green,200,0.5",
    "s1,square,red,5000,0.5",
    # k is so small that the middle triangle is small, though at .29 it is big.
    "s2,triangle,red,1000,0.1",
    "s2,triangle,blue,900,0.1",
    "s2,triangle,green,500,0.1",
]
SENTENCES = [
    "a,s1,The blue circle is a big circle",
    "b,s1,The green circle is a big circle",
    "c,s2,The blue triangle is a small triangle",
]


def _files(folder: Path, sentences: list[str] = SENTENCES) -> tuple[Path, Path]:
    scenes = write_rows(folder / "scenes.csv", "scene_id,shape,colour,area_px,k", SHAPES)
    return scenes, write_rows(folder / "items.csv", "item_id,scene_id,sentence", sentences)


def _label(scenes: Path, **options: Any) -> dict[str, Any]:
    said = io.StringIO()
    call_command("label_scenes", scenes, json=True, stdout=said, **{"task": "SET+POS", **options})
    found: dict[str, Any] = json.loads(said.getvalue())
    return found


def test_sentences_get_their_references_and_thresholds(tmp_path: Path) -> None:
    scenes, items = _files(tmp_path)

    found = _label(scenes, sentences=items, out=tmp_path / "labels.csv")

    rows = read_rows(tmp_path / "labels.csv")
    assert [row["reference"] for row in rows] == ["true", "false", "true"]
    assert [row["threshold"] for row in rows] == ["600.00", "600.00", "950.00"]
    assert [row["distance"] for row in rows] == ["0.1250", "0.5000", "0.1000"]
    assert [row["at_k_29"] for row in rows] == ["different", "same", "different"]
    assert [rows[0][name] for name in ("area", "set_max", "set_min", "says")] == ["700", "1000", "200", "big"]
    # By hand: at .29 T is 768, 855 for the sets, so that a and c come out wrong; nothing asked about is the largest.
    assert found["strategies"] == pytest.approx(
        {"sharp": 1 / 3, "superlative": 2 / 3, "whole_scene": 1 / 3, "constant": 2 / 3}
    )
    assert (found["sizes_that_follow"], found["references_that_follow"]) == (None, None)


def test_checks_have_no_part_in_the_figures(tmp_path: Path) -> None:
    scenes, _ = _files(tmp_path)
    rows = [f"{row},{'check' if row[0] == 'b' else 'target'}" for row in SENTENCES]
    items = write_rows(tmp_path / "with-checks.csv", "item_id,scene_id,sentence,kind", rows)

    found = _label(scenes, sentences=items)

    assert (found["sentences"], found["left_out"]) == (2, 1)
    assert found["strategies"]["constant"] == 1


def test_made_scenes_are_labelled_as_they_were_made(tmp_path: Path) -> None:
    made = tmp_path / "made"
    call_command(
        "make_scenes", task="POS", n=80, seed=2, out=made, without_pictures=True, checks=4, stdout=io.StringIO()
    )

    found = _label(made / "scenes.csv", task="POS", sentences=made / "items.csv", out=tmp_path / "labels.csv")

    assert found["sizes_that_follow"] == found["shapes"]
    assert found["references_that_follow"] == found["sentences"] == 80
    own = [row for row in read_rows(made / "items.csv") if row["kind"] == "target"]
    assert read_rows(tmp_path / "labels.csv") == own


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("The red hexagon is big", "row 2, column sentence: 'The red hexagon is big' is not of the form"),
        ("The red circle is a big object", "is not a sentence of SET+POS, which says big or small circle."),
        ("The white circle is a big circle", "scene 's1' has 0 shapes like the white circle, not 1."),
    ],
)
def test_a_sentence_that_fits_no_shape_is_refused_by_row(
    sentence: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes, items = _files(tmp_path, [f"a,s1,{sentence}"])

    with pytest.raises(SystemExit):
        _label(scenes, sentences=items, out=tmp_path / "labels.csv")

    assert why in capsys.readouterr().err
    assert not (tmp_path / "labels.csv").exists()


def test_scenes_without_a_column_or_with_a_wrong_cell_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = write_rows(tmp_path / "missing.csv", "scene_id,shape,colour", ["s,circle,red"])
    wrong = write_rows(tmp_path / "wrong.csv", "scene_id,shape,colour,area_px", ["s,hexagon,red,9", "s,circle,red,x"])

    for path in (missing, wrong):
        with pytest.raises(SystemExit):
            _label(path)

    said = capsys.readouterr().err
    assert "missing.csv: the column area_px is missing; there are scene_id, shape, colour" in said
    assert "wrong.csv, row 2, column shape: 'hexagon' is not one of circle, rectangle, square, triangle" in said
    assert "wrong.csv, row 3, column area_px: 'x' is not a number" in said


@needs_shared_data
def test_every_released_size_follows_from_its_area_and_k() -> None:
    assert _label(shared("malevic/scenes.csv")) == {"task": "SET+POS", "shapes": 6303, "sizes_that_follow": 6303}


@needs_shared_data
def test_the_released_hard_set_has_its_references_and_the_accuracies_of_simple_rules() -> None:
    scenes, items = shared("malevic/set-pos-hard-scenes.csv"), shared("malevic/set-pos-hard-test.csv")

    found = _label(scenes, sentences=items)

    assert (found["sentences"], found["references_that_follow"]) == (2000, 2000)
    assert found["strategies"] == {"sharp": 0.863, "superlative": 0.5, "whole_scene": 0.7955, "constant": 0.5}
