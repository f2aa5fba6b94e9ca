"""Log probabilities of tokens, from which perplexities are taken, or the vectors of terms."""

from collections.abc import Sequence
from typing import get_args

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...files.numbers import numbers
from ...files.problems import Problems, quote_cell
from ...files.table import Column, Table
from ..perplexity import (
    BITS,
    END_TOKENS,
    FORMULAS,
    Cells,
    LogBase,
    Perplexity,
    PerplexityForm,
    Tokens,
    cells_of,
    perplexity_of_runs,
    said_of_sentences,
)
from ..probe import AVERAGED, Probe
from ..probe_format import Option, ProbeFormat
from ..probe_layout import ProbeRows
from ..vectors import TermVectors
from .vectors import SIMILARITY, TRANSFORM, probe_of_vectors

LOG_BASE: Option[LogBase] = Option(
    name="log_base",
    default="e",
    choices=get_args(LogBase),
    help="of a probe's log probabilities",
    label="Base of log probabilities",
)

COLUMNS = ("sentence_id", "token", "logprob")
MOST_SETTINGS = 100  # values of a column that may be a setting
ZERO = frozenset({"-inf", "-infinity"})  # a token that the model holds to be impossible


Setting = tuple[tuple[str, str], ...]


def perplexities_of_table(table: Table, base: LogBase, problems: Problems) -> dict[Setting, Perplexity]:
    """Perplexity of the corpus and of its sentences in each setting.

    A log probability is 0 or less, or `-inf`. End tokens are told by their usual names, and counted. What is wrong goes
    to `problems`, and the figures then mean nothing.
    """
    for name in COLUMNS:
        if name not in table.columns:
            problems.whole(f"there is no column {name}; log probabilities come as {','.join(COLUMNS)}")
    beside = [name for name in table.columns if name not in COLUMNS]
    refuse_many_valued_settings(table, beside, problems)
    if len(problems):
        return {}
    logprob = log_probabilities_of(table, problems)
    ids = table.columns["sentence_id"]
    refuse_blank_names(table, "sentence_id", "an id", problems)
    tokens = table.columns["token"]
    is_end = np.zeros(len(logprob), dtype=np.bool_)
    is_end[tokens.rows_where(lambda value: value.strip() in END_TOKENS)] = True
    runs: dict[Setting, list[Tokens]] = {}
    for first, rows in rows_of_runs(runs_of_columns(table, beside)):
        keys = {name: table.columns[name].values[table.columns[name].codes[first]].strip() for name in beside}
        setting = tuple((name, value) for name, value in keys.items() if name not in AVERAGED)
        ends = int(is_end[rows].sum())
        runs.setdefault(setting, []).append(Tokens.of(ids.codes[rows], logprob[rows], base, ends))
    return {setting: perplexity_of_runs(of_setting, base) for setting, of_setting in runs.items()}


def refuse_many_valued_settings(table: Table, beside: Sequence[str], problems: Problems) -> None:
    for name in beside:
        if name not in AVERAGED and len(table.columns[name].values) > MOST_SETTINGS:
            problems.whole(
                f"column {name} has {len(table.columns[name].values):,} values: a column beside {', '.join(COLUMNS)}, "
                f"template and run is a setting, which has {MOST_SETTINGS} values at most; leave the column out"
            )


def runs_of_columns(table: Table, beside: Sequence[str]) -> npt.NDArray[np.int64]:
    """[R] a code for each combination of the values of some columns."""
    run = np.zeros(len(table), dtype=np.int64)
    for name in beside:
        column = table.columns[name]
        run = np.unique(run * (len(column.values) + 1) + column.codes, return_inverse=True)[1].astype(np.int64)
    return run


def rows_of_runs(run: npt.NDArray[np.int64]) -> list[tuple[int, npt.NDArray[np.int64]]]:
    """The first row and all rows of each run, in the order in which the runs begin."""
    order = np.argsort(run, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(run[order])) + 1) if len(run) else []
    return sorted(((int(part[0]), part) for part in parts), key=lambda one: one[0])


def refuse_blank_names(table: Table, name: str, noun: str, problems: Problems) -> None:
    column = table.columns[name]
    blank = column.rows_where(lambda value: not value.strip())
    problems.cells(table.rows[blank], name, column.codes[blank], column.values, f"is not {noun}")


def log_probabilities_of(table: Table, problems: Problems) -> Floats:
    """[R] the column logprob, minus infinity for a token of probability 0; what is above 0 goes to the problems."""
    column = table.columns["logprob"]
    impossible = np.array([value.strip().lower() in ZERO for value in column.values], dtype=np.bool_)
    readable = Column(
        column.codes, ["0" if zero else value for zero, value in zip(impossible, column.values, strict=True)]
    )
    read = numbers(readable, "logprob", table.rows, problems, None)
    above = np.flatnonzero(read > 0)
    limit = "is above 0: the logarithm of a probability is 0 or less"
    problems.cells(table.rows[above], "logprob", column.codes[above], column.values, limit)
    return np.where(impossible[column.codes], -np.inf, read) if len(column.values) else read


def read_log_probabilities(rows: ProbeRows, name: str) -> Probe:
    """Perplexity, which needs neither items nor gold."""
    perplexities = perplexities_of_table(rows.table, rows.options[LOG_BASE], rows.problems)
    return Probe(name, "logprobs", (), perplexities=perplexities)


ROW_PER_TOKEN = ProbeFormat(
    order=8,
    tried=1,
    columns="sentence_id,token,logprob",
    row_meaning="log probabilities of tokens, for perplexity",
    told_by=lambda columns: {"sentence_id", "logprob"} <= columns,
    says="sentence_id, token and logprob",
    key="sentence_id",
    read=read_log_probabilities,
    options=(LOG_BASE,),
)


