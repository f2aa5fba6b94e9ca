"""What a founding study is, and the page that it writes."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from agreement.figures.figure import Figure
from agreement.figures.rendering import render
from agreement.report.markdown import markdown_cell, markdown_lines, markdown_text

if TYPE_CHECKING:
    from studies.runs.site import Site


@dataclass(frozen=True)
class Study:
    """`run` does all that a researcher would, and tells the page what came out."""

    number: str
    name: str
    title: str
    seed: int
    run: Callable[[Site, Page], None]

    @property
    def folder_name(self) -> str:
        return f"{self.number}-{self.name}"


@dataclass
class Page:
    """A study's page in Markdown. Figures and pictures lie beside it."""

    folder: Path
    title: str
    parts: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    not_shown: list[str] = field(default_factory=list)

    def heading(self, text: str) -> None:
        self.parts.append(f"## {text}")

    def text(self, markdown: str) -> None:
        self.parts.append(markdown.strip())

    def commands(self, *lines: str) -> None:
        self.parts.append("\n".join(["```", *lines, "```"]))

    def table(self, rows: pd.DataFrame, caption: str) -> None:
        self.parts.append(f"{as_markdown(rows)}\n\n*{caption}*")

    def figure(self, figure: Figure) -> None:
        self.figures.append(figure)
        described, caption = markdown_text(figure.description), markdown_text(f"{figure.title}. {figure.caption}")
        self.parts.append(f"![{described}](figures/{figure.name}.svg)\n\n*{caption}*")

    def photograph(self, file: Path | None, alt: str, caption: str, *, width: int = 300) -> None:
        """A file beside the page; nothing where none was taken."""
        if file is not None:
            self.parts.append(f'<img src="{file.name}" width="{width}" alt="{alt}">\n\n*{caption}*')

    def left_out(self, text: str) -> None:
        """A comparison that needs data which are not here."""
        self.not_shown.append(text)

    def write(self) -> Path:
        for warning in render(self.figures, self.folder / "figures", formats=["svg"]):
            self.text(markdown_lines(f"Warning: {warning}"))
        if self.not_shown:
            self.heading("Left out here")
            self.text("\n".join(f"- {text}" for text in self.not_shown))
        file = self.folder / "page.md"
        file.write_text("\n\n".join([f"# {self.title}", *self.parts]) + "\n")
        return file


def write_csv(file: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def as_markdown(rows: pd.DataFrame) -> str:
    """As a Markdown table: texts to the left, numbers to the right."""
    lines = [[_cell(value) for value in row] for row in rows.itertuples(index=False, name=None)]
    numeric = [pd.api.types.is_numeric_dtype(rows[name]) for name in rows.columns]
    rule = ["---:" if one else "---" for one in numeric]
    header = [markdown_cell(str(name)) for name in rows.columns]
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines])


def _cell(value: object) -> str:
    """Numbers as a paper prints them: three decimals, no zero before the point."""
    if isinstance(value, float):
        if value != value:  # noqa: PLR0124 - NaN
            return ""
        return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"
    return "" if value is None else markdown_cell(str(value))
