"""Crowds that are too small, too alike or plainly wrong: a figure, a warning or a refusal in words for each of them.

No figure is anything but a number within the range of its statistic, and no sentence says what the report doesn't.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import analyse, published, read_rows, refused, write_rows

HEADER = "worker_id,item_id,value"
QUICK = ("--replicates", "50")
COLOURS = f"{HEADER.removesuffix('value')}v:red,v:blue"
TRUTH = np.random.default_rng(2).uniform(5, 95, 40)
WORDS = ("never", "rarely", "sometimes", "often", "always")

Answer = Callable[[int, int, np.random.Generator], object]


def crossed(answer: Answer, *, workers: int, items: int) -> list[str]:
    """Every worker's answer to every item."""
    rng = np.random.default_rng(3)
    return [f"w{w},i{i},{answer(w, i, rng)}" for i in range(items) for w in range(workers)]


def near(i: int, noise: float, rng: np.random.Generator) -> int:
    """The truth of an item with noise, in whole numbers from 0 to 100."""
    return round(float(np.clip(TRUTH[i] + rng.normal(0, noise), 0, 100)))


def step(i: int, rng: np.random.Generator) -> int:
    """The truth of an item with noise, in five steps from 0."""
    return int(np.clip(TRUTH[i] / 20 + rng.normal(0, 0.7), 0, 4))


def copied() -> list[str]:
    """The last two of seven workers give the fifth's answers."""
    rows = crossed(lambda _w, i, rng: near(i, 25, rng), workers=5, items=40)
    fifth = [row.removeprefix("w4") for row in rows if row.startswith("w4,")]
    return rows + [f"{who}{row}" for who in ("w5", "w6") for row in fifth]


def adaptive() -> list[str]:
    """Three more judgments where the first two differ."""
    rng, rows = np.random.default_rng(5), []
    for i in range(300):
        p = rng.beta(1, 1)
        verdicts = list(rng.random(2) < p)
        if verdicts[0] != verdicts[1]:
            verdicts += list(rng.random(3) < p)
        who = rng.choice(12, len(verdicts), replace=False)
        rows += [f"w{w},i{i},{'yes' if verdict else 'no'}" for w, verdict in zip(who, verdicts, strict=True)]
    return rows


