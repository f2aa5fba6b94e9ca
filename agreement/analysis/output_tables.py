"""The tables that an analysis writes (gold.csv, judgments.csv, workers.csv), as columns of text and as data frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..cleaning.cleaning_run import Cleaning
from ..cleaning.rules.disagreement import agreement_with_others
from ..cleaning.rules.too_fast import median_by_worker
from ..estimation.estimate import Undefined
from ..files.cell_texts import join_bars
from ..files.numbers import number_column
from ..files.table import Column, encode
from ..files.writing import csv_chunks
from ..gold.annotator_models import Consensus, consensus_of
from ..judgments.crowd import EXTRA_COLUMNS, Crowd, answer_columns, sample_of
from ..kinds.statistics import statistics_of
from ..screening.evidence import DECIMALS, kinds_of
from ..screening.screen import Screened, screen

SUSPECT_OF = "suspect_of"  # a column of workers.csv that no bundle for everybody has
Table = dict[str, Column]
_YES_NO = ("0", "1")


def gold_table(gold: pd.DataFrame) -> Table:
    """gold.csv: what there is of gold, blank where a figure is undefined."""
    return {str(name): _column(gold[name]) for name in gold.columns}


def items_table(crowd: Crowd) -> Table:
    """items.csv: the items as they were read, in their order."""
    return {str(name): _column(crowd.items[name]) for name in crowd.items.columns}


def judgments_table(cleaning: Cleaning) -> Table:
    """judgments.csv: every judgment, cleaned or not, with whether it is kept and why not."""
    crowd, extras = cleaning.crowd, cleaning.crowd.extras
    answers = answer_columns(crowd)
    codes, reasons = cleaning.judgment_reasons()
    blank = Column(np.zeros(crowd.n_judgments, dtype=np.int32), [""])
    table = {
        "worker_id": Column(crowd.worker, list(map(str, crowd.workers))),
        "item_id": _of_item(cleaning, "item_id"),
        "value": answers.pop("value", blank),
        "kind": _of_item(cleaning, "kind"),
        "check": _of_item(cleaning, "check"),
        **{name: _column(extras[name]) for name in EXTRA_COLUMNS},
        "kept": _flag(cleaning.kept),
        "reason": Column(codes, reasons),
        **answers,
    }
    more = (name for name in extras.columns if name not in EXTRA_COLUMNS)
    table |= {f"judgment:{name}" if name in table else str(name): _column(extras[name]) for name in more}
    return table | ({"question": replace(blank, values=[crowd.question])} if crowd.question else {})


def workers_table(
    cleaning: Cleaning, screened: Screened | Undefined | None, annotators: Mapping[str, Consensus]
) -> Table:
    """workers.csv: what each worker did, whether the worker is kept, and the evidence; with what was screened also
    what speaks against them, and with the models of `annotators` of kept judgments how often each is right.
    """
    crowd = cleaning.crowd
    targets = crowd.on_target
    evidence = ["; ".join(map(str, cleaning.evidence(worker))) for worker in range(crowd.n_workers)]
    with_others = agreement_with_others(crowd, targets, others=cleaning.kept_targets)
    table = {
        "worker_id": encode(map(str, crowd.workers), crowd.n_workers),
        "judgments": number_column(_per_worker(cleaning, targets)),
        "checks": number_column(cleaning.checks.astype(np.float64)),
        "checks_failed": number_column(cleaning.checks_failed.astype(np.float64)),
        "kept": _flag(cleaning.worker_kept),
        "reason": encode(cleaning.worker_reasons, crowd.n_workers),
        "evidence": encode(evidence, crowd.n_workers),
        "median_response_ms": number_column(median_by_worker(crowd, targets)),
        "agreement_with_others": number_column(with_others),
        "judgments_kept": number_column(_per_worker(cleaning, cleaning.kept_targets)),
        "unchecked": _flag(cleaning.unchecked),
        **_estimated_accuracies(crowd.n_workers, annotators),
        **({} if screened is None else {SUSPECT_OF: encode(_kinds(screened, crowd.n_workers), crowd.n_workers)}),
    }
    took_part = cleaning.took_part
    return table if took_part.all() else {name: column.take(took_part) for name, column in table.items()}


def _kinds(screened: Screened | Undefined, n_workers: int) -> list[str]:
    """[W] the kinds that each worker is suspected of."""
    if isinstance(screened, Undefined):
        return [""] * n_workers
    return [join_bars(kinds_of(screened, who)) for who in range(n_workers)]


def screened_of(cleaning: Cleaning) -> Screened | Undefined:
    """Everybody's answers to target items beside those of the workers who are kept."""
    return screen(cleaning.crowd, cleaning.crowd.on_target, cleaning.worker_kept & cleaning.took_part)


