"""The scenes of a preset that says `[[scenes]]`: drawn when a study is made from it, the same ones every time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from agreement.files.items_file import ITEM_COLUMNS as MEANINGFUL
from studies.scenes.making import Order, make_checks, make_scenes
from studies.scenes.scene import Scene
from studies.scenes.sentences import task_named
from studies.scenes.writing import ITEM_COLUMNS, item_rows, picture_name, png_of


@dataclass(frozen=True, slots=True)
class DrawnScenes:
    """Scenes with their sentences; the pictures are `side` pixels wide and high."""

    scenes: tuple[Scene, ...]
    side: int

    def items(self) -> list[dict[str, object]]:
        """As `add_items` takes them, each with the name of its picture."""
        rows = item_rows(self.scenes, with_pictures=True)
        return [_item(dict(zip(ITEM_COLUMNS, row, strict=True))) for row in rows]

    def picture(self, name: str) -> bytes | None:
        found = next((scene for scene in self.scenes if picture_name(scene) == name), None)
        return None if found is None else png_of(found, self.side)


def drawn_scenes(tables: Sequence[dict[str, object]]) -> list[DrawnScenes]:
    """For each `[[scenes]]` of a preset: `task`, `n`, `seed`, `checks`, `gap` and `size`, as for make_scenes."""
    return [_drawn(**table) for table in tables]


@cache
def _drawn(*, task: str, n: int, seed: int, checks: int, gap: int, size: int) -> DrawnScenes:
    order = Order(task=task_named(task), n=n, seed=seed, checks=checks, gap=gap)
    return DrawnScenes((*make_scenes(order), *make_checks(order)), size)


def _item(row: dict[str, str]) -> dict[str, object]:
    return {
        "item_id": row["item_id"],
        "kind": row["kind"],
        "check_name": row["check"] or None,
        "expected": [row["expected"]] if row["expected"] else None,
        "min": None,
        "max": None,
        "reference": row["reference"],
        "fields": {name: value for name, value in row.items() if name not in MEANINGFUL},
    }
