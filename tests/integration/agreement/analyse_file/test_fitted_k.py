"""People's k in report.json and methods.md, from the items of make_scenes and verdicts with a known k."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import analyse, read_rows, write_rows

K, SD = 0.45, 0.08  # not those of the literature, so that it can't be they that are printed


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("scenes") / "made"
    call_command("make_scenes", task="SET+POS", n=240, seed=3, out=out, without_pictures=True, stdout=io.StringIO())
    return out / "items.csv"


def _judged(items: Path, out: Path, labels: tuple[str, str] = ("true", "false")) -> Path:
    """Twelve people on every item; each verdict has a k of its own."""
    rng = np.random.default_rng(4)
    rows = []
    for item in read_rows(items):
        area, high, low = (float(item[name]) for name in ("area", "set_max", "set_min"))
        big = area > high - rng.normal(K, SD, 12) * (high - low)
        verdicts = big == (item["says"] == "big")
        rows += [f"w{w},{item['item_id']},{labels[0 if true else 1]}" for w, true in enumerate(verdicts)]
    return write_rows(out / "judgments.csv", "worker_id,item_id,value", rows)


def test_k_of_people_stands_with_its_interval_beside_the_literature(made: Path, tmp_path: Path) -> None:
    report = analyse(_judged(made, tmp_path), tmp_path / "out", "--items", str(made), "--kind", "verify")

    found = report["size_threshold"]
    assert found["k"]["low"] < K < found["k"]["high"]
    assert found["k"]["high"] - found["k"]["low"] < 0.05
    assert found["sd"]["low"] < SD < found["sd"]["high"]
    assert found["verdicts"] == 240 * 12
    assert 0 < found["informative"] < found["verdicts"]
    assert found["literature"]["k"] == 0.29
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    k = found["k"]
    assert f"People's k has the mean {k['estimate']:.3f} ({k['low']:.3f} to {k['high']:.3f})" in methods
    assert "in the literature it is 0.29 and 0.066" in methods


def test_items_without_sizes_have_no_threshold(made: Path, tmp_path: Path) -> None:
    report = analyse(_judged(made, tmp_path), tmp_path / "out", "--kind", "verify")

    assert "size_threshold" not in report
    assert "threshold" not in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")


def test_superlatives_and_cells_that_are_no_numbers_have_no_threshold(made: Path, tmp_path: Path) -> None:
    rows = read_rows(made)
    for at, row in enumerate(rows):
        row.update({"task": "SUP1"} if at % 2 else {"area": "large"})
    items = tmp_path / "items.csv"
    with items.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)

    report = analyse(_judged(made, tmp_path), tmp_path / "out", "--items", str(items), "--kind", "verify")

    assert report["size_threshold"] == {
        "undefined": "no judged item has numbers in area, set_max, set_min and big or small in says"
    }
    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert "No threshold was fitted to the verdicts on size: no judged item has numbers" in methods


def test_labels_that_are_not_true_and_false_are_said(made: Path, tmp_path: Path) -> None:
    judgments = _judged(made, tmp_path, ("yes", "no"))
    without = tmp_path / "items.csv"
    rows = read_rows(made)
    columns = ["item_id", "says", "area", "set_max", "set_min"]
    write_rows(without, ",".join(columns), [",".join(row[name] for name in columns) for row in rows])

    report = analyse(judgments, tmp_path / "out", "--items", str(without), "--kind", "verify")

    assert "verdicts are read from the labels true and false" in report["size_threshold"]["undefined"]


def test_verdicts_that_a_sharp_threshold_parts_have_a_range_and_no_interval(made: Path, tmp_path: Path) -> None:
    rows = [row for row in read_rows(made) if row["says"] == "big"]
    judged = [f"w{w},{row['item_id']},{row['reference']}" for row in rows for w in range(3) if row["at_k_29"] == "same"]
    judgments = write_rows(tmp_path / "judgments.csv", "worker_id,item_id,value", judged)

    analyse(judgments, tmp_path / "out", "--items", str(made), "--kind", "verify")

    methods = (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
    assert "The two limits are the ends of the range of k that separates the verdicts without an error" in methods
