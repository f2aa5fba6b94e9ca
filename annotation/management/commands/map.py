"""`manage.py map answers.jsonl STUDY|items.csv --out mapping.csv`: what models' answers stand for."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from agreement.cli import map_answers
from agreement.cli.arguments import probe_options, with_scale_joined
from agreement.typed_json import JsonObject
from annotation.management.base import StudyCommand
from annotation.releases.actions.scoring_probes import first_options, study_items_of


class Command(StudyCommand[JsonObject]):
    help = map_answers.HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object, for machines")
        parser.add_argument("--question", default="", metavar="NAME", help="of a study with several: which is meant")
        map_answers.add_arguments(parser)

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv(with_scale_joined(argv))

    def answer(self, options: Namespace) -> JsonObject:
        if Path(options.study).suffix[1:].isalpha() or Path(options.study).is_dir():
            items, first = map_answers.study_of_file(options), probe_options(vars(options))
        else:
            study = self.study(options.study).named(options.question)
            items, first = study_items_of(study), probe_options(vars(options), first_options(study))
        return map_answers.mapped(options, items, first)

    def say(self, answer: JsonObject) -> str:
        return map_answers.say(answer)
