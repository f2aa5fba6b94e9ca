"""A table as a paper prints it: as CSV, as Markdown and for LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from ..files.writing import csv_cell
from .markdown import CONTROL, markdown_cell, markdown_lines

MOST_SHOWN = 60  # rows of a table on a page
# For LaTeX
MOST_ON_A_PAGE = 40  # lines; more go over several pages
LINES_OF_A_PARAGRAPH = 3
MOST_LETTERS = 95  # of a row within the width of a page
LEAST_OF_A_PARAGRAPH = 16  # letters of a column that may be broken into lines
BAR = r"\textbar{}"
MINUS = re.compile(r"(?<![\w.])-(?=\.?\d)")
LETTERS_OF_PDFLATEX = 0x2FF  # with T1 fonts, and some signs beyond
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}", "<": r"\textless{}",
    ">": r"\textgreater{}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PaperTable:
    """`numeric` columns stand to the right. Every cell is text, as it is to be printed."""

    name: str
    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    numeric: frozenset[int] = frozenset()
    title: str = ""  # its heading on a page, where its name in words won't do

    @property
    def heading(self) -> str:
        """What stands above it on a page.

        >>> PaperTable("against-reference", "", (), []).heading
        'Against reference'
        """
        return self.title or self.name.replace("-", " ").capitalize()

    @property
    def shown_rows(self) -> Sequence[tuple[str, ...]]:
        """The rows that a page shows; the file has all."""
        return self.rows[:MOST_SHOWN]

    @property
    def rows_left_out(self) -> int:
        return max(len(self.rows) - MOST_SHOWN, 0)

    def csv(self) -> str:
        return "".join(",".join(map(csv_cell, row)) + "\n" for row in (self.header, *self.rows))

    def markdown(self) -> str:
        rule = ["---:" if index in self.numeric else "---" for index in range(len(self.header))]
        header, *rows = [list(map(markdown_cell, row)) for row in (self.header, *self.rows)]
        table = "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *rows])
        return f"{table}\n\n{markdown_lines(self.caption)}\n"

    def latex(self) -> str:
        r"""For `\usepackage{booktabs}`.

        >>> print(PaperTable("x", "A & B.", ("model", "score"), [("m_1", ".5")], frozenset({1})).latex())
        \begin{table}
          \centering
          \caption{A \& B.}
          \label{tab:x}
          \begin{tabular}{lr}
            \toprule
            model & score \\
            \midrule
            m\_1 & .5 \\
            \bottomrule
          \end{tabular}
        \end{table}
        <BLANKLINE>
        """
        body = [self._latex_row(row) for row in self.rows]
        head = [r"\toprule", self._latex_row(self.header), r"\midrule"]
        label = [rf"\caption{{{latex_text(self.caption)}}}", rf"\label{{tab:{self.name}}}"]
        columns = self._latex_columns()
        is_long = len(self.rows) * (LINES_OF_A_PARAGRAPH if "p{" in columns else 1) > MOST_ON_A_PAGE
        if is_long:
            begun = [
                rf"{label[0]}{label[1]} \\",
                *head,
                r"\endfirsthead",
                *head,
                r"\endhead",
                r"\bottomrule",
                r"\endfoot",
            ]
            lines = [
                rf"\begin{{longtable}}{{{columns}}}",
                *(f"  {line}" for line in [*begun, *body]),
                r"\end{longtable}",
            ]
        else:
            lines = [
                r"\begin{table}",
                r"  \centering",
                *(f"  {line}" for line in label),
                rf"  \begin{{tabular}}{{{columns}}}",
                *(f"    {line}" for line in [*head, *body, r"\bottomrule"]),
                r"  \end{tabular}",
                r"\end{table}",
            ]
        beside = {"array": "p{" in columns, "longtable": is_long}
        if any(beside.values()):
            packages = ",".join(["booktabs", *(name for name, is_needed in beside.items() if is_needed)])
            lines.insert(0, rf"% \usepackage{{{packages}}}")
        return with_note_on_letters("\n".join(lines) + "\n")

    def _latex_row(self, row: Sequence[str]) -> str:
        return " & ".join(map(_latex_cell, row)) + r" \\"

    def _latex_columns(self) -> str:
        """Columns of text that are too wide for a page together are paragraphs, which share what the others leave."""
        rows = (self.header, *self.rows)
        wide = [max(len(row[index]) for row in rows) for index in range(len(self.header))]
        share = {}
        if sum(wide) > MOST_LETTERS:
            share = {index: letters for index, letters in enumerate(wide) if letters > LEAST_OF_A_PARAGRAPH}
        left = 0.95 - 0.025 * len(wide) - (sum(wide) - sum(share.values())) / MOST_LETTERS
        of_all = sum(map(sqrt, share.values()))
        plain = ["r" if index in self.numeric else "l" for index in range(len(wide))]
        return "".join(
            rf">{{\raggedright\arraybackslash}}p{{{max(left, 0.3) * sqrt(share[index]) / of_all:.3f}\linewidth}}"
            if index in share
            else column
            for index, column in enumerate(plain)
        )


def latex_text(text: str) -> str:
    """Plain text on one line, with LaTeX's own characters escaped."""
    return "".join(LATEX.get(letter, letter) for letter in CONTROL.sub(" ", text))


def _latex_cell(text: str) -> str:
    """With minus signs for hyphens before numbers; a set of labels may be broken after each bar."""
    cell = MINUS.sub("$-$", latex_text(text))
    return cell.replace(BAR, rf"{BAR}\allowbreak{{}}") if cell.count(BAR) > 1 else cell


def with_note_on_letters(tex: str) -> str:
    """With a comment first where pdfLaTeX has no font for some letter.

    >>> with_note_on_letters("naïve").startswith("%"), with_note_on_letters("项").startswith("%")
    (False, True)
    """
    if not any(ord(letter) > LETTERS_OF_PDFLATEX and letter.isalpha() for letter in tex):
        return tex
    return "% It has letters that pdfLaTeX lacks: use XeLaTeX or LuaLaTeX, and a font that has them.\n" + tex
