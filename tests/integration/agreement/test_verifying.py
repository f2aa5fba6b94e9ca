"""`manage.py verify`: a bundle's files follow from its judgments, or what doesn't is named."""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.analysis.output_folder import json_bytes
from agreement.cli.verifying import NEEDED
from agreement.files.unzipping import MOST_FILES
from agreement.report.earlier_reports import changed_definitions
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.drawing_reports import draw_here
from annotation.releases.actions.scoring_probes import add_probe
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_files import zip_of_files
from annotation.releases.from_database.study_history import released_gold
from tests.integration.researchers import a_released_study

pytestmark = pytest.mark.django_db
Files = dict[str, bytes]


@pytest.fixture
def files() -> Files:
    _study, release, _client = a_released_study()
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def drawn_files() -> Files:
    """With the report page, figures and tables."""
    _study, release, _client = a_released_study()
    draw_here(release)
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def verified(folder: Path, files: Mapping[str, bytes], *options: str) -> tuple[int, dict[str, Any], str]:
    """The exit code, the answer and what was refused."""
    path = folder / "bundle.zip"
    path.write_bytes(zip_of_files(files))
    told, refused, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command("verify", path, "--json", *options, stdout=told, stderr=refused)
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, json.loads(told.getvalue() or "{}"), refused.getvalue()


def changed(report: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    read = json.loads(report)
    change(read)
    return json_bytes(read)


def of_an_earlier_version(files: Files) -> Files:
    """As bundles were that said neither what made them nor what is in them."""
    return {name: content for name, content in files.items() if name not in {"SHA256SUMS", "bundle.json"}}


def with_new_sums(files: Files) -> Files:
    """As whoever changes a file and hides it leaves the checksums."""
    left = {name: content for name, content in files.items() if name != "SHA256SUMS"}
    lines = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in left.items())
    return {**left, "SHA256SUMS": "".join(lines).encode()}


def test_untouched_bundle_is_identical(tmp_path: Path, files: Files) -> None:
    sha256 = json.loads(files["report.json"])["release"]["sha256"]
    code, answer, _ = verified(tmp_path, files, "--expect", sha256)
    assert (code, answer["result"], answer["sha256"]) == (0, "identical", sha256)
    assert answer["differences"] == answer["notes"] == []
    assert answer["not_compared"] == ["README.txt", "bundle.json", "rules.toml"]


def test_bundle_with_its_report_is_made_again_to_the_byte(tmp_path: Path, drawn_files: Files) -> None:
    assert {"report.html", "tables/agreement.csv", "croissant.json"} <= set(drawn_files)
    code, answer, _ = verified(tmp_path, drawn_files)
    assert (code, answer["differences"], answer["notes"], answer["result"]) == (0, [], [], "identical")
    assert answer["not_compared"] == ["README.txt", "bundle.json", "rules.toml"]


# What a command reads and what is computed again from it; all others are there for people.
COMPUTED = ("gold.csv", "judgments.csv", "workers.csv", "report.json", "items.csv", "rules.toml", "README.txt")


@pytest.mark.parametrize("hide", [with_new_sums, lambda files: {**files, "SHA256SUMS": b""}], ids=["new", "dropped"])
def test_figure_that_is_forged_everywhere_else_is_found_in_every_file(
    tmp_path: Path, drawn_files: Files, hide: Callable[[Files], Files]
) -> None:
    """Without the files that verify once left alone: the page, the tables, the methods and the data cards."""
    figure, forged = b"2 workers", b"7 workers"
    lied = [name for name, content in drawn_files.items() if figure in content and name not in COMPUTED]
    assert {"report.html", "methods.md", "methods.tex", "README.md", "croissant.json"} <= set(lied)
    lied += [name for name in drawn_files if name.endswith((".csv", ".svg", ".png")) and "/" in name]
    for name in lied:
        replaced = drawn_files[name].replace(figure, forged)
        drawn_files[name] = replaced if replaced != drawn_files[name] else drawn_files[name] + b" "
    files = {name: content for name, content in hide(drawn_files).items() if content}

    code, answer, _ = verified(tmp_path, files)

    assert (code, answer["result"]) == (1, "differs")
    assert answer["differences"] == [
        f"{name} is not what the bundle's judgments and report.json give"
        for name in sorted(lied, key=[one.split(" is not")[0] for one in answer["differences"]].index)
    ]


