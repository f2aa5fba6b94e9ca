"""The picture of a scene: its shapes in their colours on black, as a PNG with a palette of six."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image

from annotation.scenes.scene import Scene
from annotation.scenes.shapes import CANVAS, COLOURS, reach_of
from annotation.scenes.shapes import covers as covered

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
