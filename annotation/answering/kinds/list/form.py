"""List: free text, one property a line."""

from django.utils.translation import gettext as _

from agreement.files.cell_texts import is_blank
from agreement.kinds.answers import Answer, Fields, Offered, Writing, typed_value
from annotation.answering.kinds.form import BadAnswer, Facts, Form, last_value, read_text

MOST_PROPERTIES = 100
LONGEST_PROPERTY = 200
LONGEST_LIST = 20_000


def _read(fields: Fields, facts: Facts) -> Answer:  # noqa: ARG001  every kind is read by the same two
    lines = [
        " ".join(line.split())
        for line in read_text(last_value(fields, "properties"), "properties", LONGEST_LIST).split("\n")
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
            reason = sentence.format(line=number, count=len(line), limit=LONGEST_PROPERTY)
            raise BadAnswer("properties", reason)


def _show(offered: Offered, fields: Fields) -> Writing:  # noqa: ARG001  every kind is shown by the same two
    return Writing(
        typed_value(fields, "properties").replace("\r\n", "\n"),
        longest=str(LONGEST_LIST),
        longest_line=str(LONGEST_PROPERTY),
        most_lines=str(MOST_PROPERTIES),
    )


FORM = Form(_read, _show)
