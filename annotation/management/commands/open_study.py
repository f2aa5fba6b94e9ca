"""`manage.py open_study STUDY [--pilot]`: people can take part from now on, or every reason why they can't yet."""

from argparse import ArgumentParser, Namespace
from typing import TypedDict

from annotation.management.base import StudyCommand
from annotation.models import Study
from annotation.studies.study_life import change_status


class Opened(TypedDict):
    study: str
    status: str
    places: int


class Command(StudyCommand[Opened]):
    help = "Opens a study, so that people can take part, or says what is still missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--pilot", action="store_true", help="open it as a pilot, whose answers are marked as pilot answers"
        )

    def answer(self, options: Namespace) -> Opened:
        study = self.study(options.study)
        wanted = Study.Status.PILOTING if options.pilot else Study.Status.LIVE
        if study.status != wanted:
            study = change_status(study=study, status=wanted, why="by manage.py open_study")
        return {"study": study.slug, "status": study.status, "places": study.open_places.count()}

    def say(self, answer: Opened) -> str:
        return f"{answer['study']} is {answer['status']}: {answer['places']} judgments are needed."
