"""Writing a set of scenes to a new folder: pictures, items.csv and scenes.csv, all of it or nothing."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from agreement.errors import Refused
from agreement.kinds.verify.data import BIG
from studies.scenes.scene import Scene
from studies.scenes.sentences import SMALL
from studies.scenes.shapes import CANVAS, COLOURS, K_DIGITS, KINDS, reach_of
from studies.scenes.shapes import covers as covered

# The picture of a scene: its shapes in their colours on black, as a PNG with a palette of six.

SMALLEST_SIDE, FULL_SIDE = 200, 1478
_PALETTE = [0, 0, 0, *(part for colour in COLOURS.values() for part in colour)]


def pixels_of(scene: Scene, side: int) -> npt.NDArray[np.uint8]:
    """[side, side] 0 for black, else one more than the colour's place in `COLOURS`."""
    picture = np.zeros((side, side), dtype=np.uint8)
    middle = (np.arange(side) + 0.5) * CANVAS / side - 0.5  # where each pixel's middle lies on the canvas
    reach = reach_of(scene.kind, scene.radius, scene.turned)
    for at in range(len(scene.kind)):
        row, column = int(scene.row[at]), int(scene.column[at])
        rows = np.searchsorted(middle, [row - reach.up[at] - 1, row + reach.down[at] + 1])
        columns = np.searchsorted(middle, [column - reach.left[at] - 1, column + reach.right[at] + 1])
        here = (slice(*rows.tolist()), slice(*columns.tolist()))
        inside = covered(
            int(scene.kind[at]),
            int(scene.radius[at]),
            int(scene.turned[at]),
            middle[here[1]] - column,
            middle[here[0]] - row,
        )
        picture[here][inside] = scene.colour[at] + 1
    return picture


def png_of(scene: Scene, side: int) -> bytes:
    """The picture as a file; the same scene and side give the same bytes with the same versions of the libraries."""
    picture = Image.fromarray(pixels_of(scene, side), mode="P")
    picture.putpalette(_PALETTE)
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


# The contents of items.csv and scenes.csv.

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


# Writing a set of scenes to a new folder: all of it, or nothing.

Progress = Callable[[int, int], None]


def refuse_unfit(out: Path, side: int) -> None:
    """Refuse a folder that is in use, and a size that no picture has, before any scene is drawn."""
    reasons = []
    if not SMALLEST_SIDE <= side <= FULL_SIDE:
        reasons.append(f"--size {side}: a picture is from {SMALLEST_SIDE} to {FULL_SIDE} pixels a side.")
    if out.is_file() or (out.is_dir() and any(out.iterdir())):
        reasons.append(f"--out {out}: something is there already; name a new folder.")
    if reasons:
        raise Refused(reasons)


def write_scenes(
    scenes: Sequence[Scene], out: Path, *, side: int, with_pictures: bool = True, report: Progress | None = None
) -> None:
    """items.csv, scenes.csv and a folder of pictures. `report` hears how many pictures are drawn."""
    with _whole(out) as folder:
        if with_pictures:
            (folder / PICTURES).mkdir()
            for done, scene in enumerate(scenes, start=1):
                (folder / picture_name(scene)).write_bytes(png_of(scene, side))
                if report:
                    report(done, len(scenes))
        items = csv_text(ITEM_COLUMNS, item_rows(scenes, with_pictures=with_pictures))
        (folder / "items.csv").write_text(items, encoding="utf-8")
        (folder / "scenes.csv").write_text(csv_text(SCENE_COLUMNS, scene_rows(scenes)), encoding="utf-8")


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A folder beside `out` that takes its name when it is complete, and is gone when anything fails."""
    out = out.absolute()
    folder = None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
        folder.chmod(0o755)
        yield folder
        folder.rename(out)
    except OSError as error:  # no room, no right to write there
        raise Refused(f"--out {out}: it can't be written ({error.strerror}). Nothing was written.") from error
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
