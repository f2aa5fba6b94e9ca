"""What goes out: the promised columns, the same bytes each time, and a bundle that can be made again from itself."""

import csv
import hashlib
import io
import json
import re
import shlex
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from agreement.cli.verifying import verify
from agreement.errors import Refused
from annotation.entry.entering import enter
from annotation.models import Assignment, AuditEntry, Blob, Payment, Study, Worker
from annotation.people.leaving import withdraw
from annotation.people.paying import mark_paid
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.drawing_reports import draw_here
from annotation.releases.actions.mapping_answers import decide_answers
from annotation.releases.actions.releasing import published_names
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.actions.scoring_probes import add_probe, score_here
from annotation.releases.exports.bundle_zip import bundle, published_bundle
from annotation.releases.exports.export_choice import release_numbered, stream
from annotation.releases.exports.export_files import write_to
from annotation.releases.exports.judgment_stream import Form, judgments
from annotation.releases.exports.release_tables import gold, workers
from annotation.releases.models import GoldRelease, Scoring
from annotation.simulating.crowds import simulate
from tests.factories import a_small_study, a_study
from tests.integration.agreement.bundles import run_again
from tests.integration.agreement.crowds import a_slider_crowd, a_study_of, answers, came

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def release() -> GoldRelease:
    return clean_and_release(study=a_slider_crowd(), replicates=50)


def rows(pieces: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(pieces).decode())))


def unzipped(release: GoldRelease, folder: Path) -> Path:
    zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))).extractall(folder)
    return folder


def test_judgments_have_the_promised_columns_and_say_who_was_removed(release: GoldRelease) -> None:
    found = rows(judgments([release]))
    promised = ["worker_id", "item_id", "value", "kind", "check", "response_ms", "submitted_at", "assignment_id"]
    assert list(found[0]) == [*promised, "kept", "reason"]
    assert len(found) == 20
    eve = [row for row in found if row["worker_id"] == "eve"]
    assert {row["kept"] for row in eve} == {"0"}
    assert eve[0]["reason"].startswith('failed check "unrelated"')


def test_only_kept_is_the_cleaned_set(release: GoldRelease) -> None:
    assert {row["worker_id"] for row in rows(judgments([release], only_kept=True))} == {"ann", "ben"}


def test_workers_have_the_promised_columns(release: GoldRelease) -> None:
    found = rows(workers(release))
    assert list(found[0])[:9] == [
        "worker_id", "judgments", "checks", "checks_failed", "kept", "reason", "evidence", "median_response_ms",
        "agreement_with_others",
    ]  # fmt: skip
    assert [(row["worker_id"], row["kept"], row["checks_failed"]) for row in found] == [
        ("ann", "1", "0"), ("ben", "1", "0"), ("eve", "0", "2"), ("zoe", "0", "1"),
    ]  # fmt: skip


def test_before_any_release_the_study_as_it_stands_can_be_had() -> None:
    study = a_slider_crowd()
    exclude(participation=study.participations.get(pseudonym="ann"), reason="a colleague", by=None)
    found = rows(stream(study, "judgments", release=None))
    assert {row["worker_id"]: row["reason"] for row in found if row["kept"] == "0"} == {
        "ann": "excluded by hand: a colleague"
    }
    with pytest.raises(Refused, match="no gold release yet"):
        stream(study, "gold", release=None)


def test_bundle_has_the_same_bytes_each_time(release: GoldRelease) -> None:
    assert b"".join(bundle(release)) == b"".join(bundle(release))


def test_nothing_that_goes_out_has_exact_times_or_what_links_sign(release: GoldRelease) -> None:
    study = release.study
    uuids = [*study.participations.values_list("uuid", flat=True)]
    uuids += Assignment.objects.filter(participation__study=study).values_list("uuid", flat=True)
    archive = zipfile.ZipFile(io.BytesIO(b"".join(bundle(release, with_participants=True))))
    out = {name: archive.read(name) for name in archive.namelist()}
    out |= {what: b"".join(stream(study, what, release=release)) for what in ("judgments", "workers")}
    out["before any release"] = b"".join(stream(study, "judgments", release=None))
    out["json lines"] = b"".join(judgments([release], form=Form(as_json_lines=True)))
    for name, content in out.items():
        assert not re.search(rb"\d\d:\d\d:\d\d|\d\d:\d\d\.\d", content), name
        for uuid in uuids:
            assert str(uuid).encode() not in content, name
            assert uuid.hex.encode() not in content, name


