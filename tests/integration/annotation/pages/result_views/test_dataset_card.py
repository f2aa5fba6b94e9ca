"""The data card: saved by those who may change the study, checked field by field, and in every bundle."""

import io
import json
import re
import zipfile

import pytest
from django.urls import reverse

from agreement.report.data_card import REQUIRED
from annotation.models import AuditEntry
from annotation.pages.data_card import WORDS
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.models import DatasetCard
from tests.integration.researchers import a_released_study, a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
FILLED = {
    "title": "Similarity of relations", "description": "People judged relations.", "license": "CC-BY-4.0",
    "creators": "Ada Example; 0000-0002-1825-0097; Somewhere\nBo Example", "url": "https://example.org/data",
    "published": "2026-11-19", "version": "1.2.0", "keywords": "space, relations", "language": "en",
    "limitations": "English alone.", "biases": "Few people.", "sensitive_information": "none", "synthetic": "no",
    "social_impact": "Little.", "use_cases": "Research.",
}  # fmt: skip


def test_card_is_saved_recorded_and_in_the_bundle() -> None:
    study, release, client = a_released_study()
    address = reverse("agreement:card", args=[study.uuid])
    page = client.get(address)
    assert page.context["absent"][:3] == ["Description", "Licence", "Creators"]
    assert b"To be filled in before you publish:" in page.content
    assert client.post(address, FILLED).status_code == 302
    assert client.get(address).context["absent"] == []
    entry = AuditEntry.objects.filter(study=study, action="changed").latest("pk")
    assert entry.detail["what"] == "data card"
    assert entry.by == study.owner

    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        described = json.loads(archive.read("croissant.json"))
        assert "# Similarity of relations" in archive.read("README.md").decode()
        assert json.loads(archive.read("zenodo.json"))["license"] == "cc-by-4.0"
    assert described["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert [one["name"] for one in described["creator"]] == ["Ada Example", "Bo Example"]
    assert described["datePublished"] == "2026-11-19"
    assert described["rai:hasSyntheticData"] is False
    assert "to be filled in" not in json.dumps(described)


def test_fields_that_archives_ask_for_are_told_from_optional_ones() -> None:
    study, client = an_owned_study()
    page = client.get(reverse("agreement:card", args=[study.uuid])).content.decode()
    beside = dict(re.findall(r'<label for="id_(\w+)">[^<]+ <span class="t-quiet">\(([^)]+)\)', page))
    assert {name for name, said in beside.items() if said == "archives ask for it"} == set(REQUIRED)
    assert {name for name, said in beside.items() if said == "optional"} == set(WORDS) - set(REQUIRED)


def test_what_nobody_filled_in_says_so_in_the_bundle() -> None:
    _study, release, _client = a_released_study()
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        described = json.loads(archive.read("croissant.json"))
    assert described["license"] == described["rai:dataBiases"] == "to be filled in"
    assert {one["@id"] for one in described["distribution"]} == {
        "gold.csv", "judgments.csv", "workers.csv", "report.json", "methods.md", "methods-details.md",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("creators", "Ada;1;2;3", "Line 1: write name; ORCID; affiliation."),
        ("version", "one", "Write three numbers with points between them, such as 1.0.0."),
        ("url", "not an address", "Enter a valid URL."),
        ("published", "yesterday", "Enter a valid date."),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_lost(field: str, value: str, why: str) -> None:
    study, client = an_owned_study()
    page = client.post(reverse("agreement:card", args=[study.uuid]), {**FILLED, field: value})
    assert page.status_code == 422
    assert page.context["form"].errors == {field: [why]}
    assert b"Similarity of relations" in page.content
    assert not DatasetCard.objects.exists()


def test_who_may_only_look_sees_the_card_and_cannot_save_it() -> None:
    study, _ = an_owned_study()
    viewer = signed_in(a_researcher(study, "viewer"))
    address = reverse("agreement:card", args=[study.uuid])
    assert b"Save</button>" not in viewer.get(address).content
    assert viewer.post(address, FILLED).status_code == 403
