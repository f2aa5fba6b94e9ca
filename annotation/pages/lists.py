"""Lists of items, people and one person's answers: sorted and page by page, with the age of their figures."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten
from urllib.parse import urlencode
from uuid import UUID

import numpy as np
import numpy.typing as npt
from django.db.models import Count, Q
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from agreement.cleaning.rule_set import RuleSet
from agreement.cleaning.rules.check import bounds_of_answers
from agreement.errors import Refused
from agreement.files.items_file import OUTSIDE_RESULTS
from agreement.files.question_fields import word
from agreement.stimuli.filling import filled
from annotation.models import Item, Job, Judgment, Note, Participation, Study
from annotation.models.note import is_skipped
from annotation.pages.admin.base import user_of
from annotation.releases.from_database.reading_judgments import AnswersOfItems, answers_of_items
from annotation.releases.models import Exclusion
from annotation.releases.summaries import Figures, ask_for_summary, figures_of
from annotation.releases.tasks import SUMMARY

PER_PAGE = 50


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's heading: its link sorts by it, or the other way round where it is sorted by it already."""

    key: str
    name: str
    address: str
    is_number: bool
    direction: str  # as aria-sort has it; "" where it isn't sorted by


@dataclass(frozen=True, slots=True)
class Sorting:
    """Which column, and which way; read from an address, where a minus sign means downwards."""

    key: str
    is_descending: bool

    @classmethod
    def of(cls, key: str, known: tuple[str, ...], default: str) -> Sorting:
        name = key.removeprefix("-")
        chosen = key if name in known else default
        return cls(chosen.removeprefix("-"), chosen.startswith("-"))

    def __str__(self) -> str:
        return f"-{self.key}" if self.is_descending else self.key

    def order(self, values: npt.NDArray[np.generic]) -> npt.NDArray[np.intp]:
        """What has no value comes last either way; equals stay in the order that they have.

        >>> Sorting("n", is_descending=True).order(np.array([2.0, np.nan, 3.0, 2.0])).tolist()
        [2, 0, 3, 1]
        """
        if values.dtype.kind == "f":
            numbers = values.astype(np.float64)
            keys = np.where(np.isnan(numbers), np.inf, -numbers if self.is_descending else numbers)
            return np.argsort(keys, kind="stable")
        codes = np.unique(values.astype(str), return_inverse=True)[1]
        return np.argsort(-codes if self.is_descending else codes, kind="stable")

    def headings(self, columns: dict[str, tuple[str, bool]], query: QueryDict) -> list[Heading]:
        """`columns` have a name, and whether they hold numbers, which are first sorted downwards."""
        columns_shown = []
        for key, (name, is_number) in columns.items():
            is_chosen = key == self.key
            downwards = not self.is_descending if is_chosen else is_number
            address = address_with(query, sort=f"-{key}" if downwards else key, page=None)
            direction = ("descending" if self.is_descending else "ascending") if is_chosen else ""
            columns_shown.append(Heading(key, name, address, is_number, direction))
        return columns_shown


