"""Labels of an item's own, from items.csv to gold: offered in a random order per person, stored by value, and held
against the chance of each item.
"""

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.errors import Refused
from agreement.people.agreement_report import AgreementReport
from agreement.planning.precision import Components
from annotation.answering.judging import open_assignment
from annotation.answering.kinds.form import BadAnswer
from annotation.answering.saving_answers import load_question
from annotation.answering.views.page_model import pages_of
from annotation.media.taking import media_from
from annotation.models import Judgment, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe
from annotation.releases.exports.bundle_zip import bundle
from annotation.simulating.crowds import simulate, simulated_components
from annotation.simulating.over_http import simulate_over_http
from annotation.studies.completeness import what_is_missing
from annotation.studies.item_files import read_items
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_person, an_answer
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
WORDS = ("ash", "birch", "cedar", "fir", "oak")
ITEMS = [(f"i{n}", WORDS[: 2 + n % 4], WORDS[n % (2 + n % 4)]) for n in range(20)]


def a_file(folder: Path, rows: Sequence[str], header: str = "item_id,thing,options,option_texts,reference") -> Path:
    path = folder / "items.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def a_draft(judgments_per_item: int = 12) -> Study:
    return Study.objects.create(
        slug="captions",
        kind="choice",
        title="Trees",
        question="Which is {thing}?",
        seed=7,
        judgments_per_item=judgments_per_item,
        items_per_assignment=20,
    )


def bring(study: Study, path: Path) -> None:
    with media_from(lambda _: None) as pictures:
        add_items(study=study, items=read_items(path, study, pictures), source=path.name)


def a_live_study(folder: Path, judgments_per_item: int = 12) -> Study:
    study = a_draft(judgments_per_item)
    rows = [
        f"{name},{name},{'|'.join(own)},{'|'.join(f'a {word} tree' for word in own)},{right}"
        for name, own, right in ITEMS
    ]
    bring(study, a_file(folder, rows))
    return change_status(study=study, status=Study.Status.LIVE)


def test_each_person_has_an_order_of_their_own_and_it_is_stored(tmp_path: Path) -> None:
    study = a_live_study(tmp_path, judgments_per_item=100)
    orders: dict[str, set[tuple[str, ...]]] = {}
    for seed in range(100):
        assignment = open_assignment(participation=a_person(study, seed=seed))
        [first, *_] = pages_of(assignment, study)
        [item] = first.items
        shown = [option.value for option in item.question.inputs.options]  # type: ignore[attr-defined]
        texts = [option.display_text for option in item.question.inputs.options]  # type: ignore[attr-defined]
        assert texts == [f"a {value} tree" for value in shown]
        facts = load_question(assignment_uuid=assignment.uuid, token_version=1, position=1).facts
        assert facts.labels == tuple(shown)
        an_answer(assignment, 1, fields={"label": shown[-1]})
        judgment = Judgment.objects.latest("pk")
        assert (judgment.label, judgment.shown_order) == (shown[-1], shown)
        assert judgment.shown_position == len(shown)
        orders.setdefault(judgment.assigned_item.item.item_id, set()).add(tuple(shown))
        if seed == 0:
            with pytest.raises(BadAnswer):
                an_answer(assignment, 1, fields={"label": "elm"})
    assert sum(map(len, orders.values())) > 60


def test_from_items_to_gold_models_and_the_same_again(tmp_path: Path) -> None:
    study = a_live_study(tmp_path)
    simulate(study=study, workers=12, careless=1, seed=3)
    probe = tmp_path / "model.csv"
    probe.write_text("item_id,label\n" + "".join(f"{name},{right}\n" for name, _, right in ITEMS))
    add_probe(study=study, file=probe, name="model")

    release = clean_and_release(study=study, replicates=50)

    report = release.published.results
    agreement: AgreementReport = report.agreement.cleaned
    assert agreement.first == "own_label_kappa"
    assert "labels of their own" in str(agreement.fleiss_kappa.statistic.headline)
    columns = release.columns
    lines = {line.item_id: dict(zip(columns, line.cells, strict=True)) for line in release.labels.all()}
    assert {cells["label"] for cells in lines.values()} <= {*WORDS, *("|".join(WORDS[:2]),)}
    assert lines["i3"]["options"] == "ash|birch|cedar|fir|oak"
    scores = {score.metric: score for score in report.scores if not score.breakdown and score.probe == "model"}
    assert scores["accuracy"].chance == pytest.approx(sum(1 / len(own) for _, own, _ in ITEMS) / len(ITEMS))
    assert not {"f1_macro", "kendall_of_shares"} & scores.keys()
    assert release.published.questions[0].labels == tuple(f"option {number}" for number in range(1, 6))

    packed = tmp_path / "bundle.zip"
    packed.write_bytes(b"".join(bundle(release)))
    with zipfile.ZipFile(packed) as archive:
        header = archive.read("judgments.csv").decode().splitlines()[0].split(",")
        assert "--labels" not in archive.read("README.txt").decode()
    assert header[-2:] == ["shown_position", "shown_order"]
    call_command("verify", str(packed), stdout=io.StringIO())
    for what in ("judgments", "labels", "wide", "gold", "workers"):
        call_command("export", study.slug, what, "--out", tmp_path / f"{what}.csv", stdout=io.StringIO())
    assert (tmp_path / "judgments.csv").read_text().splitlines()[0].split(",")[-2:] == header[-2:]


