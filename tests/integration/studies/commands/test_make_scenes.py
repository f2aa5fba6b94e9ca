"""`manage.py make_scenes`: the files that it writes, and a study made of them."""

import csv
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from PIL import Image

from annotation.models import Blob, Study


def _make(out: Path, **options: Any) -> str:
    said = io.StringIO()
    given = {"task": "POS", "n": 4, "seed": 1, "out": out, "size": 300, **options}
    call_command("make_scenes", stdout=said, **given)
    return said.getvalue()


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _digests(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        _make(tmp_path / name, seed=seed)

    first, again, other = (_digests(tmp_path / name) for name in "abc")
    assert first == again
    assert len(first) == 4 + 2
    assert first["items.csv"] != other["items.csv"]


def test_every_item_has_its_picture_and_its_scene(tmp_path: Path) -> None:
    _make(tmp_path / "out", task="SET+POS")

    items, shapes = _rows(tmp_path / "out" / "items.csv"), _rows(tmp_path / "out" / "scenes.csv")
    for item in items:
        with Image.open(tmp_path / "out" / item["image"]) as picture:
            assert (picture.size, picture.format) == ((300, 300), "PNG")
            n_colours = len(picture.getcolors() or [])
        own = [shape for shape in shapes if shape["scene_id"] == item["item_id"]]
        assert 5 <= len(own) <= 9
        assert n_colours == len({shape["colour"] for shape in own}) + 1
        asked = [shape for shape in own if shape["asked"] == "1"]
        assert [(shape["shape"], shape["colour"]) for shape in asked] == [(item["shape"], item["colour"])]
        assert (asked[0]["size"] == item["says"]) == (item["reference"] == "true")
        assert item["type_by_shape"] == f"{item['says']} {item['reference']}, {item['shape']}"
        low, high = map(float, item["distance_tenth"].split(" to "))
        assert low <= float(item["distance"]) <= high


@pytest.mark.django_db
@pytest.mark.parametrize("task", ["SUP1", "POS1", "POS", "SET+POS"])
def test_a_study_takes_the_items_as_they_are(task: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _make(out, task=task)

    call_command(
        "create_study", "sizes", preset="size-sentences", items=out / "items.csv", images=out, stdout=io.StringIO()
    )

    items = Study.objects.get(slug="sizes").items.targets()
    assert items.count() == Blob.objects.filter(pk__in=items.values("image")).count() == 4
    assert {item.reference for item in items} <= {"true", "false"}
    assert all(item.image_id and item.fields["sentence"].startswith("The ") for item in items)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("task", "preset"),
    [("SUP1", "size-sup1"), ("POS1", "size-pos1"), ("POS", "size-pos"), ("SET+POS", "size-set-pos")],
)
def test_the_preset_of_a_task_opens_with_its_items_and_checks(task: str, preset: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _make(out, task=task, checks=4)
    call_command("create_study", "sizes", preset=preset, items=out / "items.csv", images=out, stdout=io.StringIO())

    call_command("open_study", "sizes", stdout=io.StringIO())

    study = Study.objects.get(slug="sizes")
    assert study.status == Study.Status.LIVE
    assert (study.items.targets().count(), study.items.checks().count()) == (4, 4)


def test_without_pictures_only_the_tables_are_written(tmp_path: Path) -> None:
    said = json.loads(_make(tmp_path / "out", n=80, without_pictures=True, json=True))

    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["items.csv", "scenes.csv"]
    assert {row["image"] for row in _rows(tmp_path / "out" / "items.csv")} == {""}
    assert (said["scenes"], said["split"]) == (80, {"train": 64, "val": 8, "test": 8})
    assert set(said["strategies"]) == {"sharp", "superlative", "constant"}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"task": "POS2"}, "--task POS2: there is no such task; there are SUP1, POS1, POS, SET+POS."),
        ({"size": 2000}, "--size 2000: a picture is from 200 to 1478 pixels a side."),
        ({"objects": "5"}, "--objects 5: 2 whole numbers with : between them are needed."),
        ({"split": "8:x:1"}, "--split 8:x:1: 3 whole numbers"),
        ({"gap": -1}, "--gap -1: from 0 to 50 pixels can be left empty."),
        ({"checks": 101}, "--checks 101: from 0 to 100 checks can be drawn."),
        ({"objects": "3:2"}, "--objects 3:2: a scene has 2 to 20 shapes"),
        ({"task": "SUP1", "hard": True}, "--hard: SUP1 has no hard set"),
    ],
)
def test_a_wrong_option_is_refused_and_nothing_is_written(
    changes: dict[str, Any], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        _make(tmp_path / "out", **changes)

    assert ended.value.code == 1
    assert why in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_scenes_that_cannot_be_placed_leave_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("studies.scenes.making.BATCH", 10)

    with pytest.raises(SystemExit):
        _make(tmp_path / "out", objects="19:20")

    assert "Ask for fewer shapes in a scene with --objects. Nothing was written." in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_named: object) -> bytes:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("studies.scenes.writing.png_of", full)

    with pytest.raises(SystemExit):
        _make(tmp_path / "out")

    assert "it can't be written (No space left on device). Nothing was written." in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_in_use_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")

    with pytest.raises(SystemExit):
        _make(tmp_path)

    assert "something is there already; name a new folder." in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
