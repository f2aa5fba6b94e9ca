"""A table as a paper prints it: as CSV, as Markdown and for LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import sqrt
from textwrap import wrap

from ..files.writing import csv_cell
from .markdown import CONTROL, markdown_cell, markdown_lines

MOST_SHOWN = 60  # rows of a table on a page
# For LaTeX
MOST_ON_A_PAGE = 40  # lines; more go over several pages
LINES_OF_A_PARAGRAPH = 3
MOST_LETTERS = 95  # of a row within the width of a page
LEAST_OF_A_PARAGRAPH = 16  # letters of a column that may be broken into lines
LETTERS_OF_A_HEADING, LETTERS_OF_A_NAME = 13, 30  # of a column of a table with notes
FIGURE = re.compile(r"(-?[\d.]+) \((-?[\d.]+ to -?[\d.]+|no interval)\)")  # an estimate with its interval
BAR = r"\textbar{}"
MINUS = re.compile(r"(?<![\w.])-(?=\.?\d)")
LETTERS_OF_PDFLATEX = 0x2FF  # with T1 fonts, and some signs beyond
LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "†": r"$\dagger$",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PaperTable:
    """`numeric` columns stand to the right. Every cell is text, as it is to be printed.

    `notes` stand below it. Of the cells, by row and column, `best` are bold and `tied` have a dagger; a rule stands
    before the row `rule_before`.
    """

    name: str
    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    numeric: frozenset[int] = frozenset()
    title: str = ""  # its heading on a page, where its name in words won't do
    notes: tuple[str, ...] = ()
    best: frozenset[tuple[int, int]] = frozenset()
    tied: frozenset[tuple[int, int]] = frozenset()
    rule_before: int | None = None

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
        header = list(map(markdown_cell, self.header))
        rows = [
            [self._marked(markdown_cell(cell), (at, column), "**{}**", "{}†") for column, cell in enumerate(row)]
            for at, row in enumerate(self.rows)
        ]
        table = "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *rows])
        return f"{table}\n\n{markdown_lines(' '.join((self.caption, *self.notes)))}\n"

    def _marked(self, text: str, cell: tuple[int, int], best: str, tied: str) -> str:
        return best.format(text) if cell in self.best else tied.format(text) if cell in self.tied else text

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
        columns = self._latex_columns()
        head = [r"\toprule", *map(_latex_row, self._latex_header()), r"\midrule"]
        body = [line for at, row in enumerate(self.rows) for line in self._latex_lines(at, row)]
        notes = [r"{\footnotesize", *(f"  {latex_text(note)}" for note in self.notes), r"  \par}"] if self.notes else []
        label = [rf"\caption{{{latex_text(self.caption)}}}", rf"\label{{tab:{self.name}}}"]
        is_long = len(body) * (LINES_OF_A_PARAGRAPH if "p{" in columns and not self.notes else 1) > MOST_ON_A_PAGE
        lines = (_long_table if is_long else _floating_table)(columns, label, head, body, notes)
        beside = {"array": ">{" in columns, "longtable": is_long}
        if any(beside.values()):
            packages = ",".join(["booktabs", *(name for name, is_needed in beside.items() if is_needed)])
            lines.insert(0, rf"% \usepackage{{{packages}}}")
        return with_note_on_letters("\n".join(lines) + "\n")

    def _latex_header(self) -> list[tuple[str, ...]]:
        """One line, or of a table with notes as many as its longest heading takes in a narrow column."""
        if not self.notes:
            return [self.header]
        parts = [wrap(name, LETTERS_OF_A_HEADING, break_long_words=False) or [""] for name in self.header]
        return list(zip_longest(*parts, fillvalue=""))

    def _latex_lines(self, at: int, row: Sequence[str]) -> Iterator[str]:
        """A row; of a table with notes intervals stand below their estimates, in a line of their own."""
        if at == self.rule_before:
            yield r"\midrule"
        if not self.notes:
            yield _latex_row(row)
            return
        parts = [FIGURE.fullmatch(cell) for cell in row]
        cells = [_latex_cell(part[1] if part else cell) for cell, part in zip(row, parts, strict=True)]
        marked = [
            self._marked(cell, (at, column), r"\textbf{{{}}}", r"{}$^{{\dagger}}$") for column, cell in enumerate(cells)
        ]
        yield " & ".join(marked) + r" \\"
        if any(parts):
            below = [rf"{{\scriptsize ({_latex_cell(part[2])})}}" if part else "" for part in parts]
            yield " & ".join(below) + r" \\"

    def _latex_columns(self) -> str:
        """Columns of text that are too wide for a page together are paragraphs, which share what the others leave."""
        plain = ["r" if index in self.numeric else "l" for index in range(len(self.header))]
        rows = (self.header, *self.rows)
        wide = [max(len(row[index]) for row in rows) for index in range(len(self.header))]
        if self.notes:
            return "".join(plain) if wide[0] <= LETTERS_OF_A_NAME else rf"p{{.3\linewidth}}{''.join(plain[1:])}"
        share = {}
        if sum(wide) > MOST_LETTERS:
            share = {index: letters for index, letters in enumerate(wide) if letters > LEAST_OF_A_PARAGRAPH}
        left = 0.95 - 0.025 * len(wide) - (sum(wide) - sum(share.values())) / MOST_LETTERS
        of_all = sum(map(sqrt, share.values()))
        return "".join(
            rf">{{\raggedright\arraybackslash}}p{{{max(left, 0.3) * sqrt(share[index]) / of_all:.3f}\linewidth}}"
            if index in share
            else column
            for index, column in enumerate(plain)
        )


def _latex_row(row: Sequence[str]) -> str:
    return " & ".join(map(_latex_cell, row)) + r" \\"


def _long_table(
    columns: str, label: Sequence[str], head: Sequence[str], body: Sequence[str], notes: Sequence[str]
) -> list[str]:
    """A table that breaks over pages, with its heading on each."""
    caption = rf"{''.join(label)} \\"
    begun = [caption, *head, r"\endfirsthead", *head, r"\endhead", r"\bottomrule", r"\endfoot"]
    return [
        rf"\begin{{longtable}}{{{columns}}}",
        *(f"  {line}" for line in [*begun, *body]),
        r"\end{longtable}",
        *([r"\noindent%", *notes] if notes else []),
    ]


def _floating_table(
    columns: str, label: Sequence[str], head: Sequence[str], body: Sequence[str], notes: Sequence[str]
) -> list[str]:
    """A table on one page, with its notes beneath."""
    beneath = [r"\par\smallskip", r"\parbox{\linewidth}%", *notes] if notes else []
    return [
        r"\begin{table}",
        r"  \centering",
        *(f"  {line}" for line in label),
        *([r"  \small"] if notes else []),
        rf"  \begin{{tabular}}{{{columns}}}",
        *(f"    {line}" for line in [*head, *body, r"\bottomrule"]),
        r"  \end{tabular}",
        *(f"  {line}" for line in beneath),
        r"\end{table}",
    ]


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
