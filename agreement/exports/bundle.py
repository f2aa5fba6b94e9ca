"""The bundle: a release with all that is needed to make it again, as one zip whose bytes are always the same."""

from __future__ import annotations

import hashlib
import io
import re
import shlex
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from io import RawIOBase
from pathlib import Path

from agreement.actions.freezing import by_hand_of
from agreement.analysis.output_folder import report_bytes
from agreement.analysis.output_tables import items_table, judgments_table, workers_table
from agreement.cleaning.cleaning_run import Cleaning
from agreement.cleaning.decided_by_hand import by_hand_table
from agreement.cleaning.rules_fit_checks import Checks, misfits
from agreement.exports.export_files import zip_entry
from agreement.exports.participants import participants_to_publish
from agreement.exports.release_tables import cleaning_of, gold, peoples_matrix
from agreement.models import GoldRelease, Probe, ReleaseReport
from agreement.probes import SUFFIXES
from agreement.scoring.probe_formats import OPTIONS, all_options, options_of
from tables.cell_texts import join_bars
from tables.table import encode
from tables.writing import csv_chunks

# The models' outputs that a release was published with, as files of its bundle and options of the command.

# `analyse_file` tells probes apart by the names of their files.
_FILE_NAME = re.compile(r"\w[\w .+()@-]*")


def probes_of(release: GoldRelease) -> list[Probe]:
    """Those in the published report, in its order; probes that were scored later belong to no bundle."""
    names = [about["probe"] for about in release.report.get("probes", [])]
    found = {probe.name: probe for probe in release.study.probes.filter(name__in=names).select_related("file")}
    return [found[name] for name in names if name in found]


def path_of(probe: Probe, number: int) -> str:
    stem = probe.name if _FILE_NAME.fullmatch(probe.name) else f"probe-{number}"
    return f"probes/{stem}{SUFFIXES[probe.file.content_type]}"


def options_for(probes: Sequence[Probe]) -> list[str]:
    """What the command that makes the figures again is told of them."""
    if not probes:
        return []
    said = [f"--probe {' '.join(shlex.quote(path_of(probe, at)) for at, probe in enumerate(probes, start=1))}"]
    for option in OPTIONS.values():
        values = {options_of(probe.options)[option] for probe in probes} - {option.default}
        if option.is_words:
            said += [f"{option.flag} {name}" for name in list(words_files(probes))[:1]]
            continue
        said += [option.flag if value is True else f"{option.flag} {value}" for value in sorted(values, key=str)]
    return said


def words_files(probes: Sequence[Probe]) -> dict[str, str]:
    """Lists of words that probes were read with, as files of the bundle by name."""
    options = [(option, options_of(probe.options)[option]) for option in OPTIONS.values() for probe in probes]
    texts = dict.fromkeys((option.name, text) for option, text in options if option.is_words and text)
    return {f"{name}{at or ''}.txt": f"{text}\n" for at, (name, text) in enumerate(texts)}


def what_differs(probes: Sequence[Probe]) -> str:
    """Where the command can't make exactly the same scores, because files have no such names or options differ."""
    renamed = [
        f"{path_of(probe, at)} is {probe.name}"
        for at, probe in enumerate(probes, start=1)
        if not _FILE_NAME.fullmatch(probe.name)
    ]
    options = {tuple(all_options(options_of(probe.options)).values()) for probe in probes}
    apart = ["the probes were read with different options, so run one command per probe"] if len(options) > 1 else []
    return "; ".join([*renamed, *apart])


# The zip.

SUMS = "SHA256SUMS"  # of every other file, as `sha256sum --check` reads it


def bundle(release: GoldRelease, *, with_participants: bool = False) -> Iterator[bytes]:
    """The zip in pieces as it is made: nothing of it is kept in memory or on disk.

    Bundles are published: they have participants.csv only if asked for, and then without comments and free text.
    """
    sink, sums = _Sink(), dict[str, str]()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _files(release, with_participants=with_participants):
            digest = hashlib.sha256()
            with archive.open(zip_entry(name), "w", force_zip64=True) as entry:
                for piece in content:
                    digest.update(piece)
                    entry.write(piece)
                    yield sink.drained()
            sums[name] = digest.hexdigest()
        archive.writestr(zip_entry(SUMS), "".join(f"{sha256}  {name}\n" for name, sha256 in sums.items()))
    yield sink.drained()


