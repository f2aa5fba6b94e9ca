"""The figures that others published for public crowds, through the command itself."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.integration.agreement.analyse_file.command import (
    analyse,
    needs_shared_data,
    published,
    read_rows,
    shared,
    write_rows,
)

COLOURS = ("black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "white", "yellow")


def test_fleiss_1971_gives_the_published_kappa(tmp_path: Path) -> None:
    report = analyse(published("fleiss1971/judgments.csv"), tmp_path / "out")

    kappa = report["agreement"]["raw"]["fleiss_kappa"]
    assert kappa["estimate"] == pytest.approx(0.4302, abs=5e-5)
    assert kappa["low"] < kappa["estimate"] < kappa["high"]
    assert report["counts"]["workers"] == 6
    assert report["counts"]["items"] == 30


def test_krippendorff_c_gives_alpha_at_all_four_levels(tmp_path: Path) -> None:
    report = analyse(published("krippendorff-c/judgments.csv"), tmp_path / "out", "--scale", "1:5")

    alphas = report["agreement"]["raw"]["krippendorff_alpha"]
    expected = {"nominal": 0.7434, "ordinal": 0.8154, "interval": 0.8491, "ratio": 0.7974}
    assert {level: alphas[level]["estimate"] for level in expected} == pytest.approx(expected, abs=5e-5)


def test_snow_wordsim_gives_alpha_and_means_that_match_miller_and_charles(tmp_path: Path) -> None:
    report = analyse(published("snow-wordsim/judgments.csv"), tmp_path / "out", "--scale", "0:10")

    assert report["agreement"]["raw"]["krippendorff_alpha"]["interval"]["estimate"] == pytest.approx(0.6701, abs=5e-5)
    gold = {row["item_id"]: float(row["mean"]) for row in read_rows(tmp_path / "out" / "gold.csv")}
    theirs = {row["item_id"]: float(row["score"]) for row in read_rows(published("snow-wordsim/miller-charles.csv"))}
    assert gold.keys() == theirs.keys()
    pairs = np.array([(gold[item], theirs[item]) for item in gold])
    assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(0.9519, abs=5e-5)
    ranks = np.apply_along_axis(_average_ranks, 0, pairs)
    assert np.corrcoef(ranks.T)[0, 1] == pytest.approx(0.9458, abs=5e-5)


def _average_ranks(values: np.ndarray) -> np.ndarray:
    return np.array([(values < value).sum() + ((values == value).sum() + 1) / 2 for value in values])


def test_left_and_right_of_a_word_pair_stand_in_gold(tmp_path: Path) -> None:
    rows = read_rows(published("snow-wordsim/judgments.csv"))
    named = [f"{row['worker_id']},{row['item_id']},{row['value']},{row['item_id'].replace('-', ',')}" for row in rows]
    judgments = write_rows(tmp_path / "pairs.csv", "worker_id,item_id,value,left,right", named)

    analyse(judgments, tmp_path / "out", "--scale", "0:10")

    gold = read_rows(tmp_path / "out" / "gold.csv")
    assert list(gold[0])[:9] == ["item_id", "left", "right", "mean", "median", "sd", "n", "ci_low", "ci_high"]
    assert {(row["left"], row["right"]) for row in gold} >= {("boy", "lad"), ("coast", "shore")}


def test_snow_rte_gives_kappa_and_the_majority_with_its_ties(tmp_path: Path) -> None:
    report = analyse(published("snow-rte/judgments.csv"), tmp_path / "out")

    assert report["agreement"]["raw"]["fleiss_kappa"]["estimate"] == pytest.approx(0.2414, abs=5e-5)
    gold = read_rows(tmp_path / "out" / "gold.csv")
    assert sum(row["tied"] == "1" for row in gold) == 65
    assert {row["label"] for row in gold if row["tied"] == "1"} == {"no|yes"}
    reference = {row["item_id"]: row["reference"] for row in read_rows(published("snow-rte/reference.csv"))}
    half_credit = [0.5 if row["tied"] == "1" else float(row["label"] == reference[row["item_id"]]) for row in gold]
    assert np.mean(half_credit) == pytest.approx(0.8969, abs=5e-5)


@needs_shared_data
def test_coda_drops_fifteen_rows_and_gives_leave_one_out_tau(tmp_path: Path) -> None:
    judgments = _coda_as_sliders(tmp_path / "coda.csv")

    report = analyse(judgments, tmp_path / "out", "--scale", "0:5", "--rules", "coda-2021")

    assert report["counts"]["judgments"] == 2825
    assert report["counts"]["judgments_kept"] == 2825 - 15
    assert report["counts"]["workers"] == report["counts"]["workers_kept"] == 113
    left_out = report["ceiling"]["leave_one_out"]
    assert left_out["metric"] == "kendall"
    assert left_out["mean"]["estimate"] == pytest.approx(0.551, abs=5e-4)
    assert report["cleaning"]["selects_on_outcome"]


def _coda_as_sliders(path: Path) -> Path:
    """CoDa's own layout, a column a colour, as judgments of kind sliders."""
    rows = [row for row in read_rows(shared("coda/annotations.csv")) if row["included"] == "True"]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["worker_id", "item_id", "response_ms", *(f"v:{colour}" for colour in COLOURS)])
        for row in rows:
            writer.writerow([row["worker_id"], row["object_id"], row["response_ms"], *(row[c] for c in COLOURS)])
    return path
