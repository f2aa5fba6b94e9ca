"""Perplexity and cross entropy from log probabilities of tokens; and vectors of terms made of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide, sum_by
from ..estimation.estimate import Estimate, Figure, Undefined
from ..estimation.intervals import AMOUNT, SAME, t_quantile, variance
from .vectors import TermVectors

LogBase = Literal["2", "e", "10"]
BITS = {"2": 1.0, "e": 1 / float(np.log(2)), "10": float(np.log2(10))}
END_TOKENS = frozenset({"</s>", "<eos>", "<|endoftext|>", "<|end_of_text|>", "[EOS]", "[SEP]", "<end>"})

NO_TOKENS = Undefined("perplexity: there are no tokens")


@dataclass(frozen=True, slots=True)
class Perplexity:
    """`corpus`: 2^(-1/T sum log2 q) over T tokens; `sentence`: 2^(-1/S sum log2 P(s)) over S sentences.

    `corpus_bits` and `sentence_bits` are their logarithms to base 2, the cross entropies per token and per sentence.
    Over several templates or runs all are means, and their sds (n - 1) stand beside them.
    """

    corpus: Figure
    sentence: Figure
    tokens: int
    sentences: int
    end_tokens: int
    corpus_sd: Estimate | None = None
    sentence_sd: Estimate | None = None
    corpus_bits: Figure = NO_TOKENS
    sentence_bits: Figure = NO_TOKENS
    corpus_bits_sd: Estimate | None = None
    sentence_bits_sd: Estimate | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of one template or run: [S] the sentences, their bits, -log2 P(s), and their lengths."""

    sentences: Ints
    bits: Floats
    lengths: Floats
    impossible: int
    end_tokens: int

    @classmethod
    def of(cls, sentence: Ints, logprob: Floats, base: LogBase, end_tokens: int) -> "Tokens":
        """Sentence [T] codes, logprob [T] of each token given those before it, in the base stated."""
        codes, of = np.unique(sentence, return_inverse=True)
        bits = sum_by(of, logprob, len(codes)) * -BITS[base]
        lengths: Floats = np.bincount(of, minlength=len(codes)).astype(np.float64)
        return cls(codes, bits, lengths, int(np.sum(~np.isfinite(logprob))), end_tokens)


def perplexity_of_runs(runs: Sequence[Tokens], base: LogBase) -> Perplexity:
    """The mean over templates or runs, and over one of them its own.

    A token of probability 0 makes both infinite, which is said and not printed.
    The interval leaves sentences out one at a time, each in all runs at once, and is taken on the scale of the
    logarithm of log2 PP, so that its lower end stays above 1, no choice at all.

    >>> halves = Tokens.of(np.array([0, 0, 1, 1]), np.log10([0.5, 0.5, 0.5, 0.5]), "10", end_tokens=0)
    >>> found = perplexity_of_runs([halves], "10")
    >>> found.corpus.estimate, found.sentence.estimate
    (2.0, 4.0)
    """
    tokens, ends = (int(sum(part)) for part in ([run.lengths.sum() for run in runs], [run.end_tokens for run in runs]))
    size = len(np.unique(np.concatenate([run.sentences for run in runs])))
    if not tokens:
        return Perplexity(NO_TOKENS, NO_TOKENS, 0, 0, 0)
    impossible = sum(run.impossible for run in runs)
    if impossible:
        none = Undefined(f"perplexity is infinite: {impossible} of {tokens} tokens have probability 0")
        return Perplexity(none, none, tokens, size, ends, corpus_bits=none, sentence_bits=none)
    basis = f"log base {base}, {tokens} tokens of {size} sentences, {ends or 'no'} end tokens among them"
    if len(runs) > 1:
        basis = f"mean over {len(runs)} templates or runs; {basis}"
    per = [run.lengths for run in runs], [np.ones(len(run.bits)) for run in runs]
    names = "perplexity of the corpus as one sequence", "perplexity of sentences"
    corpus, sentence = (_figure(runs, each, f"{name}; {basis}") for each, name in zip(per, names, strict=True))
    in_bits = "cross entropy per token", "cross entropy per sentence"
    bits = [_bits(runs, each, f"{name}, in bits; {basis}") for each, name in zip(per, in_bits, strict=True)]
    sds = [_sd(runs, each, name) for each, name in zip(per, names, strict=True)]
    bits_sds = [_sd_of_bits(runs, each, name) for each, name in zip(per, in_bits, strict=True)]
    return Perplexity(
        corpus,
        sentence,
        tokens,
        size,
        ends,
        corpus_sd=sds[0],
        sentence_sd=sds[1],
        corpus_bits=bits[0],
        sentence_bits=bits[1],
        corpus_bits_sd=bits_sds[0],
        sentence_bits_sd=bits_sds[1],
    )


