"""The results page says which claims have too few data, as the report does."""

import pytest
from django.urls import reverse

from tests.integration.researchers import a_released_study

pytestmark = pytest.mark.django_db


def test_claims_of_a_release_stand_on_its_page_as_in_its_report() -> None:
    study, release, client = a_released_study()
    page = client.get(reverse("agreement:claims", args=[study.uuid]))
    claims = release.report["claims"]["too_few"]
    assert claims
    assert '<h3 id="claims">Claims that have too few data</h3>' in page.text
    [table, *_] = page.context["results"].claims
    assert [row[0] for row in table.rows] == [claim["claim"] for claim in claims]
    assert release.report["claims"]["how"][:60] in page.text
