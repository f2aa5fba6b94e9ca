"""Consent and instructions as researchers write them: a small, safe part of Markdown, made into HTML.

What is not enabled here stays text as it was typed: raw HTML, entities, code, tables, quotes. A text of plain lines and
empty lines looks as it always did.
"""

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

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
