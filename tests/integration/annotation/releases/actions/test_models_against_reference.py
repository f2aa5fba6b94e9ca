"""A study whose items have references: models scored later stand beside people against them, and are averaged."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agreement.scoring.score import parts_of
from agreement.scoring.score_gold import Gold, LabelGold
from annotation.models import Study, User
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import publish_leaderboard
from annotation.releases.leaderboards import table_of
from annotation.releases.models import GoldRelease, Probe
from annotation.releases.reference_boards import reference_board
from tests.integration.agreement.crowds import a_study_of, answers, came

pytestmark = pytest.mark.django_db
ROOMS = ["kitchen", "office"] * 6
REFERENCES = ["above", "below", "grey"] * 4
Write = Callable[..., Path]


@pytest.fixture
def study() -> Study:
    """Three people, two of whom say what the reference says, which spells gray in another way.

    `cardinality` is a column of the items' own.
    """
    items = [
        {"item_id": f"i{at}", "reference": reference, "fields": {"room": room, "cardinality": str(1 + at % 2)}}
        for at, (room, reference) in enumerate(zip(ROOMS, REFERENCES, strict=True))
    ]
    study = a_study_of(
        "choices",
        items,
        ["above", "below", "gray"],
        synonyms={"grey": ["gray"]},
        metrics=["f1_macro"],
        judgments_per_item=3,
    )
    right = [reference.replace("grey", "gray") for reference in REFERENCES]
    for name, given in (("ann", right), ("ben", right), ("eve", ["above"] * 12)):
        answers(came(study, name), "labels", {f"i{at}": [label] for at, label in enumerate(given)})
    return study


@pytest.fixture
def released(study: Study) -> GoldRelease:
    return clean_and_release(study=study, replicates=10)


def score(study: Study, folder: Path, name: str, labels: list[str], *more: str) -> dict[str, Any]:
    file = folder / f"{name}.csv"
    file.write_text("item_id,label\n" + "".join(f"i{at},{label}\n" for at, label in enumerate(labels)))
    said = io.StringIO()
    call_command("score", study.slug, file, "--name", name, "--json", *more, stdout=said)
    answer: dict[str, Any] = json.loads(said.getvalue())
    return answer


def overall(release: GoldRelease) -> dict[str, dict[str, str]]:
    """The board's numbers by line and metric."""
    board = reference_board(release)
    assert board is not None
    return {
        line.name: {title: one.number for title, one in zip(board.titles, line.figures, strict=True)}
        for line in board.lines
    }


def test_analysis_holds_people_against_the_references_of_the_items(released: GoldRelease) -> None:
    board = reference_board(released)
    assert board is not None
    assert board.titles[0] == "macro F1"  # the study's own first metric
    assert overall(released)["people, one by one"]["R-Acc"] == f"{(1 + 1 + 1 / 3) / 3:.3f}"
    assert {one.column for one in board.breakdowns} == {"room", "cardinality", "label"}


def test_models_scored_later_stand_in_the_same_table(study: Study, released: GoldRelease, tmp_path: Path) -> None:
    answer = score(study, tmp_path, "perfect", REFERENCES)
    score(study, tmp_path, "constant", ["below"] * 12)

    [r_acc] = [row for row in answer["against_reference"] if (row["metric"], row["breakdown"]) == ("r_acc", "")]
    assert r_acc["estimate"] == 1
    found = overall(released)
    assert list(found)[:2] == ["perfect", "constant"]
    assert (found["perfect"]["R-Acc"], found["constant"]["R-Acc"]) == ("1.000", "0.333")
    assert found["always below"]["R-Acc"] == "0.333"


def test_models_of_a_group_are_averaged_on_the_leaderboard(study: Study, released: GoldRelease, tmp_path: Path) -> None:
    score(study, tmp_path, "perfect", REFERENCES, "--group", "LM")
    answer = score(study, tmp_path, "constant", ["below"] * 12, "--group", "LM")

    assert set(Probe.objects.values_list("group", flat=True)) == {"LM"}
    [mean] = [row for row in answer["groups"] if (row["metric"], row["breakdown"]) == ("r_acc", "")]
    table = table_of(released, "r_acc")
    assert table is not None
    [row] = [row for row in table.rows if row.kind == "group"]
    models = [one.estimate for one in table.rows if one.kind == "probe" and one.estimate is not None]
    assert row.estimate == mean["estimate"] == pytest.approx(sum(models) / 2)
    assert row.name == "Mean of LM (2 models)"
    assert overall(released)["mean of LM"]["R-Acc"] == f"{(1 + 1 / 3) / 2:.3f}"


def test_a_model_that_is_there_moves_into_a_group(study: Study, released: GoldRelease, tmp_path: Path) -> None:
    score(study, tmp_path, "m", REFERENCES)
    score(study, tmp_path, "m", REFERENCES, "--group", "VLM")
    assert Probe.objects.get().group == "VLM"
    assert "mean of VLM" in overall(released)