def test_order_of_answers_within_a_minute_survives_the_bundle(tmp_path: Path) -> None:
    """The rule counts answers in a row: of the coarse times it must not make another order."""
    items = [{"item_id": f"i{n}"} for n in range(6)]
    study = a_study_of("choice", items, ["red", "blue"], judgments_per_item=10)
    order = ["i5", "i0", "i4", "i1", "i3", "i2"]
    for who, given in {"w1": "rrrbbr", "w2": "rbrbrb", "w3": "brbbrr"}.items():
        labels = {"r": "red", "b": "blue"}
        answers(came(study, who), "label", {item: labels[one] for item, one in zip(order, given, strict=True)})
    rules = tmp_path / "rules.toml"
    rules.write_text('name = "runs"\n[[rule]]\nkind = "straight-lining"\nlongest_run = 2\n')
    release = clean_and_release(study=study, rules=str(rules), replicates=50)
    excluded = {row["worker_id"] for row in rows(workers(release)) if row["kept"] == "0"}
    assert excluded == {"w1"}
    assert_made_again(release, unzipped(release, tmp_path / "bundle"), tmp_path / "again")


def test_bundle_holds_what_was_published(release: GoldRelease, tmp_path: Path) -> None:
    folder = unzipped(release, tmp_path)
    assert (folder / "gold.csv").read_bytes() == b"".join(gold(release))
    assert json.loads((folder / "report.json").read_bytes()) == release.report
    assert list(json.loads((folder / "report.json").read_bytes()))[:2] == ["study", "kind"]
    assert (folder / "methods-details.md").read_text() == release.methods


@pytest.mark.parametrize("kind", ["slider", "sliders", "choice", "choices", "verify", "list", "text"])
def test_bundle_makes_every_figure_again(kind: str, tmp_path: Path) -> None:
    study = a_crowd_of(kind)
    exclude(participation=study.participations.get(pseudonym="w9"), reason="=asked us to", by=None)
    release = clean_and_release(study=study, rules=no_rules(tmp_path), replicates=50)
    folder = unzipped(release, tmp_path / "bundle")
    assert_made_again(release, folder, tmp_path / "again")


@pytest.mark.parametrize("kind", ["slider", "sliders", "choice", "choices", "verify", "list", "text", "ranking"])
def test_bundle_of_every_kind_is_verified_to_the_byte(kind: str, tmp_path: Path) -> None:
    """With its report, models and a worker excluded by hand; the published bundle too."""
    study = a_crowd_of(kind)
    exclude(participation=study.participations.get(pseudonym="w9"), reason="=asked us to", by=None)
    if kind == "slider":
        path = tmp_path / "probe.csv"
        path.write_text("item_id,score\n" + "".join(f"i{n},{n * n + n % 2}\n" for n in range(6)))
        add_probe(study=study, name="BERT base", file=path)
    release = clean_and_release(study=study, rules=no_rules(tmp_path), replicates=50)
    draw_here(release)
    names = published_names(release=release)
    for made in (bundle(release, with_participants=True), published_bundle(release, names=names)):
        path = tmp_path / "bundle.zip"
        path.write_bytes(b"".join(made))
        verified = verify(path)
        assert (verified.differences, verified.notes, verified.words) == ([], [], "identical")
        assert "report.html" not in verified.not_compared


def assert_made_again(release: GoldRelease, folder: Path, again: Path) -> None:
    command = next(line for line in (folder / "README.txt").read_text().splitlines() if "analyse_file" in line)
    given = {"judgments.csv", "items.csv", "rules.toml", "by_hand.csv"}
    words = [
        str(folder / word) if word in given or word.startswith("probes/") else word
        for word in shlex.split(command)[3:-2]
    ]
    call_command("analyse_file", *words, "--out", str(again), "--no-report", stdout=io.StringIO())
    for name in ("gold.csv", "judgments.csv", "workers.csv"):
        assert (again / name).read_bytes() == (folder / name).read_bytes(), name
    report = json.loads((again / "report.json").read_bytes())
    of_the_road = {"study", "inputs", "unverified", "collection"}  # what only a database knows
    assert report["collection"].items() <= release.report["collection"].items()
    assert {key: value for key, value in report.items() if key not in of_the_road} == {
        key: value for key, value in release.report.items() if key not in of_the_road
    }


