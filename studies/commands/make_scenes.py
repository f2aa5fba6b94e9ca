"""`touchstone make_scenes --task POS --n 80 --seed 1 --out scenes`: pictures, sentences and items of the size study."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from agreement.cli.arguments import Progress, seed
from agreement.errors import Refused
from studies.scenes.labelled import SentenceFacts, ceilings, in_lines
from studies.scenes.making import CLASSES, EIGHT_ONE_ONE, SPLITS, Order, make_checks, make_scenes
from studies.scenes.scene import FEWEST, MOST
from studies.scenes.sentences import TASKS, task_named
from studies.scenes.writing import FULL_SIDE, refuse_unfit, write_scenes

HELP = "Draws scenes of coloured shapes, each with a sentence on a shape's size. The same seed makes the same files."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--task", required=True, metavar="TASK", help=", ".join(TASKS))
    balanced = f"how many scenes; balanced exactly where it is a multiple of {CLASSES}"
    parser.add_argument("--n", type=int, required=True, help=balanced)
    parser.add_argument("--seed", type=seed, required=True, help="a whole number from 0 on")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    parser.add_argument("--size", type=int, default=FULL_SIDE, metavar="PIXELS", help=f"default: {FULL_SIDE}")
    hard = "only shapes that are neither the largest nor the smallest of those they are compared with"
    parser.add_argument("--hard", action="store_true", help=hard)
    how_many = f"how many shapes a scene has (default: {FEWEST}:{MOST})"
    parser.add_argument("--objects", default=f"{FEWEST}:{MOST}", metavar="FEWEST:MOST", help=how_many)
    default = ":".join(map(str, EIGHT_ONE_ONE))
    parts = f"shares of {', '.join(SPLITS)} within each class (default: {default}; hard sets are all test)"
    parser.add_argument("--split", default=default, metavar="A:B:C", help=parts)
    checks = "how many check items to add: scenes with a sentence that everybody who looks gets right (default: 0)"
    parser.add_argument("--checks", type=int, default=0, metavar="N", help=checks)
    gap = "the smallest gap between two shapes, in pixels of 1,024 (default: 0, so that some touch)"
    parser.add_argument("--gap", type=int, default=0, metavar="PIXELS", help=gap)
    without = "write only items.csv and scenes.csv"
    parser.add_argument("--without-pictures", action="store_true", help=without)


def run(options: Namespace, progress: Progress) -> dict[str, object]:
    out, side = options.out, options.size
    order = _order(options)
    refuse_unfit(out, side)
    with progress("scenes found") as report:
        scenes = make_scenes(order, report)
        checks = make_checks(order)
    with progress("pictures") as report:
        draws = not options.without_pictures
        write_scenes([*scenes, *checks], out, side=side, with_pictures=draws, report=report)
    return {
        "task": order.task.name,
        "hard": order.hard,
        "scenes": len(scenes),
        "checks": len(checks),
        "split": {part: sum(scene.split == part for scene in scenes) for part in SPLITS},
        "seed": order.seed,
        "out": str(out),
        "strategies": ceilings(order.task, SentenceFacts.of(scenes)),
    }


def say(answer: dict[str, Any]) -> str:
    split = ", ".join(f"{count:,} {part}" for part, count in answer["split"].items() if count)
    made = f"{answer['scenes']:,} scenes of {answer['task']}{' (hard)' if answer['hard'] else ''}: {split}."
    if answer["checks"]:
        made += f" There are also {answer['checks']:,} checks."
    return "\n".join([made, *in_lines(answer["strategies"]), f"items.csv and scenes.csv are in {answer['out']}."])


def _order(options: Namespace) -> Order:
    fewest, most = _numbers("--objects", options.objects, 2)
    train, val, test = _numbers("--split", options.split, 3)
    return Order(
        task=task_named(options.task),
        n=options.n,
        seed=options.seed,
        hard=options.hard,
        fewest=fewest,
        most=most,
        split=(train, val, test),
        checks=options.checks,
        gap=options.gap,
    )


def _numbers(option: str, text: str, count: int) -> list[int]:
    parts = text.split(":")
    if len(parts) != count or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        raise Refused(f"{option} {text}: {count} whole numbers with : between them are needed.")
    return [int(part) for part in parts]
