"""Every answer of one person, in the order in which they gave them, beside what the others answered."""

from __future__ import annotations

from dataclasses import dataclass

from agreement.cleaning.rule_set import RuleSet
from agreement.cleaning.rules.check import bounds_of_answers
from agreement.errors import Refused
from annotation.models import Item, Judgment, Participation, Study
from annotation.pages.item_display import AsShown, as_shown
from annotation.pages.sorted_pages import PageBounds
from annotation.releases.from_database.reading_judgments import AnswersOfItems, answers_of_items
from annotation.releases.models import Exclusion


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """`bound` is what the answer to a check must be, and `is_broken` whether it isn't; `marks` say what is unusual."""

    number: int
    item: AsShown
    pseudonym: str
    answer: str
    others: str
    bound: str
    is_broken: bool
    seconds: float | None
    counts: bool
    marks: tuple[str, ...]
    comment: str = ""


@dataclass(frozen=True, slots=True)
class PersonAnswers:
    rows: list[AnswerRow]
    cut: PageBounds


def answers_of(study: Study, person: Participation, rules: RuleSet, page: str) -> PersonAnswers:
    """One page of them. The same few queries for a person of any number of answers."""
    theirs = Judgment.objects.current().filter(assigned_item__participation=person).order_by("created_at", "pk")
    cut = PageBounds.of(page, theirs.count())
    places = list(theirs.values_list("pk", "assigned_item__item_id")[cut.rows])
    found = answers_of_items(study, {item for _, item in places})
    out = set(Exclusion.objects.in_force().filter(participation__study=study).values_list("participation", flat=True))
    bounds = check_bounds(found, rules)
    by_key = {judgment.pk: judgment for judgment in found.judgments}
    rows = [
        answer_row(study, found, by_key[pk], bounds, number=number, others=found.others(by_key[pk], out))
        for number, (pk, _) in enumerate(places, start=cut.first)
    ]
    return PersonAnswers(rows, cut)


def check_bounds(found: AnswersOfItems, rules: RuleSet) -> dict[int, tuple[str, bool]]:
    """By the judgment's key; nothing where the rules and the checks don't fit each other."""
    try:
        by_place = bounds_of_answers(rules.checks, found.crowd)
    except Refused:
        return {}
    return {pk: by_place[place] for pk, place in found.at.items() if place in by_place}


def answer_row(
    study: Study,
    found: AnswersOfItems,
    judgment: Judgment,
    bounds: dict[int, tuple[str, bool]],
    *,
    number: int,
    others: str,
) -> AnswerRow:
    place = judgment.assigned_item
    bound, is_broken = bounds.get(judgment.pk, ("", False))
    counts = judgment.pk in found.at and bool(found.counts[found.at[judgment.pk]])
    return AnswerRow(
        number=number,
        item=as_shown(study, place.item, is_swapped=place.is_word_order_swapped),
        pseudonym=place.participation.pseudonym,
        answer="could not see the picture" if judgment.could_not_see else found.text(judgment),
        others="" if place.item.kind == Item.Kind.PRACTICE else others,
        bound=bound,
        is_broken=is_broken,
        seconds=None if judgment.response_ms is None else judgment.response_ms / 1000,
        counts=counts,
        marks=_marks(judgment, counts=counts),
        comment=place.participation.comments,
    )


def _marks(judgment: Judgment, *, counts: bool) -> tuple[str, ...]:
    item = judgment.assigned_item.item
    said = (
        "practice" if item.kind == Item.Kind.PRACTICE else "",
        "late" if judgment.is_late else "",
        f"changed {judgment.revision - 1} times" if judgment.revision > 2 else "",
        "changed once" if judgment.revision == 2 else "",
        "untouched slider" if judgment.is_untouched_middle else "",
        "scale shown reversed" if judgment.is_direction_reversed else "",
        "" if counts or item.kind == Item.Kind.PRACTICE else "doesn't count",
    )
    return tuple(filter(None, said))
