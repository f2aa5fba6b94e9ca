"""How well people and models do, in sentences that a paper can print, from the report alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..kinds.registry import KINDS
from ..kinds.words import words_of
from ..people.leave_one_out import headline_of
from ..scoring.metrics import METRICS, is_in_words, missing_is_wrong, title_of
from .agreement_words import few_workers, has_few_workers, over_in_words, over_what, said_figure
from .cleaning_report import several
from .items_without_output import uncovered_by_model
from .reference_table import reference_lines

# The fitted threshold of size words in sentences that a paper can print.


def size_paragraph(found: Mapping[str, Any]) -> str:
    """People's k beside that of the literature; nothing where items say nothing of sizes."""
    if not found:
        return ""
    why = found.get("undefined") or found["k"].get("undefined")
    if why:
        return f"No threshold was fitted to the verdicts on size: {why}."
    return " ".join(filter(None, _fitted(found)))


def _fitted(found: Mapping[str, Any]) -> Iterator[str]:
    known, k = found["literature"], found["k"]
    yield (
        f"A threshold was fitted to {found['informative']:,} verdicts on shapes that are neither the largest nor the"
        f" smallest of those they are compared with ({found['verdicts']:,} verdicts in all): a shape is big if its area"
        " is above max - k (max - min), with k normally distributed."
    )
    yield (
        f"People's k has the mean {said_figure(k)} and the standard deviation {said_figure(found['sd'])};"
        f" in the literature it is {known['k']} and {known['sd']} ({known['source']})."
    )
    if "not a sampling interval" in k["method"]:
        yield "The two limits are the ends of the range of k that separates the verdicts without an error; no interval."
        return
    yield f"The share of verdicts given without regard to size: {said_figure(found['lapse'])}."
    yield f"A sharp threshold at people's k gives {said_figure(found['sharp_right'])} of these verdicts."
    yield over_in_words(over_what(found[name] for name in ("k", "sd", "lapse")))


# How well people and models do, in sentences that a paper can print, from the report alone.

Report = Mapping[str, Any]
HELD = "with gold held fixed"


def people_paragraph(report: Report) -> str:
    """Leave-one-out and what models can reach; nothing for kinds that have neither."""
    return " ".join(_people(report))


def _people(report: Report) -> Iterator[str]:
    left_out, bound = report["ceiling"]["leave_one_out"], report["ceiling"]["upper_bound"]
    if "metric" not in left_out:
        return
    person = headline_of(left_out)
    given = [person]
    if "undefined" in person:
        why = person["undefined"].removeprefix("no worker can be scored: ").removeprefix("leave-one-out: ")
        yield f"Nobody could be scored against the gold of the others (leave-one-out): {why}."
    else:
        yield from _leave_one_out(left_out)
    if KINDS[report["kind"]].has_scale:
        if "undefined" in bound:
            yield f"The most that a model can correlate with the gold is undefined: {bound['undefined']}."
        else:
            given.append(bound)
            approximate = " (an approximation)" if "approximation" in bound["method"] else ""
            yield f"The most that a model can correlate with the gold{approximate}: {said_figure(bound)}."
    over = over_what(given)
    yield from filter(None, [over_in_words(over)])
    whose = ("a person's score", "what a model can reach")
    few = [what for what, figure in zip(whose, given, strict=False) if has_few_workers(figure)]
    if few:
        of = "" if len(few) == len(given) else f" of {few[0]}"
        yield f"{few_workers(len(few), of).capitalize()}."
    if len(over) > 1:
        yield "report.json says of each interval whether it is over items alone or over items and workers."


