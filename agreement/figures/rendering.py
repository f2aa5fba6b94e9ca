"""Figures as files: SVG, PNG and PDF with the same bytes every time, drawn in one process that ends with its work.

A process that has drawn must not fork: a child of its hung. So the drawing is done in a process started afresh, which
neither a web process nor a worker becomes.
"""

from __future__ import annotations

import importlib.util
import io
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypedDict
from xml.sax.saxutils import quoteattr

import pandas as pd

from ..errors import TouchstoneError
from ..files.table import encode
from ..files.writing import csv_chunks
from ..processes import OwnPython, ProcessEnded
from .figure import FONT, Figure, Vega

FORMATS = ("svg", "png", "pdf")
PRINT_PPI = 300
SECONDS_PER_FIGURE = 60
LONGEST_ERROR = 2_000
_RAMP = re.compile(r'(?<=id=")gradient_\d+(?=")|(?<=url\(#)gradient_\d+(?=\))')
LATIN_AND_NEIGHBOURS = 0x250  # every font that a machine has at all draws what stands before
PACKAGES = {
    "CJK": "fonts-noto-cjk",
    "HIRAGANA": "fonts-noto-cjk",
    "KATAKANA": "fonts-noto-cjk",
    "HANGUL": "fonts-noto-cjk",
}
ANY_OTHER_SCRIPT = "fonts-noto-core"


# What draws is an extra of the package: an analysis without it has every file but these.
DRAWN_BY = ("vl_convert", "pikepdf")
NOT_INSTALLED = (
    "Figures are left out, for what draws them isn't installed: pip install 'touchstone-annotation[figures]', and"
    " analyse again."
)


def can_draw() -> bool:
    """Whether the packages that draw are installed."""
    return all(importlib.util.find_spec(name) for name in DRAWN_BY)


class NotDrawn(TouchstoneError):
    """A figure could not be drawn."""


@dataclass(frozen=True, slots=True)
class RenderingResult:
    """What readers of the figures should know, and why figures that aren't there could not be drawn, by their names."""

    warnings: list[str]
    failed: dict[str, str]


class Request(TypedDict):
    """A figure to be drawn, as the process is sent it."""

    path: str  # without an ending
    specification: Vega
    description: str
    formats: list[str]
    texts: list[str]  # with letters that a font may lack


class Drawn(TypedDict):
    """What the process says of a figure; `error` is empty where it is drawn."""

    name: str
    warnings: list[str]
    error: str


def render(figures: Sequence[Figure], folder: Path, formats: Sequence[str] = FORMATS) -> list[str]:
    """Write every figure's pictures, `.vl.json` and `.csv` to `folder`; what its reader should know is returned."""
    drawn = render_what_can_be(figures, folder, formats)
    if drawn.failed:
        names = ", ".join(drawn.failed)
        why = "; ".join(dict.fromkeys(drawn.failed.values()))
        raise NotDrawn(f"The figures could not be drawn (--no-report leaves them out): {names}: {why}")
    return drawn.warnings


def render_what_can_be(figures: Sequence[Figure], folder: Path, formats: Sequence[str] = FORMATS) -> RenderingResult:
    """The same, where a figure that fails takes no other with it; its `.csv` is there, its pictures aren't."""
    if not figures:
        return RenderingResult([], {})
    folder.mkdir(parents=True, exist_ok=True)
    for figure in figures:
        (folder / f"{figure.name}.csv").write_bytes(rows_as_csv(figure.data()))
    lines, end = _in_a_process([_request(figure, folder, formats) for figure in figures])
    line_of_figure = {line["name"]: line for line in lines}
    failed = {
        figure.name: line_of_figure[figure.name]["error"] if figure.name in line_of_figure else end
        for figure in figures
        if figure.name not in line_of_figure or line_of_figure[figure.name]["error"]
    }
    for name in failed:
        for suffix in ("vl.json", *formats):
            (folder / f"{name}.{suffix}").unlink(missing_ok=True)
    return RenderingResult(sorted({warning for line in lines for warning in line["warnings"]}), failed)


