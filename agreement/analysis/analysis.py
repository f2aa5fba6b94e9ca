"""Cleaning, gold, agreement and ceilings of one crowd, put together: the same for a file and for the database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from agreement.analysis.against_reference import Reference, against_reference, reference_of_items
from agreement.analysis.claims import claims_of
from agreement.analysis.cleaning_report import asked_for, cleaning_parts, nothing_kept, without_gold
from agreement.analysis.collection import Collection, described
from agreement.analysis.further import asked_for as further_asked_for
from agreement.analysis.further import further_analyses
from agreement.analysis.further_analysis import Given
from agreement.analysis.methods import methods_text, versions
from agreement.analysis.output_tables import csv_bytes, gold_table
from agreement.analysis.reference_scores import scores_against_reference
from agreement.analysis.run_statistics import measure
from agreement.analysis.score_probes import score_probes, study_items
from agreement.analysis.similarity_matrices import (
    MadeVectors,
    SimilarityMatrix,
    made_vectors,
    similarity_matrices,
)
from agreement.analysis.warnings_of import warnings_of
from agreement.analysis.warnings_of.about_labels import warnings_on_models
from agreement.analysis.worker_names import with_worker_ids
from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.decided_by_hand import NOTHING_BY_HAND, ByHand
from agreement.cleaning.exclusion_counts import Counts, count
from agreement.cleaning.rule_set import RuleSet
from agreement.cleaning.rules_fit_checks import Checks, refuse_misfit
from agreement.crowd import Crowd
from agreement.gold.annotator_models import consensus_of
from agreement.gold.gold_table import gold_of
from agreement.scoring.probe import Probe
from agreement.scoring.score_gold import gold_from_table
from agreement.stats.agreement_report import AgreementReport
from annotation.errors import Refused
from questions.statistics import statistics_of
from questions.words import words_of
from tables.layout import NOTHING_LEFT_OUT, LeftOut
from tables.repeats import Repeated

DEFAULT_SEED = 1
OF_PAIRS = "coefficients"  # the further analysis with a matrix of pairs of workers
DEFAULT_REPLICATES = 1_000
NO_REPEATS = Repeated()
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
    repeated: Repeated = NO_REPEATS,
    left_out: LeftOut = NOTHING_LEFT_OUT,
    release_number: int = 1,
    by_hand: ByHand = NOTHING_BY_HAND,
    probes: Sequence[Probe] = (),
    reference: Reference | str | None = None,
    sources: Sequence[Source] = (),
    collection: Collection | None = None,
    further: Sequence[str] = (),
    fixed_workers: bool = False,
    progress: Progress = lambda _: None,
) -> Analysis:
    """Clean the crowd by the rules and measure what is left. The same inputs and seed give the same bytes.

    `repeated` tells of the answers that `crowd.repeats` dealt with before, `left_out` of what else was left out when
    they were read, `collection` of how a study's judgments came about. `further` names analyses beside the report, as
    `--also` does. With `fixed_workers` the pairs of them are among these.
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
    ordered, kept, named = measured.crowd, measured.kept, measured.kept_of(crowd)
    kind, asked = statistics_of(crowd.kind), (kept.item, named.worker, kept.answers, crowd.n_items, crowd.labels)
    models = consensus_of(kind.annotator_models, *asked)
    how = rules.typical_labels
    gold = gold_of(
        kind.gold_table, *asked, items=crowd.items, scale=crowd.scale, how=how, beside=models, coding=crowd.coding
    )
    progress("scores")
    gold_csv = csv_bytes(gold_table(gold))
    sha256 = hashlib.sha256(gold_csv).hexdigest()
    release = gold_from_table(kind.read_gold, crowd.kind, kind.gold_columns, gold, crowd.labels, how=how)
    scored = score_probes(ordered, kept, release.pinned(sha256), probes, seed=seed)
    reference = reference or reference_of_items(crowd)
    reference = reference if isinstance(reference, str) else reference.filtered_by(how)
    beside = against_reference(ordered, kept, release, reference, seed=seed)
    all_beside = scores_against_reference(ordered, kept, release, reference, probes, seed=seed)
    progress("writing")
    report = {
        **begun,
        "agreement": {"raw": _named(measured.raw, measured.raw_crowd), "cleaned": _named(measured.cleaned, ordered)},
        "ceiling": {**measured.ceiling, "reference": beside},
        **scored,
        "against_reference": all_beside,
        "beside_majority": {name: model.method for name, model in models.items()},
        "release": {"number": release_number, "sha256": sha256},
        **ended,
    }
    if crowd.coding is not None:
        report["coding"] = crowd.coding.as_dict()
    report |= kind.more_of_report(ordered, kept, seed)
    report = with_worker_ids(report, ordered.workers)
    if collected := described(cleaning, collection):
        report["collection"] = collected
    if also := further_asked_for(further):
        given = Given(crowd, named, release, probes, study_items(crowd), seed)
        report["further"] = with_worker_ids(further_analyses(also, given), crowd.workers)
    matrices = similarity_matrices(release, crowd.scale, study_items(crowd), probes)
    if matrices:
        report["similarity_matrix"] = matrices[0].about()
    report["claims"] = claims_of(ordered, kept, gold, report)
    found = [*warnings_of(crowd, named), *warnings_on_models(models, crowd.labels)]
    report["warnings"] = [asdict(warned) for warned in found]
    methods = methods_text(report)
    return Analysis(study_name, cleaning, counts, gold, gold_csv, report, methods, matrices, made_vectors(probes))


def _named(report: AgreementReport, crowd: Crowd) -> dict[str, Any]:
    """The report with workers' ids in the place of their codes, and all four levels of alpha."""
    given, none = report.as_dict(), _NO_DISTANCE if crowd.ordered else words_of(crowd.kind).no_other_alpha
    for level in LEVELS:
        given["krippendorff_alpha"].setdefault(level, {"undefined": none})
    code = given["counts"]["busiest_worker"]
    given["counts"]["busiest_worker"] = None if code is None else str(crowd.workers[code])
    return dict(with_worker_ids(given, crowd.workers))