def _leave_one_out(left_out: Report) -> Iterator[str]:
    if left_out.get("headline") == "pooled":
        yield from _texts_left_out(left_out)
        return
    without = len(left_out["left_out"])
    mean = f"the mean over {several(left_out['workers_counted'], 'worker')}"
    if without:
        who, reason = ("1 more", "the reason is") if without == 1 else (f"{without:,} more", "the reasons are")
        mean += f" ({who} can't be scored; {reason} in report.json)"
    yield (
        f"A person scored against the gold of the others (leave-one-out) by {title_of(left_out['metric'])}, {mean}:"
        f" {said_figure(left_out['mean'])}."
    )
    yield from _beside(left_out)
    if (others := left_out.get("others_behind_a_gold", 0)) > 0:
        people = "one person" if f"{others:.1f}" == "1.0" else f"{others:.1f} people on average"
        yield f"The gold of the others rests on {people}."


def _beside(left_out: Report) -> Iterator[str]:
    for metric, figure in left_out.get("other_metrics", {}).items():
        if "undefined" not in figure:
            yield f"By {title_of(metric)} a person has {said_figure(figure)}."


def _texts_left_out(left_out: Report) -> Iterator[str]:
    """People's texts, all together: the figures are of summed counts."""
    person, others = headline_of(left_out), left_out["others_behind_a_gold"]
    yield (
        "People's texts, each held against the other texts of its item (leave-one-out,"
        f" {others:.1f} of them on average), have by {title_of(left_out['metric'])}, pooled over"
        f" {several(person['n'], 'text')}, {said_figure(person)}."
    )
    yield from _beside(left_out)


def scores_paragraph(report: Report) -> str:
    """The reference and the probes over all items, what their intervals are over, and every pair of probes."""
    blocks = [
        _reference(report, report["ceiling"]["reference"]),
        *(_probe(report, probe) for probe in report["probes"]),
    ]
    blocks += [list(_groups(report)), _beside_reference(report.get("against_reference", {}))]
    blocks += [list(_pairs(report)), list(_meanings(report))]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _reference(report: Report, reference: Report) -> list[str]:
    if "crowd" not in reference:
        return []
    over = over_in_words(over_what(reference["crowd"]), held="with gold and reference held fixed")
    workers = reference["workers"]
    metric = words_of(report["kind"]).reference_metric
    against = f"{reference['source']} ({reference['items']:,} items)"
    return [
        f"The crowd's gold was scored as a model against {against}. {over}".rstrip(),
        "",
        *(f"- {_score(score)}" for score in _first_first(report, reference["crowd"])),
        f"- workers one by one, the mean of their {metric}: {said_figure(workers)}{_over(workers)}",
    ]


def _first_first(report: Report, scores: Sequence[Report]) -> list[Report]:
    """The metric that people are scored by first."""
    first = report["ceiling"]["leave_one_out"].get("metric")
    names = {metric.name for metric in METRICS.values() if first and metric.person == first}
    return sorted(scores, key=lambda score: score["metric"] not in names)


def _probe(report: Report, probe: Report) -> list[str]:
    coverage, name = probe["coverage"], probe["probe"]
    own = [score for score in report["scores"] if score["probe"] == name and not score["breakdown"]]
    if not coverage["gold"]:
        first = f"{name} gives log probabilities, which are not compared with gold."
    else:
        first = f"{name} covers {coverage['covered']:,} of {coverage['gold']:,} items of gold."
    over = over_in_words(over_what(own), held=HELD) if coverage["gold"] else over_in_sentences(over_what(own))
    lines = [" ".join(filter(None, [first, over])), ""]
    lines += [f"- {_score(score)}" for score in _first_first(report, own) if is_in_words(score["metric"])]
    share = probe["matched_share"]
    if "estimate" in share:
        lines.append(f"- matched share of a typical person: {said_figure(share)}{_over(share)}")
    elif coverage["gold"] and "metric" in report["ceiling"]["leave_one_out"]:
        why = share["undefined"].removeprefix("matched share: ")
        lines.append(f"- matched share of a typical person: undefined, because {why}")
    without = uncovered_by_model([probe], report["scores"]).get(name)
    return [*lines, *([f"- note: {without}"] if without else []), *(f"- note: {note}" for note in probe["notes"])]


