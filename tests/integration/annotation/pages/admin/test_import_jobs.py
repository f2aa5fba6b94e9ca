"""Large files of items from the admin: a job imports all of them or none, however often it is begun."""

import datetime as dt
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from agreement.errors import Refused
from annotation import tasks
from annotation.jobs import cancel_job, run_job, sweep
from annotation.jobs.claim import take_job
from annotation.models import AuditEntry, Blob, Item, ItemImport, ItemUpload, ItemUploadPart, Job, OpenPlace, Study
from annotation.studies import importing_in_parts, uploading
from annotation.studies.importing_in_parts import begin_import
from annotation.studies.item_files import read_items
from annotation.studies.study_life import add_items
from annotation.studies.uploading import begin_upload, discard_ended_uploads, has_many_rows, queue_upload, store_file
from tests.factories import a_small_study
from tests.integration.annotation.answering.views.people import PNG
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
MANY = 2_500


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_in_parts, "PAUSE_SECONDS", 0)


def csv(count: int = MANY, name: str = "new", last: str = "") -> str:
    return "item_id,left,right\n" + "".join(f"{name}{k},a{k},b{k}\n" for k in range(count)) + last


def upload(client: Client, study: Study, text: str, name: str = "large.csv", **more: Any) -> Any:
    data = {"file": SimpleUploadedFile(name, text.encode()), **more}
    return client.post(reverse("admin:annotation_study_import_items", args=[study.pk]), data)


def page_of(client: Client, job: Job) -> Any:
    return client.get(reverse("admin:annotation_study_import_job", args=[job.study_id, job.uuid]))


def a_draft() -> tuple[Study, Client]:
    owner = a_researcher()
    return a_small_study(items=2, live=False, judgments_per_item=1, owner=owner), signed_in(owner)


def a_queued_import(text: str | None = None) -> tuple[Study, Client, Job]:
    study, client = a_draft()
    upload(client, study, csv() if text is None else text)
    return study, client, Job.objects.get()


def ended(job: Job) -> Job:
    """As a worker does it: the task that Celery runs."""
    tasks.run_job(job.pk)
    job.refresh_from_db()
    return job


def assert_nothing_is_left(study: Study, items: int = 2) -> None:
    assert Item.everything.filter(study=study).count() == study.items.count() == items
    assert not ItemImport.objects.unpublished().exists()
    assert not ItemUpload.objects.exists()
    assert not ItemUploadPart.objects.exists()


def die_after(monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    """The worker is stopped after so many chunks and has no time to clear up."""
    write, written = importing_in_parts.write_chunk, []

    def write_and_die(**given: Any) -> None:
        write(**given)
        written.append(1)
        if len(written) == chunks:
            raise SystemExit

    monkeypatch.setattr(importing_in_parts, "write_chunk", write_and_die)
    monkeypatch.setattr(importing_in_parts, "discard_import", lambda **_: None)


def test_large_upload_queues_a_job_and_leads_to_its_page() -> None:
    study, client = a_draft()
    answer = upload(client, study, csv())
    job = Job.objects.get()
    assert answer.headers["Location"] == reverse("admin:annotation_study_import_job", args=[study.pk, job.uuid])
    assert (job.kind, job.status, job.study, job.created_by) == ("import", "queued", study, study.owner)
    assert study.items.count() == 2
    page = page_of(client, job)
    assert "Import of large.csv" in page.text
    assert "It starts as soon as a worker is free" in page.text
    state = client.get(reverse("admin:annotation_study_import_job_state", args=[study.pk, job.uuid])).json()
    assert state == {"job": str(job.uuid), "status": "queued", "progress": 0}
    form = client.get(reverse("admin:annotation_study_import_items", args=[study.pk]))
    assert "large.csv is being imported at the moment" in form.text


def test_job_imports_all_items_in_their_order_and_deletes_the_file() -> None:
    study, client, job = a_queued_import()
    assert ended(job).status == "done"
    assert job.result == {"items": MANY}
    ids = list(study.items.order_by("position").values_list("item_id", flat=True))
    assert ids == ["i0", "i1", *(f"new{k}" for k in range(MANY))]
    assert list(study.items.order_by("position").values_list("position", flat=True)) == list(range(1, MANY + 3))
    entry = AuditEntry.objects.filter(study=study, action=AuditEntry.Action.IMPORTED).latest("pk")
    assert (entry.detail, entry.by) == ({"items": MANY, "from": "large.csv"}, study.owner)
    assert_nothing_is_left(study, MANY + 2)
    assert f"{MANY} items were imported" in page_of(client, job).text


def test_job_for_an_open_study_opens_its_places() -> None:
    owner = a_researcher()
    study = a_small_study(items=2, judgments_per_item=1, owner=owner)
    upload(signed_in(owner), study, csv())
    ended(Job.objects.get())
    assert OpenPlace.objects.filter(study=study).count() == MANY + 2


def test_small_upload_comes_in_at_once() -> None:
    study, client = a_draft()
    upload(client, study, csv(2_000))
    assert study.items.count() == 2_002
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("name", "text", "is_large"),
    [
        ("a.csv", csv(2_000), False),
        ("a.csv", csv(2_000).rstrip(), False),
        ("a.csv", csv(2_001), True),
        ("a.csv", csv(2_001).rstrip(), True),
        ("a.csv", csv(2_001).replace("\n", "\r\n"), True),
        ("a.csv", csv(2_001).replace("\n", "\r"), True),
        ("a.jsonl", "{}\n" * 2_000, False),
        ("a.jsonl", "{}\n" * 2_001, True),
        ("a.jsonl", ("{}\n" * 2_001).rstrip(), True),
        ("a.csv", "", False),
    ],
)
def test_rows_are_counted_by_lines(name: str, text: str, *, is_large: bool) -> None:
    file = SimpleUploadedFile(name, text.encode())
    assert has_many_rows(file) is is_large
    assert file.read() == text.encode()