def test_file_put_in_or_left_out_with_new_sums_is_named(tmp_path: Path, drawn_files: Files) -> None:
    del drawn_files["tables/agreement.md"]
    drawn_files["tables.csv"] = drawn_files["groups.csv"] = b"put in later"
    code, answer, _ = verified(tmp_path, with_new_sums(drawn_files))
    assert (code, answer["differences"]) == (
        1,
        [
            "tables/agreement.md is missing",
            "groups.csv is no file that a bundle of this version has",
            "tables.csv is no file that a bundle of this version has",
        ],
    )


def test_report_that_says_a_figure_twice_is_named(tmp_path: Path, files: Files) -> None:
    """Whoever reads the file sees the first, a program the last."""
    files["report.json"] = files["report.json"].replace(
        b'"workers_kept": 2', b'"workers_kept": 7, "workers_kept": 2', 1
    )
    code, answer, _ = verified(tmp_path, with_new_sums(files))
    assert (code, answer["differences"][0]) == (1, "report.json is not written as reports are")


@pytest.mark.parametrize("part", ["touchstone", "code", "lock", "python", "platform", "processor"])
def test_bundle_of_another_version_or_machine_is_never_called_identical(
    tmp_path: Path, files: Files, part: str
) -> None:
    record = json.loads(files["bundle.json"])
    record["made_with"][part] = "another"
    files["bundle.json"] = json_bytes(record)
    files["methods.md"] += b" "

    code, answer, _ = verified(tmp_path, with_new_sums(files))

    assert (code, answer["result"]) == (0, "agrees to 10 digits")
    assert answer["notes"] == [
        f"It was made with another {part}: only judgments, cleaning, gold and figures were computed again."
    ]
    assert set(answer["not_compared"]) == set(files) - {
        "gold.csv",
        "judgments.csv",
        "workers.csv",
        "report.json",
        "SHA256SUMS",
    }


def test_drawings_of_an_earlier_version_are_not_compared_and_said_so(tmp_path: Path, drawn_files: Files) -> None:
    record = json.loads(drawn_files["bundle.json"])
    record["drawn_with"]["lock"] = "another"
    drawn_files["bundle.json"] = json_bytes(record)
    code, answer, _ = verified(tmp_path, with_new_sums(drawn_files))
    assert (code, answer["result"]) == (0, "agrees to 10 digits")
    assert answer["notes"] == ["Its report page, figures and tables were drawn with another lock."]
    assert "report.html" in answer["not_compared"]
    assert "methods.md" not in answer["not_compared"]


def test_missing_sums_are_noted(tmp_path: Path, files: Files) -> None:
    del files["SHA256SUMS"]
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["sums_sha256"]) == (0, "")
    assert answer["notes"] == ["SHA256SUMS is missing: nothing says whether files were changed, added or left out."]


def test_hash_of_the_whole_is_printed_and_expected(tmp_path: Path, files: Files) -> None:
    whole = hashlib.sha256(files["SHA256SUMS"]).hexdigest()
    code, answer, _ = verified(tmp_path, files, "--expect", whole.upper())
    assert (code, answer["sums_sha256"], answer["differences"]) == (0, whole, [])
    del files["SHA256SUMS"]
    code, answer, _ = verified(tmp_path, files, "--expect", whole)
    assert (code, answer["result"]) == (1, "differs")


def test_last_digits_of_another_machine_are_told_apart(tmp_path: Path, files: Files) -> None:
    def nudge(report: dict[str, Any]) -> None:
        report["cleaning"]["uniform_clicker_passes"] = {
            rule: share * (1 + 1e-13) for rule, share in report["cleaning"]["uniform_clicker_passes"].items()
        }
        report["versions"]["numpy"] = "1.0"

    files["report.json"] = changed(files["report.json"], nudge)
    code, answer, _ = verified(tmp_path, of_an_earlier_version(files))
    assert (code, answer["result"]) == (0, "agrees to 10 digits")
    assert answer["notes"][-1].startswith("It was made with numpy 1.0 (here ")


def test_last_digits_of_tables_are_told_apart_too(tmp_path: Path, files: Files) -> None:
    files["judgments.csv"] = files["judgments.csv"].replace(b",60,target,", b",60.00000000000001,target,", 1)
    files["workers.csv"] = files["workers.csv"].replace(b",1,,", b",1.00000000000001,,", 1)
    answer = verified(tmp_path, of_an_earlier_version(files))[1]
    assert not [one for one in answer["differences"] if one.startswith(("judgments.csv", "workers.csv"))]


