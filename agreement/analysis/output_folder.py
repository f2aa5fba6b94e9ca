"""Writing an analysis to a folder, all of it or nothing: a temporary sibling, flushed to disk, then renamed."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import Refused, remedy
from ..files.writing import csv_chunks
from ..judgments.pseudonyms import Pseudonyms
from ..report.data_dictionary import LONGEST_HEADER, dictionary, header_of
from ..report.data_dictionary import NAME as DICTIONARY
from ..report.markdown import markdown_document
from ..report.methods_paragraph import DETAILS, methods_paragraph
from ..report.report import Report, report_as_json
from ..scoring.answer_mapping.mapping_table import FOLDER as MAPPINGS
from ..scoring.similarity_matrices import FILE, FOLDER
from ..typed_json import JsonObject
from .analysis import Analysis, NothingKept
from .output_tables import judgments_table, workers_table

HAS_IDS = "CONTAINS-PLATFORM-IDS.txt"
ON_IDS = "The files of this folder hold ids by which a platform knows people (--keep-ids): don't publish them.\n"
KEY_ENDING = "-worker-keys.csv"
KEY_HEADER = b"worker_id,platform_id"
OURS = frozenset(
    {
        "gold.csv",
        "scores.csv",
        "judgments.csv",
        "workers.csv",
        "report.json",
        "methods.md",
        DETAILS,
        "report.html",
        "croissant.json",
        "figures",
        FILE,
        FOLDER,
        MAPPINGS,
        "tables",
        "methods.tex",
        "references.bib",
        "README.md",
        "zenodo.json",
        DICTIONARY,
        HAS_IDS,
    }
)
_OUT = remedy(command="--out ", python="")
_PARTIAL = ".touchstone-partial-"
_LOCK = ".lock"
_OLD = "-old"
_YOUNG_S = 60  # a folder without a lock this young may belong to a run that is just making it


def refuse_foreign(out: Path) -> None:
    """Refuse a folder that holds anything but an analysis of ours, before any work is done."""
    if not out.exists() and not out.is_symlink():
        ancestor = next(parent for parent in out.absolute().parents if parent.exists())
        if not ancestor.is_dir() or not os.access(ancestor, os.W_OK):
            raise Refused(f"{_OUT}{out}: nothing can be written in {ancestor}; name another folder")
        return
    if not out.is_dir():
        raise Refused(f"{_OUT}{out}: it is there and not a folder; name a new one")
    names = {entry.name for entry in out.iterdir()}
    if names and ("report.json" not in names or names - OURS):
        foreign = ", ".join(sorted(names - OURS)) or "no report.json"
        raise Refused(f"{_OUT}{out}: the folder holds other things than an analysis ({foreign}); name a new one")


@dataclass(frozen=True, slots=True)
class ExtraFiles:
    """Files by their names, in folders or not, that an interface adds: of the analysis, of the folder once the others
    are written, and of an analysis that kept nothing.
    """

    of_analysis: Callable[[Analysis], Mapping[str, bytes]]
    of_folder: Callable[[Analysis, Path], Mapping[str, bytes]]
    without_gold: Callable[[NothingKept], Mapping[str, bytes]]


NO_EXTRA_FILES = ExtraFiles(lambda _analysis: {}, lambda _analysis, _folder: {}, lambda _nothing_kept: {})


def write(
    analysis: Analysis,
    out: Path,
    *,
    only_kept: bool = False,
    beside: ExtraFiles = NO_EXTRA_FILES,
    has_ids: bool = False,
) -> None:
    """Write all files of the analysis to `out`; an earlier analysis there is replaced in one step."""
    cleaning = analysis.cleaning
    keep = cleaning.kept if only_kept else None
    judgments, workers = judgments_table(cleaning), workers_table(cleaning, analysis.screened, analysis.annotators)
    columns = {"gold": header_of(analysis.gold_csv[:LONGEST_HEADER]), "judgments": judgments, "workers": workers}
    files: dict[str, Iterable[bytes]] = {
        "gold.csv": [analysis.gold_csv],
        "judgments.csv": csv_chunks(judgments, keep),
        "workers.csv": csv_chunks(workers),
        DICTIONARY: [dictionary(columns)],
        "report.json": [report_bytes(analysis.report)],
        "methods.md": [markdown_document(methods_paragraph(analysis.report)).encode()],
        DETAILS: [markdown_document(analysis.methods).encode()],
        **{each.file: [each.matrix.csv()] for each in analysis.similarity_matrices},
        **{each.file: [each.vectors.csv()] for each in analysis.made_vectors},
        **{name: [content] for name, content in analysis.answer_tables.items()},
        **({HAS_IDS: [ON_IDS.encode()]} if has_ids else {}),
        **{name: [content] for name, content in beside.of_analysis(analysis).items()},
    }
    write_all(files, out, lambda folder: beside.of_folder(analysis, folder))


def write_without_gold(nothing_kept: NothingKept, out: Path, beside: ExtraFiles = NO_EXTRA_FILES) -> None:
    """Where cleaning kept nothing: the report, and every worker and judgment with the reasons; no gold, no methods."""
    files: dict[str, Iterable[bytes]] = {
        "judgments.csv": csv_chunks(judgments_table(nothing_kept.cleaning)),
        "workers.csv": csv_chunks(workers_table(nothing_kept.cleaning, nothing_kept.screened, {})),
        "report.json": [report_bytes(nothing_kept.report)],
        **{name: [content] for name, content in beside.without_gold(nothing_kept).items()},
    }
    write_all(files, out)


def key_path(out: Path) -> Path:
    """Where the key of a folder's pseudonyms is: beside it, so that nobody publishes both by mistake."""
    out = out.absolute()
    return out.with_name(f"{out.name}{KEY_ENDING}")


