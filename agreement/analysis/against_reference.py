"""Labels or numbers from elsewhere: the crowd as a model of them, and each worker as a probe of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ..arrays import Floats
from ..estimation.estimate import Estimate, Figure, Undefined, stream
from ..estimation.two_way_jackknife import grouped_estimate, leave_groups_out
from ..files.cell_texts import in_labels
from ..files.problems import Problems, refuse_if_any
from ..files.reading import Source, required_table
from ..files.table import Column, Table, encode
from ..judgments.crowd import ITEM_COLUMNS, Crowd, Sample, take_answers
from ..judgments.property_coding import name_of_relation
from ..kinds.options import numbered, options_of_items
from ..kinds.statistics import statistics_of
from ..people.leave_one_out import LEAST_ITEMS
from ..people.reference_gold import ReferenceCells, ReferenceMetric, WorkerAnswers
from ..report.people_and_models import CrowdAgainstReference
from ..scoring.norms import RELATIONS, name_of_concept, norms_of_table
from ..scoring.score import score_probe
from ..scoring.score_gold import NAME, Gold, Texts, crowd_as_probe
from ..typical_filters import Filter
from .score_probes import score_row, study_items

_COLUMNS = ("reference", "score")


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """`source` says where it is from, `gold` holds the items that have one, `rows` [N] their place there, or -1.

    Workers are held against it by `metric`.
    """

    source: str
    gold: Gold
    metric: ReferenceMetric
    rows: npt.NDArray[np.int64]

    def filtered_by(self, typical_filter: Filter) -> Reference:
        """With the rule by which a distribution becomes a set of labels, for F1."""
        return replace(self, gold=replace(self.gold, typical_filter=typical_filter))


def read_reference(path: Source, crowd: Crowd, hide: Callable[[Table], Table] = lambda table: table) -> Reference:
    """The reference in a file with `item_id` and `reference` (or `score`); ids of other items are passed over.

    Its other columns are breakdowns, beside the items' own.
    """
    problems = Problems(path.name)
    table = hide(required_table(path, problems))
    name = next((name for name in _COLUMNS if name in table.columns), "")
    metric = statistics_of(crowd.kind).reference
    if metric is not None and metric.read is None:
        reference = _of_norms(table, crowd, metric, problems)
        refuse_if_any(problems)
        return reference
    if "item_id" not in table.columns or not name:
        problems.whole("the columns item_id and reference (or score) are needed")
    elif metric is None:
        problems.whole(_reference_kind_reason(crowd))
    refuse_if_any(problems)
    assert metric is not None  # noqa: S101 - the same
    reference = _reference(table, table.columns[name], name, crowd, metric, path.name, problems)
    refuse_if_any(problems)
    return reference


def reference_of_items(crowd: Crowd) -> Reference | str:
    """The items' own `reference` column, or why it can't be used."""
    references = crowd.items["reference"].astype(str).str.strip().to_numpy(dtype=object)
    has = np.flatnonzero(references != "")
    if not len(has):
        return "no labels or numbers from elsewhere were given (--reference, or the items' column reference)"
    metric = statistics_of(crowd.kind).reference
    if metric is None:
        return _reference_kind_reason(crowd)
    if metric.read is None:
        return f"kind {crowd.kind} is held against a table of norms (--reference norms.csv), not a column of the items"
    columns = {"item_id": crowd.items["item_id"].to_numpy()[has], "reference": references[has]}
    table = Table("items", has, {name: encode(texts, len(has)) for name, texts in columns.items()})
    problems = Problems("the items")
    reference = _reference(table, table.columns["reference"], "reference", crowd, metric, "the items", problems)
    return f"the items' references can't be used: {problems[0]}" if len(problems) else reference


def _reference_kind_reason(crowd: Crowd) -> str:
    return f"a reference is labels or numbers, and kind {crowd.kind} has neither"


def _of_norms(table: Table, crowd: Crowd, metric: ReferenceMetric, problems: Problems) -> Reference:
    """Norms on the target items: by their concept and relation, or, where they ask for whole properties, by concept."""
    items, n = crowd.items, crowd.n_items
    if "concept" not in items:
        problems.whole("norms belong to the items' column concept, and the items have none")
    has_relation = "relation" in items
    concepts = [name_of_concept(str(text)) for text in items["concept"]] if "concept" in items else [""] * n
    relations = [name_of_relation(str(text)) for text in items["relation"]] if has_relation else [""] * n
    norms = norms_of_table(table, problems, {*RELATIONS, *filter(None, relations)})
    of_item: dict[tuple[str, str], dict[str, int]] = {}
    for line in norms.lines:
        key = (line.concept, line.relation if has_relation else "")
        name = line.feature if has_relation else f"{line.relation} {line.feature}"
        of_item.setdefault(key, {})[name] = line.pf
    keys = list(zip(concepts, relations, strict=True))
    known = np.array(
        [row for row in np.flatnonzero(crowd.item_is_target).tolist() if keys[row] in of_item], dtype=np.int64
    )
    if not len(known) and not len(problems):
        problems.whole("none of its concepts and relations is a target item of the judgments")
    ids = items["item_id"].astype(str).to_numpy(dtype=object)[known]
    properties = tuple(of_item[keys[row]] for row in known.tolist())
    gold = Gold(crowd.kind, ids, properties=properties, fields=_fields(crowd, known))
    rows = np.full(n, -1, dtype=np.int64)
    rows[known] = np.arange(len(known))
    return Reference(table.name, gold, metric, rows)


def _reference(
    table: Table,
    values: Column,
    name: str,
    crowd: Crowd,
    metric: ReferenceMetric,
    source: str,
    problems: Problems,
) -> Reference:
    ids = table.columns["item_id"]
    place = {str(item_id): row for row, item_id in enumerate(crowd.items["item_id"])}
    row_of = np.array([*(place.get(value, -1) for value in ids.values), -1])[ids.codes]
    known = np.flatnonzero((row_of >= 0) & crowd.item_is_target[row_of])
    _, first, which = np.unique(ids.codes, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which] != np.arange(len(ids)))
    problems.cells(table.rows[again], "item_id", ids.codes[again], ids.values, "occurs twice")
    if not len(known):
        problems.whole("none of its item_ids is a target item of the judgments")
    table, values, row_of = table.take(known), values.take(known), row_of[known]
    taken = np.array([str(crowd.items["item_id"].iloc[row]) for row in row_of], dtype=object)
    fields = _fields(crowd, row_of, table)
    values = values.mapped(lambda cell: in_labels(cell, crowd.synonyms))
    if (options := options_of_items(crowd.kind, crowd.labels, crowd.items)) is not None:
        values = encode(numbered(values.text().tolist(), [options[row] for row in row_of.tolist()]), len(values))
    cells = ReferenceCells(crowd.kind, values, name, table.rows, taken, fields, crowd.labels, problems)
    assert metric.read is not None  # noqa: S101 - norms went another way
    gold = metric.read(cells)
    rows = np.full(crowd.n_items, -1, dtype=np.int64)
    rows[row_of] = np.arange(len(known))
    return Reference(source, gold, metric, rows)


def _fields(crowd: Crowd, rows: npt.NDArray[np.int64], table: Table | None = None) -> dict[str, Texts]:
    """The items' own columns, as the release's gold has them: terms and clusters are left out together here as there.

    Then the columns of the reference's file that the items don't have.
    """
    item_fields = {
        str(name): crowd.items[name].astype(str).to_numpy(dtype=object)[rows]
        for name in crowd.items.columns
        if name not in ITEM_COLUMNS
    }
    columns = {} if table is None else table.columns
    beside = {name: column.text() for name, column in columns.items() if name not in ("item_id", *_COLUMNS)}
    return {name: values for name, values in {**beside, **item_fields}.items() if (values != "").any()}


def against_reference(
    crowd: Crowd, kept: Sample, release: Gold, reference: Reference | str, *, seed: int
) -> CrowdAgainstReference | Undefined:
    """What the crowd's gold, and what its workers one by one, make of it."""
    if isinstance(reference, str):
        return Undefined(reference)
    study = study_items(crowd)
    scores = score_probe(crowd_as_probe(release, study), reference.gold, study, breakdowns=())
    return CrowdAgainstReference(
        source=reference.source,
        items=len(reference.gold),
        crowd=tuple(score_row(NAME, score) for score in scores.scores),
        workers=workers_one_by_one(crowd, kept, reference, seed),
    )


