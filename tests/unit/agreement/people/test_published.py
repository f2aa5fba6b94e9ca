"""Published tables give their published figures."""

import json
from pathlib import Path
from typing import Any

import pytest

from agreement.estimation.design import design_of
from agreement.people import chance_corrected as kappa
from agreement.people import icc
from agreement.people.agreement_report import Level
from tests.unit.agreement.people.crowds import alpha_of, defined, judgments_of

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
CASES = Path(__file__).parents[3] / "cases" / "agreement"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_published_table_gives_its_figures(path: Path) -> None:
    case: dict[str, Any] = json.loads(path.read_text())
    item, worker, value = judgments_of(case)
    design = design_of(item, worker)

    found: dict[str, float] = {}
    tally = defined(kappa.tally(design, value.astype(int), int(value.max()) + 1))
    found |= {"fleiss_kappa": kappa.kappa(tally), "P": tally.P, "P_e": tally.P_e}
    both = defined(icc.icc(design, value))
    found |= {"icc1": both.icc1, "icc1k": defined(both.icc1k), "k0": both.k0}
    for level in LEVELS:
        found[f"alpha_{level}"] = alpha_of(design, value, level)

    for name, expected in case["expected"].items():
        assert found[name] == pytest.approx(expected, abs=case["tolerance"][name]), name


def test_every_case_names_its_source() -> None:
    cases = [json.loads(path.read_text()) for path in CASES.glob("*.json")]

    assert len(cases) >= 8
    assert all(case["source"] and case["desc"] and case["tolerance"] for case in cases)
