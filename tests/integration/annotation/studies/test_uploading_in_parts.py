"""Many files that come part by part: kept over a break, imported as one, refused before they travel."""

import datetime as dt
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agreement.stimuli.blocks import as_stored, read_blocks
from annotation.models import Item, ItemMedium, ItemUpload, Job, Study
from annotation.studies.uploading import discard_ended_uploads
from annotation.tasks import run_job
from tests import tiny_media as tiny
from tests.integration.researchers import an_owned_study

pytestmark = pytest.mark.django_db(transaction=True)
CLIPS = 12


def a_draft() -> tuple[Study, Client]:
    study, client = an_owned_study()
    Study.objects.filter(pk=study.pk).update(stimulus=as_stored(read_blocks([{"block": "audio", "field": "clip"}])))
    return study, client


def the_files(clips: int = CLIPS, *, named: int | None = None) -> dict[str, bytes]:
    rows = [f"n{number},p{number},q{number},{number}.wav" for number in range(named or clips)]
    items = "\n".join(["item_id,left,right,clip", *rows]).encode()
    large = {"0.wav": tiny.wav(150)}  # of two parts
    small = {f"{number}.wav": tiny.wav(0.1, hertz=300 + number) for number in range(1, clips)}
    return {"items.csv": items, **large, **small}


def ask(client: Client, study: Study, body: bytes = b"", **query: object) -> Any:
    address = reverse("admin:annotation_study_import_parts", args=[study.pk])
    return client.post(address, body, content_type="application/octet-stream", query_params=query)


def begin(client: Client, study: Study, files: dict[str, bytes]) -> Any:
    coming = [{"name": name, "size": len(content), "modified": 1} for name, content in files.items()]
    return ask(client, study, json.dumps(coming).encode(), do="begin")


def send(client: Client, study: Study, files: dict[str, bytes], *, most: int = 10_000) -> None:
    """What isn't there yet, up to so many parts."""
    answer = begin(client, study, files).json()
    size = answer["part_bytes"]
    for number, content in enumerate(files.values()):
        for part in range(answer["stored"][number], max(1, -(-len(content) // size))):
            if most == 0:
                return
            most -= 1
            body = content[part * size : (part + 1) * size]
            assert ask(client, study, body, do="part", file=number, part=part).status_code == 200


def test_an_upload_goes_on_where_it_stopped_and_comes_in_whole() -> None:
    study, client = a_draft()
    files = the_files()
    send(client, study, files, most=5)
    assert ask(client, study, do="queue").status_code == 422
    discard_ended_uploads()
    assert sum(begin(client, study, files).json()["stored"]) == 5
    send(client, study, files)
    assert begin(client, study, files).json()["stored"][:3] == [1, 2, 1]
    answer = ask(client, study, do="queue")
    assert answer.status_code == 200
    run_job(0)
    assert Job.objects.get().status == Job.Status.DONE, Job.objects.get().error
    assert study.items.filter(fields__clip__endswith=".wav").count() == ItemMedium.objects.count() == CLIPS
    discard_ended_uploads()
    assert not ItemUpload.objects.exists()


def test_a_part_that_comes_twice_is_kept_once() -> None:
    study, client = a_draft()
    files = the_files(2)
    begin(client, study, files)
    for _ in range(2):
        assert ask(client, study, files["items.csv"], do="part", file=0, part=0).status_code == 200
    assert begin(client, study, files).json()["stored"] == [1, 0, 0]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ([("items.csv", 10), ("film.mp4", 4_000_000_000)], "film.mp4 is larger than 200 MB."),
        ([("items.csv", 4_000_000_000)], "items.csv is larger than 200 MB."),
        ([("items.csv", 10), *((f"{number}.wav", 1) for number in range(5_000))], "5,001 files: choose 5,000 at most"),
        ([("items.csv", 10), *((f"{number}.mp4", 199_000_000) for number in range(60))], "more than 10 GB in all"),
        ([], "0 files"),
    ],
)
def test_what_is_too_large_is_refused_before_any_of_it_is_sent(files: list[tuple[str, int]], sentence: str) -> None:
    study, client = a_draft()
    coming = [{"name": name, "size": size, "modified": 1} for name, size in files]
    answer = ask(client, study, json.dumps(coming).encode(), do="begin")
    assert answer.status_code == 422
    assert sentence in " ".join(answer.json()["reasons"])
    assert not ItemUpload.objects.exists()


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1]", b'[{"name": "a"}]', b'{"name": "a"}', b'[{"name":"a","size":-1,"modified":1}]']
)
def test_a_list_that_is_none_is_refused(body: bytes) -> None:
    study, client = a_draft()
    assert ask(client, study, body, do="begin").status_code == 422


def test_a_part_of_another_length_or_number_is_refused() -> None:
    study, client = a_draft()
    files = the_files(2)
    begin(client, study, files)
    for query in ({"file": 0, "part": 0}, {"file": 0, "part": 7}, {"file": 9, "part": 0}, {"file": "x", "part": 0}, {}):
        assert ask(client, study, b"short", do="part", **query).status_code == 422


def test_other_files_have_to_wait_until_the_unfinished_upload_is_dropped_or_forgotten() -> None:
    study, client = a_draft()
    send(client, study, the_files(2), most=1)
    refused = begin(client, study, the_files(3))
    assert "choose the same files to go on with it, or drop it" in refused.json()["reasons"][0]
    assert ask(client, study, do="drop").status_code == 200
    assert begin(client, study, the_files(3)).status_code == 200
    ItemUpload.objects.update(touched_at=timezone.now() - dt.timedelta(days=3))
    discard_ended_uploads()
    assert not ItemUpload.objects.exists()


def test_files_that_no_item_names_are_refused_with_all_that_is_wrong_and_nothing_comes_in() -> None:
    study, client = a_draft()
    files = the_files(4, named=3) | {"1.wav": b"RIFF this is no sound at all"}
    send(client, study, files)
    ask(client, study, do="queue")
    run_job(0)
    job = Job.objects.get()
    assert job.status == Job.Status.FAILED
    assert "no item names '3.wav', which came with it" in job.error
    assert "column clip: '1.wav' can't be read as sound or video" in job.error
    assert not Item.objects.filter(fields__has_key="clip").exists()
    assert not ItemMedium.objects.exists()
