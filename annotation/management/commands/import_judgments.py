"""`manage.py import_judgments STUDY judgments.csv`: judgments that were gathered elsewhere, all of them or none."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TypedDict

from agreement.cli.arguments import add_mapping_arguments, mapping_of, save_mapping
from agreement.errors import COMMAND, sentence_for
from agreement.files.marked_rows import marked_in_words
from agreement.judgments.repeated_judgments import REPEATS
from annotation.management.base import StudyCommand
from annotation.platforms import OWN_LINKS, PLATFORMS
from annotation.studies.importing_judgments import import_judgments, read_for_study

PLATFORM_OF = {"mturk": "mturk"}  # whose ids an export's workers have


class Imported(TypedDict):
    study: str
    people: int
    judgments: int
    there_already: int
    withdrawn: int
    beyond: int
    left_out: list[str]
    read_as: str
    notices: list[str]


class Command(StudyCommand[Imported]):
    help = "Adds judgments that were gathered elsewhere to a study; a second run adds none twice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("judgments", type=Path, metavar="judgments.csv")
        parser.add_argument(
            "--platform",
            choices=[*PLATFORMS],
            help="whose ids the workers have (default: mturk's of mturk, else none's)",
        )
        parser.add_argument(
            "--repeats",
            choices=[one for one in REPEATS if one != "keep"],
            default="refuse",
            help="what to do with several answers of one worker to one item, of which a study keeps one",
        )
        add_mapping_arguments(parser)

    def answer(self, options: Namespace) -> Imported:
        study, mapping = self.study(options.study), mapping_of(vars(options))
        judgments = read_for_study(options.judgments, study, mapping, options.repeats)
        platform = options.platform or PLATFORM_OF.get(mapping.export, OWN_LINKS)
        with self.progress("people") as report:
            shown = {} if report is None else {"progress": report}
            counts = import_judgments(study=study, foreign=judgments, platform=platform, by=None, **shown)
        save_mapping(vars(options), mapping)
        marked = sentence_for(marked_in_words(judgments.read.table.columns, judgments.read.worker.codes), COMMAND)
        left_out = [*judgments.read.left_out.sentences(), *([marked] if marked else [])]
        return {
            "study": study.slug,
            "people": counts.people,
            "judgments": counts.judgments,
            "there_already": counts.there_already,
            "withdrawn": counts.withdrawn,
            "beyond": counts.beyond,
            "left_out": left_out,
            "read_as": judgments.read.read_as,
            "notices": [sentence_for(notice, COMMAND) for notice in judgments.read.notices],
        }

    def say(self, answer: Imported) -> str:
        sentences = [
            f"{answer['judgments']:,} judgments of {answer['people']:,} people were imported into {answer['study']}."
        ]
        if answer["there_already"]:
            sentences.append(f"{answer['there_already']:,} were there already.")
        if answer["withdrawn"]:
            sentences.append(f"{answer['withdrawn']:,} are of people who have withdrawn, and stay out.")
        if answer["beyond"]:
            sentences.append(
                f"{answer['beyond']:,} are beyond the judgments per item that the study asks for; they count too."
            )
        done = " ".join([*sentences, *answer["left_out"]])
        return "\n".join([answer["read_as"], *answer["notices"], done])
