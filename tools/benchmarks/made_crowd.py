"""A crowd's CSV of any size: 10 workers an item, who differ in bias and care, rows in no order; the same every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

PER_ITEM = 10
ITEMS_PER_WORKER = 50


def write_crowd(path: Path, judgments: int) -> None:
    """`judgments` slider answers of 0-100: a tenth as many items, a worker for every 500 judgments."""
    rng = np.random.default_rng(20_190_613)
    n_items, n_workers = judgments // PER_ITEM, max(2 * PER_ITEM, judgments // (PER_ITEM * ITEMS_PER_WORKER))
    item = np.repeat(np.arange(n_items), PER_ITEM)
    worker = (
        (rng.integers(0, n_workers, n_items)[:, None] + np.arange(PER_ITEM) * (n_workers // PER_ITEM)) % n_workers
    ).ravel()
    truth, bias, care = rng.uniform(0, 100, n_items), rng.normal(0, 5, n_workers), rng.uniform(8, 25, n_workers)
    value = np.clip(np.rint(truth[item] + bias[worker] + rng.normal(0, 1, judgments) * care[worker]), 0, 100).astype(
        int
    )
    order = rng.permutation(judgments)
    with path.open("w", encoding="utf-8") as stream:
        stream.write("worker_id,item_id,value\n")
        for part in np.array_split(order, max(1, judgments // 500_000)):
            rows = zip(worker[part].tolist(), item[part].tolist(), value[part].tolist(), strict=True)
            stream.writelines(f"w{who},item{what},{answer}\n" for who, what, answer in rows)
