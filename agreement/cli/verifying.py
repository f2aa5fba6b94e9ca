"""Whether the files of a bundle follow from the judgments in it: all that can be is made again and compared."""

from __future__ import annotations

import csv
import hashlib
import json
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..analysis.analysis import Analysis
from ..analysis.file_job import run
from ..analysis.output_folder import json_bytes
from ..analysis.output_tables import csv_bytes, workers_table
from ..errors import Refused, TouchstoneError
from ..files.unzipping import unpack
from ..files.writing import SUMS
from ..output.bundle_files import METHODS, OF_THE_SITE, BundleRecord, files_made_again, is_drawn, read_record
from ..output.bundle_files import NAME as RECORD
from ..output.made_with import FONTS, differing, software_record
from ..output.question_folders import joined_files, questions_of
from ..report.earlier_reports import changed_definitions, with_current_names
from ..report.methods import versions
from ..report.methods_paragraph import DETAILS
from ..report.report import SUSPECTS, read_report, without_suspects
from ..typed_json import Misread
from .analyse_file import job_of
from .bundle_command import files_read, options_of_bundle
from .report_comparison import DIGITS, Comparison, compare_reports, is_close

NEEDED = ("README.txt", "gold.csv", "judgments.csv", "workers.csv", "items.csv", "rules.toml", "report.json")
NEEDED_BY_ALL = ("README.txt", "judgments.csv", "report.json")  # of several questions the folders have the others
WORKERS = "workers.csv"
TABLES = ("gold.csv", "judgments.csv", WORKERS)
IDENTICAL, AGREES = "identical", f"agrees to {DIGITS} digits"


@dataclass(slots=True)
class Verification:
    """`sha256` is that of gold.csv, `sums_sha256` that of SHA256SUMS, which stands for the whole bundle.

    `differences` names what doesn't follow; `not_compared` files that weren't made again; `notes` what a reader should
    know of a comparison that holds.
    """

    sha256: str
    sums_sha256: str
    is_exact: bool = False  # every file that can be made again was, and is the same to the byte
    differences: list[str] = field(default_factory=list)
    not_compared: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def words(self) -> str:
        if self.differences:
            return "differs"
        return IDENTICAL if self.is_exact else AGREES


def verify(path: Path, *, expect: str = "") -> Verification:
    """`expect` is the SHA-256 of gold.csv or of SHA256SUMS as it was published.

    `Refused` if the bundle can't be computed again.
    """
    with tempfile.TemporaryDirectory(prefix="touchstone-verify-") as name:
        folder, again = Path(name) / "bundle", Path(name) / "again"
        unpack(path, folder, NEEDED_BY_ALL)
        names = questions_of(folder)
        if names:
            verified = _verify_questions(path.name, folder, again, names, expect)
        else:
            verified = _verify_folder(path.name, folder, again, expect)
        verified.differences = list(dict.fromkeys(verified.differences))
        return verified


def _verify_folder(called: str, folder: Path, again: Path, expect: str) -> Verification:
    if missing := [f"{called}: {name} is missing" for name in NEEDED if not (folder / name).is_file()]:
        raise Refused(missing)
    report, record = _read_report(folder), read_record(folder)
    verified = Verification(_sha256(folder / "gold.csv"), _sha256(folder / SUMS))
    verified.differences += _other_sums(verified, report, expect)
    verified.differences += _changed_files(folder)
    if not verified.sums_sha256:
        verified.notes.append(f"{SUMS} is missing: nothing says whether files were changed, added or left out.")
    try:
        computed, sources = _computed_again(folder, again)
    except Refused as refused:
        raise Refused([*verified.differences, *refused.marked]) from refused
    if SUSPECTS not in report:
        computed = _without_suspects(computed, again)
    bundle = _Bundle(folder, _names_in(folder), report, record, {*sources, RECORD})
    _compare(bundle, again, computed, verified)
    return verified


