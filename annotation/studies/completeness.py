"""What a study still lacks before people can come, the checks proposed from its items, and how many people it needs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import ceil

from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Coalesce

from agreement.errors import Refused
from agreement.files.numbers import count_text
from agreement.files.question_fields import fields_of
from annotation.answering.formatting import unknown_pictures
from annotation.models import Item, Study
from annotation.platforms import PLATFORMS
from annotation.studies.item_files import NewItem
from annotation.studies.items_of_text import PAIR, CheckOfTerms, Term, items_of_pairs
from annotation.studies.lacking_questions import Part, lacking_of_questions

CENT = Decimal("0.01")
MINUTES_PER_HOUR = 60
ENDING = re.compile(r"_?(?:[12]|[abAB])$")  # by which two columns of one thing are told apart


@dataclass(frozen=True, slots=True)
class Cost:
    """Of so many people: their pay, the platform's fee on top, and both."""

    currency: str
    pay: Decimal
    fee_percent: Decimal
    fee: Decimal
    per_hour: Decimal | None  # by the minutes that the study expects
    floor: Decimal | None  # the least per hour that the platform allows

    @property
    def total(self) -> Decimal:
        return self.pay + self.fee

    @property
    def is_below_floor(self) -> bool:
        return self.per_hour is not None and self.floor is not None and self.per_hour < self.floor


@dataclass(frozen=True, slots=True)
class Recruiting:
    items: int  # to judge
    judgments: int  # wanted of all of them
    most_per_item: int
    per_assignment: int  # items to judge in one assignment
    checks: int  # check items in one assignment
    beforehand: int  # practice and qualification items
    people: int  # places to request from the platform
    still_needed: int | None  # judgments; None: the study has not been open yet
    people_more: int | None  # places for those
    cost: Cost | None

    @property
    def questions(self) -> int:
        """That one person answers in one assignment."""
        return self.per_assignment + self.checks + self.beforehand


def recruiting_of(study: Study) -> Recruiting:
    """Four statements, whatever the size of the study."""
    of_item = Coalesce("judgments_per_item", F("study__judgments_per_item"))
    counted = study.items.aggregate(
        items=Count("pk", filter=Q(kind=Item.Kind.TARGET)),
        judgments=Sum(of_item, filter=Q(kind=Item.Kind.TARGET)),
        most=Max(of_item, filter=Q(kind=Item.Kind.TARGET)),
        practice=Count("pk", filter=Q(kind=Item.Kind.PRACTICE)),
        qualification=Count("pk", filter=Q(kind=Item.Kind.QUALIFICATION)),
    )
    items, judgments, most = counted["items"], counted["judgments"] or 0, counted["most"] or 0
    per_assignment = min(study.items_per_assignment, items)
    has_round, of_round = study.qualification_pass_mark is not None, counted["qualification"]
    people = people_for(judgments, most, items, study.items_per_assignment, study.assignments_per_worker)
    was_open = study.status != Study.Status.DRAFT
    still = study.open_places.count() if was_open else None
    return Recruiting(
        items=items,
        judgments=judgments,
        most_per_item=most,
        per_assignment=per_assignment,
        checks=sum(study.check_quotas.values_list("per_assignment", flat=True)),
        beforehand=counted["practice"] + has_round * min(study.qualification_items or of_round, of_round),
        people=people,
        still_needed=still,
        people_more=None
        if still is None
        else people_for(still, 0, items, study.items_per_assignment, study.assignments_per_worker),
        cost=cost_of(study, people),
    )


def people_for(judgments: int, most_per_item: int, items: int, per_assignment: int, assignments: int) -> int:
    """N = ceil(judgments / what one person gives); at least as many as the most that one item needs, since nobody
    judges an item twice.

    >>> people_for(660, 10, 66, 20, 1), people_for(660, 10, 66, 20, 4), people_for(30, 10, 3, 20, 1)
    (33, 10, 10)
    """
    each = min(per_assignment * assignments, items)
    return max(ceil(judgments / each), most_per_item) if each else 0


