"""How well rule sets find each vice: precision and recall over simulated studies (`make cleaning-study`).

In each study some people have one vice and all others are careful. Rules see what they would see of a real crowd.
"""

import argparse
import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd

from agreement.assignment_order import generator, mixed, shuffled
from agreement.cleaning.cleaning_run import clean
from agreement.cleaning.rule_set import RuleSet, built_in_names, load_rules, parse_rules
from agreement.errors import Refused
from agreement.figures.rendering import render
from agreement.files.numbers import PER_CENT
from agreement.judgments.crowd import REPEATS_FIELD, Crowd
from agreement.kinds.kind import QuestionKind
from agreement.kinds.registry import KINDS
from agreement.simulation.simulated_people import CAREFUL, VICES, Person, Vice
from agreement.simulation.world import KnownItem, World, relations
from tools.benchmarks.cleaning_page import PAGE, with_results
from tools.benchmarks.cleaning_study_figure import draw

ROOT = Path(__file__).parents[2]
OUT = ROOT / "var" / "cleaning-study"
FIGURE = ROOT / "docs" / "images" / "cleaning-study.svg"
STUDIES = 200
SHARE = 9 / 66  # of the people: as many as the founding study excluded
AGAIN = "again"  # checks that ask one of the person's questions a second time


# What is asked.


@dataclass(frozen=True)
class Design:
    """`targets` and `checks` by their ids; each person gets so many targets, a check of each name, and one repeat."""

    name: str
    kind: QuestionKind
    scale: tuple[float, float] | None
    labels: tuple[str, ...]
    targets: dict[str, KnownItem]
    checks: dict[str, dict[str, KnownItem]]
    per_person: int
    judgments_per_item: int

    @property
    def workers(self) -> int:
        return round(len(self.targets) * self.judgments_per_item / self.per_person)


def similarity() -> Design:
    """The template `spatial-similarity`: a slider, ten pairs and two checks for each of 66 people."""
    terms = sorted({term for pair in relations() for term in pair})
    pairs = {f"{left}--{right}": KnownItem({"left": left, "right": right}) for left, right in combinations(terms, 2)}
    unrelated = {f"green {term}": KnownItem({"left": term, "right": "green"}, is_check=True, high=60) for term in terms}
    same = {f"same {term}": KnownItem({"left": term, "right": term}, is_check=True, low=90) for term in terms}
    return Design("similarity", "slider", (0, 100), (), pairs, {"unrelated": unrelated, "self": same}, 10, 10)


def colours() -> Design:
    """A label of eleven, as in `memory-colours`: thirty objects and two checks for each of twenty people."""
    return _of_colours("colours", "choice", None)


def colour_sliders() -> Design:
    """The same with a slider for each label, as in `object-colours`."""
    return _of_colours("colour-sliders", "sliders", (0, 100))


def _of_colours(name: str, kind: QuestionKind, scale: tuple[float, float] | None) -> Design:
    labels = ("black", "blue", "brown", "green", "grey", "orange", "pink", "purple", "red", "white", "yellow")
    objects = {f"object {k}": KnownItem({"item": f"object {k}"}, labels[k % len(labels)]) for k in range(60)}
    checks = {
        name: {f"{name} {k}": KnownItem({"item": f"{name} {k}"}, is_check=True, expected=(labels[k],)) for k in places}
        for name, places in (("first", range(4)), ("second", range(4, 8)))
    }
    return Design(name, kind, scale, labels, objects, checks, 30, 10)


DESIGNS = {"similarity": similarity, "colours": colours, "colour-sliders": colour_sliders}


# What is judged by which rules.

