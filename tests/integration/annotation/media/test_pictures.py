"""Pictures on their way in: with a file of items, through the admin and the commands, to the page that shows them."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Blob, Item, Study
from tests.integration.researchers import an_owned_study
from tests.unit.annotation.media.test_pictures import drawn

pytestmark = pytest.mark.django_db
ITEMS = "item_id,image,alternative_text,shape\na,red.png,a shape,square\nb,,,circle\nc,red.png,a shape,square\n"


def folder_with(tmp_path: Path, items: str = ITEMS) -> Path:
    (tmp_path / "red.png").write_bytes(drawn())
    (tmp_path / "items.csv").write_text(items)
    return tmp_path / "items.csv"


def test_create_study_takes_the_pictures_beside_the_file(tmp_path: Path, client: Client) -> None:
    call_command("create_study", "say", preset="captions", items=folder_with(tmp_path), stdout=io.StringIO())
    items = Study.objects.get(slug="say").items.filter(kind=Item.Kind.TARGET).order_by("position")
    blob = Blob.objects.get(sha256=items[0].image_id)
    assert [item.image_id for item in items] == [blob.sha256, None, blob.sha256]
    assert items[0].fields == {"image": "red.png", "alternative_text": "a shape", "shape": "square"}
    shown = client.get(reverse("annotation:picture", kwargs={"sha256": blob.sha256}))
    assert (shown.status_code, shown.headers["Content-Type"]) == (200, "image/png")


def test_import_items_takes_pictures_from_the_folder_that_is_named(tmp_path: Path) -> None:
    call_command("create_study", "say", preset="captions", stdout=io.StringIO())
    items = folder_with(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "red.png").rename(tmp_path / "elsewhere" / "red.png")
    call_command("import_items", "say", items, images=tmp_path / "elsewhere", stdout=io.StringIO())
    assert Item.objects.filter(item_id__in=["a", "b", "c"]).exclude(image=None).count() == 2


def test_every_bad_picture_is_named_and_nothing_comes_in(tmp_path: Path) -> None:
    items = folder_with(tmp_path, "item_id,image\na,red.png\nb,gone.png\nc,broken.png\nd,gone.png\ne,../red.png\n")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG nothing more")
    errors = io.StringIO()
    with pytest.raises((SystemExit, CommandError)):
        call_command("create_study", "say", preset="captions", items=items, stdout=io.StringIO(), stderr=errors)
    told = errors.getvalue()
    assert "row 3, column image: 'gone.png' is not among the pictures that came with the file" in told
    assert "row 4, column image: 'broken.png' can't be read as a PNG, JPEG, WebP or GIF picture" in told
    assert "row 5, column image: 'gone.png'" in told
    assert "row 6, column image: '../red.png' is not among" in told
    assert not Study.objects.exists()
    assert not Blob.objects.exists()


def imported(client: Client, study: Study, items: str, *pictures: SimpleUploadedFile) -> Any:
    data = {"file": SimpleUploadedFile("items.csv", items.encode()), "pictures": list(pictures)}
    return client.post(reverse("admin:annotation_study_import_items", args=[study.pk]), data, follow=True)


def test_researcher_imports_items_with_pictures_and_sees_them() -> None:
    study, client = an_owned_study()
    header, row = "item_id,left,right,image\n", "p,on,above,red.png\n"
    page = imported(client, study, header + row, SimpleUploadedFile("red.png", drawn()))
    assert "1 item was imported into" in page.content.decode()
    item = study.items.get(item_id="p")
    assert item.image_id == Blob.objects.get().sha256
    shown = client.get(reverse("admin:annotation_item_change", args=[item.pk])).content.decode()
    assert reverse("annotation:picture", kwargs={"sha256": item.image_id}) in shown


def test_missing_picture_is_told_on_the_page() -> None:
    study, client = an_owned_study()
    page = imported(client, study, "item_id,left,right,image\np,on,above,red.png\n")
    assert page.status_code == 422
    assert "&#x27;red.png&#x27; is not among the pictures that came with the file" in page.content.decode()
    assert not study.items.filter(item_id="p").exists()
