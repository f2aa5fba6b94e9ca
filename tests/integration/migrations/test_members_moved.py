"""Runs and releases that an earlier version left, a row per judgment, hold the same judgments in portions."""

from collections import defaultdict
from importlib import import_module
from types import SimpleNamespace
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from annotation.models import Judgment
from annotation.releases.models import CleaningRun, FrozenJudgments, GoldRelease
from tests.integration.agreement.frozen import keys_in_gold
from tests.integration.migrations.schemas import Schema
from tests.integration.migrations.squashed import SQUASHED, assert_as_new, recorded

pytestmark = pytest.mark.both

Members = dict[int, set[UUID]]


def members(old: BaseDatabaseWrapper, table: str, of: str) -> Members:
    found: Members = defaultdict(set)
    with old.cursor() as cursor:
        cursor.execute(f"SELECT {of}, judgment_uuid FROM {table}")  # noqa: S608 - our own names
        for key, uuid in cursor.fetchall():
            found[key].add(UUID(str(uuid)))
    return found


def test_every_member_is_in_a_portion_and_what_was_in_gold_still_is(
    left: BaseDatabaseWrapper, new_schema: Schema
) -> None:
    of_runs = members(left, "agreement_runmember", "run_id")
    of_releases = members(left, "agreement_releasemember", "release_id")
    assert of_runs
    assert of_releases
    call_command("migrate", "agreement", "0015_members_moved", database=left.alias, verbosity=0)
    portions = FrozenJudgments.objects.using(left.alias)
    moved = portions.count()
    apps = MigrationLoader(left).project_state([("agreement", "0015_members_moved")]).apps
    import_module("annotation.releases.migrations.0015_members_moved").move_members(
        apps, SimpleNamespace(connection=left)
    )
    assert portions.count() == moved
    call_command("migrate", "agreement", "0016_no_members", database=left.alias, verbosity=0)
    assert recorded(left) & SQUASHED == {("agreement", "0001_squashed_0016")}
    call_command("migrate", database=left.alias, verbosity=0)
    assert_as_new(left, new_schema)

    judgments = dict(Judgment.objects.using(left.alias).values_list("pk", "uuid"))
    for run in CleaningRun.objects.using(left.alias):
        assert frozen_uuids(run, judgments) == of_runs[run.pk]
    for release in GoldRelease.objects.using(left.alias):
        there = of_releases[release.pk] & set(judgments.values())
        keys = [key for key in keys_in_gold(release) if key]
        assert {judgments[key] for key in keys} == there
        assert len(keys_in_gold(release)) == len(of_releases[release.pk])
    assert any(0 in portion.keys for portion in portions)  # one person had withdrawn


def frozen_uuids(run: CleaningRun, judgments: dict[int, UUID]) -> set[UUID]:
    """And holds that keys and UUIDs belong together."""
    found = set()
    for portion in run.frozen.all():
        stored = bytes(portion.uuids)
        assert len(stored) == 16 * len(portion.keys)
        for at, key in enumerate(portion.keys):
            uuid = UUID(bytes=stored[16 * at : 16 * at + 16])
            assert key == 0 or judgments[key] == uuid
            found.add(uuid)
    return found
