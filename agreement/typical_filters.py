"""The rules for an item's typical labels, by name; `agreement/gold/typical_labels.py` has their formulas."""

from typing import Final, Literal, TypeAlias, get_args

Filter: TypeAlias = Literal["typical", "typical-viphy"]
FILTERS: tuple[Filter, ...] = get_args(Filter)
AS_PUBLISHED: Final = "typical"  # the rule as ViPhy's paper says it, unless a rule set says otherwise
