"""The crowd as a model: what a release says, scored like any probe against labels from elsewhere."""

import numpy as np

from agreement.scoring.gold import Gold
from agreement.scoring.probe import Probe, Run, StudyItems
from annotation.errors import Refused

NAME = "the crowd"


def crowd_as_probe(gold: Gold, study: StudyItems) -> Probe:
    """The release's label distribution, or its means, as outputs on the study's items."""
    rows = study.rows_of(gold.ids)
    if gold.numbers is not None:
        values = np.full(len(study.ids), np.nan)
        values[rows] = gold.numbers
        return Probe(NAME, "numbers", (Run({}, values),))
    if gold.by_label is None or gold.by_label.shares is None:
        raise Refused(f"gold of kind {gold.kind} has no distribution or mean that could stand as a model's output")
    shares = np.full((len(study.ids), len(gold.labels)), np.nan)
    shares[rows] = gold.by_label.shares
    return Probe(NAME, "labels", (Run({}, shares),))
