"""What a person at expert pace says of an item beside the answer: a flag, a comment, and why it was skipped."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from agreement.files.items_file import OUTSIDE_RESULTS
from agreement.kinds.answers import Fields
from annotation.answering.kinds.form import SKIP, BadAnswer, last_value, read_text
from annotation.models import AssignedItem, Item, Note, Study
from annotation.models.note import LONGEST_COMMENT

# Fields of a form: that it is of a note, and what the note says.
NOTE, FLAG, COMMENT = "note", "is_flagged", "comment"


def takes_notes(study: Study, item: Item) -> bool:
    """Whether it can be skipped, flagged and commented on; practice and the qualification round are of no analysis."""
    return study.is_at_expert_pace and item.kind not in OUTSIDE_RESULTS


def read_reason(fields: Fields) -> str:
    """Why the item is skipped, or nothing."""
    reason = last_value(fields, SKIP)
    if reason and reason not in Note.Reason.values:
        raise BadAnswer(SKIP, _("Please choose one of the reasons."))
    return reason


def read_note(fields: Fields) -> tuple[bool, str]:
    """Whether the item is flagged, and the comment."""
    return bool(last_value(fields, FLAG)), read_text(last_value(fields, COMMENT), COMMENT, LONGEST_COMMENT)


def keep_note(*, place: AssignedItem, **changes: Any) -> None:
    """Changes the note on an assigned item that is locked; one that says nothing any more is removed."""
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