def _files(release: GoldRelease, *, with_participants: bool) -> Iterator[tuple[str, Iterable[bytes]]]:
    cleaning, by_hand, probes = cleaning_of(release), by_hand_of(release.run), probes_of(release)
    yield "README.txt", [_readme(release, cleaning, probes, with_participants=with_participants).encode()]
    yield "gold.csv", gold(release)
    yield "judgments.csv", csv_chunks(judgments_table(cleaning))
    yield "workers.csv", csv_chunks(workers_table(cleaning))
    if with_participants:
        yield "participants.csv", participants_to_publish(release.study)
    yield "report.json", [_report(release)]
    yield "methods.md", [release.methods.encode()]
    if (matrix := peoples_matrix(release)) is not None:
        yield matrix.file, [matrix.matrix.csv()]
    yield from _drawn(release)
    yield "items.csv", csv_chunks(items_table(cleaning.crowd))
    yield "rules.toml", [release.run.rule_set.toml.encode()]
    if cleaning.crowd.coding is not None:
        yield "coding.csv", [cleaning.crowd.coding.csv()]
    if by_hand:
        yield "by_hand.csv", csv_chunks(by_hand_table(by_hand))
    for name, text in words_files(probes).items():
        yield name, [text.encode()]
    if synonyms := release.report.get("synonyms"):
        rows = [(spelling, join_bars(labels)) for spelling, labels in synonyms.items()]
        yield "synonyms.csv", _csv(("synonym", "label"), rows)
    if any(probe.group for probe in probes):
        names = [(Path(path_of(probe, at)).stem, probe.group) for at, probe in enumerate(probes, start=1)]
        yield "groups.csv", _csv(("probe", "group"), [(name, group) for name, group in names if group])
    for number, probe in enumerate(probes, start=1):
        yield path_of(probe, number), [bytes(probe.file.content)]


def _csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[bytes]:
    columns = {name: encode([row[at] for row in rows], len(rows)) for at, name in enumerate(header)}
    return csv_chunks(columns)


def _drawn(release: GoldRelease) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The report page, figures and tables, if they are drawn."""
    for drawn in ReleaseReport.objects.filter(release=release):
        with zipfile.ZipFile(io.BytesIO(bytes(drawn.content))) as archive:
            yield from ((name, [archive.read(name)]) for name in archive.namelist())


def _report(release: GoldRelease) -> bytes:
    return report_bytes(release.report) if release.report_file is None else release.report_file.encode()


def _readme(release: GoldRelease, cleaning: Cleaning, probes: Sequence[Probe], *, with_participants: bool) -> str:
    crowd, report = cleaning.crowd, release.report
    options = [
        "--items items.csv",
        f"--kind {crowd.kind}",
        # With =, for a scale or a label may begin with a minus sign, which alone would name an option.
        *([f"--scale={shlex.quote(str(crowd.scale))}"] if crowd.scale else []),
        *([f"--labels={shlex.quote(join_bars(crowd.labels))}"] if crowd.labels else []),
        "--rules rules.toml",
        *(["--by-hand by_hand.csv"] if cleaning.by_hand else []),
        *(["--coding coding.csv"] if crowd.coding is not None else []),
        *(["--synonyms synonyms.csv"] if report.get("synonyms") else []),
        *(["--groups groups.csv"] if any(probe.group for probe in probes) else []),
        *options_for(probes),
        f"--seed {report['seed']}",
        f"--replicates {report['replicates']}",
    ]
    said = [
        f"{release.study.title}: gold release {release.number}",
        f"SHA-256 of gold.csv{' as it was published, see below' if release.lost_lines() else ''}: {release.sha256}",
        "Worker ids are pseudonyms, random in each study. To compute every figure again:",
        f"    python manage.py analyse_file judgments.csv {' '.join(options)} --out again",
    ]
    if (unverified := report.get("unverified", {})).get("workers"):
        said.append(
            f"{unverified['workers']} of the {unverified['of']} workers are unverified: they came through an open link,"
            " or from the platform without its signature."
        )
    if with_participants:
        said.append(
            "participants.csv has everybody who came, as things stood when this bundle was downloaded: it is not part"
            " of the release. Of the questions about the person it has those with fixed answers; comments and free"
            " text are left out."
        )
    if misfit := list(misfits(cleaning.rules, Checks.of(crowd))):
        said.append(
            f"This release is from a version in which rules could miss checks. The command is refused: {misfit[0]}"
        )
    if differs := what_differs(probes):
        said.append(f"Of the models' outputs: {differs}.")
    if erratum := release.erratum():
        said.append(erratum)
    return "\n\n".join(said) + "\n"


class _Sink(RawIOBase):
    """Takes what the zip writes until it is drained; it can't be sought in, as a download can't."""

    def __init__(self) -> None:
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._written += data
        return len(data)

    def drained(self) -> bytes:
        piece = bytes(self._written)
        self._written.clear()
        return piece