def test_definitions_that_changed_since_are_listed(tmp_path: Path, files: Files) -> None:
    files["report.json"] = changed(files["report.json"], lambda report: report.update(version=1))
    _, answer, _ = verified(tmp_path, of_an_earlier_version(files))
    assert [one for one in answer["notes"] if one.startswith("Defined otherwise since: ")] == [
        f"Defined otherwise since: {one}." for one in changed_definitions(1)
    ]


def test_bundle_from_before_plain_errors_verifies_as_then(tmp_path: Path) -> None:
    """Of version 3, whose `rmse` was the error after a fitted line."""
    study, release, _client = a_released_study()
    for name, factor in (("near", 1), ("far", 3)):
        outputs = tmp_path / f"{name}.csv"
        rows = (f"{item_id},{factor * at % 7}" for at, item_id in enumerate(sorted(released_gold(release).ids)))
        outputs.write_text("\n".join(["item_id,score", *rows]))
        add_probe(study=study, name=name, file=outputs)
    release = clean_and_release(study=study, replicates=100, by=study.owner)
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}

    def as_stored_then(report: dict[str, Any]) -> None:
        report["version"] = 3
        for part in ("scores", "comparisons"):
            report[part] = [row for row in report[part] if row["metric"] not in {"rmse", "mae"}]
            for row in report[part]:
                row["metric"] = row["metric"].replace("rmse_calibrated", "rmse")
        for row in report["scores"]:
            for figure in (row, row.get("gold_as_released", {})):
                figure.update(json.loads(json.dumps(figure).replace("rmse_calibrated", "rmse")))

    files["report.json"] = changed(files["report.json"], as_stored_then)
    assert b"rmse_calibrated" not in files["report.json"]
    code, answer, _ = verified(tmp_path, of_an_earlier_version(files))
    assert (code, answer["differences"], answer["result"]) == (0, [], "agrees to 10 digits")
    assert "Not compared, for it came in a later version: rmse, mae." in answer["notes"]
    assert [one for one in answer["notes"] if one.startswith("Defined otherwise since: ")] == [
        f"Defined otherwise since: {one}." for one in changed_definitions(3)
    ]

    def lie(report: dict[str, Any]) -> None:
        [row] = [row for row in report["scores"] if (row["metric"], row["probe"]) == ("rmse", "near")]
        row["estimate"] /= 2

    files["report.json"] = changed(files["report.json"], lie)
    assert verified(tmp_path, of_an_earlier_version(files))[1]["result"] == "differs"


def test_changed_judgment_is_found_in_all_that_follows_from_it(tmp_path: Path, files: Files) -> None:
    files["judgments.csv"] = files["judgments.csv"].replace(b",60,target,", b",61,target,", 1)
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["result"]) == (1, "differs")
    assert answer["differences"][0] == "judgments.csv is not as it was when the bundle was made"
    assert any(one.startswith("gold.csv is not what its judgments give (line ") for one in answer["differences"])


def test_changed_byte_that_no_figure_rests_on_is_found_too(tmp_path: Path, files: Files) -> None:
    files["methods.md"] += b" "
    code, answer, _ = verified(tmp_path, files)
    assert code == 1
    assert answer["differences"][0] == "methods.md is not as it was when the bundle was made"
    del files["methods.md"]
    assert verified(tmp_path, files)[1]["differences"] == ["methods.md is missing"]
    assert verified(tmp_path, of_an_earlier_version(files))[1]["result"] == "agrees to 10 digits"


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
    hashes = f"gold.csv has the SHA-256 {answer['sha256']}, SHA256SUMS {answer['sums_sha256']}"
    assert answer["differences"] == [f"{hashes}, and {'0' * 64} was expected"]


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


SPIES = [
    "--save-mapping=pandas.py", "--save-map pandas.py", "--people=people.csv", "--people items.csv", "--mapping=/etc/x",
    "--workers=workers.csv", "--card=rules.toml", "--out2 x", "--json", "-h", "--only-kept", "--no-report", "--wide",
]  # fmt: skip


@pytest.mark.parametrize("option", SPIES)
def test_command_has_no_option_but_those_of_bundles(
    tmp_path: Path, files: Files, option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it would read or write: a file here, one of the machine's, one of the bundle's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("Participant id\n")
    before = sorted(path.name for path in tmp_path.iterdir())
    readme = files["README.txt"].replace(b"--seed 1 ", f"--seed 1 {option} ".encode())
    code, _, refused = verified(tmp_path, with_new_sums({**files, "README.txt": readme}))
    word = option.split(maxsplit=1)[0]
    assert (code, refused.strip()) == (1, f"README.txt: its command has {word}, which no bundle's has")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "bundle.zip"])


