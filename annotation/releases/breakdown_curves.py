"""Scores by the groups of a column, and a breakdown by numbers (shots, cardinality, a distance) as a drawing: one line
per model, an interval at every point.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from agreement.report.figure_rows import FigureCell, figure_cell
from agreement.report.model_rows import SETTING, setting_key
from agreement.scoring.probe import TEMPLATE
from annotation.releases.models import Score, Scoring

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 250, 42, 14, 12, 44
MOST = 6  # lines that can still be told apart
APART = 22  # between two values on the axis; nearer ones are set in even steps
DODGE = 5  # between the lines at one value, so that their intervals don't cover each other
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
RANGE = re.compile(rf"({NUMBER.pattern}) to ({NUMBER.pattern})")
SHAPES = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.6 -3.6h7.2v7.2h-7.2z",
    "m0 -5.2l5.2 5.2l-5.2 5.2l-5.2 -5.2z",
    "m0 -5l4.8 8.4h-9.6z",
    "m0 5l4.8 -8.4h-9.6z",
    "m-4 -4l8 8m0 -8l-8 8",
)


@dataclass(frozen=True, slots=True)
class Point:
    """A figure that is there."""

    estimate: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The metric by the groups of one column: a curve where the groups are numbers, such as shots or cardinality.

    `lines` has each probe's figures as words, `points` as numbers. Groups with long names, as templates are, stand
    under their numbers, and `meanings` says what each is.
    """

    column: str
    groups: list[str]
    lines: list[tuple[str, list[FigureCell]]]
    points: list[tuple[str, list[Point | None]]]
    meanings: list[tuple[str, str]] = field(default_factory=list)
    sizes: list[str] = field(default_factory=list)  # of each group, how many items its figures are of

    @property
    def heads(self) -> list[tuple[str, str]]:
        """Each group with its n."""
        return list(zip(self.groups, self.sizes or [""] * len(self.groups), strict=True))


def breakdowns_of(scores: list[Score], scorings: Mapping[int, Scoring]) -> list[Breakdown]:
    columns = dict.fromkeys(score.breakdown for score in scores if score.breakdown)
    return [
        _breakdown(column, [score for score in scores if score.breakdown == column], scorings) for column in columns
    ]


def _breakdown(column: str, scores: list[Score], scorings: Mapping[int, Scoring]) -> Breakdown:
    groups = sorted_groups(column, dict.fromkeys(score.group for score in scores))
    score_of = {(score.scoring_id, score.group): score for score in scores}
    none = FigureCell(words="no items")
    lines, points = [], []
    for key in dict.fromkeys(score.scoring_id for score in scores):
        name, of_probe = scorings[key].probe.name, [score_of.get((key, group)) for group in groups]
        lines.append((name, [none if score is None else figure_cell(score.figure) for score in of_probe]))
        points.append((name, [None if score is None else point_of(score) for score in of_probe]))
    is_numbered = column == TEMPLATE and not all(map(str.isdecimal, groups))
    meanings = [(str(number), group) for number, group in enumerate(groups, start=1)] if is_numbered else []
    sizes = [_size([score.n for score in scores if score.group == group and score.n is not None]) for group in groups]
    return Breakdown(column, [number for number, _ in meanings] or groups, lines, points, meanings, sizes)


def _size(counts: list[int]) -> str:
    """How many items a group has; models may cover different ones.

    >>> _size([14, 14]), _size([12, 14]), _size([])
    ('n = 14', 'n = 12 to 14', '')
    """
    if not counts:
        return ""
    least, most = min(counts), max(counts)
    return f"n = {most:,}" if least == most else f"n = {least:,} to {most:,}"


def point_of(score: Score) -> Point | None:
    return None if score.estimate is None else Point(score.estimate, score.low, score.high)


# The drawing.


@dataclass(frozen=True, slots=True)
class Dot:
    """One figure: its shape's path, and its interval's, empty where there is none; `words` for a mouse that rests."""

    shape: str
    whisker: str
    words: str


@dataclass(frozen=True, slots=True)
class Line:
    """One model: the stretches between figures that are there, in `points` of a polyline."""

    name: str
    number: int
    stretches: list[str]
    dots: list[Dot]
    shape: str


