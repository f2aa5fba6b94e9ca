"""Pages of judgments on a site with other studies, whose database knows how many rows each table has."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.api.resources import judgments
from annotation.api.views import cursor_text
from annotation.models import Judgment
from tests.database_work import counted_steps, visited
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher
from tests.large_site import a_large_site

pytestmark = pytest.mark.django_db
LIMIT = 100
BEFORE = (0.0, 0.5, 0.98)  # the share of the site's judgments that come before a page
ROWS_PER_ROW = 3
STEPS_PER_ROW = 200  # 62 as measured; to look at all judgments takes over a thousand


def test_a_page_looks_at_few_rows_wherever_it_is() -> None:
    script = Script(a_researcher())
    study, *_ = a_large_site(script.token.user)
    keys = list(Judgment.objects.order_by("pk").values_list("pk", flat=True))
    for share in BEFORE:
        start = keys[int(share * len(keys))]
        path = f"studies/{study.slug}/judgments/?limit={LIMIT}&cursor={cursor_text(start)}"
        with CaptureQueriesContext(connection) as queries, counted_steps() as counts:
            results = script.get(path).json()["results"]
        following = Judgment.objects.of_study(study.pk).filter(pk__gt=start).order_by("pk")[:LIMIT]
        assert [row["id"] for row in results] == [str(judgment.uuid) for judgment in following]
        if connection.vendor == "postgresql":
            assert visited(queries).rows_per_row(LIMIT) <= ROWS_PER_ROW
        else:
            assert counts["steps"] / LIMIT <= STEPS_PER_ROW


@pytest.mark.parametrize("limit", [7, 1_000])
def test_pages_of_a_small_study_pass_nothing_over(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgments, "ROWS_LOOKED_THROUGH", 300)
    script = Script(a_researcher())
    _, study = a_large_site(script.token.user, [2_000, 100])
    ids: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = script.get(f"studies/{study.slug}/judgments/?limit={limit}&cursor={cursor}").json()
        ids += [row["id"] for row in page["results"]]
        cursor = page["next_cursor"]
    expected = Judgment.objects.of_study(study.pk).order_by("pk").values_list("uuid", flat=True)
    assert ids == [str(uuid) for uuid in expected]
