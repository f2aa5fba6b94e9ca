"""Perplexities of tokens and of files, for tests."""

from pathlib import Path
from typing import Any

from agreement.files.problems import Problems, refuse_if_any
from agreement.files.reading import read_table
from agreement.scoring.perplexity import LogBase, Perplexity, Tokens, perplexity_of_runs
from agreement.scoring.probe_formats.log_probabilities import Setting, perplexities_of_table


def perplexity(sentence: Any, logprob: Any, base: LogBase, *, end_tokens: int = 0) -> Perplexity:
    return perplexity_of_runs([Tokens.of(sentence, logprob, base, end_tokens)], base)


def perplexities_of_file(path: Path, base: LogBase) -> dict[Setting, Perplexity]:
    problems = Problems(path.name)
    table = read_table(path, problems)
    refuse_if_any(problems)
    assert table is not None
    found = perplexities_of_table(table, base, problems)
    refuse_if_any(problems)
    return found
