"""--workers and --people: ids that no judgment has, and workers of whom nothing is known."""

from pathlib import Path

from tests.integration.agreement.analyse_file.command import analyse, refused, write_rows


def study(tmp_path: Path) -> Path:
    rows = [f"w{w},i{i},{(50 + 7 * w + 13 * i) % 101}" for w in range(6) for i in range(12)]
    return write_rows(tmp_path / "study.csv", "worker_id,item_id,value", rows)


def said(path: Path, out: Path, *options: str) -> list[str]:
    return [one["text"] for one in analyse(path, out, *options)["warnings"] if one["code"] == "strangers"]


def test_a_file_that_knows_none_of_the_workers_is_refused(tmp_path: Path) -> None:
    workers = write_rows(tmp_path / "workers.csv", "worker_id,age", ["W0,31", "W1,40"])

    [reason] = refused(study(tmp_path), tmp_path / "out", "--workers", str(workers), "--also", "subgroups:age")

    assert reason == (
        "workers.csv: no worker of the judgments is in its column worker_id (it has 'W0', the judgments 'w0'); the ids"
        " of both files must be written in the same way"
    )


def test_workers_and_rows_that_belong_to_nobody_are_counted_and_named(tmp_path: Path) -> None:
    known = [f"w{w},{20 + w % 2}" for w in range(4)]
    some = write_rows(tmp_path / "some.csv", "worker_id,age", known)
    more = write_rows(tmp_path / "more.csv", "worker_id,age", [*known, "w4,1", "w5,1", "x,1"])
    both = write_rows(tmp_path / "both.csv", "worker_id,age", [*known, "x,1", "y,1"])
    whole = write_rows(tmp_path / "whole.csv", "worker_id,age", [f"w{w},2" for w in range(6)])

    of_each = [
        said(study(tmp_path), tmp_path / f"out-{path.stem}", "--workers", str(path))
        for path in (some, more, both, whole)
    ]

    assert of_each == [
        ["2 of 6 workers have no row in some.csv (w4 and w5)."],
        ["1 row is of nobody in the judgments in more.csv (x)."],
        ["2 of 6 workers have no row in both.csv (w4 and w5), and 2 rows are of nobody in the judgments (x and y)."],
        [],
    ]


def test_workers_without_a_row_in_the_platforms_export_are_counted(tmp_path: Path) -> None:
    rows = [f"s{w},w{w},APPROVED,300" for w in range(5)]
    people = write_rows(tmp_path / "people.csv", "Submission id,Participant id,Status,Time taken", rows)

    found = said(study(tmp_path), tmp_path / "out", "--people", str(people))

    assert found == ["1 of 6 workers has no row in the file of people (w5)."]
    assert found[0] in (tmp_path / "out" / "methods-details.md").read_text(encoding="utf-8")
