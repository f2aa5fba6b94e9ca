"""report.html as a co-author gets it: on a phone, on a desk, in the dark, on paper."""

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from axe_core_python.sync_playwright import Axe
from django.core.management import call_command
from playwright.sync_api import Browser

from tests.browser.test_access import LOOKS
from tests.integration.agreement.analyse_file.command import write_rows

pytestmark = pytest.mark.browser
MOST_PAGES = 4
WORDS = ("apple", "fig", "olive", "cherry tomato", "a very long name of a fruit that nobody has ever heard of", "plum")
Crowd = Callable[[Path], list[str]]


def with_checks_and_models(folder: Path, careless: int = 3) -> list[str]:
    """Twelve people, of whom the first fail their checks, and three models."""
    rows = [
        f"w{w},i{i},{(17 * i + 5 * w * (w < careless) + 3 * ((w + i) % 4)) % 101},{word},,,"
        for w in range(12)
        for i, word in enumerate(WORDS)
    ]
    rows += [f"w{w},self-{k},{30 if w < careless else 97},an apple,check,self,90" for w in range(12) for k in range(3)]
    header = "worker_id,item_id,value,word,kind,check,min"
    judgments = write_rows(folder / "judgments.csv", header, rows)
    models = [
        write_rows(folder / f"{name}.csv", "item_id,score", [f"i{i},{(17 * i + shift * i) % 101}" for i in range(6)])
        for shift, name in enumerate(("large <b>", "small_model", "a-model-of-a-family-with-a-very-long-name-indeed"))
    ]
    return [str(judgments), "--probe", *map(str, models)]


def with_many_labels_and_models(folder: Path) -> list[str]:
    labels = [f"a rather long label number {k}" for k in range(40)]
    rows = [f"w{w},i{i},{labels[(7 * i + w % 3) % 40]}" for w in range(9) for i in range(30)]
    output = [f"i{i},{labels[(7 * i + i % 5) % 40]},1" for i in range(30)]
    models = [write_rows(folder / f"model {k}.csv", "item_id,label,probability", output) for k in range(20)]
    options = ["--labels", "|".join(labels), "--kind", "choice", "--probe", *map(str, models)]
    return [str(write_rows(folder / "judgments.csv", "worker_id,item_id,value", rows)), *options]


def of_one_person(folder: Path) -> list[str]:
    rows = [f"w0,i{i},{7 * i},{word}" for i, word in enumerate(WORDS)]
    return [str(write_rows(folder / "judgments.csv", "worker_id,item_id,value,word", rows)), "--kind", "slider"]


def of_nobody(folder: Path) -> list[str]:
    return with_checks_and_models(folder, careless=12)[:1]


def of_texts(folder: Path) -> list[str]:
    rows = [f"w{w},i{i},it is {'very ' * (w % 3)}{word}" for w in range(5) for i, word in enumerate(WORDS)]
    return [str(write_rows(folder / "judgments.csv", "worker_id,item_id,value", rows)), "--kind", "text"]


@pytest.mark.parametrize(
    "crowd", [with_checks_and_models, with_many_labels_and_models, of_one_person, of_nobody, of_texts]
)
def test_report_is_one_page_to_send(crowd: Crowd, tmp_path: Path, browser: Browser) -> None:
    options = ["--out", str(tmp_path / "out"), "--replicates", "20"]
    with contextlib.suppress(SystemExit):  # where nobody is kept
        call_command("analyse_file", *crowd(tmp_path), *options, stdout=io.StringIO(), stderr=io.StringIO())
    address = (tmp_path / "out" / "report.html").as_uri()
    for viewport, scheme in LOOKS:
        page = browser.new_page(viewport=viewport, color_scheme=scheme)
        page.goto(address)
        for is_open in (False, True):
            page.evaluate("open => document.querySelectorAll('details').forEach(one => one.open = open)", is_open)
            found = Axe().run(page)["violations"]
            assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        cards = page.locator(".cards")
        assert cards.evaluate_all("all => all.every(one => one.scrollWidth <= one.clientWidth + 1)")
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = false)")
        with pikepdf.open(io.BytesIO(page.pdf(prefer_css_page_size=True))) as printed:
            assert len(printed.pages) <= MOST_PAGES
        page.close()


def test_a_link_of_the_contents_opens_its_part_without_a_script(tmp_path: Path, browser: Browser) -> None:
    options = ["--out", str(tmp_path / "out"), "--replicates", "20"]
    call_command("analyse_file", *with_checks_and_models(tmp_path), *options, stdout=io.StringIO())
    page = browser.new_page(java_script_enabled=False)
    page.goto((tmp_path / "out" / "report.html").as_uri())
    assert not page.get_by_role("heading", name="How this was made").locator("xpath=../../div").is_visible()
    page.get_by_role("link", name="How this was made").click()
    assert page.get_by_text("replicates, rule set own-bounds").is_visible()
    page.close()
