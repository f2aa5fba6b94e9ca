"""The metrics of scores: a module for each family, found by walking the folder, and what is asked of any of them."""

import pkgutil
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType

import numpy as np

from ..jackknifed_metric import JackknifedMetric
from ..metric import BESIDE_THE_MEAN, Family, Metric, Outputs, Rows


def _find_families() -> Mapping[str, Family]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    families: list[Family] = [module.FAMILY for module in modules]
    return MappingProxyType({family.gold or family.shape: family for family in families})


FAMILIES = _find_families()
METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.name: metric for family in FAMILIES.values() for metric in family.metrics}
)
_PEOPLES = {metric.person: metric.person_title or metric.title for metric in METRICS.values() if metric.person}
_TITLES = {**_PEOPLES, **{metric.name: metric.title for metric in METRICS.values()}}


def title_of(metric: str) -> str:
    """A metric, of a probe or of a person, as people call it; also one that a stored score has and nobody declares.

    >>> title_of("f1"), title_of("f1_macro"), title_of("jensen_shannon_of_shares")
    ('macro F1', 'macro F1', 'Jensen-Shannon divergence of shares')
    >>> title_of("accuracy_sd")
    'accuracy sd'
    """
    return _TITLES.get(metric, metric.replace("_", " "))


def is_metric(name: str) -> bool:
    """Whether probes or people are scored by it; spreads and maxima over templates or runs are called as their metric.

    >>> is_metric("f1_macro"), is_metric("accuracy_sd"), is_metric("acuracy")
    (True, True, False)
    """
    for end in BESIDE_THE_MEAN:
        name = name.removesuffix(end)
    return name in _TITLES


def ranks(metric: str) -> bool:
    """Whether probes can be ranked by it: spreads and maxima over templates or runs rank nothing."""
    return METRICS[metric].ranks if metric in METRICS else not metric.endswith(BESIDE_THE_MEAN)


def smaller_is_better(metric: str) -> bool:
    return metric in METRICS and METRICS[metric].smaller_is_better


def missing_is_wrong(metric: str) -> bool:
    """Whether an item without an output is wrong, so that a probe which misses some may be ranked."""
    return metric in METRICS and METRICS[metric].missing_is_wrong


def has_upper_bound(metric: str) -> bool:
    return metric in METRICS and METRICS[metric].has_upper_bound


def is_in_words(metric: str) -> bool:
    """Whether methods.md and the terminal give it a line; a figure beside a mean goes as its metric does."""
    name = metric
    for end in BESIDE_THE_MEAN:
        name = name.removesuffix(end)
    return name not in METRICS or METRICS[name].is_in_words


def measured_parts(outputs: Outputs, members: Sequence[Rows]) -> list[dict[str, JackknifedMetric]]:
    """Every metric in each group of items, by the family of its gold, or of the probe where gold takes two shapes."""
    family = _family_of(outputs)
    if family.against_gold is None:
        raise ValueError(f"{family.shape} are held against no gold")
    return family.against_gold(outputs, members)


def figures_alone(outputs: Outputs) -> dict[str, float]:
    """Every metric's figure over all items, without what intervals need."""
    family = _family_of(outputs)
    if family.figures_alone is not None:
        return family.figures_alone(outputs)
    [measured] = measured_parts(outputs, [np.arange(len(outputs.gold))])
    return {name: metric.theta for name, metric in measured.items()}


def _family_of(outputs: Outputs) -> Family:
    shape, gold = outputs.probe.shape, outputs.gold
    return FAMILIES[gold.scored_as if shape == gold.takes else shape]
