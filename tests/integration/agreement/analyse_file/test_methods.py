"""The sentences of methods.md, held against report.json: every figure is its own, every sentence what happened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agreement.estimation.simulated_coverage import COVERAGE
from agreement.scoring.metrics import METRICS
from tests.integration.agreement.analyse_file.command import analyse, needs_shared_data, shared, write_rows

HEADER = "worker_id,item_id,value"
QUICK = ("--replicates", "20")
FIGURE = re.compile(r"(?<![\d.])-?\d+\.\d{3}(?!\d)")


def methods_of(out: Path) -> str:
    return (out / "methods-details.md").read_text(encoding="utf-8")


def numbers_in(report: Any) -> Iterator[float]:
    """Every number of a report, however deep."""
    if isinstance(report, dict):
        for value in report.values():
            yield from numbers_in(value)
    elif isinstance(report, list):
        for value in report:
            yield from numbers_in(value)
    elif isinstance(report, float):
        yield report


def assert_is_its_reports(methods: str, report: dict[str, Any]) -> None:
    """Every figure of three places is one of the report's, and no metric goes by the name that it has in the code."""
    known = {f"{number:.3f}" for number in numbers_in(report)}
    figures = FIGURE.findall(re.sub(r"p [<=] [\d.]+|Holm [<=] [\d.]+", "", methods))
    assert figures
    assert set(figures) <= known
    for metric in METRICS:
        assert not re.search(rf"\b{metric}\b", methods) or "_" not in metric


def a_crowd(tmp_path: Path, *, workers: int = 6, items: int = 30) -> Path:
    """Numbers from 0 to 100 by careful people; w3 fails the check `unrelated`, and w5 answers `self` not at all."""
    rng = np.random.default_rng(5)
    truth = rng.uniform(10, 90, items)
    rows = [f"w{w},i{i},{truth[i] + rng.normal(0, 5):.1f}" for i in range(items) for w in range(workers)]
    rows += [f"w{w},low,{80 if w == 3 else 10}" for w in range(workers)]
    rows += [f"w{w},high,97" for w in range(workers - 1)]
    write_rows(
        tmp_path / "items.csv",
        "item_id,check,min,max",
        [*(f"i{i},,," for i in range(items)), "low,unrelated,,60", "high,self,90,"],
    )
    write_rows(tmp_path / "good.csv", "item_id,score", [f"i{i},{truth[i]:.1f}" for i in range(items - 4)])
    write_rows(
        tmp_path / "poor.csv", "item_id,score", [f"i{i},{truth[i] + rng.normal(0, 40):.1f}" for i in range(items)]
    )
    return write_rows(tmp_path / "study.csv", HEADER, rows)


def test_every_figure_of_numbers_is_the_reports(tmp_path: Path) -> None:
    judgments = a_crowd(tmp_path)
    probes = [str(tmp_path / f"{name}.csv") for name in ("good", "poor")]

    report = analyse(
        judgments,
        tmp_path / "out",
        "--items",
        str(tmp_path / "items.csv"),
        "--scale",
        "0:100",
        *QUICK,
        "--probe",
        *probes,
    )

    methods = methods_of(tmp_path / "out")
    assert_is_its_reports(methods, report)
    assert "They also gave 11 answers to check items, which enter neither gold nor agreement." in methods
    assert (
        "It excluded 1 worker and 30 judgments; 5 workers and 150 judgments are kept, 5 per item on average." in methods
    )
    assert "good covers 26 of 30 items of gold." in methods
    assert "- good less poor, Spearman correlation on the items that both cover: " in methods
    agreeing = report["agreement"]
    for part, before in (("raw", "item fall into the same bin in "), ("cleaned", "; after cleaning in ")):
        kappa = agreeing[part]["fleiss_kappa"]
        assert f"{before}{100 * kappa['P']:.1f} % of cases, and in {100 * kappa['P_e']:.1f} % by chance" in methods


