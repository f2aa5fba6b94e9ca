"""What a person at expert pace says of an item beside the answer: a flag, a comment, and why it was skipped."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.files.items_file import OUTSIDE_RESULTS
from agreement.kinds.answers import Fields
from annotation.answering.kinds.form import SKIP, BadAnswer, last_value, read_text
from annotation.answering.saving_answers import (
    AssignmentClosed,
    QuestionAsked,
    load_question,
    locked_place,
    position_in,
    save_answer,
)
from annotation.models import Item, Note, Study
from annotation.models.note import LONGEST_COMMENT

# Fields of a form: that it is of a note, and what the note says.
NOTE, FLAG, COMMENT = "note", "is_flagged", "comment"


def takes_notes(study: Study, item: Item) -> bool:
    """Whether it can be skipped, flagged and commented on; practice and the qualification round are of no analysis."""
    return study.is_at_expert_pace and item.kind not in OUTSIDE_RESULTS


def save_sent(*, assignment_uuid: UUID, token_version: int, fields: Fields) -> None:
    """What the script of a page sends: an answer, a skip with its reason, or a note. Sent again, it changes nothing."""
    reason = last_value(fields, SKIP)
    if NOTE in fields:
        save_note(assignment_uuid=assignment_uuid, token_version=token_version, fields=fields)
        return
    if reason and reason not in Note.Reason.values:
        raise BadAnswer(SKIP, _("Please choose one of the reasons."))
    save_answer(assignment_uuid=assignment_uuid, token_version=token_version, fields=fields)
    if reason:
        position = position_in(fields)
        question = load_question(assignment_uuid=assignment_uuid, token_version=token_version, position=position)
        if question.is_open:  # else it was stored before the assignment closed
            _keep_note(question, skip_reason=reason)


def save_note(*, assignment_uuid: UUID, token_version: int, fields: Fields) -> None:
    """Stores the flag and the comment in the place of what they were before."""
    position = position_in(fields)
    question = load_question(assignment_uuid=assignment_uuid, token_version=token_version, position=position)
    if not question.facts.takes_notes:
        raise BadAnswer(NOTE, _("This can't be saved: this study takes no comments on its items."))
    comment = read_text(last_value(fields, COMMENT), COMMENT, LONGEST_COMMENT)
    if not question.is_open:
        raise AssignmentClosed("This assignment is closed: it takes no more comments.")
    _keep_note(question, is_flagged=bool(last_value(fields, FLAG)), comment=comment)


def _keep_note(question: QuestionAsked, **changes: Any) -> None:
    """A note that says nothing any more is removed."""
    with transaction.atomic():
        place = locked_place(question)
        note = Note.objects.filter(assigned_item=place).first() or Note(assigned_item=place)
        for name, value in changes.items():
            setattr(note, name, value)
        if note.skip_reason or note.is_flagged or note.comment:
            note.save()
        elif note.pk:
            note.delete()


def reasons() -> list[tuple[str, str]]:
    """In the words of the page's language."""
    return [
        (Note.Reason.UNCLEAR, _("The question is unclear")),
        (Note.Reason.UNDECIDABLE, _("It can't be decided")),
        (Note.Reason.BROKEN, _("Something is missing or broken")),
        (Note.Reason.OTHER, _("Another reason")),
    ]
