"""An answer as a file: under a name of its own until all of it is there."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    import pandas as pd

NAME = re.compile(r'filename="([^"/\\]+)"')


def download(response: httpx.Response, to: Path, progress: Callable[[int], None] | None = None) -> Path:
    """Write the answer to a file, or into a folder under the name that the site gives it."""
    if to.is_dir():
        named = NAME.search(response.headers.get("Content-Disposition", ""))
        to = to / (named[1] if named else "export")
    size = 0
    with _whole(to) as out:
        for piece in response.iter_bytes():
            size += out.write(piece)
            if progress is not None:
                progress(size)
    return to


def write_parquet(frame: pd.DataFrame, to: Path) -> Path:
    """Write a frame as Parquet, without its index."""
    with _whole(to) as out:
        frame.to_parquet(out, index=False)
    return to


@contextmanager
def _whole(to: Path) -> Iterator[IO[bytes]]:
    """A file that has its name once it is written, and is gone if that fails."""
    descriptor, name = tempfile.mkstemp(prefix=f".{to.name}.", dir=to.parent)
    partial = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as out:
            yield out
        partial.chmod(0o666 & ~_umask())
        partial.replace(to)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
