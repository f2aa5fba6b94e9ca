"""The script that draws figures on pages comes with an installed library, is written once and is a static file."""

from typing import Any

from django.contrib.staticfiles import finders
from django.test import Client

from annotation.web import vega_script


def test_it_is_written_once_and_found() -> None:
    file = vega_script.written_script()
    before = file.stat().st_mtime_ns
    assert vega_script.written_script() == file
    assert file.stat().st_mtime_ns == before
    assert finders.find(vega_script.NAME) == str(file)
    assert [name for name, _ in finders.get_finder("annotation.web.vega_script.VegaScript").list(None)] == [
        vega_script.NAME
    ]
    assert finders.find("desk/another.js") is None


def test_a_page_can_load_it_without_a_network() -> None:
    answer: Any = Client().get(f"/static/{vega_script.NAME}")
    script = b"".join(answer.streaming_content)
    assert answer["Content-Type"].startswith("text/javascript")
    assert b"window.vegaEmbed=" in script
    assert b"sourceMappingURL" not in script
