"""Texts beside their references, counted once: what BLEU, ROUGE-L, METEOR and CIDEr-D are made of, summed in any way.

A row is one text that is held against its references. What a pair of texts has (n-grams in common, the longest common
subsequence, METEOR, CIDEr-D) is counted once, however many rows need it; a row's counts follow from its pairs, also
when some references are left out.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import Bools, Floats, Ints, divide
from .groups import Groups
from .text_metrics import common_length, meteor, places_of, stem_of, words_of

ORDERS = 4
BETA = 1.2  # of ROUGE-L: recall weighs 1.44 times as much as precision (Chen et al. 2015)
SIGMA = 6.0  # of CIDEr-D's penalty for another length (Vedantam et al. 2015)

# The columns of a row's counts, which may be summed over rows.
ROWS = 0
MATCHES, GRAMS = slice(1, 1 + ORDERS), slice(1 + ORDERS, 1 + 2 * ORDERS)
LENGTH, REFERENCE_LENGTH = 1 + 2 * ORDERS, 2 + 2 * ORDERS
ROUGE_L, METEOR, CIDER_D, PRECISION, CLIPPED_PRECISION = range(3 + 2 * ORDERS, 8 + 2 * ORDERS)
COLUMNS = CLIPPED_PRECISION + 1


@dataclass(frozen=True, eq=False)
class TextCorpus:
    """T different texts with their n-grams, orders 1 to 4, and the weight of each n-gram; `uses` [T] of each text.

    `cell_*` [C] are a text, an n-gram in it and how often it is there, sorted by both. `weight` [G] is
    log N - log max(1, df): N items, df of them with the n-gram in a reference.
    """

    words: list[list[str]]
    code: dict[str, int]
    uses: Floats
    cell_text: npt.NDArray[np.int64]
    cell_gram: npt.NDArray[np.int64]
    cell_count: Floats
    order: npt.NDArray[np.int64]
    weight: Floats
    n_items: int

    @classmethod
    def of(
        cls,
        texts: Sequence[str],
        references: Sequence[Sequence[str]],
        tokenise: Callable[[str], list[str]] = words_of,
    ) -> "TextCorpus":
        """Of the references of each item, and of other texts."""
        uses = Counter(text for item in references for text in item)
        uses.update(texts)
        code = {text: number for number, text in enumerate(uses)}
        words = [tokenise(text) for text in uses]
        text, gram, order = _grams(words)
        G = len(order)
        cells, count = np.unique(text * G + gram, return_counts=True)
        cell_text, cell_gram = np.divmod(cells, max(G, 1))
        N = sum(bool(item) for item in references)
        df = _items_with(cell_text, cell_gram, G, [[code[each] for each in item] for item in references])
        weight = np.log(max(N, 1)) - np.log(np.maximum(df, 1.0))
        return cls(
            words,
            code,
            np.array([*uses.values()], dtype=np.float64),
            cell_text,
            cell_gram,
            count.astype(np.float64),
            order,
            weight,
            N,
        )

    def codes(self, texts: Sequence[str]) -> npt.NDArray[np.int64]:
        return np.array([self.code[text] for text in texts], dtype=np.int64)

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """[T] words of each text."""
        return np.array([len(words) for words in self.words], dtype=np.int64)

    @cached_property
    def stems(self) -> list[list[str]]:
        """[T] the Porter stems of each text's words; each word is stemmed once."""
        stem = {word: stem_of(word) for word in {word for words in self.words for word in words}}
        return [[stem[word] for word in words] for words in self.words]

    @cached_property
    def grams_of(self) -> Floats:
        """[T, 4] how many n-grams each text has."""
        return np.asarray(np.maximum(self.lengths[:, None] - np.arange(ORDERS), 0), dtype=np.float64)

    @cached_property
    def norms(self) -> Floats:
        """[T, 4] the length of each text's vector of weighted n-grams."""
        place = self.cell_text * ORDERS + self.order[self.cell_gram]
        squares = np.square(self.cell_count * self.weight[self.cell_gram])
        sums = np.bincount(place, squares, len(self.words) * ORDERS)
        return np.asarray(np.sqrt(sums).reshape(-1, ORDERS))

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """[T + 1] where each text's cells begin, of those in `shared`."""
        return np.searchsorted(self.shared[0], np.arange(len(self.words) + 1))

    @cached_property
    def shared(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats]:
        """The cells whose n-gram is in two texts or more, or in one that is there twice: no other can match."""
        several = np.bincount(self.cell_gram, self.uses[self.cell_text], len(self.order))[self.cell_gram] > 1
        return self.cell_text[several], self.cell_gram[several], self.cell_count[several]


