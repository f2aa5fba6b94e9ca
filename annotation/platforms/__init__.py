"""Where people come from and go back to: one module per platform, one shape for all, found by walking the folder."""

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from annotation.platforms.shape import Arrival, BadArrival, CantTell, Ending, Entrance, Handback, Outcome, Platform

OWN_LINKS = "direct"  # where people come by links of this site


def _platforms_of_modules() -> Mapping[str, Platform]:
    modules = [import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    platforms: list[Platform] = [module.PLATFORM for module in modules if hasattr(module, "PLATFORM")]
    return MappingProxyType({platform.key: platform for platform in sorted(platforms, key=lambda each: each.order)})


PLATFORMS = _platforms_of_modules()


def choices() -> list[tuple[str, str]]:
    return [(platform.key, platform.title) for platform in PLATFORMS.values()]


__all__ = [
    "OWN_LINKS",
    "PLATFORMS",
    "Arrival",
    "BadArrival",
    "CantTell",
    "Ending",
    "Entrance",
    "Handback",
    "Outcome",
    "Platform",
    "choices",
]
