"""`manage.py export STUDY WHAT --out PATH`: a study's results, people or payments as a file."""

import hashlib
import zipfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypedDict

from agreement.errors import Refused
from agreement.files.writing import SUMS
from agreement.report.data_dictionary import LONGEST_HEADER, dictionary, files, header_of
from annotation.management.base import StudyCommand
from annotation.models import Study
from annotation.releases.actions.freezing import newest_out_of_date
from annotation.releases.exports.export_choice import (
    AS_THINGS_STAND,
    BUNDLES,
    PUBLISHED,
    ZIPS,
    record_export,
    release_numbered,
    releases_beside,
    stream,
    study_for,
)
from annotation.releases.exports.export_files import one_moment, write_parquet, write_to
from annotation.releases.exports.judgment_stream import Form
from annotation.releases.models import GoldRelease

FORMATS = ("csv", "jsonl", "parquet")
WHAT = (
    *("gold", "judgments", "workers", "participants", "payments", "labels", "wide", "norms", "similarity-matrix"),
    *("adjudications", "notes", "report", "bundle", "published-bundle", "published-key", "signs", "authenticity"),
)


class Exported(TypedDict):
    study: str
    what: str
    release: int | None
    sha256: str | None
    sums_sha256: str
    erratum: str
    out_of_date: str
    out: str
    bytes: int


class Command(StudyCommand[Exported]):
    help = "Writes a table of a study, its report or the whole bundle to a file, under pseudonyms."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("what", choices=WHAT)
        parser.add_argument(
            "--out",
            type=Path,
            required=True,
            metavar="PATH",
            help="the file to write; .jsonl gives JSON Lines, .parquet Parquet",
        )
        parser.add_argument("--question", default="", metavar="NAME", help="of a study with several: which is meant")
        parser.add_argument("--format", choices=FORMATS, help="what is written (default: as PATH ends, else csv)")
        parser.add_argument("--release", type=int, metavar="N", help="use this gold release (default: the newest)")
        parser.add_argument(
            "--only-kept", action="store_true", help="judgments: leave out the judgments that cleaning removed"
        )

        parser.add_argument(
            "--platform-ids",
            action="store_true",
            help="judgments, workers, payments, published-key: add the platform's ids where they are still kept",
        )
        parser.add_argument(
            "--participants",
            action="store_true",
            help="bundle: add participants.csv, without comments and free text",
        )

    def answer(self, options: Namespace) -> Exported:
        whole, export, out = self.study(options.study), options.what, options.out
        study = study_for(whole, export, options.question)
        of_all = not options.question and whole.has_several_questions
        release, with_participants = _release_of(study, export, options.release), options.participants
        if export in ("report", "bundle", "published-bundle") and release is not None:
            self._draw(release, of_all=of_all)
        written = _format_of(export, out, options.format)
        form = Form(as_json_lines=written == "jsonl", with_platform_ids=options.platform_ids)
        if export in PUBLISHED and release is not None:
            self._name_people(release)
        with one_moment(), self.progress("bytes" if export in ZIPS else "lines") as report:
            pieces = stream(
                study, export, release=release, only_kept=options.only_kept, form=form,
                with_participants=with_participants, of_all=of_all,
            )  # fmt: skip
            pieces = pieces if report is None else _pieces_with_progress(pieces, report, by_line=export not in ZIPS)
            size = write_parquet(out, export, iter(pieces)) if written == "parquet" else write_to(out, pieces)
        if written == "csv" and export in files():
            self._describe(out, export)
        record_export(
            study=study, export=export, release=release, by=None, only_kept=options.only_kept,
            with_platform_ids=form.with_platform_ids, with_participants=with_participants,
        )  # fmt: skip
        return _exported(study, export, release, out, size)

    def _draw(self, release: GoldRelease, *, of_all: bool) -> None:
        from annotation.releases.actions.drawing_reports import draw_here  # which imports the analyses

        for each in releases_beside(release) if of_all else [release]:
            draw_here(each)

    def _name_people(self, release: GoldRelease) -> None:
        from annotation.releases.actions.releasing import published_names  # pandas too

        published_names(release=release)

    def _describe(self, out: Path, export: str) -> None:
        """The data dictionary, beside what was written."""
        with out.open("rb") as stream:
            header = header_of(stream.readline(LONGEST_HEADER))
        write_to(out.with_suffix(".dictionary.csv"), [dictionary({export: header})])

    def say(self, answer: Exported) -> str:
        of = f"of release {answer['release']}" if answer["release"] else "as they stand now"
        written = f"{answer['out']}: {answer['what']} of {answer['study']}, {of}, {answer['bytes']:,} bytes."
        sums = f"SHA-256 of its SHA256SUMS: {answer['sums_sha256']}" if answer["sums_sha256"] else ""
        return "\n".join(filter(None, (written, sums, answer["erratum"], answer["out_of_date"])))


def _exported(study: Study, export: str, release: GoldRelease | None, out: Path, size: int) -> Exported:
    return {
        "study": study.slug,
        "what": export,
        "release": release.number if release else None,
        "sha256": release.sha256 if release else None,
        "sums_sha256": _sums_sha256(out) if export in BUNDLES else "",
        "erratum": release.erratum() if release else "",
        "out_of_date": newest_out_of_date(release) if release else "",
        "out": str(out),
        "bytes": size,
    }


def _sums_sha256(bundle: Path) -> str:
    """The hash that stands for the whole of a bundle."""
    with zipfile.ZipFile(bundle) as archive:
        return hashlib.sha256(archive.read(SUMS)).hexdigest()


def _release_of(study: Study, export: str, number: int | None) -> GoldRelease | None:
    """People and adjudications are as things stand now: of no release, unless one was named, which is refused."""
    if export == "payments" and number is not None:
        raise Refused("Payments belong to the study, not to a release: leave --release out.")
    is_of_now = export == "payments" or (export in AS_THINGS_STAND and number is None)
    return None if is_of_now else release_numbered(study, number)


def _format_of(export: str, out: Path, wanted: str | None) -> str:
    written = wanted or (out.suffix.removeprefix(".") if out.suffix[1:] in FORMATS else "csv")
    if written == "parquet" and export not in files():
        raise Refused(f"{export} is no table: name a file that ends in .zip.")
    return written


def _pieces_with_progress(
    pieces: Iterator[bytes], report: Callable[[int, int], None], *, by_line: bool
) -> Iterator[bytes]:
    """Says how much was written so far; how much it will be nobody knows."""
    done = 0
    for piece in pieces:
        done += piece.count(b"\n") if by_line else len(piece)
        report(done, 0)
        yield piece
