"""Contested items one after another, each decided with a key or two; the next one comes by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

import numpy as np
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from agreement.errors import Refused
from annotation.accounts.permissions import Right
from annotation.answering.kinds.form import BadAnswer
from annotation.models import Item, Study
from annotation.pages.admin.base import posted, study_asked, study_page, user_of
from annotation.pages.items import adjudication_fields, adjudication_form, item_answers, seen_revision
from annotation.pages.lists import AnswerRow, figures_and_age
from annotation.releases.actions.adjudicating import adjudicate, texts_of, undo_adjudication
from annotation.releases.models import Adjudication
from annotation.releases.summaries import Figures

LENGTHS = (20, 40, 100, 1_000)  # how many of the most contested items a queue holds
USUAL = 40
ANSWERS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Queue:
    """The most contested items by their keys, and those that a researcher has decided."""

    items: list[int]
    decided: set[int]
    length: int

    def after(self, item: int | None) -> int | None:
        """The next that nobody has decided, from the beginning again after the end; the item itself comes last."""
        start = self.items.index(item) + 1 if item in self.items else 0
        order = [*self.items[start:], *self.items[:start]]
        return next((key for key in order if key not in self.decided), None)

    def before(self, item: int) -> int | None:
        place = self.items.index(item) if item in self.items else 0
        return self.items[place - 1] if place else None

    def position(self, item: int) -> int:
        return self.items.index(item) + 1 if item in self.items else 0

    @property
    def n_decided(self) -> int:
        return sum(key in self.decided for key in self.items)


def queue_of(study: Study, figures: Figures, length: str) -> Queue:
    """Items about which people disagree, the most contested first."""
    most = int(length) if length in map(str, LENGTHS) else USUAL
    contested, keys = figures.items["contested"].astype(np.float64), figures.items["item"]
    disagree = np.flatnonzero((figures.items["judgments"] >= 2) & (np.nan_to_num(contested) > 0))
    order = disagree[np.argsort(-contested[disagree], kind="stable")][:most]
    in_force = Adjudication.objects.filter(study=study, question=study.asked_number).in_force()
    return Queue(keys[order].tolist(), set(in_force.values_list("item_id", flat=True)), most)


def adjudication_queue(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_asked(request, Right.CHANGE, study)
    figures, age = figures_and_age(request, this_study)
    sent = posted(request)
    if figures is None:
        return _page(request, this_study, {**age, "queue": None})
    queue = queue_of(this_study, figures, request.GET.get("most", ""))
    one = _item_asked(this_study, queue, request.GET.get("item", ""))
    if sent is None or one is None:
        return _page(request, this_study, {**age, **_context(this_study, queue, one), **_last(request, this_study)})
    by, seen = user_of(request), seen_revision(sent)
    try:
        if "undo" in sent:
            undo_adjudication(item=one, by=by, seen=seen)
            messages.success(request, "Taken back.")
            return redirect(address(this_study, queue, item=one.uuid))
        saved = adjudicate(item=one, fields=adjudication_fields(sent), why=sent.get("why", ""), by=by, seen=seen)
    except BadAnswer as bad:
        shown = {**_context(this_study, queue, one), **adjudication_form(this_study, one, sent), "problem": bad}
        return _page(request, this_study, {**age, **shown}, status=422)
    except Refused as refused:
        shown = {**_context(this_study, queue, one), "refusal": str(refused)}
        return _page(request, this_study, {**age, **shown}, status=422)
    queue.decided.add(one.pk)
    following = queue.after(one.pk)
    uuid = None if following is None else this_study.items.get(pk=following).uuid
    return redirect(address(this_study, queue, item=uuid, saved=one.uuid, revision=saved.revision))


def address(study: Study, queue: Queue, **names: object) -> str:
    """Of the queue at an item; names without a value are left out."""
    named = {"most": queue.length if queue.length != USUAL else None, **names}
    query = urlencode({name: value for name, value in named.items() if value is not None})
    return f"{reverse('agreement:adjudicate', args=[study.uuid])}{'?' if query else ''}{query}"


def _item_asked(study: Study, queue: Queue, uuid: str) -> Item | None:
    """The one that the address names, or the first that nobody has decided."""
    items = study.items.targets().select_related("study")
    if uuid:
        return get_object_or_404(items, uuid=_uuid_of(uuid))
    first = queue.after(None)
    return None if first is None else items.get(pk=first)


def _uuid_of(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Http404("This address names no item.") from None


def _context(study: Study, queue: Queue, one: Item | None) -> dict[str, object]:
    context: dict[str, object] = {"queue": queue, "lengths": LENGTHS}
    if one is None:
        return context
    before, after = queue.before(one.pk), queue.after(one.pk)
    ways = {"previous": before, "skip": after if after != one.pk else None}
    uuids = dict(study.items.filter(pk__in=[key for key in ways.values() if key]).values_list("pk", "uuid"))
    links = {way: address(study, queue, item=uuids[key]) for way, key in ways.items() if key}
    shown = item_answers(study, one)
    answered = _counts(shown["rows"], shown["excluded"])
    ways_and_position = {"position": queue.position(one.pk), "ways": links, "answered": answered}
    return {**context, **shown, **ways_and_position, **adjudication_form(study, one)}


def _counts(rows: Sequence[AnswerRow], excluded: Container[str]) -> list[tuple[str, int]]:
    """How many of those who aren't excluded gave each answer, the commonest first."""
    return Counter(row.answer for row in rows if row.pseudonym not in excluded).most_common(ANSWERS_SHOWN)


def _last(request: HttpRequest, study: Study) -> dict[str, object]:
    """What was saved a moment ago, which can be undone as long as nothing came after it."""
    if not (uuid := request.GET.get("saved", "")):
        return {}
    rows = Adjudication.objects.filter(study=study, question=study.asked_number, item__uuid=_uuid_of(uuid)).current()
    row = rows.select_related("item").first()
    if row is None or str(row.revision) != request.GET.get("revision", ""):
        return {}
    [text] = texts_of(study, [row])
    return {"saved": row, "saved_text": text}


def _page(request: HttpRequest, study: Study, context: dict[str, object], status: int = 200) -> HttpResponse:
    template, title = "pages/adjudication_queue.html", "Decide contested items"
    return study_page(request, study, template, context, section="answers", title=title, status=status)
