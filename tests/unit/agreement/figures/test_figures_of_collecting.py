"""The figures of a study while it is collected, of its people and of one item: what they say, and that all draw."""

from pathlib import Path

import numpy as np
import pandas as pd

from agreement.durations import ANSWER_SECONDS, DAY, HOUR, OverTime
from agreement.figures.collecting import answer_times, funnel, judgments_over_time, pages_left, person_times
from agreement.figures.figure import Figure
from agreement.figures.judgment_distribution import number_distribution
from agreement.figures.of_agreement import draw_annotator_matrix
from agreement.figures.of_items import draw_item_answers
from agreement.figures.rendering import render
from agreement.figures.robustness import draw_workers_influence
from agreement.files.numbers import PER_CENT
from agreement.judgments.crowd import Crowd

START = 29_800_000 - 29_800_000 % DAY
OVER_TIME: OverTime = {
    "start": START,
    "step": HOUR,
    "counts": [3, 0, 5],
    "first": START,
    "last": START + 125,
    "last_day": 8,
}
WORKERS = pd.DataFrame({"worker": ["ann", "ben", "eve"], "without": [0.6, 0.7, 0.9], "link": ["/a", "/b", "/e"]})
PAIRS = pd.DataFrame(
    [("ann", "ben", 0.9, 6), ("ben", "eve", -0.2, 7)], columns=["worker", "other", "agreement", "shared"]
)


def drawn(figure: Figure | None) -> Figure:
    assert figure is not None
    return figure


def answers_to_one_item() -> Crowd:
    items = pd.DataFrame(
        {"item_id": ["i1"], "kind": ["target"], "check": [""], "expected": [""], "min": [None], "max": [None]}
    )
    blank = pd.Series([""] * 4, dtype=object)
    extras = pd.DataFrame({"response_ms": np.full(4, 900.0), "submitted_at": blank, "assignment_id": blank})
    return Crowd(
        kind="slider", scale=PER_CENT, labels=(), items=items, workers=pd.Index(["a", "b", "c", "d"], dtype=object),
        worker=np.arange(4, dtype=np.int32), item=np.zeros(4, dtype=np.int32), answers=np.array([10.0, 20, 30, 99]),
        extras=extras, repeats="refuse",
    )  # fmt: skip


def the_item(excluded: list[bool]) -> Figure:
    counts, out = np.array([True, True, True, True]), np.array(excluded)
    names = ["a", "b", "c", "d"]
    return draw_item_answers(answers_to_one_item(), counts, out, number_distribution, names, [f"/{n}" for n in names])


def test_every_figure_can_be_drawn(tmp_path: Path) -> None:
    counts = [0] * (len(ANSWER_SECONDS) - 1)
    counts[3] = 7
    figures = [
        drawn(judgments_over_time(OVER_TIME)),
        drawn(answer_times({"counts": counts, "median": 2.5})),
        drawn(person_times([3.0, 4.5, 12.0], 5)),
        drawn(pages_left({0: 2, 3: 1})),
        funnel((("came", 9), ("finished", 4))),
        drawn(draw_workers_influence(WORKERS, name="alpha", agreement_of_all=0.68)),
        drawn(draw_annotator_matrix(PAIRS, workers=3, agrees_by="correlation")),
        the_item([False, False, False, True]),
    ]
    assert render(figures, tmp_path, ("svg",)) == []
    assert len(list(tmp_path.rglob("*.svg"))) == len(figures)


def test_judgments_over_time_name_each_bar_and_the_sum_so_far() -> None:
    figure = drawn(judgments_over_time(OVER_TIME))
    assert figure.rows["in_all"].tolist() == [3, 3, 8]
    assert figure.rows["from"].tolist()[1] == figure.rows["to"].tolist()[0]
    assert all(str(moment).endswith("Z") for moment in figure.rows["from"]), "a browser would take it for its own time"
    assert "each bar is an hour" in figure.caption
    two_days: OverTime = {**OVER_TIME, "step": 2 * DAY}
    assert "each bar is 2 days" in drawn(judgments_over_time(two_days)).caption
    assert judgments_over_time({**OVER_TIME, "counts": []}) is None


def test_nothing_is_drawn_of_nothing() -> None:
    assert answer_times({"counts": [0, 0], "median": None}) is None
    assert person_times([], 5) is None
    assert pages_left({}) is None
    assert draw_workers_influence(WORKERS.assign(without=0.68), name="alpha", agreement_of_all=0.68) is None
    assert draw_annotator_matrix(PAIRS.head(0), workers=0, agrees_by="hits") is None


def test_who_took_very_long_is_counted_in_the_last_bar() -> None:
    figure = drawn(person_times([*np.linspace(3, 6, 60), 400.0], 5))
    assert figure.rows["people"].sum() == 61
    assert figure.rows["high"].max() < 100
    assert "in the last bar" in figure.caption


def test_the_most_influential_worker_is_named_first() -> None:
    figure = drawn(draw_workers_influence(WORKERS, name="alpha", agreement_of_all=0.68))
    assert figure.rows["worker"].tolist() == ["eve", "ann", "ben"]
    assert figure.caption.startswith("alpha: 0.680 with everybody, 0.900 without eve.")


def test_both_halves_of_the_matrix_are_there_and_who_agrees_most_comes_first() -> None:
    figure = drawn(draw_annotator_matrix(PAIRS, workers=3, agrees_by="correlation"))
    assert len(figure.rows) == 4
    assert figure.rows["worker"].iloc[0] == "ann"


def test_the_mean_of_an_item_leaves_excluded_workers_out_and_shows_them() -> None:
    figure = the_item([False, False, False, True])
    assert figure.rows["status"].tolist() == ["kept", "kept", "kept", "excluded"]
    assert (
        "3 judgments that count. Of excluded workers there are 1 more. The line is the others' mean, 20."
        in figure.caption
    )
    assert "mean" not in the_item([True, True, True, True]).caption