def workers_one_by_one(crowd: Crowd, kept: Sample, reference: Reference, seed: int) -> Figure:
    """Each worker scored as a probe on ten or more items, and the mean over workers."""
    metric, has_reference = reference.metric, reference.rows[kept.item] >= 0
    order = np.flatnonzero(has_reference)[np.argsort(kept.worker[has_reference], kind="stable")]
    item, worker = kept.item[order], kept.worker[order]
    reference_rows, answers = reference.rows[item], take_answers(kept.answers, order)
    n_of_worker = np.bincount(worker, minlength=crowd.n_workers)

    def figures_by_worker(keep: npt.NDArray[np.bool_]) -> Floats:
        """[W] the metric of each worker, nan where it is undefined."""
        answered = WorkerAnswers(
            worker[keep],
            take_answers(answers, np.flatnonzero(keep)),
            reference_rows[keep],
            crowd.n_workers,
            len(crowd.labels),
        )
        return metric.by_worker(reference.gold, answered)

    per_worker = figures_by_worker(np.ones(len(order), dtype=np.bool_))
    counts = (n_of_worker >= LEAST_ITEMS) & np.isfinite(per_worker)
    n = int(counts.sum())
    name = f"mean over workers of {metric.name} against the reference"
    if not n:
        return Undefined(f"{name}: no worker judged {LEAST_ITEMS} of its items with answers that vary")

    def mean(keep: npt.NDArray[np.bool_]) -> Floats:
        each = figures_by_worker(keep)
        usable = counts & np.isfinite(each)
        return np.array([each[usable].mean() if usable.any() else np.nan])

    deleted = leave_groups_out(item, worker, stream(seed, "reference"), mean)
    deleted = replace(deleted, fixed_workers=crowd.fixed_workers)
    theta = float(per_worker[counts].mean())
    estimate: Estimate = grouped_estimate(
        theta, deleted, 0, per_worker[counts] - theta, n=n, within=metric.within, what=name
    )
    return estimate
