"""Labels per item, their probabilities in a row per label, or in a column per label."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...files.cell_texts import labels_of_spelling
from ..answer_mapping.rules import MappedAnswer
from ..probe import SUM_TOLERANCE, Probe, Run, StudyItems, other_labels
from ..probe_format import NumbersReader, ProbeFormat, only_run, unreadable, values_on_items
from ..probe_layout import NORMALISE, ProbeRows, places_within, with_other_labels
from .answers import OPTION_ORDER, UNMAPPED, mapped_rows, of_replies, refuse_chats, refuse_foreign_table

LABEL = "label"


def read_labels(rows: ProbeRows, name: str) -> Probe:
    """An output is shared equally by its labels. What is none of the study's is mapped as a model's own words are; what
    is mapped to nothing stands behind the study's labels.
    """
    item, run, keys = rows.placed((LABEL, *of_replies(rows)))
    column = rows.labels_in(LABEL, item)
    if rows.has_no_labels():
        return unreadable(name, "labels")
    rows.refuse_blank_labels(column)
    named = [_labels_in(text, rows.study) for text in column.values]
    fits = {text: one for text, one in zip(column.values, named, strict=True) if one is not None}
    if len(fits) == len(named) and not of_replies(rows):
        return _shared_labels(rows, name, list(fits.values()), column.codes, (item, run, keys))
    refuse_chats(rows, LABEL)
    exact = {text: MappedAnswer("mapped", parts, "exact") for text, parts in fits.items()}
    mapped = mapped_rows(rows, column, item, exact)
    refuse_foreign_table(rows, mapped)
    sets = [_of_mapped(one, text) for one, text in zip(mapped.answers, mapped.texts, strict=True)]
    return mapped.on(_shared_labels(rows, name, sets, mapped.codes, (item, run, keys)), item, run)


def _labels_in(text: str, study: StudyItems) -> tuple[str, ...] | None:
    """The labels of a cell, its synonyms replaced; None where not one of them is the study's."""
    parts = [label for part in text.split("|") for label in labels_of_spelling(part.strip(), study.synonyms)]
    return tuple(dict.fromkeys(parts)) if set(parts) & set(study.labels) else None


def _of_mapped(answer: MappedAnswer, text: str) -> tuple[str, ...]:
    """What was mapped, else the labels that the model made up; of a refusal or a reply cut off, nothing with a name."""
    if answer.outcome == "unmapped":
        return tuple(dict.fromkeys(part.strip() for part in text.split("|")))
    return answer.values or ("",)


def _shared_labels(
    rows: ProbeRows,
    name: str,
    sets: Sequence[Sequence[str]],
    codes: npt.NDArray[np.integer],
    placed: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], list[dict[str, str]]],
) -> Probe:
    item, run, keys = placed
    labels = rows.study.labels
    code_of = {label: number for number, label in enumerate(labels)}
    others = [[part for part in parts if part not in code_of] for parts in sets]
    shares = np.zeros((len(sets), len(labels) + max(map(len, others), default=0)))
    for number, (parts, beyond) in enumerate(zip(sets, others, strict=True)):
        own = [code_of[part] for part in parts if part in code_of]
        shares[number, [*own, *range(len(labels), len(labels) + len(beyond))]] = 1 / len(parts)
    values = np.full((len(keys), len(rows.study.ids), shares.shape[1]), np.nan)
    fine = item >= 0
    values[run[fine], item[fine]] = shares[codes[fine]]
    runs = [Run(key, row, has_probabilities=False) for key, row in zip(keys, values, strict=True)]
    count: Counter[str] = Counter()
    for parts, times in zip(others, np.bincount(codes, minlength=len(sets)).tolist(), strict=True):
        count.update(dict.fromkeys(filter(None, parts), times))
    unknown_labels = other_labels(list(count), np.array(list(count.values()), dtype=np.int64), labels)
    return with_other_labels(Probe(name, "labels", tuple(runs), other_labels=unknown_labels))


LABEL_PER_ITEM = ProbeFormat(
    order=2,
    tried=7,
    columns="item_id,label",
    row_meaning="one label per item, or several separated by |",
    told_by=lambda columns: "label" in columns,
    says="label",
    read=read_labels,
    options=(UNMAPPED, OPTION_ORDER),
)


# `item_id,label,probability`: probabilities, one row per label.


