"""Releases of texts and lists that an earlier version made: their quotes move out of their lines and stay readable."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from annotation.models import Judgment
from annotation.releases.exports.release_tables import gold
from annotation.releases.models import GoldLabel, GoldRelease, Quote
from annotation.releases.release_quotes import lines_of
from tests.integration.agreement.frozen import keys_in_gold
from tests.integration.migrations import old_databases

pytestmark = pytest.mark.both

Lines = list[list[str]]


@pytest.fixture(scope="module")
def before(
    kept_as_left: str, kept_as_migrated: str, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Lines]]:
    """The lines by kind of study as an earlier version left them; the database is migrated by now.

    Of the texts one person had withdrawn then: both of that person's stood in the release still.
    """
    folder = tmp_path_factory.mktemp("old")
    with django_db_blocker.unblock():
        with old_databases.second_database(folder, kept_as_left) as database:
            lines = {kind: lines_left_in(database, kind) for kind in ("text", "list", "slider")}
        with old_databases.second_database(folder, kept_as_migrated):
            yield lines


def lines_left_in(database: BaseDatabaseWrapper, kind: str) -> Lines:
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT l.cells FROM agreement_goldlabel l JOIN agreement_goldrelease r ON r.id = l.release_id "
            "JOIN annotation_study s ON s.id = r.study_id WHERE s.kind = %s ORDER BY l.position",
            [kind],
        )
        return [json.loads(cells) if isinstance(cells, str) else cells for (cells,) in cursor.fetchall()]


def release_of(kind: str) -> GoldRelease:
    return GoldRelease.objects.using(old_databases.ALIAS).select_related("study").get(study__kind=kind)


def lines_now(kind: str) -> Lines:
    return [line for portion in lines_of(release_of(kind)) for line in portion]


def test_lists_of_people_who_are_all_there_give_the_published_bytes(before: dict[str, Lines]) -> None:
    release = release_of("list")
    assert len(before["list"]) == 11
    assert lines_now("list") == before["list"]
    assert hashlib.sha256(b"".join(gold(release))).hexdigest() == release.sha256
    assert release.lost_lines() == {}


def test_texts_of_those_who_had_withdrawn_are_gone_and_no_other(before: dict[str, Lines]) -> None:
    there = Judgment.objects.using(old_databases.ALIAS).filter(pk__in=keys_in_gold(release_of("text")))
    said = there.values_list("assigned_item__item__item_id", "text")
    assert len(before["text"]) == 6
    assert Counter((line[0], line[1]) for line in lines_now("text")) == Counter(said)
    assert all(line in before["text"] for line in lines_now("text"))
    assert release_of("text").lost_lines() == {"1": 1, "2": 1}


def test_lines_hold_no_text_any_more(before: dict[str, Lines]) -> None:
    stored = str(list(GoldLabel.objects.using(old_databases.ALIAS).values_list("cells", flat=True)))
    for kind in ("text", "list"):
        assert not [line[1] for line in before[kind] if line[1] in stored]


def test_kinds_that_quote_nobody_are_left_as_they_were(before: dict[str, Lines]) -> None:
    assert lines_now("slider") == before["slider"] == lines_left_in(release_database(), "slider")
    assert not Quote.objects.using(old_databases.ALIAS).filter(release=release_of("slider")).exists()


def test_moving_again_changes_nothing(before: dict[str, Lines]) -> None:
    move = import_module("annotation.releases.migrations.0005_quotes_moved").move_quotes
    lines = lines_left_in(release_database(), "text")
    move(apps, SimpleNamespace(connection=release_database()))
    assert lines_left_in(release_database(), "text") == lines
    assert lines_now("list") == before["list"]


def release_database() -> BaseDatabaseWrapper:
    return connections[old_databases.ALIAS]