def _verify_questions(called: str, folder: Path, again: Path, names: Sequence[str], expect: str) -> Verification:
    """Each question's folder as a bundle of its own, and then what joins them."""
    again.mkdir()
    parts = {name: _verify_folder(f"{called}/{name}", folder / name, again / name, "") for name in names}
    verified = Verification(_sha256(folder / f"gold-{names[0]}.csv"), _sha256(folder / SUMS))
    known = {verified.sums_sha256, *(part.sha256 for part in parts.values())}
    if expect and expect.strip().lower() not in known:
        verified.differences.append(f"no gold of it nor {SUMS} has the SHA-256 {expect}, which was expected")
    verified.differences += _changed_files(folder)
    for name, content in joined_files(folder, names):
        if not (folder / name).is_file() or (folder / name).read_bytes() != content:
            verified.differences.append(f"{name} is not what the folders of the questions give")
    for name, part in parts.items():
        verified.differences += [f"{name}: {one}" for one in part.differences]
        verified.not_compared += [f"{name}/{one}" for one in part.not_compared]
        verified.notes += [f"{name}: {one}" for one in part.notes]
    verified.is_exact = all(part.is_exact for part in parts.values())
    return verified


def _sha256(path: Path) -> str:
    """Nothing where there is no such file."""
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


# What the bundle says of itself.


def _other_sums(verified: Verification, report: Mapping[str, Any], expect: str) -> Iterator[str]:
    expected, gold = expect.strip().lower(), verified.sha256
    if expected and expected not in (gold, verified.sums_sha256):
        sums = f", {SUMS} {verified.sums_sha256}" if verified.sums_sha256 else ""
        yield f"gold.csv has the SHA-256 {gold}{sums}, and {expect} was expected"
    if gold != report["release"]["sha256"]:
        yield f"gold.csv has the SHA-256 {gold}, and report.json says {report['release']['sha256']}"


def _changed_files(folder: Path) -> Iterator[str]:
    """Files that are not what they were, or weren't there, when the bundle was made; older ones have no checksums."""
    sums, names = folder / SUMS, _names_in(folder)
    lines = sums.read_text(encoding="utf-8", errors="replace").splitlines() if sums.is_file() else []
    known = {SUMS}
    for line in lines:
        sha256, _, name = line.partition("  ")
        if name not in names:
            yield f"{name} is missing"
        elif _sha256(folder / name) != sha256:
            yield f"{name} is not as it was when the bundle was made"
        known.add(name)
    if lines:
        yield from (f"{name} was not there when the bundle was made" for name in names if name not in known)


