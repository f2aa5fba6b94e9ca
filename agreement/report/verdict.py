"""The verdict on a gold: whether it is good enough, what most speaks against it, and the one thing to do next.

The rules are the tables of `verdict_rules.py`. Every page, file and command says what they say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Any

from ..estimation.estimate import Estimate, Figure, Undefined
from ..files.numbers import count_text, short_decimal
from ..kinds.statistics import COHEN, INTERVAL, KAPPA, NOMINAL, ORDINAL, OWN_LABELS, words_of
from ..people.agreement_report import AgreementReport
from ..people.split_half import further_judgments, of_orders
from ..scoring.metrics import title_of
from .glossary import meaning_of, sentence_on
from .verdict_rules import (
    CAVEATS,
    CAVEATS_NOW,
    HARDLY_DECIDED,
    LEAST_AGREEMENT,
    MEASURES,
    NO_BETTER_THAN_CHANCE,
    NOTHING_SINCE,
    OPENINGS,
    STANDINGS,
    STEPS,
    Circumstances,
    Facts,
    Measure,
    NextStep,
    ReportVerdict,
    Standing,
    VerdictFigure,
    figure_text,
    plain,
)

if TYPE_CHECKING:
    from .report import Report, Results

MOST_COUNTED = 10_000  # judgments of a study that was never analysed

__all__ = [
    "MOST_COUNTED",
    "Circumstances",
    "NextStep",
    "ReportVerdict",
    "VerdictFigure",
    "no_verdict",
    "verdict_of",
    "weakest",
    "weakest_in_json",
]


def verdict_of(report: Report, now: Circumstances = NOTHING_SINCE) -> ReportVerdict:
    """The verdict on a report's gold; of standing "none", with the reason, where nothing tells how good it is."""
    results = report.question.results
    if isinstance(results.release, Undefined):
        return _concluded(Facts(now=now, why_none=results.release.why, judgments=report.counts.judgments), None, (), "")
    return _Judged(report, results, now).verdict()


def no_verdict(now: Circumstances = NOTHING_SINCE, *, judgments: int = 0) -> ReportVerdict:
    """What is said where nothing was analysed. Judgments are counted no further than one more than MOST_COUNTED."""
    if now.is_running:
        why = "The first analysis is running."
    elif now.job_failed:
        why = "The analysis failed, so that there are no figures."
    elif judgments:
        many = (
            f"More than {MOST_COUNTED:,} judgments" if judgments > MOST_COUNTED else count_text(judgments, "judgment")
        )
        why = f"{many} {'is' if judgments == 1 else 'are'} there, and no analysis yet."
    else:
        why = "Nobody has answered yet."
    facts = Facts(now=now, why_none=why, was_analysed=False, judgments=judgments)
    return _concluded(facts, None, (), "")


def weakest(verdicts: Mapping[str, ReportVerdict]) -> ReportVerdict:
    """The verdict over several questions, by their names: that of the weakest, named."""
    name = _weakest_of({one: verdict.standing for one, verdict in verdicts.items()})
    return replace(verdicts[name], sentence=_weakest_sentence(name, len(verdicts), verdicts[name].sentence))


def weakest_in_json(verdicts: Mapping[str, Mapping[str, Any]]) -> dict[str, object]:
    """The same of verdicts as report.json has them."""
    name = _weakest_of({one: verdict["level"] for one, verdict in verdicts.items()})
    return {**verdicts[name], "sentence": _weakest_sentence(name, len(verdicts), verdicts[name]["sentence"])}


def _weakest_of(standings: Mapping[str, Standing]) -> str:
    return min(standings, key=lambda name: STANDINGS.index(standings[name]))


def _weakest_sentence(name: str, questions: int, sentence: str) -> str:
    """Which of several questions decides.

    >>> _weakest_sentence("fluency", 4, "This gold is good.")
    'Of 4 questions “fluency” is the weakest. This gold is good.'
    """
    return f"Of {questions} questions “{name}” is the weakest. {sentence}"


# From a report to the facts, and from these to the words.

_NAMES = {
    path: name for name, path in (KAPPA, NOMINAL, ORDINAL, INTERVAL, COHEN, OWN_LABELS, ("Kendall's W", ("kendall_w",)))
}


NOT_COUNTED = "the version that made this release didn't tell which labels are sure"


