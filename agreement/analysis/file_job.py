"""The main job in one line: a crowd's file in, a folder with everything a paper needs out, and no database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from ..cleaning.decided_by_hand import NOTHING_BY_HAND, ByHand, read_by_hand
from ..cleaning.rule_set import DEFAULT as DEFAULT_RULES
from ..cleaning.rule_set import RuleSet, load_rules
from ..errors import Refused, option, remedy
from ..files.column_mapping import AS_THEY_ARE, ColumnMapping
from ..files.numbers import Scale, count_text
from ..files.problems import ChainedProblems
from ..files.reading import Source, stem_of
from ..files.table import Table
from ..judgments.crowd import Crowd
from ..judgments.file_crowd import crowd_of
from ..judgments.judgments_file import Judgments, read_judgments
from ..judgments.property_coding import Coding, read_coding
from ..judgments.pseudonyms import Pseudonyms
from ..judgments.repeated_judgments import Repeats
from ..judgments.synonyms_file import read_synonyms
from ..kinds.kind import QuestionKind
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from ..on_request import requested_analyses
from ..report.collection import Collection
from ..report.report import Source as InputSource
from ..scoring.answer_mapping.mapping_table import NO_TABLE, read_tables
from ..scoring.model_groups import grouped, read_groups
from ..scoring.probe import Probe
from ..scoring.probe_file import read_fitting_probes, refuse_namesakes
from ..scoring.probe_format import DEFAULT, ProbeOptions
from ..typical_filters import Filter
from ..warnings.warning import AnalysisWarning
from .against_reference import Reference, read_reference
from .analysis import STAGES, Analysis, NothingKept, analyse
from .output_folder import (
    NO_EXTRA_FILES,
    ExtraFiles,
    refuse_foreign,
    refuse_other_key,
    write,
    write_key,
    write_without_gold,
)
from .output_tables import csv_bytes
from .score_probes import study_items
from .workers_file import collection_from, no_row_for, read_people, read_workers, strangers, with_workers

# The whole job: read, analyse, write.

ALL_STAGES = ("reading", *STAGES, "figures")
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileJob:
    """What `analyse_file`, or `analyse` of a data frame, was asked to do. Each source is a file or a table."""

    judgments: Source
    out: Path | None = None
    name: str = ""
    items: Source | None = None
    kind: QuestionKind | None = None
    scale: Scale | None = None
    labels: tuple[str, ...] = ()
    ordered: bool = False
    repeats: Repeats = "refuse"
    rules: str | RuleSet = DEFAULT_RULES
    typical: Filter | None = None
    by_hand: Source | None = None
    reference: Source | None = None
    coding: Source | None = None
    synonyms: Source | None = None
    groups: Source | None = None
    workers: Source | None = None
    probe: tuple[Source, ...] = ()
    probe_options: ProbeOptions = DEFAULT
    answer_mapping: tuple[Source, ...] = ()
    also: tuple[str, ...] = ()
    seed: int
    replicates: int
    only_kept: bool = False
    mapping: ColumnMapping = AS_THEY_ARE
    people: Source | None = None
    fixed_workers: bool = False
    keep_ids: bool = False
    keys: bool = False
    is_of_bundle: bool = False  # our own files, whose workers keep the names that they have there
    question: str = ""  # of several: which is meant

    @property
    def sources(self) -> list[Source]:
        """All that goes in."""
        sources = (
            self.judgments,
            self.items,
            self.by_hand,
            self.people,
            self.reference,
            self.coding,
            self.synonyms,
            self.groups,
            self.workers,
            *self.answer_mapping,
            *self.probe,
        )
        return [source for source in sources if source is not None]


@dataclass(frozen=True, slots=True, eq=False)
class _Inputs:
    rules: RuleSet
    by_hand: ByHand
    crowd: Crowd
    judgments: Judgments
    collection: Collection | None
    reference: Reference | None
    probes: tuple[Probe, ...]
    warnings: tuple[AnalysisWarning, ...]
    pseudonyms: Pseudonyms


@dataclass(frozen=True, slots=True, eq=False)
class Analysed:
    """An analysis, as what its judgments were read, and who is who in it."""

    analysis: Analysis
    read: Judgments
    pseudonyms: Pseudonyms


Tell = Callable[[str], object]


def run(
    job: FileJob,
    progress: Callable[[str], None] = lambda _: None,
    beside: ExtraFiles = NO_EXTRA_FILES,
    tell: Tell = lambda _: None,
) -> Analysis:
    """Read, analyse, write; `Refused` has every reason, and then nothing was written, unless cleaning kept nothing.
    `tell` hears as what the judgments are read, and what nothing uses.
    """
    out = job.out
    if out is None:
        raise ValueError("a job that writes needs a folder")
    progress("reading")
    pseudonyms = Pseudonyms(job.seed, keep_ids=job.keep_ids or job.is_of_bundle)
    with pseudonyms.in_refusals():
        inputs = _inputs(job, pseudonyms)
        for line in reading_in_words(inputs.judgments, pseudonyms):
            tell(line)
        try:
            analysis = _analysis(job, inputs, progress)
            progress("figures")
            with _refuse_unwritable(out):
                has_ids = job.keep_ids and pseudonyms.n_kept > 0
                write(analysis, out, only_kept=job.only_kept, beside=beside, has_ids=has_ids)
                if job.keys:
                    write_key(pseudonyms, out)
        except NothingKept as nothing:
            with _refuse_unwritable(out):
                write_without_gold(nothing, out, beside)
            written = f"{out} has report.json, workers.csv and judgments.csv, which say who failed what."
            raise Refused([*nothing.marked, written]) from nothing
    return analysis


def analysed(job: FileJob, progress: Callable[[str], None] = lambda _: None) -> Analysed:
    """The same without writing anything."""
    progress("reading")
    pseudonyms = Pseudonyms(job.seed, keep_ids=job.keep_ids or job.is_of_bundle)
    with pseudonyms.in_refusals():
        inputs = _inputs(job, pseudonyms)
        return Analysed(_analysis(job, inputs, progress), inputs.judgments, pseudonyms)


def reading_in_words(read: Judgments, pseudonyms: Pseudonyms) -> list[str]:
    """As what judgments were read, what nothing uses, and what became of workers' ids."""
    lines = [read.read_as, *read.notices]
    if pseudonyms.names:
        lines.append(
            f"{count_text(len(pseudonyms.names), 'id')} of people replaced by pseudonyms (w001, w002, …):"
            f" {option('keys')} writes the key beside the folder, {option('keep-ids')} keeps them."
        )
    return lines


