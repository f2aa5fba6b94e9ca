"""Whoever came from a platform before its signatures were looked at counts as unverified from then on."""

from typing import Any

import pytest
from django.core.management import call_command

from annotation.models import Participation, Worker
from tests.integration.migrations import old_databases

pytestmark = pytest.mark.both


def test_people_from_a_platform_become_unverified_and_invited_ones_stay(left: Any) -> None:
    with left.cursor() as cursor:
        cursor.execute("SELECT MIN(worker_id) FROM annotation_participation WHERE entry_link_id IS NULL")
        (worker,) = cursor.fetchone()
        cursor.execute("UPDATE annotation_worker SET platform = 'prolific' WHERE id = %s", [worker])

    call_command("migrate", database=old_databases.ALIAS, verbosity=0)

    people = Participation.objects.using(old_databases.ALIAS)
    assert Worker.objects.using(old_databases.ALIAS).get(pk=worker).platform == "prolific"
    assert set(people.filter(worker=worker).values_list("is_verified", flat=True)) == {False}
    assert set(people.filter(entry_link=None).exclude(worker=worker).values_list("is_verified", flat=True)) == {True}
