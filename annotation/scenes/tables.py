"""What stands in items.csv and scenes.csv."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from annotation.scenes.scene import Scene
from annotation.scenes.shapes import COLOURS, KINDS
from annotation.scenes.tasks import BIG, SMALL
from annotation.scenes.threshold import K_DIGITS

PICTURES = "pictures"
CHECK = "obvious"  # what the presets of these tasks call their check
# What a model is trained on where the other combinations are kept to test it.
SEEN = {BIG: ("circle", "rectangle"), SMALL: ("square", "triangle")}
ITEM_COLUMNS = (
    "item_id",
    "image",
    "sentence",
    "kind",
    "check",
    "expected",
    "reference",
    "task",
    "sentence_type",
    "shape",
    "colour",
    "says",
    "combination",
    "radius",
    "area",
    "set_max",
    "set_min",
    "threshold",
    "distance",
    "k",
    "at_k_29",
    "split",
    "type_by_shape",
    "distance_tenth",
)
SCENE_COLUMNS = (
    "scene_id",
    "object_id",
    "shape",
    "colour",
    "area_px",
    "row",
    "column",
    "radius",
    "k",
    "size",
    "informative",
    "turned",
    "threshold",
    "asked",
)


def picture_name(scene: Scene) -> str:
    return f"{PICTURES}/{scene.scene_id}.png"


def item_rows(scenes: Iterable[Scene], *, with_pictures: bool) -> Iterator[Sequence[str]]:
    """A row for each sentence, in the order of `ITEM_COLUMNS`."""
    for scene in scenes:
        q, sentence, true = scene.queried, scene.sentence, "true" if scene.is_true else "false"
        says = BIG if scene.says_big else SMALL
        largest, smallest = scene.extremes
        yield (
            scene.scene_id,
            picture_name(scene) if with_pictures else "",
            str(sentence),
            *(("check", CHECK, true, "") if scene.is_check else ("target", "", "", true)),
            scene.task.name,
            f"{sentence.word} {true}",
            scene.shape,
            scene.colour_name,
            says,
            "seen" if scene.shape in SEEN[says] else "unseen",
            str(scene.radius[q]),
            str(scene.area[q]),
            str(largest),
            str(smallest),
            *(_of_threshold(scene) if not scene.task.is_superlative else [""] * 4),
            scene.split,
            f"{sentence.word} {true}, {scene.shape}",
            "" if scene.task.is_superlative else _tenth(scene.distance),
        )


def _of_threshold(scene: Scene) -> list[str]:
    """The threshold, the shape's distance from it, k, and whether the k of the literature would say the same."""
    same = "same" if scene.is_same_at_mean else "different"
    return [f"{scene.thresholds[scene.queried]:.2f}", f"{scene.distance:.4f}", f"{scene.k:.{K_DIGITS}f}", same]


def _tenth(distance: float) -> str:
    """The tenth that a distance falls into, as breakdowns print it.

    >>> _tenth(0.0), _tenth(0.2999), _tenth(1.04)
    ('0.0 to 0.1', '0.2 to 0.3', '1.0 to 1.1')
    """
    tenth = int(distance * 10)
    return f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}"


def scene_rows(scenes: Iterable[Scene]) -> Iterator[Sequence[str]]:
    """A row for each shape, in the order of `SCENE_COLUMNS`. A set of equal areas is not `informative`."""
    for scene in scenes:
        sizes, spans = scene.sizes_at(scene.k), scene.spans
        for at in range(len(scene.kind)):
            yield (
                scene.scene_id,
                str(at),
                KINDS[int(scene.kind[at])],
                list(COLOURS)[int(scene.colour[at])],
                str(scene.area[at]),
                str(scene.row[at]),
                str(scene.column[at]),
                str(scene.radius[at]),
                f"{scene.k:.{K_DIGITS}f}",
                sizes[at],
                str(int(spans[at] > 0)),
                str(scene.turned[at]),
                f"{scene.thresholds[at]:.2f}",
                str(int(at == scene.queried)),
            )


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()
