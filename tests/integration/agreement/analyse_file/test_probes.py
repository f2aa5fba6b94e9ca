"""Models and references beside the crowd: scored, pinned to the release, and refused with everything else."""

from __future__ import annotations

import io
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from sklearn.metrics import f1_score

from tests.integration.agreement.analyse_file.command import analyse, crossed, published, refused, write_rows

HEADER = "worker_id,item_id,value"


def by_metric(scores: list[dict[str, Any]], probe: str) -> dict[str, float]:
    """A probe's estimates over all items, of the metrics that are defined."""
    own = [score for score in scores if score["probe"] == probe and not score["breakdown"]]
    whole = [score for score in own if "undefined" not in score]
    return {score["metric"]: score["estimate"] for score in whole}


def test_the_crowd_of_word_pairs_against_miller_and_charles(tmp_path: Path) -> None:
    elsewhere = published("snow-wordsim/miller-charles.csv")
    report = analyse(
        published("snow-wordsim/judgments.csv"), tmp_path / "out", "--scale", "0:10", "--reference", str(elsewhere)
    )

    reference = report["ceiling"]["reference"]
    figures = by_metric(reference["crowd"], "the crowd")
    assert (figures["pearson"], figures["spearman"]) == pytest.approx((0.9519, 0.9458), abs=5e-5)
    assert reference["items"] == 30
    assert 0.7 < reference["workers"]["low"] < reference["workers"]["estimate"] < 1


def test_the_crowd_and_a_probe_equal_to_the_reference_have_one_interval(tmp_path: Path) -> None:
    """Pairs share their terms, and the terms are left out with all their pairs on either side."""
    pairs = list(combinations("abcdefgh", 2))
    rows = [
        f"w{w},{a}{b},{(11 * i + 7 * w * (i % 3)) % 100},{a},{b}" for w in range(5) for i, (a, b) in enumerate(pairs)
    ]
    judgments = write_rows(tmp_path / "study.csv", f"{HEADER},left,right", rows)
    scores = [f"{a}{b},{(11 * i + 5 * (i % 4)) % 100}" for i, (a, b) in enumerate(pairs)]
    probe = write_rows(tmp_path / "probe.csv", "item_id,score", scores)
    elsewhere = write_rows(tmp_path / "ref.csv", "item_id,reference", scores)

    report = analyse(judgments, tmp_path / "out", "--probe", str(probe), "--reference", str(elsewhere))

    def of(scores: list[dict[str, Any]], metric: str) -> tuple[float, float, float]:
        [score] = [score for score in scores if score["metric"] == metric and not score["breakdown"]]
        limits = score.get("gold_as_released", score)  # against a reference people's answers aren't gold
        return score["estimate"], limits["low"], limits["high"]

    for metric in ("spearman", "pearson", "kendall"):
        assert of(report["ceiling"]["reference"]["crowd"], metric) == pytest.approx(of(report["scores"], metric))


def test_the_majority_of_rte_against_the_reference_with_half_credit_for_ties(tmp_path: Path) -> None:
    report = analyse(
        published("snow-rte/judgments.csv"), tmp_path / "out", "--reference", str(published("snow-rte/reference.csv"))
    )

    reference = report["ceiling"]["reference"]
    assert by_metric(reference["crowd"], "the crowd")["r_acc"] == pytest.approx(0.8969, abs=5e-5)
    assert reference["workers"]["estimate"] < 0.8969


