"""Reading `sentence_id,token,logprob`: the log probabilities of tokens, from which perplexity is taken."""

from pathlib import Path

import numpy as np

from agreement.scoring.perplexity import END_TOKENS, LogBase, Perplexity, perplexity
from annotation.files.numbers import numbers
from annotation.files.problems import Problems, refuse_if_any
from annotation.files.reading import read_table
from annotation.files.table import Column, Table

COLUMNS = ("sentence_id", "token", "logprob")
ZERO = frozenset({"-inf", "-infinity"})  # a token that the model holds to be impossible


def perplexity_of_file(path: Path, base: LogBase) -> Perplexity:
    """Perplexity of the corpus and of its sentences; `Refused` with every bad row.

    A log probability is 0 or less, or `-inf`. End tokens are told by their usual names, and counted.
    """
    problems = Problems(path.name)
    table = read_table(path, problems)
    refuse_if_any(problems)
    if table is None:
        raise AssertionError("a table that can't be read has its reasons")
    found = perplexity_of_table(table, base, problems)
    refuse_if_any(problems)
    return found


def perplexity_of_table(table: Table, base: LogBase, problems: Problems) -> Perplexity:
    """As `perplexity_of_file`; what is wrong goes to `problems`, and the figures then mean nothing."""
    for name in COLUMNS:
        if name not in table.columns:
            problems.whole(f"there is no column {name}; log probabilities come as {','.join(COLUMNS)}")
    if not set(COLUMNS) <= set(table.columns):
        return perplexity(np.zeros(0, dtype=np.int64), np.zeros(0), base)
    logprob = _log_probabilities(table, problems)
    blank = table.columns["sentence_id"].rows_where(lambda value: not value.strip())
    ids = table.columns["sentence_id"]
    problems.cells(table.rows[blank], "sentence_id", ids.codes[blank], ids.values, "is no id")
    tokens = table.columns["token"]
    ends = len(tokens.rows_where(lambda value: value.strip() in END_TOKENS))
    return perplexity(ids.codes, logprob, base, end_tokens=ends)


def _log_probabilities(table: Table, problems: Problems) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
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
