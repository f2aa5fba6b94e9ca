"""Answers of models in their own words: decided on a page, by a file and by the API, and shown beside every score."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils.html import escape

from annotation.models import AuditEntry, Study, User
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe, publish_leaderboard, score_here
from annotation.releases.leaderboards import table_of
from annotation.releases.models import AnswerDecision, GoldRelease, Probe, Scoring
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.annotation.api.scripts import Script

pytestmark = pytest.mark.django_db
TEXTS = ["Red.", "Red.", "it is **blue**", "crimson", "crimson", "<script>azure</script>", "I can't answer.", "red"]


@pytest.fixture
def released(tmp_path: Path) -> tuple[Study, GoldRelease]:
    """Eight items that five people call red, and a chat model."""
    study = a_study_of("choice", [{"item_id": f"i{n}"} for n in range(8)], ["red", "blue"], judgments_per_item=5)
    for worker in range(5):
        answers(came(study, f"w{worker}"), "label", {f"i{n}": "blue" if n == worker else "red" for n in range(8)})
    path = tmp_path / "chat.csv"
    path.write_text("item_id,answer\n" + "".join(f"i{n},{text}\n" for n, text in enumerate(TEXTS)))
    add_probe(study=study, name="chat", file=path)
    return study, clean_and_release(study=study, replicates=20)


def address(study: Study) -> str:
    return f"/admin/results/{study.uuid}/models/answers/"


def test_the_page_lists_what_no_rule_takes_the_most_frequent_first(
    released: tuple[Study, GoldRelease], admin_client: Client
) -> None:
    page = admin_client.get(address(released[0])).content.decode()

    assert page.index("crimson") < page.index(escape("<script>azure</script>"))
    assert "<script>azure" not in page
    assert "2 different, the most frequent first" in page
    assert "refusal-words 1" in page


def test_an_answer_is_decided_once_for_all_alike_and_models_are_scored_again(
    released: tuple[Study, GoldRelease], admin_client: Client
) -> None:
    study, release = released
    sent = {"answer-0": "crimson", "was-0": "", "value-0": "red", "answer-1": "<script>azure</script>", "value-1": ""}
    response = admin_client.post(address(study), sent, follow=True)

    assert "1 answer was decided, in all models alike." in response.content.decode()
    [decision] = AnswerDecision.objects.all()
    assert (decision.answer, decision.value, decision.decided_by is not None) == ("crimson", "red", True)
    assert AuditEntry.objects.filter(detail={"what": "answers of models", "answers": 1}).exists()
    score_here(release=release, seed=1)
    [shown] = Scoring.objects.shown_of(release)
    counts = shown.answer_counts
    assert counts is not None
    assert (counts.mapped, counts.by_rule["by-hand"]) == (6, 2)
    admin_client.post(address(study), {"answer-0": "crimson", "was-0": "red", "value-0": ""})
    assert not AnswerDecision.objects.exists()


def test_a_value_that_is_no_label_is_refused_and_nothing_is_stored(
    released: tuple[Study, GoldRelease], admin_client: Client
) -> None:
    sent = {"answer-0": "crimson", "value-0": "red", "answer-1": "azure", "value-1": "purple"}
    response = admin_client.post(address(released[0]), sent)

    assert response.status_code == 422
    assert escape("'purple' is none of this study's labels red, blue") in response.content.decode()
    assert not AnswerDecision.objects.exists()


def test_the_sample_says_how_right_the_mapping_is(released: tuple[Study, GoldRelease], admin_client: Client) -> None:
    study, _ = released
    page = admin_client.get(address(study)).content.decode()
    assert (
        page.count('name="sampled-') == 5
    )  # all answers that rules took, of which there are fewer than the sample has
    marks = {"check": "1", "sampled-0": "Red.", "made-0": "red", "mark-0": "right"}
    marks |= {"sampled-1": "it is **blue**", "made-1": "blue", "mark-1": "wrong", "instead-1": "red"}

    page = admin_client.post(address(study), marks, follow=True).content.decode()

    assert "were rightly mapped: 0.667" in page  # Red. came twice
    decided = dict(AnswerDecision.objects.values_list("answer", "checked"))
    assert decided == {"Red.": "right", "it is **blue**": "wrong"}


def test_a_file_decides_and_comes_back(released: tuple[Study, GoldRelease], admin_client: Client) -> None:
    study, _ = released
    table = b"answer,value,rule,count,decided_by\ncrimson,red,none,2,\nRed.,red,case,2,\n"
    admin_client.post(address(study), {"file": SimpleUploadedFile("mapping.csv", table)})
    assert list(AnswerDecision.objects.values_list("answer", "value")) == [("crimson", "red")]

    response: Any = admin_client.get(f"{address(study)}mapping.csv")
    written = b"".join(response.streaming_content).decode()
    assert "crimson,red,by-hand,2,researcher" in written
    refused = admin_client.post(address(study), {"file": SimpleUploadedFile("m.csv", b"answer,value\nx,purple\n")})
    assert refused.status_code == 422


def test_the_leaderboard_has_the_counts_and_both_figures(
    released: tuple[Study, GoldRelease], admin_client: Client, admin_user: User
) -> None:
    study, release = released
    table = table_of(release, "accuracy")
    assert table is not None
    [row] = [row for row in table.rows if row.kind == "probe"]
    assert row.answers is not None
    assert (row.answers.refused, row.answers.truncated, row.answers.unmapped) == (1, 0, 3)
    assert (row.figure.number, row.other_way and row.other_way.number) == ("0.375", "0.750")
    link = publish_leaderboard(study=study, by=admin_user)
    for where in (
        f"/admin/results/{study.uuid}/models/?metric=accuracy",
        f"/leaderboard/{link.token}/?metric=accuracy",
    ):
        page = admin_client.get(where).content.decode()
        assert '<th scope="col">Refused</th>' in page
        assert "without these three: 0.750" in page


def test_answers_by_the_api(released: tuple[Study, GoldRelease], admin_user: User) -> None:
    study, release = released
    script = Script(admin_user)
    where = f"studies/{study.slug}/answers/"

    shown = script.get(where).json()
    assert shown["answers"][0] == {"answer": "crimson", "value": "", "rule": "none", "count": 2, "decided_by": ""}
    refused = script.post(where, {"answers": [{"answer": "crimson", "value": "purple"}]})
    assert refused.status_code == 422
    assert script.post(where, {"answers": [{"answer": "crimson", "value": "red"}]}).json() == {"changed": 1}
    score_here(release=release, seed=1)
    [row] = [row for row in script.get(f"studies/{study.slug}/leaderboard/").json()["rows"] if row["kind"] == "probe"]
    assert row["answers"]["mapped"] == 6
    assert script.post(where, {"answers": [{"answer": "crimson", "value": None}]}).json() == {"changed": 1}
    assert not AnswerDecision.objects.exists()


def test_a_file_of_several_models_adds_each(
    released: tuple[Study, GoldRelease], admin_user: User, tmp_path: Path
) -> None:
    study, _ = released
    rows = "".join(f"i{n},{model},red\n" for model in ("small", "large") for n in range(8))
    file: Any = SimpleUploadedFile("all.csv", f"item_id,model,label\n{rows}".encode())
    script = Script(admin_user)
    headers = {"Authorization": f"Bearer {script.text}"}

    made = Client().post(
        f"/api/v1/studies/{study.slug}/probes/", {"name": "all", "group": "", "file": file}, headers=headers
    )

    assert made.status_code == 201
    assert (made.json()["name"], [one["name"] for one in made.json()["others"]]) == ("small", ["large"])
    assert set(Probe.objects.filter(study=study).values_list("name", flat=True)) == {"chat", "small", "large"}


def test_answers_by_the_commands(released: tuple[Study, GoldRelease], tmp_path: Path) -> None:
    """A study's answers are mapped to a table, which is filled in and given to the scoring of a second model."""
    study, release = released
    path, table, said = tmp_path / "chat.csv", tmp_path / "mapping.csv", io.StringIO()
    call_command("map", str(path), study.slug, "--out", str(table), stdout=said)
    assert "4 of 8 answers" in said.getvalue()
    assert "2  'crimson'" in said.getvalue()
    table.write_text(table.read_text().replace("crimson,,none", "crimson,red,none"))

    options = ["--name", "second", "--answer-mapping", str(table)]
    call_command("score", study.slug, str(path), *options, stdout=said)

    counts = [shown.answer_counts for shown in Scoring.objects.shown_of(release)]
    assert [each and each.mapped for each in counts] == [6, 6]
    assert "accuracy" in said.getvalue()
