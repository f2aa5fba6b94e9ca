"""The researcher's card: what is wrong in it is named, key by key, and what it lacks is known."""

from pathlib import Path

import pytest

from agreement.errors import Refused
from agreement.report.data_card import EMPTY, REQUIRED, Card, Creator, missing_keys, read_card

WHOLE = """
title = "Spatial words"
description = "How similar people find spatial words."
license = "CC-BY-4.0"
url = "https://example.org/spatial"
creators = [{name = "A. Researcher", orcid = "0000-0002-1825-0097"}]
published = 2026-11-19
limitations = "English."
biases = "Online speakers."
sensitive_information = "None."
social_impact = "Little."
use_cases = "Evaluation."
synthetic = false
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "card.toml"
    path.write_text(text)
    return path


def test_whole_card_lacks_nothing(tmp_path: Path) -> None:
    card = read_card(written(tmp_path, WHOLE))
    assert missing_keys(card) == []
    assert card.creators == (Creator("A. Researcher", "0000-0002-1825-0097"),)
    assert card.published == "2026-11-19"
    assert card.license_address == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert Card(license="https://example.org/terms").license_address == "https://example.org/terms"


def test_empty_card_lacks_every_required_key() -> None:
    assert missing_keys(EMPTY) == list(REQUIRED)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('licence = "CC0"', "key licence: there is no such key; the keys are title, description, license"),
        ("title = 3", "key title: write a text in quotes"),
        ('url = "example.org"', "key url: 'example.org' is not a web address"),
        ('creators = ["A. Researcher"]', "key creators: write a list such as"),
        ('creators = [{orcid = "0"}]', "key creators, number 1: each has a name"),
        ('synthetic = "no"', "key synthetic: write true or false"),
        ('published = "soon"', "key published: 'soon' is not a day such as 2026-11-19"),
        ("keywords = [1]", "key keywords: write a list of texts"),
        ("title = ", "this is not TOML"),
    ],
)
def test_wrong_key_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read_card(written(tmp_path, text))
    assert any(said in reason for reason in refused.value.reasons)


def test_every_wrong_key_is_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_card(written(tmp_path, 'licence = "CC0"\ntitle = 3\nsynthetic = 1\n'))
    assert len(refused.value.reasons) == 3
