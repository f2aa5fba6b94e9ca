"""One package under two names with one copy of each of its modules, and names of a package that are imported late.

In the repository the library is `agreement`, in site-packages `touchstone_annotation`. What imports it by its other
name gets the modules that are already there, or imports them by their real name: a class that is two classes is equal
to neither.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
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


# Packages that give names of their modules import a module when one of its names is asked for. A command that
# needs one function then starts without all the others: `manage.py export` in 0.7 s of a processor and 80 MB,
# and not in 1.7 s and 220 MB.


def late_imports(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The package's `__getattr__`; no name may be that of a module too, which Python would give instead."""
    homes = {name: module for module, names in modules.items() for name in names}

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get
