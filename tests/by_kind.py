"""The formulas of one kind of question, with what its folder declares: for tests that go through several kinds."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from agreement.gold import annotator_models, gold_table
from agreement.gold.annotator_models import Consensus
from agreement.scoring import score_gold
from agreement.scoring.leave_one_out_round import PersonMetrics
from agreement.scoring.score_gold import Gold
from agreement.stats import report
from agreement.stats.agreement_report import AgreementReport
from questions.kind import QuestionKind
from questions.statistics import statistics_of


def agreement_of(kind: QuestionKind, *judged: Any, **given: Any) -> AgreementReport:
    return report.agreement_of(kind, statistics_of(kind).agreement, *judged, **given)


def consensus_of(kind: QuestionKind, *judged: Any) -> dict[str, Consensus]:
    return annotator_models.consensus_of(statistics_of(kind).annotator_models, *judged)


def gold_of(kind: QuestionKind, *judged: Any, **given: Any) -> pd.DataFrame:
    return gold_table.gold_of(statistics_of(kind).gold_table, *judged, **given)


def gold_from_table(kind: QuestionKind, table: pd.DataFrame, labels: Sequence[str] = ()) -> Gold:
    declared = statistics_of(kind)
    return score_gold.gold_from_table(declared.read_gold, kind, declared.gold_columns, table, labels)


def person_of(kind: QuestionKind) -> PersonMetrics:
    found = statistics_of(kind).person
    assert found is not None, f"a person who answers {kind} questions is scored by nothing"
    return found
