"""The rules of a verdict as three tables: what is judged of each kind of question, by which thresholds (`MEASURES`);
what may speak against a gold (`CAVEATS`); what to do next (`STEPS`). Of the last two the first row that applies counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from ..estimation.estimate import Estimate
from ..files.numbers import count_text, short_decimal
from ..typed_json import NOT_IN_JSON, json_name
from .glossary import meaning_of

Standing: TypeAlias = Literal["none", "not-yet", "usable", "good", "excellent"]
STANDINGS: tuple[Standing, ...] = ("none", "not-yet", "usable", "good", "excellent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What only a site knows, and only after the analysis. Without `people_not_looked_at` all suspects count."""

    is_running: bool = False
    job_failed: bool = False
    newer_release: int | None = None
    is_out_of_date: bool = False
    people_not_looked_at: int | None = None


NOTHING_SINCE = Circumstances()


@dataclass(frozen=True, slots=True)
class VerdictFigure:
    """One of at most four figures behind a verdict: `text` is how it is printed, `better` the way that is better."""

    key: str
    name: str
    value: float | None
    low: float | None
    high: float | None
    text: str
    better: Literal["higher", "lower", ""]
    meaning: str


@dataclass(frozen=True, slots=True)
class NextStep:
    """The one thing to do next; `count` is of the people, judgments or items that it is about."""

    key: str
    sentence: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class ReportVerdict:
    """Whether a gold is good enough and why, the most important caveat, and what to do next."""

    COMPUTED: ClassVar = ("next",)

    standing: Standing = field(metadata=json_name("level"))
    sentence: str
    caveat: str
    next_step: NextStep = field(metadata=NOT_IN_JSON)
    figures: tuple[VerdictFigure, ...]
    source: str

    @property
    def next(self) -> tuple[NextStep, ...]:
        """As report.json has it: a list of the one step."""
        return (self.next_step,)


# What is judged of each kind of question, and by which thresholds.


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """The least values for the words "excellent" (None: never), "good" and "usable". `clause` goes into the sentence;
    `text` is the figure with its interval, `of` the items, and `sure` those of them whose label is sure.
    """

    name: str
    meaning: str
    clause: str
    excellent: float | None
    good: float
    usable: float
    source: str

    @property
    def bounds(self) -> tuple[float, ...]:
        return tuple(least for least in (self.excellent, self.good, self.usable) if least is not None)

    def standing_of(self, value: float) -> Standing:
        for standing, least in (("excellent", self.excellent), ("good", self.good), ("usable", self.usable)):
            if least is not None and value >= least:
                return standing  # type: ignore[return-value]
        return "not-yet"


