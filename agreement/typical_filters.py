"""The rules for an item's typical labels, by name; `agreement/gold/label_gold.py` has their formulas."""

from typing import Final, Literal, TypeAlias, get_args

Filter: TypeAlias = Literal["typical", "typical-viphy"]
FILTERS: tuple[Filter, ...] = get_args(Filter)
AS_PUBLISHED: Final = "typical"  # the rule as ViPhy's paper says it, unless a rule set says otherwise


def filter_named(name: str) -> Filter:
    """The rule of that name; of a rule set that names none the published one."""
    return next((each for each in FILTERS if each == name), AS_PUBLISHED)
