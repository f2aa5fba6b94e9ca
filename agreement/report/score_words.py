"""How well people and models do, in sentences that a paper can print, from the report alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..estimation.estimate import Estimate, Figure, Undefined
from ..kinds.registry import KINDS
from ..kinds.statistics import words_of
from ..people.matched_share import MatchedShare
from ..people.size_adjectives import SizeThreshold
from ..scoring.metrics import METRICS, is_in_words, missing_is_wrong, title_of
from .agreement_words import few_workers, has_few_workers, over_in_words, over_what, said_figure, tails_sentence
from .cleaning_report import several
from .model_rows import scores_of_rows
from .people_and_models import (
    AgainstReference,
    ComparedProbes,
    CrowdAgainstReference,
    GroupScore,
    PersonAgainstOthers,
    ProbeReport,
    ProbeScore,
    the_other_way,
)
from .report import Report, Results
from .score_tables import reference_lines, uncovered_by_model

# The fitted threshold of size words in sentences that a paper can print.


def size_paragraph(fit: SizeThreshold | Undefined | None) -> str:
    """People's k beside that of the literature; nothing where items say nothing of sizes."""
    if fit is None:
        return ""
    k = fit if isinstance(fit, Undefined) else fit.k
    if isinstance(fit, Undefined) or isinstance(k, Undefined):
        return f"No threshold was fitted to the verdicts on size: {k.why if isinstance(k, Undefined) else ''}."
    return " ".join(filter(None, _fit_sentences(fit, k)))


def _fit_sentences(fit: SizeThreshold, k: Estimate) -> Iterator[str]:
    known = fit.literature
    yield (
        f"A threshold was fitted to {fit.informative:,} verdicts on shapes that are neither the largest nor the"
        f" smallest of those they are compared with ({fit.verdicts:,} verdicts in all): a shape is big if its area"
        " is above max - k (max - min), with k normally distributed."
    )
    yield (
        f"People's k has the mean {said_figure(k)} and the standard deviation {said_figure(fit.sd)};"
        f" in the literature it is {known.k} and {known.sd} ({known.source})."
    )
    if "not a sampling interval" in k.method:
        yield "The two limits are the ends of the range of k that separates the verdicts without an error; no interval."
        return
    yield f"The share of verdicts given without regard to size: {said_figure(fit.lapse)}."
    yield f"A sharp threshold at people's k gives {said_figure(fit.sharp_right)} of these verdicts."
    yield over_in_words(over_what((k, fit.sd, fit.lapse)))


# How well people and models do, in sentences that a paper can print, from the report alone.

HELD = "with gold held fixed"
BOTH = {"items", "items and workers"}


def people_paragraph(report: Report) -> str:
    """Leave-one-out and what models can reach; nothing for kinds that have neither."""
    return " ".join(_people(report))


def _people(report: Report) -> Iterator[str]:
    left_out, bound = report.results.ceiling.leave_one_out, report.results.ceiling.upper_bound
    if not left_out.metric:
        return
    person = left_out.person
    figures = [person]
    if isinstance(person, Undefined):
        why = person.why.removeprefix("no worker can be scored: ").removeprefix("leave-one-out: ")
        yield f"Nobody could be scored against the gold of the others (leave-one-out): {why}."
    else:
        yield from _leave_one_out(left_out)
    if KINDS[report.question.kind].has_scale:
        if isinstance(bound, Undefined):
            yield f"The most that a model can correlate with the gold is undefined: {bound.why}."
        else:
            figures.append(bound)
            approximate = " (an approximation)" if "approximation" in bound.method else ""
            yield f"The most that a model can correlate with the gold{approximate}: {said_figure(bound)}."
    over = over_what(figures)
    yield from filter(None, [over_in_words(over)])
    whose = ("a person's score", "what a model can reach")
    few = [name for name, figure in zip(whose, figures, strict=False) if has_few_workers(figure)]
    if few:
        of = "" if len(few) == len(figures) else f" of {few[0]}"
        yield f"{few_workers(len(few), of).capitalize()}."
    if len(over) > 1:
        yield "report.json says of each interval whether it is over items alone or over items and workers."


