"""List: free text, one property a line."""

from django.utils.translation import gettext as _

from annotation.answers import Answer
from annotation.files.blanks import is_blank
from annotation.questions.facts import BadAnswer, Facts, Fields, Question, one, read_text

MOST_PROPERTIES = 100
LONGEST_PROPERTY = 200


def _read(fields: Fields, facts: Facts) -> Answer:  # noqa: ARG001  every kind is read by the same two
    lines = [" ".join(line.split()) for line in read_text(one(fields, "properties"), "properties", 20_000).split("\n")]
    properties = list(dict.fromkeys(line for line in lines if not is_blank(line)))
    if not properties:
        raise BadAnswer("properties", _("Please write at least one line."))
    if len(properties) > MOST_PROPERTIES:
        raise BadAnswer("properties", _("Please keep to %(limit)s lines.") % {"limit": MOST_PROPERTIES})
    for line in properties:
        read_text(line, "properties", LONGEST_PROPERTY)
    return Answer(properties=properties)


LIST = Question("list", "annotation/questions/list.html", _read)
