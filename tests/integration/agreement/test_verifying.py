"""`manage.py verify`: a bundle's figures follow from its judgments, or what doesn't is named."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.cli.verifying import MOST_FILES, NEEDED
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_files import zipped
from tests.integration.researchers import a_released_study

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]


@pytest.fixture
def files() -> Files:
    _study, release, _client = a_released_study()
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def verified(folder: Path, files: Mapping[str, bytes], *options: str) -> tuple[int, dict[str, Any], str]:
    """The exit code, the answer and what was refused."""
    path = folder / "bundle.zip"
    path.write_bytes(zipped(files))
    told, refused, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command("verify", path, "--json", *options, stdout=told, stderr=refused)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, json.loads(told.getvalue() or "{}"), refused.getvalue()


def changed(report: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    read = json.loads(report)
    change(read)
    return json.dumps(read).encode()


def test_untouched_bundle_is_identical(tmp_path: Path, files: Files) -> None:
    sha256 = json.loads(files["report.json"])["release"]["sha256"]
    code, answer, _ = verified(tmp_path, files, "--expect", sha256)
    assert (code, answer["result"], answer["sha256"]) == (0, "identical", sha256)
    assert answer["differences"] == answer["notes"] == []


def test_last_digits_of_another_machine_are_told_apart(tmp_path: Path, files: Files) -> None:
    def nudge(report: dict[str, Any]) -> None:
        report["cleaning"]["uniform_clicker_passes"] = {
            rule: share * (1 + 1e-13) for rule, share in report["cleaning"]["uniform_clicker_passes"].items()
        }
        report["versions"]["numpy"] = "1.0"

    files["report.json"] = changed(files["report.json"], nudge)
    del files["SHA256SUMS"]
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["result"]) == (0, "identical to 10 digits")
    assert answer["notes"][0].startswith("It was made with numpy 1.0 (here ")


def test_changed_judgment_is_found_in_all_that_follows_from_it(tmp_path: Path, files: Files) -> None:
    files["judgments.csv"] = files["judgments.csv"].replace(b",60,target,", b",61,target,", 1)
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["result"]) == (1, "differs")
    assert answer["differences"][0] == "judgments.csv is not as it was when the bundle was made"
    assert any(one.startswith("gold.csv is not what its judgments give (line ") for one in answer["differences"])


def test_changed_byte_that_no_figure_rests_on_is_found_too(tmp_path: Path, files: Files) -> None:
    files["methods.md"] += b" "
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["differences"]) == (1, ["methods.md is not as it was when the bundle was made"])
    del files["methods.md"]
    assert verified(tmp_path, files)[1]["differences"] == ["methods.md is missing"]
    del files["SHA256SUMS"]  # as older bundles
    assert verified(tmp_path, files)[1]["result"] == "identical"


def test_changed_gold_and_figures_are_named(tmp_path: Path, files: Files) -> None:
    files["gold.csv"] = files["gold.csv"].replace(b"0", b"1", 1)

    def lie(report: dict[str, Any]) -> None:
        report["counts"]["workers_kept"] += 1

    files["report.json"] = changed(files["report.json"], lie)
    code, answer, _ = verified(tmp_path, files)
    assert code == 1
    said = " ".join(answer["differences"])
    assert "and report.json says" in said
    assert "report.json, counts.workers_kept: 3, and computed again 2" in said


def test_other_hash_than_the_papers_is_named(tmp_path: Path, files: Files) -> None:
    code, answer, _ = verified(tmp_path, files, "--expect", "0" * 64)
    assert code == 1
    assert answer["differences"] == [f"gold.csv has the SHA-256 {answer['sha256']}, and {'0' * 64} was expected"]


@pytest.mark.parametrize("name", NEEDED)
def test_missing_file_is_named(tmp_path: Path, files: Files, name: str) -> None:
    del files[name]
    code, _, refused = verified(tmp_path, files)
    assert (code, refused.strip()) == (1, f"bundle.zip: {name} is missing")


def test_command_reads_nothing_of_the_folder_that_it_is_run_in(
    tmp_path: Path, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_bytes(files["rules.toml"])
    files["README.txt"] = files["README.txt"].replace(b"--rules rules.toml", b"--rules mine.toml")
    code, _, refused = verified(tmp_path, files)
    assert (code, refused.splitlines()) == (
        1,
        [
            "README.txt is not as it was when the bundle was made",
            "README.txt: its command reads mine.toml, which is not in the bundle",
        ],
    )


def test_bundle_that_can_not_be_read_is_refused_in_words(tmp_path: Path, files: Files) -> None:
    code, _, refused = verified(tmp_path, {**files, "../outside": b""})
    assert (code, refused.strip()) == (1, "bundle.zip: ../outside would lie outside of its folder")
    code, _, refused = verified(tmp_path, {**files, "report.json": b"[]"})
    assert (code, refused.strip()) == (1, "report.json: it is not the report of a release")
    del files["SHA256SUMS"]  # which would name what is changed below
    code, _, refused = verified(tmp_path, {**files, "README.txt": b"nothing"})
    assert (code, refused.strip()) == (1, "README.txt: it names no command that computes the figures")
    elsewhere = files["README.txt"].replace(b"--items items.csv", b"--items /etc/passwd")
    code, _, refused = verified(tmp_path, {**files, "README.txt": elsewhere})
    assert (code, refused.strip()) == (
        1,
        "README.txt: its command reads /etc/passwd, which is not in the bundle",
    )
    many = {f"{at}.txt": b"" for at in range(MOST_FILES + 1)}
    code, _, refused = verified(tmp_path, many)
    assert (code, refused.strip()) == (1, "bundle.zip: a bundle has at most 10,000 files and 4 GiB")
    (tmp_path / "no.zip").write_bytes(zipped(files)[:-30])
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", tmp_path / "no.zip", stdout=io.StringIO(), stderr=said)
    assert said.getvalue().startswith("no.zip: this is not a whole zip")


def test_added_file_is_named(tmp_path: Path, files: Files) -> None:
    files["extra/notes.txt"] = b"put in later"
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["differences"]) == (1, ["extra/notes.txt was not there when the bundle was made"])


def test_bundle_of_another_version_is_computed_again_and_the_version_named(tmp_path: Path, files: Files) -> None:
    def older(report: dict[str, Any]) -> None:
        report["versions"]["touchstone"] = "0.0.9"
        del report["claims"]

    files["report.json"] = changed(files["report.json"], older)
    del files["SHA256SUMS"]
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["result"]) == (0, "identical")
    assert answer["notes"][0] == "Not compared, for the bundle's report.json doesn't have it: claims."
    assert answer["notes"][1].startswith("It was made with touchstone 0.0.9 (here ")


@pytest.mark.parametrize("is_older", [True, False], ids=["new warning", "other words"])
def test_warnings_that_differ_are_named_apart_from_the_figures(tmp_path: Path, files: Files, *, is_older: bool) -> None:
    now = json.loads(files["report.json"])["warnings"]
    assert now, "the study is warned of something"
    before = [] if is_older else [{"code": one["code"], "text": f"Before: {one['text']}"} for one in now]
    files["report.json"] = changed(files["report.json"], lambda report: report.update(warnings=before))
    del files["SHA256SUMS"]

    code, answer, _ = verified(tmp_path, files)

    assert (code, answer["result"], answer["differences"]) == (0, "identical", [])
    assert answer["notes"] == [
        "Its warnings are not those of this version; they are sentences, and no figure rests on them.",
        *(f"  Warned of now: {one['text']}" for one in now),
        *(f"  Not warned of any more: {one['text']}" for one in before),
    ]


def test_another_seed_is_named(tmp_path: Path, files: Files) -> None:
    assert b"--seed 1 " in files["README.txt"]
    files["README.txt"] = files["README.txt"].replace(b"--seed 1 ", b"--seed 2 ")
    code, answer, _ = verified(tmp_path, files)
    assert code == 1
    assert answer["differences"][0] == "README.txt is not as it was when the bundle was made"
    assert "report.json, seed: 1, and computed again 2" in answer["differences"]


def test_changed_byte_that_makes_the_judgments_unreadable_is_named_before_what_it_does(
    tmp_path: Path, files: Files
) -> None:
    files["judgments.csv"] = files["judgments.csv"].replace(b",60,target,", b",6x,target,", 1)
    code, _, refused = verified(tmp_path, files)
    first, second, third = refused.splitlines()[:3]
    assert code == 1
    assert first == "judgments.csv is not as it was when the bundle was made"
    assert second == "The figures can't be computed again:"
    assert "'6x' is not a number" in third


def test_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path, files: Files) -> None:
    with zipfile.ZipFile(tmp_path / "bundle.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        with archive.open("zeros.csv", "w") as member:
            for _ in range(101):
                member.write(bytes(1 << 20))
    said = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify", tmp_path / "bundle.zip", stdout=io.StringIO(), stderr=said)
    assert ended.value.code == 1
    assert re.fullmatch(
        r"bundle.zip: it would unpack to \d+ times its size, and no bundle does \(200\)\n", said.getvalue()
    )


def test_size_that_a_zip_lies_about_is_not_unpacked(tmp_path: Path, files: Files) -> None:
    size = len(files["methods.md"])
    lying = zipped(files).replace(size.to_bytes(4, "little"), (1).to_bytes(4, "little"))
    (tmp_path / "bundle.zip").write_bytes(lying)
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", tmp_path / "bundle.zip", stdout=io.StringIO(), stderr=said)
    assert said.getvalue().startswith("bundle.zip: this is not a whole zip: ")
