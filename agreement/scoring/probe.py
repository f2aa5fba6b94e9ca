"""A probe: a model's outputs on a study's items, one run per template, run or setting; labels it invents."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..arrays import Floats
from ..errors import Refused
from ..files.cell_texts import Synonyms, visible_text
from ..files.numbers import Scale
from ..kinds.kind import QuestionKind
from ..kinds.options import Options, most_options, options_of_items, own_labels
from ..kinds.registry import KINDS
from .answer_mapping.mapping_table import FOLDER, NO_TABLE, AnswerCounts, AnswerTable
from .answer_mapping.readings import Answers, AnswerSpace
from .perplexity import Perplexity
from .vectors import Similarity, TermVectors

# Labels that a probe gives and the study doesn't have: wrong wherever they stand, counted and listed.

MOST_LISTED = 10


@dataclass(frozen=True, slots=True)
class OtherLabel:
    """`outputs` is how many outputs name it, or give it a probability above 0; `probability` is the sum over them."""

    label: str
    outputs: int
    probability: float | None = None
    looks_like: str = ""  # the study's label that differs in capitals or spaces alone


def other_labels(
    names: Sequence[str],
    outputs: npt.NDArray[np.integer],
    labels: Sequence[str],
    probability: npt.NDArray[np.floating] | None = None,
) -> tuple[OtherLabel, ...]:
    """Those with outputs, the commonest first and then by the alphabet."""
    seen = {visible_text(label).casefold(): label for label in labels}
    others = [
        OtherLabel(
            label,
            int(outputs[index]),
            None if probability is None else float(probability[index]),
            seen.get(visible_text(label).casefold(), ""),
        )
        for index, label in enumerate(names)
        if outputs[index] > 0
    ]
    return tuple(sorted(others, key=lambda one: (-one.outputs, one.label)))


def other_labels_in_words(others: Sequence[OtherLabel]) -> str:
    """What is said of them beside the scores; nothing where there are none.

    >>> other_labels_in_words([OtherLabel("None of the above", 3), OtherLabel("Yes", 1, looks_like="yes")])
    "labels that aren't the study's count as wrong: None of the above (3 outputs), Yes (1 output; the study has yes)"
    >>> other_labels_in_words([OtherLabel("maybe", 2, 0.5)])  # doctest: +ELLIPSIS
    "probability on labels that aren't the study's is ... to the right ones: maybe (2 outputs, 0.25 on average)"
    """
    if not others:
        return ""
    parts = [_label_text(one) for one in others[:MOST_LISTED]]
    if len(others) > MOST_LISTED:
        parts.append(f"and {len(others) - MOST_LISTED:,} more")
    if others[0].probability is None:
        return f"labels that aren't the study's count as wrong: {', '.join(parts)}"
    subject = "probability on labels that aren't the study's is probability not given to the right ones"
    return f"{subject}: {', '.join(parts)}"


def _label_text(one: OtherLabel) -> str:
    counts = f"{one.outputs:,} output{'' if one.outputs == 1 else 's'}"
    if one.probability is not None:
        counts += f", {one.probability / one.outputs:.2g} on average"
    return f"{one.label} ({counts}{f'; the study has {one.looks_like}' if one.looks_like else ''})"


# A probe: a model's outputs on a study's items, by shape, one run for each template, run or setting.

SUM_TOLERANCE = 1e-6
Shape = Literal["numbers", "labels", "ranking", "texts", "logprobs", "spans"]
AGAINST_NO_GOLD: frozenset[Shape] = frozenset({"logprobs"})
SIDES = ("left", "right")
ALIASES = ("left_alias", "right_alias")  # fields of an item: what models' files call its terms, where they differ
TEMPLATE = "template"
OUTCOMES = ("mapped", "unmapped", "refusal", "truncated")  # of an answer, by the code that `Run.outcomes` has
AVERAGED = (TEMPLATE, "run", "seed")  # scores are means over these; any other extra column is a setting, scored apart


@dataclass(frozen=True, eq=False)
class StudyItems:
    """What a probe is held against: the study's items (checks too), its labels, and the terms of its pairs.

    `left_alias` and `right_alias` are what models' files call these terms; "" where they have no other name.
    `is_target` tells the items that gold is of; None: all are.
    Outputs may name labels by their `synonyms`. Answers in a model's own words are mapped by `answer_table` first, and
    numbers among them lie on the `scale`.
    """

    kind: QuestionKind
    ids: npt.NDArray[np.object_]
    labels: tuple[str, ...] = ()
    left: npt.NDArray[np.object_] | None = None
    right: npt.NDArray[np.object_] | None = None
    left_alias: npt.NDArray[np.object_] | None = None
    right_alias: npt.NDArray[np.object_] | None = None
    is_target: npt.NDArray[np.bool_] | None = None
    options: Options | None = None  # of each item, where items have labels of their own

    synonyms: Synonyms = field(default_factory=dict)
    scale: Scale | None = None
    answer_table: AnswerTable = NO_TABLE

    @classmethod
    def of_frame(
        cls,
        kind: QuestionKind,
        items: pd.DataFrame,
        labels: tuple[str, ...],
        synonyms: Synonyms,
        scale: Scale | None = None,
    ) -> "StudyItems":
        """Of a table with one row per item, which has the fields of pairs or not."""
        left, right, left_alias, right_alias = (
            items[name].to_numpy() if name in items else None for name in (*SIDES, *ALIASES)
        )
        is_target = (items["kind"] == "target").to_numpy()
        options = options_of_items(kind, labels, items)
        return cls(
            kind,
            items["item_id"].to_numpy(),
            labels or own_labels(most_options(options or ())),
            left,
            right,
            left_alias,
            right_alias,
            is_target,
            options,
            synonyms,
            scale,
        )

    @property
    def answers(self) -> Answers:
        """What a reply of a model may be."""
        kind = KINDS[self.kind]
        if kind.has_labels:
            return "order" if kind.in_order else "labels" if kind.several_labels else "label"
        return "number" if kind.has_scale else "properties" if kind.has_properties else "words"

    @property
    def answer_space(self) -> AnswerSpace:
        """What replies are mapped to; where items have labels of their own, `own` of an item has to be added."""
        values = self.labels if self.options is None else tuple(sorted({one for of in self.options for one in of}))
        return AnswerSpace(self.answers, self.labels, self.synonyms, self.scale, values=values)

    def space_of_item(self, item_id: str) -> AnswerSpace:
        """What replies to an item are mapped to."""
        row = int(self.rows_of(np.array([item_id], dtype=object))[0])
        own = self.options[row] if self.options is not None and row >= 0 else ()
        return self.answer_space.with_order((), own)

    @cached_property
    def _index(self) -> "pd.Index[str]":
        return pd.Index(self.ids)

    def rows_of(self, ids: npt.NDArray[np.object_]) -> npt.NDArray[np.int64]:
        """[n] the place of each id among the study's items, -1 for one that isn't there."""
        return self._index.get_indexer(pd.Index(ids)).astype(np.int64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """One complete set of outputs. `keys` names its template, run and settings.

    `values`: numbers [N]; labels [N, L + k] shares, the last k on labels that the study doesn't have; ranking [N, V]
    scores; NaN where there is no output. `texts` [N], "" where there is none; `spans` [N], None where there is none. Of
    labels that came with scores, `scores` [N, L] are these: shares have the highest alone. Of similarities of vectors,
    `vectors` are those that they are of. `outcomes` [N] say where an answer was mapped to nothing, as in `OUTCOMES`.
    """

    keys: dict[str, str]
    values: Floats
    texts: tuple[str, ...] = ()
    spans: tuple[tuple[str, ...] | None, ...] = ()
    has_probabilities: bool = True
    scores: Floats | None = None
    vectors: TermVectors | None = None
    outcomes: npt.NDArray[np.int8] | None = None

    @property
    def by_order(self) -> Floats:
        """What the model gives each label, where the order of the labels is all that counts."""
        return self.values if self.scores is None else self.scores


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """The outputs of one model, laid out on the study's items.

    Log probabilities of sentences need no items: they come as a perplexity in each setting. `similarity` says which one
    the numbers are where they are similarities of vectors. A ranking's candidates are its `vocabulary`, and what people
    name beside it; `only_vocabulary` says that nothing beside it counts.
    """

    name: str
    shape: Shape
    runs: tuple[Run, ...]
    vocabulary: tuple[str, ...] = ()
    only_vocabulary: bool = False
    perplexities: dict[tuple[tuple[str, str], ...], Perplexity] = field(default_factory=dict)
    notes: tuple[str, ...] = field(default_factory=tuple)
    other_labels: tuple[OtherLabel, ...] = ()
    group: str = ""  # models of a group are averaged
    similarity: Similarity | None = None
    answers: AnswerCounts | None = None  # where answers were mapped
    answer_table: AnswerTable = NO_TABLE

    def mapping_file(self) -> tuple[str, bytes] | None:
        """The table of its answers, as a file of an analysis; None where none was mapped."""
        name = self.name.replace("/", "-")
        return None if self.answers is None else (f"{FOLDER}/{name}.csv", self.answer_table.csv())

    @property
    def leaves_out(self) -> bool:
        """Whether scores are of the mapped answers alone."""
        return self.answers is not None and self.answers.are_left_out and self.answers.not_mapped > 0

    @property
    def settings(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """The distinct settings (`shots`, ...) in the order given; one empty setting if there is none."""
        seen = dict.fromkeys(_setting(run) for run in self.runs)
        return tuple(seen)

    def runs_of(self, setting: tuple[tuple[str, str], ...]) -> list[Run]:
        """The runs over which that setting's score is a mean."""
        return [run for run in self.runs if _setting(run) == setting]