def fee_percent_of(study: Study) -> Decimal:
    """What the researcher has entered, else the platform's usual fee."""
    return PLATFORMS[study.platform].fee_percent if study.fee_percent is None else study.fee_percent


def cost_of(study: Study, people: int) -> Cost | None:
    """None where no pay is set."""
    if study.pay is None or not study.currency:
        return None
    pay, percent = study.pay * people, fee_percent_of(study)
    hourly = study.pay * MINUTES_PER_HOUR / study.minutes_expected if study.minutes_expected else None
    return Cost(
        currency=study.currency,
        pay=pay,
        fee_percent=percent,
        fee=(pay * percent / 100).quantize(CENT, ROUND_HALF_UP),
        per_hour=None if hourly is None else hourly.quantize(CENT, ROUND_HALF_UP),
        floor=PLATFORMS[study.platform].pay_floors.get(study.currency),
    )


def what_is_missing(study: Study) -> Iterator[str]:
    """Every reason why the study can't open yet, each with what to do about it."""
    for _part, reason in missing_parts(study):
        yield reason


def missing_parts(study: Study) -> Iterator[tuple[Part, str]]:
    """The same reasons with where each is mended."""
    if not study.items.targets().exists():
        yield Part.ITEMS, f"{study} has no items to judge: import some first."
    yield from lacking_of_questions(study)
    quotas = dict(study.check_quotas.values_list("check_name", "per_assignment"))
    yield from ((Part.CHECKS, reason) for reason in mismatched_checks(study, quotas))
    if reason := _why_nobody_qualifies(study):
        yield Part.QUALIFICATION, reason


def _why_nobody_qualifies(study: Study) -> str:
    """What keeps a qualification round from being held; nothing where it can be, or where there is none."""
    pass_mark, items = study.qualification_pass_mark, study.items.filter(kind=Item.Kind.QUALIFICATION).count()
    if pass_mark is None:
        needs = "say under Qualification in Setup how many right answers are needed, or delete them"
        return f"{study} has {count_text(items, 'qualification item')} and no pass mark: {needs}." if items else ""
    each = study.qualification_items or pass_mark
    if items < each:
        return (
            f"{study} needs {count_text(each, 'qualification item')} and has {items:,}: import more, or change the"
            " numbers under Qualification in Setup."
        )
    return ""


def what_people_will_see(study: Study) -> Iterator[str]:
    """What doesn't keep a study from opening, and should be known before it does."""
    if not study.consent.strip():
        yield (
            "Consent is empty: people are asked to agree to a general text ("
            "\u201cTaking part is voluntary. You can stop at any time, and withdraw your answers later.\u201d)."
        )
    if not study.contact.strip():
        yield "Contact is empty: people have nobody to write to."
    if empty := [name for name, text in _who_asks(study).items() if not text.strip()]:
        yield (
            f"The first page doesn't say who does the study: {', '.join(empty)} "
            f"{'are' if len(empty) > 1 else 'is'} empty."
        )
    for name, text in (("Instructions", study.instructions), ("Consent", study.consent)):
        if unknown := unknown_pictures(text, study):
            yield (
                f"{name} name pictures of items that the study doesn't have, so that only their descriptions are "
                f"shown: {', '.join(unknown)}."
            )


def _who_asks(study: Study) -> dict[str, str]:
    return {"Researchers": study.researchers, "Institution": study.institution, "Ethics approval": study.ethics}


def mismatched_checks(study: Study, quotas: Mapping[str, int]) -> Iterator[str]:
    """Check items that no assignment carries, and checks of which there are too few items; `quotas` by name."""
    names = study.items.checks().values_list("check_name", flat=True)
    item_counts = Counter(str(name) for name in names)
    for name, count in sorted(item_counts.items()):
        if name not in quotas:
            items = f"{count} check item{'s are' if count > 1 else ' is'} named '{name}'"
            yield (
                f"{items}, and no assignment carries any: say under Checks in Setup how many of them each carries, or"
                " delete them."
            )
    for name, per_assignment in sorted(quotas.items()):
        needed = per_assignment * study.assignments_per_worker
        if item_counts[name] < needed:
            yield f"{study} needs {needed} check items named '{name}' and has {item_counts[name]}."


