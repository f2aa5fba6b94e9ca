"""A study that pays, and its payments, for the tests of what becomes of them."""

from typing import Any

from django.db.models import QuerySet

from annotation.models import Payment, Study
from tests.factories import a_small_study


def a_paid_study(**changes: Any) -> Study:
    return a_small_study(
        items=4, **{"judgments_per_item": 9, "items_per_assignment": 4, "pay": 2, "currency": "GBP", **changes}
    )


def all_of(study: Study) -> QuerySet[Payment]:
    return Payment.objects.filter(participation__study=study)
