"""How properties are spelt before they are compared: and lists of words that models may be ranked over."""

import re
import unicodedata

from .errors import Refused

_SPACES = re.compile(r"\s+")
_EDGES = " \t.,;:!?\"'"


def normalised(name: str) -> str:
    """One spelling of a property: NFC, case folded, single spaces, no punctuation at its ends.

    >>> normalised("  Is  Green. "), normalised("is green")
    ('is green', 'is green')
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFC", name).casefold()).strip(_EDGES)


# Lists of words that models may be ranked over: a word on each line, spelt as properties are.

LONGEST_WORD = 200


def words_in(content: bytes, source: str) -> str:
    r"""The words of a file, one on each line and each once, in the file's order.

    >>> words_in(b"Green\n\nred\ngreen\n", "words.txt")
    'green\nred'
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"{source}: the file is not UTF-8 text") from error
    lines = text.splitlines()
    long = [
        f"{source}, row {at}: a word has {LONGEST_WORD} characters at most"
        for at, line in enumerate(lines, 1)
        if len(line) > LONGEST_WORD
    ]
    if long:
        raise Refused(long)
    words = list(dict.fromkeys(filter(None, map(normalised, lines))))
    if not words:
        raise Refused(f"{source}: there is no word in it; write one on each line")
    return "\n".join(words)
