"""`analyse` over a data frame: the figures of the command line, and refusals that name row and column."""

import json
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from agreement.figures import rendering
from agreement.frames.frame_tables import cells_of
from agreement.report.markdown import markdown_document
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
