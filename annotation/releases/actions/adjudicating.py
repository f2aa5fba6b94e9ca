"""A researcher's own answer to an item, in a table of its own: the crowd's judgments and gold stay as they are."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction
from django.db.models import Max

from agreement.errors import Refused
from agreement.kinds.answers import Answer, Fields
from annotation.answering.kinds.form import form_of
from annotation.answering.kinds.reading_forms import BadAnswer, Facts
from annotation.models import AuditEntry, Item, Study, User
from annotation.releases.models import Adjudication

LONGEST_REASON = 2_000


class SavedMeanwhile(Refused):
    """Somebody else adjudicated the item since the page was read."""


def facts_of(study: Study) -> Facts:
    """What limits an answer here; a field that is left empty has no default."""
    labels = list(study.labels.order_by("position").values_list("value", "display_text"))
    return Facts(
        low=None if study.scale_low is None else float(study.scale_low),
        high=None if study.scale_high is None else float(study.scale_high),
        labels=tuple(value for value, _ in labels),
        shown=tuple(shown for _, shown in labels),
    )


def adjudicate(*, item: Item, fields: Fields, why: str, by: User | None, seen: int) -> Adjudication:
    """Stores the answer in a form's fields as the item's next revision; `seen` is the revision that the form was of.

    Raises `BadAnswer` with the field that it is about, `Refused` without a reason, `SavedMeanwhile`.
    """
    study = item.study
    if item.kind != Item.Kind.TARGET:
        raise Refused(f"{item} is a check or for practice: only items that are judged for gold are adjudicated.")
    answer = form_of(study.kind).read(fields, facts_of(study))
    return _store(item, answer, why, by, seen)


def remove_adjudication(*, item: Item, why: str, by: User | None, seen: int) -> Adjudication:
    """The item has no answer of a researcher's any more; what there was stays in its history."""
    return _store(item, None, why, by, seen)


def _store(item: Item, answer: Answer | None, why: str, by: User | None, seen: int) -> Adjudication:
    reason = why.strip()
    if not reason:
        raise BadAnswer("why", "Please say why. The reason is recorded and exported with the answer.")
    if len(reason) > LONGEST_REASON or "\x00" in reason:
        raise BadAnswer("why", f"Please write at most {LONGEST_REASON} characters, and no zero bytes.")
    values = {"is_removed": True} if answer is None else {**asdict(answer)}
    values.pop("could_not_see", None)
    with transaction.atomic():
        # The race: two researchers adjudicate the same item at once. The lock lets the second see the first one's.
        Item.objects.select_for_update(no_key=True, of=("self",)).get(pk=item.pk)
        last = Adjudication.objects.filter(item=item).aggregate(last=Max("revision"))["last"] or 0
        if last != seen:
            raise SavedMeanwhile(
                "Somebody else adjudicated this item in the meantime: what they said is shown below. What you typed is"
                " kept; save again to put it in its place."
            )
        made = Adjudication.objects.create(study=item.study, item=item, revision=last + 1, why=reason, by=by, **values)
        detail = {"removed adjudication of" if answer is None else "adjudicated": item.item_id, "revision": last + 1}
        AuditEntry.objects.create(study=item.study, by=by, action=AuditEntry.Action.CHANGED, why=reason, detail=detail)
    return made
