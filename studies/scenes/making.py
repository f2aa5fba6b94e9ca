"""As many scenes as asked for, with every class of sentence as often as any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from agreement.errors import Refused
from studies.scenes.scene import FEWEST, MOST, Candidates, Scene, draw, licensed, obvious, place
from studies.scenes.sentences import TASKS, Task
from studies.scenes.shapes import COLOURS, KINDS, Ints

BATCH = 4096
MOST_ASKED = 20  # shapes; a scene of more is never found on a canvas that full
MOST_CHECKS, MOST_GAP = 100, 50
PATIENCE = 400  # batches in a row that bring nothing: more than a million candidates
POOLS = len(KINDS) * len(COLOURS) * 2  # shape x colour x big or small; a true and a false sentence of each
CLASSES = POOLS * 2
SPLITS = ("train", "val", "test")
EIGHT_ONE_ONE = (8, 1, 1)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is asked for. `split` is the share of each part; a hard set is for testing alone."""

    task: Task
    n: int
    seed: int
    hard: bool = False
    fewest: int = FEWEST
    most: int = MOST
    split: tuple[int, int, int] = EIGHT_ONE_ONE
    checks: int = 0
    gap: int = 0  # empty pixels of the canvas between any two shapes, at least

    @property
    def name(self) -> str:
        return f"{self.task.slug}-hard" if self.hard else self.task.slug

    @property
    def sizes(self) -> str:
        return f"{self.fewest} to {self.most} shapes"


def make_scenes(order: Order, report: Progress | None = None) -> list[Scene]:
    """The scenes, in random order; the same order gives the same scenes.

    The 80 classes are shape x colour x word x true or false: with n a multiple of 80 each has n / 80 sentences, and
    otherwise some have one more. Each scene has one sentence, the true one or its false twin, never both.
    """
    _refuse_unfit(order)
    rng = np.random.Generator(np.random.PCG64([order.seed, list(TASKS).index(order.task.name), int(order.hard)]))
    wanted = _wanted(order.n, rng)
    return _told_apart(order, _fill(order, wanted, rng, report), wanted, rng)


