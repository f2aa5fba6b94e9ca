"""Cleaning, gold, agreement and ceilings of one crowd, put together: the same for a file and for the database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import pandas as pd

from ..cleaning.check_items import Checks, refuse_misfit
from ..cleaning.cleaning_run import Cleaning, Counts, clean, count
from ..cleaning.decided_by_hand import NOTHING_BY_HAND, ByHand
from ..cleaning.rule_set import RuleSet
from ..errors import Refused
from ..estimation.estimate import Undefined
from ..estimation.two_way_jackknife import with_worker_ids
from ..files.layout import NOTHING_LEFT_OUT, LeftOut
from ..gold.annotator_models import Consensus, consensus_of
from ..judgments.crowd import Crowd, Sample
from ..judgments.repeated_judgments import RepeatCounts
from ..kinds.statistics import statistics_of, words_of
from ..on_request import further_analyses
from ..on_request import requested_analyses as further_asked_for
from ..on_request.further_analysis import AnalysisInput
from ..people.agreement_report import AgreementReport, Level, Statistic
from ..report.claims import NO_CLAIMS, claims_of
from ..report.cleaning_report import applied_rules, by_hand_counts, cleaning_summary, nothing_kept, without_gold
from ..report.collection import Collection, collection_report
from ..report.collection_report import NOTHING_COLLECTED, CollectionReport
from ..report.methods import methods_text, versions
from ..report.people_and_models import Agreement
from ..report.report import GoldSummary, QuestionReport, RepeatsReport, Report, Results, ScaleEnds, Source, WithoutGold
from ..scoring.crowd_gold import gold_frame, gold_in
from ..scoring.probe import Probe
from ..scoring.score_gold import Gold
from ..scoring.similarity_matrices import MadeVectors, SimilarityMatrix, made_vectors, similarity_matrices
from ..screening.evidence import Suspect, suspects_of
from ..screening.screen import Screened
from ..typical_filters import Filter
from ..warnings import warnings_of
from ..warnings.about_labels import warnings_on_models
from ..warnings.about_rows import marked_people, marked_rows
from ..warnings.warning import AnalysisWarning
from .against_reference import Reference, against_reference, reference_of_items
from .output_tables import csv_bytes, gold_table, screened_of, workers_frame
from .reference_scores import scores_against_reference
from .run_statistics import RunStatistics, measure, without_one_worker
from .score_probes import score_probes, study_items

DEFAULT_SEED = 1
OF_PAIRS = "coefficients"  # the further analysis with a matrix of pairs of workers
DEFAULT_REPLICATES = 1_000
NO_REPEATS = RepeatCounts()
STAGES = ("cleaning", "agreement and ceilings", "gold", "scores", "writing")
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")
_NO_DISTANCE = "ordered labels have no distance, so that alpha is nominal and ordinal"

Progress = Callable[[str], None]


class NothingKept(Refused):
    """Cleaning left no judgment: there is no gold, and `report` says who failed what."""

    def __init__(self, why: str, cleaning: Cleaning, report: Report) -> None:
        super().__init__(why)
        self.cleaning = cleaning
        self.report = report

    @property
    def workers(self) -> pd.DataFrame:
        """A row per worker: who failed what."""
        return workers_frame(self.cleaning, self.screened, {})

    @property
    def screened(self) -> Undefined:
        """Nobody's answers are left that others could be held against."""
        return Undefined(str(self))


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """All that is known of a crowd. `gold_csv` is the release as its hash is taken of it."""

    study: str
    cleaning: Cleaning
    counts: Counts
    gold: pd.DataFrame
    gold_csv: bytes
    report: Report
    methods: str
    similarity_matrices: Sequence[SimilarityMatrix] = ()  # people's first, where items are pairs
    made_vectors: Sequence[MadeVectors] = ()
    warnings: Sequence[AnalysisWarning] = ()
    screened: Screened | Undefined | None = None  # None: nobody is to be told of suspects
    annotators: Mapping[str, Consensus] = field(default_factory=dict)  # the models that stand beside the majority
    answer_tables: Mapping[str, bytes] = field(default_factory=dict)  # what models' answers were mapped to, by file

    @property
    def sha256(self) -> str:
        """The hash of the gold release."""
        return self.report.results.release.sha256


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
    report_with = partial(
        _report, cleaning, counts, study_name, seed=seed, replicates=replicates, repeated=repeated, left_out=left_out,
        sources=tuple(sources), collection=collection_report(cleaning, collection),
    )  # fmt: skip
    if not counts.judgments_kept:
        raise NothingKept(why := nothing_kept(counts), cleaning, report_with(without_gold(why)))
    of_kept = partial(_of_kept, seed=seed, replicates=replicates, release_number=release_number, progress=progress)
    done = of_kept(cleaning, counts, probes, reference or reference_of_items(crowd), further)
    of_crowd = _warnings(cleaning, done.kept, collection)
    all_warnings = (*warnings, *of_crowd, *warnings_on_models(done.gold.models, crowd.labels))
    report = report_with(replace(done.results, warnings=tuple(warning.for_report() for warning in all_warnings)))
    of_gold = (study_name, cleaning, counts, done.gold.table, done.gold.csv)
    of_models = (done.matrices, made_vectors(probes), all_warnings, done.screened, done.gold.models)
    return Analysis(*of_gold, report, methods_text(report), *of_models, answer_tables(probes))


