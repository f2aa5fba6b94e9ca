"""Models and references beside the crowd: scored, pinned to the release, and refused with everything else."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.integration.analyse_file.command import analyse, crossed, needs_shared_data, refused, shared, write_rows

HEADER = "worker_id,item_id,value"


def by_metric(scores: list[dict[str, Any]], probe: str) -> dict[str, float]:
    """A probe's estimates over all items."""
    whole = [score for score in scores if score["probe"] == probe and not score["breakdown"]]
    return {score["metric"]: score["estimate"] for score in whole}


@needs_shared_data
def test_the_crowd_of_word_pairs_against_miller_and_charles(tmp_path: Path) -> None:
    elsewhere = shared("snow-wordsim/miller-charles.csv")
    report = analyse(
        shared("snow-wordsim/judgments.csv"), tmp_path / "out", "--scale", "0:10", "--reference", str(elsewhere)
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
        return score["estimate"], score["low"], score["high"]

    for metric in ("spearman", "pearson", "kendall"):
        assert of(report["ceiling"]["reference"]["crowd"], metric) == pytest.approx(of(report["scores"], metric))


@needs_shared_data
def test_the_majority_of_rte_against_the_reference_with_half_credit_for_ties(tmp_path: Path) -> None:
    report = analyse(
        shared("snow-rte/judgments.csv"), tmp_path / "out", "--reference", str(shared("snow-rte/reference.csv"))
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
    (pair,) = report["comparisons"]
    assert (pair["first"], pair["second"], pair["metric"]) == ("good", "poor", "spearman")
    assert pair["p_holm_all_pairs"] is not None
    assert [entry["name"] for entry in report["inputs"]] == ["study.csv", "good.csv", "poor.csv"]
    assert "good" in (tmp_path / "out" / "methods.md").read_text(encoding="utf-8")


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
    assert "two files are named model" in reason


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