def test_pages_show_the_table(study: Study, released: GoldRelease, tmp_path: Path, client: Client) -> None:
    score(study, tmp_path, "perfect", REFERENCES)
    user = User.objects.create_superuser("boss")
    client.force_login(user)
    link = publish_leaderboard(study=study, by=user)
    pages = [
        client.get(reverse("agreement:results", args=[study.uuid])),
        client.get(reverse("agreement:leaderboard", args=[study.uuid])),
        client.get(reverse("public_leaderboard", args=[link.token])),
    ]
    for page in pages:
        assert "Against the reference labels" in page.text
        assert "people, one by one" in page.text
        assert "R-Acc by room" in page.text or "Macro F1 by room" in page.text


def test_bundle_makes_the_same_figures_again(study: Study, released: GoldRelease, tmp_path: Path) -> None:
    score(study, tmp_path, "perfect", REFERENCES, "--group", "LM")
    again = clean_and_release(study=study, replicates=10)
    call_command("export", study.slug, "bundle", "--out", tmp_path / "b.zip", stdout=io.StringIO())

    report = made_again(tmp_path)

    assert report["against_reference"] == again.report["against_reference"]
    assert report["groups"] == again.report["groups"]
    assert report["release"]["sha256"] == again.sha256


def made_again(folder: Path) -> dict[str, Any]:
    """The command of the bundle's README, run on what the bundle holds."""
    import shlex
    import zipfile

    out = folder / "bundle"
    with zipfile.ZipFile(folder / "b.zip") as archive:
        archive.extractall(out)
    line = next(line for line in (out / "README.txt").read_text().splitlines() if "analyse_file" in line)
    words = shlex.split(line)[3:]
    given = [str(out / word) if (out / word).exists() and not word.startswith("-") else word for word in words]
    call_command("analyse_file", *given[:-1], str(folder / "again"), stdout=io.StringIO())
    report: dict[str, Any] = json.loads((folder / "again" / "report.json").read_text())
    return report


def test_the_rule_for_typical_labels_is_stored_with_the_rules_and_stays(study: Study, tmp_path: Path) -> None:
    call_command("analyse", study.slug, "--typical", "typical-viphy", "--replicates", "10", stdout=io.StringIO())
    first = GoldRelease.objects.get(study=study)
    assert first.report["rules"]["typical"] == "typical-viphy"
    assert first.run.rule_set.toml.startswith('typical = "typical-viphy"')
    assert clean_and_release(study=study).report["rules"]["typical"] == "typical-viphy"  # as for the last release
    score(study, tmp_path, "perfect", REFERENCES)
    call_command("analyse", study.slug, "--typical", "typical", stdout=io.StringIO())
    assert GoldRelease.objects.latest("number").report["rules"]["typical"] == "typical"


def test_a_column_of_the_items_own_stands_in_the_place_of_ours_of_that_name() -> None:
    import numpy as np

    sets = np.array([[True, False], [True, True], [False, True], [True, False]])
    texts = np.array(["1", "2", "1", "2"], dtype=object)
    gold = Gold("choices", texts, ("a", "b"), by_label=LabelGold(None, sets, sets), fields={"cardinality": texts})
    columns = [part.column for part in parts_of(gold)]
    assert sorted(columns) == ["cardinality", "label"]


def test_the_board_has_columns_of_what_is_no_answer(study: Study, released: GoldRelease, tmp_path: Path) -> None:
    file = tmp_path / "chat.csv"
    texts = ["I can't answer.", "mauve", *REFERENCES[2:]]
    file.write_text("item_id,answer\n" + "".join(f"i{at},{text}\n" for at, text in enumerate(texts)))
    call_command("score", study.slug, file, "--name", "chat", stdout=io.StringIO())

    board = reference_board(released)

    assert board is not None
    assert board.counts == ["refused", "truncated", "unmapped"]
    assert {line.counts for line in board.lines if line.name == "chat"} == {("1", "0", "1")}
    assert {line.counts for line in board.lines if line.kind == "people"} == {("", "", "")}


def test_every_model_of_a_file_is_printed(study: Study, released: GoldRelease, tmp_path: Path) -> None:
    file, said = tmp_path / "all.csv", io.StringIO()
    rows = [f"i{at},{model},{label}" for model in ("small", "large") for at, label in enumerate(REFERENCES)]
    file.write_text("\n".join(["item_id,model,label", *rows, ""]))

    call_command("score", study.slug, file, "--name", "all", stdout=said)
    call_command("score", study.slug, file, "--name", "all", "--json", stdout=(machine := io.StringIO()))

    names = list(Probe.objects.filter(study=study).values_list("name", flat=True))
    assert len(names) == 2
    assert all(f"{name} against release {released.number}" in said.getvalue() for name in names)
    answer = json.loads(machine.getvalue())
    assert sorted([answer["probe"], *(one["probe"] for one in answer["others"])]) == sorted(names)
