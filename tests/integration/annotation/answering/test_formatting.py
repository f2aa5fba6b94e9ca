"""Consent and instructions in Markdown: what is formatted, what stays text, and what nobody can smuggle in."""

import html
import re
from html.parser import HTMLParser

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.html import linebreaks

from annotation.answering.formatting import text_as_html, unknown_pictures
from annotation.models import Blob, Item, Study
from annotation.studies import presets
from tests.integration.annotation.answering.views.people import a_picture, a_study_of

pytestmark = pytest.mark.django_db
HARMLESS = {"p", "br", "strong", "em", "ul", "ol", "li", "a", "img", "h2", "h3", "h4", "h5", "h6"}
ATTRIBUTES = {"href", "target", "rel", "src", "alt", "title", "start"}


class Seen(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def as_one_line(text: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r">\s+", ">", re.sub(r"\s+<", "<", text)))).strip()


@pytest.fixture
def study() -> Study:
    return a_study_of("slider")


def with_picture(study: Study, item_id: str) -> Blob:
    picture = a_picture()
    Item.objects.create(study=study, item_id=item_id, position=90, image=picture, fields={"thing": "x"})
    return picture


@pytest.mark.parametrize("name", presets.names())
def test_plain_text_looks_as_before_in_every_preset(study: Study, name: str) -> None:
    texts = presets.load(name).study
    for text in (texts.get("consent", ""), texts.get("instructions", "")):
        assert as_one_line(text_as_html(text, study)) == as_one_line(linebreaks(text.strip()))


@pytest.mark.parametrize(
    "text",
    [
        "One.\n\nTwo,\nand more.\n\n\n\nThree.",
        "5 < 6 & 7 > 2, <b>not bold</b>, &amp; &copy; 2 * 3 * 4, snake_case_word",
        "    indented\n\n> quoted\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n\nTitle\n-----\n\n***",
        "Write to lab@example.org or https://example.org.",
        "Windows\r\nline\r\n\r\nends",
    ],
)
def test_text_without_marks_of_formatting_stays_as_typed(study: Study, text: str) -> None:
    assert as_one_line(text_as_html(text, study)) == as_one_line(linebreaks(text, autoescape=True))


def test_headings_lists_emphasis_and_links_are_formatted(study: Study) -> None:
    out = text_as_html("# Scale\n\n- left: *not* alike\n- right: **alike**\n\n1. Read\n2. Answer\n", study)
    assert "<h2>Scale</h2>" in out
    assert "<li>left: <em>not</em> alike</li>" in out
    assert "<strong>alike</strong>" in out
    assert "<ol>" in out
    link = text_as_html("[our page](https://lab.example.org/a?b=1&c=2)", study)
    assert 'href="https://lab.example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer"' in link


def test_picture_of_an_item_is_shown_and_any_other_is_its_description(study: Study) -> None:
    picture = with_picture(study, "a fern/1 ä")
    with_picture(a_study_of("slider"), "elsewhere")
    text = "![A fern](<a fern/1 ä>)\n\n![Not ours](elsewhere) ![far](https://evil.example/x.png) ![none](brick)"
    out = text_as_html(text, study)
    assert f'<img src="/picture/{picture.sha256}" alt="A fern">' in out
    assert out.count("<img") == 1
    assert "<p>Not ours far none</p>" in out
    assert unknown_pictures(text, study) == ["elsewhere", "https://evil.example/x.png", "brick"]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        "<!-- --><svg onload=alert(1)>",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java&#115;cript:alert(1))",
        "[x](&#x6A;avascript:alert(1))",
        "[x](<java\tscript:alert(1)>)",
        "[x](\\javascript:alert(1))",
        "[x](vbscript:msgbox(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](//evil.example/)",
        "[x](/admin/logout/)",
        "[x](file:///etc/passwd)",
        "![x](data:image/svg+xml;base64,PHN2Zz4=)",
        "![x](javascript:alert(1))",
        '![x" onerror="alert(1)](fern)',
        '![x](fern "t\\" onerror=\\"alert(1)")',
        '[x](https://a.example/"onmouseover="alert(1))',
        '[x](https://a.example "t\\" onclick=\\"alert(1)")',
        "[![x](javascript:alert(1))](javascript:alert(2))",
        "![a [b](javascript:alert(1)) ![c](data:x)](fern)",
        "*<b onclick=alert(1)>*",
        "# <iframe src=https://evil.example>",
        "- <style>*{display:none}</style>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<https://evil.example> <javascript:alert(1)>",
        "[x]: javascript:alert(1)\n\n[x]",
        "{% load x %}{{ study.owner }}",
    ],
)
def test_hostile_text_stays_text(study: Study, text: str) -> None:
    Item.objects.filter(study=study, item_id="fern").update(image=a_picture())
    for tag, attributes in Seen(text_as_html(text, study)).tags:
        assert tag in HARMLESS
        assert set(attributes) <= ATTRIBUTES
        assert (attributes.get("href") or "https://a.example").startswith("https://a.example")
        assert (attributes.get("src") or "/picture/").startswith("/picture/")


def test_text_without_pictures_asks_the_database_nothing(study: Study) -> None:
    with CaptureQueriesContext(connection) as queries:
        text_as_html("Plain *text*.", study)
    assert len(queries) == 0


def test_deeply_nested_text_ends(study: Study) -> None:
    assert text_as_html("- " * 3000 + "x" + "*" * 3000 + "[" * 3000 + "](" * 3000, study)
