"""report.html, figures/ and tables/: complete, without a network or a script, and true to report.json."""

import csv
import io
import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.core.management import call_command

from agreement.figures import rendering
from agreement.figures.figure import Figure
from agreement.output import report_files
from agreement.report.paper_table import PaperTable
from tests.integration.agreement.analyse_file.command import crossed, published, write_rows

VOID = {"meta", "link", "img", "br", "input", "hr"}
FORMATS = {".svg", ".png", ".pdf", ".vl.json", ".csv"}


class Tree(HTMLParser):
    """Holds that every tag is closed, and keeps what a page could fetch or run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.tags: list[str] = []
        self.headings: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in {"src", "href", "xlink:href", "action"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"h2", "h3"}:
            self.headings.append(data)


def a_crowd_with_checks(folder: Path) -> tuple[Path, Path]:
    rows = [f"{row},,," for row in crossed(8, 12)]
    rows += [f"w{w},self-on,{40 if w == 0 else 97},check,self,90" for w in range(8)]
    judgments = write_rows(folder / "judgments.csv", "worker_id,item_id,value,kind,check,min", rows)
    probe = write_rows(folder / "model <b>.csv", "item_id,score", [f"i{i},{13 * i % 101}" for i in range(12)])
    return judgments, probe


def run(judgments: Path, out: Path, *options: object) -> dict[str, object]:
    call_command("analyse_file", judgments, "--out", out, *options, stdout=io.StringIO())
    report: dict[str, object] = json.loads((out / "report.json").read_text())
    return report


def test_report_has_every_figure_with_its_files_and_nothing_to_fetch_or_run(tmp_path: Path) -> None:
    judgments, probe = a_crowd_with_checks(tmp_path)
    run(judgments, tmp_path / "out", "--probe", probe)
    page = (tmp_path / "out" / "report.html").read_text()
    tree = Tree(page)
    assert tree.open == []
    assert [address for address in tree.fetched if not address.startswith("#")] == []
    assert "script" not in tree.tags
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]+"', "", page)
    assert tree.headings == [
        "Distribution of the answers",
        "Agreement",
        "Models and people",
        "Models and people in numbers",
        "Items that people disagree on most",
        "Who was excluded, and why",
        "Appendix",
        "From what was collected to what is kept",
        "Answers to check items",
        "Workers",
        "Threshold sweep",
        "Agreement without each worker",
        "Agreement on items",
        "Ceilings",
        "Without the most influential worker",
        "All scores of models",
        "Claims that have too few data",
        "Items that need further judgments",
        "Methods",
        "Methods in detail, and warnings",
        "How this was made",
    ]
    assert "model &lt;b&gt;" in page
    assert "model <b>" not in page
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    names = {name.partition(".")[0] for name in figures}
    assert names == {
        "agreement", "check-answers", "influence", "items", "judgment-distribution", "models-and-people",
        "people-and-judgments", "threshold-sweep", "workers",
    }  # fmt: skip
    assert figures == {f"{name}{suffix}" for name in names for suffix in FORMATS}
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_check_answers_stand_with_their_bound_and_who_broke_it(tmp_path: Path) -> None:
    judgments, _ = a_crowd_with_checks(tmp_path)
    run(judgments, tmp_path / "out")
    with (tmp_path / "out" / "figures" / "check-answers.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    said = {(row["check"], row["bound"], float(row["answer"]), row["result"], row["answers"]) for row in rows}
    assert said == {
        ("self", "at least 90", 40.0, "breaks them", "1"),
        ("self", "at least 90", 97.0, "within its bounds", "7"),
    }


def test_two_runs_have_the_same_bytes_and_the_second_replaces_the_first(tmp_path: Path) -> None:
    judgments = published("snow-wordsim/judgments.csv")
    for folder in ("one", "two", "two"):
        run(judgments, tmp_path / folder, "--scale", "0:10", "--replicates", "50")
    one, two = (
        {path.relative_to(tmp_path / folder): path.read_bytes() for path in sorted((tmp_path / folder).rglob("*.*"))}
        for folder in ("one", "two")
    )
    assert one == two
    assert len(one) > 30


def test_tables_have_the_numbers_of_the_report_as_a_paper_prints_them(tmp_path: Path) -> None:
    judgments = published("snow-wordsim/judgments.csv")
    run(judgments, tmp_path / "out", "--scale", "0:10", "--replicates", "50")
    table = (tmp_path / "out" / "tables" / "agreement.md").read_text()
    assert "| Krippendorff's alpha, interval | .670 (.444 to .804) | .670 (.444 to .804) | 30 |" in table
    latex = (tmp_path / "out" / "tables" / "agreement.tex").read_text()
    assert r"Krippendorff's alpha, interval & .670 (.444 to .804) & .670 (.444 to .804) & 30 \\" in latex
    assert latex.count(r"\toprule") == latex.count(r"\bottomrule") == 1


def test_names_of_models_run_neither_as_latex_nor_as_a_formula() -> None:
    table = PaperTable("models", "50 % & more", ("Model",), [("=cmd|x_1 \\input{a}",)])
    assert r"=cmd\textbar{}x\_1 \textbackslash{}input\{a\} \\" in table.latex()
    assert r"\caption{50 \% \& more}" in table.latex()
    assert table.csv().splitlines()[1].startswith("'=cmd")
    assert "=cmd\\|x_1 \\\\input{a}" in table.markdown()


def test_report_may_be_left_out(tmp_path: Path) -> None:
    judgments, _ = a_crowd_with_checks(tmp_path)
    run(judgments, tmp_path / "out", "--no-report")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "gold.csv", "judgments.csv", "workers.csv", "report.json", "methods.md", "methods-details.md",
        "data-dictionary.csv",
    }  # fmt: skip


def test_a_figure_that_fails_is_said_and_loses_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judgments, _ = a_crowd_with_checks(tmp_path)
    request = rendering._request

    def broken(figure: Figure, folder: Path, formats: Sequence[str]) -> rendering.Request:
        made = request(figure, folder, formats)
        return {**made, "specification": {"mark": "nonsense"}} if figure.name == "workers" else made

    monkeypatch.setattr(rendering, "_request", broken)
    said = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("analyse_file", judgments, "--out", tmp_path / "out", stdout=io.StringIO(), stderr=said)
    assert stopped.value.code == 1
    assert said.getvalue().startswith("The figure workers could not be drawn: ")
    assert said.getvalue().splitlines()[-1] == f"Everything else is in {tmp_path / 'out'}."
    figures = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert {"workers.csv", "agreement.svg"} <= figures
    assert "workers.svg" not in figures
    page = (tmp_path / "out" / "report.html").read_text()
    assert "The figure workers could not be drawn." in page
    assert (tmp_path / "out" / "gold.csv").stat().st_size
    assert (tmp_path / "out" / "croissant.json").stat().st_size


def test_a_report_that_fails_leaves_the_analysis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judgments, _ = a_crowd_with_checks(tmp_path)

    def fail(*_: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr(report_files, "figures_of", fail)
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("analyse_file", judgments, "--out", tmp_path / "out", stdout=io.StringIO(), stderr=said)
    assert "The report could not be made: ZeroDivisionError: a defect" in said.getvalue()
    assert {"gold.csv", "methods.md", "report.json"} <= {path.name for path in (tmp_path / "out").iterdir()}


def test_the_terminal_says_who_was_excluded_and_where_the_report_is(tmp_path: Path) -> None:
    judgments, probe = a_crowd_with_checks(tmp_path)
    said = io.StringIO()
    call_command("analyse_file", judgments, "--out", tmp_path / "out", "--probe", probe, stdout=said)
    first, *lines = said.getvalue().splitlines()
    assert first == "read as: one row per judgment, 8 workers, 13 items, 104 judgments"
    verdict, rest = lines[: lines.index("Who counts") - 1], lines[lines.index("Who counts") :]
    assert len(verdict) <= 12
    assert verdict[0].startswith("This gold is ")
    assert "But" in {line.split(":")[0] for line in verdict}
    assert verdict[-1].startswith("Next: ")
    headings = [line for line in rest if line and not line.startswith(" ")]
    assert headings[:5] == [
        "Who counts",
        "Settings",
        "Models",
        "Agreement of the judgments that are kept",
        "Items that people agree on least",
    ]
    assert rest[1].strip() == "7 of 8 workers and 84 of 96 judgments of 12 items are kept under own-bounds."
    assert rest[2].split()[:2] == ["w0", "failed"]
    assert rest[rest.index("Settings") + 1].startswith("  Rules own-bounds, seed 1, 1,000 bootstrap replicates;")
    assert f"The report: {tmp_path / 'out' / 'report.html'}" in lines