@pytest.mark.parametrize("name", ["../items.csv", "/etc/passwd", "probes/../../items.csv"])
def test_command_reads_nothing_outside_of_the_bundle(tmp_path: Path, files: Files, name: str) -> None:
    for option in (f"--items {name}", f"--items={name}", f"--probe {name}", f"--rules={name}"):
        flag = option.replace("=", " ").split()[0]
        end = f" {flag} ".encode()
        command = files["README.txt"]
        if end in command:
            command = re.sub(end + rb"\S+", f" {option}".encode(), command)
        else:
            command = command.replace(b"--seed 1 ", f"{option} --seed 1 ".encode())
        code, _, refused = verified(tmp_path, with_new_sums({**files, "README.txt": command}))
        assert (code, refused.strip()) == (1, f"README.txt: its command reads {name}, which is not in the bundle")


def test_checksums_tell_nothing_of_files_outside_of_the_bundle(tmp_path: Path, files: Files) -> None:
    (tmp_path / "secret").write_text("x")
    digest = hashlib.sha256(b"x").hexdigest()
    files["SHA256SUMS"] += f"{digest}  {tmp_path}/secret\n".encode()
    code, answer, _ = verified(tmp_path, files)
    assert (code, answer["differences"]) == (1, [f"{tmp_path}/secret is missing"])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"--seed 1 ", b"--seed '1 ", "its command can't be read (No closing quotation)"),
        (b"--seed 1 ", b"--seed one ", "its command can't be read"),
        (b"python manage.py", b"sh -c x manage.py", "its command doesn't begin with python manage.py analyse_file"),
        (b"--replicates 100", b"--replicates 999999999", "its command asks for 999,999,999 replicates"),
    ],
)
def test_command_that_is_none_is_refused_in_words(
    tmp_path: Path, files: Files, old: bytes, new: bytes, why: str
) -> None:
    assert old in files["README.txt"]
    readme = files["README.txt"].replace(old, new)
    code, _, refused = verified(tmp_path, with_new_sums({**files, "README.txt": readme}))
    assert code == 1
    assert refused.startswith(f"README.txt: {why}")


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
    (tmp_path / "no.zip").write_bytes(zip_of_files(files)[:-30])
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", tmp_path / "no.zip", stdout=io.StringIO(), stderr=said)
    assert said.getvalue().startswith("no.zip: this is not a whole zip")


def test_added_file_is_named(tmp_path: Path, files: Files) -> None:
    files["extra/notes.txt"] = b"put in later"
    code, answer, _ = verified(tmp_path, files)
    assert code == 1
    assert answer["differences"][0] == "extra/notes.txt was not there when the bundle was made"


def test_bundle_of_another_version_is_computed_again_and_the_version_named(tmp_path: Path, files: Files) -> None:
    def older(report: dict[str, Any]) -> None:
        report["versions"]["touchstone"] = "0.0.9"
        del report["claims"]

    files["report.json"] = changed(files["report.json"], older)
    code, answer, _ = verified(tmp_path, of_an_earlier_version(files))
    assert (code, answer["result"]) == (0, "agrees to 10 digits")
    assert "Not compared, for the bundle's report.json doesn't have it: claims." in answer["notes"]
    assert answer["notes"][-1].startswith("It was made with touchstone 0.0.9 (here ")


@pytest.mark.parametrize("is_older", [True, False], ids=["new warning", "other words"])
def test_warnings_that_differ_are_named_apart_from_the_figures(tmp_path: Path, files: Files, *, is_older: bool) -> None:
    now = json.loads(files["report.json"])["warnings"]
    assert now, "the study is warned of something"
    before = [] if is_older else [{"code": one["code"], "text": f"Before: {one['text']}"} for one in now]
    files["report.json"] = changed(files["report.json"], lambda report: report.update(warnings=before))

    code, answer, _ = verified(tmp_path, of_an_earlier_version(files))

    assert (code, answer["result"], answer["differences"]) == (0, "agrees to 10 digits", [])
    assert answer["notes"][1:-1] == [
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
    lying = zip_of_files(files).replace(size.to_bytes(4, "little"), (1).to_bytes(4, "little"))
    (tmp_path / "bundle.zip").write_bytes(lying)
    said = io.StringIO()
    with pytest.raises(SystemExit):
        call_command("verify", tmp_path / "bundle.zip", stdout=io.StringIO(), stderr=said)
    assert said.getvalue().startswith("bundle.zip: this is not a whole zip: ")
