"""The methods' sentences on agreement: what several figures share is said once."""

from typing import Any

from agreement.estimation.estimate import MostInfluential
from agreement.estimation.two_way_jackknife import said_of
from agreement.report.agreement_words import agreement_paragraph
from agreement.report.report import Report
from tests.reports import with_agreement


def a_figure(share: float, without: float) -> dict[str, Any]:
    one = MostInfluential(worker=3, estimate=without, share=share, limit=0.5)
    found = {"worker": "w3", "estimate": without, "share": share, "limit": 0.5}
    interval = {"estimate": 0.4, "low": 0.1, "high": 0.6, "n": 30, "method": "jackknife", "over": "items and workers"}
    return {**interval, "most_influential_worker": found, "notes": [said_of(one, 0.4, 0.25)]}


def a_report(kappa: dict[str, Any], alpha: dict[str, Any]) -> Report:
    return with_agreement({"fleiss_kappa": kappa, "krippendorff_alpha": {"nominal": alpha}})


def test_a_worker_who_moves_several_figures_is_spoken_of_once() -> None:
    said = agreement_paragraph(a_report(a_figure(0.77, 0.72), a_figure(0.81, 0.74)))
    assert said.count("One worker makes up") == 1
    assert (
        "One worker makes up much of the variance between workers: 77 % of that of Fleiss' kappa and 81 % of that of"
        " Krippendorff's alpha (nominal). Among workers who are alike one passes 50 % in 1 % of studies. The figures"
        " without that worker stand above."
    ) in said
    assert (
        "without the worker who moves the figure most: Fleiss' kappa 0.720; Krippendorff's alpha (nominal) 0.740"
        in said
    )


def test_a_worker_who_moves_one_figure_is_said_with_it() -> None:
    said = agreement_paragraph(a_report(a_figure(0.77, 0.72), {**a_figure(0.4, 0.41), "notes": []}))
    assert "Note on Fleiss' kappa: one worker makes up 77% of the workers' variance of this figure" in said
