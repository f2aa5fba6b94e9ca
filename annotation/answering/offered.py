"""What a question offers a person: the study's labels or the item's own, in the order in which they are shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agreement.kinds.answers import Offered, ShownLabel, points_of
from agreement.kinds.options import in_shown_order, options_of_item
from agreement.kinds.registry import KINDS
from annotation.models import Label, Study


@dataclass(frozen=True, slots=True)
class OfferedItem:
    """An item as one person is shown it: its key, its fields, whether scales are reversed, and the person's seed;
    without a seed its own labels stand in the order of its column.
    """

    key: int
    fields: Mapping[str, object]
    is_reversed: bool = False
    seed: int | None = None


def labels_offered(
    kind: str, labels: Sequence[ShownLabel], item: OfferedItem, *, ordered: bool
) -> tuple[tuple[ShownLabel, ...], bool]:
    """The labels in the order in which they are shown, and whether they are the item's own. `labels` are the study's,
    in their order.
    """
    if labels or not KINDS[kind].takes_options:
        return tuple(reversed(labels) if ordered and item.is_reversed else labels), False
    own = options_of_item(item.fields)
    shown = own if item.seed is None else in_shown_order(own, seed=item.seed, item=item.key)
    return tuple(ShownLabel(value, text, "") for value, text in shown), True


def offered_of(study: Study, labels: Sequence[Label], item: OfferedItem) -> Offered:
    points = points_of([each.value for each in labels]) if study.ordered else [""] * len(labels)
    shown = [
        ShownLabel(each.value, each.display_text, each.swatch, each.exclusive, point)
        for each, point in zip(labels, points, strict=True)
    ]
    ends = (study.low_label, study.high_label)
    low, high = ends[::-1] if study.ordered and item.is_reversed else ends
    return Offered(
        labels_offered(study.kind, shown, item, ordered=study.ordered)[0],
        study.ordered,
        study.shows_points,
        low,
        high,
        study.fewest,
        study.most,
    )