# By name: the rows, and the options that they are analysed with.
LABELS: dict[str, list[str]] = {
    "one label": crossed(lambda _w, _i, _rng: "yes", workers=4, items=20),
    "one worker": crossed(lambda _w, _i, rng: rng.choice(["a", "b"]), workers=1, items=20),
    "one item": crossed(lambda _w, _i, rng: rng.choice(["a", "b"]), workers=20, items=1),
    "one item, one label": crossed(lambda _w, _i, _rng: "a", workers=5, items=1),
    "one judgment": ["w0,i0,a"],
    "one item with two judgments": ["w0,i0,a", "w1,i0,a", "w2,i1,b", "w3,i2,b", "w4,i3,a"],
    "no item with two judgments": [f"w{i},i{i},{'ab'[i % 2]}" for i in range(30)],
    "two items": ["w0,i0,a", "w1,i0,a", "w0,i1,b", "w1,i1,a"],
    "perfect": crossed(lambda _w, i, _rng: "ab"[i % 2], workers=4, items=20),
    "always different": crossed(lambda w, i, _rng: "ab"[(i + w) % 2], workers=2, items=20),
    "as many labels as answers": crossed(lambda w, i, _rng: f"l{(7 * i + w) % 90}", workers=3, items=90),
    "a rare label": crossed(lambda _w, _i, rng: "pos" if rng.random() < 0.03 else "neg", workers=3, items=200),
    "one dissent": crossed(lambda w, i, _rng: "pos" if i == w == 0 else "neg", workers=3, items=100),
    "capitals": crossed(lambda _w, _i, rng: rng.choice(["Yes", "yes ", " YES", "no", "No"]), workers=4, items=20),
    "an order": crossed(lambda _w, i, rng: WORDS[step(i, rng)], workers=5, items=40),
    "tiny": crossed(lambda _w, _i, rng: rng.choice(["a", "b", "c"]), workers=3, items=5),
    "more judgments on disagreement": adaptive(),
}
NUMBERS: dict[str, tuple[list[str], str]] = {
    "one number": (crossed(lambda _w, _i, _rng: 50, workers=4, items=20), "0:100"),
    "one worker": (crossed(lambda _w, _i, rng: rng.integers(0, 101), workers=1, items=20), "0:100"),
    "one item": (crossed(lambda _w, _i, rng: rng.integers(0, 101), workers=20, items=1), "0:100"),
    "two items": (["w0,i0,10", "w1,i0,20", "w0,i1,90", "w1,i1,70"], "0:100"),
    "two workers without agreement": (crossed(lambda _w, _i, rng: rng.integers(0, 101), workers=2, items=30), "0:100"),
    "two good workers": (crossed(lambda _w, i, rng: near(i, 8, rng), workers=2, items=40), "0:100"),
    "the same file twice": (crossed(lambda _w, i, _rng: 37 * i % 101, workers=2, items=40), "0:100"),
    "perfect": (crossed(lambda _w, i, _rng: 5 * i, workers=4, items=20), "0:100"),
    "constant workers": (crossed(lambda w, _i, _rng: 20 * w, workers=4, items=30), "0:100"),
    "one constant worker": (
        crossed(lambda w, i, rng: 50 if w == 2 else near(i, 10, rng), workers=4, items=40),
        "0:100",
    ),
    "a reversed worker": (
        crossed(lambda w, i, rng: 100 - near(i, 5, rng) if w == 4 else near(i, 10, rng), workers=5, items=40),
        "0:100",
    ),
    "mixed scales": (
        crossed(lambda w, i, rng: near(i, 0, rng) if w < 3 else 1 + near(i, 0, rng) // 25, workers=6, items=40),
        "0:100",
    ),
    "copied answers": (copied(), "0:100"),
    "one to five": (crossed(lambda _w, i, rng: 1 + step(i, rng), workers=5, items=40), "1:5"),
    "nought or one": (crossed(lambda _w, i, rng: int(100 * rng.random() < TRUTH[i]), workers=5, items=40), "0:1"),
    "below zero": (crossed(lambda _w, i, rng: step(i, rng) - 5, workers=4, items=40), "-5:5"),
    "tiny": (crossed(lambda _w, _i, rng: rng.integers(0, 101), workers=3, items=5), "0:100"),
    "large numbers": (
        crossed(lambda _w, i, rng: round(1e9 + i + rng.normal(0, 0.5), 6), workers=4, items=20),
        "999999990:1000000040",
    ),
    "two judgments each, never by the same two": (
        [f"w{(i + a) % 30},i{i},{(37 * i + 11 * a * i) % 101}" for i in range(30) for a in range(2)],
        "0:100",
    ),
    "one who judged all": (
        [f"w0,i{i},{(31 * i) % 101}" for i in range(60)] + [f"w{1 + i // 3},i{i},{(53 * i) % 101}" for i in range(60)],
        "0:100",
    ),
}
OTHERS: dict[str, tuple[str, list[str], tuple[str, ...]]] = {
    "one set": (HEADER, crossed(lambda _w, _i, _rng: "a|b", workers=3, items=12), ("--kind", "choices")),
    "one item, sets": (HEADER, [f"w{w},i0,{('a', 'a|b', 'b')[w % 3]}" for w in range(9)], ("--kind", "choices")),
    "a label in every set": (
        HEADER,
        crossed(lambda _w, _i, rng: "a" if rng.random() < 0.9 else "a|b", workers=4, items=40),
        ("--kind", "choices"),
    ),
    "nothing but zeros": (
        COLOURS,
        crossed(lambda _w, _i, _rng: "0,0", workers=3, items=12),
        ("--kind", "sliders", "--scale", "0:5"),
    ),
    "one colour only": (
        COLOURS,
        crossed(lambda _w, i, _rng: f"{i % 5},0", workers=3, items=12),
        ("--kind", "sliders", "--scale", "0:5"),
    ),
    "two workers, two colours": (
        COLOURS,
        crossed(lambda w, i, rng: f"{min(i % 6 + w, 5)},{rng.integers(0, 6)}", workers=2, items=30),
        ("--kind", "sliders", "--scale", "0:5"),
    ),
    "one property": (HEADER, crossed(lambda _w, _i, _rng: "red", workers=3, items=5), ("--kind", "list")),
    "a property each": (HEADER, crossed(lambda w, i, _rng: f"p{w}{i}", workers=3, items=5), ("--kind", "list")),
    "one text": (HEADER, ["w0,i0,some words"], ("--kind", "text")),
}


def all_crowds() -> Iterator[Any]:
    """Each with its header and options."""
    for name, rows in LABELS.items():
        yield pytest.param(HEADER, rows, (), id=f"labels: {name}")
    for name, (rows, scale) in NUMBERS.items():
        yield pytest.param(HEADER, rows, (f"--scale={scale}",), id=f"numbers: {name}")
    for name, (header, rows, options) in OTHERS.items():
        yield pytest.param(header, rows, options, id=name)


def figures(report: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every figure of a report, with the names that lead to it."""
    if isinstance(report, dict):
        if "estimate" in report:
            yield path, report
        for name, part in report.items():
            yield from figures(part, (*path, name))
    elif isinstance(report, list):
        for part in report:
            yield from figures(part, path)


def limits_of(path: tuple[str, ...], report: dict[str, Any]) -> tuple[float, float]:
    """The range of the statistic that stands there."""
    if path[:2] == ("ceiling", "upper_bound"):
        return 0.0, 1.0
    if "leave_one_out" in path and report["kind"] not in ("slider", "sliders"):
        return 0.0, 1.0
    return (-np.inf if {"icc1k", "split_half", "split_half_spearman"} & {*path} else -1.0), 1.0


def no_number(text: str) -> NoReturn:
    raise AssertionError(f"report.json has {text}")


@pytest.mark.parametrize(("header", "rows", "options"), list(all_crowds()))
def test_every_crowd_has_figures_within_their_range_and_sentences_that_are_true(
    tmp_path: Path, header: str, rows: Iterable[str], options: tuple[str, ...]
) -> None:
    out, terminal = tmp_path / "out", io.StringIO()
    judgments = write_rows(tmp_path / "crowd.csv", header, rows)

    call_command("analyse_file", judgments, "--out", out, *options, *QUICK, stdout=terminal)

    report = json.loads((out / "report.json").read_text(encoding="utf-8"), parse_constant=no_number)
    methods = (out / "methods-details.md").read_text(encoding="utf-8")
    for path, figure in figures({part: report[part] for part in ("agreement", "ceiling")}):
        low, high = limits_of(path, report)
        assert low - 1e-12 <= figure["estimate"] <= high + 1e-12, path
        if figure.get("low") is not None:
            assert low <= figure["low"] <= figure["high"] <= high, path
        elif "n" in figure and "without_busiest_worker" not in path:
            assert "no " in figure["method"], path  # why there is no interval, or that none was asked for
    assert not re.search(
        r"\b(nan|None|inf|undefined for every|1 labels|1 items|1 workers)\b", methods + terminal.getvalue()
    )
    cleaned = report["agreement"]["cleaned"]
    beside = [one for path, one in figures(cleaned) if path[-1:] in (("item_percentile",), ("item_bca",))]
    assert ("report.json has intervals over items alone" in methods) == any(one["low"] is not None for one in beside)
    gold = read_rows(out / "gold.csv")
    assert not {"nan", "inf", "-inf", "None"} & {cell for row in gold for cell in row.values()}
    if report["kind"] == "slider":
        has_limits = any(row["ci_low"] for row in gold)
        if has_limits:
            assert "with a 95 % interval within the scale where there are 3 or more" in methods
        else:
            assert ", without an interval, " in methods or all(int(row["n"]) < 3 for row in gold)
        low, high = (float(report["scale"][end]) for end in ("low", "high"))
        assert all(low <= float(row["ci_low"]) <= float(row["ci_high"]) <= high for row in gold if row["ci_low"])
    for warning in report["warnings"]:
        assert warning["text"] in methods
        assert warning["text"] in " ".join(terminal.getvalue().split())


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["w0,i0,50", "w1,i0,50", "w0,i0,50"], "row 4, column worker_id: 'w0' judges 'i0' in row 2 too"),
        (["w0,i0,50", "w1,i0,111"], "row 3, column value: '111' is not a number from 0 to 100"),
        (["w0,i0,yes", "w1,i0,"], "row 3, column value: '' is not an answer"),
        (["w0,i0,50", "w1,i0,NaN"], "row 3, column value: 'NaN' is not a number from 0 to 100"),
        (["w0,i0,3", "w1,i0,4"], "--scale"),
    ],
    ids=["a row twice", "off the scale", "no answer", "not a number", "numbers of ten or less"],
)
def test_crowds_that_can_not_be_read_are_refused_in_words(tmp_path: Path, rows: list[str], said: str) -> None:
    reasons = refused(write_rows(tmp_path / "crowd.csv", HEADER, rows), tmp_path / "out")

    assert all(reason.startswith("crowd.csv") for reason in reasons)
    assert any(said in reason for reason in reasons)


def analysed(tmp_path: Path, rows: list[str], *options: str) -> tuple[dict[str, Any], str]:
    report = analyse(write_rows(tmp_path / "crowd.csv", HEADER, rows), tmp_path / "out", *options, *QUICK)
    return report, (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")


def test_bins_of_large_numbers_are_told_apart(tmp_path: Path) -> None:
    """Five bins from 999999990 on have five names: in six digits two of them were [1e+09, 1e+09)."""
    rows, scale = NUMBERS["large numbers"]

    report, methods = analysed(tmp_path, rows, f"--scale={scale}")

    p = report["agreement"]["cleaned"]["fleiss_kappa"]["p"]
    assert list(p)[:2] == ["[999999990, 1000000000)", "[1000000000, 1000000010)"]
    assert len(p) == 5
    assert sum(p.values()) == pytest.approx(1)
    assert "an answer is a number on a scale from 999999990 to 1000000040." in methods
    assert "Fleiss' kappa of bins (999999990, 1000000000, " in methods


def test_one_item_is_warned_of_by_what_its_formulas_give(tmp_path: Path) -> None:
    """Kappa of one item is -1 / (n - 1), which is -1 of two judgments; beside items with one judgment it may be 1."""
    alone, methods = analysed(tmp_path, LABELS["one item"])
    assert alone["agreement"]["cleaned"]["fleiss_kappa"]["estimate"] == pytest.approx(-1 / 19)
    assert "Warning: There is only one item: " in methods
    assert "alpha is 0 and kappa -1 / (n - 1), or undefined, whatever was answered." in methods

    beside, methods = analysed(tmp_path, LABELS["one item with two judgments"])
    assert beside["agreement"]["cleaned"]["fleiss_kappa"]["estimate"] == pytest.approx(1)
    assert "kappa -1 / (n - 1)" not in methods
    assert "so that alpha is 0, or undefined, whatever was answered." in methods
    assert "because every judgment of the items with two or more is the same, so that" in methods


def test_few_effective_workers_are_said_with_the_interval_over_items_beside_them(tmp_path: Path) -> None:
    rows, _ = NUMBERS["a reversed worker"]
    terminal = io.StringIO()
    report, methods = analysed(tmp_path, rows)
    call_command("analyse_file", tmp_path / "crowd.csv", "--out", tmp_path / "out", *QUICK, stdout=terminal)

    alpha = report["agreement"]["cleaned"]["krippendorff_alpha"]["interval"]
    assert alpha["nu_w"] < 4
    over_items = "{low:.3f} to {high:.3f}".format(**alpha["item_percentile"])
    notes = [line for line in methods.splitlines() if line.startswith("Note on Krippendorff's alpha (interval), ")]
    [few] = [note for note in notes if "effective workers" in note]
    assert few.endswith("the intervals rest on fewer than 4 effective workers.")
    beside = "Over items alone, for these workers (percentile bootstrap): "
    assert f"{beside}Krippendorff's alpha (interval) {over_items}; " in methods
    assert (
        "note: the interval rests on fewer than 4 effective workers;"
        f" over items alone, for these workers, it is {over_items}" in " ".join(terminal.getvalue().split())
    )


def test_an_interval_over_items_stands_beside_a_figure_without_another(tmp_path: Path) -> None:
    rows, _ = NUMBERS["one who judged all"]
    report, methods = analysed(tmp_path, rows)

    alpha = report["agreement"]["cleaned"]["krippendorff_alpha"]["interval"]
    assert alpha["low"] is None
    over_items = "{low:.3f} to {high:.3f}".format(**alpha["item_percentile"])
    assert f"(percentile bootstrap): Krippendorff's alpha (interval) {over_items}; " in methods


def test_two_files_that_are_one_are_told_on_a_scale_as_fine_as_this(tmp_path: Path) -> None:
    """Where everybody gives the same numbers no answers vary, and there is nobody to compare with."""
    rows, _ = NUMBERS["the same file twice"]

    report, _ = analysed(tmp_path, rows)

    [warning] = report["warnings"]
    assert warning["code"] == "identical-accounts"
    assert "Workers w0 and w1 gave the same answers to 40 of 40 items that two of them share: " in warning["text"]


def test_people_who_answered_together_are_not_those_of_the_simulations(tmp_path: Path) -> None:
    together = (
        "; the simulated workers answered independently, which some of these may not have done; see docs/coverage.md."
    )
    assert together in analysed(tmp_path, copied())[1]
    alone = [row for row in copied() if row[:2] not in ("w5", "w6")]
    assert together not in analysed(tmp_path, alone)[1]


def test_labels_are_not_read_backwards(tmp_path: Path) -> None:
    report, _ = analysed(tmp_path, LABELS["always different"])

    [warning] = report["warnings"]
    assert "scale" not in warning["text"]
    assert warning["text"].endswith(": one of them may have taken the labels the wrong way round.")


def test_the_bootstrap_is_called_unreliable_where_there_is_one(tmp_path: Path) -> None:
    none, methods = analysed(tmp_path, LABELS["always different"])
    assert none["agreement"]["cleaned"]["fleiss_kappa"]["item_percentile"]["low"] is None
    assert "bootstrap intervals over items are unreliable" not in methods

    assert "bootstrap intervals over items are unreliable" in analysed(tmp_path, LABELS["one dissent"])[1]


def test_why_an_average_precision_is_undefined_is_said_without_its_name_in_the_code(tmp_path: Path) -> None:
    header, rows, options = OTHERS["a property each"]
    judgments = write_rows(tmp_path / "crowd.csv", header, rows)
    probe = write_rows(tmp_path / "probe.csv", "item_id,candidate,score", [f"i{i},p0{i},1" for i in range(5)])

    analyse(judgments, tmp_path / "out", *options, *QUICK, "--probe", str(probe))

    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    said = "- average precision at 5: undefined, because no item has a property that 5 people named"
    assert said in methods.splitlines()


def test_which_of_two_intervals_rests_on_few_workers_is_said(tmp_path: Path) -> None:
    """Ten people rated pairs of words: enough of them for a person's score, not for the bound."""
    report = analyse(published("snow-wordsim/judgments.csv"), tmp_path / "out", "--scale", "0:10", *QUICK)

    ceiling, few = report["ceiling"], "few effective workers"
    assert few not in ceiling["leave_one_out"]["mean"]["method"]
    assert few in ceiling["upper_bound"]["method"]
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert " The interval of what a model can reach rests on fewer than 4 effective workers." in methods
