"""Splits and summaries of items files."""

import io
import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import needs_shared_data, read_rows, shared, write_rows


def run(command: str, *given: object) -> dict[str, Any]:
    said = io.StringIO()
    call_command(command, *map(str, given), "--json", stdout=said)
    answer: dict[str, Any] = json.loads(said.getvalue())
    return answer


def pairs(folder: Path, n: int = 50) -> Path:
    """So many pairs, each with its complement."""
    rows = [
        f"p{at}-{side},{a},{b},larger" for at in range(n) for side, a, b in ((0, f"a{at}", "b"), (1, "b", f"a{at}"))
    ]
    return write_rows(folder / "items.csv", "item_id,object,other,reference", rows)


def test_a_pair_and_its_complement_fall_into_one_part(tmp_path: Path) -> None:
    answer = run("split_items", pairs(tmp_path), "--out", tmp_path / "parts.csv", "--seed", 4)

    assert answer["parts"] == {"train": 20, "dev": 10, "test": 70}
    parts = defaultdict(set)
    for row in read_rows(tmp_path / "parts.csv"):
        parts[frozenset((row["object"], row["other"]))].add(row["split"])
    assert all(len(of) == 1 for of in parts.values())


def test_rows_without_pairs_are_parted_one_by_one_and_by_the_seed(tmp_path: Path) -> None:
    items = write_rows(tmp_path / "items.csv", "item_id,object", [f"o{at},thing {at}" for at in range(101)])
    found = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        run("split_items", items, "--out", tmp_path / f"{name}.csv", "--shares", "50:25:25", "--seed", seed)
        found.append([row["split"] for row in read_rows(tmp_path / f"{name}.csv")])
    assert found[0] == found[1] != found[2]
    assert Counter(found[0]) == {"train": 50, "dev": 25, "test": 26}


@pytest.mark.parametrize("shares", ["20:10:60", "20:80", "a:b:c", "-10:40:70"])
def test_shares_that_do_not_sum_to_100_are_refused(
    shares: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("split_items", pairs(tmp_path), "--out", tmp_path / "parts.csv", f"--shares={shares}")
    assert "20:10:70" in capsys.readouterr().err
    assert not (tmp_path / "parts.csv").exists()


def test_a_summary_counts_things_labels_and_labels_per_item(tmp_path: Path) -> None:
    rows = ["i1,a,b,x,above|below", "i2,b,a,x,above", "i3,c,b,y,below", "i4,d,b,y,"]
    items = write_rows(tmp_path / "items.csv", "item_id,object,other,scene,reference", rows)

    whole, x, y = run("summarise_items", items, "--by", "scene")["groups"]

    assert (whole["instances"], whole["things"], whole["classes"], whole["most"]) == (3, 3, 2, 2)
    assert whole["labels"] == {"above": 2, "below": 2}
    assert (whole["mean"], whole["sd"]) == (pytest.approx(4 / 3), pytest.approx(0.5774, abs=1e-4))
    assert (x["group"], x["instances"], y["group"], y["sd"]) == ("x", 2, "y", None)


def test_a_summary_without_references_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("summarise_items", write_rows(tmp_path / "items.csv", "item_id,object", ["i1,a"]))
    assert "items.csv: the column reference is missing" in capsys.readouterr().err


@needs_shared_data
@pytest.mark.parametrize(
    ("name", "things", "instances", "mean", "sd", "most"),
    [
        ("color", 10_600, 10_600, 2.384, 1.372, 7),
        ("spatial", 309, 5_256, 1.283, 0.451, 2),
        ("size", 1_671, 34_476, 1.0, 0.0, 1),
    ],
)
def test_viphys_summary_has_the_known_figures(
    name: str, things: int, instances: int, mean: float, sd: float, most: int, tmp_path: Path
) -> None:
    rows = [row for part in ("val", "test") for row in read_rows(shared(f"viphy/{name}-{part}.csv"))]
    lines = [f"{at},{row['object']},{row.get('other', '')},{row['reference']}" for at, row in enumerate(rows)]
    header = "item_id,object,other,reference"
    if name == "color":
        lines, header = (
            [f"{at},{row['object']},{row['reference']}" for at, row in enumerate(rows)],
            "item_id,object,reference",
        )
    items = write_rows(tmp_path / "items.csv", header, lines)

    [whole] = run("summarise_items", items)["groups"]

    assert (whole["things"], whole["instances"], whole["most"]) == (things, instances, most)
    assert (whole["mean"], whole["sd"]) == (pytest.approx(mean, abs=5e-4), pytest.approx(sd, abs=5e-4))