TOO_LONG = "is longer than 80 characters: give a short name here, and what people read in option_texts"


@pytest.mark.parametrize(
    ("options", "texts", "reason"),
    [
        ("ash", "", "'ash' is one label; give 2 to 20, with | between"),
        ("|".join(f"w{n}" for n in range(40)), "", "40 labels; give 2 to 20"),
        ("ash|Ash", "", "'Ash' reads like another label of the item; give each a value of its own"),
        ("ash||oak", "", "has nothing on one side of a |"),
        ("", "", "is blank; give the item's own labels"),
        ("ash|" + "x" * 81, "", TOO_LONG),
        ("ash|oak", "a tree", "has 1 texts for 2 options"),
        ("ash|oak", "a tree|a tree", "'a tree' reads like another label of the item; give each a text of its own"),
    ],
)
def test_what_cannot_be_offered_is_refused(tmp_path: Path, options: str, texts: str, reason: str) -> None:
    path = a_file(tmp_path, ["i0,x,ash|oak,,", f"i1,x,{options},{texts},"])
    with pytest.raises(Refused) as refused:
        bring(a_draft(), path)
    assert len(refused.value.reasons) == 1
    assert refused.value.reasons[0].startswith("items.csv, row 3, column option")
    assert reason in refused.value.reasons[0]


def test_a_researcher_sees_and_adjudicates_them_by_value(tmp_path: Path) -> None:
    study = a_live_study(tmp_path)
    simulate(study=study, workers=4, careless=0, seed=3)
    study.owner = a_researcher()
    study.save(update_fields=["owner"])
    client = signed_in(study.owner)
    item = study.items.get(item_id="i3")
    address = reverse("agreement:item", args=[study.uuid, item.uuid])

    page = client.get(address)
    assert "a cedar tree" in page.content.decode()
    assert client.post(address, {"a-label": "cedar", "why": "it is", "seen": "0"}).status_code == 302
    refused = client.post(address, {"a-label": "elm", "why": "it is", "seen": "1"})
    assert refused.status_code == 422
    exported = client.get(reverse("agreement:adjudications", args=[study.uuid]))
    assert "cedar" in b"".join(exported.streaming_content).decode()  # type: ignore[attr-defined]
    assert client.get(reverse("agreement:items", args=[study.uuid])).status_code == 200


def test_a_study_with_labels_keeps_a_column_of_that_name_as_a_field(tmp_path: Path) -> None:
    study = a_draft()
    for position, value in enumerate(("A", "B"), start=1):
        study.labels.create(value=value, display_text=value, position=position)
    bring(study, a_file(tmp_path, ["i0,x,only one,,"]))
    assert list(what_is_missing(study)) == []


def test_an_item_without_labels_of_its_own_keeps_the_study_from_opening(tmp_path: Path) -> None:
    study = a_draft()
    bring(study, a_file(tmp_path, ["i0,x,ash|oak,,"]))
    add_items(study=study, items=[{"item_id": "late", "fields": {"thing": "y"}}], source="a test")
    assert list(what_is_missing(study)) == ["Item late, options: is blank; give the item's own labels, with | between."]


def a_study_of_one_wording(folder: Path) -> Study:
    """Its items look alike but for their labels."""
    study = a_draft(judgments_per_item=12)
    study.question, study.platform = "Which of these is it?", "direct"
    study.save()
    bring(study, a_file(folder, [f"{name},{name},{'|'.join(own)}|{name},,{right}" for name, own, right in ITEMS]))
    return change_status(study=study, status=Study.Status.LIVE)


def assert_people_answered_with_the_items_own(answers: int) -> None:
    rows = list(Judgment.objects.select_related("assigned_item__item"))
    assert len(rows) == answers
    for row in rows:
        own = row.assigned_item.item.fields["options"].split("|")
        assert row.shown_order is not None
        assert sorted(row.shown_order) == sorted(own)
        assert row.shown_order.index(row.label) + 1 == row.shown_position
    assert len({tuple(row.shown_order or ()) for row in rows if row.assigned_item.item.item_id == "i3"}) > 1


def test_simulated_people_answer_with_them_where_they_are_shown(tmp_path: Path) -> None:
    study = a_study_of_one_wording(tmp_path)
    crowd = simulate(study=study, workers=6, careless=2, seed=3)
    assert_people_answered_with_the_items_own(crowd.answers)


@pytest.mark.django_db(transaction=True)
def test_simulated_people_answer_with_them_on_the_pages(tmp_path: Path, live_server: Any) -> None:
    study = a_study_of_one_wording(tmp_path)
    crowd = simulate_over_http(study=study, site=live_server.url, workers=4, seed=3)
    assert crowd.answers == 4 * len(ITEMS)
    assert_people_answered_with_the_items_own(crowd.answers)
    references = {item.item_id: item.reference for item in study.items.all()}
    right = [row.label == references[row.assigned_item.item.item_id] for row in Judgment.objects.all()]
    assert sum(right) > 0.7 * len(right)


def test_a_plan_starts_from_simulated_answers_with_them(tmp_path: Path) -> None:
    assert isinstance(simulated_components(a_study_of_one_wording(tmp_path)), Components)
