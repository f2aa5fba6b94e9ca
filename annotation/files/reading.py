"""Reading a table from a file: CSV, or JSON Lines wherever CSV is taken."""

from __future__ import annotations

from pathlib import Path

from annotation.files.csv_in import read_csv
from annotation.files.jsonl_in import read_jsonl
from annotation.files.problems import Problems
from annotation.files.table import Table

_FOREIGN = {
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"PK\x03\x04": "a spreadsheet or zip archive; save it as CSV",
    b"\x1f\x8b": "gzip; unpack it first",
}


def read_table(path: Path, problems: Problems) -> Table | None:
    """The table in `path`, with what is wrong added to `problems`; None where nothing could be read."""
    if path.exists() and not path.is_file():
        problems.whole("it is not a file; a pipe's output has to be saved first, for a file is read more than once")
        return None
    try:
        with path.open("rb") as stream:
            start = stream.peek(4)[:4]
    except OSError as error:
        problems.whole(f"can't be read ({error.strerror})")
        return None
    for magic, what in _FOREIGN.items():
        if start.startswith(magic):
            problems.whole(f"the file is {what}")
            return None
    return read_jsonl(path, problems) if path.suffix in {".jsonl", ".ndjson"} else read_csv(path, problems)
