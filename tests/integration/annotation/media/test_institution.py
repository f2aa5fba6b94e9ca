"""An institution's name and logo: where they are shown, and which files are refused."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from agreement.errors import Refused
from annotation.entry.links import make_open_link
from annotation.media.institution import logo, read_logo
from config.serving import require_serving_settings
from tests.factories import a_study
from tests.integration.researchers import an_owned_study

pytestmark = pytest.mark.django_db
NAME = "University of Example"


@pytest.fixture
def logo_file(tmp_path: Path, settings: Any) -> Path:
    file = tmp_path / "logo.png"
    Image.new("RGB", (900, 300), "#1d5c86").save(file)
    settings.INSTITUTION, settings.INSTITUTION_LOGO = NAME, str(file)
    return file


def landing(client: Client) -> str:
    link = make_open_link(study=a_study(), capacity=None)
    return client.get(reverse("annotation:join", args=[link.token])).content.decode()


@pytest.mark.usefixtures("logo_file")
def test_name_and_logo_stand_on_the_first_page_and_on_researchers_pages(client: Client) -> None:
    shown = logo()
    assert shown is not None
    assert (shown.width, shown.height) == (120, 40)
    _study, researcher = an_owned_study()
    for page in (landing(client), researcher.get(reverse("admin:index")).content.decode()):
        assert NAME in page
        assert f'<img src="{shown.address}" width="120" height="40" alt="">' in page


@pytest.mark.usefixtures("logo_file")
def test_logo_is_served_encoded_again_and_nothing_else_is(client: Client) -> None:
    shown = logo()
    assert shown is not None
    answer = client.get(shown.address)
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.content == shown.content
    assert client.get(reverse("institution_logo", args=["0" * 64])).status_code == 404


def test_site_without_an_institution_shows_none(client: Client) -> None:
    assert "/institution/" not in landing(client)


def test_svg_or_a_missing_file_is_refused_before_anything_is_served(tmp_path: Path, settings: Any) -> None:
    drawing = tmp_path / "logo.svg"
    drawing.write_text('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
    with pytest.raises(Refused, match=r"can't be read as a PNG, JPEG, WebP or GIF picture\. Save it as a PNG"):
        read_logo(str(drawing))
    with pytest.raises(Refused, match="can't be read: No such file"):
        read_logo(str(tmp_path / "none.png"))
    settings.INSTITUTION_LOGO = str(drawing)
    with pytest.raises(SystemExit, match="Touchstone does not start: TOUCHSTONE_INSTITUTION_LOGO names"):
        require_serving_settings()
