"""Files of items that both databases refuse alike, each bad row named; and texts in which nothing can be seen."""

from pathlib import Path

import pytest

from agreement.errors import Refused
from annotation.media.files import in_folder
from annotation.media.taking import media_from
from annotation.models import Study
from annotation.studies.item_files import read_items
from tests.factories import a_small_study
from tests.integration.annotation.answering.views.people import a_study_of

pytestmark = pytest.mark.django_db


def refused(study: Study, folder: Path, content: str, name: str = "items.csv") -> list[str]:
    (folder / name).write_text(content)
    with media_from(in_folder(folder)) as pictures, pytest.raises(Refused) as refusal:
        read_items(folder / name, study, pictures)
    return list(refusal.value.reasons)


def test_ids_and_check_names_longer_than_their_columns_are_refused_by_row(tmp_path: Path) -> None:
    rows = ["item_id,check,min,left,right", f"{'x' * 201},,,a,b", f"{'x' * 200},,,a,b", f"c,{'y' * 41},50,a,b"]
    reasons = refused(a_small_study(items=1, live=False), tmp_path, "\n".join(rows))
    assert len(reasons) == 2
    assert reasons[0].startswith("items.csv, row 2, column item_id: 'xxx")
    assert reasons[0].endswith("is longer than 200 characters; shorten it.")
    assert "row 4, column check" in reasons[1]
    assert "longer than 40 characters" in reasons[1]


@pytest.mark.parametrize("nothing", ["", " ", "\u200b", "\u2060 \u200d", "\u00ad", "\ufeff\u3164", "\u2800"])
def test_field_in_which_nothing_can_be_seen_is_refused_by_row(nothing: str, tmp_path: Path) -> None:
    study = a_study_of("slider", items=None)
    reasons = refused(study, tmp_path, f'item_id,thing\nnew1,apple\nnew2,"{nothing}"\n')
    assert len(reasons) == 1
    assert "row 3, column thing" in reasons[0]
    assert "blank" in reasons[0]


def test_id_in_which_nothing_can_be_seen_is_none(tmp_path: Path) -> None:
    reasons = refused(a_study_of("slider"), tmp_path, "item_id,thing\n\u200b,apple\n")
    assert "is not an id" in reasons[0]


def test_deeply_nested_json_is_refused_by_row(tmp_path: Path) -> None:
    deep = '{"item_id": "a", "thing": ' + "[" * 100_000 + "]" * 100_000 + "}"
    reasons = refused(a_study_of("slider"), tmp_path, f'{{"item_id": "b", "thing": "x"}}\n{deep}\n', "items.jsonl")
    assert reasons == [
        "items.jsonl, row 2, nested too deeply; a column's value is a text, a number or a list of texts."
    ]
