"""Ranking: all labels, each with a place of its own."""

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agreement.kinds.answers import Answer, Fields, Offered, typed_value
from agreement.kinds.ranking.data import PREFIX
from annotation.answering.kinds.form import BadAnswer, Facts, Form, last_value


@dataclass(frozen=True, slots=True)
class Row:
    """One label with its place, "" where it has none, and whether that is missing or another's too."""

    name: str
    label: str
    swatch: str
    place: str
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Order:
    """The labels in the order that was given, or as the study has them where some of it is wrong or missing."""

    rows: tuple[Row, ...]
    is_answered: bool

    @property
    def places(self) -> list[str]:
        return [str(place) for place in range(1, len(self.rows) + 1)]


def _read(fields: Fields, facts: Facts) -> Answer:
    """Places are named by their label, so that nothing depends on the order in which the labels were shown."""
    label_at: dict[int, str] = {}
    for label in facts.labels:
        field, places = PREFIX + label, {str(place): place for place in range(1, len(facts.labels) + 1)}
        place = places.get(last_value(fields, field))
        if place is None:
            raise BadAnswer(field, _("Please give each answer a place."))
        if place in label_at:
            sentence = _("{first} and {second} both have place {place}. Please give each answer a place of its own.")
            first, second = facts.as_shown(label_at[place]), facts.as_shown(label)
            raise BadAnswer(field, sentence.format(first=f"“{first}”", second=f"“{second}”", place=place))
        label_at[place] = label
    if not label_at:
        raise BadAnswer(PREFIX, _("This question has no answers to put in order."))
    return Answer(labels=[label_at[place] for place in sorted(label_at)])


def _show(offered: Offered, fields: Fields) -> Order:
    labels = offered.labels
    places = {label.value: typed_value(fields, PREFIX + label.value) for label in labels}
    known = {str(place) for place in range(1, len(labels) + 1)}
    times = Counter(places.values())
    rows = [
        Row(PREFIX + label.value, label.display_text, label.swatch, place, place not in known or times[place] > 1)
        for label, place in zip(labels, places.values(), strict=True)
    ]
    is_answered = bool(rows) and not any(row.is_wrong for row in rows)
    return Order(tuple(sorted(rows, key=lambda row: int(row.place)) if is_answered else rows), is_answered)


FORM = Form(_read, _show, script="label-order.js", style="label-order.css")
