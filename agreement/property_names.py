"""How properties are spelt before they are compared: one spelling for what people wrote in several."""

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_EDGES = " \t.,;:!?\"'"


def normalised(name: str) -> str:
    """One spelling of a property: NFC, case folded, single spaces, no punctuation at its ends.

    >>> normalised("  Is  Green. "), normalised("is green")
    ('is green', 'is green')
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFC", name).casefold()).strip(_EDGES)
