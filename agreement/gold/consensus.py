"""What stands beside the majority: the two models that weigh workers, for questions with one label an answer."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from agreement.crowd import Answers, Properties, QuestionKind
from agreement.gold.arrays import Ints
from agreement.gold.dawid_skene import Consensus, dawid_skene
from agreement.gold.mace import mace

MODELLED: tuple[QuestionKind, ...] = ("choice", "verify")
MODELS = {"dawid_skene": dawid_skene, "mace": mace}


def consensus_of(
    kind: QuestionKind, item: Ints, worker: Ints, answers: Answers, n_items: int, labels: Sequence[str]
) -> dict[str, Consensus]:
    """Both models by name, of kept judgments of target items; none for the kinds where they don't apply.

    What workers are called changes no digit: the models see them in an order that their answers decide.
    """
    if kind not in MODELLED or len(labels) < 2 or not len(item) or isinstance(answers, Properties):
        return {}
    codes = np.asarray(answers)
    workers, number = _by_their_answers(item, worker, codes)
    order = np.lexsort((codes, number, item))
    found = {}
    for name, model in MODELS.items():
        made = model(item[order], number[order], codes[order], n_items, len(labels))
        accuracy = np.full(int(worker.max()) + 1, np.nan)
        accuracy[workers] = made.accuracy
        found[name] = replace(made, accuracy=accuracy)
    return found


def _by_their_answers(item: Ints, worker: Ints, code: Ints) -> tuple[Ints, Ints]:
    """The workers in an order that their answers decide, and [J] each judgment's worker as a place in it.

    Each worker is marked by the sum, modulo 2^64, of a number for each of their answers. Workers with equal marks gave
    equal answers and may change places.
    """
    there, dense = np.unique(worker, return_inverse=True)
    marks = np.zeros(len(there), dtype=np.uint64)
    np.add.at(marks, dense, _spread(_spread(item.astype(np.uint64)) + code.astype(np.uint64)))
    order = np.argsort(marks, kind="stable")
    place = np.empty(len(there), dtype=np.int64)
    place[order] = np.arange(len(there))
    return there[order], place[dense]


def _spread(marks: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The bits of each number well mixed: the finaliser of SplitMix64 (Steele et al. 2014)."""
    marks = marks + np.uint64(0x9E3779B97F4A7C15)
    marks = (marks ^ (marks >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    marks = (marks ^ (marks >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return marks ^ (marks >> np.uint64(31))
