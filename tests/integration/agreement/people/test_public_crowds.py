"""Published crowds give the figures that are known for them."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from agreement.estimation.estimate import Estimate
from agreement.files.numbers import Scale
from agreement.kinds.kind import QuestionKind
from agreement.people.agreement_report import AgreementReport, Statistic
from tests.by_kind import agreement_of

CASES = Path(__file__).resolve().parents[3] / "cases" / "crowds"


def report_of(folder: str, kind: QuestionKind, scale: tuple[int, int] | None = None) -> AgreementReport:
    judgments = pd.read_csv(CASES / folder / "judgments.csv")
    item, _ = pd.factorize(judgments["item_id"])
    worker, _ = pd.factorize(judgments["worker_id"])
    if scale is None:
        answers, labels = pd.factorize(judgments["value"], sort=True)
        return agreement_of(kind, item, worker, answers, labels=list(map(str, labels)), seed=1, replicates=100)
    ends = Scale(Decimal(scale[0]), Decimal(scale[1]))
    value = judgments["value"].to_numpy(dtype=np.float64)
    return agreement_of(kind, item, worker, value, scale=ends, seed=1, replicates=100)


def figure(statistic: Statistic) -> float:
    assert isinstance(statistic.headline, Estimate)
    return statistic.headline.estimate


def test_fleiss_1971() -> None:
    assert figure(report_of("fleiss1971", "choice").fleiss_kappa.statistic) == pytest.approx(0.4302, abs=5e-5)


def test_krippendorff_c() -> None:
    alpha = report_of("krippendorff-c", "slider", (1, 5)).krippendorff_alpha

    expected = {"nominal": 0.7434, "ordinal": 0.8154, "interval": 0.8491, "ratio": 0.7974}
    assert {level: round(figure(statistic), 4) for level, statistic in alpha.items()} == expected


def test_snow_rte() -> None:
    report = report_of("snow-rte", "choice")

    assert figure(report.fleiss_kappa.statistic) == pytest.approx(0.2414, abs=5e-5)
    assert report.counts.workers == 164
    assert report.counts.busiest_share == pytest.approx(0.1)
    assert report.fleiss_kappa.statistic.nu_w == pytest.approx(10.2, abs=0.1)  # of 164, one of whom gave a tenth


def test_snow_wordsim() -> None:
    alpha = report_of("snow-wordsim", "slider", (0, 10)).krippendorff_alpha

    assert figure(alpha["interval"]) == pytest.approx(0.6701, abs=5e-5)
