"""Whoever came from a platform before its signatures were looked at counts as unverified from then on."""

import pytest
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper

pytestmark = pytest.mark.both


def test_people_from_a_platform_become_unverified_and_invited_ones_stay(left: BaseDatabaseWrapper) -> None:
    with left.cursor() as cursor:
        cursor.execute("SELECT MIN(worker_id) FROM annotation_participation WHERE entry_link_id IS NULL")
        (worker,) = cursor.fetchone()
        cursor.execute("UPDATE annotation_worker SET platform = 'prolific' WHERE id = %s", [worker])

    call_command("migrate", "annotation", "0008_entrances", database=left.alias, verbosity=0)

    with left.cursor() as cursor:
        cursor.execute("SELECT platform FROM annotation_worker WHERE id = %s", [worker])
        assert cursor.fetchone() == ("prolific",)
        cursor.execute(
            "SELECT DISTINCT worker_id = %s, is_verified FROM annotation_participation WHERE entry_link_id IS NULL",
            [worker],
        )
        assert {(bool(is_from_platform), bool(verified)) for is_from_platform, verified in cursor.fetchall()} == {
            (True, False),
            (False, True),
        }
