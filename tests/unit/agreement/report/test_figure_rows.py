"""A report's figures as a page shows them: numbers, intervals, and words where there is no figure."""

from agreement.estimation.estimate import Estimate, Undefined
from agreement.report.figure_rows import INCLUSIVE, agreement_rows, ceiling_rows, figure_cell, other_lines
from agreement.report.people_and_models import stored_statistic
from tests.reports import FIGURE, small_report, with_agreement

ALPHA = {
    "estimate": 0.7289,
    "low": 0.6261,
    "high": 0.8312,
    "n": 66,
    "method": "Krippendorff's alpha, interval; two-way jackknife",
    "nu_w": 18.8,
    "without_busiest_worker": {"estimate": 0.7321, "low": None, "high": None, "n": 66, "method": ""},
    "item_bca": {"estimate": 0.7289, "low": 0.638, "high": 0.801, "n": 66, "method": ""},
    "notes": ["interval unreliable"],
}


def test_figure_stands_with_its_interval_and_what_belongs_beside_it() -> None:
    figure = figure_cell(stored_statistic(ALPHA))
    assert (figure.number, figure.interval, figure.n) == ("0.729", "0.626 to 0.831", 66)
    assert (figure.without_busiest, figure.item_interval, figure.nu_w) == ("0.732", "0.638 to 0.801", 18.8)
    assert figure.notes == ("interval unreliable",)


def test_figure_without_an_interval_says_so() -> None:
    assert figure_cell(Estimate(0.5, None, None, 1, "x")).interval == "no interval"


def test_undefined_figure_is_its_reason_and_no_number() -> None:
    figure = figure_cell(Undefined("every judgment is the same label"))
    assert (figure.number, figure.words) == ("", "undefined: every judgment is the same label")


def test_statistic_that_suits_the_question_stands_first() -> None:
    same = {"first": "krippendorff_alpha.interval", "fleiss_kappa": ALPHA, "krippendorff_alpha": {"interval": ALPHA}}
    rows = agreement_rows(with_agreement(same))
    assert [(row.name, row.is_first) for row in rows if row.cleaned.number] == [
        ("Krippendorff's alpha, interval", True),
        ("Fleiss' kappa", False),
    ]
    assert rows[0].how == "two-way jackknife"


def test_statistic_that_only_one_side_has_says_so_on_the_other() -> None:
    [row] = [row for row in agreement_rows(with_agreement({"cohen_kappa": FIGURE}, {})) if row.name == "Cohen's kappa"]
    assert (row.raw.number, row.cleaned.words) == ("0.400", "not part of this report")


def test_upper_noise_ceiling_without_a_lower_one_is_called_no_bound() -> None:
    figure = {**FIGURE, "method": "inclusive agreement, not a bound: mean Spearman"}
    report = small_report(ceiling={"noise_upper": figure})
    assert [name for name, cell in ceiling_rows(report) if cell.number] == [INCLUSIVE]


def test_what_stands_beside_names_the_packages_of_the_cross_check() -> None:
    cleaned = {
        "counts": {
            "judgments_per_worker_min": 10,
            "judgments_per_worker_median": 10.0,
            "judgments_per_worker_max": 10,
            "busiest_share": 0.25,
        },
        "double_entry": {
            "comparisons": [
                {"statistic": "fleiss_kappa", "package": "statsmodels", "version": "0.15.0", "on": "all 30 items"}
                | {"difference": 2e-16, "tolerance": 1e-9}
            ],
        },
        "notes": ["few items differ"],
    }
    assert other_lines(with_agreement({}, cleaned)) == [
        "Each worker gave 10 judgments.",
        "The busiest worker gave 25.0% of all judgments.",
        "Cross-check: Fleiss' kappa recomputed with statsmodels 0.15.0; the largest difference is 2e-16.",
        "Few items differ.",
    ]