OWN_CHECKS, FLOOR = '[[rule]]\nkind = "check"\n', '[[rule]]\nkind = "too-fast"\nfloor_ms = 1000\n'
ALL = {
    "checks, 1 failure tolerated": f"{OWN_CHECKS}tolerated = 1",
    "too-fast, 1 s": FLOOR,
    "too-fast, 2 SD": '[[rule]]\nkind = "too-fast"\nsd_below = 2',
    "straight-lining, run of 5": '[[rule]]\nkind = "straight-lining"\nlongest_run = 5',
    "self-consistency, 20": '[[rule]]\nkind = "self-consistency"\nmax_difference = 20',
}
OF_NUMBERS = {
    "self-consistency, 40": '[[rule]]\nkind = "self-consistency"\nmax_difference = 40',
    "straight-lining, SD 5": '[[rule]]\nkind = "straight-lining"\nsd_below = 5',
    "straight-lining, SD 15": '[[rule]]\nkind = "straight-lining"\nsd_below = 15',
    "disagreement, r 0": '[[rule]]\nkind = "disagreement"\ncorrelation_below = 0',
    "disagreement, r .4": (r_below := '[[rule]]\nkind = "disagreement"\ncorrelation_below = 0.4'),
    "checks, 1 s and r .4": OWN_CHECKS + FLOOR + r_below,
}
OF_LABELS = {
    "disagreement, accuracy .3": '[[rule]]\nkind = "disagreement"\naccuracy_below = 0.3',
    "disagreement, accuracy .6": (accuracy_below := '[[rule]]\nkind = "disagreement"\naccuracy_below = 0.6'),
    "checks, 1 s and accuracy .6": OWN_CHECKS + FLOOR + accuracy_below,
}


def rule_sets(design: Design) -> dict[str, RuleSet]:
    """The shipped ones that judge workers and fit the questions, and the variants."""
    found = {name: load_rules(name) for name in built_in_names()}
    variants = ALL | (OF_NUMBERS if design.scale else OF_LABELS)
    found |= {name: parse_rules(f'name = "{name}"\n{toml}') for name, toml in variants.items()}
    crowd, _vices = a_study(design, CAREFUL, 0)
    return {name: rules for name, rules in found.items() if rules.on_workers and _fits(crowd, rules)}


def _fits(crowd: Crowd, rules: RuleSet) -> bool:
    names = {rule.check for rule in rules.checks if rule.check}
    if not names <= set(crowd.items["check"]):
        return False
    try:
        clean(crowd, rules)
    except Refused:
        return False
    return True


# One study, and what each rule set makes of it.


def a_study(design: Design, vice: Vice, seed: int) -> tuple[Crowd, list[Vice]]:
    """A crowd, and the vice of each of its people; the same seed has the same people answer the same questions."""
    rng, world = generator(seed, f"{design.name}, {vice.name}"), World(seed, design.labels)
    n_bad = 0 if vice is CAREFUL else max(1, round(SHARE * design.workers))
    vices = shuffled([vice] * n_bad + [CAREFUL] * (design.workers - n_bad), rng)
    items = _item_frame(design)
    place = {item_id: row for row, item_id in enumerate(items["item_id"])}
    judged = dict.fromkeys(design.targets, 0)
    rows: list[tuple[int, int, Any, float]] = []
    for number, of_person in enumerate(vices):
        person = Person(Random(rng.random()), of_person, number=number)
        for item_id, item in _assigned(design, judged, person):
            given = person.answer(design.kind, item, world, design.scale)
            value = getattr(given, KINDS[design.kind].column)
            rows.append((number, place[item_id], value, float(person.circumstances().response_ms or 0)))
    return _crowd(design, items, rows), vices


def _assigned(design: Design, judged: dict[str, int], person: Person) -> list[tuple[str, KnownItem]]:
    """What a person answers, in order: targets with the fewest judgments, the checks anywhere, the repeat last."""
    rng = person.rng
    least = sorted(shuffled(list(judged), rng), key=judged.__getitem__)[: design.per_person]
    for item_id in least:
        judged[item_id] += 1
    targets = [(item_id, design.targets[item_id]) for item_id in least]
    checks = [rng.choice(list(named.items())) for named in design.checks.values()]
    again = [(f"{AGAIN} {least[0]}", design.targets[least[0]])]
    order = [*mixed(targets, shuffled(checks, rng), rng), *again]
    return order[: int(min(person.vice.stays(person, len(order)), len(order)))]


def _item_frame(design: Design) -> pd.DataFrame:
    rows: list[dict[str, Any]] = [_item(item_id, "target", "", KnownItem({})) for item_id in design.targets]
    for name, checks in design.checks.items():
        rows += [_item(item_id, "check", name, item) for item_id, item in checks.items()]
    for item_id in design.targets:
        rows.append({**_item(f"{AGAIN} {item_id}", "check", AGAIN, KnownItem({})), REPEATS_FIELD: item_id})
    return pd.DataFrame(rows, dtype=object)


