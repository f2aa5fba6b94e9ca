"""Perplexity, which is held against no gold; its spreads over templates or runs have names of their own."""

from agreement.scoring.metric import SPREAD, Family, Metric
from agreement.scoring.perplexity import Perplexity
from agreement.stats.estimate import Figure
from agreement.stats.intervals import AMOUNT

CORPUS = Metric(name="perplexity_corpus", title="perplexity of the corpus", within=AMOUNT, smaller_is_better=True)
CORPUS_SD = Metric(
    name=f"{CORPUS.name}{SPREAD}", title="sd of the perplexity of the corpus", within=AMOUNT, ranks=False
)
SENTENCE = Metric(name="perplexity_sentence", title="perplexity of sentences", within=AMOUNT, smaller_is_better=True)
SENTENCE_SD = Metric(
    name=f"{SENTENCE.name}{SPREAD}", title="sd of the perplexity of sentences", within=AMOUNT, ranks=False
)


def figures_of(found: Perplexity) -> dict[str, Figure]:
    """Of the corpus and of its sentences, and their spreads where there are several runs."""
    figures: dict[str, Figure | None] = {
        CORPUS.name: found.corpus,
        CORPUS_SD.name: found.corpus_sd,
        SENTENCE.name: found.sentence,
        SENTENCE_SD.name: found.sentence_sd,
    }
    return {name: figure for name, figure in figures.items() if figure is not None}


FAMILY = Family(shape="logprobs", metrics=(CORPUS, CORPUS_SD, SENTENCE, SENTENCE_SD), without_gold=figures_of)
