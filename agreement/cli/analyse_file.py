"""Cleaning, gold, agreement and ceilings of a crowd's file, written to a folder; needs no database and no server."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import Refused
from ..judgments.repeated_judgments import REPEATS
from ..kinds.registry import QUESTION_KINDS
from ..typical_filters import FILTERS
from .arguments import (
    ALT_TEST,
    Progress,
    add_answer_mapping,
    add_mapping_arguments,
    add_probe_arguments,
    alt_test,
    count,
    label_list,
    mapping_of,
    probe_options,
    save_mapping,
    scale,
    seed,
)
from .file_command import Done, teller
from .progress import stages_shown

if TYPE_CHECKING:
    from ..analysis.analysis import Analysis
    from ..analysis.file_job import FileJob
    from ..analysis.output_folder import ExtraFiles

HELP = "Clean a crowd's judgments, make gold, measure agreement with intervals, and write it all to a folder."
WIDEST = 120
SYNONYMS = "other spellings of labels, in answers, references and probes: a CSV with the columns synonym, label"
FIXED_WORKERS = "these workers are the people that the figures are of: intervals are over items alone"
WORKERS = "what is known of workers, for --also subgroups:COLUMN: a CSV with worker_id and other columns"
ALSO = "further analyses, such as alt-test or subgroups:age (docs/further-analyses.md)"
GROUPS = "models that are averaged together: a CSV with the columns probe, group"


def add_arguments(parser: ArgumentParser) -> None:
    _add_judgments(parser)
    _add_rules_and_files(parser)
    _add_measures(parser)
    _add_output(parser)


def _add_judgments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("judgments", type=Path, metavar="judgments.csv", help="CSV, JSON, Excel or Parquet, as it came: see look")
    add_mapping_arguments(parser)
    add(
        "--out",
        type=Path,
        metavar="DIR",
        help="the folder to write (default: the file's name with -analysis, here)",
    )
    add("--people", type=Path, metavar="demographics.csv", help="Prolific's demographics, joined by participant id")
    add("--items", type=Path, metavar="items.csv", help="the items (default: those in the judgments)")
    add("--question", default="", metavar="NAME", help="which question is meant, where the file has several")
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


def _add_rules_and_files(parser: ArgumentParser) -> None:
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
    add_answer_mapping(parser)
    add_probe_arguments(parser)


def _add_measures(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--seed", type=seed, default=1, metavar="N", help="the seed of every random draw (default: 1)")
    add("--replicates", type=count, default=1_000, metavar="N", help="bootstrap replicates (default: 1000)")
    add("--workers", type=Path, metavar="workers.csv", help=WORKERS)
    add("--also", nargs="+", action="extend", default=[], metavar="ANALYSIS", help=ALSO)
    add("--alt-test", dest="also", type=alt_test, action="append", metavar="EPSILON", help=ALT_TEST)
    add("--fixed-workers", action="store_true", help=FIXED_WORKERS)


def _add_output(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--only-kept", action="store_true", help="write only the judgments that were kept to judgments.csv")
    card = "what only you know of the data: licence, creators, limits (docs/formats.md)"
    add("--card", type=Path, metavar="CARD.toml", help=card)
    add("--no-report", action="store_true", help="leave out the report page, figures, tables and data cards")
    add("--keys", action="store_true", help="write who is who beside the folder, to DIR-worker-keys.csv")
    add("--keep-ids", action="store_true", help="keep ids by which a platform knows people, and mark the folder")


@dataclass(slots=True)
class _Report:
    """What is written beside the analysis, and what is known of it once it is: what is left to fill in, what failed."""

    card: Path | None
    is_left_out: bool
    unfilled: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    has_no_figures: bool = False
    is_published: bool = False

    def extra_files(self) -> ExtraFiles:
        """The report and the data cards, unless they are to be left out."""
        from ..analysis.output_folder import NO_EXTRA_FILES

        if self.is_left_out:
            if self.card:
                raise Refused("--card is for the report's files: leave --no-report out.")
            return NO_EXTRA_FILES
        from ..figures.rendering import can_draw
        from ..output.report_files import with_card
        from ..report.data_card import EMPTY, missing_keys, read_card

        card = EMPTY if self.card is None else read_card(self.card)
        self.unfilled, self.is_published = missing_keys(card), bool(card.published)
        self.has_no_figures = not can_draw()
        return with_card(card, self.failures)

    def written_with(self, analysis: Analysis) -> None:
        has_times = bool(analysis.report.collection.last_day)
        if not self.is_left_out and not self.is_published and not has_times:
            self.unfilled.append("published")  # no judgment has a time that would tell


def run(options: Namespace, _progress: Progress) -> Done:
    from ..analysis import file_job
    from ..report.report import report_as_json

    job = job_of(options)
    report = _Report(options.card, options.no_report)
    analysis = file_job.run(job, stages_shown(file_job.ALL_STAGES), report.extra_files(), teller(options))
    save_mapping(vars(options), job.mapping)
    report.written_with(analysis)
    out = out_of(options)
    failures = [*report.failures, f"Everything else is in {out}."] if report.failures else []
    return Done(dict(report_as_json(analysis.report)), lambda: _in_words(analysis, out, report), failures)


def out_of(options: Namespace) -> Path:
    """The folder that is written."""
    return options.out or Path(f"{options.judgments.stem}-analysis")


def job_of(options: Namespace) -> FileJob:
    """What the command's options ask for."""
    from ..analysis.file_job import FileJob

    return FileJob(
        judgments=options.judgments,
        out=out_of(options),
        items=options.items,
        kind=options.kind,
        scale=options.scale,
        labels=options.labels,
        ordered=options.ordered,
        repeats=options.repeats,
        rules=options.rules,
        typical=options.typical,
        by_hand=options.by_hand,
        reference=options.reference,
        coding=options.coding,
        synonyms=options.synonyms,
        groups=options.groups,
        workers=options.workers,
        seed=options.seed,
        replicates=options.replicates,
        only_kept=options.only_kept,
        fixed_workers=options.fixed_workers,
        probe=tuple(options.probe),
        also=tuple(options.also),
        probe_options=probe_options(vars(options)),
        answer_mapping=tuple(options.answer_mapping),
        mapping=mapping_of(vars(options)),
        people=options.people,
        keep_ids=options.keep_ids,
        keys=options.keys,
        question=options.question,
    )


def _in_words(analysis: Analysis, out: Path, report: _Report) -> str:
    from ..figures.rendering import NOT_INSTALLED
    from ..output.terminal_summary import summary

    cards = f"To be filled in in croissant.json (--card CARD.toml): {', '.join(report.unfilled)}."
    text = summary(analysis, out, width=min(shutil.get_terminal_size().columns, WIDEST))
    more = [*([cards] if report.unfilled else []), *([NOT_INSTALLED] if report.has_no_figures else [])]
    return "\n".join([text, *more])
