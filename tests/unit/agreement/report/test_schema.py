"""What a report is: its JSON Schema, and report.json read back to the same bytes, of every kind of crowd."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from agreement.analysis.analysis import NothingKept
from agreement.analysis.file_job import FileJob, run
from agreement.analysis.output_folder import report_bytes
from agreement.errors import Refused
from agreement.estimation.estimate import Estimate, Undefined
from agreement.files.numbers import Scale
from agreement.report.report import FILE, NoResults, read_report, report_as_json, report_schema, schema_bytes
from agreement.typed_json import Misread, from_json, object_of
from tests.reports import SMALL, small_report

CROWDS = Path(__file__).parents[3] / "cases" / "crowds"
SCALES = {"sliders": "0:5", "krippendorff-c": "1:5", "snow-wordsim": "0:10"}
OTHERS = {
    "sliders": ("v:a,v:b", [f"{a % 6},{(a * 7) % 6}" for a in range(24)]),
    "choices": ("value", ["a|b" if a % 3 else "b" for a in range(24)]),
    "verify": ("value", ["true" if a % 3 else "false" for a in range(24)]),
    "list": ("value", ["is red|has wheels" if a % 2 else "is red" for a in range(24)]),
    "text": ("value", [f"a dog {'runs' if a % 2 else 'sleeps'}" for a in range(24)]),
    "ranking": ("value", ["a|b|c" if a % 3 else "c|a|b" for a in range(24)]),
}


def of_file(name: str, folder: Path) -> dict[str, Any]:
    given: dict[str, Any] = {"judgments": CROWDS / name / "judgments.csv"}
    if name in OTHERS:
        column, answers = OTHERS[name]
        rows = [f"w{at % 4},i{at // 4},{answer}" for at, answer in enumerate(answers)]
        given = {"judgments": folder / f"{name}.csv", "kind": name}
        given["judgments"].write_text("\n".join([f"worker_id,item_id,{column}", *rows]) + "\n")
    for reference in (CROWDS / name).glob("*.csv"):
        if reference.name != "judgments.csv":
            given["reference"] = reference
    if name in SCALES:
        given["scale"] = Scale(*map(Decimal, SCALES[name].split(":")))
    if name == "choices":
        given["labels"] = ("a", "b")
    run(FileJob(**given, out=folder / "out", seed=1, replicates=20))
    report: dict[str, Any] = json.loads((folder / "out" / "report.json").read_bytes())
    return report


@pytest.mark.parametrize("name", [*OTHERS, "fleiss1971", "krippendorff-c", "snow-wordsim"])
def test_report_of_every_kind_of_crowd_fits_the_schema_and_is_read_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    report = of_file(name, tmp_path)
    assert list(report)[-2:] == ["verdict", "version"]
    assert report["verdict"]["next"]
    jsonschema.validate(report, report_schema(), jsonschema.Draft202012Validator)
    assert report_bytes(read_report(report)) == (tmp_path / "out" / "report.json").read_bytes()


def test_report_without_gold_fits_too_and_has_no_results(tmp_path: Path) -> None:
    rows = [f"w{at},i1,50,target,,\nw{at},c1,90,check,unrelated,60" for at in range(3)]
    judgments = tmp_path / "j.csv"
    judgments.write_text("\n".join(["worker_id,item_id,value,kind,check,max", *rows]) + "\n")
    with pytest.raises(Refused) as refused:
        run(FileJob(judgments=judgments, out=tmp_path / "out", kind="slider", seed=1, replicates=20))
    assert isinstance(refused.value.__cause__, NothingKept)
    report = read_report(json.loads((tmp_path / "out" / "report.json").read_bytes()))
    jsonschema.validate(report_as_json(report), report_schema(), jsonschema.Draft202012Validator)
    assert report.warnings == ()
    with pytest.raises(NoResults, match="0 of 3 workers kept"):
        report.results  # noqa: B018


def test_the_schema_in_the_documentation_is_the_codes() -> None:
    assert FILE.read_bytes() == schema_bytes(), "make schema"
    jsonschema.Draft202012Validator.check_schema(report_schema())


def test_a_report_has_its_one_question() -> None:
    report = small_report()
    assert report.questions == (report.question,)
    assert report.question.results == report.results


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ({"seed": "one"}, "seed: a text where"),
        ({"mood": "good"}, "the key mood is not known"),
        ({"counts": {**SMALL["counts"], "more": 1}}, "counts: the key more is not known"),
        ({"rules": {"name": "r"}}, "rules.version: it is missing"),
        ({"influence": [{"statistic": "icc1"}]}, r"influence\[0\].worker: it is missing"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(part: dict[str, Any], why: str) -> None:
    with pytest.raises(Misread, match=why):
        read_report({**SMALL, **part})


def test_a_figure_is_an_estimate_or_a_reason() -> None:
    estimate = Estimate(0.5, None, None, 3, "mean", "items")
    assert from_json(Estimate, object_of(estimate)) == estimate
    assert object_of(Undefined("nobody answered")) == {"undefined": "nobody answered"}
