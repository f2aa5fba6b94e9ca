"""Ids by which a platform knows a person: Prolific's, Mechanical Turk's, and addresses of e-mail."""

from __future__ import annotations

import re

PROLIFIC = r"[0-9a-f]{24}"
MTURK = r"A[A-Z0-9]{12,14}"
E_MAIL = r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
HIDDEN = "(an id that is not shown)"
WHOLE = re.compile(rf"\s*(?:{PROLIFIC}|{MTURK}|{E_MAIL})\s*")
# In the midst of a text a word in capitals is no id, and a number of 24 digits is none.
WITHIN = re.compile(
    rf"(?<![0-9A-Za-z])(?:(?=[0-9]*[a-f]){PROLIFIC}|(?=[A-Z]*[0-9]){MTURK})(?![0-9A-Za-z])|(?<![A-Za-z0-9._%+-]){E_MAIL}"
)
IN_CAPITALS = re.compile(rf"(?<![0-9A-Za-z]){MTURK}(?![0-9A-Za-z])")  # which may be a word


def is_platform_id(text: str) -> bool:
    """Whether a cell looks like one.

    >>> [is_platform_id(text) for text in ("5f2b1c0d9e8a7b6c5d4e3f2a", "A2ZDEERVRN5AMC", "ann@uni.example.org", "w12")]
    [True, True, True, False]
    """
    return WHOLE.fullmatch(text) is not None
