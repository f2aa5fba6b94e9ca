"""Writes an export to a file, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from annotation.errors import Refused


def write_to(path: Path, pieces: Iterable[bytes]) -> int:
    """A temporary file beside it, flushed to disk and renamed at the end; returns how many bytes."""
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise Refused(f"{path}: can't be written ({error.strerror})") from error
    size = 0
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in pieces:
                size += file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError as error:
        raise Refused(f"{path}: can't be written ({error.strerror})") from error
    finally:
        Path(temporary).unlink(missing_ok=True)
    return size
