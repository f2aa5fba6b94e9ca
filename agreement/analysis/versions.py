"""What an analysis was made with: the versions that a reader needs to make it again."""

from __future__ import annotations

import platform
import tomllib
from importlib import metadata
from pathlib import Path

_PACKAGES = ("numpy", "scipy", "pandas", "statsmodels", "krippendorff")
_PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def versions() -> dict[str, str]:
    """Touchstone's, Python's and the numerical packages' versions, and the kind of machine."""
    found = {"touchstone": _own(), "python": platform.python_version()}
    found |= {name: metadata.version(name) for name in _PACKAGES}
    return found | {"machine": f"{platform.system()} {platform.machine()}"}


def _own() -> str:
    project = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]
    return str(project["version"])
