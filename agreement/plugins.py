"""What packages beside this one add: commands on files, folders of presets, and makers of a preset's items.

A plug-in is a package whose module `plugin` has a `PLUGIN`. Whoever wants plug-ins names them in one list: the site in
its settings, the command line in its entry.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """Modules are named and not imported, so that a plug-in costs nothing before it is used.

    `commands` are the modules of commands on files, by the command's name. `item_makers` make items of a table that a
    preset has: `{"scenes": "package.module:function"}` is called with the tables `[[scenes]]`.
    """

    package: str
    commands: Mapping[str, str] = field(default_factory=dict)
    preset_folders: tuple[Path, ...] = ()
    item_makers: Mapping[str, str] = field(default_factory=dict)


def load_plugins(packages: Iterable[str]) -> list[Plugin]:
    return [importlib.import_module(f"{package}.plugin").PLUGIN for package in packages]


def import_function(name: str) -> Callable[..., Any]:
    """The function that `package.module:function` names.

    >>> import_function("json:dumps")([1])
    '[1]'
    """
    module, _, function = name.partition(":")
    member: Callable[..., object] = getattr(importlib.import_module(module), function)
    return member