def _groups(report: Report) -> Iterator[str]:
    """The mean of each group of models."""
    rows = [row for row in report.get("groups", ()) if not row["breakdown"]]
    for group in dict.fromkeys(row["models"] for row in rows):
        own = [row for row in rows if row["models"] == group]
        yield f"The mean of the {len(own[0]['probes'])} models of the group {group} ({', '.join(own[0]['probes'])}):"
        yield ""
        yield from (f"- {_score(row)}" for row in own if is_in_words(row["metric"]))


def _beside_reference(part: Report) -> list[str]:
    """Models beside people against labels from elsewhere, as a table; nothing where no model was scored."""
    return reference_lines(part) if any(row["kind"] == "model" for row in part.get("scores", ())) else []


def _over(figure: Report) -> str:
    """What one figure's interval is over, behind it."""
    few = f"; {few_workers()}" if has_few_workers(figure) else ""
    each = {"items and workers": f", over items and workers{few}", "items": ", over items, for these workers"}
    return "".join(each.get(over, "") for over in over_what([figure]))


def over_in_sentences(over: set[str]) -> str:
    """Perplexity rests on the sentences alone; no worker and no gold has a part in it."""
    return f"The intervals (95 %) are over {next(iter(over))}." if len(over) == 1 else ""


def _pairs(report: Report) -> Iterator[str]:
    comparisons: Sequence[Report] = report["comparisons"]
    if not comparisons:
        return
    held = over_in_words(over_what(comparisons), held=HELD)
    by_metric: dict[str, list[Report]] = {}
    for pair in comparisons:
        by_metric.setdefault(pair["metric"], []).append(pair)
    several = any(len(pairs) > 1 for pairs in by_metric.values())
    corrected = " and corrected by Holm over all pairs of a metric" if several else ""
    yield f"Paired tests between models; p is two-sided{corrected}. {held}".rstrip()
    in_part = {one["probe"] for one in report["probes"] if not one["coverage"]["is_full"]}
    for metric, pairs in by_metric.items():
        yield ""
        for pair in pairs:
            on_both = not missing_is_wrong(metric) and {pair["first"], pair["second"]} & in_part
            name = f"{title_of(metric)}{' on the items that both cover' if on_both else ''}"
            yield f"- {pair['first']} less {pair['second']}, {name}: {_tested(pair, pairs)}"


def _tested(pair: Report, pairs: Sequence[Report]) -> str:
    """A difference with its p, and Holm's where there are several pairs."""
    if pair.get("p") is None:
        return said_figure(pair)
    holm = f" (after Holm {_p(pair['p_holm_all_pairs'])})" if len(pairs) > 1 else ""
    beside = pair.get("gold_as_released", {})
    released = f"; over items alone, {HELD}, p {_p(beside['p'])}" if beside.get("p") is not None else ""
    return f"{said_figure(pair)}, p {_p(pair['p'])}{holm}{released}"


def _p(p: float) -> str:
    """A p value as papers write it.

    >>> _p(0.0312), _p(0.00001)
    ('= 0.031', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _meanings(report: Report) -> Iterator[str]:
    """What the metrics of labels compare, where one of them was taken."""
    left_out, reference = report["ceiling"]["leave_one_out"], report["ceiling"]["reference"]
    rows = [*report["scores"], *reference.get("crowd", ())]
    taken = {str(row["metric"]) for row in rows}
    if "estimate" in headline_of(left_out):
        taken |= {left_out["metric"], *left_out["other_metrics"]}
    if said := [one.means for one in METRICS.values() if one.means and taken & {one.name, one.person}]:
        yield " ".join(said)


def _score(score: Report) -> str:
    return f"{title_of(score['metric'])}: {said_figure(score)}{_released_limits(score)}"


def _released_limits(figure: Report) -> str:
    """The interval with gold held fixed, beside the one over items and workers."""
    beside = figure.get("gold_as_released")
    if not beside or beside["low"] is None:
        return ""
    return f"; over items alone, {HELD}, {beside['low']:.3f} to {beside['high']:.3f}"
