"""The kinds of rule that a rule set is made of: one module each, found by walking the folder."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from ..rule import Rule


def _find_rules() -> Mapping[str, type[Rule]]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    rules: list[type[Rule]] = [module.RULE for module in modules]
    return MappingProxyType({rule.kind: rule for rule in rules})


RULES = _find_rules()
