"""Pictures of earlier versions get their size and dimensions; what is no picture, and every trigger, stays."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from PIL import Image

from annotation.database.triggers import lacking_triggers
from annotation.models import Blob, ItemMedium
from tests.integration.migrations import old_databases

pytestmark = pytest.mark.both


def a_picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (30, 20), "teal").save(out, "PNG")
    return out.getvalue()


def test_pictures_that_are_there_are_measured(django_db_setup: None, django_db_blocker: Any, tmp_path: Path) -> None:
    kept = {"a": ("image/png", a_picture()), "b": ("image/png", b"\x89PNG broken"), "c": ("text/csv", b"a,b")}
    with django_db_blocker.unblock(), old_databases.second_database(tmp_path) as old:
        old_databases.fill(old, "annotation-0004")
        call_command("migrate", "annotation", "0030_signs", database=old.alias, verbosity=0)
        with old.cursor() as cursor:
            for name, (content_type, content) in kept.items():
                cursor.execute(
                    "INSERT INTO annotation_blob (sha256, content_type, content, created_at)"
                    " VALUES (%s, %s, %s, CURRENT_TIMESTAMP)",
                    [name * 64, content_type, content],
                )
        call_command("migrate", database=old.alias, verbosity=0)
        blobs = Blob.objects.using(old.alias).filter(pk__in=[name * 64 for name in kept]).order_by("pk")
        assert list(blobs.values_list("size", "width", "height", "in_folder")) == [
            (len(a_picture()), 30, 20, False),
            (11, None, None, False),
            (None, None, None, False),
        ]
        assert [bytes(blob.content) for blob in blobs] == [content for _, content in kept.values()]
        assert not lacking_triggers(old)
        assert not ItemMedium.objects.using(old.alias).exists()