@dataclass(frozen=True, slots=True, eq=False)
class _OfKept:
    """What follows from the judgments `kept`: all results but the warnings."""

    kept: Sample
    gold: _ReleasedGold
    results: Results
    matrices: Sequence[SimilarityMatrix]
    screened: Screened | Undefined | None


def _of_kept(
    cleaning: Cleaning,
    counts: Counts,
    probes: Sequence[Probe],
    reference: Reference | str,
    further: Sequence[str],
    *,
    seed: int,
    replicates: int,
    release_number: int,
    progress: Progress,
) -> _OfKept:
    crowd, typical_filter = cleaning.crowd, cleaning.rules.typical_labels
    progress("agreement and ceilings")
    measured = measure(cleaning, seed=seed, replicates=replicates, typical_filter=typical_filter)
    progress("gold")
    named = measured.kept_of(crowd)
    gold = _gold_of(crowd, named, typical_filter)
    progress("scores")
    of_answers = AnalysisInput(measured.crowd, measured.kept, gold.scored_against, probes, study_items(crowd), seed)
    of_ids = replace(of_answers, crowd=crowd, kept=named, counted=cleaning.kept)
    matrices = similarity_matrices(of_ids.gold, crowd.scale, of_ids.study, probes)
    results = _results(cleaning, measured, of_answers, gold, reference, release_number)
    progress("writing")
    results = _with_parts_of_some(results, of_answers, of_ids, further, matrices)
    claims = claims_of(measured.crowd, measured.kept, gold.table, counts, results)
    screened = screened_of(cleaning)
    results = replace(results, claims=claims, suspects=_suspects(screened, gold.models))
    return _OfKept(named, gold, results, matrices, screened)


def answer_tables(probes: Sequence[Probe]) -> dict[str, bytes]:
    """What answers of models were mapped to, by the files' names."""
    return dict(filter(None, (probe.mapping_file() for probe in probes)))


def _suspects(screened: Screened | Undefined, models: Mapping[str, Consensus]) -> tuple[Suspect, ...] | Undefined:
    if isinstance(screened, Undefined):
        return screened
    if screened.why_not:
        return Undefined(screened.why_not)
    mace = models.get("mace")
    return suspects_of(screened, {} if mace is None else dict(enumerate(mace.accuracy.tolist())))


def _report(
    cleaning: Cleaning,
    counts: Counts,
    study_name: str,
    results: Results | WithoutGold,
    *,
    seed: int,
    replicates: int,
    repeated: RepeatCounts,
    left_out: LeftOut,
    sources: tuple[Source, ...],
    collection: CollectionReport,
) -> Report:
    """What was analysed and how it was cleaned, around the results of its question."""
    crowd = cleaning.crowd
    has_results = isinstance(results, Results)
    question = QuestionReport(
        kind=crowd.kind,
        scale=None if crowd.scale is None else ScaleEnds(low=float(crowd.scale.low), high=float(crowd.scale.high)),
        labels=crowd.labels,
        synonyms={spelling: tuple(labels) for spelling, labels in crowd.synonyms.items()},
        repeats=RepeatsReport(answers=repeated.answers, told_by=repeated.told_by, policy=crowd.repeats),
        coding=crowd.coding.summary() if crowd.coding is not None and has_results else None,
        results=results,
        question=crowd.question,
    )
    return Report(
        study=study_name,
        rules=applied_rules(cleaning.rules),
        seed=seed,
        replicates=replicates,
        fixed_workers=crowd.fixed_workers,
        left_out_in_reading=None if left_out == NOTHING_LEFT_OUT else left_out,
        counts=counts,
        cleaning=cleaning_summary(cleaning, counts),
        by_hand=by_hand_counts(cleaning),
        inputs=sources,
        versions=versions(),
        collection=collection if has_results else NOTHING_COLLECTED,
        questions=(question,),
    )