def _figure(runs: Sequence[Tokens], per: Sequence[Floats], name: str) -> Figure:
    """The mean over runs of 2^(sum bits / sum per), its interval from leaving each sentence out."""
    exponent = float(_mean_exponent(_per_run(runs, per)))
    if exponent > np.finfo(np.float64).maxexp - 1:
        return Undefined(f"{name}: 2^{exponent:.1f} is too large to write")
    interval = _with_interval(runs, per, exponent, name, _mean_exponent)
    low, high = ((None if end is None else 2.0 ** min(end, 1023.0)) for end in (interval.low, interval.high))
    return replace(interval, estimate=2.0**exponent, low=low, high=high)


def _bits(runs: Sequence[Tokens], per: Sequence[Floats], name: str) -> Estimate:
    """The mean over runs of sum bits / sum per, its interval from leaving each sentence out."""
    return _with_interval(runs, per, float(_mean(_per_run(runs, per))), name, _mean)


def _per_run(runs: Sequence[Tokens], per: Sequence[Floats]) -> list[Floats | np.float64]:
    return [run.bits.sum() / each.sum() for run, each in zip(runs, per, strict=True)]


def _with_interval(
    runs: Sequence[Tokens],
    per: Sequence[Floats],
    theta: float,
    name: str,
    mean: Callable[[Sequence[Floats | np.float64]], Floats],
) -> Estimate:
    """The limits of a mean of bits over runs, log2 of a perplexity or a cross entropy."""
    n = len(runs[0].bits)
    if any(not np.array_equal(run.sentences, runs[0].sentences) for run in runs):
        return Estimate(theta, None, None, n, f"{name}; no interval: the runs are of different sentences")
    if n < 3:
        return Estimate(theta, None, None, n, f"{name}; no interval from {n} sentences")
    without = mean([(run.bits.sum() - run.bits) / (each.sum() - each) for run, each in zip(runs, per, strict=True)])
    se = float(np.sqrt(variance(without)))
    limits = AMOUNT.limits(theta, t_quantile(0.975, n - 1) * se)
    if se < SAME or limits is None:
        return Estimate(theta, None, None, n, f"{name}; no interval: leaving a sentence out changes nothing")
    return Estimate(theta, *limits, n, f"{name}; jackknife over sentences, on the logarithm of log2 PP", "items")


def _mean(bits: Sequence[Floats | np.float64]) -> Floats:
    return np.asarray(np.mean(np.array(bits), axis=0))


def _mean_exponent(exponents: Sequence[Floats | np.float64]) -> Floats:
    """log2 of the mean of 2^e over runs, without ever writing 2^e."""
    return np.asarray(np.logaddexp2.reduce(np.array(exponents)) - np.log2(len(exponents)))


def _sd(runs: Sequence[Tokens], per: Sequence[Floats], name: str) -> Estimate | None:
    exponents = _per_run(runs, per)
    if len(runs) < 2 or max(exponents) > np.finfo(np.float64).maxexp - 1:
        return None
    return _sd_over_runs(np.exp2(np.array(exponents)), name)


def _sd_of_bits(runs: Sequence[Tokens], per: Sequence[Floats], name: str) -> Estimate | None:
    return _sd_over_runs(np.array(_per_run(runs, per)), name) if len(runs) > 1 else None


