"""`manage.py create_study SLUG --preset NAME [--items F | --terms F]`: a draft study, ready to be looked at."""

from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from typing import TypedDict

from agreement.cli.arguments import count
from agreement.errors import COMMAND, Refused
from annotation.management.base import TouchstoneCommand
from annotation.management.commands.import_items import add_images_argument, media_beside
from annotation.models import Study, User
from annotation.studies import presets
from annotation.studies.item_files import UploadedItems, read_items
from annotation.studies.items_of_text import read_terms
from annotation.studies.study_life import create_study
from annotation.studies.unused_in_import import unused_in_import

OF_A_FILE = ("images", "media", "sample", "seed")
ITEMS = "items to judge instead of the preset's own; its check items stay, unless the file has check items"
TERMS = "terms (and their aliases in models' files) whose pairs and checks take the place of the preset's own"


class Created(TypedDict):
    study: str
    kind: str
    items: int
    targets: int
    status: str
    notice: str
    unused: list[str]


class Command(TouchstoneCommand[Created]):
    help = "Makes a draft study from a preset; `presets` lists them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG", help="the study's short name, which its address uses")
        parser.add_argument("--preset", required=True, metavar="NAME")
        parser.add_argument("--items", type=Path, metavar="items.csv", help=ITEMS)
        parser.add_argument("--sample", type=int, metavar="N", help="take N of the file's items to judge, at random")
        parser.add_argument("--seed", type=count, metavar="S", help="decides which they are (default: 0)")
        parser.add_argument("--terms", type=Path, metavar="terms.csv", help=TERMS)
        add_images_argument(parser)
        whose = "the researcher who owns the study (default: nobody; then only superusers see it)"
        parser.add_argument("--owner", metavar="NAME", help=whose)

    def answer(self, options: Namespace) -> Created:
        preset, path, terms = presets.load(options.preset), options.items, options.terms
        if terms is not None and path is not None:
            raise Refused("--terms and --items both bring items: name one of them.")
        if path is None and (of_a_file := [name for name in OF_A_FILE if getattr(options, name) is not None]):
            raise Refused(f"--{of_a_file[0]} is about a file of items: name it with --items.")
        if options.sample is None and options.seed is not None:
            raise Refused("--seed decides which items a sample has: say how many with --sample.")
        make = partial(create_study, slug=options.slug, preset=preset, owner=_owner(options.owner))
        unused: list[str] = []
        if terms is not None:
            study = make(uploaded=read_terms(terms, preset.checks_of_own_terms))
        elif path is None:
            study = make()
        else:
            with media_beside(path, options) as pictures:
                to_be = Study(kind=preset.study["kind"], stimulus=preset.study.get("stimulus", {}))
                items = read_items(path, to_be, pictures, questions=preset.questions)
                brought = UploadedItems(items, path.name, pictures.seen.values())
                if options.sample is not None:
                    brought = brought.sample(options.sample, options.seed or 0)
                study = make(uploaded=brought)
                unused = unused_in_import(items, study, pictures, COMMAND)
        return {
            "study": study.slug,
            "kind": study.kind,
            "items": study.items.count(),
            "targets": study.items.targets().count(),
            "status": study.status,
            "notice": study.items.without_right_answer_in_words(),
            "unused": unused,
        }

    def say(self, answer: Created) -> str:
        created = (
            f"{answer['study']} was created as a draft with {answer['items']} items. Open it in the admin "
            f"when it is ready."
        )
        return "\n".join([f"{created} {answer['notice']}".rstrip(), *answer["unused"]])


def _owner(name: str | None) -> User | None:
    if name is None:
        return None
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist as error:
        raise Refused(f"--owner {name}: there is no researcher of that name; `createsuperuser` creates one.") from error
