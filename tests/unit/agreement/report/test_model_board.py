"""The paper's table of models beside people: what is bold, what has a dagger, what is left out; and it compiles."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from agreement.report.model_board import MOST_METRICS, models_table
from agreement.report.paper_table import PaperTable
from agreement.report.report import Report
from tests.reports import small_report
from tests.unit.agreement.report.test_paper_table import INJECTED, OURS, WORDS_OF_TEX

OF_NOTES = {"textbf", "dagger", "scriptsize", "footnotesize", "small", "smallskip", "par", "parbox", "noindent"}
NUMBERS = {"spearman": (0.9, 0.7, 0.4), "pearson": (0.9, 0.7, 0.4), "mae": (9.51, 22.9, 131.2)}


def score(model: str, metric: str, estimate: float, chance: float | None = None) -> dict[str, Any]:
    figure = {"estimate": estimate, "low": estimate - 0.1, "high": estimate + 0.05, "n": 30, "method": "jackknife"}
    return {"probe": model, "metric": metric, "breakdown": "", "group": "", "chance": chance, **figure}


def compared(metric: str, first: str, second: str, p: float) -> dict[str, Any]:
    figure = {"estimate": 0.1, "low": 0.0, "high": 0.2, "n": 30, "method": "jackknife"}
    tests = {"p": p, "p_holm_all_pairs": p, "p_holm_with_the_best": p, "in_words": "", "times_needed": None}
    return {"metric": metric, "first": first, "second": second, **figure, **tests}


def a_report(models: Sequence[str] = ("a", "b", "c"), **parts: Any) -> Report:
    scores = [score(name, metric, of[at], 0.0) for metric, of in NUMBERS.items() for at, name in enumerate(models)]
    person = {"estimate": 0.64, "low": 0.5, "high": 0.7, "n": 9, "method": "jackknife"}
    bound = {"estimate": 0.95, "low": 0.9, "high": 0.97, "n": 30, "method": "jackknife"}
    ceiling = {
        "leave_one_out": {"metric": "spearman", "mean": person, "workers_counted": 9, "items_per_worker": {},
                          "others_behind_a_gold": 2.0, "other_metrics": {}, "left_out": {}},
        "upper_bound": bound,
    }  # fmt: skip
    tests = [compared("spearman", models[0], models[1], 0.2), compared("spearman", models[0], models[2], 0.001)]
    return small_report(**{"kind": "slider", "scores": scores, "ceiling": ceiling, "comparisons": tests, **parts})


def test_rows_are_models_then_a_person_the_ceiling_and_chance() -> None:
    table = models_table(a_report())
    assert [row[0] for row in table.rows] == ["a", "b", "c", "A typical person", "The most a model can reach", "Chance"]
    assert table.rule_before == 3
    assert table.rows[3][1] == ".640 (.500 to .700)"
    assert models_table(small_report(kind="slider")).rows == []


def test_metrics_that_are_equal_in_every_row_have_one_column_and_a_note() -> None:
    table = models_table(a_report())
    assert table.header == ("Model", "Spearman correlation", "MAE")
    assert "Pearson correlation is equal to Spearman correlation in every row." in table.notes


def test_best_is_bold_whichever_way_the_metric_points_and_what_a_test_does_not_tell_apart_has_a_dagger() -> None:
    table = models_table(a_report())
    assert table.best == {(0, 1), (0, 2)}
    assert table.tied == {(1, 1)}
    tex = table.latex()
    assert r"a & \textbf{.900} & \textbf{9.51} \\" in tex
    assert r"b & .700$^{\dagger}$ & 22.9 \\" in tex
    assert "| **.900 (.800 to .950)** |" in table.markdown()
    assert not models_table(a_report(("a", "b", "c"), comparisons=[])).tied


def test_model_without_an_output_for_some_items_is_not_the_best_by_a_correlation() -> None:
    whole, part = ({"gold": 30, "covered": n, "missing": ["i1"] * (30 - n), "beyond": []} for n in (30, 28))
    probes = [
        {"probe": name, "coverage": part if name == "a" else whole, "notes": [], "release": "0" * 64} for name in "abc"
    ]
    assert models_table(a_report(probes=probes)).best == {(1, 1), (1, 2)}


def test_of_very_many_metrics_and_models_the_first_have_a_place_and_the_rest_are_named() -> None:
    metrics = ["r_acc", "conf", "accuracy", "f1_macro", "kendall_of_shares", "spearman_of_shares", "top_1_of_shares"]
    scores = [score(f"m{k}", metric, 0.1 + k / 50 + at / 100) for at, metric in enumerate(metrics) for k in range(30)]
    report = small_report(scores=scores)
    assert len(models_table(report).header) == 1 + MOST_METRICS
    assert "1 more metrics are in tables/scores.csv." in models_table(report).notes
    few = models_table(report, 12)
    assert [row[0] for row in few.rows] == [f"m{k}" for k in range(18, 30)]
    assert few.caption.endswith("tables/models.csv has 18 more.")


# What is written for LaTeX keeps to a small grammar: balanced braces and environments, as many cells as columns, no
# command but ours, booktabs alone.


def compiles(tex: str, columns: int) -> None:
    depth = 0
    for token in re.findall(r"\\.|[{}]", tex):
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", tex):
        assert what == "begin" or opened.pop() == name
        opened += [name] if what == "begin" else []
    assert opened == []
    for line in tex.splitlines():
        if line.strip().endswith(r"\\") and not line.strip().startswith(r"\caption"):
            assert len(re.findall(r"(?<!\\)&", line)) == columns - 1, line
    assert {command[1] for command in WORDS_OF_TEX.finditer(tex)} <= OURS | OF_NOTES
    assert "\n\n" not in tex


@pytest.mark.parametrize("names", [("a", "b", "c"), (INJECTED, "x" * 80, "50 % & $x_1$ #~^\\{} <a|b>")])
def test_table_compiles_with_booktabs_alone_whatever_models_are_called(names: tuple[str, ...]) -> None:
    table = models_table(a_report(names))
    tex = table.latex()
    assert "usepackage" not in tex
    compiles(tex, len(table.header))
    columns = re.search(r"\\begin\{tabular\}\{(?:p\{\.3\\linewidth\}|l)(r+)\}", tex)
    assert columns
    assert len(columns[1]) == len(table.header) - 1


def test_table_of_more_models_than_a_page_holds_goes_over_several() -> None:
    rows = [(f"m{k}", ".5 (.4 to .6)") for k in range(40)]
    tex = PaperTable("models", "All.", ("Model", "Score"), rows, frozenset({1}), notes=("n = 9.",)).latex()
    assert tex.startswith("% \\usepackage{booktabs,longtable}\n")
    compiles(tex, 2)
