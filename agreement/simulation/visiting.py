"""A simulated person's way through the real pages, with script or without. Knows nothing of Django."""

import http.client
import json
import math
import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit
from uuid import UUID

from .answering_items import FormFields as Fields
from .answering_items import PosedQuestion, item_fields, times_of
from .simulated_people import Person
from .world import KnownItem

# What a page of the site asks, read from its HTML as a browser without script would.

OF_ITEM = re.compile(r"i(\d+)-(.+)", re.DOTALL)
VOID = {"input", "img", "meta", "link", "br", "hr", "rect", "progress", "source"}


@dataclass
class PageQuestion:
    """One question: what it says, what can be chosen, and whether it has been answered."""

    position: int
    key: str
    is_answered: bool
    text: str = ""
    pair: tuple[str, ...] = ()
    picture: str = ""
    offered: list[str] = field(default_factory=list)  # the labels of which one is chosen, in their order

    @property
    def shown(self) -> tuple[str, tuple[str, ...], str]:
        """All that tells one item from another on a page; two words may stand in either order."""
        return " ".join(self.text.split()), tuple(sorted(self.pair)), self.picture


@dataclass
class Form:
    """One form: where it goes, what it holds already, what can be chosen, and which button comes first."""

    action: str = ""
    number: int | None = None
    is_ahead: bool = False
    hidden: Fields = field(default_factory=list)
    choices: dict[str, list[str]] = field(default_factory=dict)
    button: tuple[str, str] | None = None
    questions: list[PageQuestion] = field(default_factory=list)


