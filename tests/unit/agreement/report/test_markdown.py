"""Names that hold markup come out of a Markdown parser as the text that they are, and ordinary ones as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agreement.report.markdown import (
    CONTROL,
    markdown_cell,
    markdown_document,
    markdown_lines,
    markdown_text,
    plain_text,
)
from agreement.report.paper_table import PaperTable

PARSER = MarkdownIt("gfm-like", {"linkify": False})
HOSTILE = [
    "<img src=x onerror=alert(9)>",
    "<!-- a comment",
    "</td><script>alert(1)</script>",
    "<https://example.org>",
    "[x](javascript:alert(1))",
    "![x](https://example.org/a.png)",
    "[x]: javascript:alert(1)",
    "a\\<b>c",
    "a|b",
    "a\\|b",
    "`code` ``code``",
    "*a* **b** _c_ __d__ ~~e~~",
    "&lt;b&gt; &#60; &copy;",
    "$\\input{a}$",
    "ends with \\",
    "_a_b_",
    "*",
]
ORDINARY = [
    "item_12", "a__b", "p < .001", "<.001", "R&D", "-.30 (.10 to .50)", "Krippendorff's alpha, interval",
    "https://example.org/a_b?c=1&d=2", "a - b + c = d!", "#3", "50 % of $5", "naïve 项目", "1.5", "a > b",
]  # fmt: skip
AT_THE_START = ["# a", "> a", "+ a", "1. a", "2) a", "---", "===", "```", "~~~", "    a", "***", "a\n===", "a\n---"]


def kinds_and_text(markdown: str) -> tuple[set[str], str]:
    """The kinds of marks that a parser sees, and the text that a reader sees."""
    kinds, texts = set(), []
    for token in PARSER.parse(markdown):
        kinds.add(token.type)
        for child in token.children or []:
            kinds.add(child.type)
            texts.append("\n" if child.type == "softbreak" else child.content)
    return kinds, "".join(texts)


@pytest.mark.parametrize("text", [*HOSTILE, *ORDINARY])
def test_a_text_in_a_paragraph_and_a_cell_reads_as_it_is(text: str) -> None:
    kinds, seen = kinds_and_text(f"Of {markdown_text(text)}, ten.")
    assert seen == f"Of {text}, ten."
    assert kinds <= {"paragraph_open", "inline", "text", "paragraph_close", "text_special"}
    kinds, seen = kinds_and_text(PaperTable("x", text, (text, "b"), [(text, "c")]).markdown())
    assert seen == f"{text}b{text}c{text}"
    assert not kinds & {"html_inline", "html_block", "link_open", "image", "em_open", "strong_open", "code_inline"}


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_names_are_written_as_they_are(text: str) -> None:
    assert markdown_text(text) == markdown_cell(text) == markdown_lines(text) == text


@pytest.mark.parametrize("text", [*AT_THE_START, *HOSTILE])
def test_no_line_begins_a_block(text: str) -> None:
    kinds, seen = kinds_and_text(markdown_lines(text))
    assert kinds <= {"paragraph_open", "inline", "text", "paragraph_close", "text_special", "softbreak"}
    assert seen == text.strip()


def test_a_list_stays_a_list_and_a_heading_a_heading() -> None:
    document = markdown_document("# Methods: <b>x_1</b>\n\nTen people came.\n\n- kappa: .4\n- # alpha: .5\n")
    assert document == "# Methods: &lt;b>x_1&lt;/b>\n\nTen people came.\n\n- kappa: .4\n- \\# alpha: .5\n"


@pytest.mark.parametrize("text", [*HOSTILE, *ORDINARY])
def test_plain_text_comes_back(text: str) -> None:
    document = f"# Methods: {text}\n\nOf {text}, ten.\n"
    assert plain_text(markdown_document(document)) == document


@given(st.text())
def test_any_text_reads_as_it_is(text: str) -> None:
    plain = CONTROL.sub(" ", text)
    kinds, seen = kinds_and_text(f"x{markdown_text(text)}x")
    assert seen == f"x{plain}x".replace("\x00", "\ufffd")
    assert kinds <= {"paragraph_open", "inline", "text", "paragraph_close", "text_special"}