def _leave_one_out(left_out: PersonAgainstOthers) -> Iterator[str]:
    if left_out.headline == "pooled":
        yield from _texts_left_out(left_out)
        return
    without = len(left_out.left_out)
    mean = f"the mean over {several(left_out.workers_counted, 'worker')}"
    if without:
        who, reason = ("1 more", "the reason is") if without == 1 else (f"{without:,} more", "the reasons are")
        mean += f" ({who} can't be scored; {reason} in report.json)"
    yield (
        f"A person scored against the gold of the others (leave-one-out) by {title_of(left_out.metric)}, {mean}:"
        f" {said_figure(left_out.mean)}."
    )
    yield from _other_metrics(left_out)
    if (others := left_out.others_behind_a_gold) > 0:
        people = "one person" if f"{others:.1f}" == "1.0" else f"{others:.1f} people on average"
        yield f"The gold of the others rests on {people}."


def _other_metrics(left_out: PersonAgainstOthers) -> Iterator[str]:
    for metric, figure in left_out.other_metrics.items():
        if isinstance(figure, Estimate):
            yield f"By {title_of(metric)} a person has {said_figure(figure)}."


def _texts_left_out(left_out: PersonAgainstOthers) -> Iterator[str]:
    """People's texts, all together: the figures are of summed counts."""
    person = left_out.person
    texts = several(person.n if isinstance(person, Estimate) else 0, "text")
    yield (
        "People's texts, each held against the other texts of its item (leave-one-out,"
        f" {left_out.others_behind_a_gold:.1f} of them on average), have by {title_of(left_out.metric)}, pooled over"
        f" {texts}, {said_figure(person)}."
    )
    yield from _other_metrics(left_out)


def scores_paragraph(report: Report) -> str:
    """The reference and the probes over all items, what their intervals are over, and every pair of probes."""
    results = report.results
    blocks = [
        _reference(report, results.ceiling.reference),
        *(_probe(results, probe) for probe in results.probes),
    ]
    blocks += [list(_groups(results.groups)), _beside_reference(results.against_reference)]
    blocks += [list(_pairs(results)), list(_meanings(results))]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _reference(report: Report, reference: CrowdAgainstReference | Undefined) -> list[str]:
    if isinstance(reference, Undefined):
        return []
    over = over_in_words(
        over_what(score.figure for score in reference.crowd), held="with gold and reference held fixed"
    )
    workers = reference.workers
    metric = words_of(report.question.kind).reference_metric
    against = f"{reference.source} ({reference.items:,} items)"
    return [
        f"The crowd's gold was scored as a model against {against}. {over}".rstrip(),
        "",
        *(f"- {_score(score)}" for score in _first_metric_first(report.results, reference.crowd)),
        f"- workers one by one, the mean of their {metric}: {said_figure(workers)}{_scope_text(workers)}",
    ]


def _first_metric_first(results: Results, scores: Sequence[ProbeScore]) -> list[ProbeScore]:
    """The metric that people are scored by first."""
    first = results.ceiling.leave_one_out.metric
    names = {metric.name for metric in METRICS.values() if first and metric.person == first}
    return sorted(scores, key=lambda score: score.metric not in names)


