"""A worker dies in the middle of a large import: another brings every item in, once."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.models import AuditEntry, Item, ItemUpload, Study
from annotation.studies.uploading import queue_import
from tests.faults.conftest import kill, wait_until_all_done
from tests.services.fixtures import wait_for

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.both]
MANY = 15_000


def test_worker_killed_in_the_middle_of_an_import_brings_every_item_once(
    worker: Callable[..., int], study: Study
) -> None:
    rows = "".join(f"n{k},a{k}\n" for k in range(MANY))
    file = SimpleUploadedFile("items.csv", f"item_id,word\n{rows}".encode())
    number = worker(clock=True)
    job = queue_import(study=study, file=file, by=None)
    written = Item.everything.filter(study=study)
    wait_for(lambda: written.count() >= 2_000, seconds=120, what="some chunks are written")
    kill(number)
    assert not study.items.exists()
    worker()
    wait_until_all_done([job])
    job.refresh_from_db()
    assert job.attempts >= 2
    assert written.count() == study.items.count() == MANY
    assert AuditEntry.objects.filter(study=study, action=AuditEntry.Action.IMPORTED).count() == 1
    wait_for(lambda: not ItemUpload.objects.exists(), seconds=120, what="the stored file is deleted")