def covered_by(runs: Sequence[Run]) -> npt.NDArray[np.bool_]:
    """[N] of the study's items, whether each of the runs has an output for it."""
    return np.asarray(np.logical_and.reduce([_covered(run) for run in runs]))


def lacks_answers(runs: Sequence[Run]) -> npt.NDArray[np.bool_] | None:
    """[N] where some run's answer is a refusal, truncated or unmapped; None where nothing was mapped."""
    known = [run.outcomes != 0 for run in runs if run.outcomes is not None]
    return np.asarray(np.logical_or.reduce(known)) if known else None


def _covered(run: Run) -> npt.NDArray[np.bool_]:
    if run.texts:
        return np.array([bool(text) for text in run.texts], dtype=np.bool_)
    if run.spans:
        return np.array([spans is not None for spans in run.spans], dtype=np.bool_)
    return np.asarray(np.isfinite(run.values).reshape(len(run.values), -1).any(axis=1))


def refuse_unfit(probe: Probe, kind: QuestionKind, takes: Collection[Shape]) -> None:
    """Refuse outputs that gold of this kind can't be held against; log probabilities are held against none."""
    if probe.shape not in takes and probe.shape not in AGAINST_NO_GOLD:
        raise Refused(f"{probe.name} gives {probe.shape}; gold of kind {kind} takes {' or '.join(takes)}")


def _setting(run: Run) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in run.keys.items() if name not in AVERAGED)
