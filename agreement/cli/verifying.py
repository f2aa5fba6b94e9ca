"""Whether the figures of a bundle follow from the judgments in it: all of them are computed again and compared."""

from __future__ import annotations

import hashlib
import json
import math
import re
import shlex
import tempfile
import zipfile
from argparse import ArgumentError, ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from ..analysis.output_tables import SUSPECT_OF
from ..errors import Refused, TouchstoneError
from ..files.writing import SUMS
from ..on_request import FURTHER
from ..report.data_dictionary import LONGEST_HEADER, header_of
from ..report.earlier_reports import with_current_names
from ..report.methods import versions
from ..report.report import SUSPECTS
from . import analyse_file, file_command
from .arguments import with_scale_joined
from .progress import progress

NEEDED = ("README.txt", "gold.csv", "judgments.csv", "workers.csv", "items.csv", "rules.toml", "report.json")
WORKERS = "workers.csv"
TABLES = ("gold.csv", "judgments.csv", WORKERS)
# What a bundle's own command can't make again: how people were found, what files were called, by what versions.
NOT_FIGURES = frozenset({"version", "study", "inputs", "versions", "collection", "unverified", "release", "by_hand"})
NOT_THERE = object()  # in the place of a part that the published report doesn't have
MOST_FILES, MOST_BYTES = 10_000, 4 << 30
SMALL, MOST_TIMES = 100 << 20, 200  # beyond so many bytes a bundle that is so many times its zip is a zip bomb
INDEX = re.compile(r"\[\d+\]")
DIGITS = 10
IDENTICAL, TO_TEN_DIGITS = "identical", f"identical to {DIGITS} digits"


@dataclass(slots=True)
class Verification:
    """`differences` names what doesn't follow; `notes` what a reader should know of a comparison that holds."""

    sha256: str
    to_ten_digits: bool = False
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def words(self) -> str:
        if self.differences:
            return "differs"
        return TO_TEN_DIGITS if self.to_ten_digits else IDENTICAL


def verify(bundle: Path, *, expect: str = "") -> Verification:
    """`expect` is the SHA-256 of gold.csv as it was published. `Refused` if the bundle can't be computed again."""
    with tempfile.TemporaryDirectory(prefix="touchstone-verify-") as name:
        there, again = Path(name) / "bundle", Path(name) / "again"
        _unpack(bundle, there)
        report = _read_report(there)
        found = Verification(hashlib.sha256((there / "gold.csv").read_bytes()).hexdigest())
        if expect and found.sha256 != expect.strip().lower():
            found.differences.append(f"gold.csv has the SHA-256 {found.sha256}, and {expect} was expected")
        if found.sha256 != report["release"]["sha256"]:
            found.differences.append(
                f"gold.csv has the SHA-256 {found.sha256}, and report.json says {report['release']['sha256']}"
            )
        found.differences += _changed(there)
        try:
            _run(there, again)
        except Refused as refused:
            raise Refused([*found.differences, *refused.marked]) from refused
        _compare(there, again, report, found)
        return found


# Reading the bundle: nothing outside of the folder, and no more than a disk can bear.


def _unpack(bundle: Path, folder: Path) -> None:
    try:
        with zipfile.ZipFile(bundle) as archive:
            _refuse_unfit(bundle, archive.infolist())
            archive.extractall(folder)
    except OSError as error:
        raise Refused(f"{bundle}: can't be read ({error.strerror or error})") from error
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise Refused(f"{bundle.name}: this is not a whole zip: {error}") from error