def _grams(words: list[list[str]]) -> tuple[Ints, Ints, npt.NDArray[np.int64]]:
    """The text and the n-gram at each place of each order, and [G] the order of each n-gram, less one."""
    vocabulary: dict[str, int] = {}
    flat = np.array([vocabulary.setdefault(word, len(vocabulary)) for text in words for word in text], dtype=np.int64)
    of = np.repeat(np.arange(len(words)), [len(text) for text in words])
    begins, found_of, found_gram, orders = flat, [of], [flat], [np.zeros(len(vocabulary), dtype=np.int64)]
    for n in range(1, ORDERS):
        # An n-gram is the one before it and the word behind; it ends in the text in which it began.
        within = of[: max(len(flat) - n, 0)] == of[n:]
        behind = begins[: len(flat) - n] * max(len(vocabulary), 1) + flat[n:]
        _, gram = np.unique(behind, return_inverse=True)
        begins = gram
        kept, distinct = gram[within], np.unique(gram[within], return_inverse=True)[1]
        found_of.append(of[: len(within)][within])
        found_gram.append(distinct + sum(map(len, orders)))
        orders.append(np.full(len(np.unique(kept)), n, dtype=np.int64))
    return np.concatenate(found_of), np.concatenate(found_gram), np.concatenate(orders)


def _items_with(cell_text: Ints, cell_gram: Ints, G: int, references: list[list[int]]) -> Floats:
    """[G] how many items have the n-gram in any of their references."""
    item = np.repeat(np.arange(len(references)), [len(each) for each in references])
    text = np.array([one for each in references for one in each], dtype=np.int64)
    starts = np.searchsorted(cell_text, np.arange(int(cell_text.max(initial=-1)) + 2))
    which, cells = _expand_cells(starts, text) if len(text) else (np.zeros(0, dtype=np.int64),) * 2
    keys = np.unique(item[which] * G + cell_gram[cells])
    return np.bincount(keys % max(G, 1), minlength=G).astype(np.float64)