def screening_table(screened: Screened) -> Table:
    """tables/screening.csv: every index of every worker, under the names that people know, and its robust z."""
    crowd, own, others = screened.crowd, screened.found.indices.own, screened.found.indices.with_others
    columns, is_of_labels = screened.columns, screened.is_of_labels
    none = np.full(crowd.n_workers, np.nan)
    figures = {
        "longstring": columns["longest_run"].value,
        "irv": columns["spread"].value,
        "person_total": none if is_of_labels else others.agreement,
        "halves": columns["halves"].value,
        "agreement": others.agreement if is_of_labels else none,
        "mode_share": own.commonest,
        "median_log_ms": own.log_time,
        "mahalanobis_d2": columns["distance"].value,
        "z_longstring": columns["longest_run"].z,
        "z_irv": columns["spread"].z,
        "z_agreement": columns["agreement"].z,
        "z_halves": columns["halves"].z,
        "z_log_ms": columns["log_time"].z,
        "z_mahalanobis": columns["distance"].z,
    }
    changed = screened.found.indices.change.z > 0
    more = {
        "pattern": own.pattern.length.astype(np.float64),
        "change_after": np.where(changed, screened.found.indices.change.after // screened.parts, np.nan),
        "agreement_before": screened.found.indices.change.before,
        "agreement_after": screened.found.indices.change.behind,
    }
    table = {
        "worker_id": encode(map(str, crowd.workers), crowd.n_workers),
        "judgments": number_column(own.judgments.astype(np.float64)),
        **{name: number_column(np.round(values, DECIMALS) + 0.0) for name, values in figures.items()},
        "kinds": encode(_kinds(screened, crowd.n_workers), crowd.n_workers),
        **{name: number_column(np.round(values, DECIMALS) + 0.0) for name, values in more.items()},
    }
    judged = own.judgments > 0
    return {name: column.take(judged) for name, column in table.items()}


def annotators_of(cleaning: Cleaning) -> Mapping[str, Consensus]:
    """The models that stand beside the majority, of the kept judgments; as an analysis makes them."""
    crowd, kept = cleaning.crowd, sample_of(cleaning.crowd, cleaning.kept_targets)
    models = statistics_of(crowd.kind).annotator_models
    return consensus_of(models, kept.item, kept.worker, kept.answers, crowd.n_items, crowd.labels)


def _estimated_accuracies(n_workers: int, annotators: Mapping[str, Consensus]) -> Table:
    """How often each worker is right, by the models that stand beside the majority; blank for who was removed."""
    accuracies = {f"{name}_accuracy": np.full(n_workers, np.nan) for name in annotators}
    for name, model in annotators.items():
        if not model.swapped:  # else what it calls right isn't
            accuracies[f"{name}_accuracy"][: len(model.accuracy)] = model.accuracy
    return {name: number_column(values) for name, values in accuracies.items()}


def _of_item(cleaning: Cleaning, name: str) -> Column:
    texts = _column(cleaning.crowd.items[name])
    return Column(texts.codes[cleaning.crowd.item], texts.values)


def _per_worker(cleaning: Cleaning, which: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    crowd = cleaning.crowd
    return np.bincount(crowd.worker[which], minlength=crowd.n_workers).astype(np.float64)


def _flag(flags: npt.NDArray[np.bool_]) -> Column:
    return Column(flags.astype(np.int32), _YES_NO, is_plain=True)


def _column(series: pd.Series) -> Column:
    """A column of a frame as text; categoricals are encoded already."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        return Column(np.asarray(series.cat.codes, dtype=np.int32), list(map(str, series.cat.categories)))
    if series.dtype.kind in "fiub":
        return number_column(np.asarray(series, dtype=np.float64))
    return encode(("" if value is None else str(value) for value in series.tolist()), len(series))


def csv_bytes(table: Mapping[str, Column]) -> bytes:
    """A whole table as CSV."""
    return b"".join(csv_chunks(table))


# The same as data frames.

YES_OR_NO = ("kept", "unchecked")


def workers_frame(
    cleaning: Cleaning, screened: Screened | Undefined | None, annotators: Mapping[str, Consensus]
) -> pd.DataFrame:
    """workers.csv."""
    return _typed_frame(workers_table(cleaning, screened, annotators))


def judgments_frame(cleaning: Cleaning) -> pd.DataFrame:
    """judgments.csv, in the order of the input."""
    return _typed_frame(judgments_table(cleaning))


def _typed_frame(table: Table) -> pd.DataFrame:
    """Flags as true and false, numbers as numbers, everything else as text."""
    columns: dict[str, object] = {}
    for name, column in table.items():
        if name in YES_OR_NO:
            columns[name] = column.text() == "1"
        else:
            columns[name] = (
                pd.to_numeric(pd.Series(column.text()).replace("", None)) if column.is_plain else column.text()
            )
    return pd.DataFrame(columns)