class Page(HTMLParser):
    """The forms of a page in their order; those that the page keeps ready for its script are marked as ahead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.title = ""
        self._open: list[tuple[str, str]] = []  # tag and class of each element around us
        self.stimulus = ""  # of the item that follows: what its blocks say, and where their files lie
        self._templates = 0
        self.feed(html)

    @property
    def form(self) -> Form | None:
        return next((form for form in self.forms if not form.is_ahead), None)

    @property
    def questions(self) -> list[PageQuestion]:
        """All that the page asks or keeps ready, in the order of the assignment."""
        return sorted((asked for form in self.forms for asked in form.questions), key=lambda asked: asked.position)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self._open.append((tag, attributes.get("class", "")))
        if self._is_in_block and "src" in attributes:
            self.stimulus += f"{attributes['src']} "
        elif tag == "template":
            self._templates += 1
        elif tag == "form":
            number = int(attributes["data-number"]) if "data-number" in attributes else None
            self.forms.append(Form(attributes.get("action", ""), number, is_ahead=self._templates > 0))
        elif self.forms and not any(around == "noscript" for around, _class in self._open):
            self._in_form(tag, attributes, self.forms[-1])

    def _in_form(self, tag: str, attributes: dict[str, str], form: Form) -> None:
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "fieldset" and "data-item" in attributes:
            asked = PageQuestion(
                int(attributes["data-item"]), attributes.get("data-key", ""), "data-answered" in attributes
            )
            asked.text, self.stimulus = self.stimulus, ""
            form.questions.append(asked)
        elif attributes.get("class") == "question" and form.questions:
            form.questions[-1].text += " "
        elif tag == "img" and form.questions:
            form.questions[-1].picture = attributes.get("src", "")
        elif tag == "button" and form.button is None and attributes.get("type") == "submit":
            form.button = (name, value)
        elif tag == "input" and attributes.get("type") == "hidden":
            form.hidden.append((name, value))
        elif tag == "input" and attributes.get("type") in {"radio", "checkbox"} and not name.endswith("could_not_see"):
            form.choices.setdefault(name, []).append(value)
            if name.endswith("-label") and form.questions:
                form.questions[-1].offered.append(value)

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            closed, _class = self._open.pop()
            self._templates -= closed == "template"
            if closed == tag:
                break

    @property
    def _is_in_block(self) -> bool:
        return any("block" in name.split() for _tag, name in self._open)

    def handle_data(self, data: str) -> None:
        if any(tag == "title" for tag, _class in self._open):
            self.title += data
        classes = [name for _tag, name in self._open]
        if self._is_in_block:
            self.stimulus += f"{data} "
        if not self.forms or not self.forms[-1].questions:
            return
        asked = self.forms[-1].questions[-1]
        if any(name == "question" for name in classes):
            asked.text += data
        elif any(name.startswith("pair") for name in classes) and self._open[-1][0] == "bdi" and data.strip():
            asked.pair = (*asked.pair, data.strip())


def of_item(fields: Fields) -> Iterator[tuple[int, str, str]]:
    """The position, the name and the value of each field that belongs to an item."""
    for name, value in fields:
        if match := OF_ITEM.fullmatch(name):
            yield int(match[1]), match[2], value


# A browser that sends forms and follows redirects, and sends again whatever gets no reply.

AGAIN = {429, 502, 503, 504}
REDIRECTS = {301, 302, 303, 307, 308}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
WAITS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5)
MOST_REDIRECTS = 10


class Unreachable(Exception):
    """Nothing came back for longer than a person would wait."""


@dataclass(frozen=True)
class Reply:
    status: int
    address: str
    body: str
    location: str = ""


@dataclass
class Browser:
    """`servers` are the site's web processes, any of which will do: (scheme, host, port)."""

    servers: Sequence[tuple[str, str, int]]
    rng: random.Random
    timeout: float = 20
    patience: float = 120
    troubles: dict[str, int] = field(default_factory=dict)  # what was sent again, and why

    def get(self, address: str) -> Reply:
        return self._follow(self.send("GET", address))

    def post(self, address: str, fields: Fields) -> Reply:
        return self._follow(self.send("POST", address, fields))

    def _follow(self, reply: Reply) -> Reply:
        for _ in range(MOST_REDIRECTS):
            if reply.status not in REDIRECTS:
                return reply
            to = urlsplit(reply.location)
            reply = self.send("GET", f"{to.path}?{to.query}" if to.query else to.path)
        raise Unreachable(f"{reply.address} leads from page to page and back.")

    def send(self, method: str, address: str, fields: Fields | None = None) -> Reply:
        """One request, sent again until it has a reply; what is stored by it must bear that."""
        give_up_at = time.monotonic() + self.patience
        tries = 0
        while True:
            try:
                reply = self.send_once(method, address, fields)
                if reply.status not in AGAIN:
                    return reply
                trouble = str(reply.status)
            except (OSError, http.client.HTTPException) as error:
                trouble = type(error).__name__
            self.troubles[trouble] = self.troubles.get(trouble, 0) + 1
            if time.monotonic() > give_up_at:
                raise Unreachable(f"{method} {address}: {trouble} for {self.patience} s.")
            time.sleep(WAITS[min(tries, len(WAITS) - 1)] * self.rng.uniform(0.5, 1.5))
            tries += 1

    def send_once(self, method: str, address: str, fields: Fields | None) -> Reply:
        scheme, host, port = self.rng.choice(self.servers)
        make = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
        connection = make(host, port, timeout=self.timeout)
        try:
            body = urlencode(fields).encode() if fields is not None else None
            connection.request(method, address, body, {"Connection": "close", **(FORM if body is not None else {})})
            response = connection.getresponse()
            text = response.read().decode("utf-8", errors="replace")
            return Reply(response.status, address, text, response.headers.get("Location", ""))
        finally:
            connection.close()


# The person's way, from the link to the last page.

MOST_PAGES = 2000
SAVED, CLOSED = 200, 410


@dataclass(frozen=True)
class AcknowledgedAnswer:
    """An answer that the site has said is saved."""

    address: str
    position: int
    key: str
    fields: tuple[tuple[str, str], ...]


@dataclass
class Visit:
    """What became of it: the answers acknowledged in their order, and the last page."""

    acknowledged: list[AcknowledgedAnswer] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    last: Reply | None = None

    @property
    def is_finished(self) -> bool:
        return self.last is not None and self.last.status == SAVED and self.last.address.endswith("/done/")

    @property
    def is_withdrawal(self) -> bool:
        return self.last is not None and self.last.address.startswith("/withdraw/")