def _probe(results: Results, probe: ProbeReport) -> list[str]:
    coverage, name = probe.coverage, probe.probe
    own = scores_of_rows(score for score in results.scores if score.probe == name)
    if not coverage.gold:
        first = f"{name} gives log probabilities, which are not compared with gold."
    else:
        first = f"{name} covers {coverage.covered:,} of {coverage.gold:,} items of gold."
    named = {id(score): who.removeprefix(name).removeprefix(", ") for who, score in own}
    scores = [score for _, score in own]
    shown_scores = [score for score in scores if is_in_words(score.metric)]
    shown_scores = shown_scores if any(named.values()) else _first_metric_first(results, shown_scores)
    units = over_what(score.figure for score in (shown_scores if coverage.gold else scores))
    over = _intervals(units) if coverage.gold else over_in_sentences(units)
    lines = [" ".join(filter(None, [first, over])), ""]
    lines += [
        f"- {_of_row(named[id(score)])}{_score(score)}{_scope_text(score.figure) if units == BOTH else ''}"
        for score in shown_scores
    ]
    share = probe.matched_share
    if isinstance(share, MatchedShare) and isinstance(share.share, Estimate):
        lines.append(f"- matched share of a typical person: {said_figure(share.share)}{_scope_text(share.share)}")
    elif coverage.gold and results.ceiling.leave_one_out.metric:
        why = _why_no_share(share).removeprefix("matched share: ")
        lines.append(f"- matched share of a typical person: undefined, because {why}")
    without = uncovered_by_model([probe], results.scores).get(name)
    return [*lines, *([f"- note: {without}"] if without else []), *(f"- note: {note}" for note in probe.notes)]


def _of_row(name: str) -> str:
    """The setting or the way of counting that a line is of."""
    return f"{name}: " if name else ""


def _intervals(units: set[str]) -> str:
    """The sentence on intervals with gold held fixed, some of them or all."""
    if units != BOTH:
        return over_in_words(units, held=HELD)
    return (
        "The intervals (95 %) over items and workers generalise to new items and new workers; those over items, with"
        " gold held fixed, are for these workers."
    )


def _why_no_share(share: MatchedShare | Undefined | None) -> str:
    undefined = share.share if isinstance(share, MatchedShare) else share
    return undefined.why if isinstance(undefined, Undefined) else "it was not computed"


def _groups(groups: Sequence[GroupScore]) -> Iterator[str]:
    """The mean of each group of models."""
    rows = [row for row in groups if not row.breakdown]
    for group in dict.fromkeys(row.models for row in rows):
        own = [row for row in rows if row.models == group]
        yield f"The mean of the {len(own[0].probes)} models of the group {group} ({', '.join(own[0].probes)}):"
        yield ""
        yield from (f"- {_score(row)}" for row in own if is_in_words(row.metric))


def _beside_reference(part: AgainstReference | Undefined) -> list[str]:
    """Models beside people against labels from elsewhere, as a table; nothing where no model was scored."""
    if isinstance(part, Undefined) or not any(row.kind == "model" for row in part.scores):
        return []
    return reference_lines(part)


def _scope_text(figure: Figure) -> str:
    """What one figure's interval is over, behind it."""
    few = f"; {few_workers()}" if has_few_workers(figure) else ""
    each = {"items and workers": f", over items and workers{few}", "items": ", over items, for these workers"}
    return "".join(each.get(over, "") for over in over_what([figure]))


def scope_of_scores(scores: Iterable[ProbeScore]) -> str:
    """What the intervals leave below and above, and which metrics' are over items alone where others' generalise to new
    workers too.

    A majority, a filter or what enough people name hardly moves when a worker goes, and says nothing of other people.
    """
    overs: dict[str, set[str]] = {}
    own = [score for score in scores if not score.breakdown]
    tails = tails_sentence((score.figure for score in own), "Intervals over items and workers")
    for score in own:
        if is_in_words(score.metric):
            overs.setdefault(score.metric, set()).update(over_what([score.figure]))
    alone = [title_of(metric) for metric, over in overs.items() if over == {"items"}]
    if not alone or not any("items and workers" in over for over in overs.values()):
        return tails
    these = f"The intervals of {', '.join(alone)} are over items, for these workers, and say nothing of other people."
    return f"{tails} {these}".lstrip()


