"""One crowd's judgments on one study's items: what files and the database both become before any statistic is taken."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import Refused
from ..files.cell_texts import Synonyms
from ..files.items_file import ITEM_COLUMNS
from ..files.numbers import Scale
from ..files.table import Column, Mask
from ..kinds.answers import Answers, Properties
from ..kinds.data import data_of
from ..kinds.kind import QuestionKind
from ..kinds.options import has_own_labels, options_of_items
from .property_coding import Coding
from .repeated_judgments import Repeats

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "EXTRA_COLUMNS",
    "ITEM_COLUMNS",
    "Answers",
    "Crowd",
    "Mask",
    "Properties",
    "QuestionKind",
    "Repeats",
    "Scale",
]

# The columns of `Crowd.extras` that have a meaning of their own, in the order in which they are written out.
EXTRA_COLUMNS = ("response_ms", "submitted_at", "assignment_id")
# Two more that our own judgments have: how long the whole assignment took by the server's clock, and how many items
# stood on a page of it.
SERVER_MS, ITEMS_A_PAGE = "server_ms", "items_per_page"
# Of items with labels of their own: where the label that was chosen stood, and the order in which they were shown.
SHOWN_POSITION, SHOWN_ORDER = "shown_position", "shown_order"
# And of whoever gave the judgment: at how many other items they could not see the picture.
COULD_NOT_SEE = "worker_could_not_see"
CONFIDENCE = "confidence"  # how sure the person was of the answer, from 1 to 5
MEDIA_USE = "media_use"  # how often sounds and videos were started and ended, and what wasn't perceived, as JSON

REPEATS_FIELD = "repeats"  # an item's own field: the item whose question it asks again


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """J judgments of W workers on N items, in file order.

    `answers` by kind: slider float64[J]; choice and verify int32[J], codes into `labels`; choices bool[J, L];
    sliders float64[J, L]; list `Properties`; text object[J].
    `items` has a row an item on a RangeIndex: the columns of `ITEM_COLUMNS`, then the item's own fields. `kind` is
    target, check or practice; text columns hold "" where nothing was given; `min` and `max` hold a Decimal in per cent
    of the scale, or None.
    `ordered` says that the order of `labels` means something. `fixed_workers`: they are the people that figures are
    of, and no sample of others.
    `unseen` [W] counts the items whose picture a worker could not see, none of which is among the judgments; None where
    nothing is known of it but what a column of `extras` says. A worker may have no judgment at all.
    `coding` says which property each spelling of a list counts as, wherever a statistic is taken; answers stay as they
    were given.
    `worker_fields` has a row a worker: what is known of them, as text; "" where nothing is.
    `synonyms` are spellings of labels that references and models' outputs may use.
    `question` is its name, where the study has several.
    `checks_elsewhere` names the check items of a study's other questions, which rules may name too.
    `extras` has a row a judgment: `response_ms` (float, nan where none), `submitted_at`, `assignment_id` (text, ""
    where none), then any other column that came with it.
    """

    kind: QuestionKind
    scale: Scale | None
    labels: tuple[str, ...]
    items: pd.DataFrame
    workers: pd.Index[Any]
    worker: npt.NDArray[np.int32]
    item: npt.NDArray[np.int32]
    answers: Answers
    extras: pd.DataFrame
    repeats: Repeats
    ordered: bool = False
    fixed_workers: bool = False
    unseen: npt.NDArray[np.int64] | None = None
    coding: Coding | None = None
    worker_fields: pd.DataFrame | None = None
    synonyms: Synonyms = field(default_factory=dict)
    question: str = ""
    checks_elsewhere: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        lengths = {len(self.worker), len(self.item), len(self.answers), len(self.extras)}
        if len(lengths) != 1:
            raise ValueError(
                f"a Crowd needs one worker, item, answer and row of extras a judgment, got lengths {lengths}"
            )

    @property
    def n_judgments(self) -> int:
        return len(self.worker)

    @property
    def n_items(self) -> int:
        return len(self.items)

    @property
    def n_workers(self) -> int:
        return len(self.workers)

    @property
    def item_is_target(self) -> Mask:
        """[N] whether an item may enter gold, agreement and ceilings: checks and practice never do."""
        return np.asarray(self.items["kind"] == "target", dtype=np.bool_)

    @property
    def on_target(self) -> Mask:
        """[J] whether a judgment is of a target item."""
        return self.item_is_target[self.item]

    @property
    def question_of_item(self) -> npt.NDArray[np.int64]:
        """[N] the item whose question an item asks: its own, or the one that it repeats."""
        if REPEATS_FIELD not in self.items:
            return np.arange(self.n_items)
        row_of = {item_id: row for row, item_id in enumerate(self.items["item_id"])}
        repeated = enumerate(self.items[REPEATS_FIELD])
        return np.array([row_of.get(item_id, row) for row, item_id in repeated], dtype=np.int64)

    def take(self, keep: Mask) -> Crowd:
        """The crowd with only the judgments that `keep` marks; items, workers and their codes stay as they are."""
        answers = self.answers.take(keep) if isinstance(self.answers, Properties) else self.answers[keep]
        return replace(
            self,
            worker=self.worker[keep],
            item=self.item[keep],
            answers=answers,
            extras=self.extras.loc[keep].reset_index(drop=True),
        )


# The judgments that a statistic is made of, in an order of their own: that of the file's rows changes no digit.


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Some of a crowd's judgments, sorted by item, then by worker."""

    item: npt.NDArray[np.int32]
    worker: npt.NDArray[np.int32]
    answers: Answers


