"""Large and hostile texts in the blocks of a stimulus: inert, whole, and cheap to show."""

import json
from unittest.mock import patch

import pytest
from django.test import Client

from agreement.errors import Refused
from agreement.stimuli.filling import read_chat, read_table
from annotation.answering import formatting
from annotation.answering.stimulus import stimulus_of
from annotation.models import Item
from tests.integration.annotation.answering.views.people import a_study_of, begin

pytestmark = pytest.mark.django_db
NEW_TAB = 'target="_blank" rel="noopener noreferrer"'


def markdown_of(template: str, **fields: str) -> str:
    blocks = {"version": 1, "blocks": [{"block": "markdown", "text": template}]}
    study = a_study_of("slider", stimulus=blocks, items=[{"item_id": "one", "fields": {"thing": "x", **fields}}])
    return str(stimulus_of(study, Item.objects.get(study=study), {}).blocks[0].html).strip()


@pytest.mark.parametrize("text", ["*_" * 50_000, "[(" * 50_000, "It rains, and (so) on.\n" * 4_500, "\n- " * 33_000])
def test_markdown_parses_its_template_alone_however_long_an_item_is(text: str) -> None:
    parsed: list[int] = []
    parse = formatting.MARKDOWN.parse

    def parse_and_note(source: str) -> object:
        parsed.append(len(source))
        return parse(source)

    with patch.object(formatting.MARKDOWN, "parse", parse_and_note):
        html = markdown_of("# Context\n\n{text}", text=text)
    assert max(parsed) < 100
    assert len(html) >= len(text.strip())


@pytest.mark.parametrize(
    ("template", "field", "html"),
    [
        ("**{text}**", "<b>*a* & b", "<p><strong>&lt;b&gt;*a* &amp; b</strong></p>"),
        ("{text}", "# a\n- b", "<p># a<br>\n- b</p>"),
        ("- {text}\n- c", "1. a", "<ul>\n<li>1. a</li>\n<li>c</li>\n</ul>"),
        ("[x]({text})", "https://example.org/a_b", f'<p><a href="https://example.org/a_b" {NEW_TAB}>x</a></p>'),
        ("[x]({text})", "javascript:alert(1)", "<p>x</p>"),
        (
            '[x](https://example.org "{text}")',
            '" onclick="a',
            f'<p><a href="https://example.org" title="&quot; onclick=&quot;a" {NEW_TAB}>x</a></p>',
        ),
        ("{text}", "\ue0000\ue001 {text}", "<p>\ue0000\ue001 {text}</p>"),
    ],
)
def test_a_field_stays_text_wherever_it_stands_in_markdown(template: str, field: str, html: str) -> None:
    assert markdown_of(template, text=field) == html


@pytest.mark.parametrize(
    ("read", "cell"), [(read_table, '[["\\ud800"]]'), (read_chat, '[{"role": "\\udfff", "content": "x"}]')]
)
def test_half_a_character_is_refused(read: object, cell: str) -> None:
    with pytest.raises(Refused, match="half of a character"):
        read(cell)  # type: ignore[operator]


def test_page_of_an_item_with_half_a_character_is_shown(client: Client) -> None:
    """Stored before it was refused."""
    blocks = {"version": 1, "blocks": [{"block": "chat", "field": "turns"}]}
    turns = [json.dumps([{"role": "user", "content": text}]) for text in ("x", "\ud800")]
    items = [{"item_id": "one", "fields": {"thing": "x", "turns": turns[0]}}]
    study = a_study_of("slider", stimulus=blocks, items=items)
    Item.objects.filter(study=study).update(fields={"thing": "x", "turns": turns[1]})
    assert client.get(begin(client, study)).status_code == 200
