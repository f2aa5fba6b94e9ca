"""What a page of questions shows: each item worded, with its lines or labels and the answer so far; and pictures."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from uuid import UUID, uuid4

from django.http import QueryDict
from django.utils.translation import gettext as _

from agreement.files.items_file import OUTSIDE_RESULTS
from annotation.answering.kinds.form import SKIPPED, TAKEN_BACK, static_file_of
from annotation.answering.media import Shown, ShownMedium, media_of, not_perceived, picture_of, plays_so_far
from annotation.answering.notes import takes_notes
from annotation.answering.practice import depends_on_answer, feedback_on, has_feedback
from annotation.answering.several_questions import Asked, numbers_shown, questions_asked, standing_answer
from annotation.answering.stimulus import Stimulus, stimulus_of
from annotation.answering.views.question_model import (
    Group,
    ShownQuestion,
    groups_of,
    question_as_sent,
    shown_question,
)
from annotation.models import AssignedItem, Assignment, Item, Judgment, Note, Study
from annotation.models.question import FIRST


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item with its questions, mostly one."""

    position: int
    questions: tuple[ShownQuestion, ...]
    medium: ShownMedium | None  # the one picture of an item without blocks
    could_not_see: frozenset[str]  # which media, by what their boxes send
    plays: Mapping[str, str]  # of each sound and video, how often it was started and ended
    is_answered: bool
    kind: str  # practice, qualification, or "" for all others, which nobody is to tell from each other
    feedback: str
    has_feedback: bool  # once it is answered
    awaits_feedback: bool  # which the server makes of the answer
    stimulus: Stimulus
    client_key: UUID
    takes_notes: bool = False  # at expert pace: it can be skipped, flagged and commented on
    note: Note | None = None
    is_skipped: bool = False
    number: int = 0  # among the items of its kind: practice counts for itself

    @property
    def skip_reason(self) -> str:
        return self.note.skip_reason or "" if self.note and self.is_skipped else ""

    @property
    def state(self) -> str:
        """In letters, as overview.js reads them: answered or skipped, flagged, commented."""
        has = {"a": self.is_answered and not self.is_skipped, "s": self.is_skipped}
        if self.note:
            has |= {"f": self.note.is_flagged, "c": bool(self.note.comment)}
        return "".join(letter for letter, is_so in has.items() if is_so)

    @property
    def called(self) -> str:
        """What messages call it."""
        if self.kind == Item.Kind.PRACTICE:
            return _("Practice {number}").format(number=self.number)
        if self.kind == Item.Kind.QUALIFICATION:
            return _("Qualification {number}").format(number=self.number)
        return _("Question {number}").format(number=self.number)

    @property
    def is_final(self) -> bool:
        """Whether its first answer counts: feedback follows, and the answer waits until the page is left."""
        return self.kind == Item.Kind.QUALIFICATION and self.has_feedback

    @property
    def media(self) -> list[ShownMedium]:
        return [self.medium] if self.medium else self.stimulus.media

    @property
    def picture(self) -> str:
        return self.medium.url if self.medium else ""

    @property
    def question(self) -> ShownQuestion:
        """The only one, or the first."""
        return self.questions[0]

    @property
    def has_several(self) -> bool:
        return len(self.questions) > 1

    @property
    def pair(self) -> tuple[str, ...]:
        """Two words that the item is about, shown once for all of its questions; what has blocks shows them there."""
        return () if self.stimulus else next((each.wording.pair for each in self.questions if each.wording.pair), ())

    @property
    def groups(self) -> list[Group]:
        return list(groups_of(self.questions))

    @property
    def own_scripts(self) -> list[str]:
        return self._own_files("script")

    @property
    def own_styles(self) -> list[str]:
        return self._own_files("style")

    def _own_files(self, sort: str) -> list[str]:
        """What the kinds of its questions bring, each once: every item of a study has the same."""
        files = (static_file_of(each.study.kind, getattr(each.form, sort)) for each in self.questions)
        return list(dict.fromkeys(file for file in files if file))


@dataclass(frozen=True, slots=True)
class Page:
    number: int
    items: tuple[ShownItem, ...]
    kind: str  # of its items
    ordinal: int  # among the pages of its kind: practice counts for itself
    of: int

    @property
    def previous(self) -> int:
        return self.number - 1

    @property
    def is_answered(self) -> bool:
        return all(item.is_answered for item in self.items)

    @property
    def questions(self) -> list[ShownQuestion]:
        return [question for item in self.items for question in item.questions]

    @property
    def first_open(self) -> int | str | None:
        """The position of the first question that is shown and lacks an answer."""
        open_items = (item for item in self.items if not item.is_answered)
        return next((each.position for item in open_items for each in item.questions if each.is_missing), None)


