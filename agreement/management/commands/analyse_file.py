"""Cleaning, gold, agreement and ceilings of a crowd's file, written to a folder; needs no database and no server."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandParser

from annotation.errors import Refused
from annotation.files.bars import split_bars
from annotation.files.kinds import QUESTION_KINDS, REPEATS, Scale
from annotation.files.numbers import parse_scale

if TYPE_CHECKING:
    from collections.abc import Callable


class Command(BaseCommand):
    help = "Clean a crowd's judgments, make gold, measure agreement with intervals, and write it all to a folder."
    requires_system_checks = []  # they would load the whole site, which this command doesn't use

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("judgments", type=Path, help="judgments.csv or .jsonl: worker_id, item_id, value, …")
        parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write")
        parser.add_argument(
            "--items", type=Path, metavar="items.csv", help="the items; made from the judgments if absent"
        )
        parser.add_argument(
            "--kind", choices=QUESTION_KINDS, help="the kind of question; found from the answers if absent"
        )
        parser.add_argument("--scale", type=_scale, metavar="A:B", help="a slider's ends as people saw them (0:100)")
        parser.add_argument("--labels", type=_labels, default=(), metavar="A|B", help="all labels there are, in order")
        parser.add_argument(
            "--repeats", choices=REPEATS, default="refuse", help="what to do if a worker answered an item twice"
        )
        parser.add_argument("--rules", default="spatial-2019", metavar="R", help="a rule set's name or TOML file")
        parser.add_argument(
            "--by-hand", type=Path, metavar="by_hand.csv", help="workers kept or set aside: worker_id, kept, reason"
        )
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="of every random draw (1)")
        parser.add_argument(
            "--replicates", type=_count, default=1_000, metavar="N", help="of the item bootstrap (1000)"
        )
        parser.add_argument("--only-kept", action="store_true", help="judgments.csv holds the cleaned set only")
        parser.add_argument("--json", action="store_true", help="print report.json instead of a summary")

    def handle(self, *_: Any, **options: Any) -> None:
        from agreement.analysis.file_job import ALL_STAGES, FileJob, run

        names = ("judgments", "out", "items", "kind", "scale", "labels", "repeats", "rules", "by_hand", "seed")
        job = FileJob(
            only_kept=options["only_kept"], replicates=options["replicates"], **{name: options[name] for name in names}
        )
        try:
            analysis = run(job, _bar(ALL_STAGES))
        except Refused as refused:
            for reason in refused.reasons:
                self.stderr.write(reason)
            raise SystemExit(1) from refused
        if options["json"]:
            self.stdout.write(json.dumps(analysis.report, ensure_ascii=False))
        else:
            from agreement.analysis.summary import summary

            self.stdout.write(summary(analysis, job.out))


def _bar(stages: tuple[str, ...]) -> Callable[[str], None]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None
    width = max(map(len, stages))

    def show(stage: str) -> None:
        done = stages.index(stage)
        blocks = "█" * done + "░" * (len(stages) - done)
        end = "\n" if done == len(stages) - 1 else ""
        sys.stderr.write(f"\r{blocks} {stage:<{width}}{end}")
        sys.stderr.flush()

    return show


def _scale(text: str) -> Scale:
    try:
        return parse_scale(text)
    except Refused as refused:
        raise ArgumentTypeError(str(refused)) from refused


def _labels(text: str) -> tuple[str, ...]:
    labels = tuple(split_bars(text))
    if "" in labels or len(set(labels)) < len(labels):
        raise ArgumentTypeError(f"{text!r} is not a list of different labels with | between them")
    return labels


def _count(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a whole number of 0 or more")
    return int(text)
