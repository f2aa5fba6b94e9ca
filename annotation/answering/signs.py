"""Signs that a person answered, as a form brings them beside an answer: read strictly, kept where agreed to."""

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext as _

from agreement.kinds.answers import Fields
from agreement.kinds.signs import NAMES, is_possible
from annotation.answering.kinds.form import BadAnswer, last_value
from annotation.models import AnswerSigns

PREFIX = "sign_"


def read_signs(fields: Fields) -> dict[str, int] | None:
    """The counts in a form, all of them; nothing where it has none, as without script. `BadAnswer` for any other."""
    sent = {name for name in fields if name.startswith(PREFIX)}
    if not sent:
        return None
    texts = {name: last_value(fields, PREFIX + name) for name in NAMES}
    is_numeric = all(text.isascii() and text.isdecimal() and len(text) <= 12 for text in texts.values())
    if sent == {PREFIX + name for name in NAMES} and is_numeric:
        counts = {name: int(text) for name, text in texts.items()}
        if is_possible(counts):
            return counts
    raise BadAnswer("signs", _("The times sent with this answer can't be right."))


def keep_signs(assigned_item: int, client_key: UUID, counts: Mapping[str, int]) -> None:
    """One statement. Call it in the transaction that stores the answer: nothing of a person who has withdrawn stays."""
    row = AnswerSigns(assigned_item_id=assigned_item, client_key=client_key, **counts)
    AnswerSigns.objects.bulk_create([row], ignore_conflicts=True)
