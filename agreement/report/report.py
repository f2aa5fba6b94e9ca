"""What a report is: the figures of a study's questions and of their cleaning, as report.json has them; its schema.

Every surface reads these attributes; the keys of report.json stand nowhere else. A meaning that changes raises
the version, by a step in `earlier_reports.py` that reads what was before.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar, Literal, cast

from ..cleaning.check_items import CheckCost
from ..cleaning.cleaning_run import Counts, RuleCount
from ..errors import TouchstoneError
from ..estimation.estimate import Undefined
from ..files.layout import LeftOut
from ..files.trap_columns import Trap
from ..judgments.property_coding import CodingSummary
from ..kinds.kind import QuestionKind
from ..on_request.further_analysis import AltTestReport, FurtherReport, NoAltTest, NoFurtherReport
from ..people.size_adjectives import SizeThreshold
from ..planning.further_data import Claims
from ..scoring.similarity_matrices import SimilarityAbout
from ..screening.evidence import Suspect
from ..typed_json import (
    ABSENT,
    INLINE,
    NOT_IN_JSON,
    Json,
    JsonObject,
    from_json,
    known_keys,
    object_of,
    object_schema,
)
from ..warnings.warning import AnalysisWarning
from .collection_report import NOTHING_COLLECTED, CollectionReport, Unverified
from .earlier_reports import NEWEST, current_report
from .people_and_models import (
    AgainstReference,
    Agreement,
    Ceiling,
    ComparedProbes,
    GroupScore,
    Influence,
    ModelScores,
    ProbeReport,
    ProbeScore,
)
from .verdict import ReportVerdict, verdict_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSummary:
    """The gold release that every figure rests on."""

    number: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """All that gold makes possible. What some kinds of question or some requests alone have is None or empty."""

    agreement: Agreement
    ceiling: Ceiling
    influence: tuple[Influence, ...]
    scores: tuple[ProbeScore, ...]
    probes: tuple[ProbeReport, ...]
    comparisons: tuple[ComparedProbes, ...]
    groups: tuple[GroupScore, ...]
    against_reference: AgainstReference | Undefined
    beside_majority: Mapping[str, str]
    release: GoldSummary
    size_threshold: SizeThreshold | Undefined | None = field(default=None, metadata=ABSENT)
    property_entries: tuple[Mapping[str, int], ...] | None = field(default=None, metadata=ABSENT)
    further: tuple[FurtherReport | NoFurtherReport, ...] = field(default=(), metadata=ABSENT)
    alt_test: tuple[AltTestReport | NoAltTest, ...] | None = field(default=None, metadata=ABSENT)
    similarity_matrix: SimilarityAbout | None = field(default=None, metadata=ABSENT)
    claims: Claims
    # Why nobody could be screened, or who stands out; None in a bundle for everybody, and before there was screening.
    suspects: tuple[Suspect, ...] | Undefined | None = field(default=None, metadata=ABSENT)
    warnings: tuple[AnalysisWarning, ...]

    @property
    def model_scores(self) -> ModelScores:
        """Models against the gold of people."""
        return ModelScores(scores=self.scores, probes=self.probes, comparisons=self.comparisons, groups=self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutGold:
    """What is left where cleaning keeps no judgment: why there is nothing."""

    agreement: Undefined
    ceiling: Undefined
    scores: tuple[ProbeScore, ...] = ()
    probes: tuple[ProbeReport, ...] = ()
    comparisons: tuple[ComparedProbes, ...] = ()
    release: Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleEnds:
    """The ends of the scale."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatsReport:
    """How many answers were a worker's second or later to an item, what told which came first, what was done."""

    answers: int
    told_by: Literal["time", "row"] | None
    policy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionReport:
    """One question of the study, with everything that was measured of its answers."""

    kind: QuestionKind
    scale: ScaleEnds | None
    labels: tuple[str, ...]
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=ABSENT)
    repeats: RepeatsReport
    coding: CodingSummary | None = field(default=None, metadata=ABSENT)
    results: Results | WithoutGold = field(metadata=INLINE)
    question: str = field(default="", metadata=ABSENT)  # its name, where the study has several


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedRules:
    """The rule set: each rule in words, checks that it names in vain, and the rule for typical labels if it has one."""

    name: str
    version: str
    sha256: str
    rule: tuple[str, ...]
    unused_checks: tuple[str, ...]
    typical: str = field(default="", metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class CleaningReport:
    """By rule and together, what selects on the outcome, and how many careful workers the checks exclude."""

    by_rule: tuple[RuleCount, ...]
    checks_without_a_rule: tuple[str, ...]
    selects_on_outcome: tuple[str, ...]
    honest_workers_lost: tuple[CheckCost, ...]
    uniform_clicker_passes: Mapping[str, float | Undefined]
    bounds_not_used: tuple[str, ...]
    traps: tuple[Trap, ...] = field(default=(), metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByHandCounts:
    """How many workers a person excluded or kept against a rule, decisions on nobody in the data, how many stay
    excluded from an earlier run, and how many are excluded for another question of the study.
    """

    set_aside: int
    kept: int
    not_in_the_data: int
    by_earlier_runs: int
    in_other_questions: int = field(default=0, metadata=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file that went into an analysis, and its SHA-256."""

    name: str
    sha256: str


class NoResults(TouchstoneError):
    """A report of a run that kept no judgment has no figures."""


SUSPECTS = "suspects"  # a bundle for everybody lacks it
VERDICT = "verdict"  # made of the rest, also of that of earlier versions


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How a study was cleaned, and what was measured of a question of it."""

    COMPUTED: ClassVar = (VERDICT,)

    study: str
    rules: AppliedRules
    seed: int
    replicates: int
    fixed_workers: bool = field(default=False, metadata=ABSENT)
    left_out_in_reading: LeftOut | None = field(default=None, metadata=ABSENT)
    counts: Counts
    cleaning: CleaningReport
    by_hand: ByHandCounts
    inputs: tuple[Source, ...]
    versions: Mapping[str, str]
    collection: CollectionReport = field(default=NOTHING_COLLECTED, metadata=ABSENT)
    unverified: Unverified | None = field(default=None, metadata=ABSENT)
    questions: tuple[QuestionReport, ...] = field(metadata=NOT_IN_JSON)
    version: int = NEWEST

    @property
    def question(self) -> QuestionReport:
        """The one question."""
        [only] = self.questions
        return only

    @property
    def results(self) -> Results:
        """The figures of the one question. `NoResults` where cleaning kept nothing."""
        results = self.question.results
        if isinstance(results, WithoutGold):
            raise NoResults(results.release.why)
        return results

    def numbered(self, number: int) -> Report:
        """The same with the number that the study gives its gold release."""
        results = replace(self.results, release=replace(self.results.release, number=number))
        return replace(self, questions=(replace(self.question, results=results),))

    @property
    def warnings(self) -> tuple[AnalysisWarning, ...]:
        """What a reader should know; nothing where there are no figures to warn of."""
        results = self.question.results
        return () if isinstance(results, WithoutGold) else results.warnings

    @property
    def verdict(self) -> ReportVerdict:
        """Whether its gold is good enough, as far as the report alone tells."""
        return verdict_of(self)


# report.json has the keys of the one question among the study's, in the order in which they came about.
KEYS = (
    "study", "kind", "scale", "labels", "synonyms", "rules", "seed", "replicates", "fixed_workers", "repeats",
    "left_out_in_reading", "counts", "cleaning", "by_hand", "agreement", "ceiling", "influence", "scores", "probes",
    "comparisons", "groups", "against_reference", "beside_majority", "release", "inputs", "versions", "coding",
    "size_threshold", "property_entries", "collection", "further", "alt_test", "similarity_matrix", "claims",
    SUSPECTS, "warnings", "unverified", VERDICT, "version", "question",
)  # fmt: skip


def report_as_json(report: Report) -> JsonObject:
    """report.json of a study of one question."""
    keys = object_of(report) | object_of(report.question)
    return {key: keys[key] for key in KEYS if key in keys}


def read_report(stored: Mapping[str, object]) -> Report:
    """A stored report, of this version or any earlier one. `Misread` where it is none."""
    newest = current_report(stored)
    of_question = known_keys(QuestionReport)
    question = from_json(QuestionReport, {key: value for key, value in newest.items() if key in of_question})
    of_study = {key: value for key, value in newest.items() if key not in of_question}
    return from_json(Report, of_study, questions=(question,))


def without_suspects(stored: JsonObject) -> JsonObject:
    """A stored report for everybody: it doesn't say whose answers look careless, and its verdict knows of nobody."""
    left = {key: value for key, value in stored.items() if key != SUSPECTS}
    return {**left, VERDICT: object_of(read_report(left).verdict)} if VERDICT in left else left


# docs/report.schema.json: the newest report.json as JSON Schema, made of the dataclasses by `make schema`.

FILE = Path(__file__).parents[2] / "docs" / "report.schema.json"
ABOUT = (
    "What analyse_file and analyse write as report.json for a study of one question. Reports of earlier versions lack"
    " some of it and can still be read. A key that is not required is there where there is something to say."
)


def report_schema() -> JsonObject:
    """The study's keys and those of its one question, in the order of the file."""
    definitions: JsonObject = {}
    parts = [object_schema(cls, definitions) for cls in (Report, QuestionReport)]
    properties = {key: value for part in parts for key, value in cast("JsonObject", part["properties"]).items()}
    required = {key for part in parts for key in cast("list[str]", part["required"])}
    either: list[Json] = [each for part in parts for each in cast("list[Json]", part.get("allOf", []))]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"report.json, version {NEWEST}",
        "description": ABOUT,
        "type": "object",
        "properties": {key: properties[key] for key in KEYS},
        "required": [key for key in KEYS if key in required],
        "additionalProperties": False,
        "allOf": either,
        "$defs": dict(sorted(definitions.items())),
    }


def schema_bytes() -> bytes:
    return (json.dumps(report_schema(), indent=1, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    FILE.write_bytes(schema_bytes())
    sys.stdout.write(f"{FILE.relative_to(FILE.parents[1])} is written.\n")