def _item(item_id: str, kind: str, check: str, item: KnownItem) -> dict[str, Any]:
    return {
        "item_id": item_id, "kind": kind, "check": check, "expected": "|".join(item.expected),
        "min": _bound(item.low), "max": _bound(item.high), "reference": "", REPEATS_FIELD: "",
    }  # fmt: skip


def _bound(per_cent: float | None) -> Decimal | None:
    return None if per_cent is None else Decimal(str(per_cent))


def _crowd(design: Design, items: pd.DataFrame, rows: Sequence[tuple[int, int, Any, float]]) -> Crowd:
    worker, item, given, times = zip(*rows, strict=True)
    code = {label: at for at, label in enumerate(design.labels)}
    match given[0]:
        case str():
            answers = np.array([code[value] for value in given], dtype=np.int32)
        case dict():
            answers = np.array([[value[label] for label in design.labels] for value in given])
        case _:
            answers = np.array(given, dtype=np.float64)
    blank = [""] * len(rows)
    return Crowd(
        kind=design.kind,
        scale=PER_CENT if design.scale else None,
        labels=design.labels,
        items=items,
        workers=pd.Index([f"w{number}" for number in range(design.workers)]),
        worker=np.array(worker, dtype=np.int32),
        item=np.array(item, dtype=np.int32),
        answers=answers,
        extras=pd.DataFrame({"response_ms": times, "submitted_at": blank, "assignment_id": blank}),
        repeats="refuse",
    )


@dataclass(frozen=True)
class Task:
    design: str
    vice: str
    seeds: range


def judged(task: Task) -> list[dict[str, Any]]:
    """For each rule set how many of those with the vice, and how many others, it excludes; a row per rule set."""
    design, vice = DESIGNS[task.design](), VICES[task.vice]
    rules = rule_sets(design)
    counts = {name: np.zeros(4, dtype=np.int64) for name in rules}
    for seed in task.seeds:
        crowd, vices = a_study(design, vice, seed)
        has_vice = np.array([each is vice for each in vices])
        for name, each in rules.items():
            excluded = ~clean(crowd, each).worker_kept
            counts[name] += [
                (excluded & has_vice).sum(), has_vice.sum(), (excluded & ~has_vice).sum(), (~has_vice).sum()
            ]  # fmt: skip
    names = ("found", "with_vice", "careful_excluded", "careful")
    return [
        {"design": design.name, "rules": name, "vice": vice.name, "studies": len(task.seeds),
         **dict(zip(names, found.tolist(), strict=True))}
        for name, found in counts.items()
    ]  # fmt: skip


def tasks(studies: int, seed: int) -> Iterator[Task]:
    """In chunks, so that both cores are busy to the end."""
    for design in DESIGNS:
        for vice in VICES:
            for first in range(0, studies, 50):
                yield Task(design, vice, range(seed + first, seed + min(first + 50, studies)))


def results(studies: int, seed: int, processes: int) -> pd.DataFrame:
    """A row for each design, rule set and vice, with `recall` and `precision`."""
    with ProcessPoolExecutor(processes) as pool:
        rows = [row for found in pool.map(judged, tasks(studies, seed)) for row in found]
    table = pd.DataFrame(rows).groupby(["design", "rules", "vice"], sort=False).sum().reset_index()
    table["recall"] = table["found"] / table["with_vice"]
    excluded = table["found"] + table["careful_excluded"]
    table["precision"] = (table["found"] / excluded).where(excluded > 0)
    return table


def main() -> None:
    """Run every study, print the table, and write it with the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=STUDIES, help=f"with each vice (default: {STUDIES})")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=OUT, help="folder; a full run also replaces the committed page")
    given = parser.parse_args()
    table = results(given.studies, given.seed, given.processes)
    given.out.mkdir(parents=True, exist_ok=True)
    table.to_csv(given.out / "results.csv", index=False, lineterminator="\n")
    render([draw(table)], given.out)
    page = with_results(PAGE.read_text(encoding="utf-8"), table, given.seed)
    print(page)
    if given.out == OUT and given.studies >= STUDIES:
        PAGE.write_text(page, encoding="utf-8")
        shutil.copy(given.out / "cleaning-study.svg", FIGURE)


if __name__ == "__main__":
    main()
