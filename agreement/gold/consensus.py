"""What stands beside the majority: the two models that weigh workers, for questions with one label an answer."""

from collections.abc import Sequence

import numpy as np

from agreement.crowd import Answers, Properties, QuestionKind
from agreement.gold.arrays import Ints
from agreement.gold.dawid_skene import Consensus, dawid_skene
from agreement.gold.mace import mace

MODELLED: tuple[QuestionKind, ...] = ("choice", "verify")
MODELS = {"dawid_skene": dawid_skene, "mace": mace}


def consensus_of(
    kind: QuestionKind, item: Ints, worker: Ints, answers: Answers, n_items: int, labels: Sequence[str]
) -> dict[str, Consensus]:
    """Both models by name, of kept judgments of target items; none for the kinds where they don't apply."""
    if kind not in MODELLED or len(labels) < 2 or not len(item) or isinstance(answers, Properties):
        return {}
    codes = np.asarray(answers)
    return {name: model(item, worker, codes, n_items, len(labels)) for name, model in MODELS.items()}