@contextmanager
def _refuse_unwritable(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:  # no room, no right to write there: nothing of it is left
        raise Refused(f"{option('out', str(out))}: it can't be written ({error.strerror})") from error


def _analysis(job: FileJob, inputs: _Inputs, progress: Callable[[str], None]) -> Analysis:
    return analyse(
        inputs.crowd,
        inputs.rules,
        study_name=job.name or stem_of(job.judgments),
        seed=job.seed,
        replicates=job.replicates,
        repeated=inputs.judgments.repeated,
        left_out=inputs.judgments.left_out,
        collection=inputs.collection,
        by_hand=inputs.by_hand,
        probes=inputs.probes,
        reference=inputs.reference,
        further=job.also,
        fixed_workers=job.fixed_workers,
        warnings=inputs.warnings,
        sources=[InputSource(name=source.name, sha256=_sha256(source)) for source in job.sources],
        progress=progress,
    )


class _ProblemCollector:
    """Reads one thing after another and keeps what each refuses, so that a person hears all of it at once."""

    def __init__(self) -> None:
        self.reasons: list[Sequence[str]] = []

    def read(self, reader: Callable[[], Read]) -> Read | None:
        try:
            return reader()
        except Refused as refused:
            self.reasons.append(refused.marked)
            return None


def _inputs(job: FileJob, pseudonyms: Pseudonyms) -> _Inputs:
    """Everything that can be refused, refused together. Probes and references are read against the judgments' items."""
    gathering, hide = _ProblemCollector(), pseudonyms.applied
    out, coding_source, workers_source = job.out, job.coding, job.workers
    if out is not None:
        gathering.read(lambda: refuse_foreign(out))
        gathering.read(lambda: refuse_other_key(out) if job.keys else None)
    gathering.read(lambda: requested_analyses(job.also))
    rules = gathering.read(lambda: _rules(job))
    by_hand = gathering.read(lambda: NOTHING_BY_HAND if job.by_hand is None else read_by_hand(job.by_hand))
    coding = None if coding_source is None else gathering.read(lambda: read_coding(coding_source))
    crowd_and_judgments = gathering.read(lambda: _crowd(job, coding, hide))
    workers = None if workers_source is None else gathering.read(lambda: read_workers(workers_source, hide))
    reference, collection = None, None
    probes: list[Probe] = []
    if crowd_and_judgments is not None:
        crowd, _ = crowd_and_judgments
        if (reference_source := job.reference) is not None:
            reference = gathering.read(lambda: read_reference(reference_source, crowd, hide))
        if (people := job.people) is not None:
            ids = list(map(str, crowd.workers))
            collection = gathering.read(lambda: collection_from(read_people(people, ids, pseudonyms.applied)))
        study, takes = study_items(crowd), statistics_of(crowd.kind).shapes
        answers = gathering.read(partial(read_tables, job.answer_mapping, study.answer_space)) or NO_TABLE
        study = replace(study, answer_table=answers)
        read_one = partial(read_fitting_probes, study=study, takes=takes, options=job.probe_options)
        probes = [probe for source in job.probe for probe in gathering.read(partial(read_one, source)) or ()]
        gathering.read(lambda: refuse_namesakes(probes))
    names = [probe.name for probe in probes] or [stem_of(source) for source in job.probe]
    groups = gathering.read(lambda: {} if job.groups is None else read_groups(job.groups, names)) or {}
    if rules is None or by_hand is None or crowd_and_judgments is None or gathering.reasons:
        raise Refused(ChainedProblems(gathering.reasons))
    read = tuple(grouped(probe, groups) for probe in probes)
    crowd, judgments = crowd_and_judgments
    warnings: list[AnalysisWarning] = list(_on_ids(pseudonyms)) if job.keep_ids else []
    if workers is not None and workers_source is not None:
        warnings += strangers(crowd, workers, workers_source.name)
        crowd = with_workers(crowd, workers, workers_source.name)
    if collection is not None and (note := no_row_for(crowd, collection)):
        warnings.append(note)
    by_hand = {
        pseudonyms.of(worker): replace(decision, why=pseudonyms.sentence(decision.why))
        for worker, decision in by_hand.items()
    }
    return _Inputs(rules, by_hand, crowd, judgments, collection, reference, read, tuple(warnings), pseudonyms)


def _on_ids(pseudonyms: Pseudonyms) -> Iterator[AnalysisWarning]:
    if pseudonyms.n_kept:
        ids = count_text(pseudonyms.n_kept, "id")
        yield AnalysisWarning(
            "platform_ids",
            f"These files hold {ids} by which a platform knows people, kept as they came: don't publish them.",
        )


def _rules(job: FileJob) -> RuleSet:
    rules = job.rules if isinstance(job.rules, RuleSet) else load_rules(job.rules)
    return rules if job.typical is None else replace(rules, typical=job.typical)


def _crowd(job: FileJob, coding: Coding | None, hide: Callable[[Table], Table]) -> tuple[Crowd, Judgments]:
    if job.ordered and not job.labels:
        named = remedy(
            command="--labels 'never|sometimes|always'", python='labels=["never", "sometimes", "always"]', page="labels"
        )
        raise Refused(f"{option('ordered')}: name the labels in their order too, such as {named}")
    synonyms = {} if job.synonyms is None else read_synonyms(job.synonyms)
    judgments = read_judgments(
        job.judgments,
        items_path=job.items,
        kind=job.kind,
        scale=job.scale,
        labels=job.labels,
        repeats=job.repeats,
        synonyms=synonyms,
        mapping=job.mapping,
        hide=hide,
        question=job.question,
    )
    if job.ordered and not KINDS[judgments.kind].labels_may_be_ordered:
        raise Refused(
            f"{option('ordered')} is for one label an answer (kind choice), and these are of kind {judgments.kind}"
        )
    if job.coding is not None and not KINDS[judgments.kind].has_properties:
        raise Refused(
            f"{option('coding')} is for lists of properties (kind list), and these are of kind {judgments.kind}"
        )
    crowd = replace(crowd_of(judgments), ordered=job.ordered, synonyms=synonyms, coding=coding, question=job.question)
    return crowd, judgments


def _sha256(source: Source) -> str:
    """Of a file, or of a table as a CSV; of a folder, of all files in it."""
    if isinstance(source, Table):
        return hashlib.sha256(csv_bytes(source.columns)).hexdigest()
    if source.is_dir():
        inner = sorted(path for path in source.rglob("*") if path.is_file())
        return hashlib.sha256("".join(map(_sha256, inner)).encode()).hexdigest()
    with source.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