def test_bundle_makes_the_scores_of_models_again(tmp_path: Path) -> None:
    study = a_crowd_of("slider")
    for name, factor in (("BERT base", 1.0), ("CLIP (large)", -2.0)):
        path = tmp_path / "probe.csv"
        path.write_text("item_id,score\n" + "".join(f"i{n},{factor * n * n + n % 2}\n" for n in range(6)))
        add_probe(study=study, name=name, file=path)
    release = clean_and_release(study=study, rules=no_rules(tmp_path), replicates=50)
    assert {score["probe"] for score in release.report["scores"]} == {"BERT base", "CLIP (large)"}
    folder = unzipped(release, tmp_path / "bundle")
    assert sorted(path.name for path in (folder / "probes").iterdir()) == ["BERT base.csv", "CLIP (large).csv"]
    assert_made_again(release, folder, tmp_path / "again")


def no_rules(folder: Path) -> str:
    path = folder / "none.toml"
    path.write_text('name = "none"\n')
    return str(path)


def a_crowd_of(kind: str) -> Study:
    """Ten workers on six items, in each kind of answer, with ties, formulas and bars in it."""
    labels = {"verify": ["true", "false"], "text": [], "list": [], "slider": []}.get(kind, ["red", "=blue", "a green"])
    items = [{"item_id": f"i{n}", "fields": {"left": f"l{n}", "right": "=r"}} for n in range(6)]
    study = a_study_of(kind, items, labels, judgments_per_item=10)
    field = {
        "slider": "number",
        "sliders": "numbers",
        "choices": "labels",
        "list": "properties",
        "text": "text",
        "ranking": "labels",
    }
    for worker in range(10):
        given = {f"i{n}": an_answer(kind, labels, worker, n) for n in range(6)}
        answers(came(study, f"w{worker}"), field.get(kind, "label"), given)
    return study


def an_answer(kind: str, labels: list[str], worker: int, item: int) -> Any:
    seed = (worker * worker + 3 * item) % 7
    if kind == "slider":
        return (17.5 * item + seed) % 101
    if kind == "sliders":
        return {label: float((seed + at * item) % 50) for at, label in enumerate(labels)}
    if kind in {"choices", "ranking"}:
        first = 1 + (seed + item) % 3
        return labels[:first] if kind == "choices" else labels[first:] + labels[:first]
    if kind == "list":
        return ["is green", "has | bars", f"-{item}"][: 1 + seed % 3]
    if kind == "text":
        return f'+{seed} cats, "{item}"'
    return labels[(item + (seed > 4)) % len(labels)]


def test_bundle_after_a_withdrawal_says_so(release: GoldRelease, tmp_path: Path) -> None:
    withdraw(participation=release.study.participations.get(pseudonym="ben"))
    folder = unzipped(release, tmp_path)
    assert "Erratum to release 1" in (folder / "README.txt").read_text()
    assert "ben" not in {row["worker_id"] for row in rows([(folder / "judgments.csv").read_bytes()])}
    assert (folder / "gold.csv").read_bytes() == b"".join(gold(release))


def test_export_takes_the_same_queries_whatever_the_size(release: GoldRelease, django_assert_num_queries: Any) -> None:
    for number in range(10):
        answers(came(release.study, f"more-{number}"), "number", {"i1": 5.0, "u1": 0.0, "s1": 99.0})
    clean_and_release(study=release.study, replicates=50)
    for number in (1, 2):
        with django_assert_num_queries({"sqlite": 17, "postgresql": 15}[connection.vendor]):
            found = release_numbered(release.study, number)
            b"".join(stream(release.study, "bundle", release=found))


def test_write_to_leaves_nothing_half_written(tmp_path: Path) -> None:
    def breaks() -> Any:
        yield b"half"
        raise ZeroDivisionError

    path = tmp_path / "gold.csv"
    path.write_bytes(b"the old one")
    with pytest.raises(ZeroDivisionError):
        write_to(path, breaks())
    assert [entry.name for entry in tmp_path.iterdir()] == ["gold.csv"]
    assert path.read_bytes() == b"the old one"
    assert write_to(path, [b"new", b"er"]) == 5
    with pytest.raises(Refused, match="can't be written"):
        write_to(tmp_path / "nowhere" / "gold.csv", [b""])


