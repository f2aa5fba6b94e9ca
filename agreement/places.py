"""Where the parts of Touchstone stand: the site's code, the user's data, and the extras that are installed."""

from __future__ import annotations

import importlib.util
import os
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from .errors import ExtraMissing

PACKAGE = "touchstone-annotation"
SITE = Path(__file__).parent / "_site"
# What an extra brings that is asked for by name: enough to know whether it is installed.
EXTRAS = {
    "figures": ("vl_convert", "pikepdf"),
    "parquet": ("pyarrow",),
    "excel": ("python_calamine",),
    "server": ("django", "rest_framework", "drf_spectacular", "unfold", "celery", "granian", "whitenoise", "PIL"),
}


def is_installed() -> bool:
    """Whether this is the package in site-packages, and not the repository."""
    return SITE.is_dir()


def site_folder() -> Path:
    """The folder of `annotation`, `config` and the others: inside the package, or the repository's top."""
    return SITE if is_installed() else Path(__file__).parents[1]


def data_folder() -> Path:
    """Where a site keeps its database: `TOUCHSTONE_VAR`, else the user's folder, or the repository's `var`."""
    if chosen := os.environ.get("TOUCHSTONE_VAR"):
        return Path(chosen).absolute()
    return users_folder(os.environ) if is_installed() else site_folder() / "var"


def users_folder(environ: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The platform's folder for a user's data.

    >>> users_folder({"XDG_DATA_HOME": "/home/ada/data"}, "linux").as_posix()
    '/home/ada/data/touchstone'
    """
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "touchstone"
    data_home = environ.get("XDG_DATA_HOME", "")
    is_usable = data_home.startswith("/")  # a relative one is to be ignored, says the standard
    return (Path(data_home) if is_usable else Path.home() / ".local" / "share") / "touchstone"


@cache
def version() -> str:
    """Of the installed package, or of the repository."""
    if is_installed():
        return metadata.version(PACKAGE)
    project = tomllib.loads((site_folder() / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def __getattr__(name: str) -> str:
    """`__version__`, which nobody should wait for who doesn't ask."""
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def missing_of(extra: str) -> list[str]:
    """The modules of an extra that aren't installed."""
    return [name for name in EXTRAS[extra] if importlib.util.find_spec(name) is None]


def refuse_missing(extra: str) -> None:
    """`ExtraMissing` where an extra isn't installed."""
    if missing := missing_of(extra):
        raise ExtraMissing(f"This needs {', '.join(missing)}, which isn't installed: {install_hint(extra)}")


def install_hint(extra: str) -> str:
    """What to type to have an extra.

    >>> install_hint("server")
    "pip install 'touchstone-annotation[server]'"
    """
    return f"pip install '{PACKAGE}[{extra}]'"


def environment() -> dict[str, str]:
    """For processes that run the site's code: its folder first on the path, and never the folder they start in."""
    path = [str(site_folder()), *(entry for entry in sys.path if entry)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(path)), "PYTHONSAFEPATH": "1"}
