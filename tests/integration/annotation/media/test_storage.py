"""Where media lie: in the database or the folder, written before their row, and gone once nothing shows them."""

import datetime as dt
import io
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from agreement.stimuli.blocks import as_stored, read_blocks
from annotation.media.containers import Facts
from annotation.media.storage import content_of, path_of, remove_unused, store
from annotation.media.taking import Medium
from annotation.models import Blob, ItemMedium, Study
from annotation.studies.study_life import delete_draft
from tests import tiny_media as tiny
from tests.integration.researchers import an_owned_study

pytestmark = pytest.mark.django_db
LATER = dt.timedelta(days=2)


@pytest.fixture
def folder(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of media, where every one of more than 1,000 bytes lies."""
    settings.MEDIA_DIR = tmp_path / "media"
    monkeypatch.setattr("annotation.media.storage.IN_DATABASE", 1_000)
    return tmp_path


def a_sound_draft() -> Study:
    study, _ = an_owned_study()
    Study.objects.filter(pk=study.pk).update(stimulus=as_stored(read_blocks([{"block": "audio", "field": "clip"}])))
    return study


def import_into(study: Study, folder: Path, rows: str, **files: bytes) -> None:
    came = folder / "came"
    came.mkdir(exist_ok=True)
    for name, content in files.items():
        (came / f"{name}.wav").write_bytes(content)
    (folder / "items.csv").write_text(f"item_id,left,right,clip\n{rows}")
    call_command("import_items", study.slug, folder / "items.csv", media=came, stdout=io.StringIO())


def test_a_command_brings_sounds_and_each_file_of_the_folder_has_to_be_named(folder: Path) -> None:
    study = a_sound_draft()
    errors = io.StringIO()
    came = folder / "came"
    came.mkdir()
    (came / "a.wav").write_bytes(tiny.wav())
    (came / "forgotten.wav").write_bytes(tiny.wav())
    (folder / "items.csv").write_text("item_id,left,right,clip\na,p,q,a.wav\nb,r,s,b.wav\n")
    with pytest.raises((SystemExit, CommandError)):
        call_command("import_items", study.slug, folder / "items.csv", media=came, stderr=errors, stdout=io.StringIO())
    assert "no item names 'forgotten.wav', which came with it" in errors.getvalue()
    assert "row 3, column clip: 'b.wav' is not among the files" in errors.getvalue()
    assert not Blob.objects.exists()
    (came / "forgotten.wav").rename(came / "b.wav")
    call_command("import_items", study.slug, folder / "items.csv", media=came, stdout=io.StringIO())
    first, second = ItemMedium.objects.filter(item__study=study).order_by("item__position")
    assert (first.column, first.blob_id) == ("clip", second.blob_id)


def test_a_large_medium_is_written_once_whole_and_for_its_owner_alone(folder: Path) -> None:
    study = a_sound_draft()
    import_into(study, folder, "a,p,q,a.wav\nb,r,s,b.wav\n", a=tiny.wav(1), b=tiny.wav(0.05))
    large, small = Blob.objects.order_by("-size")
    assert (large.in_folder, bytes(large.content), small.in_folder) == (True, b"", False)
    assert content_of(large) == tiny.wav(1)
    assert content_of(small) == tiny.wav(0.05)
    assert [path.name for path in (folder / "media").rglob("*") if path.is_file()] == [large.pk]
    assert path_of(large.pk).stat().st_mode & 0o077 == 0


def test_a_write_that_fails_leaves_no_row_and_no_half_of_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    (folder / "large").write_bytes(tiny.wav(1))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        store([Medium("a" * 64, Facts("audio/wav"), folder / "large", 8_044)])
    assert not Blob.objects.exists()
    assert not [path for path in (folder / "media").rglob("*") if path.is_file()]


def test_media_of_a_deleted_study_go_and_those_that_another_shows_stay(folder: Path) -> None:
    study, other = a_sound_draft(), a_sound_draft()
    import_into(study, folder, "a,p,q,a.wav\nb,r,s,b.wav\n", a=tiny.wav(1), b=tiny.wav(2))
    (folder / "came" / "b.wav").unlink()
    import_into(other, folder, "a,p,q,a.wav\n", a=tiny.wav(1))
    kept = ItemMedium.objects.get(item__study=other).blob_id
    Study.objects.filter(pk=study.pk).update(status=Study.Status.DRAFT)
    delete_draft(study=Study.objects.get(pk=study.pk))
    assert remove_unused(now=timezone.now()) == 0  # a day may pass before an import has its items
    for path in (folder / "media").rglob("*"):
        os.utime(path, (0, 0))
    assert remove_unused(now=timezone.now() + LATER) == 2  # the row, and its file
    assert list(Blob.objects.values_list("pk", flat=True)) == [kept]
    assert [path.name for path in (folder / "media").rglob("*") if path.is_file()] == [kept]


def test_a_file_without_a_row_goes_after_a_day(folder: Path) -> None:
    path = path_of("b" * 64)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"an import died before its row")
    assert remove_unused(now=timezone.now()) == 0
    assert remove_unused(now=timezone.now() + LATER) == 1
    assert not path.exists()


def test_a_table_that_no_item_shows_is_no_medium_and_stays() -> None:
    Blob.objects.create(sha256="d" * 64, content_type="text/csv", content=b"a,b")
    remove_unused(now=timezone.now() + LATER)
    assert Blob.objects.exists()
