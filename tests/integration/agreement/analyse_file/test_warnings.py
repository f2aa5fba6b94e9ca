"""What a careful colleague would say: each warning in report.json, in methods.md and on the terminal alike."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from django.core.management import call_command

from agreement.report.cleaning_report import notices
from agreement.report.report import read_report
from annotation.management.commands.analyse_file import Command
from tests.integration.agreement.analyse_file.command import needs_shared_data, read_rows, refused, shared, write_rows

HEADER = "worker_id,item_id,value"
LIKERT = ["never", "rarely", "sometimes", "often", "always"]


def numbers(tmp_path: Path, of: Any, *, workers: int = 6, items: int = 40) -> Path:
    """A slider study; `of` makes worker w's answer to an item of true value t with noise e."""
    rng = np.random.default_rng(5)
    truth = rng.uniform(20, 80, items)
    rows = []
    for i in range(items):
        noise = rng.normal(0, 8, workers)
        rows += [f"w{w},i{i},{of(w, truth[i], noise):.2f}" for w in range(workers)]
    return write_rows(tmp_path / "study.csv", HEADER, rows)


def warned(judgments: Path, out: Path, *options: str) -> dict[str, list[str]]:
    """The warnings by code, held to be the same in all three places, and the last thing in the report."""
    terminal = io.StringIO()
    call_command("analyse_file", judgments, "--out", out, "--replicates", "20", *options, stdout=terminal)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    methods = (out / "methods-details.md").read_text(encoding="utf-8")
    assert list(report)[-3:] == ["warnings", "verdict", "version"]
    found: dict[str, list[str]] = {}
    for warning in report["warnings"]:
        assert f"Warning: {warning['text']}" in methods
        assert warning["text"] in " ".join(terminal.getvalue().split())
        assert warning["text"] in notices(read_report(report))
        found.setdefault(warning["code"], []).append(warning["text"])
    return found


def test_nothing_is_said_of_a_plain_crowd(tmp_path: Path) -> None:
    judgments = numbers(tmp_path, lambda w, t, e: np.clip(t + e[w], 0, 100))

    assert warned(judgments, tmp_path / "out") == {}


def test_a_reversed_worker_is_named(tmp_path: Path) -> None:
    judgments = numbers(tmp_path, lambda w, t, e: (100 - t if w == 4 else t) + e[w] / 4)

    [text] = warned(judgments, tmp_path / "out")["reversed-worker"]

    assert "w4 (-0.9" in text
    assert "w3" not in text


def test_a_worker_who_follows_nobody_is_named(tmp_path: Path) -> None:
    judgments = numbers(tmp_path, lambda w, t, e: np.clip(50 + 3 * e[w] if w == 2 else t + e[w], 0, 100), items=150)

    found = warned(judgments, tmp_path / "out")

    assert list(found) == ["unlike-the-others"]
    assert ": w2 (" in found["unlike-the-others"][0]


@needs_shared_data
def test_the_one_of_ten_annotators_of_reviews_who_differs_is_named(tmp_path: Path) -> None:
    found = warned(shared("alt-test/numbers/judgments.csv"), tmp_path / "out", "--scale", "1:5")

    assert ": w40 (-0.08 over 240 items)" in found["unlike-the-others"][0]
    assert list(found) == ["unlike-the-others"]


