"""The quick way into a probe that is plainly right; any doubt sends it the strict way, which names what is wrong."""

from pathlib import Path

import numpy as np
import pandas as pd

from agreement.scoring.probe import SUM_TOLERANCE, P, Probe, Run, StudyItems


def quick_probe(path: Path, study: StudyItems, name: str) -> Probe | None:
    """A CSV of `item_id,score` or `item_id,p:<label>,...` in which nothing is to be refused or explained; else None.

    pandas reads such a file several times faster than the strict reader, and reads the same numbers.
    """
    frame = _frame(path)
    if frame is None:
        return None
    columns = list(frame.columns)
    labels = [f"{P}{label}" for label in study.labels]
    if sorted(columns) != ["item_id", "score"] and sorted(columns) != sorted(["item_id", *labels]):
        return None
    ids = frame["item_id"].to_numpy(dtype=object)
    rows = study.rows_of(ids)
    outputs = ["score"] if "score" in columns else labels
    values = frame[outputs].to_numpy(dtype=np.float64)
    if (rows < 0).any() or len(set(rows.tolist())) < len(rows) or not np.isfinite(values).all():
        return None
    if outputs == ["score"]:
        score = np.full(len(study.ids), np.nan)
        score[rows] = values[:, 0]
        return Probe(name, "numbers", (Run({}, score),))
    if (values < 0).any() or (np.abs(values.sum(axis=1) - 1) > SUM_TOLERANCE).any():
        return None
    shares = np.full((len(study.ids), len(labels)), np.nan)
    shares[rows] = values
    return Probe(name, "labels", (Run({}, shares),))


def _frame(path: Path) -> pd.DataFrame | None:
    """The file's columns, ids as text and all else as numbers; None if pandas finds anything else in it."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    try:
        header = pd.read_csv(path, nrows=0, encoding="utf-8-sig").columns
        kinds = {column: "str" if column == "item_id" else "float64" for column in header}
        frame = pd.read_csv(path, dtype=kinds, na_filter=False, encoding="utf-8-sig")
    except (ValueError, OSError, pd.errors.ParserError):
        return None
    plain = isinstance(frame.index, pd.RangeIndex) and "item_id" in frame and len(frame) > 0
    return frame if plain and not frame["item_id"].str.contains("'", regex=False).any() else None
