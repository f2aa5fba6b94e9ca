"""Which names of metrics nothing computes, each in a sentence with the nearest name that there is."""

from collections.abc import Sequence
from difflib import get_close_matches


def unknown_metrics(names: Sequence[str]) -> list[str]:
    from .metrics import METRICS, is_metric  # whoever changes a study alone loads them

    unknown = [name for name in names if not is_metric(name)]
    near = {name: get_close_matches(name, METRICS, 1) for name in unknown}
    return [f"There is no metric {name}.{f' Is it {near[name][0]}?' if near[name] else ''}" for name in unknown]
