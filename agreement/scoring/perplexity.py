"""Perplexity from log probabilities of tokens: of the corpus as one sequence, and of its sentences."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from agreement.gold.arrays import Floats, Ints, sum_by
from agreement.stats.estimate import Estimate, Figure, Undefined
from agreement.stats.jackknife import SAME, variance

LogBase = Literal["2", "e", "10"]
BITS = {"2": 1.0, "e": 1 / float(np.log(2)), "10": float(np.log2(10))}
END_TOKENS = frozenset({"</s>", "<eos>", "<|endoftext|>", "<|end_of_text|>", "[EOS]", "[SEP]", "<end>"})


@dataclass(frozen=True, slots=True)
class Perplexity:
    """`corpus`: 2^(-1/T sum log2 q) over T tokens; `sentence`: 2^(-1/S sum log2 P(s)) over S sentences."""

    corpus: Figure
    sentence: Figure
    tokens: int
    sentences: int
    end_tokens: int


def perplexity(sentence: Ints, logprob: Floats, base: LogBase, *, end_tokens: int = 0) -> Perplexity:
    """Sentence [T] codes, logprob [T] of each token given those before it, in the base stated.

    The interval leaves sentences out one at a time, on the logarithm; its lower end is at least 1, no choice at all.
    A token of probability 0 makes both infinite, which is said and not printed.

    >>> half = perplexity(np.array([0, 0, 1, 1]), np.log10([0.5, 0.5, 0.5, 0.5]), "10")
    >>> half.corpus.estimate, half.sentence.estimate
    (2.0, 4.0)
    """
    codes, of = np.unique(sentence, return_inverse=True)
    size = len(codes)
    if not len(logprob):
        none = Undefined("perplexity: there are no tokens")
        return Perplexity(none, none, 0, 0, 0)
    impossible = int(np.sum(~np.isfinite(logprob)))
    if impossible:
        none = Undefined(f"perplexity is infinite: {impossible} of {len(logprob)} tokens have probability 0")
        return Perplexity(none, none, len(logprob), size, end_tokens)
    bits = sum_by(of, logprob, size) * -BITS[base]
    lengths: Floats = np.bincount(of, minlength=size).astype(np.float64)
    ends = f"{end_tokens} end tokens among them" if end_tokens else "no end tokens among them"
    said = f"log base {base}, {len(logprob)} tokens of {size} sentences, {ends}"
    return Perplexity(
        _figure(bits, lengths, f"perplexity of the corpus as one sequence; {said}"),
        _figure(bits, np.ones(size), f"perplexity of sentences; {said}"),
        len(logprob),
        size,
        end_tokens,
    )


def _figure(bits: Floats, per: Floats, what: str) -> Figure:
    """2^(sum bits / sum per), an interval on the exponent from leaving each sentence out."""
    exponent = float(bits.sum() / per.sum())
    if exponent > np.finfo(np.float64).maxexp - 1:
        return Undefined(f"{what}: 2^{exponent:.1f} is too large to write")
    n = len(bits)
    if n < 3:
        return Estimate(2.0**exponent, None, None, n, f"{what}; no interval from {n} sentences")
    without = (bits.sum() - bits) / (per.sum() - per)
    se = float(np.sqrt(variance(without)))
    if se < SAME:
        return Estimate(2.0**exponent, None, None, n, f"{what}; no interval: leaving a sentence out changes nothing")
    half = float(stats.t.ppf(0.975, n - 1)) * se
    low, high = 2.0 ** max(exponent - half, 0.0), 2.0 ** min(exponent + half, 1023.0)
    return Estimate(2.0**exponent, low, high, n, f"{what}; jackknife over sentences on the logarithm")
