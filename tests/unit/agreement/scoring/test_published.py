"""Every metric gives what a page that anyone can look up says it gives."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agreement.estimation.estimate import Estimate
from agreement.scoring.correlation import CORRELATIONS
from agreement.scoring.groups import Groups
from agreement.scoring.label_metrics import average_precision, jensen_shannon
from agreement.scoring.paired_tests import holm
from agreement.scoring.text_metrics import bleu, rouge_l
from tests.unit.agreement.scoring.perplexities import perplexity

CASES = Path(__file__).parents[3] / "cases" / "scoring"


def _correlation(case: dict[str, Any]) -> float:
    x, y = (np.array(case[side], dtype=float) for side in "xy")
    return float(CORRELATIONS[case["metric"]][0](Groups.one(len(x)), x, y)[0])


def _perplexity(case: dict[str, Any]) -> float:
    sentence = np.array(case["sentence"])
    figure = perplexity(sentence, np.full(len(sentence), case["log10_probability"]), "10").corpus
    assert isinstance(figure, Estimate)
    return figure.estimate


GIVES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "spearman": _correlation,
    "pearson": _correlation,
    "kendall": _correlation,
    "average_precision": lambda case: average_precision(np.array([case["scores"]]), np.array([case["gold"]]))[0],
    "bleu": lambda case: bleu(case["texts"], case["references"]).theta,
    "rouge_l": lambda case: rouge_l(case["text"], case["references"])[2],
    "jensen_shannon": lambda case: jensen_shannon(np.array([case["p"]]), np.array([case["q"]]))[0],
    "holm": lambda case: holm(np.array(case["p"])),
    "perplexity": _perplexity,
}


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_metric_gives_the_published_figure(path: Path) -> None:
    case = json.loads(path.read_text())

    given = GIVES[case["metric"]](case)

    assert given == pytest.approx(case["expected"], abs=case["tolerance"]["absolute"])


def test_every_metric_has_a_published_case() -> None:
    assert {json.loads(path.read_text())["metric"] for path in CASES.glob("*.json")} == set(GIVES)
