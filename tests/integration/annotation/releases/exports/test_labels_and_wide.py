"""labels.csv, with the counts of each label, and wide.csv, with a column per worker."""

import csv
import io
import json
from collections.abc import Iterable

import pytest

from agreement.errors import Refused
from annotation.models import Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.exports.export_choice import stream
from annotation.releases.exports.judgment_stream import Form
from tests.integration.agreement.crowds import a_study_of, answers, came

pytestmark = pytest.mark.django_db
GIVEN = {
    "ann": {"fern": "green", "brick": "red"},
    "ben": {"fern": "green", "brick": "green"},
    "eve": {"fern": "red"},
    "zoe": {"fern": "red", "brick": "red"},
}


@pytest.fixture
def study() -> Study:
    study = a_study_of("choice", [{"item_id": "fern"}, {"item_id": "brick"}], ["green", "red"], judgments_per_item=9)
    for who, given in GIVEN.items():
        answers(came(study, who), "label", given)
    exclude(participation=study.participations.get(pseudonym="zoe"), reason="a colleague", by=None)
    return study


def rows(pieces: Iterable[bytes]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(pieces).decode())))


def test_labels_are_the_counts_of_the_kept(study: Study) -> None:
    release = clean_and_release(study=study, replicates=20)
    assert rows(stream(study, "labels", release=release)) == [
        {"item_id": "fern", "n": "3", "n:green": "2", "n:red": "1"},
        {"item_id": "brick", "n": "2", "n:green": "1", "n:red": "1"},
    ]


def test_wide_has_a_column_for_everybody_who_is_kept(study: Study) -> None:
    release = clean_and_release(study=study, replicates=20)
    assert rows(stream(study, "wide", release=release)) == [
        {"item_id": "fern", "ann": "green", "ben": "green", "eve": "red"},
        {"item_id": "brick", "ann": "red", "ben": "green", "eve": ""},
    ]
    lines = b"".join(stream(study, "wide", release=release, form=Form(as_json_lines=True))).splitlines()
    assert json.loads(lines[1]) == {"item_id": "brick", "ann": "red", "ben": "green", "eve": ""}


def test_labels_of_numbers_are_refused_in_a_sentence() -> None:
    study = a_study_of("slider", [{"item_id": f"i{n}"} for n in range(3)], judgments_per_item=9)
    for who in ("ann", "ben"):
        answers(came(study, who), "number", {f"i{n}": 10.0 * n for n in range(3)})
    release = clean_and_release(study=study, replicates=20)
    with pytest.raises(Refused, match="Counts of labels are made of labels"):
        stream(study, "labels", release=release)
    with pytest.raises(Refused, match="Norms are made of lists of properties"):
        stream(study, "norms", release=release)
    assert rows(stream(study, "wide", release=release))[1] == {"item_id": "i1", "ann": "10", "ben": "10"}


def test_nothing_is_released_yet(study: Study) -> None:
    for what in ("labels", "wide"):
        with pytest.raises(Refused, match="no gold release yet"):
            stream(study, what, release=None)
