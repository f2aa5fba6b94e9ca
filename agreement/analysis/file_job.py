"""The main job in one line: a crowd's file in, a folder with everything a paper needs out, and no database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from ..cleaning.decided_by_hand import NOTHING_BY_HAND, ByHand, read_by_hand
from ..cleaning.rule_set import DEFAULT as DEFAULT_RULES
from ..cleaning.rule_set import RuleSet, load_rules
from ..errors import Refused, option, remedy
from ..files.column_mapping import AS_THEY_ARE, ColumnMapping
from ..files.layout import LeftOut
from ..files.numbers import Scale
from ..files.problems import ChainedProblems
from ..files.table import Column
from ..judgments.crowd import EXTRA_COLUMNS, Crowd
from ..judgments.judgments_file import OF_THE_ITEM, Judgments, read_judgments
from ..judgments.property_coding import Coding, read_coding
from ..judgments.repeated_judgments import RepeatCounts, Repeats
from ..judgments.synonyms_file import read_synonyms
from ..kinds.data import data_of
from ..kinds.kind import QuestionKind
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from ..on_request import requested_analyses
from ..report.collection import Collection
from ..report.report import Source
from ..scoring.model_groups import grouped, read_groups
from ..scoring.probe import Probe
from ..scoring.probe_file import read_fitting_probe
from ..scoring.probe_format import DEFAULT, ProbeOptions
from ..typical_filters import Filter
from ..warnings.warning import AnalysisWarning
from .against_reference import Reference, read_reference
from .analysis import STAGES, Analysis, NothingKept, analyse
from .output_folder import NO_EXTRA_FILES, ExtraFiles, refuse_foreign, write, write_without_gold
from .score_probes import study_items
from .workers_file import collection_from, no_row_for, read_people, read_workers, strangers, with_workers

# From the judgments of a file to a `Crowd`.

# Columns that our own judgments.csv adds: made anew by every cleaning, so never taken for a judgment's own.
_MADE_ANEW = ("kept", "reason")


def crowd_of(judgments: Judgments) -> Crowd:
    """The crowd that a file holds; columns of text stay dictionary-encoded, as categoricals."""
    table = judgments.table
    extras: dict[str, object] = {"response_ms": judgments.response_ms}
    for name in EXTRA_COLUMNS[1:]:
        extras[name] = _categorical(table.columns.get(name, _blank_column(len(table))))
    of_the_item = {"item_id", *OF_THE_ITEM} & {"item_id", *judgments.items.frame.columns}
    answers = data_of(judgments.kind).columns.among(table.columns)
    taken = {"worker_id", "value", *answers, *of_the_item, *EXTRA_COLUMNS, *_MADE_ANEW}
    for name, column in table.columns.items():
        if name not in taken:
            extras[name] = _categorical(column)
    return Crowd(
        kind=judgments.kind,
        scale=judgments.scale,
        labels=judgments.labels,
        items=judgments.items.frame,
        workers=pd.Index(list(judgments.worker.values), dtype=object),
        worker=judgments.worker.codes,
        item=judgments.item,
        answers=judgments.answers,
        extras=pd.DataFrame(extras, index=pd.RangeIndex(len(table))),
        repeats=judgments.repeats,
    )


def _blank_column(count: int) -> Column:
    return Column(np.zeros(count, dtype=np.int32), [""])


def _categorical(column: Column) -> pd.Categorical:
    return pd.Categorical.from_codes(column.codes, categories=pd.Index(list(column.values), dtype=object))


# The whole job: read, analyse, write.

ALL_STAGES = ("reading", *STAGES, "figures")
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileJob:
    """What `analyse_file` was asked to do."""

    judgments: Path
    out: Path
    items: Path | None = None
    kind: QuestionKind | None = None
    scale: Scale | None = None
    labels: tuple[str, ...] = ()
    ordered: bool = False
    repeats: Repeats = "refuse"
    rules: str = DEFAULT_RULES
    typical: Filter | None = None
    by_hand: Path | None = None
    reference: Path | None = None
    coding: Path | None = None
    synonyms: Path | None = None
    groups: Path | None = None
    workers: Path | None = None
    probe: tuple[Path, ...] = ()
    probe_options: ProbeOptions = DEFAULT
    also: tuple[str, ...] = ()
    seed: int
    replicates: int
    only_kept: bool = False
    mapping: ColumnMapping = AS_THEY_ARE
    people: Path | None = None
    fixed_workers: bool = False
    question: str = ""  # of several: which is meant

    @property
    def files(self) -> list[Path]:
        """Every file that goes in."""
        paths = (
            self.judgments,
            self.items,
            self.by_hand,
            self.people,
            self.reference,
            self.coding,
            self.synonyms,
            self.groups,
            self.workers,
            *self.probe,
        )
        return [path for path in paths if path is not None]


@dataclass(frozen=True, slots=True, eq=False)
class _Inputs:
    rules: RuleSet
    by_hand: ByHand
    crowd: Crowd
    repeated: RepeatCounts
    left_out: LeftOut
    collection: Collection | None
    reference: Reference | None
    probes: tuple[Probe, ...]
    warnings: tuple[AnalysisWarning, ...]


def run(
    job: FileJob, progress: Callable[[str], None] = lambda _: None, beside: ExtraFiles = NO_EXTRA_FILES
) -> Analysis:
    """Read, analyse, write; `Refused` has every reason, and then nothing was written, unless cleaning kept nothing."""
    progress("reading")
    inputs = _inputs(job)
    try:
        analysis = _analysis(job, inputs, progress)
        progress("figures")
        with _refuse_unwritable(job.out):
            write(analysis, job.out, only_kept=job.only_kept, beside=beside)
    except NothingKept as nothing:
        with _refuse_unwritable(job.out):
            write_without_gold(nothing, job.out)
        written = f"{job.out} has report.json, workers.csv and judgments.csv, which say who failed what."
        raise Refused([*nothing.marked, written]) from nothing
    return analysis


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
        study_name=job.judgments.stem,
        seed=job.seed,
        replicates=job.replicates,
        repeated=inputs.repeated,
        left_out=inputs.left_out,
        collection=inputs.collection,
        by_hand=inputs.by_hand,
        probes=inputs.probes,
        reference=inputs.reference,
        further=job.also,
        fixed_workers=job.fixed_workers,
        warnings=inputs.warnings,
        sources=[Source(name=path.name, sha256=_sha256(path)) for path in job.files],
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


def _inputs(job: FileJob) -> _Inputs:
    """Everything that can be refused, refused together. Probes and references are read against the judgments' items."""
    gathering = _ProblemCollector()
    gathering.read(lambda: refuse_foreign(job.out))
    gathering.read(lambda: _refuse_namesakes(job.probe))
    gathering.read(lambda: requested_analyses(job.also))
    rules = gathering.read(lambda: _rules(job))
    by_hand = gathering.read(lambda: NOTHING_BY_HAND if job.by_hand is None else read_by_hand(job.by_hand))
    coding = None if job.coding is None else gathering.read(partial(read_coding, job.coding))
    crowd_and_counts = gathering.read(lambda: _crowd(job, coding))
    workers = None if job.workers is None else gathering.read(partial(read_workers, job.workers))
    reference, collection, probes = None, None, []
    if crowd_and_counts is not None:
        crowd, *_ = crowd_and_counts
        if job.reference is not None:
            path = job.reference
            reference = gathering.read(lambda: read_reference(path, crowd))
        if job.people is not None:
            people = job.people
            collection = gathering.read(lambda: collection_from(read_people(people, list(map(str, crowd.workers)))))
        study, options = study_items(crowd), job.probe_options
        takes = statistics_of(crowd.kind).shapes
        read_one = partial(read_fitting_probe, study=study, takes=takes, options=options)
        probes = [gathering.read(partial(read_one, path)) for path in job.probe]
    names = [path.stem for path in job.probe]
    groups = gathering.read(lambda: {} if job.groups is None else read_groups(job.groups, names)) or {}
    if rules is None or by_hand is None or crowd_and_counts is None or gathering.reasons:
        raise Refused(ChainedProblems(gathering.reasons))
    read = tuple(grouped(probe, groups) for probe in probes if probe is not None)
    crowd, repeated, left_out = crowd_and_counts
    warnings: list[AnalysisWarning] = []
    if workers is not None and job.workers is not None:
        warnings += strangers(crowd, workers, job.workers.name)
        crowd = with_workers(crowd, workers, job.workers.name)
    if collection is not None and (note := no_row_for(crowd, collection)):
        warnings.append(note)
    return _Inputs(rules, by_hand, crowd, repeated, left_out, collection, reference, read, tuple(warnings))


def _rules(job: FileJob) -> RuleSet:
    rules = load_rules(job.rules)
    return rules if job.typical is None else replace(rules, typical=job.typical)


def _crowd(job: FileJob, coding: Coding | None) -> tuple[Crowd, RepeatCounts, LeftOut]:
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
        question=job.question,
    )
    if job.ordered and not statistics_of(judgments.kind).labels_may_be_ordered:
        raise Refused(
            f"{option('ordered')} is for one label an answer (kind choice), and these are of kind {judgments.kind}"
        )
    if job.coding is not None and not KINDS[judgments.kind].has_properties:
        raise Refused(
            f"{option('coding')} is for lists of properties (kind list), and these are of kind {judgments.kind}"
        )
    crowd = replace(crowd_of(judgments), ordered=job.ordered, synonyms=synonyms, coding=coding, question=job.question)
    return crowd, judgments.repeated, judgments.left_out


def _refuse_namesakes(probes: Sequence[Path]) -> None:
    names = [path.stem for path in probes]
    again = sorted({name for name in names if names.count(name) > 1})
    if again:
        raise Refused(
            [f"{option('probe')}: two files are named {name}; scores are told apart by the name" for name in again]
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
