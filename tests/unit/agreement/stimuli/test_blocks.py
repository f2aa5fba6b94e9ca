"""Blocks of a stimulus: read with every bad one named by its place, stored, and filled with what items bring."""

import json
from pathlib import Path

import pytest

from agreement.errors import Refused
from agreement.files.items_file import parse_items, read_items_table
from agreement.files.problems import Problems
from agreement.stimuli.blocks import (
    KINDS,
    Block,
    as_plain,
    as_stored,
    blocks_of,
    columns_of,
    every_block,
    fields_of,
    media_fields,
    read_blocks,
)
from agreement.stimuli.filling import filled, lacking_fields, read_chat, read_table, refuse_unfit_items

ONE_OF_EACH: list[dict[str, object]] = [
    {"block": "text", "text": "{premise} {note?}", "title": "Premise"},
    {"block": "markdown", "text": "# {premise}"},
    {"block": "mono", "text": "{code}"},
    {"block": "table", "field": "table"},
    {"block": "chat", "field": "chat"},
    {
        "block": "row",
        "blocks": [
            {"block": "image", "field": "left", "alternative": "left_says"},
            {"block": "image", "field": "right?"},
        ],
    },
    {"block": "audio", "field": "clip", "transcript": "said", "must_play": True},
    {"block": "video", "field": "film"},
]


def test_every_kind_of_block_is_read_and_stored_as_it_came() -> None:
    blocks = read_blocks(ONE_OF_EACH)
    assert {block.block for block in (*blocks, *every_block(blocks))} == set(KINDS)
    assert as_plain(blocks) == ONE_OF_EACH
    assert blocks_of(json.loads(json.dumps(as_stored(blocks)))) == blocks
    assert as_stored(()) == {}
    assert blocks_of({}) == ()


def test_columns_that_blocks_show() -> None:
    blocks = read_blocks(ONE_OF_EACH)
    assert fields_of(blocks) == ["premise", "code", "table", "chat", "left", "clip", "film"]
    assert set(columns_of(blocks)) - set(fields_of(blocks)) == {"note", "left_says", "right", "said"}
    assert media_fields(blocks) == {"left": "image", "right": "image", "clip": "audio", "film": "video"}


