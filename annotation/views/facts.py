"""What the first page says of a study beside its summary: who asks, for how long, for how much, how many questions."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.models import Item, Study

MINUTES_PER_HOUR = 60


@dataclass(frozen=True, slots=True)
class Facts:
    """`questions` are those of one part; a study has up to `parts` of them for one person."""

    pay: str
    questions: int
    parts: int


def facts_of(study: Study) -> Facts:
    return Facts(pay=pay_of(study), questions=questions_of(study), parts=study.assignments_a_worker)


def pay_of(study: Study) -> str:
    """Such as "0.60 GBP (7.20 GBP per hour)", by the minutes that the study expects; nothing where none is paid."""
    if study.pay is None or not study.currency:
        return ""
    pay = f"{number_format(study.pay, 2)} {study.currency}"
    if not study.pay or not study.minutes_expected:
        return pay
    hourly = round(study.pay * MINUTES_PER_HOUR / Decimal(study.minutes_expected), 2)
    per_hour = _("%(pay)s per hour") % {"pay": f"{number_format(hourly, 2)} {study.currency}"}
    return f"{pay} ({per_hour})"


def questions_of(study: Study) -> int:
    """How many one assignment has: its items, the checks among them, and the practice before."""
    targets = study.items.targets()[: study.items_an_assignment].count()
    checks = sum(study.check_quotas.values_list("an_assignment", flat=True))
    return targets + checks + study.items.filter(kind=Item.Kind.PRACTICE).count()
