"""Tables as a paper prints them: agreement, ceilings, models and exclusions, as CSV, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agreement.analysis.reference_table import reference_table
from agreement.figure_rows import Shown, agreement_rows, ceiling_rows, shown
from agreement.scoring.metrics import title_of
from tables.writing import csv_cell

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PaperTable:
    """`numeric` columns stand to the right. Every cell is text, as it is to be printed."""

    name: str
    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    numeric: frozenset[int] = frozenset()

    def csv(self) -> str:
        return "".join(",".join(map(csv_cell, row)) + "\n" for row in (self.header, *self.rows))

    def markdown(self) -> str:
        rule = ["---:" if at in self.numeric else "---" for at in range(len(self.header))]
        lines = [self.header, rule, *([cell.replace("|", "\\|") for cell in row] for row in self.rows)]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines) + f"\n\n{self.caption}\n"

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
        columns = "".join("r" if at in self.numeric else "l" for at in range(len(self.header)))
        head, *body = (" & ".join(map(latex_text, row)) + r" \\" for row in (self.header, *self.rows))
        inner = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
        lines = [
            r"\begin{table}",
            r"  \centering",
            rf"  \caption{{{latex_text(self.caption)}}}",
            rf"  \label{{tab:{self.name}}}",
            rf"  \begin{{tabular}}{{{columns}}}",
            *(f"    {line}" for line in inner),
            r"  \end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"


def latex_text(text: str) -> str:
    """Plain text with LaTeX's own characters escaped."""
    return "".join(LATEX.get(letter, letter) for letter in text)


def tables_of(report: Mapping[str, Any]) -> list[PaperTable]:
    """The tables that a report has rows for."""
    made = [_agreement(report), _ceilings(report), _models(report), _against_reference(report), _exclusions(report)]
    return [table for table in made if table.rows]


def printed(figure: Shown) -> str:
    """An estimate with its interval in brackets, without a zero before the point, or why there is none.

    >>> printed(Shown(number="0.430", interval="0.381 to 0.480")), printed(Shown(words="undefined: one label"))
    ('.430 (.381 to .480)', 'undefined: one label')
    """
    if figure.words:
        return figure.words
    return f"{_short(figure.number)} ({_short(figure.interval)})"


def _short(text: str) -> str:
    return " ".join(part.replace("0.", ".", 1) if part.lstrip("-").startswith("0.") else part for part in text.split())


def _agreement(report: Mapping[str, Any]) -> PaperTable:
    rows = [
        (row.name, printed(row.raw), printed(row.cleaned), "" if row.cleaned.n is None else f"{row.cleaned.n:,}")
        for row in agreement_rows(report)
    ]
    caption = "Agreement of all judgments and of those that cleaning kept, with 95 % intervals; n items."
    return PaperTable("agreement", caption, ("Statistic", "Collected", "Kept", "n"), rows, frozenset({3}))


def _ceilings(report: Mapping[str, Any]) -> PaperTable:
    metric = report["ceiling"]["leave_one_out"].get("metric")
    of = f" ({title_of(metric)})" if metric else ""
    rows = [
        (name, printed(figure), "" if figure.n is None else f"{figure.n:,}") for name, figure in ceiling_rows(report)
    ]
    caption = f"How well people do{of}, with 95 % intervals."
    return PaperTable("ceilings", caption, ("Ceiling", "Estimate", "n"), rows, frozenset({2}))


def _models(report: Mapping[str, Any]) -> PaperTable:
    return PaperTable(
        "models",
        "Models against the gold, with 95 % intervals; n items.",
        ("Model", "Metric", "Score", "n"),
        list(_model_rows(report["scores"])),
        frozenset({3}),
    )


def _model_rows(scores: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for score in scores:
        if score["breakdown"]:
            continue
        if "undefined" in score:
            yield score["probe"], title_of(score["metric"]), f"undefined: {score['undefined']}", ""
            continue
        low, high = score["low"], score["high"]
        interval = "no interval" if low is None or high is None else f"{low:.3f} to {high:.3f}"
        figure = printed(Shown(number=f"{score['estimate']:.3f}", interval=interval))
        yield score["probe"], title_of(score["metric"]), figure, f"{score['n']:,}"


def _against_reference(report: Mapping[str, Any]) -> PaperTable:
    """Models and people side by side, one column per metric."""
    table = reference_table(report.get("against_reference", {}))
    caption = "Models, people and constant answers against the reference, with 95 % intervals."
    if table is None:
        return PaperTable("against-reference", caption, ("Who",), [], frozenset())
    rows = [
        (line.name, *("" if figure is None else printed(shown(figure)) for figure in line.figures))
        for line in table.lines
    ]
    items = f"the references of {table.source} ({table.items:,} items)"
    named = f"Models, people and constant answers against {items}, with 95 % intervals."
    return PaperTable("against-reference", named, ("Who", *table.titles), rows, frozenset())


def _exclusions(report: Mapping[str, Any]) -> PaperTable:
    counted = ("passed", "failed", "not_applicable", "judgments")
    rows = [(rule["rule"], *(f"{rule[name]:,}" for name in counted)) for rule in report["cleaning"]["by_rule"]]
    header = ("Rule", "Passed", "Failed", "Not applicable", "Judgments excluded")
    caption = f"Workers by rule of the set {report['rules']['name']}, and the judgments that each rule alone excludes."
    return PaperTable("exclusions", caption, header, rows, frozenset({1, 2, 3, 4}))
