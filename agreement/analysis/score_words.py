"""How well people and models do, in sentences that a paper can print, from the report alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agreement.analysis.figure_words import over_in_words, over_what, said_figure
from agreement.showing import METRICS

Report = Mapping[str, Any]
HELD = "with gold held fixed"


def people_paragraph(report: Report) -> str:
    """Leave-one-out and what models can reach; nothing for kinds that have neither."""
    return " ".join(_people(report))


def _people(report: Report) -> Iterator[str]:
    left_out, bound = report["ceiling"]["leave_one_out"], report["ceiling"]["upper_bound"]
    if "metric" not in left_out:
        return
    given = [left_out["mean"]]
    if "undefined" in left_out["mean"]:
        yield f"No figure of a person against the gold of the others (leave-one-out): {left_out['mean']['undefined']}."
    else:
        yield from _leave_one_out(left_out)
    if report["kind"] in ("slider", "sliders"):
        if "undefined" in bound:
            yield f"How far a model can correlate with the gold at most is undefined: {bound['undefined']}."
        else:
            given.append(bound)
            approximate = " (an approximation)" if "approximation" in bound["method"] else ""
            yield f"The most that a model can correlate with the gold{approximate}: {said_figure(bound)}."
    over = over_what(given)
    yield from filter(None, [over_in_words(over)])
    if len(over) > 1:
        yield "report.json says of each interval whether it is over items alone or over items and workers."


def _leave_one_out(left_out: Report) -> Iterator[str]:
    yield f"The metric is {spoken(left_out['metric'])}, over the {left_out['workers_counted']:,} workers who count."
    yield f"A person scored against the gold of the others (leave-one-out): {said_figure(left_out['mean'])}."
    for metric, figure in left_out.get("other_metrics", {}).items():
        if "undefined" not in figure:
            yield f"By {spoken(metric)} a person has {said_figure(figure)}."
    if left_out.get("others_behind_a_gold", 0) > 0:
        yield f"The gold of the others rests on {left_out['others_behind_a_gold']:.1f} people on average."


def scores_paragraph(report: Report) -> str:
    """The reference and the probes over all items, what their intervals are over, and every pair of probes."""
    blocks = [_reference(report["ceiling"]["reference"]), *(_probe(report, probe) for probe in report["probes"])]
    return "\n\n".join("\n".join(block) for block in [*blocks, list(_pairs(report["comparisons"]))] if block)


def _reference(reference: Report) -> list[str]:
    if "crowd" not in reference:
        return []
    over = over_in_words(over_what(reference["crowd"]), held="with gold and reference held fixed")
    workers = reference["workers"]
    each = over_in_words(over_what([workers])).replace("The intervals (95 %) are", "its interval is").rstrip(".")
    return [
        f"Against {reference['source']} ({reference['items']:,} items), the crowd as a model. {over}".rstrip(),
        "",
        *(f"- {_score(score)}" for score in reference["crowd"]),
        f"- workers one by one, their mean: {said_figure(workers)}{f'; {each}' if each else ''}",
    ]


def _probe(report: Report, probe: Report) -> list[str]:
    coverage, name = probe["coverage"], probe["probe"]
    own = [score for score in report["scores"] if score["probe"] == name and not score["breakdown"]]
    if not coverage["gold"]:
        first = f"{name} gives log probabilities, which are held against no gold."
    else:
        first = f"{name} covers {coverage['covered']:,} of {coverage['gold']:,} items of gold."
    over = over_in_words(over_what(own), held=HELD) if coverage["gold"] else over_in_sentences(over_what(own))
    lines = [" ".join(filter(None, [first, over])), ""]
    lines += [f"- {_score(score)}" for score in own]
    share = probe["matched_share"]
    if "estimate" in share:
        two_way = ", over items and workers" if share["low"] is not None else ""
        lines.append(f"- matched share of a typical person: {said_figure(share)}{two_way}")
    elif coverage["gold"] and "metric" in report["ceiling"]["leave_one_out"]:
        why = share["undefined"].removeprefix("matched share: ")
        lines.append(f"- matched share of a typical person: undefined, because {why}")
    return [*lines, *(f"- note: {note}" for note in probe["notes"])]


def over_in_sentences(over: set[str]) -> str:
    """Perplexity rests on the sentences alone; no worker and no gold has a part in it."""
    return f"The intervals (95 %) are over {next(iter(over))}." if len(over) == 1 else ""


def _pairs(comparisons: Sequence[Report]) -> Iterator[str]:
    if not comparisons:
        return
    held = over_in_words(over_what(comparisons), held=HELD)
    by_metric: dict[str, list[Report]] = {}
    for pair in comparisons:
        by_metric.setdefault(pair["metric"], []).append(pair)
    several = any(len(pairs) > 1 for pairs in by_metric.values())
    corrected = " and corrected by Holm over all pairs of a metric" if several else ""
    yield f"Paired tests between models; p is two-sided{corrected}. {held}".rstrip()
    for metric, pairs in by_metric.items():
        yield ""
        yield from (
            f"- {pair['first']} less {pair['second']}, {spoken(metric)}: {_tested(pair, pairs)}" for pair in pairs
        )


def _tested(pair: Report, pairs: Sequence[Report]) -> str:
    """A difference with its p, and Holm's where there are several pairs."""
    if pair.get("p") is None:
        return said_figure(pair)
    holm = f" (after Holm {_p(pair['p_holm_all_pairs'])})" if len(pairs) > 1 else ""
    return f"{said_figure(pair)}, p {_p(pair['p'])}{holm}"


def _p(p: float) -> str:
    """A p value as papers write it.

    >>> _p(0.0312), _p(0.00001)
    ('= 0.031', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def spoken(metric: str) -> str:
    """A metric as people call it.

    >>> spoken("f1"), spoken("f1_macro"), spoken("jensen_shannon_of_shares")
    ('macro F1', 'macro F1', 'Jensen-Shannon divergence of shares')
    """
    return METRICS.get(metric, metric.replace("_", " "))


def _score(score: Report) -> str:
    return f"{spoken(score['metric'])}: {said_figure(score)}"
