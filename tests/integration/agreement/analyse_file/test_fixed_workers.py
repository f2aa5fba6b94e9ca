"""Experts who are all the people in question: items alone are random, pairs come first, and every sentence says so."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.integration.agreement.analyse_file.command import analyse, write_rows
from tests.integration.agreement.analyse_file.test_claims import labelled, methods_of

QUICK = ("--replicates", "20")


def test_intervals_of_fixed_workers_are_over_items_and_pairs_come_first(tmp_path: Path) -> None:
    report = analyse(labelled(tmp_path, workers=4), tmp_path / "out", "--fixed-workers", *QUICK)

    assert report["fixed_workers"] is True
    cleaned = report["agreement"]["cleaned"]
    assert cleaned["first"] == "cohen_kappa"
    for figure in (cleaned["cohen_kappa"], cleaned["fleiss_kappa"], cleaned["krippendorff_alpha"]["nominal"]):
        assert figure["over"] == "items"
        assert "most_influential_worker" not in figure
    assert report["ceiling"]["leave_one_out"]["mean"]["over"] == "items"
    assert [part["analysis"] for part in report["further"]] == ["coefficients"]
    methods = methods_of(tmp_path / "out")
    assert "The 4 workers were declared to be all the people that these figures are of (fixed experts)" in methods
    assert "generalise to new items and new workers" not in methods
    assert methods.index("pairs of workers who share") < methods.index("- Cohen's kappa") < methods.index("- Fleiss'")


def test_fixed_workers_leave_models_over_items_and_say_for_whom(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(50, 15, 40)
    rows = [f"w{w},i{i},{np.clip(truth[i] + rng.normal(0, 8), 0, 100):.0f}" for i in range(40) for w in range(5)]
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows)
    probes = [
        str(
            write_rows(
                tmp_path / f"{name}.csv",
                "item_id,score",
                [f"i{i},{x + rng.normal(0, noise):.3f}" for i, x in enumerate(truth)],
            )
        )
        for name, noise in (("near", 3), ("far", 30))
    ]

    fixed = analyse(judgments, tmp_path / "fixed", "--fixed-workers", "--probe", *probes, *QUICK)
    sampled = analyse(judgments, tmp_path / "sampled", "--probe", *probes, *QUICK)

    assert {score["over"] for score in fixed["scores"] if score.get("low") is not None} == {"items"}
    assert fixed["comparisons"][0]["in_words"] == "near is above far, for these workers"
    assert sampled["comparisons"][0]["over"] == "items and workers"
    assert sampled["comparisons"][0]["in_words"] == "near is above far"
    assert fixed["comparisons"][0]["p"] == sampled["comparisons"][0]["gold_as_released"]["p"]
    assert fixed["ceiling"]["pairwise"]["over"] == "items"
    width = {name: one["ceiling"]["upper_bound"] for name, one in (("fixed", fixed), ("sampled", sampled))}
    assert width["fixed"]["high"] - width["fixed"]["low"] < width["sampled"]["high"] - width["sampled"]["low"]
