"""Every export but judgments.csv: they take the analyses' packages along, which a second goes by to import."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from agreement.errors import Refused
from agreement.files.writing import csv_chunks
from agreement.kinds.signs import NAMES
from annotation.models import AnswerSigns, AuthenticityResult, Study
from annotation.releases.actions.adjudicating import adjudications_of, adjudications_table
from annotation.releases.actions.releasing import published_names
from annotation.releases.exports.bundle_zip import bundle, published_bundle
from annotation.releases.exports.export_files import json_line, json_lines
from annotation.releases.exports.judgment_stream import Form
from annotation.releases.exports.release_tables import (
    csv_line,
    gold,
    key,
    labels,
    norms,
    notes_table,
    participants,
    similarity_matrix,
    wide_judgments,
)
from annotation.releases.models import GoldRelease, ReleaseReport

# Of a release, by name. What a kind of question doesn't have is refused in a sentence.
TABLES: Mapping[str, Callable[[GoldRelease, Form], Iterator[bytes]]] = {
    "gold": gold,
    "labels": labels,
    "wide": wide_judgments,
    "norms": norms,
    "similarity-matrix": similarity_matrix,
}

# What speaks for a person having answered: columns, rows, and what a study lacks that has none.
OF_SIGNS: Mapping[str, tuple[list[str], Callable[[int], Sequence[Sequence[object]]], str]] = {
    "signs": (
        ["worker_id", "item_id", "answers", *NAMES],
        AnswerSigns.objects.by_item,
        "no signs: none were counted, or they were erased at the end of the time for which ids are kept",
    ),
    "authenticity": (
        ["worker_id", "check", "result", "imported_at"],
        AuthenticityResult.objects.rows,
        "no results of a platform's checks: none were imported",
    ),
}


def export_of_now(study: Study, release: GoldRelease | None, export: str, *, form: Form) -> Iterator[bytes]:
    if release is not None:
        raise Refused(f"{export}.csv says how things are now and belongs to no release: leave the release out.")
    if form.with_platform_ids:
        raise Refused(f"{export}.csv has pseudonyms and never the platform's ids.")
    if export == "participants":
        return participants(study, form)
    if export in OF_SIGNS:
        return _signs(study, export, form)
    table = notes_table(study) if export == "notes" else adjudications_table(study, adjudications_of(study))
    return json_lines(table) if form.as_json_lines else csv_chunks(table)


def _signs(study: Study, export: str, form: Form) -> Iterator[bytes]:
    """Refused where there are none: an empty table would say that nobody gave a sign."""
    names, rows_of, none = OF_SIGNS[export]
    rows = rows_of(study.pk)
    if not rows:
        raise Refused(f"{study.slug} has {none}.")
    line = partial(json_line, names) if form.as_json_lines else csv_line
    begins = [] if form.as_json_lines else [csv_line(names)]
    return chain(begins, (line([str(cell) for cell in row]) for row in rows))


def export_of_release(
    study: Study, releases: Sequence[GoldRelease], export: str, *, form: Form, with_participants: bool
) -> Iterator[bytes]:
    """Of the release's rows of all questions that are meant."""
    if not releases:
        raise Refused(f"{study.slug} has no gold release yet: run `manage.py analyse {study.slug}` first.")
    release = releases[0]
    if export in TABLES:
        return TABLES[export](release, form)
    match export:
        case "report":
            return drawn_report(release)
        case "bundle":
            return bundle(*releases, with_participants=with_participants)
        case "published-bundle":
            return published_bundle(*releases, names=published_names(release=release))
        case _:
            return key(release, published_names(release=release), form)


def drawn_report(release: GoldRelease) -> Iterator[bytes]:
    """The zip of a release's report page, figures and tables."""
    drawn = ReleaseReport.objects.filter(release=release).first()
    if drawn is None:
        raise Refused(f"The report of release {release.number} is not drawn yet.")
    return iter([bytes(drawn.content)])
