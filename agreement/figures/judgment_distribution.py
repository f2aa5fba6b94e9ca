"""What people answered, before and after cleaning: the distribution of all judgments on target items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..kinds.answers import Properties
from .figure import BEFORE, CATEGORIES, Figure

if TYPE_CHECKING:
    from ..cleaning.cleaning_run import Cleaning
    from ..judgments.crowd import Crowd, Mask

BINS = 20
MOST_STEPS = 21  # so many different numbers are steps, each with a bar of its own
MOST_PROPERTIES = 25
COLLECTED, KEPT = "collected", "kept"


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """`rows` has `answer` (a text, or `low` and `high` of a bin) and `value`, which `axis` names. Bins are of what
    `across` says; those around single numbers have a tick at each of `steps`.
    """

    axis: str
    rows: pd.DataFrame
    across: str = "Answer"
    steps: tuple[float, ...] = ()


Counted: TypeAlias = "Callable[[Crowd, Mask], Distribution]"


def draw(cleaning: Cleaning, distribution: Counted) -> Figure:
    """Collected judgments in light bars, and before them those that cleaning kept."""
    crowd = cleaning.crowd
    collected, kept = int(crowd.on_target.sum()), int(cleaning.kept_targets.sum())
    stages = [(COLLECTED, crowd.on_target), (KEPT, cleaning.kept_targets)]
    both = stages if kept < collected else stages[1:]  # the same twice says nothing
    counted = [(name, distribution(crowd, mask)) for name, mask in both]
    rows = pd.concat([one.rows.assign(judgments=name) for name, one in counted], ignore_index=True)
    colour = {
        "field": "judgments",
        "type": "nominal",
        "title": "Judgments",
        "scale": {"domain": [COLLECTED, KEPT], "range": [BEFORE, CATEGORIES[0]]},
        **({"legend": None} if len(both) == 1 else {}),
    }
    of_them = f"and the {kept:,} of them that cleaning kept" if kept < collected else "all of which cleaning kept"
    specification = _bars(rows, counted[0][1], {"color": colour, "yOffset": {"field": "judgments"}})
    return Figure(
        name="judgment-distribution",
        title="Distribution of the answers",
        caption=f"All {collected:,} judgments on target items, {of_them}.",
        description=f"Distribution of {collected:,} answers, {of_them}; numbers in the table.",
        rows=rows,
        specification=specification,
    )


def draw_one(distribution: Distribution, *, name: str, title: str, caption: str) -> Figure:
    """One crowd's answers, such as those collected so far or those to one item."""
    return Figure(
        name=name,
        title=title,
        caption=caption,
        description=f"{title}. {caption} Numbers in the table.",
        rows=distribution.rows,
        specification=_bars(distribution.rows, distribution, {}),
    )


def _bars(rows: pd.DataFrame, of: Distribution, beside: Mapping[str, object]) -> dict[str, object]:
    """Upright bars over bins of numbers, lying ones for answers that have names."""
    value = {"field": "value", "type": "quantitative", "title": of.axis, "stack": None}
    mark = {"type": "bar", "tooltip": True}
    if "low" in rows:
        across = {"field": "low", "type": "quantitative", "bin": {"binned": True}, "title": of.across}
        ends = {"x": {**across, **({"axis": {"values": [*of.steps]}} if of.steps else {})}}
        colour = {key: part for key, part in beside.items() if key == "color"}
        return {"mark": mark, "encoding": {**ends, "x2": {"field": "high"}, "y": value, **colour}, "width": 420}
    order = list(dict.fromkeys(rows["answer"]))
    answer = {"field": "answer", "type": "nominal", "sort": order, "title": None}
    return {"mark": mark, "encoding": {"y": answer, "x": value, **beside}, "width": 420}


# The distributions, by the type of the answers.