# `sentence_id,token,logprob,term,context`: log probabilities of sentences in which one term replaces another.
# Each term's perplexity in each context is a cell of a matrix, whose rows are the vectors of the terms.
# `template` and `run` beside them are averaged over, any other column is a setting.

PERPLEXITY_FORM: Option[PerplexityForm] = Option(
    name="perplexity_form",
    default="token",
    choices=get_args(PerplexityForm),
    help="of log probabilities by term and context: per token or per sentence",
    label="Perplexity of a term in a context, per",
)
PAD_TOKENS = frozenset({"<pad>", "[PAD]", "<|pad|>", "<padding>"})
RESERVED = ("term", "item_id", "logprob")  # what a column of a file of vectors can't be called

Matrices = list[tuple[dict[str, str], TermVectors]]


def matrices_of_table(rows: ProbeRows) -> tuple[Matrices, list[str]]:
    """Of each run its matrix, and what there is to say; what is wrong goes to the problems, each cell named."""
    table, problems, form = rows.table, rows.problems, rows.options[PERPLEXITY_FORM]
    if "token" not in table.columns:
        problems.whole("there is no column token; P-vectors are made from sentence_id,token,logprob,term,context")
        return [], []
    beside = [name for name in table.columns if name not in (*COLUMNS, "term", "context")]
    refuse_many_valued_settings(table, beside, problems)
    logprob = log_probabilities_of(table, problems)
    for name, noun in (("sentence_id", "an id"), ("term", "a term"), ("context", "a context")):
        refuse_blank_names(table, name, noun, problems)
    term, context = (table.columns[name].mapped(str.strip) for name in ("term", "context"))
    for name in RESERVED:
        if name in context.values:
            problems.whole(f"context {quote_cell(name)}: a file of vectors can't have a column of that name; rename it")
    if len(problems):
        return [], []
    tokens, counts = table.columns["token"], np.ones(len(table), dtype=np.bool_)
    counts[tokens.rows_where(lambda value: value.strip() in END_TOKENS | PAD_TOKENS)] = form != "token"
    bits: Floats = logprob * -BITS[rows.options[LOG_BASE]] + 0.0
    matrices: Matrices = []
    notes = [f"P-vectors: perplexity in {form} form, {FORMULAS[form]}; log base {rows.options[LOG_BASE]}"]
    if left_out := int((~counts).sum()):
        notes.append(f"{left_out} of {len(table)} tokens are end or padding tokens, which the token form leaves out")
    sentence = table.columns["sentence_id"].codes
    runs = rows_of_runs(runs_of_columns(table, beside))
    for first, of_run in runs:
        keys = {name: table.columns[name].values[table.columns[name].codes[first]].strip() for name in beside}
        where = " ".join("=".join(pair) for pair in keys.items())
        of_each = (term.values, term.codes[of_run], context.values, context.codes[of_run])
        cells = cells_of(*of_each, sentence[of_run], bits[of_run], counts[of_run])
        _refuse_holes(cells, rows, f"{where}: " if where else "")
        vectors = cells.vectors(form)
        _refuse_infinite(cells, vectors, rows, f"{where}: " if where else "")
        matrices.append((keys, vectors))
        size = f"{len(cells.terms)} terms x {len(cells.contexts)} contexts"
        notes.append(f"{where}: {size}" if len(runs) > 1 else size)
        notes += [] if len(problems) else [f"{where}: {each}" if where else each for each in said_of_sentences(cells)]
    return matrices, notes


def _refuse_holes(cells: Cells, rows: ProbeRows, where: str) -> None:
    is_known = cells.is_there
    for index, name in enumerate(cells.contexts):
        terms = np.flatnonzero(is_known[:, index])
        if len(terms) == 1:
            only = cells.terms[int(terms[0])]
            rows.problems.whole(
                f"{where}context {quote_cell(name)} has one term alone, {quote_cell(only)}: nothing can be compared"
                " there; leave the context out or give the other terms' sentences too"
            )
            continue
        for hole in np.flatnonzero(~is_known[:, index]):
            rows.problems.whole(
                f"{where}term {quote_cell(cells.terms[int(hole)])} has no tokens in context {quote_cell(name)}, which"
                f" {len(terms)} other terms have"
            )


def _refuse_infinite(cells: Cells, vectors: TermVectors, rows: ProbeRows, where: str) -> None:
    for term, context in np.argwhere(cells.is_there & np.isinf(vectors.values)).tolist():
        cell = f"{where}term {quote_cell(cells.terms[term])} in context {quote_cell(cells.contexts[context])}"
        if np.isinf(cells.bits[term, context]):
            rows.problems.whole(f"{cell}: its perplexity is infinite, for a token has probability 0")
        else:
            rows.problems.whole(f"{cell}: its perplexity is too large to write; use the token form")


def read_p_vectors(rows: ProbeRows, name: str) -> Probe:
    matrices, notes = matrices_of_table(rows)
    return probe_of_vectors(rows, name, matrices, notes)


ROW_PER_TOKEN_OF_TERM = ProbeFormat(
    order=9,
    tried=0,
    columns="sentence_id,token,logprob,term,context",
    row_meaning="log probabilities of tokens, for one vector of perplexities per term",
    told_by=lambda columns: {"sentence_id", "logprob", "term", "context"} <= columns,
    key="sentence_id",
    read=read_p_vectors,
    options=(LOG_BASE, PERPLEXITY_FORM, TRANSFORM, SIMILARITY),
)

FORMATS = (ROW_PER_TOKEN, ROW_PER_TOKEN_OF_TERM)
