"""A study of lists on its leaderboard: every production frequency in one table with its curve, and each template."""

from pathlib import Path

import pytest
from django.urls import reverse

from agreement.scoring.probe_format import ProbeOptions
from annotation.models import Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe, score_here
from annotation.releases.leaderboards import scores_by_frequency, table_of
from annotation.releases.models import GoldRelease
from tests.integration.agreement.crowds import a_study_of, answers, came
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db
NAMED = {f"thing-{at}": ["green", "round", "small"][: 1 + at % 3] for at in range(12)}
TEMPLATES = ("D C F [MASK].", "everybody knows that D C F [MASK].")


@pytest.fixture
def study() -> Study:
    study = a_study_of("list", [{"item_id": item, "fields": {"concept": item}} for item in NAMED], judgments_per_item=6)
    for at in range(6):
        given = {item: [*named, *(["odd"] if at == 0 else [])] for item, named in NAMED.items()}
        answers(came(study, f"person-{at}"), "properties", given)
    return study


@pytest.fixture
def release(study: Study, tmp_path: Path) -> GoldRelease:
    rows = [
        f"{item},{template},{word},{score}"
        for number, template in enumerate(TEMPLATES)
        for item in NAMED
        for score, word in enumerate(("nice", "small", "green") if number else ("small", "nice", "green"))
    ]
    path = tmp_path / "model.csv"
    path.write_text("item_id,template,candidate,score\n" + "\n".join(rows) + "\n")
    release = clean_and_release(study=study, replicates=50)
    add_probe(study=study, name="model", file=path, options=ProbeOptions(allowed="green\nsmall\nround"))
    score_here(release=release, seed=1)
    return release


def test_every_frequency_stands_in_one_table(release: GoldRelease) -> None:
    table = scores_by_frequency(release)

    assert table is not None
    assert table.groups == ["2", "5", "10", "20", "30"]
    names = [name for name, _ in table.lines]
    assert names == [
        "model",
        "model, sd over templates or runs",
        "A typical person, leave-one-out",
        "A random order",
    ]
    lines = dict(table.lines)
    assert lines["model"][0].number == lines["model"][1].number != ""
    assert "10 people named" in lines["model"][2].words
    assert lines["A typical person, leave-one-out"][0].number != ""


def test_each_template_is_a_column_with_a_number(release: GoldRelease) -> None:
    table = table_of(release, "average_precision_at_2")

    assert table is not None
    [by_template] = [each for each in table.breakdowns if each.column == "template"]
    assert by_template.groups == ["1", "2"]
    assert [meaning for _, meaning in by_template.meanings] == list(TEMPLATES)


def test_the_page_draws_both(study: Study, release: GoldRelease) -> None:
    client = signed_in(a_researcher(study, "viewer"))

    page = client.get(reverse("agreement:leaderboard", args=[study.uuid])).content.decode()

    assert "Average precision by production frequency" in page
    assert "Average precision by least number of people who named the property" in page
    assert "everybody knows that D C F [MASK]." in page
    assert "scored over the 3 allowed words" in page
