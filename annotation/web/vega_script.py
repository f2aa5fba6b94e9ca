"""The script that draws figures on pages: it comes with the library that draws them for reports, and is served by us.

Nothing is vendored and nothing is fetched: the script is written once for each version of the library, and then found,
hashed and compressed as every static file is.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage

NAME = "desk/vega.js"
# In a process of its own: a process that the library has run in must not fork.
WRITE = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"
SECONDS = 60


def folder() -> Path:
    return settings.VAR_DIR / "scripts" / f"vl-convert-{version('vl-convert-python')}"


def written_script() -> Path:
    """Where the script is. Two processes may write it at once: each puts a whole file in its place."""
    file = folder() / NAME
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        script = subprocess.run(  # noqa: S603 - this Python itself
            [sys.executable, "-c", WRITE],
            capture_output=True,
            check=True,
            timeout=SECONDS,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        ).stdout
        unfinished = file.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(script)
        unfinished.replace(file)
    return file


class VegaScript(BaseFinder):
    """Finds the one file that is written here."""

    def find(self, path: str, find_all: bool = False, **_kwargs: object) -> Any:  # noqa: FBT001, FBT002 - Django's
        paths = [str(written_script())] if path == NAME else []
        return paths if find_all else next(iter(paths), [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        if not matches_patterns(NAME, ignore_patterns or ()):
            written_script()
            yield NAME, FileSystemStorage(location=folder())