@dataclass(frozen=True, slots=True)
class Tick:
    position: str
    text: str


@dataclass(frozen=True, slots=True)
class Curve:
    """`left_out` counts the models that only the table has; `even_steps` says that the axis is not to scale, and
    `middles` that a range stands at its middle.
    """

    lines: list[Line]
    across: list[Tick]
    up: list[Tick]
    axis: str
    in_words: str
    left_out: int
    even_steps: bool
    middles: bool
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    foot: int = HEIGHT - BOTTOM


def curve_of(breakdown: Breakdown, best_first: Sequence[str] = ()) -> Curve | None:
    """Nothing unless every group is a number and a model has figures at two of them.

    Of more than six models those are drawn that stand first in `best_first`, the order of the ranking.
    """
    placed = [_place_of_group(breakdown.column, group) for group in breakdown.groups]
    known = [one for one in placed if one is not None]
    if len(known) < len(placed) or len({one.axis for one in known}) != 1:
        return None
    rank = {name: place for place, name in enumerate(best_first)}
    rows = sorted(breakdown.points, key=lambda row: rank.get(row[0], len(rank)))
    named = [one for name, points in rows for one in _points_by_setting(name, known, points)]
    drawn = [(name, figures) for name, figures in named if len(figures) > 1][:MOST]
    if not drawn:
        return None
    values = sorted({one.x for one in known})
    left, right = LEFT + 16, WIDTH - RIGHT - 16
    positions, even = _spaced_positions(values, left, right)
    ends = [end for _, figures in drawn for one in figures.values() for end in (one.estimate, one.low, one.high)]
    steps = _steps([end for end in ends if end is not None])
    foot = HEIGHT - BOTTOM

    def height_of(value: float) -> float:
        return foot - (foot - TOP) * (value - steps[0]) / (steps[-1] - steps[0])

    return Curve(
        lines=[
            _line(name, k, len(drawn), figures, values, positions, height_of) for k, (name, figures) in enumerate(drawn)
        ],
        across=[Tick(f"{x:.1f}", text) for x, text in _readable_names(positions, values, known)],
        up=[Tick(f"{height_of(step):.1f}", f"{step:.4g}".replace("-", "−")) for step in steps],
        axis=known[0].axis,
        in_words="; ".join(_points_in_words(name, figures) for name, figures in drawn),
        left_out=len(named) - len(drawn),
        even_steps=even,
        middles=any(not NUMBER.fullmatch(one.text) for one in known),
    )