@dataclass
class Visitor:
    """`knows` gives the item for what is shown of it; `quits_after` so many answers, `rethinks` that share."""

    browser: Browser
    person: Person
    questions: Sequence[PosedQuestion]
    knows: Callable[[PageQuestion], KnownItem]
    has_script: bool = True
    quits_after: float = math.inf
    rethinks: float = 0.0
    right_answers: frozenset[str] = frozenset()
    visit: Visit = field(default_factory=Visit)

    def take_part(self, address: str) -> Visit:
        visit = self.visit
        visit.last = self.browser.get(address)
        for _ in range(MOST_PAGES):
            page = Page(visit.last.body)
            form = page.form
            is_elsewhere = form is not None and "://" in form.action
            if visit.last.status >= 400 or form is None or is_elsewhere or visit.is_withdrawal:
                return visit
            if len(visit.acknowledged) >= self.quits_after:
                return visit
            if form.number is None:
                visit.last = self.browser.post(form.action or visit.last.address, self._agree(form))
            elif self.has_script:
                visit.last = self._judge_with_script(page, form, visit)
            else:
                visit.last = self._judge_without(form, visit)
        return visit

    def _agree(self, form: Form) -> Fields:
        """The form as it stands, with the first button, and the right answers where it asks for some."""
        fields = [*form.hidden, *([form.button] if form.button and form.button[0] else [])]
        for name, values in form.choices.items():
            fields.append((name, next((value for value in values if value in self.right_answers), values[0])))
        return fields

    def _judge_with_script(self, page: Page, form: Form, visit: Visit) -> Reply:
        base = form.action.removesuffix(f"{form.number}/")
        for asked in page.questions:
            if asked.is_answered:
                continue
            if len(visit.acknowledged) >= self.quits_after:
                self._begin(f"{base}save/", asked)
                return self.browser.get(base)
            times = 2 if self.person.rng.random() < self.rethinks else 1
            for _ in range(times):
                if not self._save(f"{base}save/", asked, visit):
                    return self.browser.get(base)
        # Beyond the pages that this one had ready there may be more; the last of all leads to the end.
        return self.browser.get(base)

    def _save(self, address: str, asked: PageQuestion, visit: Visit) -> bool:
        key = self._key()
        fields = [("position", str(asked.position)), key, *self._answer(asked)]
        reply = self.browser.send("POST", address, fields)
        if reply.status == SAVED and json.loads(reply.body)["saved"]:
            visit.acknowledged.append(AcknowledgedAnswer(address, asked.position, key[1], tuple(fields)))
            return True
        visit.refused.append(f"{reply.status} {reply.body[:200]}")
        return False

    def _begin(self, address: str, asked: PageQuestion) -> None:
        """Who goes leaves the next item half done, where it has several questions."""
        if len(self.questions) > 1:
            fields = item_fields(self.person, self.questions[:1], self.knows(asked))
            self.browser.send("POST", address, [("position", str(asked.position)), self._key(), *fields])

    def _key(self) -> tuple[str, str]:
        return "key", str(UUID(int=self.person.rng.getrandbits(128), version=4))

    def _judge_without(self, form: Form, visit: Visit) -> Reply:
        fields = list(form.hidden)
        answers: list[tuple[PageQuestion, Fields]] = [(asked, self._answer(asked)) for asked in form.questions]
        for asked, answer_fields in answers:
            fields += [(f"i{asked.position}-{name}", value) for name, value in answer_fields]
        reply = self.browser.send("POST", form.action, fields)
        if reply.status in {301, 302, 303}:
            for asked, answer_fields in answers:
                visit.acknowledged.append(
                    AcknowledgedAnswer(form.action, asked.position, asked.key, tuple(answer_fields))
                )
            return self.browser.get(reply.location)
        visit.refused.append(f"{reply.status} {Page(reply.body).title.strip()}")
        return reply

    def _answer(self, asked: PageQuestion) -> Fields:
        fields = item_fields(self.person, self.questions, self.knows(asked))
        circumstances = self.person.circumstances()
        if self.has_script:
            fields += [*times_of(circumstances), ("input_kind", "mouse")]
        return fields
