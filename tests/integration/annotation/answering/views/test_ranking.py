"""The page of a ranking: in which order its labels stand before and after an answer, and what a study may have."""

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from agreement.errors import Refused
from annotation.models import AssignedItem, Judgment, Label, Study
from annotation.studies import presets
from annotation.studies.completeness import what_is_missing
from annotation.studies.study_life import change_status
from tests.integration.annotation.answering.views.people import a_study_of, begin, save

pytestmark = pytest.mark.django_db


def rows(client: Client, address: str) -> list[str]:
    """Of the item that the page shows; those that it keeps ready come after it."""
    return re.findall(r"<bdi data-label>(.*?)</bdi>", client.get(address).text)[:3]


@pytest.mark.parametrize("is_reversed", [False, True])
def test_labels_stand_the_other_way_round_where_the_direction_is_until_there_is_an_answer(
    client: Client,
    is_reversed: bool,  # noqa: FBT001
) -> None:
    address = begin(client, a_study_of("ranking"))
    AssignedItem.objects.update(is_direction_reversed=is_reversed)
    given = ["blue", "green", "red"]
    assert rows(client, address) == (given[::-1] if is_reversed else given)
    places = {"place:green": "1", "place:red": "2", "place:blue": "3"}
    assert save(client, address, **places).json()["saved"]
    assert rows(client, address) == ["green", "red", "blue"]
    judgment = Judgment.objects.get()
    assert (judgment.labels, judgment.is_direction_reversed) == (["green", "red", "blue"], is_reversed)


def test_two_labels_in_one_place_are_refused_by_the_names_that_people_read(client: Client) -> None:
    study = a_study_of("ranking", language="de")
    Label.objects.filter(study=study, value="blue").update(display_text="blau | hell")
    address = begin(client, study)
    reply = save(client, address, **{"place:green": "2", "place:red": "1", "place:blue": "2"})
    assert (reply.status_code, reply.json()["saved"]) == (422, False)
    assert "“blau | hell”" in reply.json()["sentence"]
    assert "“green”" in reply.json()["sentence"]
    assert not Judgment.objects.exists()


def test_study_of_eight_labels_does_not_open() -> None:
    study = a_study_of("ranking")
    Study.objects.filter(pk=study.pk).update(status="draft")
    for position in range(4, 9):
        study.labels.create(value=f"c{position}", display_text="c", position=position)
    study.refresh_from_db()
    assert [why for why in what_is_missing(study) if "7 at most" in why] == [
        f"{study} has 8 labels, and a question of kind ranking takes 7 at most."
    ]
    with pytest.raises(Refused, match="7 at most"):
        change_status(study=study, status=Study.Status.LIVE)


def test_template_with_the_items_of_its_example_opens(tmp_path: Path) -> None:

    text = (presets.FOLDER / "colour-order.toml").read_text()
    lines = [line.removeprefix("#").strip() for line in text.splitlines() if line.startswith("#     ")]
    items = tmp_path / "items.csv"
    items.write_text("\n".join(lines) + "\n")
    call_command("create_study", "order", preset="colour-order", items=items, stdout=StringIO())
    study = Study.objects.get(slug="order")
    assert (study.items.targets().count(), study.items.checks().count(), study.labels.count()) == (4, 4, 5)
    assert list(what_is_missing(study)) == []