def take_answers(answers: Answers, which: npt.NDArray[np.intp]) -> Answers:
    """The answers of some judgments, in that order."""
    return answers.at(which) if isinstance(answers, Properties) else answers[which]


def coded_answers(crowd: Crowd) -> Answers:
    """The answers as statistics take them: properties as they are coded, all others as they were given."""
    if crowd.coding is None or not isinstance(crowd.answers, Properties):
        return crowd.answers
    return crowd.coding.applied(crowd.answers)


def sample_of(crowd: Crowd, which: Mask) -> Sample:
    """The judgments that `which` marks."""
    marked = np.flatnonzero(which)
    key = crowd.item[marked].astype(np.int64) * max(crowd.n_workers, 1) + crowd.worker[marked]
    # Keys that are all different have one order, which the faster sort finds too.
    order = marked[np.argsort(key, kind="stable" if crowd.repeats == "keep" else "quicksort")]
    return Sample(crowd.item[order], crowd.worker[order], take_answers(coded_answers(crowd), order))


# Columns that our own judgments.csv has beside the answers, as numbers: from a file they come as text.


def numbers_of(crowd: Crowd, name: str) -> npt.NDArray[np.float64]:
    """[J] a column of `extras`; nan where it is blank or isn't there."""
    if name not in crowd.extras:
        return np.full(crowd.n_judgments, np.nan)
    column = crowd.extras[name]
    if column.dtype.kind in "fi":
        return np.asarray(column, dtype=np.float64)
    import pandas as pd

    texts = column.astype(str).str.strip()
    numbers = np.asarray(pd.to_numeric(texts, errors="coerce"), dtype=np.float64)
    wrong = np.flatnonzero((np.isnan(numbers) | (numbers < 0) | np.isinf(numbers)) & (texts != "").to_numpy())
    if len(wrong):
        raise Refused(
            f"Judgment {wrong[0] + 1:,}, column {name}: '{texts.iloc[wrong[0]]}' is not a number from 0; correct it, or"
            " leave the column out."
        )
    return numbers


def could_not_see(crowd: Crowd) -> npt.NDArray[np.int64]:
    """[W] at how many items a worker said so: as the database counts it, or as its column in a file says."""
    if crowd.unseen is not None:
        return crowd.unseen
    most = np.zeros(crowd.n_workers, dtype=np.int64)
    if COULD_NOT_SEE in crowd.extras:
        np.maximum.at(most, crowd.worker, np.nan_to_num(numbers_of(crowd, COULD_NOT_SEE)).astype(np.int64))
    return most


# Answers as the text of a cell: what judgments.csv, evidence and exports show.


def answer_columns(crowd: Crowd) -> dict[str, Column]:
    """The answers as the columns that hold them: `value`, or one per label."""
    options = options_of_items(crowd.kind, crowd.labels, crowd.items) if has_own_labels(crowd.labels) else None
    if options is None:
        return data_of(crowd.kind).cells(crowd.answers, crowd.labels)
    key = crowd.item.astype(np.int64) * len(crowd.labels) + np.asarray(crowd.answers)
    distinct, which = np.unique(key, return_inverse=True)
    texts = [options[row][place] for row, place in zip(*np.divmod(distinct, len(crowd.labels)), strict=True)]
    names, code = np.unique(np.array([*texts, ""], dtype=object).astype(str), return_inverse=True)
    return {"value": Column(code[:-1][which].astype(np.int32), names.tolist())}


def options_per_judgment(crowd: Crowd, item: npt.NDArray[np.integer]) -> npt.NDArray[np.int64] | None:
    """[J] how many labels of its own the item of each judgment has; None where items have the study's labels."""
    options = options_of_items(crowd.kind, crowd.labels, crowd.items) if has_own_labels(crowd.labels) else None
    return None if options is None else np.array([*map(len, options), 0], dtype=np.int64)[item]


def answer_texts(crowd: Crowd, which: npt.NDArray[np.intp]) -> list[str]:
    """The answers of some judgments, one text each; sliders as label=number."""
    chosen = np.zeros(crowd.n_judgments, dtype=np.bool_)
    chosen[which] = True
    texts = data_of(crowd.kind).text(answer_columns(crowd.take(chosen)))
    place = np.cumsum(chosen) - 1
    return [str(texts[position]) for position in place[which]]