def _refuse_unfit(bundle: Path, members: Sequence[zipfile.ZipInfo]) -> None:
    names = [member.filename for member in members]
    unpacked = sum(member.file_size for member in members)
    if len(names) > MOST_FILES or unpacked > MOST_BYTES:
        raise Refused(f"{bundle.name}: a bundle has at most {MOST_FILES:,} files and {MOST_BYTES >> 30} GiB")
    times = unpacked // max(bundle.stat().st_size, 1)
    if unpacked > SMALL and times > MOST_TIMES:
        raise Refused(f"{bundle.name}: it would unpack to {times:,} times its size, and no bundle does ({MOST_TIMES})")
    outside = [name for name in names if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts]
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    reasons = [f"{bundle.name}: {name} would lie outside of its folder" for name in outside]
    reasons += [f"{bundle.name}: {name} is there twice" for name in twice]
    reasons += [f"{bundle.name}: {name} is missing" for name in NEEDED if name not in names]
    if reasons:
        raise Refused(reasons)


def _changed(there: Path) -> Iterator[str]:
    """Files that are not what they were, or weren't there, when the bundle was made; older ones have no checksums."""
    sums = there / SUMS
    lines = sums.read_text(encoding="utf-8", errors="replace").splitlines() if sums.is_file() else []
    known = {SUMS}
    for line in lines:
        sha256, _, name = line.partition("  ")
        known.add(name)
        if not (there / name).is_file():
            yield f"{name} is missing"
        elif hashlib.sha256((there / name).read_bytes()).hexdigest() != sha256:
            yield f"{name} is not as it was when the bundle was made"
    if lines:
        for path in sorted(path for path in there.rglob("*") if path.is_file()):
            if (name := path.relative_to(there).as_posix()) not in known:
                yield f"{name} was not there when the bundle was made"


def _read_report(there: Path) -> dict[str, Any]:
    """The published report; what a later version calls otherwise has its name of today, so that it is compared."""
    try:
        report: dict[str, Any] = json.loads((there / "report.json").read_bytes())
        str(report["release"]["sha256"])
        report = with_current_names(report)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused("report.json: it is not the report of a release") from error
    return report


# Computing it again by the bundle's own command.


def _run(there: Path, again: Path) -> None:
    lines = (there / "README.txt").read_text(encoding="utf-8", errors="replace").splitlines()
    commands = [line for line in lines if " analyse_file judgments.csv " in line]
    if len(commands) != 1:
        raise Refused("README.txt: it names no command that computes the figures")
    words = shlex.split(commands[0])[3:]
    words = words[: words.index("--out")] if "--out" in words else words
    files = {str(path.relative_to(there)): str(path) for path in there.rglob("*") if path.is_file()}
    if strangers := [word for word in words if word not in files and ("/" in word or Path(word).exists())]:
        raise Refused(f"README.txt: its command reads {', '.join(strangers)}, which is not in the bundle")
    arguments = [files.get(word, word) for word in words]
    parser = ArgumentParser(prog="README.txt: its command", exit_on_error=False)
    file_command.add_arguments(analyse_file, parser)
    try:
        options = parser.parse_args([*with_scale_joined(arguments), "--out", str(again), "--no-report"])
        analyse_file.run(options, progress)
    except Refused as refused:
        raise Refused(["The figures can't be computed again:", *refused.marked]) from refused
    except TouchstoneError as error:
        raise Refused(["The figures can't be computed again:", str(error)]) from error
    except (ArgumentError, SystemExit) as error:
        raise Refused(f"README.txt: its command can't be read ({error})") from error


# Comparing.