def sorted_groups(column: str, groups: Iterable[str]) -> list[str]:
    """Groups that are numbers by their size, as 2 before 10; any others as they came.

    >>> sorted_groups("cardinality", ["1", "10", "2"]), sorted_groups("setting", ["shots=16", "shots=4"])
    (['1', '2', '10'], ['shots=4', 'shots=16'])
    """
    texts = list(groups)
    if column == SETTING:
        return sorted(texts, key=setting_key)
    placed = [_place_of_group(column, group) for group in texts]
    if any(one is None for one in placed):
        return texts
    return sorted(
        texts, key=lambda group: (place.rest, place.x) if (place := _place_of_group(column, group)) else ("", 0.0)
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a group stands: its number, as text too, what is counted, and the settings beside it."""

    x: float
    text: str
    axis: str
    rest: str


def has_place(column: str, group: str) -> bool:
    """Whether the group can stand on an axis of numbers."""
    return _place_of_group(column, group) is not None


def _place_of_group(column: str, group: str) -> _Place | None:
    """A number, a range (its middle), or a setting with one number, such as `shots=4`; None for any other group."""
    setting, _, last = group.rpartition(" ") if column.startswith("setting and ") else ("", "", group)
    name = column.removeprefix("setting and ")
    if (between := RANGE.fullmatch(last if setting else group)) is not None:
        return _Place((float(between[1]) + float(between[2])) / 2, group, name, setting)
    if NUMBER.fullmatch(last):
        return _Place(float(last), last, name, setting)
    if column != "setting":
        return None
    parts = [part.partition("=") for part in group.split(" ")]
    numbers = [(key, value) for key, _, value in parts if NUMBER.fullmatch(value)]
    if len(numbers) != 1:
        return None
    [(key, value)] = numbers
    return _Place(float(value), value, key, " ".join("".join(part) for part in parts if part[0] != key))


def _points_by_setting(
    name: str, places: Sequence[_Place], points: Sequence[Point | None]
) -> list[tuple[str, dict[float, Point]]]:
    """One line for each of the settings that a model has beside the number."""
    lines: dict[str, dict[float, Point]] = {}
    for place, point in zip(places, points, strict=True):
        if point is not None:
            lines.setdefault(f"{name}, {place.rest}" if place.rest else name, {})[place.x] = point
    return list(lines.items())


def _spaced_positions(values: Sequence[float], left: int, right: int) -> tuple[list[float], bool]:
    """To scale where that leaves room between all neighbours, else in even steps, which is said."""
    if len(values) == 1:
        return [(left + right) / 2], False
    positions = [left + (right - left) * (value - values[0]) / (values[-1] - values[0]) for value in values]
    if min(b - a for a, b in pairwise(positions)) >= APART:
        return positions, False
    return [left + (right - left) * k / (len(values) - 1) for k in range(len(values))], True


def _readable_names(
    positions: Sequence[float], values: Sequence[float], places: Sequence[_Place]
) -> list[tuple[float, str]]:
    """The values' names, every second or third one where all of them would run into each other."""
    text = {one.x: one.text if NUMBER.fullmatch(one.text) else f"{one.x:.3g}" for one in places}
    widest = 7 * max(len(text[value]) for value in values) + 6
    room = min((b - a for a, b in pairwise(positions)), default=float(WIDTH))
    return [(x, text[value]) for x, value in zip(positions, values, strict=True)][:: max(math.ceil(widest / room), 1)]


def _steps(ends: Sequence[float]) -> list[float]:
    """Three to seven round values that hold all ends.

    >>> _steps([0.31, 0.87]), _steps([12.0, 12.0])
    ([0.2, 0.4, 0.6, 0.8, 1.0], [11.0, 12.0, 13.0])
    """
    low, high = min(ends), max(ends)
    if high - low < 1e-9 * max(abs(low), 1.0):
        return [low - 1, low, low + 1]
    size = 10.0 ** math.floor(math.log10((high - low) / 3))
    step = next(size * k for k in (1, 2, 5, 10) if (high - low) / (size * k) <= 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def _line(
    name: str,
    number: int,
    lines: int,
    figures: dict[float, Point],
    values: Sequence[float],
    positions: Sequence[float],
    height_of: Callable[[float], float],
) -> Line:
    aside = DODGE * (number - (lines - 1) / 2)
    shape = SHAPES[number]
    dots, places = [], []
    for k, value in enumerate(values):
        point = figures.get(value)
        if point is None:
            continue
        x, y = positions[k] + aside, height_of(point.estimate)
        places.append((k, f"{x:.1f},{y:.1f}"))
        whisker = ""
        if point.low is not None and point.high is not None:
            low, high = height_of(point.low), height_of(point.high)
            whisker = f"M{x:.1f} {low:.1f}V{high:.1f}M{x - 2:.1f} {low:.1f}h4M{x - 2:.1f} {high:.1f}h4"
        dots.append(Dot(f"M{x:.1f} {y:.1f}{shape}", whisker, f"{name}, {value:g}: {_figure(point)}"))
    runs = groupby(enumerate(places), key=lambda one: one[1][0] - one[0])
    stretches = [[place for _, (_, place) in run] for _, run in runs]
    return Line(name, number, [" ".join(run) for run in stretches if len(run) > 1], dots, f"M12 8{shape}")


def _points_in_words(name: str, figures: dict[float, Point]) -> str:
    first, last = min(figures), max(figures)
    return f"{name}: {_figure(figures[first])} at {first:g}, {_figure(figures[last])} at {last:g}"


def _figure(point: Point) -> str:
    """The estimate, and its interval where there is one."""
    if point.low is None or point.high is None:
        return f"{point.estimate:.3f}, no interval"
    return f"{point.estimate:.3f} ({point.low:.3f} to {point.high:.3f})"
