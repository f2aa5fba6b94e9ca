"""The properties that people named in a study, as the coding page lists them: how many people, how many items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agreement.judgments.property_coding import Code, proposed
from agreement.property_names import normalised
from annotation.models import Item, Study
from annotation.releases.from_database.counted_judgments import counted
from annotation.releases.models import PropertyCode

SHOW = {"all": "all", "open": "not coded yet", "coded": "coded", "left-out": "left out"}


@dataclass(frozen=True, slots=True)
class NamedProperty:
    """A spelling with how many `people` named it on how many `items`, its row in force, and what it counts as."""

    spelling: str
    people: int
    items: int
    row: PropertyCode | None

    @property
    def code(self) -> Code:
        return proposed(self.spelling) if self.row is None else self.row.code

    @property
    def revision(self) -> int:
        return 0 if self.row is None else self.row.revision


def properties_of(study: Study) -> list[NamedProperty]:
    """Every spelling of the judgments that count on items to judge, the commonest first; then what nobody names."""
    people: dict[str, set[int]] = {}
    items: dict[str, set[int]] = {}
    answers = counted(study).filter(assigned_item__item__kind=Item.Kind.TARGET).order_by()
    given = answers.values_list("properties", "assigned_item__participation_id", "assigned_item__item_id")
    for properties, person, item in given.iterator(2_000):
        for name in map(normalised, properties or ()):
            if name:
                people.setdefault(name, set()).add(person)
                items.setdefault(name, set()).add(item)
    rows = PropertyCode.objects.of_study(study).in_force()
    names = sorted({*people, *rows}, key=lambda name: (-len(people.get(name, ())), name))
    return [NamedProperty(name, len(people.get(name, ())), len(items.get(name, ())), rows.get(name)) for name in names]


def found_in(named: Iterable[NamedProperty], show: str, text: str) -> list[NamedProperty]:
    """Those that a filter shows, and whose spelling or property has the text in it."""
    wanted = normalised(text)
    return [each for each in named if _is_shown(each, show) and (wanted in each.spelling or wanted in each.code.name)]


def _is_shown(each: NamedProperty, show: str) -> bool:
    if show == "open":
        return each.row is None
    if show == "coded":
        return each.row is not None and not each.row.is_left_out
    return show != "left-out" or (each.row is not None and each.row.is_left_out)
