"""Gold of lists: how many people named each property of an item, and which properties pass a frequency threshold."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..arrays import Ints, count_by
from ..judgments.crowd import Answers, Properties
from ..property_names import normalised

THRESHOLDS = (2, 5, 10, 20, 30)


def spelt(properties: Sequence[str]) -> list[str]:
    """The distinct properties of one answer, as gold.csv spells them.

    >>> spelt(["Is green.", "is  green", " "])
    ['is green']
    """
    return [name for name in dict.fromkeys(map(normalised, properties)) if name]


def spelt_answer(answers: Answers, judgment: int) -> list[str]:
    """The same of the answer of one judgment."""
    if not isinstance(answers, Properties):
        raise TypeError("answers that are spelt as properties are Properties")
    return spelt(answers.of(judgment))


def production_frequencies(
    item: Ints, worker: Ints, answers: Properties, n_items: int
) -> tuple[npt.NDArray[np.int64], pd.DataFrame]:
    """[N] people, and a row an item and property: `item` (code), `property`, `frequency` = people who named it.

    A person who names a property twice, or in two spellings, counts once. By frequency within an item, then by name.
    """
    names, spelling = _one_spelling(answers.names)
    lengths = np.diff(answers.offsets)
    of = np.repeat(np.arange(len(item)), lengths)
    named = spelling[answers.property]
    rows = pd.DataFrame({"item": item[of].astype(np.int64), "worker": worker[of], "code": named})
    rows = rows[rows["code"] >= 0].drop_duplicates()
    table = rows.groupby(["item", "code"], sort=True).size().rename("frequency").reset_index()
    table = table.sort_values(["item", "frequency", "code"], ascending=[True, False, True], ignore_index=True)
    table["property"] = np.array([*names, ""], dtype=object)[table["code"].to_numpy()]
    people = pd.DataFrame({"item": item, "worker": worker}).drop_duplicates()
    return count_by(people["item"].to_numpy(), n_items), table[["item", "property", "frequency"]]


def _one_spelling(names: Sequence[str]) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The distinct normalised names, sorted, and [len(names)] the code of each; -1 for a name with nothing in it."""
    spelt = [normalised(name) for name in names]
    distinct = sorted({name for name in spelt if name})
    code = {name: at for at, name in enumerate(distinct)}
    return distinct, np.array([code.get(name, -1) for name in spelt], dtype=np.int64)
