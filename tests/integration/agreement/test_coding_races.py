"""Two researchers who save the coding of one study at the same moment: the second is told, and nothing is lost."""

from functools import partial

import pytest

from agreement.judgments.property_coding import Code
from annotation.models import Study
from annotation.releases.actions.adjudicating import Change, CodingResult, code_properties
from annotation.releases.models import PropertyCode
from tests.integration.agreement.test_coding import a_study
from tests.integration.annotation.at_once import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both, pytest.mark.concurrent]


def test_of_two_who_code_one_spelling_at_once_the_second_is_told() -> None:
    study = a_study()
    done: list[CodingResult] = []

    def save(study: Study, feature: str) -> None:
        changes = [Change("is furry", Code("has", feature), 0), Change(f"is {feature}", Code("is", feature), 0)]
        done.append(code_properties(study=study, changes=changes, by=None))

    raised = at_once(*(partial(save, study, feature) for feature in ("fur", "wool", "hair")))

    assert raised == []
    assert sorted(coded.revision for coded in done) == [1, 2, 3]
    assert sum("is furry" in coded.saved for coded in done) == 1
    assert sum("is furry" in coded.meanwhile for coded in done) == 2
    in_force = PropertyCode.objects.of_study(study).in_force()
    assert set(in_force) == {"is furry", "is fur", "is wool", "is hair"}
