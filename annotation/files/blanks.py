"""Texts in which nothing can be seen: empty, spaces, and characters that have no width."""

import unicodedata

# Controls, joiners and marks of direction; spaces and line ends of every kind.
INVISIBLE = {"Cc", "Cf", "Zs", "Zl", "Zp"}
# Letters and symbols by their category that are drawn as nothing.
BLANK_SIGNS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00\ufe0e\ufe0f\uffa0")


def is_blank(text: str) -> bool:
    """Whether a reader of the text would see nothing.

    >>> is_blank(" \u200b"), is_blank("\u00e9")
    (True, False)
    """
    if text.isascii():
        return not text.strip()
    return all(letter in BLANK_SIGNS or unicodedata.category(letter) in INVISIBLE for letter in text)
