"""What items are called where people read of them: by their own words, or by their ids where words tell them not apart."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ..files.items_file import ITEM_COLUMNS
from ..files.numbers import decimal_of

if TYPE_CHECKING:
    import pandas as pd

MOST_LETTERS = 60
ADDRESS = re.compile(r"\S+\.[A-Za-z]\w{1,4}|\w+://\S+")  # of a picture, a recording or a page


def words_of_items(items: pd.DataFrame) -> dict[str, str]:
    """By item_id: the first of the items' own fields that tells the target items apart, or the first several of them.

    >>> import pandas as pd
    >>> fields = {"picture": ["a.png", "b.png"], "group": ["fruit", "fruit"], "word": ["apple", "fig"]}
    >>> words_of_items(pd.DataFrame({"item_id": ["i1", "i2"], "kind": ["target", "target"], **fields}))
    {'i1': 'apple', 'i2': 'fig'}
    """
    ids = [str(item_id) for item_id in items["item_id"]]
    is_target = (items["kind"] == "target").tolist() if "kind" in items else [True] * len(ids)
    texts = [[_one_line(text) for text in items[name]] for name in items.columns if name not in ITEM_COLUMNS]
    fields = [field for field in texts if _is_in_words([text for text, of in zip(field, is_target, strict=True) if of])]
    joined = [" · ".join(parts) for parts in zip(*fields, strict=True)]
    names = next((names for names in (*fields, joined) if names and _tells_apart(names, is_target)), ids)
    short = [_shortened(name) for name in names]
    times = Counter(short)
    return {
        item_id: f"{name} ({item_id})" if name and times[name] > 1 else name or item_id
        for item_id, name in zip(ids, short, strict=True)
    }


def _one_line(text: object) -> str:
    return " ".join(str(text).split())


def _is_in_words(texts: list[str]) -> bool:
    """Every target item has a text, and not all are numbers or all addresses; one text for all says nothing."""
    is_there = bool(texts) and all(texts) and (len(texts) == 1 or len(set(texts)) > 1)
    return is_there and not all(decimal_of(text) is not None or ADDRESS.fullmatch(text) for text in texts)


def _tells_apart(names: list[str], is_target: list[bool]) -> bool:
    targets = [name for name, of in zip(names, is_target, strict=True) if of]
    return len(set(targets)) == len(targets) > 0


def _shortened(text: str) -> str:
    """At most so many letters, cut at the end of a word.

    >>> _shortened("a premise of very many words " * 4)
    'a premise of very many words a premise of very many words a…'
    """
    if len(text) <= MOST_LETTERS:
        return text
    head = text[: MOST_LETTERS - 1]
    return f"{head.rpartition(' ')[0] if text[len(head)] != ' ' and ' ' in head else head}…"
