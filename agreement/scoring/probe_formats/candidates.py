"""`item_id,candidate,score`: a ranking of candidates; for a study with labels, of its labels."""

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...files.cell_texts import labels_of_spelling, normalised_name
from ...files.numbers import numbers
from ...files.table import Column
from ..label_metrics import tops_as_shares
from ..probe import Probe, Run
from ..probe_format import Option, ProbeFormat
from ..probe_layout import ProbeRows

ALLOWED: Option[str] = Option(
    name="allowed",
    default="",
    is_words=True,
    help="a file of the words, one on each line, that may be candidates; all others are ignored",
    label="Allowed words",
)


def read(rows: ProbeRows, name: str) -> Probe:
    """A score a candidate; for a study with labels only its labels are candidates, the rest is noted."""
    item, run, keys = rows.placed(("candidate", "score"), within="candidate")
    score = numbers(rows.table.columns["score"], "score", rows.table.rows, rows.problems, None)
    candidate, labels = rows.labels_in("candidate", item), rows.study.labels
    if not labels:
        return _ranking(rows, name, item, run, keys, candidate, score)
    entry_rows, code, _ = rows.labels_named(candidate)
    entry_rows, code = (
        entry_rows[order := np.argsort(score[entry_rows], kind="stable")],
        code[order],
    )  # of a label's spellings the best stays
    values, _ = rows.scattered(
        item[entry_rows],
        run[entry_rows],
        code,
        score[entry_rows],
        len(keys),
        len(labels),
        rows=rows.table.rows[entry_rows],
    )
    runs = [
        Run(key, tops_as_shares(row), has_probabilities=False, scores=row)
        for key, row in zip(keys, values, strict=True)
    ]
    spelt = rows.study.synonyms
    outside = sum(not set(labels_of_spelling(value, spelt)) <= set(labels) for value in candidate.values)
    note = f"{outside} candidates that aren't the study's labels are left aside: scored over allowed labels only"
    return Probe(name, "labels", tuple(runs), notes=(note,) if outside else ())


def _ranking(
    rows: ProbeRows,
    name: str,
    item: npt.NDArray[np.int64],
    run: npt.NDArray[np.int64],
    keys: list[dict[str, str]],
    candidate: Column,
    score: Floats,
) -> Probe:
    """All candidates, or those among the allowed words: of these all are ranked, the ones without a score last."""
    words = tuple(rows.options[ALLOWED].split("\n")) if rows.options[ALLOWED] else ()
    if not words:
        values, _ = rows.scattered(item, run, candidate.codes, score, len(keys), len(candidate.values))
        return Probe(name, "ranking", tuple(map(Run, keys, values)), vocabulary=tuple(candidate.values))
    code_of = {word: number for number, word in enumerate(words)}
    codes = np.array([*(code_of.get(normalised_name(value), -1) for value in candidate.values), -1])
    values, _ = rows.scattered(item, run, codes[candidate.codes], score, len(keys), len(words))
    outside = int(np.count_nonzero(codes[:-1] < 0))
    note = f"scored over the {len(words):,} allowed words"
    if outside:
        note += f"; {outside:,} other candidates are left aside"
    runs = tuple(map(Run, keys, values))
    return Probe(name, "ranking", runs, vocabulary=words, only_vocabulary=True, notes=(note,))


ROW_PER_CANDIDATE = ProbeFormat(
    order=5,
    tried=4,
    columns="item_id,candidate,score",
    row_meaning="a ranking of candidates, the highest score first",
    told_by=lambda columns: {"candidate", "score"} <= columns,
    says="candidate and score",
    read=read,
    options=(ALLOWED,),
)

FORMATS = (ROW_PER_CANDIDATE,)
