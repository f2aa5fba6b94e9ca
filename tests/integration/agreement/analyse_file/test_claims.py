"""What methods.md claims, held against its report.json: over what an interval is, what was checked, who was tested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from agreement.gold import annotator_models
from tests.integration.agreement.analyse_file.command import analyse, read_rows, write_rows

HEADER = "worker_id,item_id,value"
QUICK = ("--replicates", "50")


def methods_of(out: Path) -> str:
    return (out / "methods-details.md").read_text(encoding="utf-8")


def labelled(tmp_path: Path, *, workers: int = 5, items: int = 40) -> Path:
    """Three labels, a fifth of the answers at random."""
    rng = np.random.default_rng(4)
    rows = []
    for i in range(items):
        answers = np.where(rng.random(workers) < 0.2, rng.integers(0, 3, workers), i % 3)
        rows += [f"w{w},i{i},{'abc'[answer]}" for w, answer in enumerate(answers)]
    return write_rows(tmp_path / "labelled.csv", HEADER, rows)


def model(tmp_path: Path, name: str, *, wrong: int, items: int = 40) -> str:
    rows = [f"i{i},{'abc'[(i + (i % wrong == 0)) % 3]}" for i in range(items)]
    return str(write_rows(tmp_path / f"{name}.csv", "item_id,label", rows))


def test_each_group_says_once_over_what_its_intervals_are(tmp_path: Path) -> None:
    judgments = labelled(tmp_path)
    reference = write_rows(tmp_path / "ref.csv", "item_id,reference", [f"i{i},{'abc'[i % 3]}" for i in range(40)])

    options = ("--probe", model(tmp_path, "gpt", wrong=4), "--reference", str(reference), *QUICK)
    report = analyse(judgments, tmp_path / "out", *options)

    methods = methods_of(tmp_path / "out")
    assert "Unless said otherwise" not in methods
    assert report["scores"][0]["over"] == "items and workers"
    assert report["scores"][0]["gold_as_released"]["method"].endswith("gold as released")
    assert "over items, with gold and reference held fixed, for these workers" in methods
    two_way = "The intervals (95 %) are over items and workers: they generalise to new items and new workers."
    of_both = "The intervals (95 %) over items and workers generalise to new items and new workers; those over items,"
    assert f"gpt covers 40 of 40 items of gold. {of_both} with gold held fixed, are for these workers." in methods
    [tested] = [line for line in methods.splitlines() if line.startswith("- share of people who agree: ")]
    assert "; over items alone, with gold held fixed, 0." in tested
    assert tested.endswith(", over items and workers")
    *_, accuracy = (line for line in methods.splitlines() if line.startswith("- accuracy: "))
    assert accuracy.endswith("), over items, for these workers")
    assert methods.count(two_way) == 2  # agreement, and a person against the others
    assert report["agreement"]["cleaned"]["fleiss_kappa"]["over"] == "items and workers"


def test_two_annotators_have_cohens_kappa_and_intervals_for_themselves(tmp_path: Path) -> None:
    judgments = labelled(tmp_path, workers=2)

    report = analyse(judgments, tmp_path / "out", *QUICK)

    sides = [[row["value"] for row in read_rows(judgments) if row["worker_id"] == who] for who in ("w0", "w1")]
    kappa = report["agreement"]["cleaned"]["cohen_kappa"]
    assert kappa["estimate"] == pytest.approx(cohen_kappa_score(*sides), abs=1e-12)
    assert kappa["low"] < kappa["estimate"] < kappa["high"]
    methods = methods_of(tmp_path / "out")
    assert "- Cohen's kappa: " in methods
    assert "undefined" not in methods
    assert "Agreement. The intervals (95 %) are over items, for these workers." in methods


def test_a_person_is_scored_in_a_sentence(tmp_path: Path) -> None:
    analyse(labelled(tmp_path), tmp_path / "out", *QUICK)

    methods = methods_of(tmp_path / "out")
    assert "By macro F1 a person has 0." in methods
    assert "no interval asked for" not in methods
    assert "(no interval: mean over workers" not in methods


def test_paired_tests_between_models_reach_the_paragraph(tmp_path: Path) -> None:
    probes = [model(tmp_path, name, wrong=wrong) for name, wrong in (("good", 20), ("middling", 4), ("poor", 2))]

    report = analyse(labelled(tmp_path), tmp_path / "out", "--probe", *probes, *QUICK)

    methods = methods_of(tmp_path / "out")
    pair = next(pair for pair in report["comparisons"] if (pair["first"], pair["second"]) == ("good", "poor"))
    limits = f"({pair['low']:.3f} to {pair['high']:.3f}), p "
    assert f"- good less poor, share of people who agree: {pair['estimate']:.3f} {limits}" in methods
    metrics = [
        "people_who_agree",
        "accuracy",
        "r_acc",
        "top_1_of_shares",
        "f1_macro",
        "precision_macro",
        "recall_macro",
    ]
    assert list(dict.fromkeys(pair["metric"] for pair in report["comparisons"])) == metrics
    assert methods.count("(after Holm ") == 3 * len(metrics)
    assert "- good less poor, macro recall: " in methods
    assert pair["over"] == "items and workers"
    assert pair["gold_as_released"]["p"] is not None
    assert "; over items alone, with gold held fixed, p " in methods
    [said_over] = [line for line in methods.splitlines() if line.startswith("Paired tests")]
    assert said_over.endswith("over items and workers: they generalise to new items and new workers.")
    for_these = (
        "The same for these workers alone, which says nothing of people in general. The intervals (95 %) are over items"
    )
    assert methods.index("- good less poor, share of") < methods.index(for_these) < methods.index("- good less poor, a")
    assert "Paired tests between models; p is two-sided and corrected by Holm over all pairs of a metric." in methods


def test_cross_checks_are_claimed_for_what_they_cover(tmp_path: Path) -> None:
    report = analyse(labelled(tmp_path), tmp_path / "labels", *QUICK)
    compared = {one["statistic"] for one in report["agreement"]["cleaned"]["double_entry"]["comparisons"]}
    assert compared == {"fleiss_kappa", "krippendorff_alpha.nominal"}
    assert "These estimates were cross-checked: Fleiss' kappa with statsmodels" in methods_of(tmp_path / "labels")
    assert "Krippendorff's alpha (nominal) with krippendorff" in methods_of(tmp_path / "labels")

    texts = write_rows(tmp_path / "texts.csv", HEADER, [f"w{w},i{i},a text {w}" for w in range(3) for i in range(5)])
    analyse(texts, tmp_path / "texts", "--kind", "text", *QUICK)
    methods = methods_of(tmp_path / "texts")
    assert "recomputed" not in methods
    assert "People's texts, each held against the other texts of its item (leave-one-out, 2.0 of them" in methods
    assert methods.count("undefined") == 1  # one sentence on agreement, which free texts don't have


def swapped(tmp_path: Path) -> Path:
    """Careful workers who say No where others say Yes, and Unsure rarely: the class Unsure becomes "contested"."""
    rng = np.random.default_rng(6)
    rows = []
    for i in range(120):
        p = [(0.95, 0.04, 0.01), (0.04, 0.95, 0.01), (0.62, 0.28, 0.10)][i % 3]
        rows += [f"w{w},i{i},{rng.choice(['No', 'Yes', 'Unsure'], p=p)}" for w in rng.choice(30, 15, replace=False)]
    return write_rows(tmp_path / "swapped.csv", HEADER, rows)


def test_classes_that_swapped_meaning_print_no_label(tmp_path: Path) -> None:
    report = analyse(swapped(tmp_path), tmp_path / "out", *QUICK)

    [warning] = [one for one in report["warnings"] if one["code"] == "swapped-classes"]
    assert "items of the class Unsure were mostly labelled No" in warning["text"]
    gold = read_rows(tmp_path / "out" / "gold.csv")
    assert {(row["dawid_skene"], row["dawid_skene_p"]) for row in gold} == {("", "")}
    assert all(row["mace"] and row["label"] for row in gold)
    assert {row["dawid_skene_accuracy"] for row in read_rows(tmp_path / "out" / "workers.csv")} == {""}


def test_annotators_are_modelled_once_for_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crowds = []

    def in_order(*args: Any) -> Any:
        crowds.append(len(args[0]))
        return by_their_answers(*args)

    by_their_answers = annotator_models._by_their_answers
    monkeypatch.setattr(annotator_models, "_by_their_answers", in_order)
    analyse(labelled(tmp_path), tmp_path / "out", *QUICK)

    assert len(crowds) == 1
    assert all(row["mace_accuracy"] for row in read_rows(tmp_path / "out" / "workers.csv"))


def test_classes_that_kept_their_meaning_print_labels(tmp_path: Path) -> None:
    report = analyse(labelled(tmp_path), tmp_path / "out", *QUICK)

    assert report["warnings"] == []
    assert all(row["dawid_skene"] for row in read_rows(tmp_path / "out" / "gold.csv"))


def test_kappa_of_few_steps_is_called_so_with_its_steps(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    steps = rng.integers(1, 7, 40)
    answers = [(w, i, min(max(int(steps[i] + rng.integers(-1, 2)), 1), 6)) for i in range(40) for w in range(5)]
    judgments = write_rows(tmp_path / "steps.csv", HEADER, [f"w{w},i{i},{x}" for w, i, x in answers])

    report = analyse(judgments, tmp_path / "out", "--scale", "1:6", *QUICK)

    assert "- Fleiss' kappa of the answers' steps (1, 2, 3, 4, 5, 6): " in methods_of(tmp_path / "out")
    assert "- two answers to an item are the same in " in methods_of(tmp_path / "out")
    assert report["agreement"]["cleaned"]["fleiss_kappa"]["steps"] == [1, 2, 3, 4, 5, 6]
