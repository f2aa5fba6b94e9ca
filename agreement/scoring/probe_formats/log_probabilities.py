"""`sentence_id,token,logprob`: the log probabilities of tokens, from which perplexity is taken.

`template` and `run` beside them are averaged over, any other column is a setting with a perplexity of its own.
"""

from collections.abc import Sequence
from typing import get_args

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...files.numbers import numbers
from ...files.problems import Problems
from ...files.table import Column, Table
from ..perplexity import END_TOKENS, LogBase, Perplexity, Tokens, perplexity_of_runs
from ..probe import AVERAGED, Probe
from ..probe_format import Option, ProbeFormat
from ..probe_layout import ProbeRows

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


def refuse_blank_names(table: Table, name: str, what: str, problems: Problems) -> None:
    column = table.columns[name]
    blank = column.rows_where(lambda value: not value.strip())
    problems.cells(table.rows[blank], name, column.codes[blank], column.values, f"is not {what}")


def log_probabilities_of(table: Table, problems: Problems) -> Floats:
    """[R] the column logprob, minus infinity for a token of probability 0; what is above 0 goes to the problems."""
    given = table.columns["logprob"]
    impossible = np.array([value.strip().lower() in ZERO for value in given.values], dtype=np.bool_)
    readable = Column(
        given.codes, ["0" if zero else value for zero, value in zip(impossible, given.values, strict=True)]
    )
    read = numbers(readable, "logprob", table.rows, problems, None)
    above = np.flatnonzero(read > 0)
    limit = "is above 0: the logarithm of a probability is 0 or less"
    problems.cells(table.rows[above], "logprob", given.codes[above], given.values, limit)
    return np.where(impossible[given.codes], -np.inf, read) if len(given.values) else read


def read(rows: ProbeRows, name: str) -> Probe:
    """Perplexity, which needs neither items nor gold."""
    found = perplexities_of_table(rows.table, rows.options[LOG_BASE], rows.problems)
    return Probe(name, "logprobs", (), perplexities=found)


FORMAT = ProbeFormat(
    order=8,
    tried=1,
    columns="sentence_id,token,logprob",
    what="log probabilities of tokens, for perplexity",
    told_by=lambda columns: {"sentence_id", "logprob"} <= columns,
    says="sentence_id, token and logprob",
    key="sentence_id",
    read=read,
    options=(LOG_BASE,),
)
