"""Models held against labels or numbers from elsewhere, with nobody's judgments: the work of `score_file`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from ..errors import Refused
from ..files.cell_texts import Synonyms, in_labels, split_bars
from ..files.items_file import parse_items, read_items_table
from ..files.numbers import PER_CENT, decimal_of
from ..files.problems import Problems, refuse_if_any
from ..files.table import Table, encode
from ..files.writing import csv_chunks
from ..judgments.crowd import Crowd
from ..judgments.synonyms_file import read_synonyms, wrong_synonyms
from ..kinds.kind import QuestionKind
from ..kinds.options import most_options, options_of_items, own_labels, refuse_wrong_options
from ..kinds.registry import KINDS
from ..kinds.statistics import statistics_of
from ..report.markdown import markdown_document
from ..report.methods import versions
from ..report.people_and_models import AgainstReference
from ..report.report import Source
from ..report.score_tables import reference_text
from ..scoring.answer_mapping.mapping_table import read_tables
from ..scoring.model_groups import grouped, read_groups
from ..scoring.probe import Probe
from ..scoring.probe_file import read_fitting_probes, refuse_namesakes
from ..scoring.probe_format import DEFAULT, ProbeOptions
from ..typed_json import object_of
from ..typical_filters import AS_PUBLISHED, Filter
from .against_reference import read_reference
from .analysis import answer_tables
from .output_folder import json_bytes, refuse_foreign, write_all
from .reference_scores import scores_of_models_alone
from .score_probes import study_items

COLUMNS = (
    "kind", "name", "metric", "breakdown", "group", "estimate", "low", "high", "n", "chance", "undefined", "method",
)  # fmt: skip
REFERENCE = "reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsJob:
    """What `score_file` was asked to do."""

    probe: tuple[Path, ...]
    reference: Path
    out: Path | None = None
    kind: QuestionKind | None = None
    labels: tuple[str, ...] = ()
    synonyms: Path | None = None
    groups: Path | None = None
    typical: Filter = AS_PUBLISHED
    probe_options: ProbeOptions = DEFAULT
    answer_mapping: tuple[Path, ...] = ()

    @property
    def files(self) -> list[Path]:
        paths = (self.reference, self.synonyms, self.groups, *self.answer_mapping, *self.probe)
        return [path for path in paths if path is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsReport:
    """report.json of `score_file`."""

    reference: str
    kind: QuestionKind
    labels: tuple[str, ...]
    synonyms: Synonyms
    typical: Filter
    against_reference: AgainstReference
    inputs: tuple[Source, ...]
    versions: Mapping[str, str]


def run(job: ModelsJob) -> ModelsReport:
    """The report, written to a folder if one is named; `Refused` with every reason, and then nothing was written."""
    if job.out is not None:
        refuse_foreign(job.out)
    synonyms = {} if job.synonyms is None else read_synonyms(job.synonyms)
    crowd = crowd_without_judgments(job, synonyms)
    reference = read_reference(job.reference, crowd).filtered_by(job.typical)
    study, takes = study_items(crowd), statistics_of(crowd.kind).shapes
    study = replace(study, answer_table=read_tables(job.answer_mapping, study.answer_space))
    read = [read_fitting_probes(path, study, takes, options=job.probe_options) for path in job.probe]
    probes = [probe for of_file in read for probe in of_file]
    refuse_namesakes(probes)
    groups = {} if job.groups is None else read_groups(job.groups, [probe.name for probe in probes])
    probes = [grouped(probe, groups) for probe in probes]
    inputs = (Source(name=path.name, sha256=hashlib.sha256(path.read_bytes()).hexdigest()) for path in job.files)
    report = ModelsReport(
        reference=job.reference.name,
        kind=crowd.kind,
        labels=crowd.labels,
        synonyms=synonyms,
        typical=job.typical,
        against_reference=scores_of_models_alone(study, reference, probes),
        inputs=tuple(inputs),
        versions=versions(),
    )
    if job.out is not None:
        write_all(_files(report, probes), job.out)
    return report


def crowd_without_judgments(job: ModelsJob, synonyms: Synonyms) -> Crowd:
    """The items of the reference's file, and no judgment of them."""
    problems = Problems(job.reference.name)
    table = read_items_table(job.reference, problems)
    items = parse_items(table, problems) if table is not None else None
    refuse_if_any(problems)
    assert table is not None  # noqa: S101 - without a table there is a problem, and it was just raised
    assert items is not None  # noqa: S101 - the same
    kind = job.kind or _guessed_kind(table)
    references = [in_labels(str(cell), synonyms) for cell in items.frame[REFERENCE]]
    labels = job.labels or tuple(sorted({label for cell in references if cell.strip() for label in split_bars(cell)}))
    labels = labels if KINDS[kind].has_labels else ()
    refuse_wrong_options(kind, job.labels, items.frame, table.rows, problems)
    refuse_if_any(problems)
    if (options := options_of_items(kind, job.labels, items.frame)) is not None:
        labels = own_labels(most_options(options))
    if wrong := wrong_synonyms(synonyms, kind, labels):
        raise Refused(wrong)
    return Crowd(
        kind=kind,
        scale=PER_CENT if KINDS[kind].has_scale else None,
        labels=labels,
        items=items.frame,
        workers=pd.Index([], dtype=object),
        worker=np.zeros(0, dtype=np.int32),
        item=np.zeros(0, dtype=np.int32),
        answers=np.zeros(0),
        extras=pd.DataFrame(index=pd.RangeIndex(0)),
        repeats="refuse",
        synonyms=synonyms,
    )


def _guessed_kind(table: Table) -> QuestionKind:
    """Numbers are a slider's; several labels to an item are choices, else each item has one."""
    if REFERENCE not in table.columns:
        return "slider"
    values = [value for value in table.columns[REFERENCE].values if value.strip()]
    if all(decimal_of(value) is not None for value in values):
        return "slider"
    return "choices" if any("|" in value for value in values) else "choice"


def _files(report: ModelsReport, probes: Sequence[Probe]) -> dict[str, Iterable[bytes]]:
    rows = [object_of(score) for score in report.against_reference.scores]
    columns = {name: encode([_cell(row.get(name)) for row in rows], len(rows)) for name in COLUMNS}
    methods = f"# Models against {report.reference}\n\n{reference_text(report.against_reference)}\n"
    return {
        "report.json": [json_bytes(object_of(report))],
        "scores.csv": csv_chunks(columns),
        "methods.md": [markdown_document(methods).encode()],
        **{name: [content] for name, content in answer_tables(probes).items()},
    }


def _cell(value: object) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)
