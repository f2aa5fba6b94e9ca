"""Metrics of one text an item against the texts of people."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...estimation.intervals import Range
from .. import caption_metrics as formulas
from ..caption_metrics import caption_figures, rows_against_all, rows_without_one
from ..jackknifed_metric import JackknifedMetric, Units
from ..metric import Family, Metric, Outputs, Rows
from ..score_gold import NOTHING
from ..text_metrics import TOKENISER, bleu, rouge_l_rows
from ..text_pairs import ORDERS, ROWS, TextCorpus

BLEU = Metric(name="bleu", title="BLEU", within=Range(0.0, 100.0), counts_missing=True)
ROUGE_L = tuple(  # as `rouge_l_rows` gives them
    Metric(name=f"rouge_l_{part}", title=title, counts_missing=True)
    for part, title in (("precision", "ROUGE-L precision"), ("recall", "ROUGE-L recall"), ("f", "ROUGE-L"))
)

# From summed counts, of one tokeniser. The mean over people is of other people's texts, one fewer than the item has.

WITHOUT_ONE, IN_WORDS = "_without_one", ", one reference fewer"
ONE_ITEM = "there is one item, so that every n-gram has the weight log 1 = 0"
MEANS_CIDER_D = (
    "CIDEr-D's weights, log N - log df, come from the items scored (N items, df of them with the n-gram in a reference)"
    " and change with them; intervals hold them."
)
MEANS_METEOR = (
    "METEOR has the modules exact and stem (Porter), no synonyms or paraphrases: F = P R / (.9 P + .1 R), less"
    " .5 (runs / matches)^3 of it."
)
MEANS_MEAN = (
    f"The mean of four is {formulas.MEAN_FORMULA}. Its parts, BLEU-1 to BLEU-3 and translation precision compare words:"
    f" {TOKENISER}."
)
MEANS_WITHOUT_ONE = (
    "These metrics grow with the number of references. So a person's text is held against the other texts of its item,"
    " and a model's against the same, each reference left out in turn."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMetric(Metric):
    """A column of `caption_figures`, and what is said where it is undefined."""

    column: int
    why_undefined: str = "there is no text"
    without_one: bool = False


def _bleu(n: int) -> TextMetric:
    return TextMetric(name=f"bleu_{n}", title=f"BLEU-{n}", counts_missing=True, column=formulas.BLEU_1 + n - 1)


def _precision(n: int) -> TextMetric:
    return TextMetric(
        name=f"bleu_precision_{n}",
        title=f"BLEU precision of order {n}",
        counts_missing=True,
        column=formulas.PRECISION_1 + n - 1,
        why_undefined=f"no text has {n} words",
    )


ROUGE_L_COCO = TextMetric(
    name="rouge_l_coco", title="ROUGE-L (COCO)", counts_missing=True, column=formulas.MEAN_ROUGE_L
)
METEOR = TextMetric(
    name="meteor_exact_stem",
    title="METEOR (exact, stem)",
    counts_missing=True,
    means=MEANS_METEOR,
    column=formulas.MEAN_METEOR,
)
CIDER_D = TextMetric(
    name="cider_d",
    title="CIDEr-D",
    within=Range(0.0, 10.0),
    counts_missing=True,
    means=MEANS_CIDER_D,
    column=formulas.MEAN_CIDER_D,
    why_undefined=ONE_ITEM,
)
MEAN_OF_FOUR = TextMetric(
    name="mean_of_four",
    title="mean of four",
    counts_missing=True,
    means=MEANS_MEAN,
    column=formulas.MEAN_OF_FOUR,
    why_undefined=f"CIDEr-D is undefined, because {ONE_ITEM}",
)
BREVITY_PENALTY = TextMetric(
    name="bleu_brevity_penalty",
    title="BLEU brevity penalty",
    ranks=False,
    counts_missing=True,
    column=formulas.BREVITY,
)
TRANSLATION_PRECISION = TextMetric(
    name="translation_precision", title="translation precision", counts_missing=True, column=formulas.UNCLIPPED
)
CLIPPED_PRECISION = TextMetric(
    name="translation_precision_clipped",
    title="translation precision, clipped",
    counts_missing=True,
    column=formulas.CLIPPED,
)
BLEUS, PRECISIONS = ([of(n) for n in range(1, ORDERS + 1)] for of in (_bleu, _precision))
COUNTED: tuple[TextMetric, ...] = (
    MEAN_OF_FOUR,
    *BLEUS,
    ROUGE_L_COCO,
    METEOR,
    CIDER_D,
    *PRECISIONS,
    BREVITY_PENALTY,
    TRANSLATION_PRECISION,
    CLIPPED_PRECISION,
)


def _metric_without_one(metric: TextMetric) -> TextMetric:
    """The same against all references but one: the metric on which people stand."""
    return TextMetric(
        name=f"{metric.name}{WITHOUT_ONE}",
        title=f"{metric.title}{IN_WORDS}",
        within=metric.within,
        means=MEANS_WITHOUT_ONE if metric is MEAN_OF_FOUR else "",
        person=f"{metric.name}{WITHOUT_ONE}",
        column=metric.column,
        why_undefined=metric.why_undefined,
        without_one=True,
    )


OF_PEOPLE: tuple[TextMetric, ...] = tuple(
    map(_metric_without_one, (MEAN_OF_FOUR, *BLEUS, ROUGE_L_COCO, METEOR, CIDER_D))
)
ONE_REFERENCE = "no item has two references"


def measure_outputs(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    references = outputs.gold.texts
    if references is None:
        raise ValueError(NOTHING)
    texts = [outputs.run.texts[index] for index in outputs.rows.tolist()]
    rouge = list(zip(ROUGE_L, rouge_l_rows(texts, references), strict=True))
    corpus = TextCorpus.of(texts, references)
    against_all, without_one = (rows(corpus, texts, references) for rows in (rows_against_all, rows_without_one))
    figures = []
    for items in members:
        indices = items.tolist()
        units = None if outputs.units is None else outputs.units.take(items)
        each = {
            **_pooled_metrics(COUNTED, against_all[items], corpus, units),
            **_pooled_metrics(OF_PEOPLE, without_one[items], corpus, units),
            BLEU.name: bleu([texts[i] for i in indices], [references[i] for i in indices]),
        }
        each |= {metric.name: JackknifedMetric.of_mean(row[items], "there is no text") for metric, row in rouge}
        figures.append({metric.name: each[metric.name] for metric in FAMILY.metrics})
    return figures


def _pooled_metrics(
    metrics: Sequence[TextMetric], rows: Floats, corpus: TextCorpus, units: Units | None
) -> dict[str, JackknifedMetric]:
    """Each metric of the items' counts together, and with those of each item, or of what items share, left out."""
    total = rows.sum(axis=0)
    theta = caption_figures(total[None], corpus.n_items)[0]
    has_reference = rows[:, ROWS] > 0
    left_out = rows if units is None else units.sums(rows)
    without = caption_figures(total - left_out, corpus.n_items)
    counts = has_reference if units is None else units.sums(has_reference.astype(np.float64)) > 0
    of = "items" if units is None else units.what
    missing = int(np.sum(~has_reference))
    figures = {}
    for metric in metrics:
        figure, deleted = theta[metric.column], without[:, metric.column]
        note = f"tokens: {TOKENISER}"
        if not has_reference.any():
            why = ONE_REFERENCE if metric.without_one else "there is no text"
            figures[metric.name] = JackknifedMetric.undefined(why, len(deleted))
            continue
        if missing:
            note += f"; {missing} of {len(rows)} items left out, which have one reference"
        if not np.isfinite(figure):
            figures[metric.name] = JackknifedMetric.undefined(metric.why_undefined, len(deleted))
            continue
        figures[metric.name] = JackknifedMetric(
            float(figure), np.where(counts, deleted, figure), counts, int(has_reference.sum()), of, note=note
        )
    return figures


FAMILY = Family(shape="texts", metrics=(BLEU, *ROUGE_L, *COUNTED, *OF_PEOPLE), against_gold=measure_outputs)
"""BLEU, ROUGE-L, METEOR and CIDEr-D of texts against an item's references: all of them, or all but one."""