def test_probes_are_scored_compared_and_pinned(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{3 * i + (w * i) % 4}" for w in range(5) for i in range(30)]
    judgments = write_rows(tmp_path / "study.csv", HEADER, rows)
    good = write_rows(tmp_path / "good.csv", "item_id,score", [f"i{i},{i + 2 * (i % 3)}" for i in range(30)])
    poor = write_rows(tmp_path / "poor.csv", "item_id,score", [f"i{i},{(17 * i) % 29}" for i in range(30)])

    report = analyse(judgments, tmp_path / "out", "--probe", str(good), str(poor))

    better, worse = (by_metric(report["scores"], probe)["spearman"] for probe in ("good", "poor"))
    assert better > worse
    assert [probe["release"] for probe in report["probes"]] == [report["release"]["sha256"]] * 2
    assert all(probe["coverage"]["is_full"] for probe in report["probes"])
    pairs = report["comparisons"]
    assert {(pair["first"], pair["second"]) for pair in pairs} == {("good", "poor")}
    assert [pair["metric"] for pair in pairs] == [
        "spearman",
        "pearson",
        "kendall",
        "rmse",
        "mae",
        "rmse_calibrated",
    ]
    assert all(pair["p_holm_all_pairs"] is not None for pair in pairs)
    for pair in pairs:
        gap = [by_metric(report["scores"], probe)[pair["metric"]] for probe in ("good", "poor")]
        assert pair["estimate"] == pytest.approx(gap[0] - gap[1], abs=1e-12)
    assert [entry["name"] for entry in report["inputs"]] == ["study.csv", "good.csv", "poor.csv"]
    assert "good" in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")


def test_bad_probes_and_references_are_refused_together(tmp_path: Path) -> None:
    judgments = write_rows(tmp_path / "study.csv", HEADER, crossed(3, 12))
    probe = write_rows(tmp_path / "probe.csv", "item_id,score", ["i0,1", "nowhere,2", "i1,much"])
    reference = write_rows(tmp_path / "ref.csv", "item_id,reference", ["i0,5", "i0,6", "i1,five"])

    reasons = refused(judgments, tmp_path / "out", "--probe", str(probe), "--reference", str(reference))

    assert sorted(reason.partition(":")[0] for reason in reasons) == [
        "probe.csv, row 3, column item_id",
        "probe.csv, row 4, column score",
        "ref.csv, row 3, column item_id",
        "ref.csv, row 4, column reference",
    ]


def test_what_a_reference_says_of_other_items_is_passed_over(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{'yes' if (w + i) % 3 else 'no'}" for w in range(3) for i in range(12)]
    more = [f"i{i},{'yes' if i % 2 else 'no'}" for i in range(12)] + ["elsewhere,maybe", "nowhere,"]
    reference = write_rows(tmp_path / "ref.csv", "item_id,reference", more)

    report = analyse(write_rows(tmp_path / "s.csv", HEADER, rows), tmp_path / "out", "--reference", str(reference))

    right = [(("yes" if (w + i) % 3 else "no") == ("yes" if i % 2 else "no")) for w in range(3) for i in range(12)]
    assert report["ceiling"]["reference"]["items"] == 12
    assert report["ceiling"]["reference"]["workers"]["estimate"] == pytest.approx(sum(right) / 36)


def yes_no(tmp_path: Path) -> Path:
    """Twelve items, half of them yes, by four workers who agree except for one."""
    rows = [f"w{w},i{i},{'yes' if (i % 2) != (w == 3 and i < 3) else 'no'}" for w in range(4) for i in range(12)]
    return write_rows(tmp_path / "study.csv", HEADER, rows)


def test_labels_that_no_worker_chose_count_as_wrong_and_are_listed(tmp_path: Path) -> None:
    extra = "None of the above"
    right = ["yes" if i % 2 else "no" for i in range(12)]
    given = [extra if i in (0, 4, 5) else label for i, label in enumerate(right)]
    probe = write_rows(tmp_path / "model.csv", "item_id,label", [f"i{i},{label}" for i, label in enumerate(given)])
    judgments = yes_no(tmp_path)
    alone = analyse(judgments, tmp_path / "alone")

    report = analyse(judgments, tmp_path / "out", "--probe", str(probe))

    figures = by_metric(report["scores"], "model")
    assert figures["accuracy"] == figures["r_acc"] == 9 / 12
    theirs = f1_score(right, given, labels=["no", "yes"], average="macro", zero_division=0)
    assert figures["f1_macro"] == pytest.approx(theirs)
    [about] = report["probes"]
    assert about["coverage"]["is_full"]
    assert [(one["label"], one["outputs"]) for one in about["other_labels"]] == [(extra, 3)]
    said = f"{extra} (3 outputs)"
    assert any(said in note for note in about["notes"])
    assert said in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert (report["labels"], report["agreement"], report["release"]) == (
        alone["labels"],
        alone["agreement"],
        alone["release"],
    )
    assert {score["chance"] for score in report["scores"] if score["metric"] == "accuracy"} == {0.5}


@pytest.mark.parametrize("layout", ["columns", "rows"])
def test_probability_on_other_labels_is_not_given_to_the_right_ones(tmp_path: Path, layout: str) -> None:
    """Another label that leads makes the answer wrong; one that doesn't only takes probability away."""
    right = ["yes" if i % 2 else "no" for i in range(12)]
    p = {i: (0.6 if i % 3 else 0.3) for i in range(12)}  # to the right label; the rest is on "maybe"
    if layout == "columns":
        rows = [f"i{i},{p[i] if i % 2 else 0},{0 if i % 2 else p[i]},{1 - p[i]}" for i in range(12)]
        probe = write_rows(tmp_path / "model.csv", "item_id,p:yes,p:no,p:maybe", rows)
    else:
        rows = [row for i in range(12) for row in (f"i{i},{right[i]},{p[i]}", f"i{i},maybe,{1 - p[i]}")]
        probe = write_rows(tmp_path / "model.csv", "item_id,label,probability", rows)

    report = analyse(yes_no(tmp_path), tmp_path / "out", "--probe", str(probe))

    figures = by_metric(report["scores"], "model")
    assert figures["accuracy"] == figures["r_acc"] == pytest.approx(8 / 12)
    assert figures["conf"] == pytest.approx(0.5)
    [about] = report["probes"]
    assert [(one["label"], one["outputs"]) for one in about["other_labels"]] == [("maybe", 12)]
    assert about["other_labels"][0]["probability"] == pytest.approx(6.0)
    assert any("maybe (12 outputs, 0.5 on average)" in note for note in about["notes"])


def test_a_set_with_another_label_earns_its_share(tmp_path: Path) -> None:
    labels = ["yes|maybe" if i % 2 else "no" for i in range(12)]
    probe = write_rows(tmp_path / "model.csv", "item_id,label", [f"i{i},{label}" for i, label in enumerate(labels)])

    report = analyse(yes_no(tmp_path), tmp_path / "out", "--probe", str(probe))

    assert by_metric(report["scores"], "model")["r_acc"] == pytest.approx((6 + 6 / 2) / 12)


def test_labels_for_a_slider_are_refused_once(tmp_path: Path) -> None:
    judgments = write_rows(tmp_path / "study.csv", HEADER, crossed(3, 12))
    probe = write_rows(tmp_path / "probe.csv", "item_id,label", [f"i{i},near" for i in range(12)])

    reasons = refused(judgments, tmp_path / "out", "--probe", str(probe))

    assert reasons == ["probe.csv: it gives labels, and a study of kind slider has none"]


def test_two_probes_of_one_name_are_refused(tmp_path: Path) -> None:
    judgments = write_rows(tmp_path / "study.csv", HEADER, crossed(3, 12))
    (tmp_path / "other").mkdir()
    paths = [write_rows(folder / "model.csv", "item_id,score", ["i0,1"]) for folder in (tmp_path, tmp_path / "other")]

    (reason,) = refused(judgments, tmp_path / "out", "--probe", *map(str, paths))
    assert "two models are named model" in reason


def test_the_items_own_references_are_used_where_no_file_is_given(tmp_path: Path) -> None:
    items = write_rows(
        tmp_path / "items.csv", "item_id,reference", [f"i{i},{'yes' if i % 2 else 'no'}" for i in range(12)]
    )
    rows = [f"w{w},i{i},{'yes' if i % 2 or (i + w) % 5 == 0 else 'no'}" for w in range(4) for i in range(12)]
    judgments = write_rows(tmp_path / "study.csv", HEADER, rows)

    report = analyse(judgments, tmp_path / "out", "--items", str(items))

    reference = report["ceiling"]["reference"]
    assert reference["source"] == "the items"
    right = [1.0 - sum((i + w) % 5 == 0 and not i % 2 for i in range(12)) / 12 for w in range(4)]
    assert reference["workers"]["estimate"] == pytest.approx(sum(right) / 4)


def test_references_that_can_not_be_used_are_told_in_words(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "items.csv", "item_id,reference", ["i0,maybe", "i1,no"])
    rows = [f"w{w},i{i},{'yes' if (w + i) % 2 else 'no'}" for w in range(3) for i in range(2)]

    report = analyse(write_rows(tmp_path / "study.csv", HEADER, rows), tmp_path / "out", "--items", str(items))

    assert "'maybe' is not made of the labels no, yes" in report["ceiling"]["reference"]["undefined"]


def test_labels_that_are_named_are_the_studys_even_where_no_worker_chose_them(tmp_path: Path) -> None:
    given = ["maybe" if i in (0, 4, 5) else "yes" if i % 2 else "no" for i in range(12)]
    probe = write_rows(tmp_path / "model.csv", "item_id,label", [f"i{i},{label}" for i, label in enumerate(given)])

    report = analyse(yes_no(tmp_path), tmp_path / "out", "--labels", "yes|no|maybe", "--probe", str(probe))

    [about] = report["probes"]
    assert "other_labels" not in about
    assert by_metric(report["scores"], "model")["accuracy"] == 9 / 12
    assert {score["chance"] for score in report["scores"] if score["metric"] == "accuracy"} == {1 / 3}


def test_items_of_gold_without_an_output_are_counted_and_named(tmp_path: Path) -> None:
    given = [f"i{i},{'yes' if i % 2 else 'no'}" for i in range(12)]
    probe = write_rows(tmp_path / "model.csv", "item_id,label", given[7:])
    reference = write_rows(tmp_path / "ref.csv", "item_id,reference", given)
    terminal, alone = io.StringIO(), io.StringIO()
    call_command("analyse_file", yes_no(tmp_path), "--probe", probe, "--out", tmp_path / "out", stdout=terminal)
    call_command("score_file", probe, "--reference", reference, "--out", tmp_path / "alone", stdout=alone)

    said = "7 of the 12 items of gold have no output (i0, i1, i2, i3, i4 and 2 others) and count as wrong where a score"
    assert f"model: {said}" in " ".join(terminal.getvalue().split())
    assert f"- note: {said}" in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    of_reference = "7 of the 12 items of the reference have no output (i0, i1, i2, i3, i4 and 2 others) and count"
    assert f"- model: {of_reference}" in alone.getvalue()
    assert of_reference in (tmp_path / "alone" / "methods.md").read_text(encoding="utf-8")


def test_items_without_a_number_are_said_to_be_left_out(tmp_path: Path) -> None:
    rows = [f"w{w},i{i},{3 * i + (w * i) % 4}" for w in range(5) for i in range(30)]
    judgments = write_rows(tmp_path / "study.csv", HEADER, rows)
    probe = write_rows(tmp_path / "model.csv", "item_id,score", [f"i{i},{i + 2 * (i % 3)}" for i in range(1, 30)])

    analyse(judgments, tmp_path / "out", "--probe", str(probe))

    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert "1 of the 30 items of gold has no output (i0) and is left out of its scores" in methods