def test_a_reversed_worker_on_two_labels_is_named(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{'yes' if (i % 2) != (w == 4) else 'no'}" for w in range(5) for i in range(24)]
    rows[0] = "w0,i0,yes"

    [text] = warned(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out")["reversed-worker"]

    assert "w4 (-" in text


@pytest.mark.parametrize("different", [0, 2])
def test_accounts_with_the_same_answers_are_named_and_nearly_the_same(tmp_path: Path, different: int) -> None:
    judgments = numbers(tmp_path, lambda w, t, e: t + e[4 if w == 5 else w])
    lines = judgments.read_text().splitlines()
    own = [at for at, line in enumerate(lines) if line.startswith("w5,")][:different]
    for k, at in enumerate(own):
        lines[at] = f"w5,i{k},1"
    judgments.write_text("\n".join(lines) + "\n")

    [text] = warned(judgments, tmp_path / "out")["identical-accounts"]

    assert f"Workers w4 and w5 gave the same answers to {40 - different} of 40 items" in text


def test_easy_questions_and_a_common_label_are_no_copying(tmp_path: Path) -> None:
    """Nine of ten agree on nearly all, one clicks anywhere; and 97 % of the answers are one label."""
    rng = np.random.default_rng(8)
    easy = [
        f"w{w},i{i},{'ab'[(i % 2) ^ int(rng.random() < (0.5 if w == 9 else 0.02))]}"
        for i in range(60)
        for w in range(10)
    ]
    common = [f"w{w},i{i},{'pos' if rng.random() < 0.03 else 'neg'}" for i in range(200) for w in range(8)]

    assert "identical-accounts" not in warned(write_rows(tmp_path / "e.csv", HEADER, easy), tmp_path / "easy")
    assert "identical-accounts" not in warned(write_rows(tmp_path / "c.csv", HEADER, common), tmp_path / "common")


def test_copied_labels_are_named(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    answers = rng.integers(0, 4, (8, 40))
    answers[6] = answers[2]
    rows = [f"w{w},i{i},{'abcd'[answers[w, i]]}" for w in range(8) for i in range(40)]

    [text] = warned(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out")["identical-accounts"]

    assert "Workers w2 and w6 gave the same answers to 40 of 40" in text


@pytest.mark.parametrize(
    ("of", "who"),
    [
        (lambda w, t, e: 1 + round((t + e[w]) / 25, 1) if w == 3 else t + e[w], "w3 (1 to "),
        (lambda w, t, e: t + e[w] / 9 if w == 2 else 1 + t / 25 + e[w] / 99, "w2 ("),
        (lambda w, t, e: 85 + t / 6 if w == 1 else t / 2 + e[w] / 4, "w1 (8"),
    ],
    ids=["a tenth of the range", "ten times the range", "another range"],
)
def test_another_scale_is_named(tmp_path: Path, of: Any, who: str) -> None:
    [text] = warned(numbers(tmp_path, of), tmp_path / "out", "--scale=-20:120")["mixed-scales"]

    assert who in text
    assert text.count("where the others' means go from") == 1


@pytest.mark.parametrize("place", [50, 70, 0.7, 90])
def test_somebody_who_never_moves_the_slider_is_on_no_other_scale(tmp_path: Path, place: float) -> None:
    judgments = numbers(tmp_path, lambda w, t, e: place if w == 3 else np.clip(t + e[w], 0, 100), workers=10)

    assert "mixed-scales" not in warned(judgments, tmp_path / "out", "--scale=0:100")


def test_labels_that_differ_in_capitals_are_named(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{['Yes', 'yes', 'YES', 'no'][(w + i) % 4]}" for w in range(3) for i in range(12)]

    [text] = warned(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out")["labels-alike"]

    assert "YES, Yes and yes are counted as 3 different labels" in text


def test_one_item_only_is_said(tmp_path: Path) -> None:
    rows = [f"w{w},i0,{'ab'[w % 2]}" for w in range(12)]

    assert "one-item" in warned(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out")


def likert(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    truth = rng.uniform(0, 5, 40)
    rows = [
        f"w{w},i{i},{LIKERT[int(np.clip(truth[i] + rng.normal(0, 0.7), 0, 4))]}" for i in range(40) for w in range(5)
    ]
    return write_rows(tmp_path / "likert.csv", HEADER, rows)


def test_an_order_that_is_not_used_is_said_and_ordered_uses_it(tmp_path: Path) -> None:
    judgments = likert(tmp_path)
    [text] = warned(judgments, tmp_path / "plain")["unused-order"]
    assert "--labels 'never|rarely|sometimes|often|always' --ordered" in text

    options = ("--labels", "|".join(LIKERT), "--ordered")
    assert "unused-order" not in warned(judgments, tmp_path / "out", *options)

    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    cleaned = report["agreement"]["cleaned"]
    table = [
        [LIKERT.index(row["value"]) for row in read_rows(judgments) if row["worker_id"] == f"w{w}"] for w in range(5)
    ]
    theirs = krippendorff.alpha(np.array(table, dtype=float), level_of_measurement="ordinal")
    assert cleaned["krippendorff_alpha"]["ordinal"]["estimate"] == pytest.approx(theirs, abs=1e-12)
    assert cleaned["krippendorff_alpha"]["ordinal"]["low"] is not None
    assert cleaned["krippendorff_alpha"]["nominal"]["estimate"] < theirs
    assert set(cleaned["weighted_kappa"]) == {"linear", "quadratic"}
    assert "mean over 10 pairs of workers" in cleaned["weighted_kappa"]["linear"]["method"]
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert "Krippendorff's alpha (ordinal)" in methods
    assert "Cohen's kappa, quadratic weights, mean over 10 pairs" in methods


def test_ordered_needs_labels_and_one_label_an_answer(tmp_path: Path) -> None:
    [why] = refused(likert(tmp_path), tmp_path / "out", "--ordered")
    assert why.startswith("--ordered: name the labels in their order too")


def test_a_scale_below_zero_may_follow_its_option(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{i % 11 - 5}" for w in range(3) for i in range(20)]
    judgments, out = write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out"

    Command(stdout=io.StringIO()).run_from_argv(
        ["manage.py", "analyse_file", str(judgments), "--scale", "-5:5", "--out", str(out), "--replicates", "20"]
    )

    assert json.loads((out / "report.json").read_text(encoding="utf-8"))["scale"] == {"low": -5.0, "high": 5.0}
