"""The simulation of coverage: its worlds have the truth they are said to have, and one small condition holds it."""

from dataclasses import replace

import numpy as np
import pytest

from agreement.estimation import intervals as coverage_note
from agreement.estimation.design import design_of
from tests.unit.agreement.people.crowds import iccs_of, kappa_of
from tools.benchmarks.coverage import Task, simulate
from tools.benchmarks.coverage_table import Coverage, page
from tools.benchmarks.coverage_table import worth as worth_table
from tools.benchmarks.coverage_worlds import WORLDS, World, study, truth


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
    table = {"icc1": [(3.0, 30.0, 0.96, 0.999, 0.9, 0.95), (10.0, 500.0, 0.94, 0.965, 0.91, 0.96)]}
    monkeypatch.setattr(coverage_note, "_table", lambda: table)

    said = coverage_note.coverage_note("icc1", 4, 40)

    assert "in 96.0 to 99.9 %, with careless or very unequal workers in 90.0 to 95.0 %, of simulated studies" in said
    assert coverage_note.COVERAGE.fullmatch(said)
    assert coverage_note.coverage_note("icc1", 9, 400) == ""
    assert coverage_note.coverage_note("never simulated", 9, 400) == ""
