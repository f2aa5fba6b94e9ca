"""The demonstration: the founding study with a simulated crowd, analysed, and someone who can sign in to look at it."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from annotation.entry.links import make_open_link
from annotation.models import EntryLink, Study, User
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.export_files import write_to
from annotation.releases.exports.release_tables import gold as gold_csv
from annotation.releases.models import GoldRelease
from annotation.simulating.crowds import simulate
from annotation.studies import presets
from annotation.studies.study_life import change_status, create_study

SLUG = "demo"
PRESET = "spatial-similarity"
# The founding study's crowd: 66 people, 9 of them careless.
WORKERS, CARELESS, SEED = 66, 9, 2019
VISITORS = 200


@dataclass(frozen=True, slots=True)
class Demo:
    study: Study
    release: GoldRelease
    gold: Path
    link: EntryLink
    administrator: User
    password: str | None  # only in the run that made the administrator

    @property
    def is_new(self) -> bool:
        return self.password is not None


def demo() -> Demo:
    """Makes what is missing of the demonstration: all of it at first, nothing in a second run."""
    administrator, password = _administrator()
    study = Study.objects.filter(slug=SLUG).first() or _collected_study(administrator)
    release = study.releases.newest_first().first() or clean_and_release(study=study, seed=SEED, by=administrator)
    gold = settings.VAR_DIR / "results" / SLUG / "gold.csv"
    if not gold.exists():
        gold.parent.mkdir(parents=True, exist_ok=True)
        write_to(gold, gold_csv(release))
    link = study.entry_links.filter(kind=EntryLink.Kind.OPEN).earliest("pk")
    return Demo(study, release, gold, link, administrator, password)


def _collected_study(owner: User) -> Study:
    """One transaction: killed half-way it leaves nothing, and the next run begins anew. Nobody else is writing yet."""
    with transaction.atomic():
        study = create_study(slug=SLUG, preset=presets.load(PRESET), owner=owner, seed=SEED)
        study = change_status(study=study, status=Study.Status.LIVE, by=owner, why="the demonstration")
        make_open_link(study=study, capacity=VISITORS, note="for visitors of the demonstration", by=owner)
        simulate(study=study, workers=WORKERS, careless=CARELESS, seed=SEED)
    return study


def _administrator() -> tuple[User, str | None]:
    existing = User.objects.filter(is_superuser=True).order_by("pk").first()
    if existing:
        return existing, None
    password = secrets.token_urlsafe(12)
    return User.objects.create_superuser("admin", password=password), password