@dataclass(frozen=True, slots=True)
class _Judged:
    """A report that has gold."""

    report: Report
    results: Results
    now: Circumstances

    @property
    def cleaned(self) -> AgreementReport:
        return self.results.agreement.cleaned

    def verdict(self) -> ReportVerdict:
        key = words_of(self.report.question.kind).verdict_by
        measure, counts = MEASURES[key], self.cleaned.counts
        figure = self._figure(key)
        if counts.workers == 1:
            figure = Undefined("one person gave all answers that count, and nobody can be compared with them")
        elif counts.items_with_two == 0:
            figure = Undefined("no item has answers of two people, so that nothing tells how far people agree")
        if isinstance(figure, Undefined):
            return self._undefined(figure.why)
        facts = self._facts(key, measure, figure)
        concluded = _concluded(
            facts, self._sentence(measure, figure, facts), self._figures(key, figure), measure.source
        )
        return replace(concluded, opening=_opening(measure, figure, facts))

    def _undefined(self, why: str) -> ReportVerdict:
        known, is_old = self._known(), why == NOT_COUNTED
        facts = replace(known, is_of_older_version=is_old, further=2, further_items=known.items)
        why = f"Nothing tells how good this gold is: {why.rstrip('.')}."
        return _concluded(replace(facts, why_none=why), None, self._figures("", Undefined(why)), "")

    # What is judged.

    def _figure(self, key: str) -> Figure:
        match key:
            case "reliability":
                # Releases of earlier versions have the stepped-up correlation of halves alone.
                return (self.cleaned.gold_reliability or self.cleaned.split_half).headline
            case "order":
                return of_orders(self.cleaned)
            case "decided":
                return self._share_decided()
        per_item = self.report.counts.judgments_per_item
        return Estimate(per_item, None, None, self.report.counts.items, "judgments per item")

    def _share_decided(self) -> Figure:
        unsure = self.results.claims.unsure
        if unsure is None:
            return Undefined(NOT_COUNTED)
        return Estimate((unsure.of - unsure.count) / unsure.of, None, None, unsure.of, "items whose label is sure")

    def _agreement(self) -> tuple[str, Figure] | None:
        """How far people agree, by the figure that suits the labels: their order counts where they have one."""
        cleaned, ordinal = self.cleaned, ("krippendorff_alpha", "ordinal")
        if cleaned.headline is None:
            return None
        path = tuple(cleaned.first.split("."))
        if path == ("fleiss_kappa",) and isinstance(cleaned.statistics()[ordinal].headline, Estimate):
            path = ordinal
        return _NAMES.get(path, "Agreement"), cleaned.statistics()[path].headline

    # The facts.

    def _known(self) -> Facts:
        """What is known of any gold."""
        counts, suspects = self.report.counts, self.results.suspects
        cleaning = self.report.cleaning
        return Facts(
            now=self.now,
            judgments=counts.judgments,
            people=self.cleaned.counts.workers,
            items=counts.items,
            suspects=0 if suspects is None or isinstance(suspects, Undefined) else len(suspects),
            were_screened=suspects is not None and not isinstance(suspects, Undefined),
            had_checks=any(rule.passed or rule.failed for rule in cleaning.by_rule if rule.kind == "check"),
            same_accounts=any(one.code == "identical-accounts" for one in self.results.warnings),
            selects_on_outcome=bool(cleaning.selects_on_outcome) and counts.workers_kept < counts.workers,
            has_models=bool(self.results.scores),
        )

    def _facts(self, key: str, measure: Measure, figure: Estimate) -> Facts:
        known = self._known()
        is_of_labels, unsure = key == "decided", self.results.claims.unsure
        agreement = self._agreement()
        above = not is_of_labels or agreement is None or _is_above_chance(agreement[1])
        standing = measure.standing_of(figure.estimate)
        if not above:
            standing = "not-yet"
        elif known.are_few:
            standing = min(standing, "usable", key=STANDINGS.index)
        of_low = None if figure.low is None else measure.standing_of(figure.low)
        further, further_items = self._further(key, measure, figure)
        return replace(
            known,
            standing=standing,
            standing_of_low=of_low if of_low and STANDINGS.index(of_low) < STANDINGS.index(standing) else None,
            low="" if figure.low is None else short_decimal(figure.low, measure.bounds),
            has_interval=key not in {"reliability", "order"} or figure.low is not None,
            agreement=_low_agreement(agreement) if key in {"reliability", "decided"} and above else "",
            unsure=unsure.count if is_of_labels and unsure is not None else 0,
            unsure_means=unsure.count
            if key == "reliability" and unsure is not None and not self.report.question.labels
            else 0,
            further=further,
            further_items=further_items,
        )

    def _further(self, key: str, measure: Measure, figure: Estimate) -> tuple[int, int]:
        """How many more judgments so many items need for the next word or for sure labels; zeros: none would do."""
        items, claims = self.report.counts.items, self.results.claims
        if key == "decided":
            known = [one.judgments for one in claims.items if one.judgments is not None]
            unknown = len(claims.items) - len(known)
            many = 0 if claims.unsure is None else claims.unsure.count - unknown
            each = ceil(median(known)) if known else 0
            return (each, many) if each <= HARDLY_DECIDED else (0, 0)
        if figure.estimate >= measure.good:
            return 0, 0
        if key in {"people", "references"}:
            return ceil(measure.good - figure.estimate), items
        return further_judgments(figure.estimate, measure.good, self.report.counts.judgments_per_item), items

    # The words.

    def _sentence(self, measure: Measure, figure: Estimate, facts: Facts) -> str:
        agreement = self._agreement()
        named = "" if agreement is None else _named(*agreement)
        clause = measure.clause.format(
            agreement=named,
            text=figure_text(figure, measure),
            sure=f"{round(figure.estimate * figure.n):,}",
            of=count_text(figure.n, "item"),
            have="has" if figure.n == 1 else "have",
        )
        if facts.standing == "not-yet" and figure.estimate >= measure.usable:
            clause = NO_BETTER_THAN_CHANCE.format(agreement=named)
        least = f", where {plain(measure.usable)} is the least" if figure.estimate < measure.usable else ""
        parts = [f"{clause}{least}", self._people_clause(), self._reach_clause()]
        return f"{OPENINGS[facts.standing]}: {'; '.join(filter(None, parts))}."

    def _people_clause(self) -> str:
        counts, by_hand = self.report.counts, self.report.by_hand
        gone = counts.workers - counts.workers_kept
        if not gone:
            return f"all {counts.workers:,} people count"
        by_checks = {rule.kind for rule in self.report.cleaning.by_rule if rule.failed} == {"check"}
        is_by_rule = not (by_hand.set_aside or by_hand.by_earlier_runs or by_hand.in_other_questions)
        why = " for failed checks" if by_checks and is_by_rule else ""
        return f"{gone:,} of {counts.workers:,} people are out{why}"

    def _reach_clause(self) -> str:
        """What a model can reach, and what a typical person does."""
        ceiling = self.results.ceiling
        bound, person = ceiling.upper_bound, ceiling.leave_one_out.person
        alone = short_decimal(person.estimate) if isinstance(person, Estimate) else ""
        if not isinstance(bound, Estimate):
            return alone and f"a typical person reaches {alone} ({title_of(ceiling.leave_one_out.metric)})"
        return f"a model can reach {short_decimal(bound.estimate)}{f', a typical person {alone}' if alone else ''}"

    def _figures(self, key: str, figure: Figure) -> tuple[VerdictFigure, ...]:
        """Those that are defined: what is judged, the ceiling or agreement, a typical person, and who is out."""
        ceiling, agreement = self.results.ceiling, self._agreement()
        metric, counts = ceiling.leave_one_out.metric, self.report.counts
        measure = MEASURES.get(key)
        rows = [] if measure is None else [(key, measure.name, figure, measure.meaning)]
        if isinstance(ceiling.upper_bound, Estimate):
            rows.append(("ceiling", "The most a model can reach", ceiling.upper_bound, meaning_of("ceiling")))
        elif agreement is not None:
            rows.append(("agreement", *agreement, sentence_on(agreement[0]) or meaning_of("agreement")))
        if metric:
            person = ceiling.leave_one_out.person
            rows.append(("person", f"A typical person ({title_of(metric)})", person, meaning_of("person")))
        shown = [
            VerdictFigure(
                name_key, name, one.estimate, one.low, one.high, figure_text(one, measure if name_key == key else None),
                "higher", meaning,
            )
            for name_key, name, one, meaning in rows
            if isinstance(one, Estimate)
        ]  # fmt: skip
        gone = counts.workers - counts.workers_kept
        out = f"{gone:,} of {counts.workers:,}"
        return (*shown, VerdictFigure("careless", "People out", gone, None, None, out, "", meaning_of("careless")))


