"""A `migrate` that can't go on leaves the triggers there, and one that could not be finished touches nothing."""

import pytest
from django.core.management import CommandError, call_command
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.operations import RunPython

from annotation.database import triggers
from tests.integration.migrations.squashed import recorded

pytestmark = pytest.mark.both


def test_step_back_that_would_meet_an_irreversible_one_is_refused_before_anything_is_touched(
    left: BaseDatabaseWrapper,
) -> None:
    call_command("migrate", "agreement", "0016_no_members", database=left.alias, verbosity=0)
    applied, guarded = recorded(left), triggers.installed_triggers(left)
    assert guarded

    with pytest.raises(CommandError, match=r"agreement\.0015_members_moved.* can't be undone, so nothing was changed"):
        call_command("migrate", "agreement", "0002_append_only", database=left.alias, verbosity=0)

    assert recorded(left) == applied
    assert triggers.installed_triggers(left) == guarded


def test_dropping_every_table_of_a_new_database_is_refused(migrated: BaseDatabaseWrapper) -> None:
    applied = recorded(migrated)
    with pytest.raises(CommandError, match=r"annotation\.0001_squashed_0020.* can't be undone"):
        call_command("migrate", "annotation", "zero", database=migrated.alias, verbosity=0)
    assert recorded(migrated) == applied
    assert triggers.lacking_triggers(migrated) == []


@pytest.mark.parametrize("error", [RuntimeError("a row that the step didn't expect"), KeyboardInterrupt()])
def test_step_that_fails_leaves_the_triggers_in_place(
    left: BaseDatabaseWrapper, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = triggers.installed_triggers(left)
    assert before

    def fail(*_: object) -> None:
        assert triggers.installed_triggers(left) == {}
        raise error

    monkeypatch.setattr(RunPython, "database_forwards", fail)
    with pytest.raises(type(error)):
        call_command("migrate", database=left.alias, verbosity=0)
    assert triggers.installed_triggers(left).keys() >= before.keys()
