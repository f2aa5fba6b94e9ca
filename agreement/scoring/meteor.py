"""Words of a text, and METEOR of two texts with the modules exact and stem."""

import re
import unicodedata
from collections.abc import Sequence
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


# METEOR of two texts with the modules exact and stem: words are aligned, and many short runs of them cost a
# part.

# Banerjee and Lavie 2005: recall weighs nine times as much as precision, and m matches in ch runs cost .5 (ch / m)^3.
RECALL_WEIGHT = 0.9
PENALTY = 0.5
STATES = 40  # alignments followed at once; texts that repeat no word have one

_State = tuple[int, int]  # which words of the reference are taken, as bits, and which one the last word took
_NONE = -2  # so that no word stands right behind it


def meteor(words: Sequence[str], stems: Sequence[str], reference: Sequence[str], its_stems: Sequence[str]) -> float:
    """F (1 - .5 (ch / m)^3), F = P R / (.9 P + .1 R), P = m / words of the text, R = m / words of the reference.

    >>> a, b = "a bird on a branch".split(), "a red bird sits on a branch".split()
    >>> round(meteor(a, a, b, b), 6)
    0.655882
    """
    m, runs = aligned(words, stems, reference, its_stems)
    if not m:
        return 0.0
    P, R = m / len(words), m / len(reference)
    F = P * R / (RECALL_WEIGHT * P + (1 - RECALL_WEIGHT) * R)
    return F * (1 - PENALTY * (runs / m) ** 3)


def aligned(
    words: Sequence[str], stems: Sequence[str], reference: Sequence[str], its_stems: Sequence[str]
) -> tuple[int, int]:
    """Matches and runs of the alignment with the most matches; of several the most exact ones, then the fewest runs.

    Words match that are equal or have one stem. A run is matches that stand side by side, in one order, in both texts.

    >>> a, b = "the cat sat on the mat".split(), "on the mat sat the cat".split()
    >>> aligned(a, a, b, b)
    (6, 3)
    """
    places: dict[str, list[int]] = {}
    for at, stem in enumerate(its_stems):
        places.setdefault(stem, []).append(at)
    left = {stem: stems.count(stem) for stem in places.keys() & set(stems)}
    if all(count == 1 and len(places[stem]) == 1 for stem, count in left.items()):
        taken = [places[stem][0] if stem in left else _NONE for stem in stems]
        return len(left), _runs(taken)
    return _searched(words, stems, reference, places, left)


def _runs(taken: Sequence[int]) -> int:
    before, runs = _NONE, 0
    for at in taken:
        runs += at != _NONE and at != before + 1
        before = at
    return runs


def _searched(
    words: Sequence[str],
    stems: Sequence[str],
    reference: Sequence[str],
    places: dict[str, list[int]],
    left: dict[str, int],
) -> tuple[int, int]:
    """Word by word through the text, the best alignments so far beside each other: where words are repeated.

    `left` has how often each stem still comes in the text. A word is passed over only where the rest has enough of it,
    so that every alignment ends with the most matches.
    """
    states: dict[_State, tuple[int, int]] = {(0, _NONE): (0, 0)}  # less exact matches, runs: the smallest is best
    for word, stem in zip(words, stems, strict=True):
        found: dict[_State, tuple[int, int]] = {}
        for (taken, last), (exact, runs) in states.items():
            free = [at for at in places.get(stem, ()) if not taken >> at & 1]
            steps = [((taken | 1 << at, at), (exact - (reference[at] == word), runs + (at != last + 1))) for at in free]
            if left.get(stem, 0) > len(free) or not free:
                steps.append(((taken, _NONE), (exact, runs)))
            for state, cost in steps:
                if state not in found or cost < found[state]:
                    found[state] = cost
        if stem in left:
            left[stem] -= 1
        if len(found) > STATES:
            found = dict(sorted(found.items(), key=lambda each: (each[1], each[0]))[:STATES])
        states = found
    (taken, _), (_, runs) = min(states.items(), key=lambda each: (each[1], each[0]))
    return taken.bit_count(), runs
