"""A bundle of several questions: a folder for each, which is a bundle of its own, and above them what joins them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..analysis.output_folder import json_bytes
from ..errors import Refused
from ..judgments.questions_of_file import QUESTION
from ..report.report import VERDICT
from ..report.verdict import weakest_in_json
from .bundle_files import NAME as RECORD

JUDGMENTS, REPORT, GOLD = "judgments.csv", "report.json", "gold.csv"
# What the joined files are made from.
OF_EACH = (GOLD, JUDGMENTS, REPORT)
# What of a question's report is the study's.
SHARED = ("study", "rules", "seed", "replicates", "version")


def record_of(names: Sequence[str]) -> bytes:
    """bundle.json above the folders: the questions' names, which are those of the folders."""
    return json_bytes({"questions": list(names)})


def questions_of(folder: Path) -> list[str]:
    """The names of the questions of an unpacked bundle; none where it is of one."""
    try:
        record = json.loads((folder / RECORD).read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return []
    names = record.get("questions") if isinstance(record, dict) else None
    if names is None:
        return []
    folders = {path.name for path in folder.iterdir() if path.is_dir()}
    if (
        not isinstance(names, list)
        or len(names) < 2
        or len(set(map(str, names))) < len(names)
        or not folders >= set(names)
    ):
        raise Refused(f"{RECORD}: its questions are not the folders of the bundle")
    return names


def joined_files(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """gold-NAME.csv of each question, the judgments of all of them, and their reports in one."""
    for name in names:
        yield f"gold-{name}.csv", (folder / name / GOLD).read_bytes()
    yield JUDGMENTS, joined_judgments([(folder / name / JUDGMENTS).read_bytes() for name in names])
    reports = [json.loads((folder / name / REPORT).read_bytes()) for name in names]
    yield REPORT, json_bytes(joined_reports(reports))


def joined_judgments(tables: Sequence[bytes]) -> bytes:
    r"""The rows of one table after those of another, in the columns that any of them has; the question comes last.

    >>> joined_judgments([b"item_id,value,question\ni1,3,a\n", b"item_id,v:x,question\ni1,4,b\n"]).decode().split()
    ['item_id,value,v:x,question', 'i1,3,,a', 'i1,,4,b']
    """
    readers = [csv.DictReader(io.StringIO(table.decode(), newline="")) for table in tables]
    names = dict.fromkeys(name for reader in readers for name in reader.fieldnames or () if name != QUESTION)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, [*names, QUESTION], restval="", lineterminator="\n")
    writer.writeheader()
    for reader in readers:
        writer.writerows(reader)
    return out.getvalue().encode()


def joined_reports(reports: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the questions share, a verdict over all of them, and the report of each under its name."""
    shared = {key: reports[0][key] for key in SHARED if key in reports[0]}
    if all(VERDICT in report for report in reports):
        shared[VERDICT] = weakest_in_json({report[QUESTION]: report[VERDICT] for report in reports})
    return {**shared, "questions": [{"name": report[QUESTION], **report} for report in reports]}
