"""A simulated person's way through the real pages, with script or without. Knows nothing of Django."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from annotation.answers import Answer
from annotation.simulation.browser import Browser, Reply
from annotation.simulation.pages import Asked, Fields, Form, Page
from annotation.simulation.people import Person
from annotation.simulation.truth import World

MOST_PAGES = 2000
SAVED, CLOSED = 200, 410


@dataclass(frozen=True)
class Acknowledged:
    """An answer that the site has said is saved."""

    address: str
    position: int
    key: str
    fields: tuple[tuple[str, str], ...]


@dataclass
class Visit:
    """What became of it: the answers acknowledged in their order, and the last page."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
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
    """`knows` gives an item's fields for what is shown of it; `quits_after` so many answers, `rethinks` that share."""

    browser: Browser
    person: Person
    world: World
    kind: str
    scale: tuple[float, float] | None
    knows: Callable[[Asked], Mapping[str, Any]]
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
            times = 2 if self.person.rng.random() < self.rethinks else 1
            for _ in range(times):
                if not self._save(f"{base}save/", asked, visit):
                    return self.browser.get(base)
            if len(visit.acknowledged) >= self.quits_after:
                return self.browser.get(base)
        # Beyond the pages that this one had ready there may be more; the last of all leads to the end.
        return self.browser.get(base)

    def _save(self, address: str, asked: Asked, visit: Visit) -> bool:
        key = str(UUID(int=self.person.rng.getrandbits(128), version=4))
        fields = [("position", str(asked.position)), ("key", key), *self._answer(asked)]
        reply = self.browser.send("POST", address, fields)
        if reply.status == SAVED and json.loads(reply.body)["saved"]:
            visit.acknowledged.append(Acknowledged(address, asked.position, key, tuple(fields)))
            return True
        visit.refused.append(f"{reply.status} {reply.body[:200]}")
        return False

    def _judge_without(self, form: Form, visit: Visit) -> Reply:
        fields = list(form.hidden)
        answers: list[tuple[Asked, Fields]] = [(asked, self._answer(asked)) for asked in form.questions]
        for asked, given in answers:
            fields += [(f"i{asked.position}-{name}", value) for name, value in given]
        reply = self.browser.send("POST", form.action, fields)
        if reply.status in {301, 302, 303}:
            for asked, given in answers:
                visit.acknowledged.append(Acknowledged(form.action, asked.position, asked.key, tuple(given)))
            return self.browser.get(reply.location)
        visit.refused.append(f"{reply.status} {Page(reply.body).title.strip()}")
        return reply

    def _answer(self, asked: Asked) -> Fields:
        answer = self.person.answer(self.kind, self.knows(asked), self.world, self.scale)
        told = self.person.circumstances()
        fields = fields_of(answer)
        if self.has_script:
            fields += [("response_ms", str(told.response_ms)), ("first_touch_ms", str(told.first_touch_ms))]
            fields += [("moves", str(told.moves)), ("input_kind", "mouse")]
        return fields


def fields_of(answer: Answer) -> Fields:
    """An answer as a form sends it."""
    if answer.number is not None:
        return [("number", f"{answer.number:.10g}")]
    if answer.numbers is not None:
        return [(f"number:{label}", f"{number:.10g}") for label, number in answer.numbers.items()]
    if answer.label is not None:
        return [("label", answer.label)]
    if answer.labels is not None:
        return [("labels", label) for label in answer.labels]
    if answer.properties is not None:
        return [("properties", "\n".join(answer.properties))]
    return [("text", answer.text or "")]
