"""Studies whose people are to be paid, for the tests of the pages about pay."""

from decimal import Decimal
from typing import Any

from django.test import Client

from annotation.models import Payment, Study
from tests.factories import a_small_study, per_assignment_done
from tests.integration.researchers import a_researcher, signed_in


def a_study_to_pay(finished: int = 2, **changes: Any) -> tuple[Study, Client]:
    owner = a_researcher()
    given = {
        "judgments_per_item": 9,
        "items_per_assignment": 3,
        "pay": Decimal("1.20"),
        "currency": "GBP",
        "owner": owner,
        **changes,
    }
    study = a_small_study(items=3, **given)
    for _ in range(finished):
        per_assignment_done(study)
    return study, signed_in(owner)


def statuses(study: Study) -> list[str]:
    payments = Payment.objects.filter(participation__study=study).order_by("pk")
    return list(payments.values_list("status", flat=True))
