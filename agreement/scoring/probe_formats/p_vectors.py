"""`sentence_id,token,logprob,term,context`: log probabilities of sentences in which one term replaces another.

Each term's perplexity in each context is a cell of a matrix, whose rows are the vectors of the terms.
`template` and `run` beside them are averaged over, any other column is a setting.
"""

from typing import get_args

import numpy as np

from ...arrays import Floats
from ...files.problems import shown
from ..perplexity import BITS, END_TOKENS, FORMULAS, Cells, PerplexityForm, cells_of, said_of_sentences
from ..probe import Probe
from ..probe_format import Option, ProbeFormat
from ..probe_layout import ProbeRows
from ..vector_probe import SIMILARITY, TRANSFORM, probe_of_vectors
from ..vectors import TermVectors
from .log_probabilities import (
    COLUMNS,
    LOG_BASE,
    log_probabilities_of,
    refuse_blank_names,
    refuse_many_valued_settings,
    rows_of_runs,
    runs_of_columns,
)

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
    for name, what in (("sentence_id", "an id"), ("term", "a term"), ("context", "a context")):
        refuse_blank_names(table, name, what, problems)
    term, context = (table.columns[name].mapped(str.strip) for name in ("term", "context"))
    for name in RESERVED:
        if name in context.values:
            problems.whole(f"context {shown(name)}: a file of vectors can't have a column of that name; rename it")
    if len(problems):
        return [], []
    tokens, counts = table.columns["token"], np.ones(len(table), dtype=np.bool_)
    counts[tokens.rows_where(lambda value: value.strip() in END_TOKENS | PAD_TOKENS)] = form != "token"
    bits: Floats = logprob * -BITS[rows.options[LOG_BASE]] + 0.0
    made: Matrices = []
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
        made.append((keys, vectors))
        said = f"{len(cells.terms)} terms x {len(cells.contexts)} contexts"
        notes.append(f"{where}: {said}" if len(runs) > 1 else said)
        notes += [] if len(problems) else [f"{where}: {each}" if where else each for each in said_of_sentences(cells)]
    return made, notes


def _refuse_holes(cells: Cells, rows: ProbeRows, where: str) -> None:
    there = cells.is_there
    for at, name in enumerate(cells.contexts):
        terms = np.flatnonzero(there[:, at])
        if len(terms) == 1:
            only = cells.terms[int(terms[0])]
            rows.problems.whole(
                f"{where}context {shown(name)} has one term alone, {shown(only)}: nothing can be compared there; leave"
                " the context out or give the other terms' sentences too"
            )
            continue
        for hole in np.flatnonzero(~there[:, at]):
            rows.problems.whole(
                f"{where}term {shown(cells.terms[int(hole)])} has no tokens in context {shown(name)}, which"
                f" {len(terms)} other terms have"
            )


def _refuse_infinite(cells: Cells, vectors: TermVectors, rows: ProbeRows, where: str) -> None:
    for term, context in np.argwhere(cells.is_there & np.isinf(vectors.values)).tolist():
        cell = f"{where}term {shown(cells.terms[term])} in context {shown(cells.contexts[context])}"
        if np.isinf(cells.bits[term, context]):
            rows.problems.whole(f"{cell}: its perplexity is infinite, for a token has probability 0")
        else:
            rows.problems.whole(f"{cell}: its perplexity is too large to write; use the token form")


def read(rows: ProbeRows, name: str) -> Probe:
    made, notes = matrices_of_table(rows)
    return probe_of_vectors(rows, name, made, notes)


FORMAT = ProbeFormat(
    order=9,
    tried=0,
    columns="sentence_id,token,logprob,term,context",
    what="log probabilities of tokens, for one vector of perplexities per term",
    told_by=lambda columns: {"sentence_id", "logprob", "term", "context"} <= columns,
    key="sentence_id",
    read=read,
    options=(LOG_BASE, PERPLEXITY_FORM, TRANSFORM, SIMILARITY),
)
