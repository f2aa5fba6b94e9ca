"""What items are called where people read of them: their own words, or their ids where no words tell them apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd

from ..files.items_file import ITEM_COLUMNS
from ..files.numbers import decimal_of
from .crowd import CONFIDENCE, COULD_NOT_SEE, EXTRA_COLUMNS, ITEMS_A_PAGE, MEDIA_USE, REPEATS_FIELD, SERVER_MS, Crowd

MOST_LETTERS = 60
LEAST_JUDGMENTS = 2  # per item: of one judgment an item every column has one text per item, a person's too
ADDRESS = re.compile(r"\S+\.[A-Za-z]\w{1,4}|\w+://\S+")  # of a picture, a recording or a page
NO_WORDS = frozenset(
    {*ITEM_COLUMNS, *EXTRA_COLUMNS, REPEATS_FIELD, SERVER_MS, ITEMS_A_PAGE, COULD_NOT_SEE, CONFIDENCE, MEDIA_USE}
)


def words_of_items(crowd: Crowd) -> dict[str, str]:
    """By item_id: the first of the items' own fields that tells the target items apart, or several of them together;
    else the first column of the judgments that has one text per item and does.
    """
    ids, is_target = [str(item_id) for item_id in crowd.items["item_id"]], crowd.item_is_target.tolist()
    fields = [field for field in _fields(crowd.items) if _is_in_words(_of_targets(field, is_target))]
    joined = [" · ".join(parts) for parts in zip(*fields, strict=True)]
    names = next((names for names in (*fields, joined, *_columns(crowd)) if _tells_apart(names, is_target)), ids)
    short = [_shortened(name) for name in names]
    times = Counter(short)
    return {
        item_id: f"{name} ({item_id})" if name and times[name] > 1 else name or item_id
        for item_id, name in zip(ids, short, strict=True)
    }


def _fields(items: pd.DataFrame) -> Iterator[list[str]]:
    for name in items.columns:
        if name not in NO_WORDS:
            yield [" ".join(str(text).split()) for text in items[name]]


def _columns(crowd: Crowd) -> Iterator[list[str]]:
    """The columns of the judgments that have one text per item, where several people judged most of them."""
    if crowd.n_judgments < LEAST_JUDGMENTS * crowd.n_items:
        return
    for name in crowd.extras.columns:
        if name in NO_WORDS or pd.api.types.is_numeric_dtype(crowd.extras[name]):
            continue
        codes, texts = pd.factorize(crowd.extras[name])
        code_of_item = np.full(crowd.n_items, -1, dtype=np.int64)
        code_of_item[crowd.item] = codes
        if (code_of_item[crowd.item] == codes).all():
            spelt = [*(" ".join(str(text).split()) for text in texts), ""]
            column = [spelt[code] for code in code_of_item.tolist()]
            if _is_in_words([text for text in _of_targets(column, crowd.item_is_target.tolist()) if text]):
                yield column


def _of_targets(texts: list[str], is_target: list[bool]) -> list[str]:
    return [text for text, of in zip(texts, is_target, strict=True) if of]


def _is_in_words(texts: list[str]) -> bool:
    """Every item has a text, not all the same, and not all of them numbers or addresses."""
    is_there = all(texts) and len(set(texts)) > 1
    return is_there and not all(decimal_of(text) is not None or ADDRESS.fullmatch(text) for text in texts)


def _tells_apart(names: list[str], is_target: list[bool]) -> bool:
    texts = [text for text in _of_targets(names, is_target) if text] if names else []
    return len(set(texts)) == len(texts) > 0


def _shortened(text: str) -> str:
    """At most so many letters, cut at the end of a word.

    >>> _shortened("a premise of very many words " * 4)
    'a premise of very many words a premise of very many words a…'
    """
    if len(text) <= MOST_LETTERS:
        return text
    head = text[: MOST_LETTERS - 1]
    return f"{head.rpartition(' ')[0] if text[len(head)] != ' ' and ' ' in head else head}…"