def _expand_cells(starts: npt.NDArray[np.int64], text: Ints) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For each of some texts all of its cells: [K] which of the texts, and the cell. A text without cells has none."""
    ends = np.append(starts, starts[-1])
    first, n = ends[np.minimum(text, len(starts) - 1)], ends[np.minimum(text + 1, len(starts))]
    n = n - first
    which = np.repeat(np.arange(len(text)), n)
    within = np.arange(len(which)) - np.repeat(np.cumsum(n) - n, n)
    return which, first[which] + within


def pairs_within(item: Ints, worker: Ints) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """[P] and [P]: each text, and each text of its item by another worker; by the first, each in the order given.

    >>> [side.tolist() for side in pairs_within(np.array([0, 1, 0]), np.array([0, 0, 1]))]
    [[0, 2], [2, 0]]
    """
    order = np.argsort(item, kind="stable")
    _, first, of, sizes = np.unique(item[order], return_index=True, return_inverse=True, return_counts=True)
    n = sizes[of] if len(item) else np.zeros(0, dtype=np.int64)
    row = np.repeat(order, n)
    within = np.arange(len(row)) - np.repeat(np.cumsum(n) - n, n)
    other = order[np.repeat(first[of] if len(item) else n, n) + within] if len(row) else row
    apart = worker[row] != worker[other]
    row, other = row[apart], other[apart]
    by_row = np.argsort(row, kind="stable")
    return row[by_row].astype(np.int64), other[by_row].astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _PairCounts:
    """Of U pairs of a text and a reference: what they have in common, and [S] the n-grams that they share."""

    precision: Floats
    recall: Floats
    meteor: Floats
    cider_d: Floats
    pair: npt.NDArray[np.int64]
    gram: npt.NDArray[np.int64]
    in_text: Floats
    in_both: Floats


def _pair_counts(corpus: TextCorpus, text: Ints, reference: Ints) -> _PairCounts:
    places: dict[int, dict[str, int]] = {}
    words, stems = corpus.words, corpus.stems
    common, alignment = np.zeros(len(text)), np.zeros(len(text))
    for index, (ours, theirs) in enumerate(zip(text.tolist(), reference.tolist(), strict=True)):
        if ours not in places:
            places[ours] = places_of(words[ours])
        common[index] = common_length(places[ours], len(words[ours]), words[theirs])
        if not set(stems[ours]).isdisjoint(stems[theirs]):
            alignment[index] = meteor(words[ours], stems[ours], words[theirs], stems[theirs])
    shared_text, shared_gram, shared_count = corpus.shared
    G = max(len(corpus.order), 1)
    pair, cell = _expand_cells(corpus.starts, text)
    wanted = reference[pair] * G + shared_gram[cell]
    keys = shared_text * G + shared_gram
    matches = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    hit = keys[matches] == wanted if len(keys) else np.zeros(len(wanted), dtype=np.bool_)
    pair, gram, c, r = pair[hit], shared_gram[cell[hit]], shared_count[cell[hit]], shared_count[matches[hit]]
    # CIDEr-D: sum min(c, r) r w^2 / (|c| |r|) of each order, its mean over orders, less for another length.
    products = np.minimum(c, r) * r * np.square(corpus.weight[gram])
    sums = np.bincount(pair * ORDERS + corpus.order[gram], products, len(text) * ORDERS).reshape(-1, ORDERS)
    cosine = np.nan_to_num(divide(sums, corpus.norms[text] * corpus.norms[reference]))
    apart = corpus.lengths[text] - corpus.lengths[reference]
    cider_d = 10 * cosine.mean(axis=1) * np.exp(-np.square(apart) / (2 * SIGMA**2))
    P, R = (np.nan_to_num(divide(common, corpus.lengths[side])) for side in (text, reference))
    return _PairCounts(P, R, alignment, cider_d, pair, gram, c, np.minimum(c, r))


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
    """R texts, each against references of its own; `reference` of a pair is a number by which one may be left out."""

    n: int
    grams: Floats
    length: npt.NDArray[np.int64]
    groups: Groups
    pair: npt.NDArray[np.int64]
    reference: npt.NDArray[np.int64]
    its_length: npt.NDArray[np.int64]
    counts: _PairCounts
    cells: Groups
    cell_row: npt.NDArray[np.int64]
    cell_order: npt.NDArray[np.int64]
    cell_count: Floats
    in_both: Floats
    of: npt.NDArray[np.int64]

    @classmethod
    def paired(
        cls, corpus: TextCorpus, texts: Sequence[str], row: Ints, reference: Ints, its: Sequence[str]
    ) -> "TextRows":
        """`texts` [R]; [P] the row and the reference of each pair, rows in order; `its` are all references' texts."""
        ours, theirs = corpus.codes(texts), corpus.codes(its)[reference] if len(its) else np.zeros(0, dtype=np.int64)
        T = max(len(corpus.words), 1)
        both, pair = np.unique(ours[row] * T + theirs, return_inverse=True)
        counts = _pair_counts(corpus, *np.divmod(both, T))
        starts = np.searchsorted(counts.pair, np.arange(len(both) + 1))
        which, entries = _expand_cells(starts, pair)
        G = max(len(corpus.order), 1)
        key = row[which] * G + counts.gram[entries]
        order = np.argsort(key, kind="stable")
        key, which, entries = key[order], which[order], entries[order]
        first = np.flatnonzero(np.diff(key, prepend=-1))
        cells = Groups(np.append(first, len(key)))
        return cls(
            n=len(texts),
            grams=corpus.grams_of[ours],
            length=corpus.lengths[ours],
            groups=Groups.of_sorted(row, len(texts)),
            pair=pair,
            reference=reference.astype(np.int64),
            its_length=corpus.lengths[theirs],
            counts=counts,
            cells=cells,
            cell_row=key[first] // G,
            cell_order=corpus.order[key[first] % G],
            cell_count=counts.in_text[entries[first]],
            in_both=counts.in_both[entries],
            of=which,
        )

    def summed(self, keep: Bools | None = None) -> Floats:
        """[R, COLUMNS] each row's counts against the references that `keep` marks; zeros for a row that has none."""
        is_kept = np.ones(len(self.pair), dtype=np.bool_) if keep is None else keep[self.reference]
        out = np.zeros((self.n, COLUMNS))
        has = self.groups.sum(is_kept.astype(np.float64))
        best = {
            column: self.groups.largest(np.where(is_kept, values[self.pair], 0.0))
            for column, values in (("P", self.counts.precision), ("R", self.counts.recall), ("M", self.counts.meteor))
        }
        P, R = best["P"], best["R"]
        clipped = self.cells.largest(np.where(is_kept[self.of], self.in_both, 0.0))
        matches = np.bincount(self.cell_row * ORDERS + self.cell_order, clipped, self.n * ORDERS).reshape(-1, ORDERS)
        of_words = (self.cell_order == 0) & (clipped > 0)
        occurring = np.bincount(self.cell_row[of_words], self.cell_count[of_words], self.n)
        out[:, ROWS] = 1
        out[:, MATCHES], out[:, GRAMS], out[:, LENGTH] = matches, self.grams, self.length
        out[:, REFERENCE_LENGTH] = self._closest(is_kept)
        out[:, ROUGE_L] = np.nan_to_num(divide((1 + BETA**2) * P * R, R + BETA**2 * P))
        out[:, METEOR] = best["M"]
        out[:, CIDER_D] = np.nan_to_num(
            divide(self.groups.sum(np.where(is_kept, self.counts.cider_d[self.pair], 0.0)), has)
        )
        out[:, PRECISION] = np.nan_to_num(divide(occurring, self.length))
        out[:, CLIPPED_PRECISION] = np.nan_to_num(divide(matches[:, 0], self.length))
        return np.where((has > 0)[:, None], out, 0.0)

    def _closest(self, is_kept: Bools) -> Floats:
        """[R] the length of the reference that is closest in length, of two equally close the shorter."""
        scale = float(self.its_length.max(initial=0) + 1)
        apart = np.abs(self.its_length - self.groups.spread(self.length))
        least = -self.groups.largest(np.where(is_kept, -(apart * scale + self.its_length), -np.inf), empty=-np.inf)
        return np.asarray(np.where(np.isfinite(least), least, 0.0) % scale)