def make_checks(order: Order) -> list[Scene]:
    """Scenes with a sentence that nobody who looks can get wrong: by turns big, small, true and false.

    They come from random numbers of their own, so that asking for checks changes no other scene.
    """
    _refuse_unfit(order)
    rng = np.random.Generator(np.random.PCG64([order.seed, len(TASKS) + list(TASKS).index(order.task.name)]))
    left = [order.checks // 2, order.checks - order.checks // 2]  # small, big
    found: list[list[Scene]] = [[], []]
    in_vain = 0
    while any(left):
        candidates = draw(order.task, rng, BATCH, licence=obvious, fewest=order.fewest, most=order.most)
        row, column, free = place(candidates, rng, gap=order.gap)
        big_of = candidates.is_big(order.task).tolist()
        in_vain += 1
        for at in np.flatnonzero(free).tolist():
            if left[big_of[at]]:
                left[big_of[at]] -= 1
                found[big_of[at]].append(_scene(order.task, candidates, row, column, at))
                in_vain = 0
        if in_vain == PATIENCE:
            raise Refused(
                f"--checks: no more than {sum(map(len, found))} were found with {order.sizes}. Nothing was written."
            )
    both = [(scene, big == 1, at % 2 == 0) for big in (1, 0) for at, scene in enumerate(found[big])]
    told = [replace(scene, says_big=is_big == says_true) for scene, is_big, says_true in both]
    return [scene.named(f"{order.name}-check-{number:02d}", "") for number, scene in enumerate(told, start=1)]


def _refuse_unfit(order: Order) -> None:
    reasons = []
    if order.n < 1:
        reasons.append(f"--n {order.n}: at least one scene is needed.")
    if order.seed < 0:
        reasons.append(f"--seed {order.seed}: a seed is a whole number from 0 on.")
    if order.hard and not order.task.has_hard_set:
        hard = ", ".join(task.name for task in TASKS.values() if task.has_hard_set)
        reasons.append(f"--hard: {order.task.name} has no hard set; there is one for {hard}.")
    if not 2 <= order.fewest <= order.most <= MOST_ASKED:
        reasons.append(
            f"--objects {order.fewest}:{order.most}: a scene has 2 to {MOST_ASKED} shapes, and the first number is not"
            " above the second."
        )
    if min(order.split) < 0 or not sum(order.split):
        reasons.append(f"--split {':'.join(map(str, order.split))}: shares are 0 or above, and one is above 0.")
    if not 0 <= order.checks <= MOST_CHECKS:
        reasons.append(f"--checks {order.checks}: from 0 to {MOST_CHECKS} checks can be drawn.")
    if not 0 <= order.gap <= MOST_GAP:
        reasons.append(f"--gap {order.gap}: from 0 to {MOST_GAP} pixels can be left empty.")
    if reasons:
        raise Refused(reasons)


def _wanted(n: int, rng: np.random.Generator) -> Ints:
    """[POOLS, 2] how many true and how many false sentences of each pool; who has one more is drawn."""
    each, more = divmod(n, CLASSES)
    wanted = np.full(CLASSES, each, dtype=np.int64)
    wanted[rng.permutation(CLASSES)[:more]] += 1
    return wanted.reshape(POOLS, 2)


def _fill(order: Order, wanted: Ints, rng: np.random.Generator, report: Progress | None) -> list[list[Scene]]:
    """For each pool as many scenes as it wants; which of their sentences are true comes later."""
    room, licence = wanted.sum(axis=1), partial(licensed, hard=order.hard)
    pools: list[list[Scene]] = [[] for _ in range(POOLS)]
    in_vain = tried = 0
    while room.any():
        found = draw(order.task, rng, BATCH, licence=licence, fewest=order.fewest, most=order.most)
        found = found.take(room[_pool(order.task, found)] > 0)
        row, column, free = place(found, rng, gap=order.gap)
        tried += BATCH
        before, pool_of = int(room.sum()), _pool(order.task, found).tolist()
        for at in np.flatnonzero(free).tolist():
            pool = pool_of[at]
            if room[pool]:
                room[pool] -= 1
                pools[pool].append(_scene(order.task, found, row, column, at))
        if report:
            report(order.n - int(room.sum()), order.n)
        in_vain = in_vain + 1 if int(room.sum()) == before else 0
        if in_vain == PATIENCE:
            raise Refused(_given_up(order, room, tried))
    return pools


def _pool(task: Task, found: Candidates) -> Ints:
    """[B] which pool a scene belongs to by the shape, colour and size of what its sentence is about."""
    kind, colour = found.of_queried(found.kind), found.of_queried(found.colour)
    return (kind * len(COLOURS) + colour) * 2 + found.is_big(task)


def _given_up(order: Order, room: Ints, tried: int) -> str:
    pool = int(np.flatnonzero(room)[0])
    look, big = divmod(pool, 2)
    kind, colour = divmod(look, len(COLOURS))
    which = f"{order.task.words[1 - big]} {list(COLOURS)[colour]} {KINDS[kind]}"
    left = int(room.sum())
    return (
        f"Only {order.n - left:,} of {order.n:,} scenes were found among {tried:,} candidates of {order.sizes}, and the"
        f" last {PATIENCE * BATCH:,} brought none that is still needed (such as one about the {which}). Ask for fewer"
        " shapes in a scene with --objects. Nothing was written."
    )


def _scene(task: Task, found: Candidates, row: Ints, column: Ints, at: int) -> Scene:
    n = int(found.there[at].sum())

    def of(values: Ints) -> Ints:
        return np.array(values[at, :n], dtype=np.int64)

    shapes = (of(found.kind), of(found.colour), of(found.radius), of(found.turned), of(row), of(column))
    return Scene("", task, *shapes, k=float(found.k[at]), queried=int(found.queried[at]), says_big=True)


def _told_apart(order: Order, pools: list[list[Scene]], wanted: Ints, rng: np.random.Generator) -> list[Scene]:
    """The scenes with their sentences, their split and their ids, in random order."""
    split = (0, 0, 1) if order.hard else order.split
    scenes = []
    for pool, found in enumerate(pools):
        is_big, n_true = pool % 2 == 1, int(wanted[pool, 0])
        scenes += [replace(scene, says_big=is_big == (at < n_true)) for at, scene in enumerate(found)]
    parts = _parts(len(scenes), split)
    places = rng.permutation(len(scenes)).tolist()
    digits = max(len(str(len(scenes))), 2)
    return [
        scenes[place].named(f"{order.name}-{number:0{digits}d}", parts[place])
        for number, place in enumerate(places, start=1)
    ]


def _parts(n: int, split: tuple[int, int, int]) -> list[str]:
    """The part of each of n sentences that lie class by class: always the one that is furthest behind its share.

    >>> _parts(10, (8, 1, 1)).count("train"), _parts(3, (1, 1, 1))
    (8, ['train', 'val', 'test'])
    """
    given, parts = [0, 0, 0], []
    for done in range(1, n + 1):
        behind = [share * done - had * sum(split) for share, had in zip(split, given, strict=True)]
        part = behind.index(max(behind))
        given[part] += 1
        parts.append(SPLITS[part])
    return parts
