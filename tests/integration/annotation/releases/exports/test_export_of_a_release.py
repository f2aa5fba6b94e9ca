"""The export of a release from a database that knows how many rows each table has."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Judgment, Study
from annotation.releases.actions.freezing import portion_of
from annotation.releases.actions.rule_sets import stored_rule_set, toml_of_built_in
from annotation.releases.exports.judgment_stream import judgments
from annotation.releases.models import CleaningRun, GoldRelease
from tests.database_work import visited
from tests.integration.researchers import a_researcher
from tests.large_site import a_large_site

ROWS_PER_ROW = 3
BLOCKS_PER_ROW = 1
PORTION = 20_000


def released(study: Study) -> GoldRelease:
    """A release of all of the study's judgments."""
    run = CleaningRun.objects.create(study=study, rule_set=stored_rule_set(toml_of_built_in("spatial-2019")))
    keys = list(Judgment.objects.of_study(study.pk).order_by("pk").values_list("pk", flat=True))
    for position, first in enumerate(range(0, len(keys), PORTION)):
        portion_of(run, position, keys[first : first + PORTION]).save(force_insert=True)
    return GoldRelease.objects.create(
        study=study, run=run, number=1, sha256="0" * 64, columns=["item_id"], report={}, methods=""
    )


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_release_is_read_without_looking_its_judgments_up_one_by_one() -> None:
    study, *_ = a_large_site(a_researcher())
    release = released(study)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        rows = b"".join(judgments([release])).count(b"\n") - 1
    assert rows == Judgment.objects.of_study(study.pk).count()
    work = visited(queries)
    assert work.rows_per_row(rows) <= ROWS_PER_ROW
    assert work.blocks_per_row(rows) <= BLOCKS_PER_ROW
