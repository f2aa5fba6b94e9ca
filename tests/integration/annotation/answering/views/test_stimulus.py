"""What an item shows beside its question: every kind of block, as the page has it, and nothing that runs."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.test import Client

from agreement.simulation.visiting import Page
from annotation.models import Study
from annotation.simulating.crowds import simulate
from annotation.studies.completeness import what_is_missing
from annotation.studies.study_life import duplicate_study
from tests.factories import a_person
from tests.integration.annotation.answering.views.people import a_study_of, begin, save

pytestmark = pytest.mark.django_db
HOSTILE = (
    "</p></pre><script>alert(1)</script><img src=x onerror=alert(1)>[a](javascript:alert(1)) ![b](x) &lt;i&gt; *c* `d`"
)
CHAT = [{"role": HOSTILE, "content": HOSTILE}, {"role": "assistant", "content": "One line.\nAnother."}]
TABLE = [{HOSTILE: HOSTILE, "km": 12.5}]
FIELDS = {"text": HOSTILE, "chat": json.dumps(CHAT), "table": json.dumps(TABLE), "broken": HOSTILE}
BLOCKS: list[dict[str, object]] = [
    {"block": "text", "text": "{text}", "title": "{text}"},
    {"block": "markdown", "text": "## Context\n\n**{text}**\n\n- {text}\n\n[link]({text})"},
    {"block": "mono", "text": "{text}"},
    {"block": "table", "field": "table", "title": "{text}"},
    {"block": "chat", "field": "chat", "title": "{text}"},
    {"block": "chat", "field": "broken"},
    {"block": "row", "blocks": [{"block": "text", "text": "{text}"}, {"block": "mono", "text": "{text}"}]},
]


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def stored(blocks: list[dict[str, object]]) -> dict[str, object]:
    return {"version": 1, "blocks": blocks}


def a_study_with(blocks: list[dict[str, object]], fields: dict[str, str], items: int = 2, **changes: Any) -> Study:
    return a_study_of(
        "choice",
        items=[{"item_id": f"i{number}", "fields": {"n": str(number), **fields}} for number in range(items)],
        **{"stimulus": stored(blocks), "question": "Is it so?", **changes},
    )


def stimuli_of(page: str) -> Iterator[str]:
    for part in page.split('<section class="stimulus"')[1:]:
        yield part.partition("</section>")[0]


def test_hostile_content_stays_text_in_every_block(client: Client) -> None:
    page = client.get(begin(client, a_study_with(BLOCKS[:5] + BLOCKS[6:], FIELDS)))
    plain = client.get(begin(client, a_study_of("choice")))
    assert page["Content-Security-Policy"] == plain["Content-Security-Policy"]
    (shown, *_others) = stimuli_of(page.text)
    tags = Tags(shown)
    assert not {"script", "img", "i", "iframe"} & {tag for tag, _attributes in tags.tags}
    assert not [name for _tag, attributes in tags.tags for name in attributes if name.startswith("on")]
    assert [attributes["href"] for tag, attributes in tags.tags if tag == "a"] == ["#i1"]  # past the stimulus
    assert tags.text.count("<script>alert(1)</script>") == 14
    assert tags.text.count("*c* `d`") == 14


def test_a_cell_that_is_no_chat_is_shown_as_it_stands(client: Client) -> None:
    """Where a block was added after the items had come in."""
    study = a_study_with([], FIELDS)
    Study.objects.filter(pk=study.pk).update(stimulus=stored(BLOCKS[5:6]))
    page = client.get(begin(client, study)).text
    (shown, *_others) = stimuli_of(page)
    assert "<pre" in shown
    assert "<script" not in shown
    assert [reason for reason in what_is_missing(study) if "broken" in reason] == []
    study.refresh_from_db()
    (reason,) = what_is_missing(study)
    assert "column broken. In 2 items (i0 is the first) the chat is no JSON (character 1): correct the stim" in reason


def test_line_breaks_roles_and_cells_are_shown(client: Client) -> None:
    blocks: list[dict[str, object]] = [
        {"block": "text", "title": "Premise", "text": "{premise}"},
        {"block": "chat", "field": "chat"},
        {"block": "table", "field": "table"},
    ]
    chat = json.dumps([{"role": "user", "content": "مرحبا"}, {"role": "bot", "content": "∑ x² ≤ ½"}])
    page = client.get(
        begin(client, a_study_with(blocks, {"premise": "One.\nTwo.", "chat": chat, "table": '[["a", 1]]'}))
    )
    assert '<p class="lines" dir="auto">One.\nTwo.</p>' in page.text
    assert "<bdi>Premise</bdi>" in page.text
    assert '<p class="lines" dir="auto">مرحبا</p>' in page.text
    assert "<bdi>bot</bdi>" in page.text
    assert '<td dir="auto">1</td>' in page.text
    assert "pages/stimulus.css" in page.text
    assert "pages/stimulus.css" not in client.get(begin(client, a_study_of("choice"))).text


def test_a_field_of_the_question_is_emphasised_only_where_it_is_a_phrase(client: Client) -> None:
    study = a_study_with([], {"word": "fern", "premise": "One.\nTwo."}, question="{word}: {premise}\nIs it so?")
    page = client.get(begin(client, study)).text
    assert '<bdi class="field">fern</bdi>: <bdi>One.\nTwo.</bdi>\nIs it so?' in page


def test_words_in_either_order_are_swapped_in_the_stimulus_too(client: Client) -> None:
    blocks: list[dict[str, object]] = [{"block": "text", "text": "A: {left} B: {right}"}]
    study = a_study_with(blocks, {"left": "one", "right": "two"}, word_order="counterbalanced")
    texts = [client.get(begin(client, study)).text for _ in range(4)]
    assert {"A: one B: two" in text for text in texts} == {True, False}
    assert all(("A: one B: two" in text) != ("A: two B: one" in text) for text in texts)
    assert not any('class="pair' in text for text in texts)


def test_a_long_stimulus_has_a_way_to_its_question(client: Client) -> None:
    turns = json.dumps([{"role": "ab"[number % 2], "content": f"Turn {number}"} for number in range(200)])
    blocks: list[dict[str, object]] = [{"block": "text", "text": "{text}"}, {"block": "chat", "field": "chat"}]
    page = client.get(begin(client, a_study_with(blocks, {"text": "word " * 20_000, "chat": turns}, items=1)))
    assert '<a href="#i1">' in page.text
    assert page.text.count("<li ") == 200
    short = client.get(begin(client, a_study_with(blocks[:1], {"text": "word"}))).text
    assert '<a href="#i1">' not in short


def test_what_was_shown_cannot_change_once_somebody_has_answered(client: Client) -> None:
    study = a_study_with(BLOCKS[:1], FIELDS)
    Study.objects.filter(pk=study.pk).update(stimulus=stored(BLOCKS[2:3]))
    assert save(client, begin(client, study), label="red").status_code == 200
    with pytest.raises(DatabaseError, match="has been judged"), transaction.atomic():
        Study.objects.filter(pk=study.pk).update(stimulus={})
    Study.objects.filter(pk=study.pk).update(title="Another title")


def test_a_copy_shows_the_same() -> None:
    study = a_study_with(BLOCKS[:5], FIELDS)
    assert duplicate_study(study=study, slug="copy", title="Copy", by=None).blocks == study.blocks


def test_simulated_people_tell_items_apart_by_what_their_blocks_show(client: Client) -> None:
    blocks: list[dict[str, object]] = [*BLOCKS[:5], {"block": "text", "text": "{n}"}]
    study = a_study_with(blocks, FIELDS)
    page = Page(client.get(begin(client, study)).text)
    assert len({question.shown for question in page.questions}) == 2
    assert simulate(study=study, workers=1, seed=1).answers == 2
    assert a_person(study).study_id == study.pk


def test_pages_that_travel_ahead_are_not_too_long_together(client: Client) -> None:
    blocks: list[dict[str, object]] = [{"block": "text", "text": "{text}"}]
    page = client.get(begin(client, a_study_with(blocks, {"text": "word " * 20_000}, items=10))).text
    assert page.count("data-page=") == 4
    assert len(page) < 1_000_000
    short = client.get(begin(client, a_study_with(blocks, {"text": "word"}, items=10))).text
    assert short.count("data-page=") == 9
