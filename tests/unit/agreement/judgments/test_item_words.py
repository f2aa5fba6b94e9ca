"""What items are called: by the field that tells them apart, never by an address, and by their ids where none does."""

from dataclasses import replace

import numpy as np
import pandas as pd

from agreement.files.numbers import PER_CENT
from agreement.judgments.crowd import Crowd
from agreement.judgments.item_words import words_of_items


def a_crowd(fields: dict[str, list[str]], columns: dict[str, list[str]] | None = None, judged: int = 2) -> Crowd:
    """Two items, each judged by so many people."""
    item = np.repeat([0, 1], judged).astype(np.int32)
    extras = {name: pd.Categorical(np.repeat(texts, judged)) for name, texts in (columns or {}).items()}
    return Crowd(
        kind="slider",
        scale=PER_CENT,
        labels=(),
        items=pd.DataFrame({"item_id": ["i1", "i2"], "kind": "target", **fields}, dtype=object),
        workers=pd.Index([f"w{k}" for k in range(len(item))]),
        worker=np.arange(len(item), dtype=np.int32),
        item=item,
        answers=np.full(len(item), 50.0),
        extras=pd.DataFrame(extras, index=range(len(item))),
        repeats="refuse",
    )


def names(crowd: Crowd) -> list[str]:
    return list(words_of_items(crowd).values())


def test_first_field_in_words_that_tells_items_apart_names_them() -> None:
    fields = {"picture": ["a.png", "b.png"], "size": ["3", "4"], "group": ["fruit", "fruit"], "word": ["apple", "fig"]}
    assert names(a_crowd(fields)) == ["apple", "fig"]


def test_fields_that_tell_them_apart_together_are_joined() -> None:
    items = pd.DataFrame({"item_id": ["i1", "i2", "i3"], "kind": "target", "left": ["car", "car", "bus"]})
    crowd = replace(a_crowd({}), items=items.assign(right=["bus", "tram", "bus"]))
    assert names(crowd) == ["car · bus", "car · tram", "bus · bus"]


def test_column_of_the_judgments_names_them_where_several_people_judged_each() -> None:
    columns = {"word": ["apple", "fig"]}
    assert names(a_crowd({}, columns)) == ["apple", "fig"]
    assert names(a_crowd({}, columns, judged=1)) == ["i1", "i2"], "such a column may be a person's"
    assert names(a_crowd({"word": ["same", "same"]}, {"page": ["x.html", "y.html"]})) == ["i1", "i2"]


def test_long_texts_are_cut_and_stay_apart() -> None:
    premise = "a premise that is far too long for the axis of any figure that anybody would print"
    assert names(a_crowd({"text": [f"{premise} one", f"{premise} two"]})) == [
        f"a premise that is far too long for the axis of any figure… ({item})" for item in ("i1", "i2")
    ]