@pytest.mark.parametrize(
    ("blocks", "reason"),
    [
        ("{premise}", "stimulus: give a list of blocks."),
        ([{"block": "picture", "field": "a"}], "stimulus, block 1: give its kind as “block”"),
        (["text"], "stimulus, block 1: give its kind as “block”"),
        ([{"block": ["text"]}], "stimulus, block 1: give its kind as “block”"),
        ([{"block": "text"}], "stimulus, block 1: a text needs its text."),
        ([{"block": "image", "field": " "}], "stimulus, block 1: an image needs its field."),
        ([{"block": "text", "text": 5}], "stimulus, block 1, text: give a text."),
        ([{"block": "text", "text": "a", "colour": "red"}], "stimulus, block 1: it has no colour; a block may have"),
        ([{"block": "text", "text": "a", "field": "b"}], "stimulus, block 1: a text takes no field."),
        ([{"block": "audio", "field": "a", "must_play": "no"}], "stimulus, block 1, must_play: give true or false."),
        ([{"block": "image", "field": "{a}"}], "stimulus, block 1, field: give the name of one column"),
        ([{"block": "text", "text": "a" * 20_001}], "it has 20,001 characters; 20,000 is the most."),
        ([{"block": "text", "text": "a\x00"}], "it has a character that can't be saved."),
        ([{"block": "text", "text": "a"}] * 21, "stimulus: it has 21 blocks; 20 is the most."),
        ([{"block": "row"}], "stimulus, block 1: a row needs its blocks."),
        ([{"block": "row", "blocks": [{"block": "row"}]}], "stimulus, block 1, block 1: a row stands in no row."),
        ([{"block": "row", "blocks": [{"block": "mono"}]}], "stimulus, block 1, block 1: a mono needs its text."),
        (
            [{"block": "image", "field": "a"}, {"block": "audio", "field": "a"}],
            "stimulus: the column a is shown as image and as audio.",
        ),
    ],
)
def test_a_bad_block_is_named_by_its_place(blocks: object, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        read_blocks(blocks)
    assert any(reason in each for each in refused.value.reasons), refused.value.reasons


def test_a_stimulus_of_a_newer_version_is_refused() -> None:
    with pytest.raises(Refused, match="version 2 is not known"):
        blocks_of({"version": 2, "blocks": []})


def test_blocks_are_filled_and_blank_ones_left_out() -> None:
    fields = {
        "premise": "It rains.\nA lot.",
        "code": " x\n\ty",
        "left": "l.png",
        "table": '[["a", 1]]',
        "clip": "c.mp3",
    }
    blocks = filled(read_blocks(ONE_OF_EACH), fields)
    assert [block.kind for block in blocks] == ["text", "markdown", "mono", "table", "row", "audio"]
    assert (blocks[0].title, blocks[0].text) == ("Premise", "It rains.\nA lot. ")
    assert blocks[2].text == " x\n\ty"
    assert [inner.column for inner in blocks[4].blocks] == ["left"]


def test_an_items_own_question_is_no_text_of_a_block() -> None:
    (block,) = filled([Block("text", text="{premise}")], {"premise": "It rains.", "question": "Move it to the left."})
    assert block.text == "It rains."


def test_swapped_words_are_swapped_in_blocks_too() -> None:
    blocks = read_blocks(
        [
            {"block": "text", "text": "{left}"},
            {"block": "row", "blocks": [{"block": "image", "field": "left"}, {"block": "image", "field": "right"}]},
        ]
    )
    text, row = filled(blocks, {"left": "l.png", "right": "r.png"}, is_swapped=True)
    assert text.text == "r.png"
    assert [inner.column for inner in row.blocks] == ["right", "left"]


def test_a_table_shows_what_its_json_says() -> None:
    table = read_table('[{"n": 1.50, "ok": true, "none": null}, {"n": 12345678901234567890, "more": "x"}]')
    assert table.header == ("n", "ok", "none", "more")
    assert table.rows == (("1.50", "true", "", ""), ("12345678901234567890", "", "", "x"))
    assert read_table('[["a", "b"]]').header == ()


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("", "is no JSON"),
        ("[1, 2", "is no JSON (character"),
        ("[" * 100_000, "is no JSON"),
        ("{}", "is no JSON array of rows"),
        ("[]", "or an empty one"),
        ("[1]", "objects alone or arrays alone"),
        ('[{"a": 1}, [1]]', "objects alone or arrays alone"),
        ("[[]]", "has 0 columns"),
        ("[[1, 2], [1]]", "row 2 has 1 cell, and row 1 has 2"),
        ('[[1], [{"a": 1}]]', "row 2 has an array or an object"),
        (json.dumps([[1]] * 501), "has 501 rows; 500 is the most"),
        (json.dumps([[1] * 41]), "has 41 columns"),
    ],
)
def test_a_misshapen_table_is_refused_with_its_row(cell: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        read_table(cell)
    assert reason in refused.value.reasons[0]


def test_turns_of_a_chat_know_their_speakers() -> None:
    turns = [{"role": role, "content": f"turn {at}"} for at, role in enumerate(["system", "user", "bot"] * 67)][:200]
    chat = read_chat(json.dumps(turns))
    assert [turn.speaker for turn in chat[:4]] == [0, 1, 2, 0]
    assert len(chat) == 200


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ('["hello"]', "turn 1 is to have role and content"),
        ('[{"role": "a", "content": "b"}, {"role": "a"}]', "turn 2 is to have role and content"),
        ('[{"role": "a", "content": "b", "name": "c"}]', "and nothing else"),
        ('[{"role": " ", "content": "b"}]', "turn 1 has a blank role"),
        ('[{"role": "a", "content": [1]}]', "turn 1 is to have role and content"),
    ],
)
def test_a_misshapen_chat_is_refused_with_its_turn(cell: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        read_chat(cell)
    assert reason in refused.value.reasons[0]


def test_items_that_cannot_fill_a_stimulus_are_named_by_row_and_column(tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    file.write_text('item_id,premise,chat,question\na,It rains.,[],\nb, ,"[{""role"": 1}]",\nc,,,Move it.\n')
    problems = Problems(file.name)
    table = read_items_table(file, problems)
    assert table is not None
    items = parse_items(table, problems)
    assert items is not None
    blocks = read_blocks(
        [
            {"block": "text", "text": "{premise} {hypothesis}"},
            {"block": "chat", "field": "chat"},
        ]
    )
    refuse_unfit_items(items, blocks, problems)
    missing, *rows = problems
    assert missing.startswith("items.csv: the column hypothesis is missing; the stimulus shows it; the columns found")
    assert rows == [
        "items.csv, row 2, column chat: the chat is no JSON array of turns, or an empty one.",
        "items.csv, row 3, column premise: ' ' is blank, but the stimulus uses it.",
        "items.csv, row 3, column chat: the chat turn 1 is to have role and content, each a text, and nothing else.",
    ]


def test_a_stored_item_says_which_columns_it_does_not_fill() -> None:
    blocks = read_blocks([{"block": "text", "text": "{premise}"}, {"block": "table", "field": "t?"}])
    assert list(lacking_fields(blocks, {"premise": "It rains."})) == []
    assert list(lacking_fields(blocks, {"t": "x"})) == [
        ("premise", "it is blank"),
        ("t", "the table is no JSON (character 1)"),
    ]
    assert list(lacking_fields(blocks, {"question": "Move it."})) == []
