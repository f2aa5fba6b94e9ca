"""The formulas of one kind of question, with what its folder declares: for tests that go through several kinds."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from agreement.analysis import run_statistics as report
from agreement.gold import annotator_models, gold_table
from agreement.gold.annotator_models import Consensus
from agreement.judgments.crowd import Answers, Properties
from agreement.judgments.property_coding import Coding
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of
from agreement.people.agreement_report import AgreementReport
from agreement.people.person_metrics import PersonMetrics
from agreement.scoring import score_gold
from agreement.scoring.score_gold import Gold

# Three people's answers to two items.
ITEM, WORKER = np.repeat(np.arange(2, dtype=np.int32), 3), np.tile(np.arange(3, dtype=np.int32), 2)
LABELS = ("a", "b")
ANSWERS: dict[QuestionKind, Answers] = {
    "slider": np.array([10.0, 20, 30, 40, 50, 60]),
    "sliders": np.array([[10.0, 20], [30, 20], [10, 20], [5, 1], [5, 2], [5, 30]]),
    "choice": np.array([0, 1, 1, 0, 0, 1], dtype=np.int32),
    "choices": np.array([[1, 0], [1, 1], [1, 0], [0, 1], [1, 1], [0, 1]], dtype=bool),
    "verify": np.array([0, 1, 1, 0, 0, 1], dtype=np.int32),
    "list": Properties(np.arange(7), np.array([0, 0, 1, 2, 2, 2], dtype=np.int32), ("a", "b", "soft")),
    "text": np.array(["a", "b", "b", "a", "x", "y"], dtype=object),
    "ranking": np.array([[1, 2], [2, 1], [1, 2], [2, 1], [1, 2], [2, 1]], dtype=np.int32),
}


def labels_of(kind: QuestionKind) -> tuple[str, ...]:
    return LABELS if KINDS[kind].has_labels else ()


def agreement_of(kind: QuestionKind, *judged: Any, **given: Any) -> AgreementReport:
    return report.parts_of(kind, statistics_of(kind).agreement, *judged, **given).report()


def consensus_of(kind: QuestionKind, *judged: Any) -> dict[str, Consensus]:
    return annotator_models.consensus_of(statistics_of(kind).annotator_models, *judged)


def gold_of(kind: QuestionKind, *judged: Any, **given: Any) -> pd.DataFrame:
    """Properties as they are coded, so that every column that the kind declares is there."""
    given.setdefault("coding", Coding() if KINDS[kind].has_properties else None)
    return gold_table.gold_of(statistics_of(kind).gold_table, *judged, **given)


def gold_from_table(kind: QuestionKind, table: pd.DataFrame, labels: Sequence[str] = ()) -> Gold:
    declared = statistics_of(kind)
    return score_gold.gold_from_table(declared.read_gold, kind, declared.gold_columns, table, labels)


def person_of(kind: QuestionKind) -> PersonMetrics:
    found = statistics_of(kind).person
    assert found is not None, f"a person who answers {kind} questions is scored by nothing"
    return found
