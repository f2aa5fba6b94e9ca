"""What a question offers a person: the study's labels or the item's own, in the order in which they are shown."""

from collections.abc import Sequence

from agreement.kinds.answers import Offered, ShownLabel, points_of
from agreement.kinds.options import in_shown_order, options_of_item
from annotation.models import Item, Label, Study


def offered_of(
    study: Study, labels: Sequence[Label], item: Item, *, seed: int | None = None, is_reversed: bool = False
) -> Offered:
    """`seed` is the person's; None: the order of the item's column."""
    if not labels and study.question_kind.takes_options:
        options = options_of_item(item.fields)
        if seed is not None:
            options = in_shown_order(options, seed=seed, item=item.pk)
        return Offered(tuple(ShownLabel(value, text, "") for value, text in options))
    points = points_of([each.value for each in labels]) if study.ordered else [""] * len(labels)
    shown = [
        ShownLabel(each.value, each.display_text, each.swatch, each.exclusive, point)
        for each, point in zip(labels, points, strict=True)
    ]
    is_turned = study.ordered and is_reversed
    low, high = (study.high_label, study.low_label) if is_turned else (study.low_label, study.high_label)
    return Offered(
        tuple(reversed(shown) if is_turned else shown),
        study.ordered,
        study.shows_points,
        low,
        high,
        study.fewest,
        study.most,
    )
