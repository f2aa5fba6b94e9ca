"""One package under two names, and one copy of each of its modules: a class that is two classes is equal to neither.

In the repository the library is `agreement`, in site-packages `touchstone_annotation`. What imports it by its other
name gets the modules that are already there, or imports them by their real name.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Alias(MetaPathFinder):
    def __init__(self, name: str, real: str) -> None:
        self.name = name
        self.real = real

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002  the import system's
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        package, _, rest = fullname.partition(".")
        if package != self.name:
            return None
        return ModuleSpec(fullname, _SameModule(f"{self.real}.{rest}" if rest else self.real))


class _SameModule(Loader):
    """Gives the module of the real name, which keeps its own spec: the import system would set the alias's."""

    def __init__(self, real: str) -> None:
        self.real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType:  # noqa: ARG002
        module = import_module(self.real)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec


def alias(name: str, real: str) -> None:
    """Make the package `name`, and whatever is in it, another name of the package `real`."""
    if not any(isinstance(finder, _Alias) and finder.name == name for finder in sys.meta_path):
        sys.meta_path.insert(0, _Alias(name, real))
    sys.modules[name] = import_module(real)
