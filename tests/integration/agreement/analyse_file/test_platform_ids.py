"""Ids by which a platform knows people leave no analysis as they came: neither files, nor errors, nor the terminal."""

from __future__ import annotations

import io
import json
import random
import re
import stat
from pathlib import Path

import pytest
from django.core.management import call_command

from agreement import Refused
from agreement import analyse as analyse_frame
from agreement.analysis.file_job import FileJob, run
from tests.integration.agreement.analyse_file.command import analyse, read_rows, refused, write_rows

DRAWN = random.Random(7)
PROLIFIC = [f"{DRAWN.getrandbits(96) | 0xF << 92:024x}" for _ in range(3)]
MTURK = ["A" + "".join(DRAWN.choices("ABCDEFGHJKLMNPQRSTUVWXYZ0123456789", k=12 + k)) for k in range(3)]
ADDRESSES = ["ann.lee@uni.example.org", "bob+1@example.com"]
IDS = [*PROLIFIC, *MTURK, *ADDRESSES]
STRANGER = f"{DRAWN.getrandbits(96) | 0xF << 92:024x}"
HEADER = "participant,stimulus,rating,rt_ms,note,submitted_by"


@pytest.fixture
def judgments(tmp_path: Path) -> Path:
    rows = [
        f"{who},s{item},{(17 * place + 13 * item) % 101},{400 + item},"
        f"{f'I am {who}; mail {ADDRESSES[0]}' if item == 2 else ''},{IDS[-1 - place]}"
        for place, who in enumerate(IDS)
        for item in range(12)
    ]
    return write_rows(tmp_path / "judgments.csv", HEADER, rows)


def ids_within(folder: Path) -> list[str]:
    """The files, or names of files, that hold an id."""
    leaks = []
    for path in folder.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        leaks += [f"{path.name}: {one}" for one in [*IDS, STRANGER] if one.encode() in content or one in path.name]
    return leaks


def test_no_file_and_no_line_of_a_whole_run_has_an_id(judgments: Path, tmp_path: Path) -> None:
    out, said = tmp_path / "out", io.StringIO()
    workers = write_rows(
        tmp_path / "w.csv", "worker_id,age", [*(f"{who},{k}" for k, who in enumerate(IDS)), f"{STRANGER},9"]
    )
    by_hand = write_rows(
        tmp_path / "by_hand.csv", "worker_id,kept,reason", [f"{IDS[0]},0,{IDS[0]} wrote to {ADDRESSES[1]}"]
    )
    header = "Participant id,Status,Age"
    people = write_rows(tmp_path / "people.csv", header, [f"{who},APPROVED,30" for who in [*IDS[1:], STRANGER]])
    reference = write_rows(
        tmp_path / "ref.csv", "item_id,reference,by", [f"s{k},{9 * k},{ADDRESSES[0]}" for k in range(12)]
    )
    options = ["--workers", workers, "--by-hand", by_hand, "--people", people, "--reference", reference]
    call_command(
        "analyse_file", judgments, "--out", out, *map(str, options), "--keys", "--replicates", "20", stdout=said
    )
    assert ids_within(out) == []
    assert not any(one in said.getvalue() for one in [*IDS, STRANGER])
    ids = {row["worker_id"] for row in read_rows(out / "workers.csv")}
    assert ids == {f"w{number:03d}" for number in range(1, 9)}
    excluded = [row for row in read_rows(out / "workers.csv") if row["kept"] == "0"]
    key = {row["platform_id"]: row["worker_id"] for row in read_rows(tmp_path / "out-worker-keys.csv")}
    assert [row["worker_id"] for row in excluded] == [key[IDS[0]]]
    assert key.keys() == {*IDS, STRANGER}
    assert stat.S_IMODE((tmp_path / "out-worker-keys.csv").stat().st_mode) == 0o600
    assert "replaced by pseudonyms (w001, w002, …): --keys writes the key beside the folder" in said.getvalue()