def _names_in(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _read_report(folder: Path) -> dict[str, object]:
    """The published report; what a later version calls otherwise has its name of today, so that it is compared."""
    try:
        report: dict[str, Any] = json.loads((folder / "report.json").read_bytes())
        str(report["release"]["sha256"])
        report = with_current_names(report)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Refused("report.json: it is not the report of a release") from error
    return report


def _computed_again(folder: Path, again: Path) -> tuple[Analysis, set[str]]:
    """By the bundle's own command, which writes its tables and report.json to `again`; and the files that it read."""
    options = options_of_bundle(folder, again)
    try:
        return run(replace(job_of(options), is_of_bundle=True)), files_read(folder, options)
    except Refused as refused:
        raise Refused(["The figures can't be computed again:", *refused.marked]) from refused
    except TouchstoneError as error:
        raise Refused(["The figures can't be computed again:", str(error)]) from error


def _without_suspects(computed: Analysis, again: Path) -> Analysis:
    """As bundles for everybody have it, and those of earlier versions: they don't say whose answers look careless."""
    (again / WORKERS).write_bytes(csv_bytes(workers_table(computed.cleaning, None, computed.annotators)))
    return replace(computed, screened=None)


# Comparing.


@dataclass(frozen=True, slots=True)
class _Bundle:
    """An unpacked bundle: what it says of itself, and which of its files are what the others are made from."""

    folder: Path
    names: Sequence[str]
    report: Mapping[str, Any]
    record: BundleRecord | None
    sources: Collection[str]

    def is_source(self, name: str) -> bool:
        return name in self.sources or name in OF_THE_SITE


def _compare(bundle: _Bundle, again: Path, computed: Analysis, verified: Verification) -> None:
    report = json.loads((again / "report.json").read_bytes())
    if computed.screened is None:
        report = without_suspects(report)
    figures = compare_reports(bundle.report, report)
    for name in TABLES:
        _compare_tables(bundle.folder / name, again / name, figures)
    verified.differences += figures.differences
    verified.notes += figures.notes
    others = [] if bundle.record is None else differing(bundle.record.made_with, software_record())
    compared = {*TABLES, "report.json"}
    if bundle.record is None or set(others) - {FONTS}:
        verified.notes += _what_is_other(bundle, others)
    elif not figures.differences:
        compared |= _compare_files(bundle, computed, bundle.record, verified)
    verified.not_compared = [name for name in bundle.names if name not in {*compared, SUMS}]
    is_complete = all(map(bundle.is_source, verified.not_compared))
    verified.is_exact = bundle.record is not None and not others and is_complete and not figures.to_ten_digits


def _what_is_other(bundle: _Bundle, others: Sequence[str]) -> Iterator[str]:
    """What made the bundle otherwise than this machine would."""
    if bundle.record is None:
        yield "The bundle doesn't say what made it: only judgments, cleaning, gold and figures were computed again."
    else:
        yield (
            f"It was made with another {', '.join(others)}: only judgments, cleaning, gold and figures were computed"
            " again."
        )
    made, here = bundle.report.get("versions", {}), versions()
    apart = [f"{name} {made[name]} (here {here.get(name, 'none')})" for name in made if made[name] != here.get(name)]
    if apart:
        yield f"It was made with {', '.join(apart)}."
    changes = changed_definitions(bundle.report.get("version", 1))
    yield from (f"Defined otherwise since: {change}." for change in changes)


def _compare_tables(theirs: Path, ours: Path, figures: Comparison) -> None:
    """To the byte, or else cell by cell, numbers to ten digits."""
    if theirs.read_bytes() == ours.read_bytes():
        return
    rows, computed = _rows(theirs), _rows(ours)
    why = "" if len(rows) == len(computed) else " (it has another number of lines)"
    for number, (row, computed_row) in enumerate(zip(rows, computed, strict=False), start=1):
        if len(row) != len(computed_row) or not all(map(_is_same_cell, row, computed_row)):
            why = f" (line {number})"
            break
    if why:
        figures.differences.append(f"{theirs.name} is not what its judgments give{why}")
    figures.to_ten_digits = True


def _rows(path: Path) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as stream:
            return list(csv.reader(stream))
    except csv.Error:
        return []


def _is_same_cell(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return is_close(float(one), float(other))
    except ValueError:
        return False


def _compare_files(bundle: _Bundle, computed: Analysis, record: BundleRecord, verified: Verification) -> set[str]:
    """To the byte, all files that can be made again; returns their names. What is drawn is compared where the same
    version has drawn it on a machine with the same fonts.
    """
    raw = (bundle.folder / "report.json").read_bytes()
    stored = json.loads(raw)
    if json_bytes(stored) != raw:
        verified.differences.append("report.json is not written as reports are")
    compared, drawn_otherwise = set[str](), differing(record.drawn_with, software_record())
    if METHODS not in bundle.names:
        verified.differences.append(f"{METHODS} is missing")
        return compared
    try:
        report = read_report(stored)
    except Misread as error:
        verified.differences.append(f"report.json is not the report of its version: {error}")
        return compared
    files = files_made_again(bundle.folder, computed, report, record, is_drawn_too=not drawn_otherwise)
    for name, content in files:
        compared.add(name)
        if name not in bundle.names:
            verified.differences.append(f"{name} is missing")
        elif (bundle.folder / name).read_bytes() != content:
            verified.differences.append(f"{name} is not what the bundle's judgments and report.json give")
    if drawn_otherwise and any(map(is_drawn, bundle.names)):
        others = ", ".join(drawn_otherwise) if record.drawn_with else "version"
        verified.notes.append(f"Its report page, figures and tables were drawn with another {others}.")
    if not record.are_methods_current:
        verified.notes.append("Its methods were written by an earlier version.")
    known = {*compared, *TABLES, *OF_THE_SITE, "report.json", METHODS, DETAILS, SUMS}
    strangers = [
        name for name in bundle.names if name not in known and not bundle.is_source(name) and not is_drawn(name)
    ]
    verified.differences += [f"{name} is no file that a bundle of this version has" for name in strangers]
    return compared
