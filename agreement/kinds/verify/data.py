"""Answers of kind `verify`: int32[J], codes into the labels, which are false and true where a file doesn't say more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ...files.numbers import Scale
from ...files.problems import Problems
from ...files.table import Table
from ..choice.data import form_fields
from ..data import Data, Guess, Labels
from ..label_lists import distinct_values, label_cells, label_values, not_among_labels, parse_labels, stored_labels

TRUE_FALSE = ("false", "true")


def _parse(
    table: Table,
    scale: Scale | None,  # noqa: ARG001  this kind has none
    labels: Sequence[str],
    problems: Problems,
) -> tuple[npt.NDArray[np.int32], Labels]:
    """Two labels of any name are taken for the two; of more, all but false and true are named as wrong."""
    if not labels and len(distinct_values(table)) > len(TRUE_FALSE):
        labels = TRUE_FALSE
    return parse_labels(table, labels, problems)


def _fits(table: Table) -> bool:
    return distinct_values(table) <= set(TRUE_FALSE)


DATA = Data(
    parse=_parse,
    guess=Guess(order=30, fits=_fits),
    from_database=stored_labels,
    stored=label_values,
    cells=label_cells,
    form_fields=form_fields,
    wrong_right_answer=not_among_labels,
)
