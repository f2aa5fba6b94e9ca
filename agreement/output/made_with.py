"""What made a bundle: the version, the packages that figures and pictures rest on, and the kind of machine."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from ..places import SITE, version

# Whatever computes a figure, writes a table or draws a picture.
PACKAGES = (
    "numpy", "scipy", "pandas", "statsmodels", "krippendorff", "sacrebleu", "snowballstemmer", "jinja2", "markupsafe",
    "vl-convert-python", "pikepdf",
)  # fmt: skip
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "~/.fonts", "~/.local/share/fonts")
# Features of a processor by which the numerical packages choose how they compute, the newest first.
FEATURES = ("avx512f", "avx2")
FONTS = "fonts"


def software_record() -> dict[str, str]:
    """By which a bundle's files come out the same to the byte, where all of it is the same.

    >>> [*software_record()]
    ['touchstone', 'code', 'lock', 'python', 'platform', 'processor', 'fonts']
    """
    return dict(_software_record())


def differing(theirs: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """The names of what isn't the same.

    >>> differing({"python": "3.11.7", "lock": "a"}, {"python": "3.12.1", "lock": "a"})
    ['python']
    """
    return [name for name in {**theirs, **ours} if theirs.get(name) != ours.get(name)]


@cache
def _software_record() -> Mapping[str, str]:
    libc = " ".join(platform.libc_ver())
    return {
        "touchstone": version(),
        "code": _own_files(),
        "lock": _sha256(f"{name}=={_version_of(name)}" for name in PACKAGES),
        "python": platform.python_version(),
        "platform": " ".join(filter(None, (platform.system(), libc))),
        "processor": _processor(),
        FONTS: _fonts(),
    }


def _own_files() -> str:
    """The SHA-256 of the library's own files, for one version may be many states of a repository."""
    folder = Path(__file__).parents[1]
    paths = [
        path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc" and SITE not in path.parents
    ]
    hashed = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}
    return _sha256(f"{sha256}  {name}" for name, sha256 in sorted(hashed.items()))


def _version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    """Its kind, and of what the numerical packages look for the newest that it has."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split()
    except OSError:  # no Linux
        flags = []
    newest = next((feature for feature in FEATURES if feature in flags), "")
    return " ".join(filter(None, (platform.machine(), newest)))


def _fonts() -> str:
    """The SHA-256 of the names and sizes of the machine's fonts, in which letters beyond Latin are drawn."""
    folders = [Path(name).expanduser() for name in FONT_FOLDERS]
    files = [path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file()]
    return _sha256(sorted(f"{path.name} {path.stat().st_size}" for path in files))


def _sha256(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
