"""The simulation of coverage: its worlds have the truth they are said to have, and one small condition holds it."""

from dataclasses import replace

import numpy as np
import pytest

from agreement.estimation import simulated_coverage
from agreement.estimation.design import design_of
from tests.unit.agreement.people.crowds import iccs_of, kappa_of
from tools.benchmarks.coverage import Task, simulate
from tools.benchmarks.coverage_table import Coverage, page
from tools.benchmarks.coverage_table import worth as worth_table
from tools.benchmarks.coverage_worlds import CALM, WORLDS, World, study, truth


@pytest.mark.parametrize("world", WORLDS)
def test_world_has_the_truth_that_its_formula_says(world: World) -> None:
    """Many studies with many workers: the mean figure is the truth, to within its own error."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(60):
        given = study(world, 25, 120, rng)
        design = design_of(given.item, given.worker)
        found.append((kappa_of(design, given.label, 3), iccs_of(design, given.number)[0]))

    error = np.std(found, axis=0) / np.sqrt(len(found))
    away = np.abs(np.mean(found, axis=0) - [truth(world, "labels"), truth(world, "numbers")])
    assert np.all(away < 4 * error + 0.005)


def test_exact_cases_are_the_published_ones() -> None:
    assert truth("exchangeable", "labels") == pytest.approx(1 / 2)  # Dirichlet(c p) with c = 1


def test_two_way_interval_holds_the_truth_where_an_item_interval_does_not() -> None:
    """The condition that CI runs: crossed workers who differ, 7 judgments on each of 100 items."""
    task = Task("crossed", 7, 100, 1, 1_000, ("Fleiss' kappa", "alpha, interval", "ICC(1,1)"))

    found = simulate(task)

    for cell in found:
        assert 0.93 <= cell.covered <= 0.995, cell
        assert cell.undefined == 0


TABLED = ("Fleiss' kappa", "alpha, ordinal", "alpha, interval")
OF_WORLDS = [
    (world, workers) for world in ("crossed", "missing", "careless", "careless20") for workers in (3, 5, 8, 12)
]
OF_FEW = [(world, workers) for world in ("careless", "careless20") for workers in (4, 6, 7)]


@pytest.mark.parametrize(
    ("world", "workers", "studies"),
    [
        ("careless20", 5, 60),
        *(pytest.param(*each, 400, marks=pytest.mark.prove) for each in sorted([*OF_WORLDS, *OF_FEW])),
    ],
)
def test_intervals_hold_the_truth_or_are_called_unreliable(world: World, workers: int, studies: int) -> None:
    """In calm worlds they hold it; of careless people who weren't excluded they do, or a sentence says so."""
    cells = simulate(Task(world, workers, 40, 6, studies, TABLED))

    print("; ".join(f"{one.key} {one.covered:.1%}, width {one.relative_width:.2f} of the oracle's" for one in cells))
    slack = 3 * np.sqrt(0.09 / studies)
    for one in cells:
        few = simulated_coverage.careless_note(workers)
        near = simulated_coverage.coverage_note(one.key, workers, 40)
        least = 0.9 if world in CALM else simulated_coverage.LOW_HARD
        assert one.covered >= least - slack or few or near, one
        if few and world not in CALM:
            assert simulated_coverage.HELD_BY_FEW[0] - slack <= one.covered <= simulated_coverage.HELD_BY_FEW[1] + slack


def cell(key: str, world: str, covered: float) -> Coverage:
    return Coverage(
        statistic=key,
        key=key,
        world=world,
        raters=7,
        items=100,
        studies=2000,
        undefined=0,
        truth=0.5,
        mean=0.5,
        covered=covered,
        below=0.0,
        above=0.0,
        width=0.1,
        oracle=0.08,
        other=0.95,
    )


def test_page_marks_what_is_outside_and_the_table_keeps_lowest_and_highest() -> None:
    cells = [cell("icc1", "crossed", 0.951), cell("icc1", "zipf", 0.984), cell("icc1", "careless", 0.912)]

    text = page(cells, 5)

    assert "95.1 (0.0, 0.0; 1.25)" in text
    assert "**98.4** (0.0, 0.0; 1.25)" in text
    assert "91.2 (0.0, 0.0; 1.25)" in text
    assert "**91.2**" not in text
    assert "{{" not in text
    assert worth_table(cells) == {"icc1": [[7, 100, 0.951, 0.984, 0.912, 0.912]]}


def test_cell_that_is_too_wide_is_marked() -> None:
    wide = replace(cell("icc1", "crossed", 0.951), raters=12, width=0.1, oracle=0.08)

    assert not wide.is_as_promised
    assert replace(wide, raters=5).is_as_promised
    assert replace(wide, raters=3, width=1.0).is_as_promised  # of three workers no width is asked


def test_worth_is_said_only_where_coverage_is_not_what_the_interval_says(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {
        "icc1": [[3.0, 30.0, 0.96, 0.999, 0.9, 0.95], [10.0, 500.0, 0.94, 0.965, 0.91, 0.96]],
        "nominal": [[5.0, 60.0, 0.94, 0.97, 0.91, 0.95, 0.871]],
    }
    monkeypatch.setattr(simulated_coverage, "_table", lambda: table)

    said = simulated_coverage.coverage_note("icc1", 4, 40)

    assert "in 96.0 to 99.9 %, with 10 % careless or very unequal workers in 90.0 to 95.0 %, of simulated" in said
    assert simulated_coverage.COVERAGE.fullmatch(said)
    assert simulated_coverage.coverage_note("icc1", 9, 400) == ""
    assert simulated_coverage.coverage_note("never simulated", 9, 400) == ""
    of_careless = simulated_coverage.coverage_note("nominal", 5, 60, 0.5)
    assert "in 91.0 to 95.0 %, with 20 % careless ones in 87.1 %, of simulated studies" in of_careless


def test_sentence_on_coverage_is_not_of_labels_with_other_shares() -> None:
    """A world with 92 % of one label is another than those with half, and no careless workers were simulated in it."""
    cells = [cell("nominal", "crossed", 0.951), cell("nominal", "skewed", 0.999), cell("nominal", "heavy", 0.912)]

    assert worth_table([*cells, cell("nominal", "careless20", 0.853)]) == {
        "nominal": [[7, 100, 0.951, 0.951, 0.912, 0.912, 0.853]]
    }