def pages_of(assignment: Assignment, study: Study) -> list[Page]:
    """All pages of an assignment in their order, each with the answers that the server has. Three statements, and a
    fourth where there are several questions, or at expert pace.
    """
    assigned = list(assignment.assigned_items.select_related("item").order_by("position"))
    answers: defaultdict[int, dict[int, Judgment]] = defaultdict(dict)
    for judgment in Judgment.objects.current().filter(assigned_item__assignment=assignment):
        answers[judgment.assigned_item_id][judgment.question] = judgment
    asked = questions_asked(study, is_only_one=all(one.questions == FIRST for one in assigned))
    seed = assignment.participation.seed
    media = media_of(study, [one.item for one in assigned])
    of_notes = Note.objects.filter(assigned_item__assignment=assignment) if study.is_at_expert_pace else ()
    notes = {note.assigned_item_id: note for note in of_notes}
    items = [
        shown_item(asked, one, answers[one.pk], media=media.get(one.item_id, {}), seed=seed, note=notes.get(one.pk))
        for one in assigned
    ]
    return items_in_pages(items, assignment.items_per_page or study.items_per_page)


def items_in_pages(items: Sequence[ShownItem], items_per_page: int) -> list[Page]:
    """Practice and qualification one at a time, for each may have its feedback; the rest so many a page as the study
    wants.
    """
    pages: list[Page] = []
    for kind, group in groupby(items, key=lambda item: item.kind):
        numbered = [replace(item, number=number) for number, item in enumerate(group, start=1)]
        batches = list(_batches(numbered, 1 if kind else items_per_page))
        for ordinal, batch in enumerate(batches, start=1):
            pages.append(Page(len(pages) + 1, tuple(batch), kind, ordinal, len(batches)))
    return pages


def _batches(items: list[ShownItem], size: int) -> Iterator[list[ShownItem]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def shown_item(
    asked: Sequence[Asked],
    one: AssignedItem,
    judgments: Mapping[int, Judgment],
    *,
    media: Shown | None = None,
    seed: int = 0,
    note: Note | None = None,
) -> ShownItem:
    item, has_several = one.item, len(asked) > 1
    media = media_of(asked[0].study, [item]).get(item.pk, {}) if media is None else media
    answers = {number: standing_answer(row) for number, row in judgments.items()}
    shown = numbers_shown(asked, answers)
    why_none = {row.no_answer for row in judgments.values()}
    stimulus = stimulus_of(asked[0].study, item, media, is_swapped=one.is_word_order_swapped)
    checked = next((each.study for each in asked if each.number == item.check_question), asked[0].study)
    return ShownItem(
        position=one.position,
        questions=tuple(
            shown_question(
                each,
                one,
                judgments.get(each.number),
                seed=seed,
                position=f"{one.position}-q{each.number}" if has_several else one.position,
                is_shown=each.number in shown,
            )
            for each in asked
        ),
        medium=None if asked[0].study.blocks else picture_of(item, media),
        could_not_see=not_perceived(judgments.values()),
        plays=plays_so_far(judgments.values()),
        is_answered=one.done_at is not None if has_several else bool(judgments) and TAKEN_BACK not in why_none,
        kind=item.kind if item.kind in OUTSIDE_RESULTS else "",
        feedback=feedback_on(item, checked, answers.get(item.check_question)),
        has_feedback=has_feedback(item, checked),
        awaits_feedback=depends_on_answer(item, checked),
        stimulus=stimulus,
        client_key=uuid4(),
        takes_notes=takes_notes(asked[0].study, item),
        note=note,
        is_skipped=SKIPPED in why_none,
    )


def page_as_sent(page: Page, form: QueryDict, positions: Collection[int | str]) -> Page:
    """The page with what was sent for the items of these positions in place of what is stored."""
    items = [
        item_as_sent(item, form) if any(each.position in positions for each in item.questions) else item
        for item in page.items
    ]
    return replace(page, items=tuple(items))


def item_as_sent(item: ShownItem, form: QueryDict) -> ShownItem:
    return replace(
        item,
        questions=tuple(question_as_sent(each, form, is_one_of_several=item.has_several) for each in item.questions),
        could_not_see=frozenset(form.getlist(f"i{item.position}-could_not_see")),
    )