def number_distribution(crowd: Crowd, which: Mask) -> Distribution:
    """Judgments in each of twenty bins of the scale, or at each step where there are few."""
    answers = np.asarray(crowd.answers, dtype=np.float64)
    steps = np.unique(answers[crowd.on_target])
    if crowd.scale is not None and len(steps) > MOST_STEPS:
        edges, ticks = np.linspace(float(crowd.scale.low), float(crowd.scale.high), BINS + 1), ()
    else:
        edges, ticks = _edges_around(steps), tuple(steps.tolist())
    counts, _ = np.histogram(answers[which], bins=edges)
    rows = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "value": counts})
    return Distribution("Judgments", rows, steps=ticks if len(ticks) <= MOST_STEPS else ())


def _edges_around(steps: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Edges half-way between neighbouring steps.

    >>> _edges_around(np.array([1.0, 2.0, 4.0])).tolist()
    [0.5, 1.5, 3.0, 5.0]
    """
    if len(steps) < 2:
        middle = float(steps[0]) if len(steps) else 0.0
        return np.array([middle - 0.5, middle + 0.5])
    middles = (steps[1:] + steps[:-1]) / 2
    return np.concatenate([[2 * steps[0] - middles[0]], middles, [2 * steps[-1] - middles[-1]]])


def label_distribution(crowd: Crowd, which: Mask) -> Distribution:
    """The share of judgments that chose each label."""
    counts = np.bincount(np.asarray(crowd.answers)[which], minlength=len(crowd.labels))
    return _by_label(crowd.labels, counts / max(counts.sum(), 1), "Share of judgments")


def label_set_distribution(crowd: Crowd, which: Mask) -> Distribution:
    """The share of judgments that have each label in their set."""
    chosen = np.asarray(crowd.answers)[which]
    return _by_label(crowd.labels, chosen.sum(axis=0) / max(len(chosen), 1), "Share of judgments with the label")


def number_by_label_distribution(crowd: Crowd, which: Mask) -> Distribution:
    """The mean number that each label was given."""
    return _by_label(crowd.labels, _mean(np.asarray(crowd.answers)[which]), "Mean answer")


def place_distribution(crowd: Crowd, which: Mask) -> Distribution:
    """The mean place of each label; the first is 1."""
    return _by_label(crowd.labels, _mean(np.asarray(crowd.answers)[which]), "Mean place")


def _mean(answers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return answers.mean(axis=0) if len(answers) else np.full(answers.shape[1], np.nan)


def _by_label(names: Sequence[str], values: npt.NDArray[np.float64], axis: str) -> Distribution:
    return Distribution(axis, pd.DataFrame({"answer": list(names), "value": values}))


def property_distribution(crowd: Crowd, which: Mask) -> Distribution:
    """How many judgments named a property: those that were named most in all."""
    answers = crowd.answers
    if not isinstance(answers, Properties):
        raise TypeError("properties are counted in answers that are Properties")
    counted = np.bincount(answers.take(which).property, minlength=len(answers.names))
    overall = np.bincount(answers.take(crowd.on_target).property, minlength=len(answers.names))
    most = np.argsort(-overall, kind="stable")[:MOST_PROPERTIES]
    return Distribution("Judgments", pd.DataFrame({"answer": [answers.names[k] for k in most], "value": counted[most]}))


def text_length_distribution(crowd: Crowd, which: Mask) -> Distribution:
    """Judgments by the number of their words."""
    lengths = np.array([len(str(text).split()) for text in np.asarray(crowd.answers)], dtype=np.int64)
    longest = int(lengths[crowd.on_target].max(initial=1))
    shortest = min(int(lengths[crowd.on_target].min(initial=longest)), longest)
    width = max(1, -(-(longest - shortest + 1) // BINS))
    edges = np.arange(shortest - 0.5, longest + 0.5 + width, width)
    counts, _ = np.histogram(lengths[which], bins=edges)
    rows = pd.DataFrame({"low": edges[:-1], "high": edges[1:], "value": counts})
    ticks = tuple(float(number) for number in range(shortest, longest + 1)) if width == 1 else ()
    return Distribution("Judgments", rows, "Words per text", ticks)