def test_every_bad_row_is_named_and_nothing_comes_in() -> None:
    study, client, job = a_queued_import(csv(last="i0,a,b\n" + ",a,b\n" * 150))
    assert ended(job).status == "failed"
    assert job.error.count("large.csv, row ") == 151
    page = page_of(client, job).text
    assert "The import failed: no items were imported" in page
    assert f"row {MANY + 2}, column item_id: &#x27;i0&#x27; is already an item of this study" in page
    assert f"row {MANY + 152}" in page
    assert_nothing_is_left(study)


def test_job_killed_in_the_middle_begins_anew_and_brings_every_item_once(monkeypatch: pytest.MonkeyPatch) -> None:
    study, _, job = a_queued_import()
    with monkeypatch.context() as patched:
        die_after(patched, chunks=2)
        with pytest.raises(SystemExit):
            run_job(job.pk)
    assert Item.everything.filter(study=study).count() == 2_002
    assert study.items.count() == 2
    assert ended(job).status == "done"
    assert job.attempts == 2
    assert study.items.filter(item_id__startswith="new").count() == MANY
    assert AuditEntry.objects.filter(action=AuditEntry.Action.IMPORTED, detail__items=MANY).count() == 1
    assert_nothing_is_left(study, MANY + 2)


def test_job_killed_after_its_items_were_published_only_opens_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = a_researcher()
    study = a_small_study(items=2, judgments_per_item=1, owner=owner)
    upload(signed_in(owner), study, csv())
    job = Job.objects.get()

    def die(**_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("annotation.studies.study_life.open_places", die)
        with pytest.raises(SystemExit):
            run_job(job.pk)
    assert OpenPlace.objects.filter(study=study).count() == 2
    assert ended(job).status == "done"
    assert job.result == {"items": MANY}
    assert OpenPlace.objects.filter(study=study).count() == MANY + 2
    assert_nothing_is_left(study, MANY + 2)


def test_job_given_up_after_its_items_were_published_leaves_open_places(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = a_researcher()
    study = a_small_study(items=2, judgments_per_item=1, owner=owner)
    client = signed_in(owner)
    upload(client, study, csv())
    job = Job.objects.get()

    def die(**_: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("annotation.studies.study_life.open_places", die)
        with pytest.raises(SystemExit):
            run_job(job.pk)
    cancel_job(job=job)
    discard_ended_uploads()
    assert OpenPlace.objects.filter(study=study).count() == MANY + 2
    assert "The import was complete before the job ended (cancelled)" in page_of(client, job).text


@pytest.mark.parametrize("when", ["read_items", "add_items"])
def test_worker_whose_job_was_given_to_another_writes_nothing(monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    study, _, job = a_queued_import()
    done_by: dict[str, Callable[..., Any]] = {"read_items": read_items, "add_items": add_items}
    written: list[Any] = []

    def do_slowly(*given: Any, **more: Any) -> Any:
        """Meanwhile the job is taken for dead and claimed by another."""
        Job.objects.filter(pk=job.pk).update(status="queued")
        assert take_job(job.pk) is not None
        return done_by[when](*given, **more)

    monkeypatch.setattr(f"annotation.studies.uploading.{when}", do_slowly)
    monkeypatch.setattr(importing_in_parts, "write_chunk", lambda **given: written.append(given))
    run_job(job.pk)
    assert written == []
    assert not ItemImport.objects.exists()
    assert study.items.count() == 2
    job.refresh_from_db()
    assert (job.status, job.attempts) == ("running", 2)
    assert ItemUpload.objects.get().job == job


def test_second_upload_meanwhile_is_refused_in_words() -> None:
    study, client, job = a_queued_import()
    answer = upload(client, study, csv(name="other"), name="other.csv")
    assert answer.status_code == 422
    assert "large.csv is being imported into" in answer.text
    assert "Wait until it is done, or cancel that import" in answer.text
    assert Job.objects.get() == job
    other, other_client = a_draft()
    assert upload(other_client, other, csv()).status_code == 302
    ended(job)
    assert upload(client, study, csv(name="other"), name="other.csv").status_code == 302


def test_second_upload_of_a_study_is_refused_by_the_database() -> None:
    study, _, _ = a_queued_import()
    with pytest.raises(IntegrityError), transaction.atomic():
        ItemUpload.objects.create(study=study, name="other.csv")


def test_job_waits_while_a_command_imports_into_the_study() -> None:
    study, _, job = a_queued_import()
    begun = begin_import(study=study, rows=1, by=None, source="by-command.csv")
    assert ended(job).status == "queued"
    assert "by-command.csv (1 items) is being imported" in job.error
    assert job.not_before is not None
    importing_in_parts.discard_import(item_import=begun)
    Job.objects.update(not_before=None)
    assert ended(job).status == "done"


def test_queued_import_that_is_cancelled_leaves_nothing() -> None:
    study, client, job = a_queued_import()
    client.post(reverse("admin:annotation_study_cancel_import", args=[study.pk, job.uuid]))
    assert_nothing_is_left(study)
    assert "no items were imported, and the file was deleted" in page_of(client, job).text
    assert ended(job).status == "cancelled"


def test_running_import_that_is_cancelled_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    study, client, job = a_queued_import()
    write = importing_in_parts.write_chunk

    def write_and_cancel(**given: Any) -> None:
        write(**given)
        client.post(reverse("admin:annotation_study_cancel_import", args=[study.pk, job.uuid]))

    monkeypatch.setattr(importing_in_parts, "write_chunk", write_and_cancel)
    assert ended(job).status == "cancelled"
    assert_nothing_is_left(study)


def test_import_cancelled_after_its_worker_died_leaves_nothing(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    study, _, job = a_queued_import()
    with monkeypatch.context() as patched:
        die_after(patched, chunks=2)
        with pytest.raises(SystemExit):
            run_job(job.pk)
    past = timezone.now() - dt.timedelta(seconds=2 * settings.JOB_SILENCE_SECONDS)
    Job.objects.update(status="running", is_cancel_wanted=True, touched_at=past)
    tasks.sweep()
    assert_nothing_is_left(study)


def test_failed_import_is_not_done_again_without_its_file() -> None:
    study, client, job = a_queued_import(csv(last=",a,b\n"))
    ended(job)
    answer = client.post(reverse("admin:annotation_job_retry", args=[job.pk]), follow=True)
    assert "The file of this import was deleted when the job ended: upload it again." in answer.text
    assert Job.objects.get() == job
    page = client.get(reverse("admin:annotation_job_change", args=[job.pk]))
    assert "Try again" not in page.text
    assert reverse("admin:annotation_study_import_job", args=[study.pk, job.uuid]) in page.text


@pytest.mark.parametrize("name", ["import_job", "import_job_state", "cancel_import"])
def test_import_of_another_study_is_found_by_nobody(name: str) -> None:
    study, _, job = a_queued_import()
    own = a_small_study(items=1, live=False)
    client = signed_in(a_researcher(own, "editor"))
    for pk in (study.pk, own.pk):
        address = reverse(f"admin:annotation_study_{name}", args=[pk, job.uuid])
        assert client.post(address).status_code == 404
    viewer = signed_in(a_researcher(study, "viewer"))
    assert viewer.post(reverse(f"admin:annotation_study_{name}", args=[study.pk, job.uuid])).status_code == 403
    job.refresh_from_db()
    assert not job.is_cancel_wanted


def test_job_of_another_kind_has_no_import_page() -> None:
    study, client = an_owned_study()
    job = Job.objects.create(kind="analyse", study=study)
    assert page_of(client, job).status_code == 404


def test_pictures_come_with_a_job(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "PART_BYTES", 1_000)
    study, client = a_draft()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("deep/red.png", PNG)
    rows = "".join(f"p{k},a,b,{'red.png' if k % 2 else 'lone.png'}\n" for k in range(MANY))
    pictures = [SimpleUploadedFile("more.zip", packed.getvalue()), SimpleUploadedFile("lone.png", PNG)]
    upload(client, study, "item_id,left,right,image\n" + rows, pictures=pictures)
    assert ItemUploadPart.objects.count() > 10
    assert ended(Job.objects.get()).status == "done"
    shown = set(study.items.filter(item_id__startswith="p").values_list("image", flat=True))
    assert shown == {Blob.objects.get().sha256}


LARGE = io.BytesIO()
Image.new("1", (5_000, 5_000)).save(LARGE, "PNG")  # 25 million pixels in 3 kB


def test_pictures_of_many_pixels_are_encoded_by_a_job_and_not_in_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    study, client = a_draft()
    pictures = [SimpleUploadedFile(f"{name}.png", LARGE.getvalue()) for name in "ab"]
    with monkeypatch.context() as in_the_request:
        in_the_request.setattr("annotation.media.pictures._again", lambda _picture: pytest.fail("decoded"))
        upload(client, study, "item_id,left,right,image\nnew1,a,b,a.png\nnew2,a,b,b.png\n", pictures=pictures)
    assert ended(Job.objects.get()).status == "done"
    assert study.items.filter(item_id__startswith="new", image__isnull=False).count() == 2


def test_no_picture_is_decoded_for_rows_that_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    study, client = a_draft()
    monkeypatch.setattr("annotation.media.pictures._again", lambda _picture: pytest.fail("decoded"))
    for rows, said in (
        ("new1,a,b,a.png\nnew1,a,b,b.png\n", "new1"),
        ("new1,a,b,a.png\n,a,b,b.png\n", "column item_id"),
        ("new1,a,b,a.png\nnew2,a,b,c.png\n", "is not among the pictures"),
    ):
        pictures = [SimpleUploadedFile(f"{name}.png", LARGE.getvalue()) for name in "ab"]
        page = upload(client, study, "item_id,left,right,image\n" + rows, pictures=pictures)
        assert page.status_code == 422
        assert any(said in reason for reason in page.context["reasons"])
    assert not Job.objects.exists()


def test_large_file_is_stored_in_parts_of_a_transaction_each() -> None:
    study, _ = a_draft()
    begun = begin_upload(study=study, name="large.csv")
    with CaptureQueriesContext(connection) as queries:
        store_file(upload=begun, file_number=0, file=SimpleUploadedFile("large.csv", b"x" * 2_500_000))
    sizes = [len(part.content) for part in begun.parts.all()]
    assert sizes == [1_000_000, 1_000_000, 500_000]
    assert sum("INSERT" in query["sql"][:6] for query in queries) == 3


def test_part_of_more_than_a_megabyte_is_refused_by_the_database() -> None:
    study, _ = a_draft()
    begun = begin_upload(study=study, name="large.csv")
    with pytest.raises(IntegrityError), transaction.atomic():
        ItemUploadPart.objects.create(
            upload=begun, file_number=0, file_name="large.csv", number=0, content=b"x" * 1_000_001
        )


def test_upload_whose_request_died_goes_with_the_sweep_or_the_next_upload() -> None:
    study, client = a_draft()
    begun = begin_upload(study=study, name="died.csv")
    store_file(upload=begun, file_number=0, file=SimpleUploadedFile("died.csv", b"x"))
    assert discard_ended_uploads() == 0
    ItemUpload.objects.update(touched_at=timezone.now() - dt.timedelta(minutes=6))
    with pytest.raises(Refused, match=r"died\.csv: the upload showed no progress for too long"):
        queue_upload(upload=begun, by=None)
    assert not Job.objects.exists()
    assert upload(client, study, csv()).status_code == 302
    assert ItemUpload.objects.get().name == "large.csv"
    ItemUpload.objects.update(job=None, touched_at=timezone.now() - dt.timedelta(minutes=6))
    tasks.sweep()
    assert not ItemUploadPart.objects.exists()


def test_upload_that_fails_while_it_is_stored_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    study, client = a_draft()

    def fail(**_: Any) -> None:
        raise Refused("No more.")

    monkeypatch.setattr(uploading, "queue_upload", fail)
    assert upload(client, study, csv()).status_code == 422
    assert_nothing_is_left(study)


def test_file_of_a_job_that_waits_is_kept() -> None:
    _, _, job = a_queued_import()
    ItemUpload.objects.update(touched_at=timezone.now() - dt.timedelta(days=2))
    sweep()
    assert discard_ended_uploads() == 0
    assert ended(job).status == "done"


def test_small_import_meanwhile_that_takes_an_id_is_told_by_the_job() -> None:
    study, _, job = a_queued_import()
    add_items(study=study, items=[{"item_id": "new7", "fields": {"left": "a", "right": "b"}}], source="small.csv")
    assert ended(job).status == "failed"
    assert "row 9, column item_id: 'new7' is already an item of this study" in job.error
    assert_nothing_is_left(study, 3)
