"""croissant.json, the dataset card and Zenodo's metadata: complete, true to the files, open about what is missing."""

import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from agreement.report.croissant import unfilled
from tests.integration.agreement.analyse_file.command import crossed, published, read_rows, refused, write_rows
from tests.unit.agreement.report.test_data_card import WHOLE

# What Croissant 1.1 requires of a data set; a validator of the field lets some of them pass.
REQUIRED = {
    "@context", "@type", "conformsTo", "name", "description", "license", "url", "creator", "datePublished",
    "distribution",
}  # fmt: skip
ASKED_BY_REVIEWERS = {
    "rai:dataLimitations", "rai:dataBiases", "rai:personalSensitiveInformation", "rai:dataUseCases",
    "rai:dataSocialImpact", "rai:hasSyntheticData", "prov:wasGeneratedBy",
}  # fmt: skip


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cards")
    card = folder / "card.toml"
    card.write_text(WHOLE)
    judgments = published("snow-wordsim/judgments.csv")
    options = ["--scale", "0:10", "--replicates", "20", "--card", card]
    call_command("analyse_file", judgments, "--out", folder / "out", *options, stdout=io.StringIO())
    return folder / "out"


def described(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "croissant.json").read_text())
    return found


def test_every_required_field_is_filled_in(out: Path) -> None:
    croissant = described(out)
    assert croissant.keys() >= REQUIRED | ASKED_BY_REVIEWERS
    assert unfilled(croissant) == ["rai:dataCollection"]
    assert croissant["conformsTo"] == [
        "http://mlcommons.org/croissant/1.1",
        "http://mlcommons.org/croissant/RAI/1.0",
    ]
    assert croissant["@context"]["sc"] == "https://schema.org/"
    assert croissant["rai:hasSyntheticData"] is False
    assert "Krippendorff's alpha" in croissant["rai:dataAnnotationAnalysis"]


def test_files_stand_with_their_checksums_and_columns(out: Path) -> None:
    croissant = described(out)
    for file in croissant["distribution"]:
        content = (out / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
        assert file["contentSize"] == f"{len(content)} B"
    for table in croissant["recordSet"]:
        header = list(read_rows(out / f"{table['name']}.csv")[0])
        assert [field["source"]["extract"]["column"] for field in table["field"]] == header
        ids = [field["@id"] for field in table["field"]]
        assert len(ids) == len(set(ids))
        assert not any(re.search(r"\s", one) for one in ids)
    types = {field["name"]: field["dataType"] for table in croissant["recordSet"] for field in table["field"]}
    assert types["gold/mean"] == ["sc:Float", "cr:Label"]
    assert types["gold/n"] == "sc:Integer"
    assert types["judgments/worker_id"] == "sc:Text"
    assert types["judgments/value"] == "sc:Float"


def test_dataset_card_has_front_matter_and_the_methods(out: Path) -> None:
    _, front, text = (out / "README.md").read_text().split("---\n", 2)
    fields = {key: json.loads(value) for key, value in (line.split(": ", 1) for line in front.splitlines())}
    assert fields["license"] == "cc-by-4.0"
    assert fields["size_categories"] == ["n<1K"]
    assert [config["data_files"] for config in fields["configs"]] == ["gold.csv", "judgments.csv", "workers.csv"]
    assert text.strip().startswith("# Spatial words")
    assert "10 workers gave 300 judgments of 30 items" in text
    zenodo = json.loads((out / "zenodo.json").read_text())
    assert zenodo["creators"] == [{"name": "A. Researcher", "orcid": "0000-0002-1825-0097"}]
    assert (zenodo["license"], zenodo["publication_date"]) == ("cc-by-4.0", "2026-11-19")


def test_methods_for_latex_cite_only_what_stands_in_the_references(out: Path) -> None:
    tex, bib = (out / "methods.tex").read_text(), (out / "references.bib").read_text()
    cited = set(re.findall(r"\\cite\{(\w+)\}", tex))
    entries = set(re.findall(r"@\w+\{(\w+),", bib))
    assert "krippendorff2011" in cited
    assert cited < entries  # the others are of methods-details.md
    assert not re.search(r"(?<!\\)[%&#]", tex)


def test_what_nobody_said_is_to_be_filled_in_and_told(tmp_path: Path) -> None:
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", crossed(3, 4))
    told = io.StringIO()
    call_command("analyse_file", judgments, "--out", tmp_path / "out", "--replicates", "20", stdout=told)
    assert "To be filled in in croissant.json (--card CARD.toml): description, license, creators" in told.getvalue()
    croissant = described(tmp_path / "out")
    assert {"description", "license", "url", "creator", "rai:dataBiases"} <= set(unfilled(croissant))
    assert "synthetic, published." in told.getvalue()
    # Where a validator wants a date it refuses a text.
    assert not {"datePublished", "rai:dataCollectionTimeframe"} & croissant.keys()
    assert "To be filled in." in (tmp_path / "out" / "README.md").read_text()


def test_wrong_card_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    judgments = write_rows(tmp_path / "j.csv", "worker_id,item_id,value", crossed(3, 4))
    card = tmp_path / "card.toml"
    card.write_text('licence = "CC0"\n')
    [reason] = refused(judgments, tmp_path / "out", "--card", str(card))
    assert reason.startswith("card.toml, key licence: there is no such key")
    [reason] = refused(judgments, tmp_path / "out", "--card", str(card), "--no-report")
    assert reason == "--card is for the report's files: leave --no-report out."
