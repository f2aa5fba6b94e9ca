"""The four tasks: what a sentence says, and which shapes its object is compared with."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.errors import Refused

BIG, SMALL = "big", "small"


@dataclass(frozen=True, slots=True)
class Task:
    """`words` stand for large and for small; `noun` is what a sentence calls the thing, or "" for its own shape."""

    name: str
    words: tuple[str, str]
    one_kind: bool  # every shape of a scene is of one kind
    by_shape: bool  # compared with the shapes of its own kind, and not with the whole scene
    noun: str = ""

    @property
    def is_superlative(self) -> bool:
        return self.words != (BIG, SMALL)

    @property
    def slug(self) -> str:
        """The name as it stands in ids and file names."""
        return self.name.lower().replace("+", "-")

    @property
    def has_hard_set(self) -> bool:
        return not self.one_kind


TASKS = {
    task.name: task
    for task in (
        Task("SUP1", ("biggest", "smallest"), one_kind=True, by_shape=False),
        Task("POS1", (BIG, SMALL), one_kind=True, by_shape=False),
        Task("POS", (BIG, SMALL), one_kind=False, by_shape=False, noun="object"),
        Task("SET+POS", (BIG, SMALL), one_kind=False, by_shape=True),
    )
}


def task_named(name: str) -> Task:
    if name not in TASKS:
        raise Refused(f"--task {name}: there is no such task; there are {', '.join(TASKS)}.")
    return TASKS[name]
