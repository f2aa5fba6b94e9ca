"""Which export is meant: of which release, under which file name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from agreement.actions.publishing import published_names
from agreement.adjudications import adjudications_of, adjudications_table
from agreement.exports.bundle import bundle, published_bundle
from agreement.exports.export_files import json_lines
from agreement.exports.participants import participants
from agreement.exports.release_tables import (
    CSV,
    Form,
    gold,
    judgments,
    key,
    labels,
    norms,
    payments,
    similarity_matrix,
    wide,
    workers,
)
from agreement.models import GoldRelease, ReleaseReport
from annotation.errors import Refused
from annotation.models import Study
from tables.writing import csv_chunks

# Of a release, by name. What a kind of question doesn't have is refused in a sentence.
TABLES: Mapping[str, Callable[[GoldRelease, Form], Iterator[bytes]]] = {
    "gold": gold,
    "labels": labels,
    "wide": wide,
    "norms": norms,
    "similarity-matrix": similarity_matrix,
}
ZIPS = ("report", "bundle", "published-bundle")
KEY = "published-key"  # to the names in a published bundle
PUBLISHED = ("published-bundle", KEY)
OF_A_RELEASE = ("judgments", "workers", *TABLES, *ZIPS, KEY)
# Of the study as things stand now, whatever was released.
AS_THINGS_STAND = ("participants", "adjudications")
EXPORTS = (*OF_A_RELEASE, *AS_THINGS_STAND)


def release_numbered(study: Study, number: int | None) -> GoldRelease | None:
    """The release of that number, refused if there is none; without a number the newest, if there is one."""
    releases = study.releases.select_related("study", "run__rule_set", "run__study").order_by("-number")
    release = (releases if number is None else releases.filter(number=number)).first()
    if release is None and number is not None:
        there = ", ".join(str(found.number) for found in releases) or "none yet"
        raise Refused(f"{study.slug} has no release {number}. There are: {there}.")
    return release


def stream(
    study: Study,
    what: str,
    *,
    release: GoldRelease | None,
    only_kept: bool = False,
    form: Form = CSV,
    with_participants: bool = False,
) -> Iterator[bytes]:
    """The export's bytes. Judgments and workers can be had before the first release, as they stand now; a bundle has
    no platform ids whatever the `form`. `with_participants` puts participants.csv into it.
    """
    if what == "payments":  # not in EXPORTS, which whoever may look can download
        return payments(study, form=form)
    if what not in EXPORTS:
        raise Refused(f"There is no export {what!r}. The exports are: {', '.join(EXPORTS)}.")
    if with_participants and what != "bundle":
        raise Refused(f"participants.csv can be added to a bundle, and not to {what}.")
    if what in AS_THINGS_STAND:
        return _as_things_stand(study, release, what, form=form)
    if what == "judgments":
        return judgments(release or study, only_kept=only_kept, form=form)
    if what == "workers":
        return workers(release or study, form=form)
    return _of_release(study, release, what, form=form, with_participants=with_participants)


def _as_things_stand(study: Study, release: GoldRelease | None, what: str, *, form: Form) -> Iterator[bytes]:
    if release is not None:
        raise Refused(f"{what}.csv says how things are now and belongs to no release: leave the release out.")
    if form.with_platform_ids:
        raise Refused(f"{what}.csv has pseudonyms and never the platform's ids.")
    if what == "participants":
        return participants(study, form)
    table = adjudications_table(study, adjudications_of(study))
    return json_lines(table) if form.as_json_lines else csv_chunks(table)


def _of_release(
    study: Study, release: GoldRelease | None, what: str, *, form: Form, with_participants: bool
) -> Iterator[bytes]:
    if release is None:
        raise Refused(f"{study.slug} has no gold release yet: run `manage.py analyse {study.slug}` first.")
    if what in TABLES:
        return TABLES[what](release, form)
    match what:
        case "report":
            return drawn_report(release)
        case "bundle":
            return bundle(release, with_participants=with_participants)
        case "published-bundle":
            return published_bundle(release, published_names(release=release))
        case _:
            return key(release, published_names(release=release), form)


def drawn_report(release: GoldRelease) -> Iterator[bytes]:
    """The zip of a release's report page, figures and tables."""
    drawn = ReleaseReport.objects.filter(release=release).first()
    if drawn is None:
        raise Refused(f"The report of release {release.number} is not drawn yet.")
    return iter([bytes(drawn.content)])


def file_name(study: Study, what: str, release: GoldRelease | None) -> str:
    """A name that tells what is in it.

    >>> file_name(Study(slug="colours"), "gold", GoldRelease(number=3))
    'colours-release-3-gold.csv'
    """
    number = "" if release is None else f"-release-{release.number}"
    return f"{study.slug}{number}-{what}.{'zip' if what in ZIPS else 'csv'}"