# Checks that are proposed from a study's own items, with how many of them an assignment should contain.

# The bounds of the study that came first, in per cent of the scale (docs/studies/000-spatial-similarity.md).
UNRELATED_AT_MOST, SELF_AT_LEAST = 60, 90
UNRELATED_WORD = "green"
MOST_TERMS = 24  # a check of each kind for so many of the terms at most
MANY_ITEMS = 10  # from which an assignment gets two checks of each kind


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two kinds of check for pairs on a line: a word with an unrelated one, and a word with itself."""

    terms: tuple[str, ...]
    per_assignment: int
    named: tuple[str, ...]  # "unrelated", "self": those that the study doesn't have yet
    pair: tuple[str, str] = PAIR

    @property
    def count(self) -> int:
        return len(self.terms) * len(self.named)


def proposal_of(study: Study) -> Proposal | None:
    """None where the study isn't about pairs on a line, or has both kinds of check."""
    kind = study.question_kind
    if not kind.has_scale or kind.has_labels:
        return None
    has = set(study.items.checks().order_by().values_list("check_name", flat=True).distinct())
    named = tuple(name for name in ("unrelated", "self") if name not in has)
    pair = pair_of_question(study.question)
    terms = _terms(study, pair)
    if not named or not terms:
        return None
    per_assignment = 2 if study.items_per_assignment > MANY_ITEMS else 1
    return Proposal(terms, min(per_assignment, len(terms)), named, pair)


def pair_of_question(question: str) -> tuple[str, str]:
    """The fields of a question's two words: left and right, unless two of one name are numbered.

    >>> pair_of_question("{word_1} and {word_2}?"), pair_of_question("Is {object} a {category}?")
    (('word_1', 'word_2'), ('left', 'right'))
    """
    fields = fields_of(question)
    stems = {ENDING.sub("", name) for name in fields}
    return (fields[0], fields[1]) if len(fields) == 2 and len(stems) == 1 else PAIR


def _terms(study: Study, pair: tuple[str, str]) -> tuple[str, ...]:
    """The words of the pairs, each once; of many, some from the beginning to the end."""
    pairs = study.items.targets().order_by("position").values_list(*(f"fields__{name}" for name in pair))[:5_000]
    words = list(dict.fromkeys(word for both in pairs for word in both if isinstance(word, str) and word.strip()))
    step = max(1, -(-len(words) // MOST_TERMS))
    return tuple(words[::step])


def items_of_proposal(proposal: Proposal, unrelated_word: str) -> list[NewItem]:
    word = unrelated_word.strip()
    if "unrelated" in proposal.named:
        if not word:
            raise Refused("Give a word that is unrelated to every word of the items.")
        if word.casefold() in {term.casefold() for term in proposal.terms}:
            raise Refused(f"'{word}' is one of the items' own words: give one that is unrelated to all of them.")
    checks: dict[str, CheckOfTerms] = {
        "unrelated": {"with": word, "max": UNRELATED_AT_MOST},
        "self": {"min": SELF_AT_LEAST},
    }
    terms = [Term(term) for term in proposal.terms]
    wanted = {name: checks[name] for name in proposal.named}
    checks_of_terms = [item for item in items_of_pairs(terms, wanted) if item["kind"] == "check"]
    return [
        {**item, "fields": dict(zip(proposal.pair, item["fields"].values(), strict=True))} for item in checks_of_terms
    ]


def checks_without_quota(study: Study) -> Sequence[tuple[str, int]]:
    """Names of check items that no assignment contains, with how many items there are of each."""
    named = study.items.checks().exclude(check_name__in=study.check_quotas.values("check_name"))
    return list(named.order_by("check_name").values_list("check_name").annotate(n=Count("pk")))