def _compare(there: Path, again: Path, report: Mapping[str, Any], found: Verification) -> None:
    _without_suspects(there, again)
    for name in TABLES:
        if (there / name).read_bytes() != (again / name).read_bytes():
            found.differences.append(f"{name} is not what its judgments give{_first_line(there / name, again / name)}")
    computed = json.loads((again / "report.json").read_bytes())
    if SUSPECTS not in report:
        computed.pop(SUSPECTS, None)
    report = _without_apart(report, computed, found)
    found.notes += _other_warnings(report.pop("warnings", []), computed.pop("warnings", []))
    newer: dict[str, None] = {}
    for path, ours, theirs in _leaves(report, computed, ""):
        if ours == theirs:
            continue
        if ours is NOT_THERE:
            newer[INDEX.sub("", path)] = None
            continue
        if _is_number(ours) and _is_number(theirs) and math.isclose(ours, theirs, rel_tol=10**-DIGITS, abs_tol=1e-12):
            found.to_ten_digits = True
        else:
            found.differences.append(f"report.json, {path}: {_short(ours)}, and computed again {_short(theirs)}")
    if newer:
        found.notes.append(f"Not compared, for the bundle's report.json doesn't have it: {', '.join(newer)}.")
    made, here = report.get("versions", {}), versions()
    apart = [f"{name} {made[name]} (here {here.get(name, 'none')})" for name in made if made[name] != here.get(name)]
    if apart:
        found.notes.append(f"It was made with {', '.join(apart)}.")


def _without_suspects(there: Path, again: Path) -> None:
    """Where the bundle tells nobody whose answers look careless, as one for everybody and earlier ones, the last column
    of workers.csv, whose cells need no quotes, isn't made again either.
    """
    if SUSPECT_OF in header_of((there / WORKERS).read_bytes()[:LONGEST_HEADER]):
        return
    left, record = [], ""
    for line in (again / WORKERS).read_text(encoding="utf-8").split("\n")[:-1]:
        record += f"{line}\n"
        if record.count('"') % 2 == 0:  # else the line ends within a cell
            left.append(f"{record.rpartition(',')[0]}\n")
            record = ""
    (again / WORKERS).write_text("".join(left), encoding="utf-8")


def _without_apart(report: Mapping[str, Any], computed: Mapping[str, Any], found: Verification) -> dict[str, Any]:
    """The report without the further analyses by what workers said of themselves, which no bundle has."""
    again = [part["analysis"] for part in computed.get("further", [])]
    parts = report.get("further", [])
    apart = [part["analysis"] for part in parts if part["analysis"] not in again and _reads_workers(part["analysis"])]
    if not apart:
        return dict(report)
    found.notes.append(f"Not computed again, for no bundle has what workers said of themselves: {', '.join(apart)}.")
    left = [part for part in parts if part["analysis"] not in apart]
    return {name: left if name == "further" else value for name, value in report.items() if name != "further" or left}


def _other_warnings(theirs: Any, ours: Any) -> Iterator[str]:
    """What is warned of in words that the report doesn't have, or no longer: these are sentences, and no figures."""
    made, now = (
        [str(one.get("text")) if isinstance(one, dict) else str(one) for one in warnings or ()]
        for warnings in (theirs, ours)
    )
    more, fewer = [text for text in now if text not in made], [text for text in made if text not in now]
    if more or fewer:
        yield "Its warnings are not those of this version; they are sentences, and no figure rests on them."
    yield from (f"  Warned of now: {text}" for text in more)
    yield from (f"  Not warned of any more: {text}" for text in fewer)


def _reads_workers(key: str) -> bool:
    analysis = FURTHER.get(key.partition(":")[0])
    return analysis is not None and analysis.reads_workers


def _leaves(ours: Any, theirs: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Every figure of the published report, with what was computed in its place; parts that it lacks came in later
    versions.
    """
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in [*ours, *(key for key in theirs if key not in ours)]:
            if path or key not in NOT_FIGURES:
                yield from _leaves(ours.get(key, NOT_THERE), theirs.get(key), f"{path}.{key}" if path else key)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for at, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from _leaves(one, other, f"{path}[{at}]")
    else:
        yield path, ours, theirs


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _first_line(one: Path, other: Path) -> str:
    with one.open(encoding="utf-8", errors="replace") as mine, other.open(encoding="utf-8", errors="replace") as theirs:
        for number, (line, computed) in enumerate(zip(mine, theirs, strict=False), start=1):
            if line != computed:
                return f" (line {number})"
    return " (it has another number of lines)"
