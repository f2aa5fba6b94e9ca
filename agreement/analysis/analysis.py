"""Cleaning, gold, agreement and ceilings of one crowd, put together: the same for a file and for the database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from ..cleaning.cleaning_run import Cleaning, clean
from ..cleaning.decided_by_hand import NOTHING_BY_HAND, ByHand
from ..cleaning.exclusion_counts import Counts, count
from ..cleaning.rule_set import RuleSet
from ..cleaning.rules_fit_checks import Checks, refuse_misfit
from ..errors import Refused
from ..estimation.most_influential import with_worker_ids
from ..files.layout import NOTHING_LEFT_OUT, LeftOut
from ..gold.annotator_models import Consensus, consensus_of
from ..judgments.crowd import Crowd, Sample
from ..judgments.repeated_judgments import RepeatCounts
from ..kinds.statistics import statistics_of
from ..kinds.words import words_of
from ..on_request import asked_for as further_asked_for
from ..on_request import further_analyses
from ..on_request.further_analysis import AnalysisInput
from ..people.agreement_report import AgreementReport
from ..report.claims import claims_of
from ..report.cleaning_report import asked_for, cleaning_parts, nothing_kept, without_gold
from ..report.collection import Collection, described
from ..report.methods import methods_text, versions
from ..scoring.crowd_gold import gold_frame, gold_in
from ..scoring.probe import Probe
from ..scoring.score_gold import Gold
from ..scoring.similarity_matrices import (
    MadeVectors,
    SimilarityMatrix,
    made_vectors,
    similarity_matrices,
)
from ..typical_filters import Filter
from ..warnings import warnings_of
from ..warnings.about_labels import warnings_on_models
from ..warnings.about_marked_rows import marked_people, marked_rows
from ..warnings.warning import AnalysisWarning
from .against_reference import Reference, against_reference, reference_of_items
from .output_tables import csv_bytes, gold_table
from .reference_scores import scores_against_reference
from .report_frames import workers_frame
from .run_statistics import measure
from .score_probes import score_probes, study_items
from .without_one_worker import without_one_worker

DEFAULT_SEED = 1
OF_PAIRS = "coefficients"  # the further analysis with a matrix of pairs of workers
DEFAULT_REPLICATES = 1_000
NO_REPEATS = RepeatCounts()
STAGES = ("cleaning", "agreement and ceilings", "gold", "scores", "writing")
LEVELS = ("nominal", "ordinal", "interval", "ratio")
_NO_DISTANCE = "ordered labels have no distance, so that alpha is nominal and ordinal"

Progress = Callable[[str], None]


class NothingKept(Refused):
    """Cleaning left no judgment: there is no gold, and `report` says who failed what."""

    def __init__(self, why: str, cleaning: Cleaning, report: dict[str, Any]) -> None:
        super().__init__(why)
        self.cleaning = cleaning
        self.report = report

    @property
    def workers(self) -> pd.DataFrame:
        """A row per worker: who failed what."""
        return workers_frame(self.cleaning)


@dataclass(frozen=True, slots=True)
class Source:
    """A file that went into an analysis, and its SHA-256."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """All that is known of a crowd. `gold_csv` is the release as its hash is taken of it."""

    study: str
    cleaning: Cleaning
    counts: Counts
    gold: pd.DataFrame
    gold_csv: bytes
    report: dict[str, Any]
    methods: str
    similarity_matrices: Sequence[SimilarityMatrix] = ()  # people's first, where items are pairs
    made_vectors: Sequence[MadeVectors] = ()
    warnings: Sequence[AnalysisWarning] = ()

    @property
    def sha256(self) -> str:
        """The hash of the gold release."""
        return str(self.report["release"]["sha256"])


def analyse(
    crowd: Crowd,
    rules: RuleSet,
    *,
    study_name: str,
    seed: int = DEFAULT_SEED,
    replicates: int = DEFAULT_REPLICATES,
    repeated: RepeatCounts = NO_REPEATS,
    left_out: LeftOut = NOTHING_LEFT_OUT,
    release_number: int = 1,
    by_hand: ByHand = NOTHING_BY_HAND,
    probes: Sequence[Probe] = (),
    reference: Reference | str | None = None,
    sources: Sequence[Source] = (),
    collection: Collection | None = None,
    further: Sequence[str] = (),
    fixed_workers: bool = False,
    warnings: Sequence[AnalysisWarning] = (),
    progress: Progress = lambda _: None,
) -> Analysis:
    """Clean the crowd by the rules and measure what is left. The same inputs and seed give the same bytes.

    `repeated` tells of the answers that `crowd.repeats` dealt with before, `left_out` of what else was left out when
    they were read, `collection` of how a study's judgments came about. `further` names analyses beside the report, as
    `--also` does. `warnings` are of reading. With `fixed_workers` the pairs of them are among these.
    """
    if fixed_workers:
        crowd, further = replace(crowd, fixed_workers=True), (*further, OF_PAIRS)
    progress("cleaning")
    refuse_misfit(rules, Checks.of(crowd))
    cleaning = clean(crowd, rules, by_hand)
    counts = count(cleaning)
    begun = {
        **asked_for(crowd, rules, study_name, seed=seed, replicates=replicates),
        "repeats": {**asdict(repeated), "policy": crowd.repeats},
        **({} if left_out == NOTHING_LEFT_OUT else {"left_out_in_reading": asdict(left_out)}),
        **cleaning_parts(cleaning, counts),
    }
    ended = {"inputs": [asdict(source) for source in sources], "versions": versions()}
    if not counts.judgments_kept:
        raise NothingKept(why := nothing_kept(counts), cleaning, {**begun, **without_gold(why), **ended})
    progress("agreement and ceilings")
    measured = measure(cleaning, seed=seed, replicates=replicates, how=rules.typical_labels)
    progress("gold")
    named = measured.kept_of(crowd)
    gold = _gold_of(crowd, named, rules.typical_labels)
    progress("scores")
    of_answers = AnalysisInput(measured.crowd, measured.kept, gold.scored_against, probes, study_items(crowd), seed)
    given = replace(of_answers, crowd=crowd, kept=named)
    of_people, scores = _scores(of_answers, reference or reference_of_items(crowd))
    ceiling = {**measured.ceiling, "reference": of_people}
    progress("writing")
    matrices = similarity_matrices(given.gold, crowd.scale, given.study, probes)
    report = {
        **begun,
        "agreement": {
            "raw": _named(measured.raw, measured.raw_crowd),
            "cleaned": _named(measured.cleaned, measured.crowd),
        },
        "ceiling": with_worker_ids(ceiling, measured.crowd.workers),
        "influence": without_one_worker(cleaning, measured, seed=seed, how=rules.typical_labels),
        **scores,
        "beside_majority": {name: model.method for name, model in gold.models.items()},
        "release": {"number": release_number, "sha256": gold.sha256},
        **ended,
        **_parts_of_some_crowds(of_answers, given, cleaning, collection, further, matrices),
    }
    report["claims"] = claims_of(measured.crowd, measured.kept, gold.table, report)
    found = (*warnings, *_warnings(cleaning, named, collection), *warnings_on_models(gold.models, crowd.labels))
    report["warnings"] = [warning.as_dict() for warning in found]
    methods = methods_text(report)
    made = made_vectors(probes)
    return Analysis(study_name, cleaning, counts, gold.table, gold.csv, report, methods, matrices, made, found)


def _warnings(cleaning: Cleaning, named: Sample, collection: Collection | None) -> Iterator[AnalysisWarning]:
    """On the judgments that are kept: `named` are those of which gold is made."""
    yield from marked_rows(cleaning.crowd, cleaning.kept)
    if collection is not None:
        yield from marked_people(cleaning.crowd, cleaning.kept, collection.not_valid)
    yield from warnings_of(cleaning.crowd, named)


@dataclass(frozen=True, slots=True, eq=False)
class _ReleasedGold:
    """The gold of a release: its table, gold.csv and its hash, what models are scored against, and the models of
    annotators that stand beside the majority.
    """

    table: pd.DataFrame
    csv: bytes
    sha256: str
    scored_against: Gold
    models: Mapping[str, Consensus]


def _gold_of(crowd: Crowd, kept: Sample, how: Filter) -> _ReleasedGold:
    models = consensus_of(
        statistics_of(crowd.kind).annotator_models, kept.item, kept.worker, kept.answers, crowd.n_items, crowd.labels
    )
    table = gold_frame(crowd, kept, how, models)
    csv = csv_bytes(gold_table(table))
    sha256 = hashlib.sha256(csv).hexdigest()
    return _ReleasedGold(table, csv, sha256, gold_in(table, crowd, how).pinned(sha256), models)


def _scores(given: AnalysisInput, reference: Reference | str) -> tuple[dict[str, Any], dict[str, Any]]:
    """People against the reference; and the parts of the report that score models, with and without one."""
    crowd, kept, gold, probes, seed = given.crowd, given.kept, given.gold, given.probes, given.seed
    scores = score_probes(crowd, kept, gold, probes, seed=seed)
    reference = reference if isinstance(reference, str) else reference.filtered_by(gold.how)
    of_people = against_reference(crowd, kept, gold, reference, seed=seed)
    of_all = scores_against_reference(crowd, kept, gold, reference, probes, seed=seed)
    return of_people, with_worker_ids({**scores, "against_reference": of_all}, crowd.workers)


def _parts_of_some_crowds(
    of_answers: AnalysisInput,
    given: AnalysisInput,
    cleaning: Cleaning,
    collection: Collection | None,
    further: Sequence[str],
    matrices: Sequence[SimilarityMatrix],
) -> dict[str, Any]:
    """What a report has where there is something to say: of coded properties, a kind, a study, or what was chosen.

    Workers stand in the order of their answers in `of_answers`, and in that of their ids in `given`.
    """
    crowd = given.crowd
    parts: dict[str, Any] = {}
    if crowd.coding is not None:
        parts["coding"] = crowd.coding.as_dict()
    parts |= statistics_of(crowd.kind).more_of_report(of_answers.crowd, of_answers.kept, given.seed)
    if collected := described(cleaning, collection):
        parts["collection"] = collected
    if also := further_asked_for(further):
        parts |= with_worker_ids(further_analyses(also, given), crowd.workers)
    if matrices:
        parts["similarity_matrix"] = matrices[0].about()
    return parts


def _named(report: AgreementReport, crowd: Crowd) -> dict[str, Any]:
    """The report with workers' ids in the place of their codes, and all four levels of alpha."""
    given, none = report.as_dict(), _NO_DISTANCE if crowd.ordered else words_of(crowd.kind).no_other_alpha
    for level in LEVELS:
        given["krippendorff_alpha"].setdefault(level, {"undefined": none})
    code = given["counts"]["busiest_worker"]
    given["counts"]["busiest_worker"] = None if code is None else str(crowd.workers[code])
    return dict(with_worker_ids(given, crowd.workers))
