"""Spellings that stand for labels: what is read, and what is refused by its row."""

from pathlib import Path

import pytest

from agreement.errors import Refused
from agreement.judgments.synonyms_file import read_synonyms, synonyms_of_lines, wrong_synonyms


def read(tmp_path: Path, text: str) -> dict[str, list[str]]:
    file = tmp_path / "synonyms.csv"
    file.write_text(text)
    return read_synonyms(file)


def test_a_spelling_may_stand_for_several_labels(tmp_path: Path) -> None:
    found = read(tmp_path, "synonym,label\ngrey,gray\nbeige,yellow|brown\nteal,green\nteal,blue\n")
    assert found == {"grey": ["gray"], "beige": ["yellow", "brown"], "teal": ["green", "blue"]}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("grey,gray\n", "the column synonym is missing"),
        ("synonym,label\ngrey,\n", "synonyms.csv, row 2, a spelling and at least one label are needed"),
        ("synonym,label\ngrey,gray\ngrey,gray\n", "synonyms.csv, row 3, 'grey' stands for 'gray' already"),
        ("synonym,label\na|b,gray\n", "synonyms.csv, row 2, 'a|b' holds a |"),
    ],
)
def test_a_bad_row_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence.replace("|", r"\|")):
        read(tmp_path, text)


def test_lines_are_refused_by_number() -> None:
    with pytest.raises(Refused) as refusal:
        synonyms_of_lines("grey = gray\ngrey\n = red")
    assert len(refusal.value.reasons) == 2
    assert refusal.value.reasons[0].startswith("Line 2, 'grey': write a spelling")


def test_several_labels_need_a_kind_with_several_labels() -> None:
    beige = {"beige": ["yellow", "brown"]}
    assert wrong_synonyms(beige, "choices", ["yellow", "brown"]) == []
    assert wrong_synonyms(beige, "sliders", ["yellow", "brown"]) == []
    assert "choose one of them" in wrong_synonyms(beige, "choice", ["yellow", "brown"])[0]
    assert "has none" in wrong_synonyms(beige, "slider", [])[0]
    assert "none of the labels" in wrong_synonyms({"grey": ["gray"]}, "choice", ["red", "blue"])[0]
    assert "is a label itself" in wrong_synonyms({"red": ["blue"]}, "choice", ["red", "blue"])[0]
