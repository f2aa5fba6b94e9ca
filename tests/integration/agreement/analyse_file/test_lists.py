"""Lists of properties from a file: held against norms, a person against the others, and coded."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from agreement.report.paper_tables import tables_of
from agreement.report.report import read_report
from tests.integration.agreement.analyse_file.command import analyse, refused

PEOPLE = [f"w{at:02d}" for at in range(12)]
NORMS = {
    ("fern", "is"): {"green": 29, "tall": 4},
    ("fern", "has"): {"leaves": 22},
    ("swan", "is"): {"white": 27, "big": 6},
    ("swan", "has"): {"feathers": 18},
    ("swan", "has a"): {"beak": 12},
    ("drum", "is made of"): {"wood": 15, "skin": 8},
    ("drum", "is"): {"round": 20, "loud": 14},
    ("brick", "is"): {"red": 25, "hard": 16},
    ("brick", "is made of"): {"clay": 19},
    ("wool", "is"): {"soft": 24, "white": 10},
    ("rose", "is"): {"red": 21},
    ("rose", "has"): {"thorns": 17},
}


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    rng = np.random.default_rng(4)
    items = [{"item_id": f"{c}--{r}".replace(" ", "-"), "concept": c, "relation": r} for c, r in NORMS]
    judgments = []
    for worker in PEOPLE:
        for item, named in zip(items, NORMS.values(), strict=True):
            said = [name for name, pf in named.items() if rng.random() < pf / 30] or ["nice"]
            judgments.append({"worker_id": worker, "item_id": item["item_id"], "value": "|".join(said)})
    norms = [
        {"concept": c, "relation": r, "feature": name, "type": "visual perceptual", "pf": pf}
        for (c, r), named in NORMS.items()
        for name, pf in named.items()
    ]
    words = sorted({name for named in NORMS.values() for name in named})
    probe = [
        {"item_id": item["item_id"], "template": f"t{t}", "candidate": word, "score": pf + 3 * t * rng.normal()}
        for t in (1, 2)
        for item, named in zip(items, NORMS.values(), strict=True)
        for word, pf in ((word, named.get(word, 0)) for word in words)
    ]
    (tmp_path / "words.txt").write_text("\n".join(words))
    tables: dict[str, list[dict[str, Any]]] = {"items": items, "judgments": judgments, "norms": norms, "model": probe}
    return {name: write_rows(tmp_path / f"{name}.csv", rows) for name, rows in tables.items()} | {
        "words": tmp_path / "words.txt"
    }


def options(files: dict[str, Path], *more: object) -> list[str]:
    return [str(option) for option in ("--items", files["items"], "--kind", "list", "--replicates", 50, *more)]


def test_crowd_people_and_models_are_held_against_norms(files: dict[str, Path], tmp_path: Path) -> None:
    given = ("--reference", files["norms"], "--probe", files["model"], "--allowed", files["words"])

    report = analyse(files["judgments"], tmp_path / "out", *options(files, *given))

    person = report["ceiling"]["leave_one_out"]
    assert person["metric"] == "average_precision_at_2"
    assert 0.4 < person["mean"]["estimate"] < 1
    assert set(person["other_metrics"]) == {
        *(f"average_precision_at_{n}" for n in (5, 10, 20, 30)),
        "reciprocal_rank_of_named",
    }
    assert "judged no item with a property" in person["other_metrics"]["average_precision_at_20"]["undefined"]
    beside = report["against_reference"]["scores"]
    found = {
        (row["kind"], row["name"]): row["estimate"]
        for row in beside
        if row["metric"] == "average_precision_at_2" and not row["breakdown"]
    }
    assert set(found) == {
        ("model", "model"), ("crowd", "the crowd"), ("people", "people, one by one"), ("chance", "chance")
    }  # fmt: skip
    assert found["crowd", "the crowd"] > found["people", "people, one by one"] > found["chance", "chance"]
    by_template = [row for row in beside if row["breakdown"] == "template" and row["name"] == "model"]
    assert {row["group"] for row in by_template} == {"t1", "t2"}
    assert report["probes"][0]["notes"][0] == "scored over the 16 allowed words"


def test_models_are_told_apart_by_what_holds_for_other_people(files: dict[str, Path], tmp_path: Path) -> None:
    """Average precision rests on what enough people name, which hardly moves when one of them goes."""
    other = pd.read_csv(files["model"])
    other["score"] = other["score"].to_numpy()[::-1]
    poor = tmp_path / "poor.csv"
    other.to_csv(poor, index=False)

    with_both = options(files, "--probe", files["model"], poor, "--allowed", files["words"])
    report = analyse(files["judgments"], tmp_path / "out", *with_both)

    pairs = {pair["metric"]: pair for pair in report["comparisons"]}
    assert next(iter(pairs)) == "reciprocal_rank_of_named"
    tested = pairs["reciprocal_rank_of_named"]
    assert (tested["over"], tested["in_words"]) == ("items and workers", "model is above poor")
    for name, pair in pairs.items():
        if name.startswith("average_precision"):
            assert pair["over"] == "items"
            assert pair["in_words"].endswith(", for these workers")
    rows = [row for row in report["scores"] if row["metric"] == "average_precision_at_2" and not row["breakdown"]]
    assert [row["over"] for row in rows] == ["items", "items"]
    scope = "The intervals of average precision at 2, average precision at 5"
    [models] = [table for table in tables_of(read_report(report)) if table.name == "models"]
    assert scope in models.caption
    details = (tmp_path / "out" / "methods-details.md").read_text()
    assert "The same for these workers alone, which says nothing of people in general." in details
    assert details.index("less poor, mean reciprocal rank of what people named") < details.index(
        "The same, of these workers alone"
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (
            {"concept": "fern", "relation": "grows", "feature": "tall", "type": "", "pf": 3},
            "row 20, column relation: 'grows'",
        ),
        (
            {"concept": "fern", "relation": "is", "feature": "old", "type": "", "pf": "many"},
            "row 20, column pf: 'many'",
        ),
    ],
)
def test_norms_are_refused_by_row(files: dict[str, Path], tmp_path: Path, row: dict[str, Any], said: str) -> None:
    content = files["norms"].read_text() + ",".join(map(str, row.values())) + "\n"
    files["norms"].write_text(content)

    reasons = refused(files["judgments"], tmp_path / "out", *options(files, "--reference", files["norms"]))

    assert len(reasons) == 1
    assert said in reasons[0]


def test_allowed_words_that_cannot_be_read_are_refused(files: dict[str, Path], tmp_path: Path) -> None:
    files["words"].write_text("\n\n")

    given = ("--probe", files["model"], "--allowed", files["words"])
    reasons = refused(files["judgments"], tmp_path / "out", *options(files, *given))

    assert reasons == ["words.txt: there is no word in it; write one on each line"]


def test_a_coding_is_for_lists(files: dict[str, Path], tmp_path: Path) -> None:
    coding = write_rows(tmp_path / "c.csv", [{"property": "nice", "relation": "", "feature": "nice", "left_out": 1}])

    report = analyse(files["judgments"], tmp_path / "out", *options(files, "--coding", coding))
    assert report["coding"]["left_out"] == 1
    assert ",nice," not in (tmp_path / "out" / "gold.csv").read_text()
    labels = write_rows(tmp_path / "j.csv", [{"worker_id": f"w{at}", "item_id": "i", "value": "a"} for at in range(3)])
    reasons = refused(labels, tmp_path / "other", "--kind", "choice", "--coding", str(coding))
    assert "--coding is for lists of properties" in reasons[0]
