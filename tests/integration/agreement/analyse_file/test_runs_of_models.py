"""Several runs of a model against the truth of made scenes: mean, sd and maximum, by sentence, shape and distance."""

import csv
import io
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import read_rows, write_rows


def wrong(item: dict[str, Any], run: int) -> bool:
    """Run 1 is wrong about circles, run 2 about nothing, run 3 about false sentences on circles."""
    is_circle = item["shape"] == "circle"
    return is_circle and (run == 1 or (run == 3 and item["reference"] == "false"))


def verdicts(items: list[dict[str, Any]]) -> Iterator[str]:
    other = {"true": "false", "false": "true"}
    for run in (1, 2, 3):
        for item in items:
            said = item["reference"]
            yield f"{item['item_id']},{run},{other[said] if wrong(item, run) else said}"


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[dict[str, Any]]]:
    """What is printed of 160 scenes, and the rows of scores.csv."""
    folder = tmp_path_factory.mktemp("runs")
    said = io.StringIO()
    call_command(
        "make_scenes", task="SET+POS", n=160, seed=3, out=folder / "made", without_pictures=True, stdout=io.StringIO()
    )
    probe = write_rows(folder / "film.csv", "item_id,run,label", verdicts(read_rows(folder / "made" / "items.csv")))
    reference = folder / "made" / "items.csv"
    call_command("score_file", probe, reference=reference, kind="verify", out=folder / "out", stdout=said)
    with (folder / "out" / "scores.csv").open(newline="") as stream:
        return said.getvalue(), list(csv.DictReader(stream))


def figure(rows: list[dict[str, Any]], metric: str, breakdown: str = "", group: str = "") -> float:
    [row] = [
        row
        for row in rows
        if (row["name"], row["metric"], row["breakdown"], row["group"]) == ("film", metric, breakdown, group)
    ]
    return float(row["estimate"])


def test_mean_sd_and_maximum_over_runs_stand_together(scored: tuple[str, list[dict[str, Any]]]) -> None:
    said, rows = scored

    assert figure(rows, "accuracy") == pytest.approx((0.75 + 1 + 0.875) / 3)
    assert figure(rows, "accuracy_sd") == pytest.approx(0.125)
    assert figure(rows, "accuracy_max") == 1
    assert ", sd 0.125, maximum 1.000" in said
    assert "accuracy max" not in said


def test_accuracy_is_broken_down_by_sentence_and_shape_and_by_distance(
    scored: tuple[str, list[dict[str, Any]]],
) -> None:
    _said, rows = scored

    groups = {row["group"] for row in rows if row["breakdown"] == "type_by_shape" and row["metric"] == "accuracy"}
    assert len(groups) == 16
    assert figure(rows, "accuracy", "type_by_shape", "big false, circle") == pytest.approx(1 / 3)
    assert figure(rows, "accuracy", "type_by_shape", "big true, circle") == pytest.approx(2 / 3)
    assert figure(rows, "accuracy", "type_by_shape", "small true, square") == 1
    assert figure(rows, "accuracy_max", "type_by_shape", "big false, circle") == 1
    distances = {row["group"] for row in rows if row["breakdown"] == "distance_tenth"}
    assert "0.0 to 0.1" in distances
