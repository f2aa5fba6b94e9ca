"""`touchstone label_scenes scenes.csv --task SET+POS --sentences items.csv`: labels of existing scenes."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from agreement.cli.arguments import Progress
from studies.scenes.labelled import ceilings, in_lines, read_sentences, read_shapes, write_sentences, write_shapes
from studies.scenes.sentences import TASKS, task_named

HELP = "Says which shapes of scenes are big, which sentences about them are true, and what simple rules get right."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("scenes", type=Path, metavar="scenes.csv", help="one row per shape, with its area and k")
    parser.add_argument("--task", required=True, metavar="TASK", help=", ".join(TASKS))
    sentences = "items with a sentence about one shape of a scene (scene_id, or item_id where it is called so)"
    parser.add_argument("--sentences", type=Path, metavar="items.csv", help=sentences)
    out = "the file to write: sentences (or shapes, without sentences) with their labels, thresholds and distances"
    parser.add_argument("--out", type=Path, metavar="labels.csv", help=out)


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    task, out = task_named(options.task), options.out
    shapes = read_shapes(options.scenes, task)
    found: dict[str, object] = {"task": task.name, "shapes": len(shapes.area), "sizes_that_follow": shapes.followed}
    if options.sentences is None:
        if out is not None:
            write_shapes(shapes, out)
        return found
    sentences = read_sentences(options.sentences, shapes, task)
    if out is not None:
        write_sentences(sentences, task, out)
    return {
        **found,
        "sentences": len(sentences.at),
        "left_out": sentences.left_out,
        "references_that_follow": sentences.followed,
        "strategies": ceilings(task, sentences.asked),
    }


def say(answer: dict[str, Any]) -> str:
    lines = [f"{answer['shapes']:,} shapes{_followed(answer['sizes_that_follow'], 'sizes')}"]
    if "sentences" in answer:
        lines.append(f"{answer['sentences']:,} sentences{_followed(answer['references_that_follow'], 'references')}")
        if answer["left_out"]:
            lines.append(f"{answer['left_out']:,} check or practice items are left out.")
        lines += in_lines(answer["strategies"])
    return "\n".join(lines)


def _followed(count: int | None, what: str) -> str:
    return "." if count is None else f"; {count:,} of the {what} in the file follow from the rule."
