"""Plain text for Markdown files: ids, labels, names and titles read as they are, and are never markup."""

from __future__ import annotations

import re

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
UNDERSCORES = re.compile(r"(?<!\w)_+|_+(?!\w)")  # those inside a word, as in item_12, mean nothing
OF_HTML = {"<": re.compile(r"<(?=[a-zA-Z/!?])"), "&": re.compile(r"&(?=#?[a-zA-Z0-9]+;)")}
OF_MARKS = {"&lt;": "<", "&amp;": "&"}
# What makes the beginning of a line a heading, a quotation, a list or a rule.
BLOCK = re.compile(r"#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(-+|=+)(?=\s*$)|(?P<number>\d{1,9})(?=[.)](\s|$))")
POINT = "- "
HEADING = "# "


def markdown_text(text: str) -> str:
    r"""A text within a line. What can't be markup where it stands is left as it is.

    >>> print(markdown_text("item_12: p < .001, R&D, a-b (50 %)"))
    item_12: p < .001, R&D, a-b (50 %)
    >>> print(markdown_text("<img src=x onerror=alert(9)> [x](javascript:y) *a* _b_ `c` &lt;"))
    &lt;img src=x onerror=alert(9)> \[x\](javascript:y) \*a\* \_b\_ \`c\` &amp;lt;
    """
    text = re.sub(r"([\\`*~\[\]])", r"\\\1", CONTROL.sub(" ", text))
    text = UNDERSCORES.sub(lambda run: r"\_" * len(run[0]), text)
    return OF_HTML["<"].sub("&lt;", OF_HTML["&"].sub("&amp;", text))


def markdown_cell(text: str) -> str:
    r"""A text within a cell of a table.

    >>> print(markdown_cell("left|right"), markdown_cell("-.30"))
    left\|right -.30
    """
    return markdown_text(text).replace("|", r"\|").strip()


def markdown_lines(text: str) -> str:
    r"""Paragraphs and lists of points; no line begins a block of another sort.

    >>> print(markdown_lines("- alpha: .4\n- # kappa"))
    - alpha: .4
    - \# kappa
    >>> print(markdown_lines("1999. A year\n==="))
    1999\. A year
    \===
    """
    return "\n".join(_line(line) for line in text.replace("\r\n", "\n").split("\n"))


def markdown_document(text: str) -> str:
    """A heading in the first line, then paragraphs and lists: the methods as methods.md has them."""
    first, newline, others = text.partition("\n")
    heading = f"{HEADING}{markdown_text(first.removeprefix(HEADING))}" if first.startswith(HEADING) else _line(first)
    return heading + newline + markdown_lines(others)


def plain_text(document: str) -> str:
    r"""What a document was made of.

    >>> plain_text(markdown_document("# Methods: <b> of a_\\_b"))
    '# Methods: <b> of a_\\_b'
    """
    return re.sub(r"\\([!-/:-@[-`{-~])|&lt;|&amp;", lambda mark: mark[1] or OF_MARKS[mark[0]], document)


def _line(line: str) -> str:
    text = markdown_text(line).strip()
    point, text = (POINT, text.removeprefix(POINT).lstrip()) if text.startswith(POINT) else ("", text)
    begun = BLOCK.match(text)
    if begun is None:
        return point + text
    cut = begun.end("number") if begun["number"] else 0
    return rf"{point}{text[:cut]}\{text[cut:]}"
