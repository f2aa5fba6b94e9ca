"""What a rule set would do, with nothing stored."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection

from agreement.cleaning.rule_set import load_rules
from annotation.models import AuditEntry
from annotation.releases.actions.trying_rules import preview
from annotation.releases.models import CleaningRun, Exclusion, StoredRuleSet
from tests.integration.agreement.crowds import a_slider_crowd

pytestmark = pytest.mark.django_db


def test_preview_counts_what_cleaning_would_take_and_stores_nothing() -> None:
    study = a_slider_crowd(pay=Decimal("1.20"), currency="GBP", items_per_assignment=4)
    found = preview(study=study, rules=load_rules("spatial-2019"))
    assert set(found.excluded) == {"eve", "zoe"}
    assert found.short == {"i1": 2, "i2": 2, "i3": 2}
    assert (found.places, found.assignments, found.cost) == (6, 2, Decimal("2.40"))
    assert str(found) == "excludes 2 workers, 3 items fall short, refilling costs 2.40 GBP of pay"
    assert (found.counts.workers, found.counts.workers_kept) == (4, 2)
    for model in (CleaningRun, Exclusion, StoredRuleSet, AuditEntry):
        assert not model.objects.exists()


def test_preview_asks_a_fixed_number_of_questions(django_assert_num_queries: Any) -> None:
    study = a_slider_crowd()
    # On SQLite two more, of how large a part of the site the study is.
    with django_assert_num_queries(16 if connection.vendor == "sqlite" else 14):
        preview(study=study, rules=load_rules("spatial-2019"))
