"""`analyse` over a data frame: the figures of the command line, and refusals that name row and column."""

import inspect
import json
import warnings
from argparse import ArgumentParser
from html import escape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from agreement.cli import analyse_file
from agreement.figures import rendering
from agreement.files.column_mapping import NAMES
from agreement.frames.frame_tables import cells_of
from agreement.report.markdown import markdown_document
from agreement.scoring.probe_formats import OPTIONS
from touchstone_annotation import Analysis, NothingKept, Refused, analyse

PAIRS = {"worker_id": ["ann", "ann", "bob", "bob"], "item_id": ["x", "y", "x", "y"]}
CHECKED = pd.DataFrame({"item_id": ["x", "y", "c"], "check": ["", "", "low"], "max": [None, None, 20]})


def frame(values: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({**PAIRS, "value": values})


def crowd() -> pd.DataFrame:
    """Three workers, of whom dan fails the check."""
    answers = {"ann": (90, 10, 5), "bob": (80, 20, 0), "dan": (50, 55, 60)}
    rows = [(who, item, value) for who, given in answers.items() for item, value in zip("xyc", given, strict=True)]
    return pd.DataFrame(rows, columns=["worker_id", "item_id", "value"])


@pytest.fixture(scope="module")
def result() -> Analysis:
    return analyse(crowd(), kind="slider", scale=(0, 100), items=CHECKED, replicates=50, name="<b>pairs</b>")


def test_excluded_workers_have_a_reason_and_evidence(result: Analysis) -> None:
    assert result.excluded.to_dict("records") == [
        {
            "worker_id": "dan",
            "reason": "failed check items: each within its own bounds",
            "evidence": "c: 60 (at most 20)",
        }
    ]


def test_figures_are_numbers_of_the_report(result: Analysis) -> None:
    kept = result.agreement[result.agreement["judgments"] == "kept"].set_index("statistic")
    alpha = result.report["agreement"]["cleaned"]["krippendorff_alpha"]["interval"]

    assert kept.loc["Krippendorff's alpha, interval", "estimate"] == alpha["estimate"]
    assert set(result.agreement["judgments"]) == {"collected", "kept"}
    assert result.gold["mean"].tolist() == [85.0, 15.0]
    assert result.judgments["kept"].sum() == 6
    assert (result.ceilings["undefined"] != "").any()


def test_what_is_saved_is_what_the_command_writes(result: Analysis, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error" if rendering.can_draw() else "ignore")
        out = result.save(tmp_path / "out", report=False)

    report = json.loads((out / "report.json").read_text())
    assert report["release"]["sha256"] == result.sha256
    assert sorted(path.name for path in out.iterdir()) == [
        "data-dictionary.csv", "gold.csv", "judgments.csv", "methods-details.md", "methods.md", "report.json",
        "workers.csv",
    ]  # fmt: skip
    assert (out / "methods.md").read_text() == markdown_document(result.methods)
    assert (out / "methods-details.md").read_text() == markdown_document(result.methods_details)


def test_the_report_is_saved_too(result: Analysis, tmp_path: Path) -> None:
    out = result.save(tmp_path / "out")

    assert (out / "report.html").exists()
    assert list((out / "figures").glob("*.svg"))


def test_a_folder_with_something_else_is_refused(result: Analysis, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()

    with pytest.raises(Refused, match="holds other things than an analysis"):
        result.save(tmp_path)


def test_a_notebook_gets_escaped_text_without_colours(result: Analysis) -> None:
    shown = result._repr_html_()

    assert f"<p><strong>{escape(result.verdict.sentence)}</strong></p>" in shown
    assert f"Next: {result.verdict.next_step.sentence}</p>" in shown
    assert "&lt;b&gt;pairs&lt;/b&gt;: 2 of 3" in shown.replace("</strong>", "").replace("<strong>", "")
    assert "<b>pairs" not in shown
    assert "background" not in shown.replace("background:none", "")
    assert "color:" not in shown


@pytest.mark.parametrize(
    ("values", "options", "reason"),
    [
        ([1, "ninety", 3, 4], {"scale": (0, 100)}, "frame, row 1, column value: 'ninety' is not a number from 0"),
        ([1, 2, 3, None], {"scale": (0, 7)}, "frame, row 3, column value: '' is not a number from 0 to 7."),
        ([1, 2, 3, 4], {}, "type the scale that people saw, such as scale=(0, 4)"),
        ([1, 2, 3, 4], {"kind": "slyder"}, "kind 'slyder' is not one of slider"),
        ([1, 2, 3, 4], {"scale": (7, 0)}, "scale (7, 0) is not two numbers with the smaller first"),
        (["a", "b", "a", "a"], {"kind": "choice", "ordered": True}, "name the labels in their order too"),
        (["a", "b", "a", "a"], {"rules": {"rule": [{"kind": "chek"}]}}, "rules, rule 1: unknown kind 'chek'"),
        (["a", "b", "a", "a"], {"rules": "nowhere"}, "give a TOML file or the name of one of"),
    ],
)  # fmt: skip
def test_what_is_refused_and_where(values: list[Any], options: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused) as refused:
        analyse(frame(values), **options)

    assert reason in str(refused.value)


def test_a_scale_that_is_no_pair_of_numbers() -> None:
    with pytest.raises(TypeError, match=r"such as \(0, 100\)"):
        analyse(frame([1, 2, 3, 4]), scale="0:7")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rules",
    [
        {"rule": [{"kind": "check", "check": "low", "max": 20.0}]},
        "own-bounds",
    ],
)
def test_rules_by_name_and_as_a_dictionary(rules: Any) -> None:
    found = analyse(crowd(), kind="slider", scale=(0, 100), items=CHECKED, rules=rules, replicates=0)

    assert found.excluded["worker_id"].tolist() == ["dan"]


def test_rules_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n[[rule]]\nkind = "check"\ncheck = "low"\nmax = 70\n')

    found = analyse(crowd(), kind="slider", scale=(0, 100), items=CHECKED, rules=path, replicates=0)

    assert found.excluded.empty
    assert found.report["rules"]["name"] == "mine"


def test_nothing_kept_says_who_failed_what() -> None:
    checks = pd.DataFrame({"item_id": ["x", "y"], "check": ["", "low"], "max": [None, 10]})

    with pytest.raises(NothingKept, match="0 of 2 workers kept") as nothing:
        analyse(frame([50, 50, 50, 50]), scale=(0, 100), items=checks)

    assert nothing.value.workers["evidence"].tolist() == ["y: 50 (at most 10)"] * 2


def test_a_frame_with_two_columns_of_one_name() -> None:
    twice = frame([1, 2, 3, 4])
    twice.columns = pd.Index(["worker_id", "value", "value"])

    with pytest.raises(ValueError, match="several columns named value"):
        cells_of(twice)


def test_true_and_one_are_told_apart() -> None:
    mixed = pd.DataFrame({"value": pd.Series([True, 1, "1"], dtype=object)})

    codes, values = cells_of(mixed)["value"]

    assert [values[code] for code in codes] == ["true", "1", "1"]


def test_progress_hears_each_stage() -> None:
    heard: list[str] = []

    analyse(frame(["a", "b", "a", "a"]), kind="choice", replicates=0, progress=heard.append)

    assert heard[:2] == ["reading", "cleaning"]


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float16", "Float64", "category", "category of float32"])
def test_every_dtype_of_numbers_gives_what_a_file_would_hold(dtype: str) -> None:
    numbers: Any = pd.Series([57.1, 4.3, 90.0, 57.1])
    for step in reversed(dtype.split(" of ")):
        numbers = numbers.astype(step)

    codes, values = cells_of(pd.DataFrame({"value": numbers}))["value"]

    assert [values[code] for code in codes] == ["57.1", "4.3", "90", "57.1"]


def test_a_blank_in_a_short_float_stays_blank() -> None:
    frames = [pd.DataFrame({"value": pd.Series([57.1, None], dtype=dtype)}) for dtype in ("float32", "Float32")]

    for codes, values in (cells_of(one)["value"] for one in frames):
        assert [values[code] for code in codes] == ["57.1", ""]


def test_missing_columns_are_named_as_a_frame_has_them() -> None:
    whole = frame([1, 2, 3, 4])

    def said(given: pd.DataFrame) -> str:
        with pytest.raises(Refused) as refused:
            analyse(given)
        return str(refused.value)

    assert said(whole.rename(columns={"item_id": "thing"})) == (
        "frame: the column item_id is missing; it has worker_id, thing, value; name yours by"
        ' frame.rename(columns={"COLUMN": "item_id"})'
    )
    assert said(whole.set_index(["worker_id", "item_id"])) == (
        "frame: the columns worker_id, item_id are missing; it has value; its index has worker_id and item_id: give"
        " frame.reset_index()"
    )


def test_refusals_and_warnings_name_no_option_of_the_command() -> None:
    rows = [(f"w{w}", f"i{i}", ["low", "medium", "high"][(w + i) % 3]) for w in range(3) for i in range(12)]
    made = pd.DataFrame(rows, columns=["worker_id", "item_id", "value"])
    marked = made.assign(Status=["REJECTED", *["APPROVED"] * 35])

    found = analyse(marked, kind="choice", replicates=0)

    assert not [text for text in found.warnings if "--" in text or "analyse_file" in text]
    assert any("drop such rows of the frame to leave them out" in text for text in found.warnings)
    assert any("labels=['low', 'medium', 'high'], ordered=True" in text for text in found.warnings)
    with pytest.raises(Refused, match=r'frame.dropna\(subset=\["value"\]\) drops such rows'):
        analyse(made.assign(value=made["value"].where(made.index != 3)), kind="choice")
    with pytest.raises(Refused, match='repeats="first", "last", "mean" or "keep" says what to do'):
        analyse(pd.concat([made, made.iloc[:1]]), kind="choice")


# What the command has, in Python.


def test_models_a_reference_and_workers_are_those_of_the_command(tmp_path: Path) -> None:
    from django.core.management import call_command

    answers = {f"w{w}": {f"i{i}": (13 * i + 3 * w * (i % 3)) % 101 for i in range(14)} for w in range(6)}
    rows = [(who, item, value) for who, each in answers.items() for item, value in each.items()]
    judgments = pd.DataFrame(rows, columns=["worker_id", "item_id", "value"])
    outputs = pd.DataFrame({"item_id": [f"i{i}" for i in range(14)], "score": [(12 * i) % 101 for i in range(14)]})
    reference = {f"i{i}": (13 * i) % 101 for i in range(14)}
    workers = pd.DataFrame({"worker_id": [*answers], "age": ["young", "old"] * 3})
    by_hand = pd.DataFrame({"worker_id": ["w5"], "kept": [0], "reason": ["asleep"]})
    result = analyse(
        judgments, models={"copycat": outputs}, reference=reference, workers=workers, by_hand=by_hand,
        also=["subgroups:age"], groups={"copycat": "small"}, replicates=20, fixed_workers=True,
    )  # fmt: skip
    assert result.excluded["worker_id"].tolist() == ["w5"]
    assert {"copycat", "mean of small"} <= set(result.models["name"])
    assert set(result.models["against"]) == {"people's gold", "reference"}
    assert (result.people["name"] == "a person").any()
    assert list(result.suspects.columns[:3]) == ["worker_id", "kinds", "sentence"]
    assert result.reading[0] == "read as: one row per judgment, 6 workers, 14 items, 84 judgments"
    page = result._repr_html_()
    assert "copycat" in page
    assert "Read as: one row per judgment" in page

    files = {"copycat": outputs, "ref": pd.DataFrame({"item_id": [*reference], "reference": [*reference.values()]})}
    for name, frame in {**files, "workers": workers, "by_hand": by_hand, "judgments": judgments}.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    (tmp_path / "groups.csv").write_text("probe,group\ncopycat,small\n")
    given = {"probe": "copycat", "reference": "ref", "workers": "workers", "by-hand": "by_hand", "groups": "groups"}
    options = [part for option, name in given.items() for part in (f"--{option}", str(tmp_path / f"{name}.csv"))]
    out = tmp_path / "out"
    call_command(
        "analyse_file", tmp_path / "judgments.csv", "--out", out, "--no-report", "--also", "subgroups:age", *options,
        "--replicates", "20", "--fixed-workers",
    )  # fmt: skip
    of_command = json.loads((out / "report.json").read_text())
    of_function = json.loads(json.dumps(result.report))
    of_command["ceiling"]["reference"]["source"] = "reference"  # there it is the file's name
    for part in ("scores", "agreement", "ceiling", "counts", "release", "subgroups"):
        assert of_function.get(part) == of_command.get(part), part


def test_a_frame_of_another_shape_is_recognised() -> None:
    wide = pd.DataFrame({"id": ["x", "y", "z"], **{f"rater{k}": [10 * k, 20 + k, 60 - k] for k in range(1, 5)}})
    result = analyse(wide, scale=(0, 100), replicates=0)
    assert result.reading == ["read as: one column per rater (item: id), 4 raters, 3 items, 12 judgments"]
    nested = pd.DataFrame(
        {"id": ["x", "y"], "annotators": [["a", "b"], ["a", "c"]], "labels": [["p", "q"], ["p", "p"]], "n": [1, 2]}
    )
    result = analyse(nested, replicates=0)
    assert result.judgments[["worker_id", "item_id", "value"]].to_numpy().tolist() == [
        ["a", "x", "p"], ["b", "x", "q"], ["a", "y", "p"], ["c", "y", "p"],
    ]  # fmt: skip


def test_a_file_is_as_good_as_a_frame(tmp_path: Path) -> None:
    crowd().to_csv(tmp_path / "judgments.csv", index=False)
    CHECKED.to_csv(tmp_path / "items.csv", index=False)
    options: dict[str, Any] = {"kind": "slider", "scale": (0, 100), "replicates": 0}
    of_files = analyse(tmp_path / "judgments.csv", items=tmp_path / "items.csv", **options)
    assert of_files.sha256 == analyse(crowd(), items=CHECKED, **options).sha256


@pytest.mark.parametrize(
    ("arguments", "error", "why"),
    [
        ({"colour": 1}, TypeError, "takes no argument colour; on columns it takes"),
        ({"missing": "drop"}, Refused, "missing='drop': write one of refuse, skip"),
        ({"models": {"m": 3}}, TypeError, "m is a int, not a pandas DataFrame or a path"),
        ({"model_options": {"colour": 1}}, Refused, "model_options has no colour; there are"),
    ],
)
def test_arguments_that_there_are_not(arguments: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        analyse(crowd(), scale=(0, 100), **arguments)


def test_the_function_has_what_the_command_has() -> None:
    """Each option is an argument of `analyse` or of `save`, some under the name that Python has for it."""
    parser = ArgumentParser()
    analyse_file.add_arguments(parser)
    options = {action.dest for action in parser._actions} - {"help"}
    arguments = {*inspect.signature(analyse).parameters, *inspect.signature(Analysis.save).parameters, *NAMES}
    in_python = {
        "judgments": "frame", "probe": "models", "out": "folder", "no_report": "report", "mapping": "columns",
        "save_mapping": "columns", **dict.fromkeys(OPTIONS, "model_options"),
    }  # fmt: skip
    assert {in_python.get(name, name) for name in options} <= arguments