@dataclass(frozen=True, slots=True)
class PageBounds:
    """The page of that number of `total` rows; a number that is too high or none gives the last or first page."""

    number: int
    pages: int
    total: int

    @classmethod
    def of(cls, text: str, total: int) -> PageBounds:
        pages = max(-(-total // PER_PAGE), 1)
        number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1
        return cls(min(max(number, 1), pages), pages, total)

    @property
    def first(self) -> int:
        """The number of the page's first row, from 1 on; 0 where there is none."""
        return min((self.number - 1) * PER_PAGE + 1, self.total)

    @property
    def last(self) -> int:
        return min(self.number * PER_PAGE, self.total)

    @property
    def rows(self) -> slice:
        return slice(max(self.first - 1, 0), self.last)

    def links(self, query: QueryDict) -> dict[str, str]:
        """The ways to the page before and after, where there are any."""
        return {
            "previous": address_with(query, page=self.number - 1) if self.number > 1 else "",
            "next": address_with(query, page=self.number + 1) if self.number < self.pages else "",
        }


def address_with(query: QueryDict, **changes: object) -> str:
    """This page with other parameters; None removes one."""
    kept = {name: value for name, value in query.items() if name not in changes}
    new = {name: str(value) for name, value in changes.items() if value is not None}
    return f"?{urlencode({**kept, **new})}"


# An item as people see it: the question with its words in place, the pair, the picture.


LONGEST_SHORT = 120


@dataclass(frozen=True, slots=True)
class AsShown:
    uuid: UUID
    item_id: str
    question: str
    pair: tuple[str, ...]
    picture: str
    small_picture: str
    alternative: str
    kind: str
    check_name: str
    stimulus: tuple[str, ...] = ()  # the words of each block

    @property
    def short(self) -> str:
        """One line for lists: what tells the item from others."""
        if self.stimulus:
            return shorten(" ".join(self.stimulus), LONGEST_SHORT, placeholder=" …")
        return " · ".join(self.pair) if self.pair else self.question


def item_as_shown(study: Study, item: Item, *, is_swapped: bool = False) -> AsShown:
    wording = word(study.question, item.fields, is_swapped=is_swapped)
    pictures: dict[str, object] = {"sha256": item.image_id}
    blocks = filled(study.blocks, item.fields, is_swapped=is_swapped)
    return AsShown(
        uuid=item.uuid,
        item_id=item.item_id,
        question=str(wording),
        pair=() if blocks else wording.pair,
        stimulus=tuple("\n".join(block.words()) for block in blocks),
        picture=reverse("annotation:picture", kwargs=pictures) if item.image_id else "",
        small_picture=reverse("annotation:small-picture", kwargs=pictures) if item.image_id else "",
        alternative=str(item.fields.get("alternative_text", "")),
        kind=item.kind,
        check_name=item.check_name or "",
    )


# The figures of a study's pages, and the job that makes them anew where they are old.


def figures_and_age(request: HttpRequest, study: Study) -> tuple[Figures | None, dict[str, object]]:
    """What a page shows, and what it says of how old that is. Whoever finds it too old asks for a newer one."""
    figures = figures_of(study)
    is_small = figures is not None and figures.made_at is None
    is_under_way = False if is_small else ask_for_summary(study=study, by=user_of(request))
    failed = None
    if figures is None and not is_under_way:
        failed = study.jobs.filter(kind=SUMMARY, status=Job.Status.FAILED).first()
    return figures, {"figures": figures, "is_under_way": is_under_way, "failed": failed}


# Every answer of one person, in the order in which they gave them, beside what the others answered.


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
    comment: str = ""  # on the study
    note: str = ""  # on the item


@dataclass(frozen=True, slots=True)
class PersonAnswers:
    rows: list[AnswerRow]
    cut: PageBounds


def answers_of(study: Study, person: Participation, rules: RuleSet, page: str) -> PersonAnswers:
    """One page of them. The same few queries for a person of any number of answers."""
    of_question = Judgment.objects.current().filter(question=study.asked_number)
    theirs = of_question.filter(assigned_item__participation=person).order_by("created_at", "pk")
    cut = PageBounds.of(page, theirs.count())
    places = list(theirs.values_list("pk", "assigned_item__item_id")[cut.rows])
    of_items = answers_of_items(study, {item for _, item in places})
    out = set(Exclusion.objects.in_force().filter(participation__study=study).values_list("participation", flat=True))
    bounds = check_bounds(of_items, rules)
    by_key = {judgment.pk: judgment for judgment in of_items.judgments}
    rows = [
        answer_row(study, of_items, by_key[pk], bounds, number=number, others=of_items.others(by_key[pk], out))
        for number, (pk, _) in enumerate(places, start=cut.first)
    ]
    return PersonAnswers(rows, cut)


def check_bounds(answers: AnswersOfItems, rules: RuleSet) -> dict[int, tuple[str, bool]]:
    """By the judgment's key; nothing where the rules and the checks don't fit each other."""
    try:
        by_place = bounds_of_answers(rules.checks, answers.crowd)
    except Refused:
        return {}
    return {pk: by_place[place] for pk, place in answers.place_of.items() if place in by_place}


def answer_row(
    study: Study,
    answers: AnswersOfItems,
    judgment: Judgment,
    bounds: dict[int, tuple[str, bool]],
    *,
    number: int,
    others: str,
) -> AnswerRow:
    place = judgment.assigned_item
    bound, is_broken = bounds.get(judgment.pk, ("", False))
    counts = judgment.pk in answers.place_of and bool(answers.counts[answers.place_of[judgment.pk]])
    return AnswerRow(
        number=number,
        item=item_as_shown(study, place.item, is_swapped=place.is_word_order_swapped),
        pseudonym=place.participation.pseudonym,
        answer=_why_none(judgment) or answers.text(judgment),
        others="" if place.item.kind in OUTSIDE_RESULTS else others,
        bound=bound,
        is_broken=is_broken,
        seconds=None if judgment.response_ms is None else judgment.response_ms / 1000,
        counts=counts,
        marks=_answer_marks(judgment, counts=counts),
        comment=place.participation.comments,
        note=note.comment if (note := note_on(judgment)) else "",
    )


def note_on(judgment: Judgment) -> Note | None:
    """What the person said of the item, at expert pace."""
    return getattr(judgment.assigned_item, "note", None)


def _why_none(judgment: Judgment) -> str:
    """Why there is no answer, where the person passed the item over."""
    if judgment.could_not_see:
        return "could not see the picture"
    if judgment.no_answer == Judgment.NoAnswer.TAKEN_BACK:
        return "taken back"
    if judgment.no_answer != Judgment.NoAnswer.SKIPPED:
        return ""
    note = note_on(judgment)
    return "skipped" if note is None or note.skip_reason is None else f"skipped: {note.get_skip_reason_display()}"


def _answer_marks(judgment: Judgment, *, counts: bool) -> tuple[str, ...]:
    item, note = judgment.assigned_item.item, note_on(judgment)
    marks = (
        item.kind if item.kind in OUTSIDE_RESULTS else "",
        "late" if judgment.is_late else "",
        f"changed {judgment.revision - 1} times" if judgment.revision > 2 else "",
        "changed once" if judgment.revision == 2 else "",
        "untouched slider" if judgment.is_untouched_middle else "",
        "scale shown reversed" if judgment.is_direction_reversed else "",
        "flagged" if note is not None and note.is_flagged else "",
        "" if counts or item.kind in OUTSIDE_RESULTS else "doesn't count",
    )
    return tuple(filter(None, marks))


def notes_by_person(study: Study) -> dict[int, str]:
    """By the participation's key, in words; of nobody who said nothing."""
    if not study.is_at_expert_pace:
        return {}
    theirs = Note.objects.filter(assigned_item__participation__study=study).order_by()
    counts = theirs.values_list("assigned_item__participation").annotate(
        flagged=Count("pk", filter=Q(is_flagged=True)),
        commented=Count("pk", filter=~Q(comment="")),
        skipped=Count("pk", filter=is_skipped()),
    )
    names = ("flagged", "commented on", "skipped")
    return {
        person: ", ".join(f"{count} {name}" for count, name in zip(numbers, names, strict=True) if count)
        for person, *numbers in counts
    }
