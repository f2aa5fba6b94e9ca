"""Words of a text, as BLEU-1 to BLEU-4, ROUGE-L (COCO), METEOR and CIDEr-D compare them: one tokeniser for all."""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Protocol

TOKENISER = "lower case, split at blanks, punctuation dropped"

_INSIDE = frozenset("'-.,")  # stay within a word: it's, well-known, 3.5 and 1,000
_NOT_IN_NUMBER = re.compile(r"(?<!\d)[.,]|[.,](?!\d)")


def words_of(text: str) -> list[str]:
    """Lower case, split at blanks, punctuation and symbols dropped, in any script that puts blanks between words.

    An apostrophe or a hyphen within a word stays, a point or a comma within a number too.

    >>> words_of("The CAT's well-known mat, 3.5 m wide (or so).")
    ['the', "cat's", 'well-known', 'mat', '3.5', 'm', 'wide', 'or', 'so']
    """
    lower = unicodedata.normalize("NFC", text).lower().replace("\u2019", "'")
    spaced = _NOT_IN_NUMBER.sub(" ", "".join(map(_kept, lower)))
    return [word for word in (part.strip("'-") for part in spaced.split()) if word]


@lru_cache(maxsize=4096)
def _kept(character: str) -> str:
    """The character, or a blank for punctuation (Unicode's P), symbols (S) and what can't be seen (Z, C)."""
    return character if character in _INSIDE or unicodedata.category(character)[0] not in "PSZC" else " "


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


@cache
def _stemmer() -> _Stemmer:
    # Its import takes a twentieth of a second, for which only studies of texts have to wait.
    import snowballstemmer

    found: _Stemmer = snowballstemmer.stemmer("porter")
    return found


def stem_of(word: str) -> str:
    """Porter's stem (1980) of a lower-case English word.

    >>> stem_of("running"), stem_of("branches"), stem_of("dogs")
    ('run', 'branch', 'dog')
    """
    return _stemmer().stemWord(word)