def read_label_probabilities(rows: ProbeRows, name: str) -> Probe:
    """Labels that the study doesn't have are wrong and stand behind its own."""
    item, run, keys = rows.placed(("label", "probability"), within="label")
    column = rows.labels_in("label", item)
    if rows.has_no_labels():
        return unreadable(name, "labels")
    rows.refuse_blank_labels(column)
    labels = rows.study.labels
    entry_rows, code, share = rows.labels_named(column)
    p, item, run, spelt, row = (
        rows.probabilities("probability")[entry_rows] * share,
        item[entry_rows],
        run[entry_rows],
        column.codes[entry_rows],
        entry_rows,
    )
    is_other = code < 0
    used = spelt[is_other & (p > 0)]
    outputs = np.bincount(used, minlength=len(column.values))
    total = np.bincount(used, weights=p[is_other & (p > 0)], minlength=len(column.values)).astype(np.float64)
    place = places_within(run[is_other] * len(rows.study.ids) + item[is_other])
    code[is_other] = len(labels) + place
    width = len(labels) + int(place.max(initial=-1)) + 1
    if rows.study.synonyms:  # spellings of one label add up
        key = (run * (len(rows.study.ids) + 1) + item + 1) * width + code
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        p = np.bincount(which, weights=p).astype(np.float64)
        item, run, code, row = item[first], run[first], code[first], entry_rows[first]
    values, row_of = rows.scattered(item, run, code, p, len(keys), width, rows=rows.table.rows[row])
    nothing = np.isnan(values).all(axis=2, keepdims=True)
    values = rows.summing_to_one(np.where(nothing, np.nan, np.nan_to_num(values)), row_of)
    unknown_labels = other_labels(column.values, outputs, labels, total)
    return with_other_labels(Probe(name, "labels", tuple(map(Run, keys, values)), other_labels=unknown_labels))


ROW_PER_LABEL = ProbeFormat(
    order=3,
    tried=6,
    columns="item_id,label,probability",
    row_meaning="one row per label",
    told_by=lambda columns: {"label", "probability"} <= columns,
    says="label and probability",
    read=read_label_probabilities,
    options=(NORMALISE,),
)


# `item_id,p:<label>,...`: probabilities, one column per label.

P = "p:"  # a column of probabilities is called this and the label


def read_label_columns(rows: ProbeRows, name: str) -> Probe:
    """Columns of labels that the study doesn't have stand behind the study's."""
    named = [column for column in rows.table.columns if column.startswith(P)]
    item, run, keys = rows.placed(tuple(named))
    labels, spelt = rows.study.labels, rows.study.synonyms
    if rows.has_no_labels():
        return unreadable(name, "labels")
    means = {column: labels_of_spelling(column[len(P) :], spelt) for column in named}
    beyond = [column for column, of in means.items() if not set(of) <= set(labels)]
    known_labels = {label for column, of in means.items() if column not in beyond for label in of}
    missing = [f"{P}{label}" for label in labels if label not in known_labels]
    if missing:
        rows.problems.whole(f"there is no column for {', '.join(missing)}")
        return unreadable(name, "labels")
    read = {column: rows.probabilities(column) for column in named}
    own = [_sum_of({column: of for column, of in means.items() if label in of}, read) for label in labels]
    shares = np.stack([*own, *(read[column] for column in beyond)], 1)
    values = np.full((len(keys), len(rows.study.ids), shares.shape[1]), np.nan)
    row_of = np.zeros(values.shape[:2], dtype=np.int64)
    fine = item >= 0
    values[run[fine], item[fine]] = shares[fine]
    row_of[run[fine], item[fine]] = rows.table.rows[fine]
    on_others = shares[:, len(labels) :]
    names = [column[len(P) :] for column in beyond]
    unknown_labels = other_labels(names, np.sum(on_others > 0, axis=0), labels, on_others.sum(axis=0))
    runs = tuple(map(Run, keys, rows.summing_to_one(values, row_of)))
    return with_other_labels(Probe(name, "labels", runs, other_labels=unknown_labels))


def _sum_of(columns: Mapping[str, Sequence[str]], read: Mapping[str, Floats]) -> Floats:
    """A label's probability: its own column, and its share of the columns of synonyms."""
    total: Floats = np.sum([read[column] / len(of) for column, of in columns.items()], axis=0)
    return total


def columns_of(study: StudyItems) -> list[str]:
    return [f"{P}{label}" for label in study.labels]


def quick_label_columns(values: Floats, rows: npt.NDArray[np.int64], study: StudyItems, name: str) -> Probe | None:
    with np.errstate(over="ignore"):  # numbers that are no probabilities may be of any size
        sums = values.sum(axis=1)
    if (values < 0).any() or (np.abs(sums - 1) > SUM_TOLERANCE).any():
        return None
    return only_run(name, "labels", values_on_items(values, rows, study))


COLUMN_PER_LABEL = ProbeFormat(
    order=4,
    tried=8,
    columns="item_id,p:<label>,…",
    example="item_id,p:red,p:blue,…",
    row_meaning="one column per label, for every label of the study",
    told_by=lambda columns: any(column.startswith(P) for column in columns),
    says="p:<label>",
    read=read_label_columns,
    options=(NORMALISE,),
    quick=NumbersReader(columns_of, quick_label_columns),
)

FORMATS = (LABEL_PER_ITEM, ROW_PER_LABEL, COLUMN_PER_LABEL)
