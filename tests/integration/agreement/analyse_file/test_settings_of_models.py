"""A model with settings has its rows wherever models have theirs: mean and sd over runs, values in numeric order."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.integration.agreement.analyse_file.command import write_rows

LABELS = ("red", "blue", "green")
RIGHT = [LABELS[i % 3] for i in range(18)]
# How many of 18 labels are wrong, by temperature and seed.
WRONG = {("10", "1"): 9, ("10", "2"): 7, ("0", "1"): 1, ("0", "2"): 3, ("0.7", "1"): 4, ("0.7", "2"): 6}


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder, and what the terminal shows."""
    folder = tmp_path_factory.mktemp("settings")
    rows = [f"w{w},i{i},{label}" for i, label in enumerate(RIGHT) for w in range(4)]
    judgments = write_rows(folder / "study.csv", "worker_id,item_id,value", rows)
    outputs = [
        f"i{i},{temperature},{seed},{LABELS[(i + (i < wrong)) % 3]}"
        for (temperature, seed), wrong in WRONG.items()
        for i in range(18)
    ]
    probe = write_rows(folder / "gpt.csv", "item_id,temperature,seed,label", outputs)
    reference = write_rows(folder / "ref.csv", "item_id,reference", [f"i{i},{label}" for i, label in enumerate(RIGHT)])
    said = io.StringIO()
    options = ["--probe", str(probe), "--reference", str(reference), "--replicates", "20", "--out", str(folder / "out")]
    call_command("analyse_file", str(judgments), *options, stdout=said)
    return folder / "out", said.getvalue()


def estimates(report: dict[str, Any], metric: str) -> dict[str, float]:
    return {one["group"]: one["estimate"] for one in report["scores"] if one["metric"] == metric}


def test_scores_are_means_over_seeds_of_each_temperature(analysed: tuple[Path, str]) -> None:
    report = json.loads((analysed[0] / "report.json").read_text())

    accuracy, sd = estimates(report, "accuracy"), estimates(report, "accuracy_sd")
    assert accuracy["temperature=0"] == pytest.approx(16 / 18)
    assert accuracy["temperature=0.7"] == pytest.approx(13 / 18)
    assert accuracy["temperature=10"] == pytest.approx(10 / 18)
    assert sd["temperature=0"] == pytest.approx(2**0.5 / 18)


def test_every_table_has_a_row_for_each_setting_in_numeric_order(analysed: tuple[Path, str]) -> None:
    out, said = analysed
    names = ["gpt, temperature=0", "gpt, temperature=0.7", "gpt, temperature=10"]

    texts = {name: (out / "tables" / f"{name}.csv").read_text() for name in ("models", "against-reference")}
    texts["terminal"] = said
    texts["report.html"] = (out / "report.html").read_text()
    texts["methods.md"] = (out / "methods.md").read_text()
    for where, text in texts.items():
        places = [text.find(f"{name}{end}") for name, end in zip(names, ('"', '"', '"'), strict=True)]
        if "csv" not in where and where not in ("models", "against-reference"):
            places = [text.find(name) for name in names]
        assert -1 not in places, where
    assert texts["terminal"].index("temperature=0.7, accuracy") < texts["terminal"].index("temperature=10, accuracy")
    details = (out / "methods-details.md").read_text()
    assert "- temperature=0: accuracy: 0.889" in details
    assert "- temperature=0: accuracy sd: 0.079" in details


def test_a_numeric_setting_is_drawn_as_a_curve_in_numeric_order(analysed: tuple[Path, str]) -> None:
    out, _ = analysed
    header, *rows = (out / "figures" / "scores-by-setting.csv").read_text().splitlines()

    assert header == "who,temperature,score,low,high,sd,n"
    assert [row.split(",")[:2] for row in rows] == [["gpt", "0.0"], ["gpt", "0.7"], ["gpt", "10.0"]]
    assert (out / "figures" / "scores-by-setting.svg").stat().st_size > 0
