"""Figures as files: SVG, PNG and PDF with the same bytes every time, drawn in one process that ends with its work.

A process that has drawn must not fork: a child of its hung. So the drawing is done in a process started afresh, which
neither a web process nor a worker becomes.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pandas as pd

from agreement.figures.figure import Figure
from agreement.figures.theme import FONT
from annotation.errors import TouchstoneError
from tables.table import encode
from tables.writing import csv_chunks

FORMATS = ("svg", "png", "pdf")
PRINT_PPI = 300
SECONDS_PER_FIGURE = 60
LATIN_AND_NEIGHBOURS = 0x250  # every font that a machine has at all draws what stands before
PACKAGES = {
    "CJK": "fonts-noto-cjk",
    "HIRAGANA": "fonts-noto-cjk",
    "KATAKANA": "fonts-noto-cjk",
    "HANGUL": "fonts-noto-cjk",
}
ANY_OTHER_SCRIPT = "fonts-noto-core"


class NotDrawn(TouchstoneError):
    """A figure could not be drawn."""


def render(figures: Sequence[Figure], folder: Path, formats: Sequence[str] = FORMATS) -> list[str]:
    """Write every figure's pictures, `.vl.json` and `.csv` to `folder`; what its reader should know is returned."""
    if not figures:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    for figure in figures:
        (folder / f"{figure.name}.csv").write_bytes(rows_as_csv(figure.rows))
    requests = [_request(figure, folder, formats) for figure in figures]
    try:
        done = subprocess.run(  # noqa: S603 - this file itself
            [sys.executable, "-m", __name__],
            input=json.dumps(requests, allow_nan=False).encode(),
            capture_output=True,
            check=False,
            timeout=SECONDS_PER_FIGURE * len(figures),
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
    except subprocess.TimeoutExpired as late:
        raise NotDrawn(
            f"The figures were not drawn within {late.timeout:.0f} s; --no-report leaves them out."
        ) from late
    if done.returncode:
        why = done.stderr.decode(errors="replace").strip()[-2000:]
        raise NotDrawn(f"The figures could not be drawn (--no-report leaves them out): {why}")
    warnings: list[str] = json.loads(done.stdout)
    return warnings


def rows_as_csv(rows: pd.DataFrame) -> bytes:
    """The figure's rows as our CSV files are: formulas escaped, missing values blank."""
    columns = {str(name): encode([_cell(value) for value in rows[name]], len(rows)) for name in rows.columns}
    return b"".join(csv_chunks(columns))


def _cell(value: Any) -> str:
    return "" if value is None or value is pd.NA or value != value else str(value)  # noqa: PLR0124 - NaN


def _request(figure: Figure, folder: Path, formats: Sequence[str]) -> dict[str, Any]:
    return {
        "path": str(folder / figure.name),
        "specification": figure.whole_specification(),
        "description": figure.description,
        "formats": list(formats),
        "texts": sorted(text for text in figure.texts() if any(ord(one) >= LATIN_AND_NEIGHBOURS for one in text)),
    }


# What the process of its own does.


def draw(request: dict[str, Any]) -> list[str]:
    """Write one figure's files; warn of letters that no font of this machine has."""
    import vl_convert

    path, specification = request["path"], request["specification"]
    whole = {"vl_spec": specification, "allowed_base_urls": []}
    Path(f"{path}.vl.json").write_text(json.dumps(specification, indent=1, ensure_ascii=False) + "\n")
    for kind in request["formats"]:
        match kind:
            case "svg":
                svg = _described(vl_convert.vegalite_to_svg(**whole), request["description"])
                Path(f"{path}.svg").write_text(svg)
            case "png":
                Path(f"{path}.png").write_bytes(vl_convert.vegalite_to_png(**whole, ppi=PRINT_PPI))
            case "pdf":
                Path(f"{path}.pdf").write_bytes(_same_bytes(vl_convert.vegalite_to_pdf(**whole)))
            case _:
                raise NotDrawn(f"'{kind}' is not a format of figures: there are {', '.join(FORMATS)}.")
    return [
        f"Figure {Path(path).name}: no font of this machine has the letters of '{text}'. Install {package}."
        for text, package in _undrawable(request["texts"])
    ]


def _described(svg: str, description: str) -> str:
    """As one picture with its description, for whoever can't see it."""
    return svg.replace("<svg ", f'<svg role="img" aria-label={quoteattr(description)} ', 1)


def _same_bytes(pdf: bytes) -> bytes:
    """The same document with an id that follows from its content: the drawing library's is drawn at random."""
    import pikepdf

    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as document:
        document.save(out, deterministic_id=True)
    return out.getvalue()


def _undrawable(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Texts with a letter that comes out as the empty box which stands for letters without a font, a text a script."""
    box = _drawn("\U0010fff0")
    drawable: dict[str, bool] = {}
    found: dict[str, str] = {}
    for text in texts:
        for letter in text:
            if ord(letter) < LATIN_AND_NEIGHBOURS:
                continue
            script = unicodedata.name(letter, "UNKNOWN").split()[0].split("-")[0]
            if script not in drawable:
                drawable[script] = _drawn(letter) != box
            if not drawable[script]:
                found.setdefault(PACKAGES.get(script, ANY_OTHER_SCRIPT), text)
    return [(text, package) for package, text in found.items()]


def _drawn(letter: str) -> bytes:
    import vl_convert

    text = f'<text x="5" y="30" font-size="24" font-family="{FONT}">{letter}</text>'
    return vl_convert.svg_to_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{text}</svg>')


def main() -> None:
    """Reads requests from standard input and writes the warnings to standard output, both as JSON."""
    warnings = [warning for request in json.load(sys.stdin) for warning in draw(request)]
    json.dump(sorted(set(warnings)), sys.stdout)


if __name__ == "__main__":
    main()