def test_commands_analyse_and_export(tmp_path: Path) -> None:
    study = a_slider_crowd()
    out = io.StringIO()
    call_command("analyse", study.slug, "--replicates", "50", stdout=out)
    said = out.getvalue()
    assert "gold release 1" in said
    assert "2 of 4 workers and 6 of 12 judgments of 3 items are kept under spatial-2019" in said
    assert "  eve: u1 61 (at most 60); s1 50 (at least 90)\n  zoe: u1 100 (at most 60)\n" in said
    out = io.StringIO()
    call_command("analyse", study.slug, "--replicates", "50", "--seed", "5", "--json", stdout=out)
    report = json.loads(out.getvalue())
    assert (report["seed"], report["release"]["number"]) == (5, 2)
    out = io.StringIO()
    path = tmp_path / "gold.csv"
    call_command("export", study.slug, "gold", "--out", str(path), "--release", "1", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert (told["release"], told["bytes"]) == (1, len(path.read_bytes()))
    entry = AuditEntry.objects.get(action="exported")
    assert entry.detail == {"what": "gold", "release": 1, "only_kept": False, "with_platform_ids": False}


def test_json_lines_say_the_same_as_the_csv(release: GoldRelease, tmp_path: Path) -> None:
    for what in ("gold", "judgments", "workers"):
        lines = b"".join(stream(release.study, what, release=release, form=Form(as_json_lines=True)))
        found = [json.loads(line) for line in lines.decode().splitlines()]
        assert found == rows(stream(release.study, what, release=release)), what
    path = tmp_path / "kept.jsonl"
    call_command("export", release.study.slug, "judgments", "--only-kept", "--out", str(path), stdout=io.StringIO())
    assert len(path.read_text().splitlines()) == 10


def test_platform_ids_are_given_only_when_asked_for_and_never_in_a_bundle(release: GoldRelease) -> None:
    people = dict(release.study.participations.values_list("pseudonym", "worker__platform_id"))
    Worker.objects.filter(platform_id=people["ann"]).update(platform_id=None)
    form = Form(with_platform_ids=True)
    told = {row["worker_id"] for row in rows(workers(release, form=form))}
    assert told == {"ann", people["ben"], people["eve"], people["zoe"]}
    assert {row["worker_id"] for row in rows(judgments([release], form=form))} == told
    assert b"".join(stream(release.study, "bundle", release=release, form=form)) == b"".join(bundle(release))
    assert {row["worker_id"] for row in rows(workers(release))} == set(people)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["export", "no-such", "gold", "--out", "x"], "There is no study 'no-such'"),
        (["export", "{slug}", "gold", "--out", "x"], "no gold release yet"),
        (["export", "{slug}", "gold", "--out", "x", "--release", "4"], "has no release 4. There are: none yet."),
        (["analyse", "{slug}", "--rules", "no-such"], "no such rule set"),
    ],
)
def test_refusals_exit_with_1_and_a_sentence(arguments: list[str], said: str, capsys: Any) -> None:
    slug = a_slider_crowd().slug
    with pytest.raises(SystemExit) as ended:
        call_command(*[argument.format(slug=slug) for argument in arguments])
    assert ended.value.code == 1
    assert said in capsys.readouterr().err


def test_payments_go_out_under_pseudonyms_unless_the_platforms_ids_are_asked_for(tmp_path: Path) -> None:
    study = a_small_study(items=1, pay=2, currency="GBP")
    people = [enter(study=study, platform="direct", platform_id=f"PID-{n}", session_id=f"SES-{n}") for n in range(2)]
    mark_paid(payments=Payment.objects.filter(participation=people[0]), by=None)

    def written(name: str, *more: str) -> str:
        call_command("export", study.slug, "payments", "--out", str(tmp_path / name), *more, stdout=io.StringIO())
        return (tmp_path / name).read_text()

    without = written("payments.csv")
    assert without.splitlines()[0] == "pseudonym,status,amount,currency,reason,settled_at"
    assert "PID" not in without
    assert "SES" not in without
    found = list(csv.DictReader(io.StringIO(written("with.csv", "--platform-ids"))))
    assert list(found[0])[:4] == ["pseudonym", "platform_id", "session_id", "status"]
    assert {(row["platform_id"], row["session_id"], row["status"]) for row in found} == {
        ("PID-0", "", "paid"), ("PID-1", "SES-1", "due"),
    }  # fmt: skip
    lines = [json.loads(line) for line in written("payments.jsonl").splitlines()]
    assert {line["pseudonym"] for line in lines} == {person.pseudonym for person in people}
    entries = study.audit_entries.filter(action=AuditEntry.Action.EXPORTED).order_by("pk")
    assert [(entry.detail["what"], entry.detail["with_platform_ids"]) for entry in entries] == [
        ("payments", False), ("payments", True), ("payments", False),
    ]  # fmt: skip


