"""Names of files that no disk holds, and two requests at the same moment for the same name: refused or mended."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, transaction
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

import annotation.tasks  # noqa: F401 - where the import of items is registered
from agreement.errors import Refused
from annotation.api.parsing import handle
from annotation.jobs import run_next
from annotation.models import AuditEntry, Item, Job, Study
from annotation.studies.importing_in_parts import import_in_chunks
from annotation.studies.study_life import AT_ONCE
from tests.factories import a_small_study
from tests.integration.annotation.answering.views.people import PNG
from tests.integration.annotation.api.scripts import Script
from tests.integration.annotation.api.test_writing import SLIDER
from tests.integration.researchers import a_released_study, a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]
ROWS = b"item_id,left,right\np,x,y\n"
NAMES = ["\0", "a\0b.csv", "é" * 250 + ".csv", "..", "/", "\n", "\ud7ff" * 200, "x." + "y" * 300, "."]


@pytest.fixture
def script() -> Script:
    return Script(a_researcher())


def a_draft(script: Script) -> Study:
    return a_small_study(items=2, live=False, owner=script.token.user, question="{left} and {right}?")


@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_any_name_is_read(script: Script, name: str) -> None:
    path = f"studies/{a_draft(script).slug}/items/import/?name={quote(name)}"
    answer = script.ask("POST", path, ROWS, content_type="text/csv")
    assert answer.status_code == 201, answer.content
    source = AuditEntry.objects.filter(action="imported").latest("pk").detail["from"]
    assert source.endswith(".csv")
    assert len(source.encode()) <= 255


def parts(**files: list[SimpleUploadedFile]) -> dict[str, Any]:
    return {"body": encode_multipart(BOUNDARY, files), "content_type": MULTIPART_CONTENT}


def test_a_file_in_parts_and_a_models_outputs_have_any_name_too() -> None:
    long = "é" * 250 + ".csv"
    study, _release, _client = a_released_study()
    assert study.owner is not None
    script = Script(study.owner)
    rows = "".join(f"{item},1\n" for item in study.items.values_list("item_id", flat=True))
    form = {"name": "m", "file": SimpleUploadedFile(long, f"item_id,score\n{rows}".encode())}
    body = encode_multipart(BOUNDARY, form)
    answer = script.ask("POST", f"studies/{study.slug}/probes/", body, content_type=MULTIPART_CONTENT)
    assert answer.status_code in {201, 422}, answer.content
    assert b"File name too long" not in answer.content
    given = parts(file=[SimpleUploadedFile(long, ROWS)])
    other = a_draft(script)
    assert script.ask("POST", f"studies/{other.slug}/items/import/", **given).status_code == 201


def test_a_job_finds_a_picture_of_a_long_name(script: Script) -> None:
    study, picture = a_draft(script), "é" * 200 + ".png"
    rows = "".join(f"n{number},x,y,{picture}\n" for number in range(AT_ONCE + 1))
    file = SimpleUploadedFile("é" * 240 + ".csv", f"item_id,left,right,image\n{rows}".encode())
    given = parts(file=[file], pictures=[SimpleUploadedFile(picture, PNG)])
    assert script.ask("POST", f"studies/{study.slug}/items/import/", **given).status_code == 202
    run_next()
    assert Job.objects.get().status == Job.Status.DONE, Job.objects.get().error
    assert study.items.filter(image__isnull=False).count() == AT_ONCE + 1


# Races: what the first look finds is changed before the second thing is stored.


def taken_meanwhile(slug: str, action: Callable[..., Any]) -> Callable[..., Any]:
    """The action, a moment after somebody else has made a study of that short name."""

    def late(**given: Any) -> Any:
        Study.objects.filter(pk=a_small_study(items=1, live=False).pk).update(slug=slug)
        return action(**given)

    return late


@pytest.mark.parametrize("way", ["define_study", "create_study", "duplicate_study", "change_study"])
def test_a_short_name_that_is_taken_at_the_same_moment_is_refused(
    way: str, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotation.api.resources import studies

    monkeypatch.setattr("annotation.studies.study_life.refuse_taken_slug", lambda _slug: None)
    monkeypatch.setattr(studies, way, taken_meanwhile("wanted", getattr(studies, way)))
    own = a_draft(script)
    path, body, headers = {
        "define_study": ("studies/", {"slug": "wanted", **SLIDER}, {}),
        "create_study": ("studies/", {"slug": "wanted", "preset": "typicality"}, {}),
        "duplicate_study": (f"studies/{own.slug}/duplicate/", {"slug": "wanted"}, {}),
        "change_study": (f"studies/{own.slug}/", {"slug": "wanted"}, {}),
    }[way]
    if way == "change_study":
        headers = {"If-Match": script.get(path).headers["ETag"]}
    answer = script.ask("PATCH" if headers else "POST", path, body, headers=headers)
    assert answer.status_code == 422, answer.content
    assert "choose another" in answer.json()["detail"]
    assert Study.objects.filter(slug="wanted").count() == 1


def test_an_item_that_is_added_at_the_same_moment_is_refused(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotation.studies.item_files._refuse_doubled", lambda *_: None)
    study = a_draft(script)
    body = {"items": [{"item_id": "i0", "left": "x", "right": "y"}]}
    answer = script.post(f"studies/{study.slug}/items/", body)
    assert answer.status_code == 422, answer.content
    assert "has just been added" in answer.json()["detail"]
    with pytest.raises(Refused, match="has just been added"):
        import_in_chunks(study=study, items=[{"item_id": "i0"}], by=None, source="a test")
    assert Item.everything.count() == 2


def test_any_other_race_for_one_name_is_a_conflict(script: Script) -> None:
    study = a_draft(script)
    with pytest.raises(IntegrityError) as doubled, transaction.atomic():
        Study.objects.create(slug=study.slug, question="?", kind="text")
    answer = handle(doubled.value, {})
    assert answer is not None
    assert answer.status_code == 409
    with pytest.raises(IntegrityError) as broken, transaction.atomic():
        Study.objects.create(slug="other", question="", kind="text")
    assert handle(broken.value, {}) is None
