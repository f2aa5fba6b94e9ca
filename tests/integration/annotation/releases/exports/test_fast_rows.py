"""Exports in parts have the bytes of rows that are joined one by one, whatever is in their cells; and start light."""

import json
import subprocess
import sys
from typing import Any

import pytest

from agreement.analysis.output_tables import judgments_table
from agreement.files.writing import csv_cell
from agreement.kinds.registry import KINDS, QUESTION_KINDS
from annotation.models import Label, Study
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.exports.judgment_stream import Form, judgments
from annotation.releases.exports.release_tables import cleaning_of
from tests.integration.agreement.crowds import a_study_of, answers, came, judged
from tests.integration.annotation.releases.exports.test_streaming import in_small_parts
from tools import place

pytestmark = pytest.mark.both

LONG = 'a long answer, with "quotes", a comma and é, ' * 3
LABELS = ("=1+1", 'say "x", twice', "two\nlines", "日本語", "-5")
ITEMS = ("i1", "=sum", 'a "b", c', "two\nlines\ttabs", "é" * 60, "-1e3", "'+x")
# What each kind's column of judgments holds; the floats that are written in another way than most.
GIVEN: dict[str, list[Any]] = {
    "slider": [0.0, -0.0, 57.0, 4.6, 1e-05, 33.333333333333336, 99.99999999999999],
    "choice": [*LABELS, "-5", "=1+1"],
    "verify": ["true", "false", "true", "true", "false", "false", "true"],
    "choices": [["日本語"], ["-5"], ["=1+1", "two\nlines"], [*LABELS], ["日本語"], ["-5"], ["-5", "日本語"]],
    "ranking": [[*LABELS], [*reversed(LABELS)]] * 3 + [[*LABELS]],
    "list": [["é"], ["a|b", "c\\d"], ["=x", LONG], ["two\nlines"], ["\ttab"], ["é"], [" a ", "a"]],
    "sliders": [dict.fromkeys(LABELS, at) for at in (0.0, 57.0, 4.6, 1e-05, 12.5, 100.0, 0.1)],
    "text": ["=1+1", LONG, "two\nlines", 'say "x"', "é", "'=", "\\N"],
}


def labels_of(kind: str) -> tuple[str, ...]:
    return ("false", "true") if kind == "verify" else LABELS if KINDS[kind].has_labels else ()


def a_crowd(kind: str) -> Study:
    """Two people, one of whom is excluded for a reason that needs quotes; times with and without, and a revision."""
    study = a_study_of(
        kind, [{"item_id": item} for item in ITEMS], [name.replace("\n", " ") for name in labels_of(kind)]
    )
    Label.objects.filter(study=study, value="two lines").update(value="two\nlines")  # as earlier versions took it
    column = KINDS[kind].column
    given = dict(zip(ITEMS, GIVEN[kind], strict=True))
    answers(came(study, "ann"), column, given, response_ms=None)
    ben = came(study, "=ben")
    last = answers(ben, column, given, response_ms=1234)[-1]
    judged(last.assigned_item, column, GIVEN[kind][0], revision=2, response_ms=None)
    exclude(participation=ben, reason='too "fast",\nI think; ' * 4, by=None)
    return study


def plain_rows(study: Study) -> tuple[list[str], list[list[str]]]:
    """The table of the whole crowd, read by the way that analyses read it, as texts."""
    table = judgments_table(cleaning_of(study))
    return list(table), [list(row) for row in zip(*(column.text() for column in table.values()), strict=True)]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_every_kind_has_the_bytes_of_rows_joined_one_by_one(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = a_crowd(kind)
    names, rows = plain_rows(study)
    assert len(rows) == 14
    as_csv = "".join(",".join(map(csv_cell, row)) + "\n" for row in [names, *rows]).encode()
    as_json = "".join(
        json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) + "\n" for row in rows
    ).encode()
    for parts in (False, True):
        if parts:
            in_small_parts(monkeypatch)
        assert b"".join(judgments([study])) == as_csv
        assert b"".join(judgments([study], form=Form(as_json_lines=True))) == as_json


@pytest.mark.django_db
def test_times_of_the_server_stay_with_those_who_took_time() -> None:
    """One assignment with a number of items per page, one without, and simulated answers among them."""
    study = a_study_of("slider", [{"item_id": item} for item in ITEMS])
    given = dict.fromkeys(ITEMS, 50.0)
    for name, input_kind, items_per_page in (("ann", "mouse", 5), ("ben", "simulated", 5), ("eve", "touch", None)):
        person = came(study, name)
        answers(person, "number", given, input_kind=input_kind)
        person.assignments.update(items_per_page=items_per_page)
    names, rows = plain_rows(study)
    assert {"server_ms", "items_per_page"} < set(names)
    assert {row[0] for row in rows if row[names.index("items_per_page")]} == {"ann"}
    as_csv = "".join(",".join(map(csv_cell, row)) + "\n" for row in [names, *rows]).encode()
    assert b"".join(judgments([study])) == as_csv


def test_an_export_of_judgments_starts_without_the_packages_of_analyses() -> None:
    code = (
        "import sys, django; django.setup();"
        "import annotation.releases.exports.export_choice, annotation.releases.exports.export_choice;"
        "import annotation.releases.actions.freezing;"
        "import agreement.cleaning.rule_set, agreement.report.data_dictionary;"
        "print(sorted({'pandas', 'scipy', 'annotation.pages.admin'} & set(sys.modules)))"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        cwd=place.ROOT,
        env={"DJANGO_SETTINGS_MODULE": "config.settings", "TOUCHSTONE_DATABASE_URL": "sqlite:///:memory:"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.strip() == "[]"
