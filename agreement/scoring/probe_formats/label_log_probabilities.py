"""`item_id,label,logprob`: log probabilities of the study's labels, as probabilities among these alone."""

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...errors import option
from ...files.numbers import numbers
from ..perplexity import BITS
from ..probe import Probe, Run
from ..probe_format import Option, ProbeFormat, unreadable
from ..probe_layout import ProbeRows
from .log_probabilities import LOG_BASE, log_probabilities_of

LogprobForm = Literal["total", "per-token", "per-character", "pmi"]
LABEL, LOGPROB, PRIOR, TOKENS = "label", "logprob", "logprob_prior", "tokens"
BESIDE = (PRIOR, TOKENS)

LOGPROB_FORM: Option[LogprobForm] = Option(
    name="logprob_form",
    default="total",
    choices=get_args(LogprobForm),
    help="what of a label's log probability counts: all of it, per token (column tokens), per character, or less that"
    " of the label without the item (pmi: column logprob_prior)",
    label="Log probability of a label",
)
NEEDS = {"per-token": TOKENS, "pmi": PRIOR}


def read_label_logprobs(rows: ProbeRows, name: str) -> Probe:
    """Softmax over the study's labels; what probability they hold together is noted."""
    beside = tuple(each for each in BESIDE if each in rows.table.columns)
    item, run, keys = rows.placed((LABEL, LOGPROB, *beside), within=LABEL)
    if rows.has_no_labels():
        return unreadable(name, "labels")
    column = rows.labels_in(LABEL, item)
    rows.refuse_blank_labels(column)
    form = rows.options[LOGPROB_FORM]
    if (needed := NEEDS.get(form)) is not None and needed not in rows.table.columns:
        rows.problems.whole(f"{option('logprob-form', form)} needs a column {needed}, which it lacks")
        return unreadable(name, "labels")
    log_p = log_probabilities_of(rows.table, rows.problems) * BITS[rows.options[LOG_BASE]] * np.log(2)
    names = [rows.study.answer_space.name_of(value) for value in column.values]
    code_of = {label: number for number, label in enumerate(rows.study.labels)}
    labels = [() if named is None else rows.study.answer_space.names[named[0]][0] for named in names]
    codes = np.array([code_of[of[0]] if len(of) == 1 else -1 for of in labels], dtype=np.int64)[column.codes]
    if len(rows.problems):
        return unreadable(name, "labels")
    shape = (len(keys), len(rows.study.ids), len(code_of))
    total = _joined(np.logaddexp, log_p, (run, item, codes), shape)  # spellings of one label add up
    scores = total
    if form != "total":
        scores = _joined(np.maximum, _score(rows, form, log_p, column.text()), (run, item, codes), shape)
    _refuse_unusable(rows, scores, item, run)
    others = sum(1 for of in labels if len(of) != 1)
    notes = [mass_in_words(np.exp(total), form)]
    notes += [f"{others} candidates that aren't the study's labels are left aside"] if others else []
    runs = (Run(key, _softmax(row)) for key, row in zip(keys, scores, strict=True))
    return Probe(name, "labels", tuple(runs), notes=tuple(notes))


Places = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]


def _joined(join: np.ufunc, values: Floats, places: Places, shape: tuple[int, int, int]) -> Floats:
    """[runs, N, L] the values in their places, those of one place joined; -inf where a label has none, NaN where an
    item has none.
    """
    run, item, code = places
    fine = (item >= 0) & (code >= 0)
    joined: Floats = np.full(shape, -np.inf)
    join.at(joined, (run[fine], item[fine], code[fine]), values[fine])
    has = np.zeros(shape[:2], dtype=np.bool_)
    has[run[fine], item[fine]] = True
    placed: Floats = np.where(has[:, :, None], joined, np.nan)
    return placed


def _score(rows: ProbeRows, form: LogprobForm, log_p: Floats, labels: npt.NDArray[np.object_]) -> Floats:
    """[R] what of the log probability counts."""
    if form == "per-character":
        per_character: Floats = log_p / np.array([max(len(label), 1) for label in labels.tolist()])
        return per_character
    read = numbers(rows.table.columns[NEEDS[form]], NEEDS[form], rows.table.rows, rows.problems, None)
    if form == "per-token":
        bad = np.flatnonzero(read < 1)
        cells = rows.table.columns[TOKENS]
        rows.problems.cells(rows.table.rows[bad], TOKENS, cells.codes[bad], cells.values, "is not a number of tokens")
        log_p, read = log_p / np.maximum(read, 1), np.zeros(len(read))
    beyond_prior: Floats = log_p - read * BITS[rows.options[LOG_BASE]] * np.log(2)
    return beyond_prior


def _refuse_unusable(rows: ProbeRows, scores: Floats, item: npt.NDArray[np.int64], run: npt.NDArray[np.int64]) -> None:
    """An item whose labels all have no probability says nothing: the file is refused."""
    unusable = np.where(np.isnan(scores).all(axis=2), True, ~np.isfinite(scores).any(axis=2))
    has_row = np.zeros(unusable.shape, dtype=np.bool_)
    has_row[run[item >= 0], item[item >= 0]] = True
    places = np.argwhere(unusable & has_row)
    if len(places):
        ids = [str(rows.study.ids[place[1]]) for place in places[:5]]
        more = f" and {len(places) - 5:,} more" if len(places) > 5 else ""
        rows.problems.whole(
            f"no label of the study ({', '.join(rows.study.labels)}) has a probability at {', '.join(ids)}{more}; score"
            " each label as a sequence, or give the model's words in a column answer"
        )


def _softmax(scores: Floats) -> Floats:
    """[N, L] the labels' shares of each row, NaN where there is none."""
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - np.nanmax(np.where(np.isfinite(scores), scores, -1e300), axis=1, keepdims=True))
        shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


def mass_in_words(mass: Floats, form: LogprobForm) -> str:
    """How much probability the labels hold together, before it is made to sum to 1 among them.

    >>> mass_in_words(np.array([[[0.5, 0.25]], [[0.5, 0.5]]]), "pmi")
    "the study's labels hold 0.875 of the probability on average, 0.750 at the least; scores are over them alone (pmi)"
    """
    of_items = mass.sum(axis=2)
    of_items = of_items[np.isfinite(of_items)]
    if not len(of_items):
        return "no label has a probability"
    return (
        f"the study's labels hold {of_items.mean():.3f} of the probability on average, {of_items.min():.3f} at the"
        f" least; scores are over them alone ({form})"
    )


ROW_PER_LABEL_LOGPROB = ProbeFormat(
    order=13,
    tried=-2,  # before labels: a log probability beside them is no setting
    columns="item_id,label,logprob",
    row_meaning="log probabilities of labels, one row per label",
    told_by=lambda columns: {"item_id", LABEL, LOGPROB} <= columns,
    says="label and logprob",
    read=read_label_logprobs,
    options=(LOG_BASE, LOGPROB_FORM),
)

FORMATS = (ROW_PER_LABEL_LOGPROB,)