def _in_a_process(requests: Sequence[Request]) -> tuple[list[Drawn], str]:
    """What was said of each figure that the process came to, and how it ended, if not well."""
    lines: list[Drawn] = []
    seconds = SECONDS_PER_FIGURE * len(requests)
    with TemporaryFile() as errors:
        try:
            with OwnPython(errors=errors) as python:
                python.ask(draw_all, requests, hear=lines.append, seconds=seconds)
        except OSError as error:
            return lines, f"the process that draws could not start ({error.strerror})"
        except ProcessEnded as ended:
            if ended.is_late:
                return lines, f"not drawn within {seconds:.0f} s"
            errors.seek(0)
            written = errors.read().decode(errors="replace").strip()[-LONGEST_ERROR:]
            return lines, written or f"the process that draws ended with {ended.code}"
    return lines, ""


def rows_as_csv(rows: pd.DataFrame) -> bytes:
    """The figure's rows as our CSV files are: formulas escaped, missing values blank."""
    columns = {str(name): encode([_cell(value) for value in rows[name]], len(rows)) for name in rows.columns}
    return b"".join(csv_chunks(columns))


def _cell(value: object) -> str:
    return "" if value is None or value is pd.NA or value != value else str(value)  # noqa: PLR0124 - NaN


def _request(figure: Figure, folder: Path, formats: Sequence[str]) -> Request:
    return {
        "path": str((folder / figure.name).absolute()),
        "specification": figure.whole_specification(),
        "description": figure.description,
        "formats": list(formats),
        "texts": sorted(text for text in figure.texts() if any(ord(one) >= LATIN_AND_NEIGHBOURS for one in text)),
    }


# What the process of its own does.


def draw(request: Request) -> list[str]:
    """Write one figure's files; warn of letters that no font of this machine has."""
    import vl_convert

    path, specification = request["path"], request["specification"]
    svg = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])  # laid out once: PNG and PDF are made from it
    svg = _with_own_ids(svg, Path(path).name)
    Path(f"{path}.vl.json").write_text(json.dumps(specification, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    for kind in request["formats"]:
        match kind:
            case "svg":
                Path(f"{path}.svg").write_text(_add_description(svg, request["description"]))
            case "png":
                Path(f"{path}.png").write_bytes(vl_convert.svg_to_png(svg, ppi=PRINT_PPI))
            case "pdf":
                Path(f"{path}.pdf").write_bytes(_same_bytes(vl_convert.svg_to_pdf(svg)))
            case _:
                raise NotDrawn(f"'{kind}' is not a format of figures: there are {', '.join(FORMATS)}.")
    return [
        f"Figure {Path(path).name}: no font of this machine has the letters of '{text}'. Install {package}."
        for text, package in _undrawable(request["texts"])
    ]


def _with_own_ids(svg: str, name: str) -> str:
    """With colour ramps called by the figure's name: the drawing library numbers them through all that a process draws.

    >>> _with_own_ids('<linearGradient id="gradient_7"/><rect fill="url(#gradient_7)"/>', "sweep")
    '<linearGradient id="sweep-ramp-0"/><rect fill="url(#sweep-ramp-0)"/>'
    """
    numbers = list(dict.fromkeys(_RAMP.findall(svg)))
    return _RAMP.sub(lambda match: f"{name}-ramp-{numbers.index(match[0])}", svg)


def _add_description(svg: str, description: str) -> str:
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
    box = _draw_letter("\U0010fff0")
    drawable: dict[str, bool] = {}
    text_of_package: dict[str, str] = {}
    for text in texts:
        for letter in text:
            if ord(letter) < LATIN_AND_NEIGHBOURS:
                continue
            script = unicodedata.name(letter, "UNKNOWN").split()[0].split("-")[0]
            if script not in drawable:
                drawable[script] = _draw_letter(letter) != box
            if not drawable[script]:
                text_of_package.setdefault(PACKAGES.get(script, ANY_OTHER_SCRIPT), text)
    return [(text, package) for package, text in text_of_package.items()]


def _draw_letter(letter: str) -> bytes:
    import vl_convert

    text = f'<text x="5" y="30" font-size="24" font-family="{FONT}">{letter}</text>'
    return vl_convert.svg_to_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">{text}</svg>')


def draw_all(requests: Sequence[Request], tell: Callable[[Drawn], None]) -> None:
    """Tells of each figure, when it is drawn or can't be."""
    for request in requests:
        drawn: Drawn = {"name": Path(request["path"]).name, "warnings": [], "error": ""}
        try:
            drawn["warnings"] = draw(request)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one figure, the others are drawn
            drawn["error"] = str(error)[-LONGEST_ERROR:] or type(error).__name__
        tell(drawn)
