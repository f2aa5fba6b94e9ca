"""methods.md is a paragraph that one would paste; methods-details.md and every other place have the rest."""

import json
from pathlib import Path

import numpy as np
import pytest

from agreement.report.figure_rows import agreement_rows
from agreement.report.methods_paragraph import MOST_WORDS, methods_paragraph
from agreement.report.report import read_report
from tests.integration.agreement.analyse_file.command import analyse, write_rows
from tests.integration.agreement.analyse_file.test_edges import HEADER
from tests.reports import small_report


def rare(rng: np.random.Generator) -> list[str]:
    positive = rng.random((60, 4)) < 0.04
    return [f"w{w},i{i},{'yes' if positive[i, w] else 'no'}" for i in range(60) for w in range(4)]


def sliders(rng: np.random.Generator) -> list[str]:
    truth = rng.uniform(20, 80, 40)
    return [f"w{w},i{i},{np.clip(truth[i] + rng.normal(0, 9), 0, 100):.0f}" for i in range(40) for w in range(6)]


@pytest.mark.parametrize(("crowd", "options"), [(rare, ["--kind", "choice"]), (sliders, ["--kind", "slider"])])
def test_the_paragraph_is_short_and_its_figures_are_those_of_the_report(
    crowd: object, options: list[str], tmp_path: Path
) -> None:
    rows = crowd(np.random.default_rng(1))  # type: ignore[operator]
    analyse(write_rows(tmp_path / "judgments.csv", HEADER, rows), tmp_path / "out", *options)
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    short, details = ((tmp_path / "out" / name).read_text() for name in ("methods.md", "methods-details.md"))
    assert len(short.split()) <= 200
    assert short.count("\n\n") == 1  # a heading and one paragraph
    assert "Warning:" not in short
    cleaned = report["agreement"]["cleaned"]
    name = "gwet_ac1" if "gwet_ac1" in cleaned else "gold_reliability"
    figure = cleaned[name]
    for text in (short, details):
        assert f"{figure['estimate']:.3f} ({figure['low']:.3f} to {figure['high']:.3f})" in text
    assert "1 % below and 3 % above" in short
    assert "1 % below and 3 % above" in details
    for warning in report["warnings"]:
        assert warning["text"] in details


def test_alpha_at_other_levels_and_icc_at_k0_are_printed_where_they_are_asked_for(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "judgments.csv", HEADER, sliders(np.random.default_rng(2)))
    printed = {}
    for name, options in (("usual", []), ("asked", ["--also", "coefficients"])):
        report = analyse(file, tmp_path / name, "--kind", "slider", *options)
        printed[name] = {row.name for row in agreement_rows(read_report(report))}
        assert {"nominal", "ratio"} <= report["agreement"]["cleaned"]["krippendorff_alpha"].keys()
        assert "estimate" in report["agreement"]["cleaned"]["icc1k"]
    on_request = {"ICC(1,k), the mean of an item", "Krippendorff's alpha, nominal", "Krippendorff's alpha, ratio"}
    assert printed["asked"] - printed["usual"] == on_request
    assert "Reliability of the gold as released" in printed["usual"]


def test_a_study_with_a_long_name_stays_within_the_words() -> None:
    assert len(methods_paragraph(small_report(study=" ".join(["long"] * 120))).split()) <= MOST_WORDS