def _concluded(facts: Facts, sentence: str | None, figures: tuple[VerdictFigure, ...], source: str) -> ReportVerdict:
    """With the first caveat and the first step that apply; where there is no verdict the sentence says why."""
    texts = facts.texts()
    caveats = CAVEATS_NOW if sentence is None else CAVEATS
    caveat = next((rule.sentence.format(**texts) for rule in caveats if rule.applies(facts)), "")
    step = next(rule for rule in STEPS if rule.applies(facts))
    return ReportVerdict(
        standing=facts.standing,
        sentence=facts.why_none if sentence is None else sentence,
        caveat=caveat,
        next_step=NextStep(
            step.key, step.sentence.format(**texts), getattr(facts, step.counted) if step.counted else None
        ),
        figures=figures,
        source=source,
    )


def _opening(measure: Measure, figure: Estimate, facts: Facts) -> str:
    """With the reason where the gold isn't good enough."""
    reason = ""
    if figure.estimate < measure.usable:
        reason = f": {plain(measure.usable)} is the least for {measure.name[:1].lower()}{measure.name[1:]}"
    elif facts.standing == "not-yet":
        reason = f": {NO_BETTER_THAN_CHANCE.partition(':')[0]}"
    return f"{OPENINGS[facts.standing]}{reason}."


def _is_above_chance(agreement: Figure) -> bool:
    """Whether people surely agree more than chance would have it; of one label alone nothing could."""
    if isinstance(agreement, Undefined):
        return False
    return (agreement.estimate if agreement.low is None else agreement.low) > 0


def _low_agreement(agreement: tuple[str, Figure] | None) -> str:
    """The name and the figure of agreement under Krippendorff's least; nothing of more."""
    if agreement is None or isinstance(agreement[1], Undefined) or agreement[1].estimate >= LEAST_AGREEMENT:
        return ""
    return _named(*agreement)


def _named(name: str, figure: Figure) -> str:
    """A figure under its name.

    >>> _named("Fleiss' kappa", Estimate(0.4302, 0.38, 0.48, 30, ""))
    "Fleiss' kappa is .43 (.38 to .48)"
    """
    return f"{name} is {'undefined' if isinstance(figure, Undefined) else figure_text(figure)}"