def _sd_over_runs(values: Floats, name: str) -> Estimate:
    sd = float(np.std(values, ddof=1))
    return Estimate(sd, None, None, len(values), f"sd (n - 1) of the {name} over {len(values)} templates or runs")


# P-vectors: the perplexity of each term in each context's sentences, as a matrix of terms x contexts.

PerplexityForm = Literal["token", "sentence"]
FORMULAS: dict[PerplexityForm, str] = {
    "token": "2^(-1/T sum log2 q) over the T tokens of a cell",
    "sentence": "2^(-1/S sum log2 P(s)) over the S sentences of a cell",
}
LARGEST = float(np.finfo(np.float64).maxexp - 1)
FEW_SENTENCES = 100  # Ghanimifard and Dobnik (2019) leave contexts out that have fewer


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Sums over the tokens of each term [T] in each context [C]: their bits, -log2 q, their number, their sentences."""

    terms: tuple[str, ...]
    contexts: tuple[str, ...]
    bits: Floats
    tokens: Floats
    sentences: Floats

    @property
    def is_there(self) -> npt.NDArray[np.bool_]:
        return self.sentences > 0

    def vectors(self, form: PerplexityForm) -> TermVectors:
        """PP_ij of each cell; infinite where a token has probability 0 or the number is too large to write.

        >>> ones = np.ones((1, 1))
        >>> Cells(("on",), ("over",), bits=6 * ones, tokens=3 * ones, sentences=ones).vectors("token").values.tolist()
        [[4.0]]
        """
        exponents = divide(self.bits, self.tokens if form == "token" else self.sentences)
        values = np.where(exponents > LARGEST, np.inf, np.exp2(np.minimum(exponents, LARGEST)))
        return TermVectors(self.terms, self.contexts, values, is_made_here=True)


def cells_of(
    terms: Sequence[str],
    term: Ints,
    contexts: Sequence[str],
    context: Ints,
    sentence: Ints,
    bits: Floats,
    counts: Bools | None = None,
) -> Cells:
    """From tokens [R]: their term and context as codes, their sentence's code, their bits, and whether they count.

    One sentence of a cell is all tokens of the cell that share its id. Terms and contexts stand in alphabetical order.
    """
    rows, row_names = _alphabetical(terms, term)
    columns, column_names = _alphabetical(contexts, context)
    shape = len(row_names), len(column_names)
    cell = rows * shape[1] + columns
    size = shape[0] * shape[1]
    if counts is not None:
        cell, sentence, bits = cell[counts], sentence[counts], bits[counts]
    n_sentences = int(sentence.max(initial=0)) + 1
    of_sentences = np.unique(cell * n_sentences + sentence) // n_sentences
    return Cells(
        row_names,
        column_names,
        sum_by(cell, bits, size).reshape(shape),
        np.bincount(cell, minlength=size).astype(np.float64).reshape(shape),
        np.bincount(of_sentences, minlength=size).astype(np.float64).reshape(shape),
    )


def _alphabetical(names: Sequence[str], codes: Ints) -> tuple[npt.NDArray[np.int64], tuple[str, ...]]:
    """[R] the place of each row's name among those in use, in alphabetical order, and these names."""
    used = np.unique(codes)
    ordered = sorted(used.tolist(), key=lambda code: names[code])
    place = np.zeros(len(names), dtype=np.int64)
    place[ordered] = np.arange(len(ordered))
    return place[codes], tuple(names[code] for code in ordered)


def said_of_sentences(cells: Cells) -> list[str]:
    """What a reader should know of the contexts' sizes."""
    n = len(cells.contexts)
    few, uneven = ((cells.sentences.min(axis=0) < FEW_SENTENCES).sum(), (np.ptp(cells.sentences, axis=0) > 0).sum())
    notes = []
    if few:
        notes.append(f"{few} of {n} contexts have fewer than {FEW_SENTENCES} sentences for some term")
    if uneven:
        notes.append(f"in {uneven} of {n} contexts the terms differ in how many sentences they have")
    return notes
