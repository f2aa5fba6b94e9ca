"""Keeping memory that was freed, for a process that ends with its work."""

from __future__ import annotations

import ctypes
import sys

_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
_NEVER = -1


def keep_freed_memory() -> None:
    """Let glibc reuse the room of large arrays, where it would give each back and fetch it anew, page by page.

    An analysis makes and drops thousands of large arrays: a fifth of its time went into that, and more where judgments
    are many. Higher thresholds alone would not do: glibc takes none above 32 MB. Not for a server or a worker, which
    would keep for ever what one analysis once needed. Without glibc it does nothing.
    """
    if libc := _glibc():
        libc.mallopt(_M_MMAP_MAX, 0)
        libc.mallopt(_M_TRIM_THRESHOLD, _NEVER)


def give_back_freed_memory() -> None:
    """Before forking: what a child writes into freed memory would be copied first, page by page."""
    if libc := _glibc():
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        libc = ctypes.CDLL(None)
    except OSError:
        return None
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None