def _results(
    cleaning: Cleaning,
    measured: RunStatistics,
    of_answers: AnalysisInput,
    gold: _ReleasedGold,
    reference: Reference | str,
    release_number: int,
) -> Results:
    """Agreement, ceilings and scores, which every crowd has; workers by their ids."""
    crowd, kept, seed, probes = measured.crowd, measured.kept, of_answers.seed, of_answers.probes
    typical_filter = cleaning.rules.typical_labels
    reference = reference if isinstance(reference, str) else reference.filtered_by(gold.scored_against.typical_filter)
    scored = score_probes(crowd, kept, gold.scored_against, probes, seed=seed)
    of_people = against_reference(crowd, kept, gold.scored_against, reference, seed=seed)
    of_all = scores_against_reference(crowd, kept, gold.scored_against, reference, probes, seed=seed)
    results = Results(
        agreement=Agreement(
            raw=_report_with_ids(measured.raw, measured.raw_crowd),
            cleaned=_report_with_ids(measured.cleaned, measured.crowd),
        ),
        ceiling=measured.ceiling(of_people),
        influence=without_one_worker(cleaning, measured, seed=seed, typical_filter=typical_filter),
        scores=scored.scores,
        probes=scored.probes,
        comparisons=scored.comparisons,
        groups=scored.groups,
        against_reference=of_all,
        beside_majority={name: model.method for name, model in gold.models.items()},
        release=GoldSummary(number=release_number, sha256=gold.sha256),
        claims=NO_CLAIMS,
        warnings=(),
    )
    return with_worker_ids(results, crowd.workers)


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


def _gold_of(crowd: Crowd, kept: Sample, typical_filter: Filter) -> _ReleasedGold:
    models = consensus_of(
        statistics_of(crowd.kind).annotator_models, kept.item, kept.worker, kept.answers, crowd.n_items, crowd.labels
    )
    table = gold_frame(crowd, kept, typical_filter, models)
    csv = csv_bytes(gold_table(table))
    sha256 = hashlib.sha256(csv).hexdigest()
    return _ReleasedGold(table, csv, sha256, gold_in(table, crowd, typical_filter).pinned(sha256), models)


def _with_parts_of_some(
    results: Results,
    of_answers: AnalysisInput,
    of_ids: AnalysisInput,
    further: Sequence[str],
    matrices: Sequence[SimilarityMatrix],
) -> Results:
    """What a report has where there is something to say: of a kind, of pairs of terms, or what was asked for.

    Workers stand in the order of their answers in `of_answers`, and in that of their ids in `of_ids`.
    """
    crowd, kept, kind = of_answers.crowd, of_answers.kept, statistics_of(of_answers.crowd.kind)
    also = further_analyses(further_asked_for(further), of_ids)
    return replace(
        results,
        size_threshold=None if kind.size_threshold is None else kind.size_threshold(crowd, kept, of_ids.seed),
        property_entries=None if kind.property_entries is None else kind.property_entries(crowd, kept),
        further=with_worker_ids(also.further, of_ids.crowd.workers),
        alt_test=with_worker_ids(also.alt_test, of_ids.crowd.workers),
        similarity_matrix=matrices[0].about() if matrices else None,
    )


def _report_with_ids(report: AgreementReport, crowd: Crowd) -> AgreementReport:
    """The report with workers' ids in the place of their codes, and all four levels of alpha."""
    none = Statistic(Undefined(_NO_DISTANCE if crowd.ordered else words_of(crowd.kind).no_other_alpha))
    missing = {level: none for level in LEVELS if level not in report.krippendorff_alpha}
    code = report.counts.busiest_worker
    counts = replace(report.counts, busiest_worker=str(crowd.workers[code]) if isinstance(code, int) else code)
    alphas = {**report.krippendorff_alpha, **missing}
    return with_worker_ids(replace(report, counts=counts, krippendorff_alpha=alphas), crowd.workers)