def refuse_other_key(out: Path) -> None:
    """Refuse to write a key over another file."""
    path = key_path(out)
    if path.exists() and not (path.is_file() and path.read_bytes()[: len(KEY_HEADER)] == KEY_HEADER):
        raise Refused(f"{path}: it is there and no key of pseudonyms; name another folder")


def write_key(pseudonyms: Pseudonyms, out: Path) -> None:
    """Who is who, readable by its owner alone; an earlier key of the same folder is replaced in one step."""
    path = key_path(out)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)  # only the owner reads it
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.writelines(csv_chunks(pseudonyms.key()))
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_all(
    files: Mapping[str, Iterable[bytes]], out: Path, last: Callable[[Path], Mapping[str, bytes]] = lambda _: {}
) -> None:
    refuse_foreign(out)
    out = out.absolute()
    out.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(out)
    with _partial(out) as folder:
        for name, content in files.items():
            _write(folder / name, content)
        for name, data in last(folder).items():
            _write(folder / name, [data])
        for inner in filter(Path.is_dir, folder.iterdir()):
            _sync(inner)
        (folder / _LOCK).unlink()
        _sync(folder)
        _put(folder, out)
    _sync(out.parent)


def remove_leftovers(out: Path) -> None:
    """Remove what runs that were killed left beside `out`; a live run holds the lock in its folder."""
    for aside in out.parent.glob(f".{out.name}{_PARTIAL}*{_OLD}"):
        if out.exists():
            shutil.rmtree(aside, ignore_errors=True)
        else:  # killed between the two renames of `_put`: the older analysis is the one that was there
            aside.rename(out)
    for folder in out.parent.glob(f".{out.name}{_PARTIAL}*"):
        try:
            with (folder / _LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except FileNotFoundError:
            if folder.exists() and time.time() - folder.stat().st_mtime > _YOUNG_S:
                shutil.rmtree(folder, ignore_errors=True)
        except BlockingIOError:
            continue


@contextmanager
def _partial(out: Path) -> Iterator[Path]:
    """A folder beside `out` that is locked while this process lives, and gone if anything fails."""
    folder = Path(tempfile.mkdtemp(prefix=f".{out.name}{_PARTIAL}", dir=out.parent))
    try:
        with (folder / _LOCK).open("wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            folder.chmod(0o777 & ~_umask())
            yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def report_bytes(report: Report) -> bytes:
    """report.json of an analysis."""
    return json_bytes(report_as_json(report))


def json_bytes(report: JsonObject) -> bytes:
    """A number that isn't one is a defect and raises, since undefined is said in words."""
    return (json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _write(path: Path, chunks: Iterable[bytes]) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as stream:
        stream.writelines(chunks)
        stream.flush()
        os.fsync(stream.fileno())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _put(folder: Path, out: Path) -> None:
    """Rename the finished folder to `out`; an older analysis steps aside first and is removed last."""
    if not out.exists() or not any(out.iterdir()):
        folder.rename(out)
        return
    aside = folder.with_name(folder.name + _OLD)
    out.rename(aside)
    folder.rename(out)
    shutil.rmtree(aside, ignore_errors=True)