def test_every_figure_of_labels_is_the_reports(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = [f"w{w},i{i},{'abc'[i % 3 if rng.random() < 0.8 else rng.integers(3)]}" for i in range(40) for w in range(5)]
    reference = write_rows(tmp_path / "ref.csv", "item_id,reference", [f"i{i},{'abc'[i % 3]}" for i in range(40)])
    model = write_rows(
        tmp_path / "gpt.csv", "item_id,label", [f"i{i},{'abc'[(i + (i % 5 == 0)) % 3]}" for i in range(40)]
    )

    judgments = write_rows(tmp_path / "j.csv", HEADER, rows)
    report = analyse(judgments, tmp_path / "out", "--reference", str(reference), "--probe", str(model), *QUICK)

    methods = methods_of(tmp_path / "out")
    assert_is_its_reports(methods, report)
    assert "The crowd's gold was scored as a model against ref.csv (40 items). " in methods
    workers = report["ceiling"]["reference"]["workers"]
    assert f"- workers one by one, the mean of their R-Acc: {workers['estimate']:.3f} (" in methods
    assert ", over items and workers\n" in methods
    assert "(leave-one-out) by accuracy, the mean over 5 workers: 0." in methods
    of_probe = methods[methods.index("gpt covers") :]
    assert of_probe.index("- accuracy: ") < of_probe.index("- R-Acc: ")
    assert "R-Acc takes any of an item's gold labels as right" in methods


@needs_shared_data
@pytest.mark.parametrize(
    ("judgments", "options"),
    [
        ("fleiss1971/judgments.csv", ()),
        ("krippendorff-c/judgments.csv", ("--scale", "1:5")),
        ("snow-wordsim/judgments.csv", ("--scale", "0:10")),
        ("snow-rte/judgments.csv", ()),
    ],
)
def test_every_figure_of_a_public_crowd_is_the_reports(
    tmp_path: Path, judgments: str, options: tuple[str, ...]
) -> None:
    report = analyse(shared(judgments), tmp_path / "out", *options, *QUICK)

    assert_is_its_reports(methods_of(tmp_path / "out"), report)


def test_where_no_rule_ran_none_is_named(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{(7 * w + 13 * i) % 101}" for w in range(3) for i in range(12)]

    analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "out", *QUICK)

    why, kept = "there were no check items", "all 3 workers and 36 judgments are kept, 3 per item on average"
    assert f"No rule excluded a worker, because {why}; {kept}." in methods_of(tmp_path / "out").splitlines()


def test_workers_excluded_by_hand_are_not_laid_to_the_rules(tmp_path: Path) -> None:
    by_hand = write_rows(tmp_path / "hand.csv", "worker_id,kept,reason", ["w1,0,a bot", "zz,0,gone"])
    judgments = a_crowd(tmp_path)

    options = ("--items", str(tmp_path / "items.csv"), "--scale", "0:100", "--by-hand", str(by_hand), *QUICK)
    analyse(judgments, tmp_path / "out", *options)

    methods = methods_of(tmp_path / "out")
    assert "It and the decisions by hand excluded 2 workers and 60 judgments; " in methods
    assert "By hand, 1 worker was excluded and 0 kept against a rule's verdict; " in methods
    assert "1 decision by hand was on workers who are not in the data." in methods


def test_how_often_intervals_hold_the_truth_is_one_sentence(tmp_path: Path) -> None:
    judgments = a_crowd(tmp_path)
    report = analyse(judgments, tmp_path / "out", "--items", str(tmp_path / "items.csv"), "--scale", "0:100", *QUICK)

    methods = methods_of(tmp_path / "out")
    [said] = [line for line in methods.splitlines() if "contained the true value" in line]
    assert said.startswith(
        "In simulated studies with 5 judgments on each of 60 items, intervals like these contained the true value in "
    )
    assert said.endswith("; see docs/coverage.md.")
    cleaned = report["agreement"]["cleaned"]
    [note] = [note for note in cleaned["split_half"]["notes"] if "intervals like this one held" in note]
    shares = COVERAGE.fullmatch(note)
    assert shares
    assert shares["coverage"] in said


def test_a_rule_that_looks_at_answers_is_described_once(tmp_path: Path) -> None:
    judgments = a_crowd(tmp_path)
    rules = tmp_path / "others.toml"
    rules.write_text('name = "others"\n[[rule]]\nkind = "disagreement"\ncorrelation_below = 0.2\n', encoding="utf-8")
    rows = [line for line in judgments.read_text().splitlines()[1:] if ",i" in line]

    analyse(
        write_rows(tmp_path / "j.csv", HEADER, rows),
        tmp_path / "out",
        "--rules",
        str(rules),
        "--scale",
        "0:100",
        *QUICK,
    )

    methods = methods_of(tmp_path / "out")
    assert "This rule looks at other people's answers or times and so selects on the outcome" in methods
    assert "answered no check" not in methods
    assert methods.count("disagreement") == 1


def test_figures_that_are_means_over_labels_say_so_and_on_which_items_they_were_recomputed(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    rows = [
        f"w{w},i{i},{'|'.join(label for label in 'abc' if rng.random() < 0.5) or 'a'}"
        for i in range(30)
        for w in range(4 + i % 2)
    ]

    analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "out", "--kind", "choices", *QUICK)

    methods = methods_of(tmp_path / "out")
    assert "- Fleiss' kappa, mean over 3 labels: " in methods
    assert "- Krippendorff's alpha (nominal), mean over 3 labels: " in methods
    assert "Fleiss' kappa of each label with statsmodels " in methods
    assert " on the 15 of 30 items with 4 judgments" in methods
    assert "4.5 per item on average." in methods


@pytest.mark.parametrize("value", ["a", "50"])
def test_a_crowd_that_agrees_on_everything_is_said_plainly(tmp_path: Path, value: str) -> None:
    rows = [f"w{w},i{i},{value}" for w in range(3) for i in range(12)]

    analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "out", *QUICK)

    methods = methods_of(tmp_path / "out")
    which = "of bins is" if value == "50" else "and Krippendorff's alpha (nominal) are"
    assert f"Fleiss' kappa {which} undefined, because every judgment is the same label." in methods
    assert ": kappa is undefined" not in methods
    if value == "50":
        assert "Split-half reliability, stepped up is undefined, because " in methods
        nobody = "3 of 3 have answers or a gold of the others that never vary"
        assert f"Nobody could be scored against the gold of the others (leave-one-out): {nobody}." in methods
    else:
        assert "an answer is always the label a." in methods


def test_one_worker_and_one_item_are_not_plural(tmp_path: Path) -> None:
    analyse(write_rows(tmp_path / "j.csv", HEADER, ["w0,i0,40"]), tmp_path / "out", *QUICK)

    methods = methods_of(tmp_path / "out")
    assert "1 worker gave 1 judgment of 1 item; " in methods
    assert "1 of 1 judged fewer than 10 items that have a gold." in methods
    assert "R-Acc" not in methods


def test_without_a_figure_of_labels_no_metric_is_explained(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{'ab'[(w + i) % 2]}" for w in range(3) for i in range(4)]

    analyse(write_rows(tmp_path / "j.csv", HEADER, rows), tmp_path / "out", *QUICK)

    assert "R-Acc" not in methods_of(tmp_path / "out")