def test_payments_of_a_release_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = a_small_study(items=1)
    with pytest.raises(SystemExit):
        call_command("export", study.slug, "payments", "--out", str(tmp_path / "payments.csv"), "--release", "1")
    assert "belong to the study, not to a release" in capsys.readouterr().err
    assert not (tmp_path / "payments.csv").exists()


def a_crowd_of_pairs() -> GoldRelease:
    study = a_study()
    simulate(study=study, workers=30, careless=0, seed=3)
    return clean_and_release(study=study, replicates=20)


def test_the_matrix_of_similarities_is_an_export_of_pairs_and_the_same_in_the_bundle(tmp_path: Path) -> None:
    release = a_crowd_of_pairs()
    there, again = run_again(release, tmp_path)

    matrix = b"".join(stream(release.study, "similarity-matrix", release=release))

    assert (there / "similarity-matrix.csv").read_bytes() == matrix
    assert (again / "similarity-matrix.csv").read_bytes() == matrix
    terms = [row["term"] for row in csv.DictReader(io.StringIO(matrix.decode()))]
    assert len(terms) == 12
    path = tmp_path / "matrix.csv"
    call_command("export", release.study.slug, "similarity-matrix", "--out", str(path), stdout=io.StringIO())
    assert path.read_bytes() == matrix


def test_what_is_no_matrix_is_refused_in_a_sentence(release: GoldRelease) -> None:
    with pytest.raises(Refused, match="has no matrix of similarities: that takes pairs of terms"):
        stream(release.study, "similarity-matrix", release=release)
    pairs = a_crowd_of_pairs()
    with pytest.raises(Refused, match=r"name a file that ends in \.csv"):
        stream(pairs.study, "similarity-matrix", release=pairs, form=Form(as_json_lines=True))


def test_bundle_has_what_models_answers_were_mapped_to_and_is_verified(tmp_path: Path) -> None:
    """By rules and by what a researcher decided before; what is decided later changes no bundle of this release."""
    study = a_crowd_of("choice")
    path = tmp_path / "chat.csv"
    texts = ["Red.", "**=blue**", "It is a green.", "I can't answer.", "crimson", "Red or =blue?"]
    path.write_text("item_id,answer\n" + "".join(f'i{n},"{text}"\n' for n, text in enumerate(texts)))
    add_probe(study=study, name="chat", file=path)
    decide_answers(study=study, values={"crimson": "red"}, by=None)
    release = clean_and_release(study=study, rules=no_rules(tmp_path), replicates=50)
    decide_answers(study=study, values={"Red or =blue?": "red"}, by=None)

    [about] = release.published.results.probes
    assert about.answers is not None
    assert (about.answers.mapped, about.answers.refused, about.answers.unmapped) == (4, 1, 1)
    assert about.answers.by_rule["by-hand"] == 1
    folder = unzipped(release, tmp_path / "bundle")
    table = (folder / "answer-mappings" / "chat.csv").read_bytes()
    assert hashlib.sha256(table).hexdigest() == about.answers.table
    assert b"crimson,red,by-hand,1,researcher" in table
    for made in (bundle(release), published_bundle(release, names=published_names(release=release))):
        packed = tmp_path / "bundle.zip"
        packed.write_bytes(b"".join(made))
        verified = verify(packed)
        assert (verified.differences, verified.notes, verified.words) == ([], [], "identical")


def test_scores_by_later_decisions_stand_beside_the_first_and_the_leaderboard_shows_the_newest(tmp_path: Path) -> None:
    study = a_crowd_of("choice")
    path = tmp_path / "chat.csv"
    path.write_text("item_id,answer\n" + "".join(f"i{n},{text}\n" for n, text in enumerate(["Red.", "crimson"] * 3)))
    probe = add_probe(study=study, name="chat", file=path)
    release = clean_and_release(study=study, rules=no_rules(tmp_path), replicates=50)
    for value in ("red", "=blue", ""):
        decide_answers(study=study, values={"crimson": value}, by=None)
        score_here(release=release, seed=1)
        [shown] = Scoring.objects.shown_of(release)
        assert shown.answer_counts is not None
        assert shown.answer_counts.mapped == (6 if value else 3)
    decide_answers(study=study, values={"crimson": "red"}, by=None)
    score_here(release=release, seed=1)

    assert Scoring.objects.filter(probe=probe, release=release).count() == 4
    [shown] = Scoring.objects.shown_of(release)
    assert shown.answer_counts is not None
    assert shown.answer_counts.by_rule == {"case": 3, "by-hand": 3}
    assert "crimson,red,by-hand" in bytes(Blob.objects.get(sha256=shown.answers_sha256).content).decode()
