"""`manage.py create_study SLUG --preset NAME [--items items.csv]`: a draft study, ready to be looked at."""

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation import presets
from annotation.actions.studies import AT_ONCE, create_study
from annotation.errors import Refused
from annotation.item_files import read_items
from annotation.management.base import TouchstoneCommand
from annotation.management.items import add_images_argument, import_items, pictures_beside
from annotation.models import Study, User


class Command(TouchstoneCommand):
    help = "Makes a draft study from a preset; `presets` lists them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG", help="the study's short name, which its address uses")
        parser.add_argument("--preset", required=True, metavar="NAME")
        parser.add_argument("--items", type=Path, metavar="items.csv", help="items to add to those of the preset")
        add_images_argument(parser)
        whose = "the researcher who owns the study (default: nobody; then only superusers see it)"
        parser.add_argument("--owner", metavar="NAME", help=whose)

    def answer(self, **options: Any) -> dict[str, Any]:
        preset, path = presets.load(options["preset"]), options["items"]
        make = partial(create_study, slug=options["slug"], preset=preset, owner=_owner(options["owner"]))
        if path is None:
            study = make()
        else:
            with pictures_beside(path, options["images"]) as pictures:
                # Once before the transaction: while that is open nobody else can write, and pictures take their time.
                items = read_items(
                    path, _draft_of(preset), pictures, labels=[label["value"] for label in preset.labels]
                )
                if len(items) > AT_ONCE:  # in one transaction they would keep everybody waiting
                    _refuse_ids_of_the_preset(items, preset, path)
                    study = make()
                    import_items(study, path, pictures)
                else:
                    with transaction.atomic():  # a bad items file leaves no study behind either
                        study = make()
                        import_items(study, path, pictures)
        return {
            "study": study.slug,
            "kind": study.kind,
            "items": study.items.count(),
            "status": study.status,
            "notice": study.items.without_right_answer_in_words(),
        }

    def say(self, answer: dict[str, Any]) -> str:
        made = (
            f"{answer['study']} was created as a draft with {answer['items']} items. Open it in the admin "
            f"when it is ready."
        )
        return f"{made} {answer['notice']}".rstrip()


def _draft_of(preset: presets.Preset) -> Study:
    """The study that is yet to be made, as far as its items have to fit it."""
    return Study(question=preset.study["question"], kind=preset.study["kind"])


def _refuse_ids_of_the_preset(items: list[dict[str, Any]], preset: presets.Preset, path: Path) -> None:
    own = {item["item_id"] for item in preset.items}
    if doubled := [item["item_id"] for item in items if item["item_id"] in own]:
        raise Refused(
            [f"{path.name}: {item_id!r} is an item of the preset already; give it another id" for item_id in doubled]
        )


def _owner(name: str | None) -> User | None:
    if name is None:
        return None
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist as error:
        raise Refused(f"--owner {name}: there is no researcher of that name; `createsuperuser` creates one.") from error
