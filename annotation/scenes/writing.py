"""Writing a set of scenes to a new folder: all of it, or nothing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from annotation.errors import Refused
from annotation.scenes.pictures import FULL_SIDE, SMALLEST_SIDE, png_of
from annotation.scenes.scene import Scene
from annotation.scenes.tables import (
    ITEM_COLUMNS,
    PICTURES,
    SCENE_COLUMNS,
    csv_text,
    item_rows,
    picture_name,
    scene_rows,
)

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