def test_figures_are_those_of_the_same_people_under_other_names(judgments: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.csv"
    text = judgments.read_text()
    for number, who in enumerate(IDS):
        text = text.replace(who, f"p{number}")
    plain.write_text(text)
    hidden, named = (analyse(path, tmp_path / path.stem, "--replicates", "20") for path in (judgments, plain))
    alphas = [report["agreement"]["raw"]["krippendorff_alpha"]["interval"]["estimate"] for report in (hidden, named)]
    assert alphas[0] == pytest.approx(alphas[1], abs=1e-12)
    assert (tmp_path / "judgments" / "gold.csv").read_bytes() == (tmp_path / "plain" / "gold.csv").read_bytes()
    assert {row["worker_id"] for row in read_rows(tmp_path / "plain" / "workers.csv")} == {f"p{k}" for k in range(8)}


def test_the_seed_decides_the_order_and_nothing_else_does(judgments: Path, tmp_path: Path) -> None:
    def key(seed: str, path: Path) -> dict[str, str]:
        out = tmp_path / f"{path.stem}{seed}"
        analyse(path, out, "--seed", seed, "--keys", "--replicates", "0")
        return {row["platform_id"]: row["worker_id"] for row in read_rows(tmp_path / f"{out.name}-worker-keys.csv")}

    header, *rows = judgments.read_text().splitlines()
    turned = write_rows(tmp_path / "turned.csv", header, rows[::-1])
    assert key("1", judgments) == key("1", turned)
    assert key("1", judgments) != key("2", judgments)


def test_ids_that_are_kept_mark_the_folder(judgments: Path, tmp_path: Path) -> None:
    report = analyse(judgments, tmp_path / "out", "--keep-ids", "--replicates", "20")
    assert {row["worker_id"] for row in read_rows(tmp_path / "out" / "workers.csv")} == set(IDS)
    assert "don't publish them" in (tmp_path / "out" / "CONTAINS-PLATFORM-IDS.txt").read_text()
    assert "platform_ids" in [warning["code"] for warning in report["warnings"]]
    analyse(judgments, tmp_path / "out", "--replicates", "20")
    assert not (tmp_path / "out" / "CONTAINS-PLATFORM-IDS.txt").exists()


def test_files_of_a_bundle_keep_the_names_that_they_have(judgments: Path, tmp_path: Path) -> None:
    """Whoever may export ids of a platform can have that bundle verified: the same workers, and nothing more."""
    job = FileJob(judgments=judgments, out=tmp_path / "again", seed=1, replicates=0, is_of_bundle=True)
    analysis = run(job)
    assert {row["worker_id"] for row in read_rows(tmp_path / "again" / "workers.csv")} == set(IDS)
    assert not [warning for warning in analysis.warnings if warning.code == "platform_ids"]
    assert not (tmp_path / "again" / "CONTAINS-PLATFORM-IDS.txt").exists()


def test_no_refusal_has_an_id(judgments: Path, tmp_path: Path) -> None:
    doubled = write_rows(tmp_path / "doubled.csv", HEADER, [f"{who},s1,50,1,,x" for who in IDS for _ in range(2)])
    odd = write_rows(tmp_path / "odd.csv", HEADER, [f"{IDS[0]},s1,{IDS[1]},1,,x", f"{IDS[2]},s1,50,1,,x"])
    lines = tmp_path / "lines.jsonl"
    lines.write_text("".join(json.dumps({"worker_id": who, "item_id": {who: 1}, "value": 5}) + "\n" for who in IDS))
    unknown = write_rows(tmp_path / "by_hand.csv", "worker_id,kept,reason", [f"{IDS[0]},2,{IDS[1]}", f"{IDS[0]},1,x"])
    for path, *options in (
        (doubled,), (odd, "--kind", "slider"), (lines,), (judgments, "--by-hand", str(unknown)),
        (judgments, "--worker", IDS[0]), (judgments, "--leave-out", f"participant={STRANGER}"),
    ):  # fmt: skip
        reasons = refused(path, tmp_path / "out", *options)
        assert reasons
        assert not [reason for reason in reasons if any(one in reason for one in [*IDS, STRANGER])]


def test_ids_of_items_stay_and_texts_in_capitals_too(tmp_path: Path) -> None:
    items = [f"{DRAWN.getrandbits(96) | 0xF << 92:024x}" for _ in range(6)]
    rows = [
        f"{who},{item},{label}" for who in MTURK for item, label in zip(items, ["ADMINISTRATION", "b"] * 3, strict=True)
    ]
    analyse(write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows), tmp_path / "out", "--replicates", "20")
    gold = read_rows(tmp_path / "out" / "gold.csv")
    assert {row["item_id"] for row in gold} == set(items)
    assert {row["label"] for row in gold} == {"ADMINISTRATION", "b"}


def test_a_file_without_ids_keeps_its_workers(tmp_path: Path) -> None:
    rows = [
        f"{who},s{item},{(7 * k + 13 * item) % 101}" for k, who in enumerate(("ann", "w001", "W2")) for item in range(6)
    ]
    analyse(write_rows(tmp_path / "j.csv", "worker_id,item_id,value", rows), tmp_path / "out", "--keys")
    assert {row["worker_id"] for row in read_rows(tmp_path / "out" / "workers.csv")} == {"ann", "w001", "W2"}


def test_a_key_is_not_written_over_another_file(judgments: Path, tmp_path: Path) -> None:
    (tmp_path / "out-worker-keys.csv").write_text("mine\n")
    (reason,) = refused(judgments, tmp_path / "out", "--keys")
    assert reason.endswith("out-worker-keys.csv: it is there and no key of pseudonyms; name another folder")
    assert (tmp_path / "out-worker-keys.csv").read_text() == "mine\n"


def test_a_look_shows_none(judgments: Path) -> None:
    said = io.StringIO()
    call_command("look", judgments, stdout=said)
    assert "worker" in said.getvalue()
    assert not any(one in said.getvalue() for one in IDS)


def test_in_python_too(judgments: Path, tmp_path: Path) -> None:
    import pandas as pd

    frame = pd.read_csv(judgments)
    result = analyse_frame(frame, replicates=20)
    out = result.save(tmp_path / "saved", keys=True)
    assert ids_within(out) == []
    assert not any(one in f"{result!r}{result._repr_html_()}{result.judgments.to_csv()}" for one in IDS)
    assert set(result.keys["platform_id"]) == set(IDS)
    assert {row["platform_id"] for row in read_rows(tmp_path / "saved-worker-keys.csv")} == set(IDS)
    kept = analyse_frame(frame, keep_ids=True, replicates=0)
    assert set(kept.workers["worker_id"]) == set(IDS)
    assert any("don't publish" in warning for warning in kept.warnings)
    broken = frame.assign(rating=frame["participant"])
    with pytest.raises(Refused) as refusal:
        analyse_frame(broken, kind="slider", value="rating")
    assert not any(one in str(refusal.value) for one in IDS)
    assert re.search(r"row 0, column rating: '", str(refusal.value))
