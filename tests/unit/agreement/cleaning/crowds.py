"""Small crowds for the tests of cleaning."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from agreement.judgments.crowd import Crowd, QuestionKind, Repeats, Scale

Row = tuple[str, str, Any]
_DTYPES: dict[str, Any] = {"choice": np.int32, "verify": np.int32, "choices": np.bool_}


def crowd_of(
    rows: Sequence[Row],
    *,
    kind: QuestionKind = "slider",
    scale: str | None = "0:100",
    labels: Sequence[str] = (),
    checks: dict[str, str] | None = None,
    bounds: dict[str, dict[str, Any]] | None = None,
    response_ms: Sequence[float] | None = None,
    submitted_at: Sequence[str] | None = None,
    repeats: Repeats = "refuse",
    fields: dict[str, dict[str, str]] | None = None,
) -> Crowd:
    """A crowd from (worker, item, answer) rows; `checks` names the check that an item is, all others are targets."""
    workers, items = sorted({row[0] for row in rows}), sorted({row[1] for row in rows})
    ends = tuple(map(Decimal, scale.split(":"))) if scale else None
    return Crowd(
        kind=kind,
        scale=Scale(ends[0], ends[1]) if ends else None,
        labels=tuple(labels),
        items=_items(items, checks or {}, bounds or {}, fields or {}),
        workers=pd.Index(workers, dtype=object),
        worker=np.array([workers.index(row[0]) for row in rows], dtype=np.int32),
        item=np.array([items.index(row[1]) for row in rows], dtype=np.int32),
        answers=np.array([row[2] for row in rows], dtype=_DTYPES.get(kind, np.float64)),
        extras=pd.DataFrame(
            {
                "response_ms": response_ms if response_ms is not None else np.full(len(rows), np.nan),
                "submitted_at": submitted_at if submitted_at is not None else [""] * len(rows),
                "assignment_id": [""] * len(rows),
            }
        ),
        repeats=repeats,
    )


def _items(
    items: Sequence[str],
    checks: dict[str, str],
    bounds: dict[str, dict[str, Any]],
    fields: dict[str, dict[str, str]],
) -> pd.DataFrame:
    blank = {"expected": "", "min": None, "max": None, "reference": ""}
    return pd.DataFrame(
        [
            {
                "item_id": item,
                "kind": "check" if item in checks else "target",
                "check": checks.get(item, ""),
                **blank,
                **bounds.get(item, {}),
                **fields.get(item, {}),
            }
            for item in items
        ],
        dtype=object,
    )
