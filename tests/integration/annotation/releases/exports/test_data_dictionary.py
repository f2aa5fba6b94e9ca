"""The data dictionary is true: every column that goes out has an entry, and every entry is of a column that does."""

import csv
import importlib.util
import io
from pathlib import Path

import pytest
from django.core.management import call_command

from agreement.analysis.output_tables import judgments_table, screened_of, screening_table, workers_table
from agreement.gold import gold_columns
from agreement.gold.gold_columns import GoldColumn
from agreement.judgments.crowd import (
    CONFIDENCE,
    COULD_NOT_SEE,
    ITEMS_A_PAGE,
    MEDIA_USE,
    SERVER_MS,
    SHOWN_ORDER,
    SHOWN_POSITION,
)
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of
from agreement.report.data_dictionary import NAME, as_markdown, dictionary, files, meaning_of
from agreement.scoring.answer_mapping import mapping_table
from agreement.scoring.norms import COLUMNS as NORMS
from agreement.screening.screen import Screened
from annotation.releases.exports.other_exports import OF_SIGNS
from annotation.releases.exports.release_tables import FIXED, cleaning_of, gold, published_participants
from tests.integration.researchers import a_released_study
from tools import place

SHOWN = (SHOWN_POSITION, SHOWN_ORDER)  # of items with labels of their own
OF_QUESTIONS = ("question", "no_answer", CONFIDENCE)  # of studies with several, or that ask how sure somebody is
# Columns that only an export under platform ids has.
WITH_IDS = {"payments": {"platform_id", "session_id"}, "published-key": {"platform_id"}}


def gold_names() -> set[str]:
    declared = {column.name for kind in KINDS for column in statistics_of(kind).gold_columns}
    return declared | {each.name for each in vars(gold_columns).values() if isinstance(each, GoldColumn)}


def exported(what: str, folder: Path, slug: str) -> set[str]:
    out = folder / f"{what}.csv"
    call_command("export", slug, what, "--out", out, stdout=io.StringIO())
    with out.open() as stream:
        return set(next(csv.reader(stream)))


@pytest.mark.django_db
def test_every_column_is_declared_and_every_declared_column_is_there(tmp_path: Path) -> None:
    study, release, _ = a_released_study()
    cleaning = cleaning_of(release)
    screened = screened_of(cleaning)
    assert isinstance(screened, Screened)
    names = {
        "gold": gold_names() | {"left", "right"},
        "judgments": {
            *judgments_table(cleaning),
            "v:{label}",
            SERVER_MS,
            ITEMS_A_PAGE,
            COULD_NOT_SEE,
            MEDIA_USE,
            *SHOWN,
            *OF_QUESTIONS,
        },
        "workers": {*workers_table(cleaning, screened, {}), "dawid_skene_accuracy", "mace_accuracy"},
        "screening": {"z_{index}", *(name for name in screening_table(screened) if not name.startswith("z_"))},
        "participants": {*FIXED, "comment", "could_not_see"}
        | set(published_participants(study, {}).content.decode().strip().split(",")),
        "labels": {"item_id", "n", "n:{label}"},
        "wide": {"item_id", "{worker}"},
        "norms": set(NORMS),
        "mapping": set(mapping_table.COLUMNS),
        "similarity-matrix": {"term", "{term}"},
        "payments": exported("payments", tmp_path, study.slug),
        "published-key": exported("published-key", tmp_path, study.slug),
        "notes": exported("notes", tmp_path, study.slug),
        "signs": set(OF_SIGNS["signs"][0]),
        "authenticity": set(OF_SIGNS["authenticity"][0]),
    }
    assert names.keys() == files().keys()
    for file, columns in names.items():
        declared = {each.column for each in files()[file]} - {"{field}"} - WITH_IDS.get(file, set())
        assert columns == declared, file


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["gold", "judgments", "workers", "participants", "payments", "wide"])
def test_it_stands_beside_an_export_with_a_row_per_column(what: str, tmp_path: Path) -> None:
    study, release, _ = a_released_study()
    header = exported(what, tmp_path, study.slug)
    with (tmp_path / f"{what}.dictionary.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert {row["file"] for row in rows} == {f"{what}.csv"}
    assert all(row["meaning"] and row["type"] for row in rows)
    assert {meaning_of(what, column) is None for column in header} == {False}
    if what == "gold":
        assert b"".join(gold(release)) == (tmp_path / "gold.csv").read_bytes()


def test_columns_of_labels_share_an_entry_and_own_fields_are_said_to_be_such() -> None:
    rows = list(csv.reader(io.StringIO(dictionary({"gold": ["item_id", "p:red", "p:a,b", "scene"]}).decode())))
    assert [row[1] for row in rows[1:]] == ["item_id", "p:{label}", "{field}"]


def test_the_page_of_the_manual_is_the_same() -> None:
    assert (place.ROOT / "docs" / "data-dictionary.md").read_text() == as_markdown()


@pytest.mark.django_db
def test_parquet_has_the_types_of_the_dictionary_or_says_what_to_install(tmp_path: Path) -> None:
    study, release, _ = a_released_study()
    out, said = tmp_path / "gold.parquet", io.StringIO()
    if importlib.util.find_spec("pyarrow") is None:
        with pytest.raises(SystemExit):
            call_command("export", study.slug, "gold", "--out", out, stdout=said, stderr=said)
        assert "pip install 'touchstone-annotation[parquet]'" in said.getvalue()
        assert not out.exists()
        return
    import pyarrow.parquet

    call_command("export", study.slug, "gold", "--out", out, stdout=said)
    table = pyarrow.parquet.read_table(out)
    assert str(table.schema.field("mean").type) == "double"
    assert str(table.schema.field("n").type) == "int64"
    expected = list(csv.DictReader(io.StringIO(b"".join(gold(release)).decode())))
    assert [str(one) for one in table.column("item_id").to_pylist()] == [row["item_id"] for row in expected]
    assert table.column("mean").to_pylist() == [float(row["mean"]) if row["mean"] else None for row in expected]


def test_the_dictionarys_file_is_among_those_of_an_analysis() -> None:
    from agreement.analysis.output_folder import OURS

    assert NAME in OURS