def over_in_sentences(over: set[str]) -> str:
    """Perplexity rests on the sentences alone; no worker and no gold has a part in it."""
    return f"The intervals (95 %) are over {next(iter(over))}." if len(over) == 1 else ""


def _pairs(results: Results) -> Iterator[str]:
    """What is tested over items and workers first, then what is for these workers alone."""
    by_metric: dict[str, list[ComparedProbes]] = {}
    for pair in results.comparisons:
        by_metric.setdefault(pair.metric, []).append(pair)
    several = any(len(pairs) > 1 for pairs in by_metric.values())
    corrected = " and corrected by Holm over all pairs of a metric" if several else ""
    for_others = [metric for metric, pairs in by_metric.items() if over_what(pair.figure for pair in pairs) - {"items"}]
    for_these = [metric for metric in by_metric if metric not in for_others]
    in_part = {one.probe for one in results.probes if not one.coverage.is_full}
    first = f"Paired tests between models; p is two-sided{corrected}."
    for metrics in filter(None, (for_others, for_these)):
        held = over_in_words(over_what(pair.figure for metric in metrics for pair in by_metric[metric]), held=HELD)
        if metrics is for_these and for_others:
            first, held = "", f"The same for these workers alone, which says nothing of people in general. {held}"
            yield ""
        yield f"{first} {held}".strip()
        for metric in metrics:
            yield ""
            for pair in by_metric[metric]:
                on_both = not missing_is_wrong(metric) and {pair.first, pair.second} & in_part
                name = f"{title_of(metric)}{' on the items that both cover' if on_both else ''}"
                yield f"- {pair.first} less {pair.second}, {name}: {_test_sentence(pair, by_metric[metric])}"


def _test_sentence(pair: ComparedProbes, pairs: Sequence[ComparedProbes]) -> str:
    """A difference with its p, and Holm's where there are several pairs."""
    difference = said_figure(pair.figure, pair.metric)
    if pair.p is None or pair.p_holm_all_pairs is None:
        return difference
    holm = f" (after Holm {_p(pair.p_holm_all_pairs)})" if len(pairs) > 1 else ""
    beside = pair.gold_as_released
    released = f"; over items alone, {HELD}, p {_p(beside.p)}" if beside and beside.p is not None else ""
    other_way = "".join(f"; {the_other_way(pair.first, pair.second, title_of(metric))}" for metric in pair.other_way_by)
    return f"{difference}, p {_p(pair.p)}{holm}{released}{other_way}"


def _p(p: float) -> str:
    """A p value as papers write it.

    >>> _p(0.0312), _p(0.00001)
    ('= 0.031', '< 0.001')
    """
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _meanings(results: Results) -> Iterator[str]:
    """What the metrics of labels compare, where one of them was taken."""
    left_out, reference = results.ceiling.leave_one_out, results.ceiling.reference
    taken = {score.metric for score in results.scores}
    if isinstance(reference, CrowdAgainstReference):
        taken |= {score.metric for score in reference.crowd}
    if isinstance(left_out.person, Estimate):
        taken |= {left_out.metric, *left_out.other_metrics}
    figures = (score.figure for score in results.scores if not score.breakdown)
    if tails := tails_sentence(figures, "Intervals of scores over items and workers"):
        yield tails
    if meanings := [one.means for one in METRICS.values() if one.means and taken & {one.name, one.person}]:
        yield " ".join(meanings)


def _score(score: ProbeScore | GroupScore) -> str:
    return f"{title_of(score.metric)}: {said_figure(score.figure, score.metric)}{_released_limits(score)}"


def _released_limits(score: ProbeScore | GroupScore) -> str:
    """The interval with gold held fixed, beside the one over items and workers."""
    beside = score.gold_as_released
    if beside is None or beside.low is None:
        return ""
    return f"; over items alone, {HELD}, {beside.low:.3f} to {beside.high:.3f}"
