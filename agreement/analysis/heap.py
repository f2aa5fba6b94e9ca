"""Keeping memory that was freed, for a process that ends with its work."""

from __future__ import annotations

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGEST = 1 << 30


def keep_freed_memory() -> None:
    """Let glibc reuse the room of large arrays, where it would give each back and fetch it anew, page by page.

    An analysis makes and drops thousands of arrays of some megabytes: a fifth of its time went into that. Not for a
    server or a worker, which would keep for ever what one analysis once needed. Without glibc it does nothing.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return
    mallopt(_M_MMAP_THRESHOLD, _LARGEST)
    mallopt(_M_TRIM_THRESHOLD, _LARGEST)
