"""Metrics of one text an item against the texts of people."""

from collections.abc import Sequence

from agreement.scoring.jackknifed_metric import Measured
from agreement.scoring.metric import Family, Metric, Outputs, Rows
from agreement.scoring.score_gold import NOTHING
from agreement.scoring.text_metrics import bleu, rouge_l_rows
from agreement.stats.intervals import Range

BLEU = Metric(name="bleu", title="BLEU", within=Range(0.0, 100.0), counts_missing=True)
ROUGE_L = tuple(  # as `rouge_l_rows` gives them
    Metric(name=f"rouge_l_{part}", title=title, counts_missing=True)
    for part, title in (("precision", "ROUGE-L precision"), ("recall", "ROUGE-L recall"), ("f", "ROUGE-L"))
)


def measured(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, Measured]]:
    references = outputs.gold.texts
    if references is None:
        raise ValueError(NOTHING)
    texts = [outputs.run.texts[at] for at in outputs.rows.tolist()]
    rouge = list(zip(ROUGE_L, rouge_l_rows(texts, references), strict=True))
    found = []
    for items in members:
        at = items.tolist()
        each = {BLEU.name: bleu([texts[i] for i in at], [references[i] for i in at])}
        each |= {metric.name: Measured.of_mean(row[items], "there is no text") for metric, row in rouge}
        found.append(each)
    return found


FAMILY = Family(shape="texts", metrics=(BLEU, *ROUGE_L), against_gold=measured)