OF_RELIABILITY = (
    "A reliability of .8 suffices for research and .9 for decisions on single cases (Nunnally, 1978); below .667 not"
    " even tentative conclusions hold (Krippendorff, 2004)."
)
MEASURES: Mapping[str, Measure] = {
    "reliability": Measure(
        name="Reliability of the gold",
        meaning=meaning_of("reliability"),
        clause="its reliability is {text}",
        excellent=0.9,
        good=0.8,
        usable=0.67,
        source=OF_RELIABILITY,
    ),
    "order": Measure(
        name="Reliability of the orders",
        meaning="How closely these mean ranks follow those of infinitely many people, by Kendall's W: 1 is perfectly.",
        clause="the reliability of its orders is {text}",
        excellent=0.9,
        good=0.8,
        usable=0.67,
        source=OF_RELIABILITY,
    ),
    "decided": Measure(
        name="Items with a sure label",
        meaning=meaning_of("sure"),
        clause="{sure} of {of} items have a sure label; {agreement}",
        excellent=0.9,
        good=0.8,
        usable=0.67,
        source=(
            "A label is sure where its posterior probability of being the commonest is .9 or more; the shares of .9, .8"
            " and .67 are this project's, after the thresholds that are usual for reliability."
        ),
    ),
    "people": Measure(
        name="People per item",
        meaning="How many people's lists stand behind each item, on average.",
        clause="{text} people named properties of each item",
        excellent=30,
        good=20,
        usable=10,
        source=(
            "Thirty people per concept are usual for norms of properties (McRae et al., 2005; Devereux et al., 2014);"
            " twenty and ten are this project's."
        ),
    ),
    "references": Measure(
        name="Texts per item",
        meaning="How many people's texts a model's text is compared with, on average.",
        clause="{text} texts stand behind each item",
        excellent=None,
        good=5,
        usable=2,
        source=(
            "Five reference texts per item are usual (COCO captions: Chen et al., 2015); of fewer than two nobody can"
            " be compared with others. No figure says how reliable texts are."
        ),
    ),
}
OPENINGS: Mapping[Standing, str] = {
    "excellent": "This gold is excellent for comparing models",
    "good": "This gold is good enough to compare models",
    "usable": "This gold is good enough to compare groups of items, but not models that are close",
    "not-yet": "This gold is not good enough yet",
}
NO_BETTER_THAN_CHANCE = "people may agree no more than by chance, for {agreement}"
WORDS: Mapping[Standing, str] = {
    "excellent": "excellent",
    "good": "good",
    "usable": "enough to compare groups of items alone",
    "not-yet": "not good enough",
}
FEW_ITEMS, FEW_PEOPLE = 10, 3  # fewer can't be called more than usable
LEAST_AGREEMENT = 0.667  # of single answers: Krippendorff's least for tentative conclusions
HARDLY_DECIDED = 20  # judgments per item, beyond which one rather decides by hand


