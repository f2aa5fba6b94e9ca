"""`item_id,candidate,score`: a ranking of candidates; for a study with labels, of its labels."""

import numpy as np

from agreement.scoring.label_metrics import tops_as_shares
from agreement.scoring.probe import Probe, Run
from agreement.scoring.probe_format import ProbeFormat
from agreement.scoring.probe_layout import ProbeRows
from tables.numbers import numbers
from tables.synonyms import meant


def read(rows: ProbeRows, name: str) -> Probe:
    """A score a candidate; for a study with labels only its labels are candidates, the rest is noted."""
    item, run, keys = rows.placed(("candidate", "score"), within="candidate")
    score = numbers(rows.table.columns["score"], "score", rows.table.rows, rows.problems, None)
    candidate, labels = rows.table.columns["candidate"].mapped(str.strip), rows.study.labels
    if not labels:
        values, _ = rows.scattered(item, run, candidate.codes, score, len(keys), len(candidate.values))
        return Probe(name, "ranking", tuple(map(Run, keys, values)), vocabulary=tuple(candidate.values))
    at, code, _ = rows.labels_named(candidate)
    at, code = at[order := np.argsort(score[at], kind="stable")], code[order]  # of a label's spellings the best stays
    values, _ = rows.scattered(item[at], run[at], code, score[at], len(keys), len(labels), rows=rows.table.rows[at])
    runs = [
        Run(key, tops_as_shares(row), has_probabilities=False, scores=row)
        for key, row in zip(keys, values, strict=True)
    ]
    spelt = rows.study.synonyms
    outside = sum(not set(meant(value, spelt)) <= set(labels) for value in candidate.values)
    note = f"{outside} candidates that aren't the study's labels are left aside: scored over allowed labels only"
    return Probe(name, "labels", tuple(runs), notes=(note,) if outside else ())


FORMAT = ProbeFormat(
    order=5,
    tried=4,
    columns="item_id,candidate,score",
    what="a ranking of candidates, the highest score first",
    told_by=lambda columns: {"candidate", "score"} <= columns,
    says="candidate and score",
    read=read,
)
