"""Shapes in pixels: areas as they are drawn, and overlaps as the pixels have them."""

import numpy as np
import pytest

from studies.scenes.scene import Scene
from studies.scenes.sentences import TASKS
from studies.scenes.shapes import CANVAS, CIRCLE, COLOURS, KINDS, RADII, SQUARE, Ints, area_of, overlapping, reach_of
from studies.scenes.writing import pixels_of


def _scene(kind: list[int], radius: list[int], turned: list[int], row: list[int], column: list[int]) -> Scene:
    of_kind, of_radius, is_turned, rows, columns = (np.array(each) for each in (kind, radius, turned, row, column))
    shapes = (of_kind, np.arange(len(kind)), of_radius, is_turned, rows, columns)
    return Scene("one", TASKS["POS"], *shapes, k=0.29, queried=0, says_big=True)


@pytest.mark.parametrize("kind", range(len(KINDS)))
@pytest.mark.parametrize("turned", [0, 1])
def test_a_shape_covers_as_many_pixels_of_the_canvas_as_its_area_says(kind: int, turned: int) -> None:
    for radius in RADII.tolist():
        scene = _scene([kind], [radius], [turned], [500], [500])

        drawn = pixels_of(scene, CANVAS) > 0

        rows, columns = np.nonzero(drawn)
        reach = reach_of(scene.kind, scene.radius, scene.turned)
        assert drawn.sum() == scene.area[0]
        assert (rows.min(), rows.max()) == (500 - reach.up[0], 500 + reach.down[0])
        assert (columns.min(), columns.max()) == (500 - reach.left[0], 500 + reach.right[0])


def test_areas_are_four_times_the_square_and_those_of_circles_are_counted() -> None:
    squares = area_of(np.full(10, SQUARE), RADII)
    circles = area_of(np.full(10, CIRCLE), RADII)

    assert squares.tolist() == [4 * r * r for r in range(30, 121, 10)]
    assert circles.tolist() == [2809, 5013, 7825, 11277, 15361, 20069, 25433, 31397, 37969, 45213]


@pytest.mark.parametrize(("side", "within"), [(200, 0.15), (740, 0.02), (1478, 0.02)])
def test_a_picture_of_another_size_has_the_same_shares_of_colours(side: int, within: float) -> None:
    scene = _scene([0, 1, 2, 3], [60, 50, 40, 70], [0, 1, 0, 1], [150, 400, 700, 850], [150, 400, 700, 250])

    pixels = pixels_of(scene, side)

    shares = np.bincount(pixels.ravel(), minlength=len(COLOURS) + 1)[1:5] / side**2
    assert shares == pytest.approx(scene.area / CANVAS**2, rel=within)


def test_shapes_overlap_exactly_where_they_share_a_pixel_or_cross_a_corner_of_one() -> None:
    """Pictures of one shape each are the judges: what shares a pixel overlaps, what is two pixels apart doesn't."""
    rng = np.random.default_rng(5)
    n = 600
    kind, radius = rng.integers(4, size=(n, 2)), rng.choice(RADII[:5], size=(n, 2))
    turned = rng.integers(2, size=(n, 2))
    row, column = (300 + rng.integers(-130, 131, size=(n, 2)) for _ in range(2))

    found = overlapping(kind, radius, turned, row, column, np.ones((n, 2), dtype=bool))

    judged = [_judged(*(each[at] for each in (kind, radius, turned, row, column))) for at in range(n)]
    shared, near = np.array(judged).T
    assert 100 < shared.sum() < 500
    assert not np.any(shared & ~found)
    assert not np.any(found & ~near)


def _judged(kind: Ints, radius: Ints, turned: Ints, row: Ints, column: Ints) -> tuple[bool, bool]:
    """Whether the two share a pixel, and whether they would if one of them were moved by one pixel."""
    pair = zip(*(each.tolist() for each in (kind, radius, turned, row, column)), strict=True)
    masks = [pixels_of(_scene(*([value] for value in shape)), CANVAS) > 0 for shape in pair]
    first, second = (mask[:640, :640] for mask in masks)
    moved = [np.roll(second, (down, right), axis=(0, 1)) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return bool((first & second).any()), any((first & each).any() for each in moved)


def test_what_is_not_there_overlaps_nothing() -> None:
    same = np.full((1, 2), 50)
    kind = np.zeros((1, 2), dtype=np.int64)

    assert overlapping(kind, same, kind, same, same, np.array([[True, True]])).tolist() == [True]
    assert overlapping(kind, same, kind, same, same, np.array([[True, False]])).tolist() == [False]