# What the rules look at, and the rules.


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything that a row of the tables below may ask; `why_none` says why there is no verdict."""

    now: Circumstances = Circumstances()
    why_none: str = ""
    was_analysed: bool = True
    judgments: int = 0
    standing: Standing = "none"
    standing_of_low: Standing | None = None
    low: str = ""  # the lower limit, as printed
    has_interval: bool = True
    people: int = 0
    items: int = 0
    suspects: int = 0
    were_screened: bool = True
    had_checks: bool = True
    same_accounts: bool = False
    agreement: str = ""  # its name and figure, where single answers agree little
    unsure: int = 0  # items without a sure label
    unsure_means: int = 0  # items whose mean is known less precisely than it should be
    selects_on_outcome: bool = False
    further: int = 0  # judgments that each of `further_items` needs more; 0: no number would do
    further_items: int = 0
    has_models: bool = False
    is_of_older_version: bool = False  # which didn't say what a verdict needs

    @property
    def are_few(self) -> bool:
        return self.people < FEW_PEOPLE or self.items < FEW_ITEMS

    @property
    def to_look_at(self) -> int:
        """The suspects whom nobody has looked at, as far as that is known."""
        known = self.now.people_not_looked_at
        return self.suspects if known is None else known

    def texts(self) -> dict[str, str]:
        """What stands in braces in the sentences of rules."""
        return {
            "newer": str(self.now.newer_release),
            "people": count_text(self.people, "person", "people"),
            "items": count_text(self.items, "item"),
            "to_look_at": count_text(self.to_look_at, "person", "people"),
            "low": self.low,
            "word_of_low": WORDS.get(self.standing_of_low or "none", ""),
            "agreement": self.agreement,
            "unsure": count_text(self.unsure, "item"),
            "has": "has" if self.unsure == 1 else "have",
            "unsure_means": count_text(self.unsure_means, "item"),
            "further": count_text(self.further, "more judgment"),
            "further_items": f"each of {self.further_items:,} items" if self.further_items != 1 else "1 item",
        }


@dataclass(frozen=True, slots=True)
class Rule:
    """Its sentence where it applies; `counted` names the fact whose number the step is about."""

    key: str
    applies: Callable[[Facts], bool]
    sentence: str
    counted: str = ""


CAVEATS_NOW = (
    Rule("failed", lambda it: it.now.job_failed, "The newest analysis failed: this is what was known before."),
    Rule("older", lambda it: it.now.newer_release is not None, "This is an older release: release {newer} is newer."),
    Rule("out-of-date", lambda it: it.now.is_out_of_date, "It is out of date: answers or settings have changed since."),
)
CAVEATS = (
    *CAVEATS_NOW,
    Rule("few", lambda it: it.are_few, "It rests on {people} and {items} alone."),
    Rule("suspects", lambda it: it.to_look_at > 0, "Answers of {to_look_at} look careless, and still count."),
    Rule("same-accounts", lambda it: it.same_accounts, "Several accounts gave the same answers, as one person would."),
    Rule(
        "interval",
        lambda it: it.standing_of_low not in (None, it.standing),
        "With other people and items it might be as low as {low}, which is {word_of_low}.",
    ),
    Rule("no-interval", lambda it: not it.has_interval, "No interval says how far this figure may be off."),
    Rule(
        "unscreened",
        lambda it: not it.had_checks and not it.were_screened,
        "There were no checks and nobody could be screened: careless answers may be among these.",
    ),
    Rule("unsure", lambda it: it.unsure > 0, "{unsure} {has} no sure label yet."),
    Rule("single", lambda it: bool(it.agreement), "Single answers agree little ({agreement}): rely on the gold alone."),
    Rule(
        "selects",
        lambda it: it.selects_on_outcome,
        "A rule excluded people by how far they agree with others, which raises agreement by itself.",
    ),
    Rule("no-checks", lambda it: not it.had_checks, "There were no checks: carelessness shows in disagreement alone."),
    Rule(
        "unsure-means",
        lambda it: it.unsure_means > 0,
        "The mean of {unsure_means} is known less precisely than ±10 % of the scale.",
    ),
)
STEPS = (
    Rule("wait-for-job", lambda it: it.now.is_running, "Wait for the analysis that is running."),
    Rule("see-failed-job", lambda it: it.now.job_failed, "See why the last analysis failed, and start it again."),
    Rule("see-newest", lambda it: it.now.newer_release is not None, "Look at release {newer}."),
    Rule("analyse-again", lambda it: it.now.is_out_of_date or it.is_of_older_version, "Analyse again."),
    Rule("collect", lambda it: not it.judgments, "Collect answers."),
    Rule("analyse", lambda it: not it.was_analysed, "Analyse what was collected."),
    Rule("look-at-rules", lambda it: not it.people, "Look at the rules: they exclude everybody."),
    Rule(
        "look-at-people",
        lambda it: it.to_look_at > 0,
        "Look at {to_look_at} whose answers look careless.",
        "to_look_at",
    ),
    Rule(
        "collect-more",
        lambda it: it.further > 0 and it.standing != "excellent",
        "Collect {further} for {further_items}.",
        "further",
    ),
    Rule("collect-more", lambda it: it.are_few, "Ask more people, or about more items: {people} and {items} are few."),
    Rule(
        "revise-question",
        lambda it: it.standing == "not-yet",
        "Revise the question or its items: more answers to these would hardly help.",
    ),
    Rule(
        "decide-items",
        lambda it: it.unsure > 0 and it.standing != "excellent",
        "Decide {unsure} by hand: more answers would hardly do it.",
        "unsure",
    ),
    Rule("compare-models", lambda it: not it.has_models, "Add models' outputs, and compare them with people."),
    Rule("publish", lambda _: True, "Publish the gold with its report."),
)


def plain(value: float) -> str:
    """A threshold: `.67`, and `2` of what is counted."""
    return short_decimal(value) if value < 1 else f"{value:g}"


def figure_text(figure: Estimate, measure: Measure | None = None) -> str:
    """The figure with its interval, as its thresholds need it; of what is counted per item one decimal at most."""
    if measure is not None and measure.usable > 1:
        return f"{figure.estimate:.1f}".removesuffix(".0")
    bounds = () if measure is None else measure.bounds
    estimate = short_decimal(figure.estimate, bounds)
    if figure.low is None or figure.high is None:
        return estimate
    return f"{estimate} ({short_decimal(figure.low, bounds)} to {short_decimal(figure.high, bounds)})"
