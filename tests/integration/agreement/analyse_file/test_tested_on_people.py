"""What models are told apart by: a figure that holds for other workers, alike wherever it is printed."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.integration.agreement.analyse_file.command import analyse, write_rows

QUICK = ("--replicates", "20")
LABELS = "abc"


def two_groups(folder: Path, *, raters: int = 8, items: int = 120) -> tuple[Path, list[str]]:
    """Five of eight raters label a quarter of the items otherwise than the rest, and each group has its model."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, items)
    groups = [np.where(rng.random(items) < 0.25, rng.integers(0, 3, items), truth) for _ in range(2)]
    rows = []
    for w in range(raters):
        answers = np.where(rng.random(items) < 0.1, rng.integers(0, 3, items), groups[w % 8 < 5])
        rows += [f"w{w},i{i},{LABELS[answer]}" for i, answer in enumerate(answers)]
    models = [
        str(write_rows(folder / f"{name}.csv", "item_id,label", [f"i{i},{LABELS[x]}" for i, x in enumerate(group)]))
        for name, group in zip(("few", "most"), groups, strict=True)
    ]
    return write_rows(folder / "j.csv", "worker_id,item_id,value", rows), models


def row_of(report: dict[str, Any], metric: str) -> dict[str, Any]:
    return next(row for row in report["comparisons"] if row["metric"] == metric)


def test_equal_models_are_told_apart_by_accuracy_for_these_workers_alone(tmp_path: Path) -> None:
    judgments, models = two_groups(tmp_path)
    report = analyse(judgments, tmp_path / "out", "--probe", *models, *QUICK)

    tested, accuracy = report["comparisons"][0], row_of(report, "accuracy")
    assert tested["metric"] == "people_who_agree"
    assert tested["over"] == "items and workers"
    assert tested["p"] > 0.05 > tested["gold_as_released"]["p"]
    assert tested["in_words"] == "no detectable difference between few and most"
    assert accuracy["p"] < 0.001
    assert accuracy["over"] == "items"
    assert accuracy["in_words"] == "few is below most, for these workers"
    assert "gold_as_released" not in accuracy
    [claim] = [one for one in report["claims"]["too_few"] if one["claim"].startswith("most above few")]
    assert "by share of people who agree" in claim["claim"]


def test_what_is_tested_is_the_share_of_people_who_agree(tmp_path: Path) -> None:
    judgments, models = two_groups(tmp_path)
    report = analyse(judgments, tmp_path / "out", "--probe", *models, *QUICK)

    answers = [line.split(",") for line in judgments.read_text().splitlines()[1:]]
    named = dict(line.split(",") for line in Path(models[0]).read_text().splitlines()[1:])
    score = next(row for row in report["scores"] if (row["probe"], row["metric"]) == ("few", "people_who_agree"))
    assert score["estimate"] == pytest.approx(np.mean([named[item] == label for _, item, label in answers]))
    assert score["over"] == "items and workers"
    left_out = report["ceiling"]["leave_one_out"]["other_metrics"]["people_who_agree"]
    given = {(who, item): label for who, item, label in answers}
    agree = [
        np.mean([given[f"w{u}", f"i{i}"] == given[f"w{w}", f"i{i}"] for i in range(120) for u in range(8) if u != w])
        for w in range(8)
    ]
    assert left_out["estimate"] == pytest.approx(np.mean(agree))


def test_one_comparison_has_one_p_wherever_it_is_printed(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    truth = rng.normal(50, 15, 60)
    rows = [f"w{w},i{i},{np.clip(truth[i] + rng.normal(0, 12), 0, 100):.0f}" for i in range(60) for w in range(7)]
    judgments = write_rows(tmp_path / "numbers.csv", "worker_id,item_id,value", rows)
    numbers = [
        str(
            write_rows(
                tmp_path / f"m{noise}.csv",
                "item_id,score",
                [f"i{i},{x + rng.normal(0, noise):.3f}" for i, x in enumerate(truth[: 59 if noise == 9 else 60])],
            )
        )
        for noise in (5, 9, 14, 30)  # one of them misses an item
    ]
    labels, models = two_groups(tmp_path)
    for crowd, probes in ((judgments, numbers), (labels, models)):
        report = analyse(crowd, tmp_path / crowd.stem, "--probe", *probes, "--also", "many-models", *QUICK)
        [part] = [part for part in report["further"] if part["analysis"] == "many-models"]
        [pairs] = [table for table in part["tables"] if table["name"] == "pairs-of-models"]
        titles = {"Spearman correlation": "spearman", "share of people who agree": "people_who_agree"}
        said = {
            (titles[row["metric"]], row["first"], row["second"]): row
            for row in pairs["rows"]
            if row["metric"] in titles
        }
        assert len(said) == (3 if crowd is judgments else 1)
        for row in report["comparisons"]:
            if beside := said.get((row["metric"], row["first"], row["second"])):
                assert beside["p"] == row["p_holm_all_pairs"]
                assert {key: beside["difference"][key] for key in ("low", "high")} == {
                    key: row[key] for key in ("low", "high")
                }
        assert "after Holm's correction over all pairs" in pairs["caption"]
        assert {row["metric"] for row in pairs["rows"]}.isdisjoint({"accuracy", "R-Acc", "macro F1"})


def test_where_accuracy_says_the_opposite_it_is_said(tmp_path: Path) -> None:
    """One model has 20 narrow majorities right, the other one 8 unanimous items."""
    rows, narrow, sure = [], [], []
    for i in range(28):
        votes = "aaabb" if i < 20 else "ccccc"
        rows += [f"w{w},i{i},{label}" for w, label in enumerate(votes)]
        narrow.append(f"i{i},{'a' if i < 20 else 'b'}")
        sure.append(f"i{i},{'b' if i < 20 else 'c'}")
    models = [
        str(write_rows(tmp_path / f"{name}.csv", "item_id,label", lines))
        for name, lines in (("narrow", narrow), ("sure", sure))
    ]
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows)
    report = analyse(judgments, tmp_path / "out", "--probe", *models, *QUICK)

    tested, accuracy = report["comparisons"][0], row_of(report, "accuracy")
    assert tested["estimate"] == pytest.approx((20 * 0.2 - 8) / 28)
    assert accuracy["estimate"] == pytest.approx(12 / 28)
    assert tested["other_way_by"] == ["accuracy"]
    said = "by accuracy it is the other way round between narrow and sure"
    assert tested["in_words"].endswith(said)
    assert said in (tmp_path / "out" / "methods-details.md").read_text()
    assert "other_way_by" not in accuracy


def test_labels_from_elsewhere_keep_their_own_test(tmp_path: Path) -> None:
    judgments, models = two_groups(tmp_path)
    reference = write_rows(tmp_path / "ref.csv", "item_id,reference", Path(models[1]).read_text().splitlines()[1:])
    report = analyse(judgments, tmp_path / "out", "--probe", *models, "--reference", str(reference), *QUICK)

    compared = report["against_reference"]["comparisons"]
    assert compared[0]["metric"] == "accuracy"
    assert "people_who_agree" not in {row["metric"] for row in compared}
    assert compared[0]["in_words"] == "few is below most"
