"""What came with items and nothing uses is told where the import is confirmed: by page, API and command."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse

import annotation.tasks  # noqa: F401 - where the import of items is registered
from annotation.jobs import run_next
from annotation.models import Study
from tests.factories import a_small_study
from tests.integration.annotation.api.scripts import Script
from tests.integration.researchers import a_researcher, an_owned_study
from tests.unit.annotation.media.test_pictures import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.both]
SOUNDS = "item_id,audio,word,attention_check\na,snd0.wav,cat,\nb,snd1.wav,dog,1\n"
SOUND = SimpleUploadedFile("snd0.wav", b"RIFF")
OF_SOUNDS = (
    "The column audio names media (snd0.wav, snd1.wav), and nobody sees or hears them: pictures are named in the column"
    " image."
)
OF_CHECKS = (
    "The column attention_check looks like checks and isn't read as such, so that such items count as all others: name"
    " the check of each such item in a column called check, and its right answer in expected, min or max."
)
NO_ITEM = "1 file that no item names in the column image: snd0.wav."
TOLD = ["Columns that no question shows: attention_check.", OF_SOUNDS, OF_CHECKS, NO_ITEM]


def a_study_of_words(**options: Any) -> Study:
    return a_small_study(items=1, live=False, question="How nice is {word}?", **options)


def imported(client: Client, study: Study, items: str, *pictures: SimpleUploadedFile) -> str:
    data = {"file": SimpleUploadedFile("items.csv", items.encode()), "pictures": list(pictures)}
    page = client.post(reverse("admin:annotation_study_import_items", args=[study.pk]), data, follow=True)
    return page.content.decode().replace("&#x27;", "'")


def test_a_page_tells_of_sounds_and_checks_that_nothing_reads() -> None:
    study, client = an_owned_study()
    Study.objects.filter(pk=study.pk).update(question="How nice is {word}?")
    page = imported(client, study, SOUNDS, SOUND)
    assert "2 items were imported into" in page
    for sentence in TOLD:
        assert sentence.partition(".")[0] in page


def test_a_zip_with_pictures_that_no_item_names_and_items_without_one() -> None:
    study, client = an_owned_study()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in ("p/red.png", "p/blue.png", "__MACOSX/p/._red.png", "p/.DS_Store"):
            archive.writestr(name, drawn())
    rows = "item_id,left,right,image\na,on,above,red.png\nb,on,below,\n"
    page = imported(client, study, rows, SimpleUploadedFile("imgs.zip", content.getvalue()))
    assert "1 file that no item names in the column image: p/blue.png." in page
    assert "1 item without a picture, beside others that have one: b." in page


def test_an_import_of_which_all_is_used_says_nothing() -> None:
    study, client = an_owned_study()
    page = imported(
        client, study, "item_id,left,right,image\na,on,above,red.png\n", SimpleUploadedFile("red.png", drawn())
    )
    assert "1 item was imported into" in page
    assert "no question shows" not in page
    assert "no item names" not in page


def test_empty_rows_are_skipped_and_counted() -> None:
    study, client = an_owned_study()
    page = imported(client, study, "item_id,left,right\na,on,above\n,,\n , ,\nb,on,below\n")
    assert "2 items were imported into" in page
    assert "2 empty rows skipped." in page


def test_the_command_tells_the_same(tmp_path: Path) -> None:
    study, said = a_study_of_words(), io.StringIO()
    (tmp_path / "items.csv").write_text(SOUNDS)
    call_command("import_items", study.slug, tmp_path / "items.csv", stdout=said)
    first, *told = said.getvalue().splitlines()
    assert first == f"2 items were imported into {study.slug}."
    assert (
        told[0] == "Columns that no question shows: attention_check. They stay with the items, and break scores down."
    )
    assert told[1] == TOLD[1]
    assert "in a column called check of items.csv (--items)" in told[2]
    assert len(told) == 3  # a folder may hold any other file


def test_the_api_tells_the_same() -> None:
    script = Script(a_researcher())
    study = a_study_of_words(owner=script.token.user)
    form = {
        "file": SimpleUploadedFile("items.csv", SOUNDS.encode()),
        "pictures": [SimpleUploadedFile("snd0.wav", b"RIFF")],
    }
    body = encode_multipart(BOUNDARY, form)
    answer = script.ask("POST", f"studies/{study.slug}/items/import/", body, content_type=MULTIPART_CONTENT)
    assert answer.status_code == 201, answer.content
    told = answer.json()["unused"]
    assert [sentence.partition(".")[0] for sentence in told] == [sentence.partition(".")[0] for sentence in TOLD]
    answer = script.post(f"studies/{study.slug}/items/", {"items": [{"item_id": "z", "word": "sun"}]})
    assert answer.json()["unused"] == []


def test_a_large_import_tells_it_when_it_is_done() -> None:
    script = Script(a_researcher())
    study = a_study_of_words(owner=script.token.user)
    rows = [f"n{number},w{number},x" for number in range(2_500)]
    content = "\n".join(["item_id,word,colour", *rows]).encode()
    answer = script.ask("POST", f"studies/{study.slug}/items/import/", content, content_type="text/csv")
    run_next()
    done = script.get(answer.headers["Location"]).json()
    assert done["result"] == {
        "items": 2_500,
        "unused": ["Columns that no question shows: colour. They stay with the items, and break scores down."],
    }
    client = Client()
    client.force_login(script.token.user)
    page = client.get(reverse("admin:annotation_study_import_job", args=[study.pk, done["id"]])).content.decode()
    assert "Columns that no question shows: colour." in page


def test_judgments_that_come_in_say_as_what_they_were_read(tmp_path: Path) -> None:
    study = a_small_study(items=2)
    ids = list(study.items.values_list("item_id", flat=True))
    rows = [f"{who},{item},{40 + k},x" for k, who in enumerate(("ann", "bob")) for item in ids]
    (tmp_path / "j.csv").write_text("\n".join(["participant,stimulus,rating,mood", *rows]) + "\n")
    said = io.StringIO()
    call_command("import_judgments", study.slug, tmp_path / "j.csv", stdout=said)
    lines = said.getvalue().splitlines()
    assert lines[0] == (
        "read as: one row per judgment (worker: participant, item: stimulus, answer: rating), 2 workers, 2 items,"
        " 4 judgments"
    )
    assert lines[1].startswith("Columns that nothing uses: mood")
    said = io.StringIO()
    call_command("import_judgments", study.slug, tmp_path / "j.csv", "--json", stdout=said)
    assert json.loads(said.getvalue())["there_already"] == 4
