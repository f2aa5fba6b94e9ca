"""The pictures of the presets on captions: each is what its scene draws, small, and named by the presets' items."""

import csv
import random
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from annotation.studies import presets
from studies.captions.scene import SIZE, Scene
from studies.captions.scenes import FOLDER, SCENES

MOST_BYTES = 10_000

every_scene = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)


@every_scene
def test_a_picture_is_what_its_scene_draws(scene: Scene, tmp_path: Path) -> None:
    file = FOLDER / f"{scene.name}.png"
    scene.paint().save(again := tmp_path / file.name)

    kept, drawn = (np.asarray(Image.open(each).convert("RGB"), dtype=float) for each in (file, again))

    assert kept.shape == drawn.shape == (SIZE[1], SIZE[0], 3)
    assert np.abs(kept - drawn).mean() < 2  # another version of Pillow may choose another palette
    assert file.stat().st_size < MOST_BYTES


@every_scene
def test_descriptions_are_sentences_that_differ(scene: Scene) -> None:
    rng = random.Random(1)
    said = {scene.described(rng) for _ in range(30)}

    assert len(said) >= 4
    for text in (scene.caption, *said):
        assert text[0].isupper()
        assert text.endswith(".")
        assert not {"{", "}", "|"} & set(text)
        assert "  " not in text


def test_every_picture_is_described_and_rated() -> None:
    names = {f"captions/{scene.name}.png" for scene in SCENES}
    rated = presets.load("caption-relevance").items_file
    with rated.open(newline="") as stream:
        rows = list(csv.DictReader(stream))

    assert {item["fields"]["image"] for item in presets.load("captions").targets} == names
    assert {row["image"] for row in rows if row["kind"] == "target"} == names
    fitting = {row["caption"] for row in rows if row["caption_kind"] == "fits"}
    assert fitting == {scene.caption for scene in SCENES}
