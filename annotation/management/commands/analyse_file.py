"""Cleaning, gold, agreement and ceilings of a crowd's file, written to a folder; needs no database and no server."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agreement.cli.arguments import (
    ALT_TEST,
    add_probe_arguments,
    alt_test,
    label_list,
    probe_options,
    scale,
    with_scale_joined,
)
from agreement.cli.mapping_arguments import add_mapping_arguments, mapping_of, save_mapping
from agreement.errors import Refused
from agreement.files.repeated_judgments import REPEATS
from agreement.kinds.registry import QUESTION_KINDS
from agreement.typical_filters import FILTERS
from annotation.management.base import ProgressLine, TouchstoneCommand, count, seed

if TYPE_CHECKING:
    from agreement.analysis.output_folder import ExtraFiles

WIDEST = 120
SYNONYMS = "other spellings of labels, in answers, references and probes: a CSV with the columns synonym, label"
FIXED_WORKERS = "these workers are the people that the figures are of: intervals are over items alone"
WORKERS = "what is known of workers, for --also subgroups:COLUMN: a CSV with worker_id and other columns"
ALSO = "further analyses, such as alt-test or subgroups:age (docs/further-analyses.md)"
GROUPS = "models that are averaged together: a CSV with the columns probe, group"


class Command(TouchstoneCommand):
    help = "Clean a crowd's judgments, make gold, measure agreement with intervals, and write it all to a folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        self._add_judgments(parser)
        self._add_rules_and_files(parser)
        self._add_measures(parser)
        self._add_output(parser)

    def _add_judgments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("judgments", type=Path, metavar="judgments.csv", help="CSV or JSON Lines: worker_id, item_id, value, …")
        add_mapping_arguments(parser)
        add(
            "--out",
            type=Path,
            metavar="DIR",
            help="the folder to write (default: the file's name with -analysis, here)",
        )
        add("--people", type=Path, metavar="demographics.csv", help="Prolific's demographics, joined by participant id")
        add("--items", type=Path, metavar="items.csv", help="the items (default: those in the judgments)")
        add("--kind", choices=QUESTION_KINDS, help="the kind of question (default: guessed from the answers)")
        add("--scale", type=scale, metavar="A:B", help="the ends of the slider as people saw them (default: 0:100)")
        add("--labels", type=label_list, default=(), metavar="A|B", help="all possible labels, in order")
        add(
            "--ordered",
            action="store_true",
            help="the labels are ordered: adds ordinal alpha and weighted kappa",
        )
        add(
            "--repeats",
            choices=REPEATS,
            default="refuse",
            help="what to do with several answers of one worker to one item",
        )

    def _add_rules_and_files(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add(
            "--rules",
            default="own-bounds",
            metavar="R",
            help="the name or TOML file of a rule set (default: own-bounds, each check's own right answer)",
        )
        add(
            "--typical",
            choices=FILTERS,
            help="the rule for typical labels (default: what the rule set says, or typical)",
        )
        add(
            "--by-hand",
            type=Path,
            metavar="by_hand.csv",
            help="workers kept or excluded by hand: a CSV with the columns worker_id, kept, reason",
        )
        add(
            "--reference",
            type=Path,
            metavar="ref.csv",
            help="labels or numbers from another source: a CSV with the columns item_id, reference",
        )
        add(
            "--coding",
            type=Path,
            metavar="coding.csv",
            help="of lists: what each spelling counts as, a CSV with the columns property, relation, feature",
        )
        add("--synonyms", type=Path, metavar="synonyms.csv", help=SYNONYMS)
        add("--groups", type=Path, metavar="groups.csv", help=GROUPS)
        add("--probe", type=Path, nargs="+", action="extend", default=[], metavar="p.csv", help="models' outputs")
        add_probe_arguments(parser)

    def _add_measures(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--seed", type=seed, default=1, metavar="N", help="the seed of every random draw (default: 1)")
        add("--replicates", type=count, default=1_000, metavar="N", help="bootstrap replicates (default: 1000)")
        add("--workers", type=Path, metavar="workers.csv", help=WORKERS)
        add("--also", nargs="+", action="extend", default=[], metavar="ANALYSIS", help=ALSO)
        add("--alt-test", dest="also", type=alt_test, action="append", metavar="EPSILON", help=ALT_TEST)
        add("--fixed-workers", action="store_true", help=FIXED_WORKERS)

    def _add_output(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("--only-kept", action="store_true", help="write only the judgments that were kept to judgments.csv")
        card = "what only you know of the data: licence, creators, limits (docs/formats.md)"
        add("--card", type=Path, metavar="CARD.toml", help=card)
        add("--no-report", action="store_true", help="leave out the report page, figures, tables and data cards")

    def run_from_argv(self, argv: list[str]) -> None:
        """`--scale -5:5`: argparse takes what begins with a minus for another option, so the two are joined."""
        super().run_from_argv(with_scale_joined(argv))

    def answer(self, **options: Any) -> dict[str, Any]:
        from agreement.analysis.file_job import ALL_STAGES, FileJob, run
        from agreement.processes import keep_freed_memory
        from agreement.report.report import report_as_json

        names = (
            "judgments",
            "out",
            "items",
            "kind",
            "scale",
            "labels",
            "ordered",
            "repeats",
            "rules",
            "typical",
            "by_hand",
            "reference",
            "coding",
            "synonyms",
            "groups",
            "workers",
        )
        options["out"] = options["out"] or Path(f"{options['judgments'].stem}-analysis")
        job = FileJob(
            **{name: options[name] for name in (*names, "seed", "replicates", "only_kept", "fixed_workers")},
            probe=tuple(options["probe"]),
            also=tuple(options["also"]),
            probe_options=probe_options(options),
            mapping=mapping_of(options),
            people=options["people"],
        )
        self.out = job.out
        if getattr(
            self, "_called_from_command_line", False
        ):  # else the process belongs to someone who goes on after this
            keep_freed_memory()
        self.unfilled: list[str] = []
        self.failures: list[str] = []
        self.has_no_figures = False
        self.analysis = run(job, _bar(ALL_STAGES), self._beside(options))
        save_mapping(options, job.mapping)
        if not options["no_report"] and not self.published and not self.analysis.report.collection.last_day:
            self.unfilled.append("published")  # no judgment has a time that would tell
        return dict(report_as_json(self.analysis.report))

    def _beside(self, options: dict[str, Any]) -> ExtraFiles:
        """What is written beside the analysis: the report and the data cards, unless they are to be left out."""
        from agreement.analysis.output_folder import NO_EXTRA_FILES

        if options["no_report"]:
            if options["card"]:
                raise Refused("--card is for the report's files: leave --no-report out.")
            return NO_EXTRA_FILES
        from agreement.figures.rendering import can_draw
        from agreement.report.data_card import EMPTY, missing, read_card
        from agreement.report.report_files import with_card

        card = EMPTY if options["card"] is None else read_card(options["card"])
        self.unfilled, self.published = missing(card), card.published
        self.has_no_figures = not can_draw()
        return with_card(card, self.failures)

    def handle(self, *args: Any, **options: Any) -> None:
        """As every command, and exit 1 where a part of the report is missing from what was written."""
        super().handle(*args, **options)
        if self.failures:
            for failure in self.failures:
                self.stderr.write(failure)
            self.stderr.write(f"Everything else is in {self.out}.")
            sys.exit(1)

    def say(self, answer: dict[str, Any]) -> str:  # noqa: ARG002  what a terminal shows needs more than the report
        from agreement.figures.rendering import NOT_INSTALLED
        from agreement.report.terminal_summary import summary

        cards = f"To be filled in in croissant.json (--card CARD.toml): {', '.join(self.unfilled)}."
        said = summary(self.analysis, self.out, width=min(shutil.get_terminal_size().columns, WIDEST))
        more = [*([cards] if self.unfilled else []), *([NOT_INSTALLED] if self.has_no_figures else [])]
        return "\n".join([said, *more])


def _bar(stages: tuple[str, ...]) -> Callable[[str], None]:
    """A bar of stages on a terminal where they take longer than two seconds, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _: None
    line = ProgressLine()

    def show(stage: str) -> None:
        done = stages.index(stage)
        line.show(f"{'█' * done}{'░' * (len(stages) - done)} {stage}")
        if done == len(stages) - 1:
            line.end()

    return show
