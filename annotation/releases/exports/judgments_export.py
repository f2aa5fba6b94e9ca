"""judgments.csv of a study or a release, as CSV or JSON Lines; without pandas, which takes longer to start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from agreement.files.table import Column, Mask
from agreement.files.writing import csv_chunks, csv_header, csv_rows
from annotation.models import Study
from annotation.releases.exports.export_files import json_lines, json_rows
from annotation.releases.exports.judgment_stream import Table, is_streamed, judgment_parts
from annotation.releases.models import GoldRelease


@dataclass(frozen=True, slots=True)
class Form:
    """How a table is given: as CSV or JSON Lines; with pseudonyms, or with the platform's ids where they are still kept
    (for a person with the right to them alone).
    """

    as_json_lines: bool = False
    with_platform_ids: bool = False


CSV = Form()


def judgments(source: Study | GoldRelease, *, only_kept: bool = False, form: Form = CSV) -> Iterator[bytes]:
    """Every judgment, with whether it is kept and why not; of a study without a release, those that count now."""
    if is_streamed(source):
        return _streamed(source, only_kept=only_kept, form=form)
    return _at_once(source, only_kept=only_kept, form=form)


def _at_once(source: Study | GoldRelease, *, only_kept: bool, form: Form) -> Iterator[bytes]:
    from agreement.analysis.output_tables import judgments_table  # the whole cleaning, which few exports need
    from annotation.releases.exports.release_tables import cleaning_of

    cleaning = cleaning_of(source)
    return written(source, judgments_table(cleaning), cleaning.kept if only_kept else None, form)


def _streamed(source: Study | GoldRelease, *, only_kept: bool, form: Form) -> Iterator[bytes]:
    known = _platform_ids_of(source) if form.with_platform_ids else {}
    names: list[str] = []
    writer = json_rows() if form.as_json_lines else csv_rows()
    for table, kept in judgment_parts(source):
        if not names and not form.as_json_lines:
            yield csv_header(table)
        names = list(table)
        yield from writer.rows(_with_ids(table, known), kept if only_kept else None)
    if not names:  # no judgments: the header alone
        yield from _at_once(source, only_kept=False, form=form)


def written(source: Study | GoldRelease, table: Table, keep: Mask | None, form: Form) -> Iterator[bytes]:
    return _pieces(_with_ids(table, _platform_ids_of(source) if form.with_platform_ids else {}), keep, form)


def _with_ids(table: Table, known: Mapping[str, str]) -> Table:
    if not known:
        return table
    names = table["worker_id"]
    return {**table, "worker_id": Column(names.codes, [known.get(name, name) for name in names.values])}


def _pieces(table: Table, keep: Mask | None, form: Form) -> Iterator[bytes]:
    return json_lines(table, keep) if form.as_json_lines else csv_chunks(table, keep)


def _platform_ids_of(source: Study | GoldRelease) -> dict[str, str]:
    return platform_ids(source.study if isinstance(source, GoldRelease) else source)


def platform_ids(study: Study) -> dict[str, str]:
    people = study.participations.filter(worker__platform_id__isnull=False)
    return {pseudonym: str(found) for pseudonym, found in people.values_list("pseudonym", "worker__platform_id")}
