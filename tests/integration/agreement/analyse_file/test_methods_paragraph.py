"""methods.md is a paragraph that one would paste; methods-details.md and every other place have the rest."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command

from agreement.estimation.estimate import Estimate
from agreement.report.agreement_words import agreement_paragraph
from agreement.report.cleaning_report import cleaning_paragraph
from agreement.report.figure_rows import agreement_rows
from agreement.report.methods_paragraph import MOST_WORDS, methods_paragraph
from agreement.report.paper_tables import tables_of
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


def test_figures_on_request_stand_nowhere_that_people_read(tmp_path: Path) -> None:
    """On the terminal, in the report page, the tables and the methods; their keys stay in report.json."""
    file = write_rows(tmp_path / "judgments.csv", HEADER, sliders(np.random.default_rng(2)))
    for name, options in (("usual", []), ("asked", ["--also", "coefficients"])):
        terminal, out = io.StringIO(), tmp_path / name
        call_command("analyse_file", file, "--out", out, "--kind", "slider", *options, stdout=terminal)
        read = {".md", ".html", ".tex"}
        printed = [path for path in out.rglob("*") if path.suffix in read or path.parent.name == "tables"]
        texts = [terminal.getvalue(), *(path.read_text() for path in printed)]
        hidden = ("ICC(1,k)", "icc1k", "alpha, ratio", "alpha, nominal", "alpha (ratio)", "alpha (nominal)")
        assert any(title in text for text in texts for title in hidden) == (name == "asked")
        assert len(printed) > 10


def test_what_intervals_leave_on_either_side_is_said_with_every_figure(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "judgments.csv", HEADER, sliders(np.random.default_rng(2)))
    for name, shift in (("good", 0), ("poor", 17)):
        scores = [f"i{i},{30 + (i * 7 + shift * i) % 41}" for i in range(40)]
        write_rows(tmp_path / f"{name}.csv", "item_id,score", scores)
    probes = ("--probe", str(tmp_path / "good.csv"), str(tmp_path / "poor.csv"))
    terminal = io.StringIO()
    call_command("analyse_file", file, "--out", tmp_path / "out", "--no-report", *probes, stdout=terminal)

    both = (
        "Intervals over items and workers are made so that the true value lies below them in 1 % of studies and above"
        " them in 3 %, of errors below them in 3 % of studies and above them in 1 %."
    )
    assert both in " ".join(terminal.getvalue().split())
    assert f"Intervals of scores {both[10:]}" in (tmp_path / "out" / "methods-details.md").read_text()
    assert "the true value lies below about 1 % of them and above 3 %" in (tmp_path / "out" / "methods.md").read_text()
    report = read_report(json.loads((tmp_path / "out" / "report.json").read_text()))
    captions = {table.name: table.caption for table in tables_of(report)}
    for table in ("agreement", "ceilings", "models"):
        assert "below them in 1 % of studies and above them in 3 %" in captions[table]
    [rmse] = [one.figure for one in report.results.scores if (one.probe, one.metric) == ("good", "rmse")]
    assert isinstance(rmse, Estimate)
    assert rmse.method.endswith("df, tails 3% below and 1% above")


def test_a_worker_without_whom_a_figure_is_printed_the_same_is_not_told_of() -> None:
    def table_and_cell(without: float) -> tuple[list[tuple[str, ...]], str, str]:
        figure = {
            "estimate": 0.4, "low": 0.1, "high": 0.6, "n": 30, "method": "jackknife", "over": "items and workers",
            "most_influential_worker": {"worker": "w3", "estimate": without, "share": 0.2, "limit": 0.1}, "notes": [],
        }  # fmt: skip
        influence = {
            "statistic": "fleiss_kappa", "worker": "w3", "share_of_variance": 0.2, "warned": True,
            "without": {"estimate": without, "low": None, "high": None},
        }  # fmt: skip
        both = {"fleiss_kappa": figure}
        report = small_report(agreement={"raw": both, "cleaned": both}, influence=[influence])
        tables = [table.rows for table in tables_of(report) if table.name == "without-one-worker"]
        [row] = [row for row in agreement_rows(report) if row.name == "Fleiss' kappa"]
        return [row for rows in tables for row in rows], row.cleaned.without_influential, agreement_paragraph(report)

    rows, cell, words = table_and_cell(0.31)
    assert ([row[1] for row in rows], cell) == (["w3"], "0.310 (w3)")
    assert "without the worker who moves the figure most" in words
    rows, cell, words = table_and_cell(0.4001)
    assert (rows, cell) == ([], "")
    assert "without the worker who moves the figure most" not in words


def test_how_many_careful_workers_checks_exclude_reads_as_an_assumption() -> None:
    lost = {"slip": 0.01, "correlation": 0.0, "honest_lost": 0.002, "uniform_clickers_kept": 0.06}
    words = " ".join(cleaning_paragraph(small_report(cleaning={"honest_workers_lost": [lost]})).split())
    assert (
        "By an assumption, and not by these data: if a careful worker fails a check by mistake with probability 0.01,"
        " the checks exclude 0.2 % of careful workers"
    ) in words
    assert words.count("careful worker") == 2


def test_a_study_with_a_long_name_stays_within_the_words() -> None:
    assert len(methods_paragraph(small_report(study=" ".join(["long"] * 120))).split()) <= MOST_WORDS
