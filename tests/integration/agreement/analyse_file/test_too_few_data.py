"""Claims that have too few data: in report.json, in tables/ and on the page, each with what it needs."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from agreement.planning.further_data import further_for_lead
from agreement.report.paper_tables import TITLE, claims_table, nothing_lacks
from agreement.report.report import read_report
from tests.integration.agreement.analyse_file.command import analyse, write_rows
from tests.reports import SMALL

QUICK = ("--replicates", "50")


def labelled(folder: Path, *, workers: int, items: int, wrong: float, seed: int = 4) -> Path:
    rng = np.random.default_rng(seed)
    rows = [
        f"w{w},i{i},{'ab'[i % 2] if rng.random() > wrong else 'ab'[1 - i % 2]}"
        for i in range(items)
        for w in range(workers)
    ]
    return write_rows(folder / "labelled.csv", "worker_id,item_id,value", rows)


def model(folder: Path, name: str, every: int, items: int) -> str:
    rows = [f"i{i},{'ab'[(i + (i % every == 0)) % 2]}" for i in range(items)]
    return str(write_rows(folder / f"{name}.csv", "item_id,label", rows))


def claim(report: dict[str, Any], begins: str) -> dict[str, Any]:
    [found] = [one for one in report["claims"]["too_few"] if one["claim"].startswith(begins)]
    return dict(found)


def test_a_small_crowd_is_said_to_be_too_small_wherever_it_is(tmp_path: Path) -> None:
    judgments = labelled(tmp_path, workers=4, items=20, wrong=0.25)
    probes = ("--probe", model(tmp_path, "good", 9, 20), model(tmp_path, "fair", 4, 20))
    report = analyse(judgments, tmp_path / "out", *probes, *QUICK)

    assert report["claims"]["looked_at"] == [
        "agreement",
        "ceilings",
        "items' gold",
        "labels",
        "models against the gold",
    ]
    kappa = report["agreement"]["cleaned"]["fleiss_kappa"]
    agreement = claim(report, "Fleiss' kappa")
    assert agreement["now"] == f"{kappa['estimate']:.3f} ({kappa['low']:.3f} to {kappa['high']:.3f})"
    assert agreement["items"] > 20  # of an interval more than twice as wide as wanted
    assert agreement["judgments"] in (None, 20 * (agreement["judgments_per_item"] or 0))
    led = claim(report, "Label b by itself")
    assert led["now"].startswith("leads on ")
    assert led["items"] > 0
    models = claim(report, "good above fair")
    [row] = [one for one in report["comparisons"] if one["metric"] == "people_who_agree"]
    assert models["items"] == int(np.ceil(20 * (row["times_needed"] - 1)))


def test_items_whose_label_is_unsure_are_counted_and_named_with_what_they_need(tmp_path: Path) -> None:
    answers = {"i0": "aaaaaa", "i1": "aaaabb", "i2": "aaabbb", "i3": "bbbbbb"}
    rows = [f"w{w},{item},{label}" for item, given in answers.items() for w, label in enumerate(given)]
    report = analyse(write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows), tmp_path / "out", *QUICK)

    gold = claim(report, "The most chosen label of 2 of 4 items")
    counts = np.array([[6.0, 0], [4, 2], [3, 3], [0, 6]])
    assert gold["judgments_per_item"] == gold["judgments"] == further_for_lead(counts, are_labels=True)[1] > 0
    said = "1 of these items can't be decided by more judgments: two labels are equally likely."
    assert gold["note"] == said
    assert report["claims"]["unsure"] == {"count": 2, "of": 4, "items": ["i1", "i2"]}
    assert report["claims"]["items"] == [
        {"item_id": "i1", "n": 6, "judgments": gold["judgments"]},
        {"item_id": "i2", "n": 6, "judgments": None},
    ]


def test_items_on_which_all_agree_are_sure_and_what_nobody_would_collect_is_not_asked_for(tmp_path: Path) -> None:
    """Three workers, 300 items, 3 % of the answers differ: nearly all items are unanimous."""
    rng = np.random.default_rng(11)
    given = rng.random((300, 3)) < 0.03
    rows = [f"w{w},i{i},{'ny'[int(given[i, w])]}" for i in range(300) for w in range(3)]
    report = analyse(write_rows(tmp_path / "rare.csv", "worker_id,item_id,value", rows), tmp_path / "out", *QUICK)

    split = {f"i{i}" for i in np.flatnonzero(given.any(axis=1))}
    unsure = report["claims"]["unsure"]
    assert unsure["of"] == 300
    assert set(unsure["items"]) <= split
    assert unsure["count"] == len(unsure["items"]) < 5
    asked = [claim["judgments"] for claim in report["claims"]["too_few"] if claim["judgments"]]
    assert all(number <= 100 * 300 for number in asked)

    coins = [f"w{w},i{i},{'ny'[int(w < 5)]}" for i in range(20) for w in range(10)]
    tied = analyse(write_rows(tmp_path / "coins.csv", "worker_id,item_id,value", coins), tmp_path / "coins", *QUICK)
    found = claim(tied, "The most chosen label of 20 of 20 items")
    assert found["judgments"] is None
    assert found["note"] == "These items can't be decided by more judgments: two labels are equally likely."


def test_means_that_are_wide_need_what_their_interval_says(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    rows = [f"w{w},i{i},{int(np.clip(10 * i + rng.normal(0, 15), 0, 100))}" for i in range(10) for w in range(5)]
    report = analyse(
        write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows), tmp_path / "out", "--kind", "slider", *QUICK
    )
    with (tmp_path / "out" / "gold.csv").open() as stream:
        halves = {row["item_id"]: (float(row["ci_high"]) - float(row["ci_low"])) / 2 for row in csv.DictReader(stream)}
    wide = {item: half for item, half in halves.items() if half > 10}
    found = claim(report, f"The mean of {len(wide)} of 10 items")
    assert found["enough"] == "±10"
    assert found["judgments"] == sum(int(np.ceil(5 * (half / 10) ** 2 - 5)) for half in wide.values())


def test_two_workers_are_told_that_more_items_narrow_the_interval(tmp_path: Path) -> None:
    report = analyse(labelled(tmp_path, workers=2, items=20, wrong=0.2), tmp_path / "out", *QUICK)
    kappa = claim(report, "Fleiss' kappa")
    assert kappa["judgments_per_item"] is None
    assert kappa["items"] > 0
    assert kappa["note"] == "The interval is over items, for these workers: more items narrow it."


@pytest.mark.filterwarnings("error")
def test_where_nothing_lacks_the_page_says_so_and_what_was_looked_at(tmp_path: Path) -> None:
    judgments = labelled(tmp_path, workers=10, items=60, wrong=0.01)
    call_command("analyse_file", judgments, "--out", tmp_path / "out", *QUICK, stdout=io.StringIO())
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["claims"]["too_few"] == report["claims"]["items"] == []
    said = nothing_lacks(read_report(report).results.claims)
    assert said.startswith("Everything that was looked at has enough data: agreement, ceilings, items' gold, labels. ")
    page = (tmp_path / "out" / "report.html").read_text()
    assert f">{TITLE}</h2>" in page
    assert "Everything that was looked at has enough data: agreement" in page
    assert not (tmp_path / "out" / "tables" / "claims.csv").exists()


def test_a_report_of_before_says_nothing_of_claims() -> None:
    before = read_report({key: part for key, part in SMALL.items() if key not in {"claims", "version"}})
    assert not claims_table(before.results.claims).rows
    assert not nothing_lacks(before.results.claims)
