"""What a page of the site asks, read from its HTML as a browser without script would. Knows nothing of Django."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

OF_ITEM = re.compile(r"i(\d+)-(.+)", re.DOTALL)
VOID = {"input", "img", "meta", "link", "br", "hr", "rect", "progress", "source"}
Fields = list[tuple[str, str]]


@dataclass
class Asked:
    """One question: what it says, what can be chosen, and whether it has been answered."""

    position: int
    key: str
    is_answered: bool
    text: str = ""
    pair: tuple[str, ...] = ()
    picture: str = ""

    @property
    def shown(self) -> tuple[str, tuple[str, ...], str]:
        """All that tells one item from another on a page; two words may stand in either order."""
        return self.text, tuple(sorted(self.pair)), self.picture


@dataclass
class Form:
    """One form: where it goes, what it holds already, what can be chosen, and which button comes first."""

    action: str = ""
    number: int | None = None
    is_ahead: bool = False
    hidden: Fields = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    button: tuple[str, str] | None = None
    questions: list[Asked] = field(default_factory=list)


class Page(HTMLParser):
    """The forms of a page in their order; those that the page keeps ready for its script are marked as ahead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.title = ""
        self._open: list[tuple[str, str]] = []  # tag and class of each element around us
        self._templates = 0
        self.feed(html)

    @property
    def form(self) -> Form | None:
        return next((form for form in self.forms if not form.is_ahead), None)

    @property
    def questions(self) -> list[Asked]:
        """All that the page asks or keeps ready, in the order of the assignment."""
        return sorted((asked for form in self.forms for asked in form.questions), key=lambda asked: asked.position)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append((tag, given.get("class", "")))
        if tag == "template":
            self._templates += 1
        elif tag == "form":
            number = int(given["data-number"]) if "data-number" in given else None
            self.forms.append(Form(given.get("action", ""), number, is_ahead=self._templates > 0))
        elif self.forms:
            self._in_form(tag, given, self.forms[-1])

    def _in_form(self, tag: str, given: dict[str, str], form: Form) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "fieldset" and "data-item" in given:
            asked = Asked(int(given["data-item"]), given.get("data-key", ""), "data-answered" in given)
            form.questions.append(asked)
        elif tag == "img" and form.questions:
            form.questions[-1].picture = given.get("src", "")
        elif tag == "button" and form.button is None and given.get("type") == "submit":
            form.button = (name, value)
        elif tag == "input" and given.get("type") == "hidden":
            form.hidden.append((name, value))
        elif tag == "input" and given.get("type") in {"radio", "checkbox"} and not name.endswith("could_not_see"):
            form.choices.setdefault(name, []).append(value)

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            closed, _class = self._open.pop()
            self._templates -= closed == "template"
            if closed == tag:
                break

    def handle_data(self, data: str) -> None:
        if any(tag == "title" for tag, _class in self._open):
            self.title += data
        if not self.forms or not self.forms[-1].questions:
            return
        asked, classes = self.forms[-1].questions[-1], [name for _tag, name in self._open]
        if any(name == "question" for name in classes):
            asked.text = " ".join(f"{asked.text} {data}".split())
        elif any(name.startswith("pair") for name in classes) and self._open[-1][0] == "bdi" and data.strip():
            asked.pair = (*asked.pair, data.strip())


def of_item(fields: Fields) -> Iterator[tuple[int, str, str]]:
    """The position, the name and the value of each field that belongs to an item."""
    for name, value in fields:
        if found := OF_ITEM.fullmatch(name):
            yield int(found[1]), found[2], value
