"""The vices of simulated people: one module each, found by walking the folder."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from simulation.vice import Vice


def _found() -> Mapping[str, Vice]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    vices: list[Vice] = [module.VICE for module in modules]
    return MappingProxyType({vice.name: vice for vice in sorted(vices, key=lambda vice: vice.name)})


VICES = _found()
