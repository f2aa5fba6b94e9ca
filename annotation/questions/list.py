"""List: free text, one property a line."""

from django.utils.translation import gettext as _

from annotation.questions.facts import BadAnswer, Facts, Fields, Question, one, read_text
from questions.answers import Answer
from tables.cell_texts import is_blank

MOST_PROPERTIES = 100
LONGEST_PROPERTY = 200
LONGEST_LIST = 20_000


def _read(fields: Fields, facts: Facts) -> Answer:  # noqa: ARG001  every kind is read by the same two
    lines = [
        " ".join(line.split()) for line in read_text(one(fields, "properties"), "properties", LONGEST_LIST).split("\n")
    ]
    properties = list(dict.fromkeys(line for line in lines if not is_blank(line)))
    if not properties:
        raise BadAnswer("properties", _("Please write at least one line."))
    if len(properties) > MOST_PROPERTIES:
        raise BadAnswer("properties", _("Please write at most {limit} lines.").format(limit=MOST_PROPERTIES))
    _refuse_long(lines)
    return Answer(properties=properties)


def _refuse_long(lines: list[str]) -> None:
    """Names the first line that is too long."""
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_PROPERTY:
            sentence = _("Line {line} has {count} characters. Please write at most {limit} per line.")
            told = sentence.format(line=number, count=len(line), limit=LONGEST_PROPERTY)
            raise BadAnswer("properties", told)


LIST = Question("list", "annotation/questions/list.html", _read)
