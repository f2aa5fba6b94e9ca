"""What a page of questions shows: each item worded, with its lines or labels and the answer so far; and pictures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from agreement.files.question_fields import Wording, word
from agreement.kinds.answers import Fields, Offered, html_number
from agreement.kinds.data import form_fields_of
from annotation.answering.kinds.form import Form, form_of, template_of
from annotation.answering.offered import OfferedItem, offered_of
from annotation.media.pictures import scaled_down
from annotation.models import AssignedItem, Assignment, Blob, Item, Judgment, Label, Study


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item with what the template of its kind shows of the answer (`inputs`), and what that is made from."""

    position: int
    form: Form
    template: str
    offered: Offered
    inputs: object
    wording: Wording
    picture: str
    small_picture: str
    alternative: str
    could_not_see: bool
    is_answered: bool
    is_direction_reversed: bool
    is_practice: bool
    feedback: str
    client_key: UUID
    number: int = 0  # among the questions of its sort: practice counts for itself

    @property
    def called(self) -> str:
        """What messages call it."""
        if self.is_practice:
            return _("Practice {number}").format(number=self.number)
        return _("Question {number}").format(number=self.number)


@dataclass(frozen=True, slots=True)
class Scale:
    """A slider's scale as HTML wants it, whatever the language: decimal points, no grouping."""

    low: str
    high: str
    middle: str
    step: str


@dataclass(frozen=True, slots=True)
class Page:
    number: int
    items: tuple[ShownItem, ...]
    is_practice: bool
    ordinal: int  # among the pages of its sort: practice counts for itself
    of: int

    @property
    def previous(self) -> int:
        return self.number - 1

    @property
    def is_answered(self) -> bool:
        return all(item.is_answered for item in self.items)


def scale_of(study: Study) -> Scale:
    if study.scale_low is None or study.scale_high is None:
        return Scale("", "", "", "")
    low, high = float(study.scale_low), float(study.scale_high)
    return Scale(html_number(low), html_number(high), html_number((low + high) / 2), html_number((high - low) / 100))


def pages_of(assignment: Assignment, study: Study) -> list[Page]:
    """All pages of an assignment in their order, each with the answers that the server has. Three statements."""
    assigned = list(assignment.assigned_items.select_related("item").order_by("position"))
    current = Judgment.objects.current().filter(assigned_item__assignment=assignment)
    answers = {judgment.assigned_item_id: judgment for judgment in current}
    labels = list(study.labels.order_by("position"))
    seed = assignment.participation.seed
    items = [shown_item(study, labels, one, answers.get(one.pk), seed=seed) for one in assigned]
    return items_in_pages(items, assignment.items_per_page or study.items_per_page)


def items_in_pages(items: Sequence[ShownItem], items_per_page: int) -> list[Page]:
    """Practice one at a time, for each has its feedback; the rest so many a page as the study wants."""
    pages: list[Page] = []
    for is_practice, group in groupby(items, key=lambda item: item.is_practice):
        numbered = [replace(item, number=number) for number, item in enumerate(group, start=1)]
        batches = list(_batches(numbered, 1 if is_practice else items_per_page))
        for ordinal, batch in enumerate(batches, start=1):
            pages.append(Page(len(pages) + 1, tuple(batch), is_practice, ordinal, len(batches)))
    return pages


def _batches(items: list[ShownItem], size: int) -> Iterator[list[ShownItem]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def shown_item(
    study: Study, labels: Sequence[Label], one: AssignedItem, judgment: Judgment | None, *, seed: int = 0
) -> ShownItem:
    item = one.item
    is_practice = item.kind == Item.Kind.PRACTICE
    form = form_of(study.kind)
    offered = offered_of(study, labels, OfferedItem(item.pk, item.fields, one.is_direction_reversed, seed))
    return ShownItem(
        position=one.position,
        form=form,
        template=template_of(study.kind),
        offered=offered,
        inputs=form.show(offered, form_fields_of(study.kind, judgment) if judgment else {}),
        wording=word(study.question, item.fields, is_swapped=one.is_word_order_swapped),
        picture=_picture("picture", item),
        small_picture=_picture("small-picture", item),
        alternative=str(item.fields.get("alternative_text", "")),
        could_not_see=bool(judgment and judgment.could_not_see),
        is_answered=judgment is not None,
        is_direction_reversed=one.is_direction_reversed,
        is_practice=is_practice,
        # Only practice has feedback: a check with one would be told from the others.
        feedback=str(item.fields.get("feedback", "")) if is_practice else "",
        client_key=uuid4(),
    )


def _picture(name: str, item: Item) -> str:
    return reverse(f"annotation:{name}", kwargs={"sha256": item.image_id}) if item.image_id else ""


def page_as_sent(page: Page, form: QueryDict, positions: set[int]) -> Page:
    """The page with what was sent for these items in place of what is stored."""
    items = [item_as_sent(item, form) if item.position in positions else item for item in page.items]
    return replace(page, items=tuple(items))


def item_as_sent(item: ShownItem, form: QueryDict) -> ShownItem:
    fields = fields_of_item(form, item.position)
    return replace(
        item,
        inputs=item.form.show(item.offered, fields),
        could_not_see=bool(form.get(f"i{item.position}-could_not_see")),
    )


def fields_of_item(form: QueryDict, position: int) -> Fields:
    """One item's fields of a page's form, where each name begins with its item's position."""
    prefix = f"i{position}-"
    return {name.removeprefix(prefix): values for name, values in form.lists() if name.startswith(prefix)}


# Pictures that questions show: found by their content's hash, never changed, never run.

# What a browser shows as a picture and can't run. SVG is missing on purpose: it may hold script.
PICTURES = {"image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"}
SCALABLE = {"image/png", "image/jpeg", "image/webp"}  # all that an import keeps
PHONE_PX = (1200, 1600)  # a phone of 400 points across, at three pixels a point
KEPT_SMALL = 64  # the pictures that a wave of phones asks for; some 200 KB each


@require_safe
def picture(request: HttpRequest, sha256: str) -> HttpResponse:  # noqa: ARG001  the address says it all
    """The picture as it was imported."""
    blob = Blob.objects.filter(sha256=sha256, content_type__in=PICTURES).first()
    return _picture_response(bytes(blob.content), blob.content_type) if blob else _missing_picture()


@require_safe
def small_picture(request: HttpRequest, sha256: str) -> HttpResponse:  # noqa: ARG001  the address says it all
    """The same for phones: no larger than one can show, so that nobody loads megabytes over a mobile network."""
    try:
        return _picture_response(*_small_picture_bytes(sha256))
    except Blob.DoesNotExist:
        return _missing_picture()


@lru_cache(maxsize=KEPT_SMALL)
def _small_picture_bytes(sha256: str) -> tuple[bytes, str]:
    blob = Blob.objects.get(sha256=sha256, content_type__in=PICTURES)
    content = bytes(blob.content)
    return (scaled_down(content, PHONE_PX) if blob.content_type in SCALABLE else content), blob.content_type


def _missing_picture() -> HttpResponse:
    return HttpResponseNotFound("There is no such picture.\n", content_type="text/plain")


def _picture_response(content: bytes, content_type: str) -> HttpResponse:
    return HttpResponse(
        content,
        content_type=content_type,
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )
