"""Which export is meant, of which release, under which file name; and that it is entered in the study's history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agreement.errors import Refused
from annotation.models import AuditEntry, Study, User
from annotation.releases.exports.judgment_stream import CSV, Form, judgments
from annotation.releases.models import GoldRelease

# Of a release, by name.
TABLES = ("gold", "labels", "wide", "norms", "similarity-matrix")
BUNDLES = ("bundle", "published-bundle")
ZIPS = ("report", *BUNDLES)
KEY = "published-key"  # to the names in a published bundle
PUBLISHED = ("published-bundle", KEY)
OF_A_RELEASE = ("judgments", "workers", *TABLES, *ZIPS, KEY)
# Of the study as things stand now, whatever was released.
AS_THINGS_STAND = ("participants", "adjudications", "notes", "signs", "authenticity")
# Of all questions of a study together, unless one of them is named. Of any other a question has to be.
OF_ALL_QUESTIONS = ("judgments", *BUNDLES, KEY, "participants", "notes", "payments", "signs", "authenticity")
EXPORTS = (*OF_A_RELEASE, *AS_THINGS_STAND)


def release_numbered(study: Study, number: int | None) -> GoldRelease | None:
    """The release of that number, refused if there is none; without a number the newest, if there is one."""
    releases = study.releases.select_related("study", "run__rule_set", "run__study").order_by("-number")
    release = (releases if number is None else releases.filter(number=number)).first()
    if release is None and number is not None:
        numbers = ", ".join(str(each.number) for each in releases) or "none yet"
        raise Refused(f"{study.slug} has no release {number}. There are: {numbers}.")
    return release


def study_for(study: Study, export: str, question: str) -> Study:
    """The study as the question that is meant asks it; as it is where all are meant."""
    return study if not question and export in OF_ALL_QUESTIONS else study.named(question)


def stream(
    study: Study,
    export: str,
    *,
    release: GoldRelease | None,
    only_kept: bool = False,
    form: Form = CSV,
    with_participants: bool = False,
    of_all: bool = False,
) -> Iterator[bytes]:
    """The export's bytes. Judgments and workers can be had before the first release, as they stand now; a bundle has
    no platform ids whatever the `form`. `with_participants` puts participants.csv into it. With `of_all` it is of all
    questions of the study, else of the one that the study shows.
    """
    if export == "judgments" and not with_participants:
        return judgments(_sources(study, release, of_all=of_all), only_kept=only_kept, form=form)
    from annotation.releases.exports import other_exports, release_tables  # which import the analyses

    if export == "payments":  # not in EXPORTS, which whoever may look can download
        return release_tables.payments(study, form=form)
    if export not in EXPORTS:
        raise Refused(f"There is no export {export!r}. The exports are: {', '.join(EXPORTS)}.")
    if with_participants and export != "bundle":
        raise Refused(f"participants.csv can be added to a bundle, and not to {export}.")
    if export in AS_THINGS_STAND:
        return other_exports.export_of_now(study, release, export, form=form)
    if export == "workers":
        return release_tables.workers(release or study, form=form)
    releases = releases_beside(release) if of_all and release else [release] if release else []
    return other_exports.export_of_release(study, releases, export, form=form, with_participants=with_participants)


def _sources(study: Study, release: GoldRelease | None, *, of_all: bool) -> Sequence[Study | GoldRelease]:
    if not of_all:
        return [release or study]
    return study.questions() if release is None else releases_beside(release)


def releases_beside(release: GoldRelease) -> list[GoldRelease]:
    """The release's rows, one of each question that it is of."""
    rows = GoldRelease.objects.filter(study=release.study_id, number=release.number)
    return list(rows.select_related("study", "run__rule_set", "run__study").order_by("question"))


def file_name(study: Study, export: str, release: GoldRelease | None, question: str = "") -> str:
    """A name that tells what is in it.

    >>> file_name(Study(slug="colours"), "gold", GoldRelease(number=3), "fluency")
    'colours-release-3-gold-fluency.csv'
    """
    parts = [study.slug, *([] if release is None else ["release", str(release.number)]), export, question]
    return f"{'-'.join(filter(None, parts))}.{'zip' if export in ZIPS else 'csv'}"


# The record of exports: which one, of which release, for whom.


def record_export(
    *,
    study: Study,
    export: str,
    release: GoldRelease | None,
    by: User | None,
    only_kept: bool = False,
    with_platform_ids: bool = False,
    with_participants: bool = False,
) -> None:
    AuditEntry.objects.create(
        study=study,
        by=by,
        action=AuditEntry.Action.EXPORTED,
        detail={
            "what": export,
            "release": release and release.number,
            "only_kept": only_kept,
            "with_platform_ids": with_platform_ids,
            **({"with_participants": True} if with_participants else {}),
        },
    )
