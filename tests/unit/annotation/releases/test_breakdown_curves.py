"""Breakdowns by numbers drawn: where points and intervals stand, what is drawn at all, and what is said of it."""

import re

import pytest
from django.template.loader import render_to_string

from annotation.releases.breakdown_curves import MOST, Breakdown, Curve, Point, curve_of


def _curve(column: str, groups: list[str], **points: list[Point | None]) -> Curve:
    found = curve_of(Breakdown(column, groups, [], list(points.items())))
    assert found is not None
    return found


def _place(path: str) -> tuple[float, float]:
    x, y = re.findall(r"[\d.]+", path)[:2]
    return float(x), float(y)


RISING: list[Point | None] = [Point(0.2, 0.1, 0.3), Point(0.6, 0.5, 0.7), Point(0.8, 0.75, 0.85)]


def test_points_stand_to_scale_with_their_intervals_around_them() -> None:
    curve = _curve("cardinality", ["1", "2", "4"], m=RISING)

    [line] = curve.lines
    x = [_place(dot.shape)[0] for dot in line.dots]
    y = [_place(dot.shape)[1] for dot in line.dots]
    assert (x[2] - x[1]) == pytest.approx(2 * (x[1] - x[0]), abs=0.2)
    assert y[0] > y[1] > y[2]
    for dot, middle in zip(line.dots, y, strict=True):
        low, high = (float(end) for end in re.findall(r"M[\d.]+ ([\d.]+)V([\d.]+)", dot.whisker)[0])
        assert high < middle < low
        assert (low + high) / 2 == pytest.approx(middle, abs=0.2)
    assert not curve.even_steps
    assert [tick.text for tick in curve.across] == ["1", "2", "4"]


def test_values_that_crowd_are_set_in_even_steps_and_it_is_said() -> None:
    curve = _curve("setting", ["shots=0", "shots=1", "shots=64"], m=RISING)

    x = [float(tick.position) for tick in curve.across]
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2)
    assert (curve.even_steps, curve.axis) == (True, "shots")


def test_a_figure_that_is_missing_leaves_a_gap() -> None:
    curve = _curve("n", ["1", "2", "3", "4", "5"], m=[Point(0.1, None, None), Point(0.2, 0, 1), None, *RISING[:2]])

    [line] = curve.lines
    assert [len(points.split()) for points in line.stretches] == [2, 2]
    assert len(line.dots) == 4
    assert line.dots[0].whisker == ""
    assert line.dots[0].words == "m, 1: 0.100, no interval"


@pytest.mark.parametrize(
    ("column", "groups"),
    [("scene", ["kitchen", "street"]), ("setting", ["shots=1 seed=2", "shots=4 seed=2"]), ("size", ["1", "large"])],
)
def test_groups_that_are_no_numbers_are_not_drawn(column: str, groups: list[str]) -> None:
    assert curve_of(Breakdown(column, groups, [], [("m", RISING[:2])])) is None


def test_one_figure_makes_no_curve() -> None:
    assert curve_of(Breakdown("n", ["1", "2"], [], [("m", [RISING[0], None])])) is None


def test_ranges_stand_at_their_middles() -> None:
    curve = _curve("distance", ["-1 to 0.5", "0.5 to 2"], m=RISING[:2])

    assert [tick.text for tick in curve.across] == ["-0.25", "1.25"]
    assert curve.middles


def test_each_other_setting_has_its_line() -> None:
    groups = ["shots=1 lang=en", "shots=1 lang=de", "shots=4 lang=en", "shots=4 lang=de"]

    curve = _curve("setting", groups, m=[RISING[0], RISING[1], RISING[1], RISING[2]])
    by_column = _curve("setting and cardinality", ["shots=4 1", "shots=4 2"], m=RISING[:2])

    assert [line.name for line in curve.lines] == ["m, lang=en", "m, lang=de"]
    assert (by_column.axis, [line.name for line in by_column.lines]) == ("cardinality", ["m, shots=4"])


def test_the_best_are_drawn_and_the_others_counted() -> None:
    models = [(f"m{k}", RISING) for k in range(MOST + 3)]

    curve = curve_of(Breakdown("n", ["1", "2", "3"], [], models), ("m8", "m7"))

    assert curve is not None
    assert len(curve.lines) == MOST
    assert [line.name for line in curve.lines][:3] == ["m8", "m7", "m0"]
    assert curve.left_out == 3


def test_the_drawing_is_told_to_who_does_not_see_it() -> None:
    curve = _curve("cardinality", ["1", "2", "4"], **{"<b>m": RISING})

    context = {"curve": curve, "number": 2, "metric": "R-Acc"}
    page = render_to_string("results/breakdown_curve.html", context)

    assert 'role="img" aria-labelledby="curve-2-title curve-2-words"' in page
    assert '<title id="curve-2-title">R-Acc by cardinality</title>' in page
    assert "&lt;b&gt;m: 0.200 (0.100 to 0.300) at 1, 0.800 (0.750 to 0.850) at 4" in page
    assert "<b>" not in page
    assert page.count('class="t-whisker"') == 3
    assert page.count("<script") == 0
