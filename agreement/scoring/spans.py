"""Sets of spans: constituents of a parse, or any texts that stand for parts of an item, and what two sets share."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from ..arrays import Floats, divide

Spans = Mapping[str, int]  # each span with how often it is there

NO_CONSTITUENTS = frozenset({"", "TOP", "ROOT"})  # what only holds a tree together


def without_label(span: str) -> str:
    """A span without its label, which is what stands before the last colon.

    >>> without_label("NP:0-2"), without_label("0-2")
    ('0-2', '0-2')
    """
    return span.rpartition(":")[2]


def constituents(tree: str) -> tuple[list[str], int]:
    """The labelled spans of a tree in brackets, and how many words it has; ValueError where it isn't one.

    A part of speech, a node that holds a word, is no constituent, nor is a node without a label or called TOP or ROOT.
    A node over the same words as another with its label counts like any.

    >>> constituents("(S (NP (DT the) (NN dog)) (VP (VBZ runs)))")
    (['NP:0-2', 'VP:2-3', 'S:0-3'], 3)
    """
    reader = _Reader()
    for token in tree.replace("(", " ( ").replace(")", " ) ").split():
        reader.take(token)
    if not reader.is_done:
        raise ValueError(f"leaves {len(reader.open)} brackets open" if reader.open else "is empty")
    return reader.spans, reader.words


class _Node:
    """A node whose bracket is open, from its first word on."""

    def __init__(self, start: int) -> None:
        self.start, self.label = start, ""
        self.holds_nodes = self.holds_word = False


class _Reader:
    """Reads a tree's brackets and words one after the other."""

    def __init__(self) -> None:
        self.spans: list[str] = []
        self.open: list[_Node] = []
        self.words, self.is_done = 0, False

    def take(self, token: str) -> None:
        if self.is_done:
            raise ValueError(f"goes on after its last bracket: {token!r}")
        if token == "(":  # noqa: S105 - a bracket
            if self.open:
                self.open[-1].holds_nodes = True
            self.open.append(_Node(self.words))
        elif not self.open:
            raise ValueError("doesn't begin with a bracket")
        elif token == ")":  # noqa: S105
            self._close(self.open.pop())
        else:
            self._write(self.open[-1], token)

    def _close(self, node: _Node) -> None:
        if not node.holds_nodes and not node.holds_word:
            raise ValueError(f"has a node without words: ({node.label})")
        if not node.holds_word and node.label not in NO_CONSTITUENTS:
            self.spans.append(f"{node.label}:{node.start}-{self.words}")
        self.is_done = not self.open

    def _write(self, node: _Node, token: str) -> None:
        """A label right behind the bracket, a word behind that."""
        if node.holds_nodes or node.holds_word:
            raise ValueError(f"has a word beside other parts of a node: {token!r}; each word has a node of its own")
        if node.label:
            node.holds_word = True
            self.words += 1
        else:
            node.label = token


# What two sets share, counted once and summed in any way.

CORRECT, GIVEN, GOLD, EXACT = range(4)


def span_counts(outputs: Sequence[Spans | None], gold: Sequence[Spans]) -> Floats:
    """[N, 4] of each item: correct spans, spans given, spans of gold, and 1 where the two are equal.

    A span that occurs twice must be found twice. None is an item without an output, which is equal to nothing.

    >>> span_counts([{"NP:0-2": 1, "VP:0-3": 1}], [{"NP:0-2": 2}]).tolist()
    [[1.0, 2.0, 2.0, 0.0]]
    """
    rows = [
        (
            sum(min(times, theirs.get(span, 0)) for span, times in (ours or {}).items()),
            sum((ours or {}).values()),
            sum(theirs.values()),
            ours is not None and dict(ours) == dict(theirs),
        )
        for ours, theirs in zip(outputs, gold, strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def without_labels(spans: Spans) -> Spans:
    counts: Counter[str] = Counter()
    for span, times in spans.items():
        counts[without_label(span)] += times
    return counts


def precision(counts: Floats) -> Floats:
    """[M] correct / given, of counts [M, 4]; NaN where none is given."""
    return divide(counts[:, CORRECT], counts[:, GIVEN])


def recall(counts: Floats) -> Floats:
    """[M] correct / gold; NaN where gold has none."""
    return divide(counts[:, CORRECT], counts[:, GOLD])


def f1(counts: Floats) -> Floats:
    """[M] 2 correct / (given + gold), the harmonic mean of both; NaN where there is neither."""
    return divide(2 * counts[:, CORRECT], counts[:, GIVEN] + counts[:, GOLD])
