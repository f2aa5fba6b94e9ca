"""Prompts for models: templates filled with the fields of items, one prompt for each item and template.

The templates that come with the project stand in this folder, one file for each set, one template on each line.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agreement.errors import Refused
from agreement.files.cell_texts import is_blank
from agreement.files.problems import Problems, quote_cell

FOLDER = Path(__file__).parent
FIELD = re.compile(r"( ?)\{([A-Za-z_][A-Za-z0-9_]*)\}( ?)")
TOKEN = re.compile(r"(\[[A-Z]+\])|[^\[]+|\[")
OPTIONS = "options"  # {options}: the study's labels in order, each with its letter
COLUMNS = ("item_id", "template", "prompt")


@dataclass(frozen=True, slots=True)
class Template:
    """One line of a file: `number` counts the templates, `line` the lines."""

    number: int
    line: int
    text: str

    @property
    def fields(self) -> list[str]:
        return [match[2] for match in FIELD.finditer(self.text)]


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def load(name_or_path: str) -> list[Template]:
    """The templates of that name, or in that file; blank lines and lines that begin with # are passed over."""
    own = name_or_path in names()
    path = FOLDER / f"{name_or_path}.txt" if own else Path(name_or_path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        known = ", ".join(names())
        raise Refused(f"{name_or_path}: {error.strerror}; give a file of templates or one of {known}") from error
    except UnicodeDecodeError as error:
        raise Refused(f"{path.name}: the file is not UTF-8 text") from error
    return templates_of(text, path.name)


def templates_of(text: str, source: str) -> list[Template]:
    """The templates of a text; refused by line where a brace names no field."""
    problems = Problems(source)
    found: list[Template] = []
    for line, given in enumerate(text.splitlines(), start=1):
        if given.strip() and not given.lstrip().startswith("#"):
            if set("{}") & set(FIELD.sub("", given)):
                problems.row(line, f"{quote_cell(given)} has a brace that names no field; write {{field}}")
            found.append(Template(len(found) + 1, line, given.strip()))
    if not found:
        problems.whole("it has no template; write one on each line, such as: The color of {object} is [MASK].")
    if len(problems):
        raise Refused(problems.marked)
    return found


def prompts(
    templates: Sequence[Template],
    items: Iterable[tuple[str, Mapping[str, str]]],
    labels: Sequence[str] = (),
    *,
    as_blanks: bool = False,
    lower: bool = False,
) -> Iterator[tuple[str, str, str]]:
    """Item, template and prompt, item by item. A field that is empty takes one blank beside it with it."""
    options = {OPTIONS: options_in_words(labels)}
    for item_id, fields in items:
        given = {name: text.replace("_", " ") for name, text in fields.items()} if as_blanks else fields
        for template in templates:
            prompt = filled(template.text, {**options, **given})
            yield item_id, str(template.number), lowered(prompt) if lower else prompt


def refuse_missing_fields(
    templates: Sequence[Template],
    items: Iterable[tuple[int, str, Mapping[str, str]]],
    labels: Sequence[str],
    source: str,
) -> None:
    """Every row and item whose field a template names and that hasn't got it."""
    problems = Problems(source)
    for row, item_id, fields in items:
        for template in templates:
            missing = [name for name in template.fields if name not in fields and not (name == OPTIONS and labels)]
            if missing:
                named = ", ".join(f"{{{name}}}" for name in dict.fromkeys(missing))
                problems.row(row, f"item {item_id} has no {named}, which template {template.number} uses")
    if len(problems):
        raise Refused(problems.marked)


def filled(template: str, fields: Mapping[str, str]) -> str:
    """The template with the fields in their places.

    >>> filled("The color of {descriptor} {item} is [MASK].", {"descriptor": "", "item": "snow"})
    'The color of snow is [MASK].'
    """

    def put(match: re.Match[str]) -> str:
        before, name, after = match.groups()
        text = fields[name]
        if is_blank(text):
            return before if after else ""  # of a blank on either side one stays
        return f"{before}{text}{after}"

    return FIELD.sub(put, template).strip()


def lowered(prompt: str) -> str:
    """In lower case, but for a model's own tokens.

    >>> lowered("Q: A fern is? A: [MASK].")
    'q: a fern is? a: [MASK].'
    """
    return TOKEN.sub(lambda match: match[0] if match[1] else match[0].lower(), prompt)


def options_in_words(labels: Sequence[str]) -> str:
    """The labels with their letters.

    >>> options_in_words(["below", "above"])
    '(a) below (b) above'
    """
    return " ".join(f"({letter}) {label}" for letter, label in zip(_letters(), labels, strict=False))


def _letters() -> Iterator[str]:
    """A to z, then aa, ab, …"""
    yield from string.ascii_lowercase
    for first in string.ascii_lowercase:
        for second in string.ascii_lowercase:
            yield f"{first}{second}"
