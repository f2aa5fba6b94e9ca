"""Consent and instructions as researchers write them: a small, safe part of Markdown, made into HTML.

What is not enabled here stays text as it was typed: raw HTML, entities, code, tables, quotes. A text of plain lines and
empty lines looks as it always did.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agreement.files.question_fields import Part
from annotation.models import Study

ALLOWED_LINK = re.compile(r"(https?://|mailto:)\S", re.IGNORECASE)
ENABLED = ("heading", "list", "emphasis", "link", "image", "newline", "escape")
LOWEST_HEADING = 6


class _Markdown(MarkdownIt):
    """Leaves every address to `_safe_tokens`: what a link may lead to differs from what a picture may name."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002  the library's name and parameter
        return True


MARKDOWN = _Markdown("zero", {"html": False, "breaks": True, "linkify": False, "xhtmlOut": False}).enable(ENABLED)


def text_as_html(text: str, study: Study) -> SafeString:
    """The text as HTML. Links open a page of their own; a picture is one of the study's items, by its id."""
    tokens = MARKDOWN.parse(text)
    pictures = _pictures_of(study, set(_named_pictures(tokens)))
    _set_levels_of_headings(tokens)
    for token in tokens:
        if token.children:
            token.children = list(_safe_tokens(token.children, pictures))
    html: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(html)  # noqa: S308  the renderer escapes every text and attribute; raw HTML is off


def _set_levels_of_headings(tokens: list[Token]) -> None:
    """The page has its own first heading; those of the text stand under it, and skip no level whichever they use."""
    open_levels: list[str] = []
    for token in tokens:
        if token.type == "heading_open":
            while open_levels and open_levels[-1] >= token.tag:
                open_levels.pop()
            open_levels.append(token.tag)
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(1 + len(open_levels), LOWEST_HEADING)}"


MARKUP = re.compile(r"[!-/:-@\[-`{-~]")


def escape_markdown(text: str) -> str:
    r"""A text that Markdown shows as it stands.

    >>> print(escape_markdown("# *a* [b](c)"))
    \# \*a\* \[b\]\(c\)
    """
    return MARKUP.sub(r"\\\g<0>", text)


# Stand for fields while a template is parsed; of Unicode's private area.
FIELD_BEGIN, FIELD_END = "\ue000", "\ue001"
FIELD_MARK = re.compile(f"{FIELD_BEGIN}([0-9]+){FIELD_END}")
IN_A_TAG = re.compile(f"<[^<>]*{FIELD_BEGIN}")


def template_as_html(parts: Sequence[Part], study: Study) -> SafeString:
    """A template in Markdown, with fields that stay text. The template alone is parsed, however long a field is: 100 kB
    of signs, all of them escaped, take a second to parse, and a page has up to 60 items. Where a field stands in an
    address or a title, all is parsed together.
    """
    fields = [part.text for part in parts if part.is_field]
    template, number = "", 0
    for part in parts:
        template += f"{FIELD_BEGIN}{number}{FIELD_END}" if part.is_field else part.text
        number += part.is_field
    html = text_as_html(template, study)
    if [int(mark) for mark in FIELD_MARK.findall(html)] != list(range(len(fields))) or IN_A_TAG.search(html):
        escaped = "".join(escape_markdown(part.text) if part.is_field else part.text for part in parts)
        return text_as_html(escaped, study)
    return mark_safe(FIELD_MARK.sub(lambda mark: _lines_as_html(fields[int(mark[1])]), html))  # noqa: S308  escaped


def _lines_as_html(text: str) -> str:
    return "<br>\n".join(escape(line.strip()) for line in text.strip().splitlines())


def unknown_pictures(text: str, study: Study) -> list[str]:
    """The ids that the text names as pictures and that no item with a picture has."""
    named = dict.fromkeys(_named_pictures(MARKDOWN.parse(text)))
    pictures = _pictures_of(study, set(named))
    return [item_id for item_id in named if item_id not in pictures]


def _named_pictures(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "image":
            yield _item_id(token)
        yield from _named_pictures(token.children or [])


def _item_id(image: Token) -> str:
    return unquote(str(image.attrGet("src") or ""))


def _pictures_of(study: Study, item_ids: set[str]) -> Mapping[str, str]:
    """The addresses of the pictures of these items, as far as the study has them."""
    if not item_ids:
        return {}
    digests = study.items.filter(item_id__in=item_ids, image__isnull=False).values_list("item_id", "image_id")
    return {item_id: reverse("annotation:picture", kwargs={"sha256": sha256}) for item_id, sha256 in digests}


def _safe_tokens(tokens: list[Token], pictures: Mapping[str, str]) -> Iterator[Token]:
    """Drops links to anywhere but a web page or a mail address, keeping their words; and pictures that aren't there,
    keeping their descriptions.
    """
    is_kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            is_kept.append(ALLOWED_LINK.match(str(token.attrGet("href") or "")) is not None)
            if is_kept[-1]:
                token.attrSet("target", "_blank")
                token.attrSet("rel", "noopener noreferrer")
                yield token
        elif token.type == "link_close":
            if is_kept.pop():
                yield token
        elif token.type == "image":
            yield _picture(token, pictures)
        else:
            yield token


def _picture(token: Token, pictures: Mapping[str, str]) -> Token:
    if address := pictures.get(_item_id(token)):
        token.attrSet("src", address)
        return token
    return Token("text", "", 0, content=token.content)
