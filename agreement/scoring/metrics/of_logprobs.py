"""Perplexity and cross entropy, which are held against no gold; spreads over runs have names of their own."""

from ...estimation.estimate import Figure
from ...estimation.intervals import AMOUNT
from ..metric import SPREAD, Family, Metric
from ..perplexity import Perplexity

CORPUS = Metric(name="perplexity_corpus", title="perplexity of the corpus", within=AMOUNT, smaller_is_better=True)
CORPUS_SD = Metric(
    name=f"{CORPUS.name}{SPREAD}", title="sd of the perplexity of the corpus", within=AMOUNT, ranks=False
)
SENTENCE = Metric(name="perplexity_sentence", title="perplexity of sentences", within=AMOUNT, smaller_is_better=True)
SENTENCE_SD = Metric(
    name=f"{SENTENCE.name}{SPREAD}", title="sd of the perplexity of sentences", within=AMOUNT, ranks=False
)
BITS = Metric(
    name="cross_entropy_token", title="cross entropy per token, in bits", within=AMOUNT, smaller_is_better=True
)
BITS_SD = Metric(
    name=f"{BITS.name}{SPREAD}", title="sd of the cross entropy per token, in bits", within=AMOUNT, ranks=False
)
SENTENCE_BITS = Metric(
    name="cross_entropy_sentence", title="cross entropy per sentence, in bits", within=AMOUNT, smaller_is_better=True
)
SENTENCE_BITS_SD = Metric(
    name=f"{SENTENCE_BITS.name}{SPREAD}",
    title="sd of the cross entropy per sentence, in bits",
    within=AMOUNT,
    ranks=False,
)


def figures_of(perplexity: Perplexity) -> dict[str, Figure]:
    """Of the corpus and of its sentences, and their spreads where there are several runs."""
    figures: dict[str, Figure | None] = {
        CORPUS.name: perplexity.corpus,
        CORPUS_SD.name: perplexity.corpus_sd,
        SENTENCE.name: perplexity.sentence,
        SENTENCE_SD.name: perplexity.sentence_sd,
        BITS.name: perplexity.corpus_bits,
        BITS_SD.name: perplexity.corpus_bits_sd,
        SENTENCE_BITS.name: perplexity.sentence_bits,
        SENTENCE_BITS_SD.name: perplexity.sentence_bits_sd,
    }
    return {name: figure for name, figure in figures.items() if figure is not None}


FAMILY = Family(
    shape="logprobs",
    metrics=(CORPUS, CORPUS_SD, SENTENCE, SENTENCE_SD, BITS, BITS_SD, SENTENCE_BITS, SENTENCE_BITS_SD),
    without_gold=figures_of,
)
