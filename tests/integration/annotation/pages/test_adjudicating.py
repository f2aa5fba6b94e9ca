"""A researcher's own answer to an item: read as any answer of its kind, kept beside the crowd's, exported by itself."""

import csv
import io
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from agreement.errors import Refused
from agreement.kinds.registry import QUESTION_KINDS
from annotation.models import AuditEntry, Item, Study
from annotation.releases.actions.adjudicating import SavedMeanwhile, adjudicate, remove_adjudication
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_choice import stream
from annotation.releases.exports.release_tables import gold
from annotation.releases.models import Adjudication
from tests.integration.agreement.crowds import a_slider_crowd
from tests.integration.annotation.releases.exports.test_exports import a_crowd_of
from tests.integration.researchers import a_researcher, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
# What a form sends for one good answer of each kind, and how that is read back.
FIELDS: dict[str, tuple[dict[str, list[str]], str]] = {
    "slider": ({"number": ["12.5"]}, "12.5"),
    "sliders": ({"number:red": ["1"], "number:=blue": ["2"], "number:a green": ["3"]}, "1"),
    "choice": ({"label": ["red"]}, "red"),
    "choices": ({"labels": ["red", "a green"]}, "red"),
    "verify": ({"label": ["true"]}, "true"),
    "list": ({"properties": ["is red\nhas legs"]}, "is red|has legs"),
    "text": ({"text": ["a cat"]}, "a cat"),
    "ranking": ({"place:red": ["2"], "place:=blue": ["1"], "place:a green": ["3"]}, "=blue"),
}


def an_item(study: Study, item_id: str = "i1") -> Item:
    return study.items.select_related("study").get(item_id=item_id)


def at(item: Item) -> str:
    return reverse("agreement:item", args=[item.study.uuid, item.uuid])


def editor(study: Study) -> Client:
    return signed_in(a_researcher(study, "editor"))


def exported(study: Study) -> list[dict[str, str]]:
    content = b"".join(stream(study, "adjudications", release=None)).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(content)))


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_every_kind_takes_an_answer_shows_it_and_exports_it(kind: str) -> None:
    study = a_crowd_of(kind)
    item, client = an_item(study), editor(study)
    names = [field for field in client.get(at(item)).text.split('name="') if field.startswith("a-")]
    fields, text = FIELDS[kind]
    assert {name.split('"')[0].removeprefix("a-") for name in names} >= set(fields)

    sent = {**{f"a-{name}": values for name, values in fields.items()}, "why": "I know it", "seen": "0"}
    answer = client.post(at(item), sent)

    assert answer.status_code == 302, answer.context["problem"]
    (row,) = exported(study)
    assert (row["item_id"], row["why"]) == ("i1", "I know it")
    assert text in {value.removeprefix("'") for value in row.values()} or text in row.get("value", "")
    assert "I know it" in client.get(at(item)).text
    assert AuditEntry.objects.filter(study=study, detail__adjudicated="i1", why="I know it").count() == 1


@pytest.mark.parametrize(
    ("sent", "field", "sentence"),
    [
        ({"a-number": "140", "why": "so"}, "number", "from 0 to 100"),
        ({"a-number": "ninety", "why": "so"}, "number", "give a number"),
        ({"a-number": "", "why": "so"}, "number", "place your answer"),
        ({"a-number": "20", "why": "x" * 2_001}, "why", "at most 2000"),
    ],
)
def test_what_cannot_be_taken_is_said_beside_its_field_and_what_was_typed_is_kept(
    sent: dict[str, str], field: str, sentence: str
) -> None:
    study = a_slider_crowd()
    answer = editor(study).post(at(an_item(study)), {**sent, "seen": "0"})
    assert answer.status_code == 422
    assert answer.context["problem"].field == field
    assert sentence in answer.text
    assert f'value="{sent["a-number"]}"' in answer.text
    assert answer.context["why"] == sent["why"]
    assert not Adjudication.objects.exists()


def test_a_change_is_another_row_and_the_first_stays() -> None:
    study = a_slider_crowd()
    item, by = an_item(study), a_researcher()
    adjudicate(item=item, fields={"number": ["20"]}, why="first", by=by, seen=0)
    adjudicate(item=item, fields={"number": ["30"]}, why="second", by=by, seen=1)
    assert list(Adjudication.objects.order_by("pk").values_list("revision", "number")) == [(1, 20.0), (2, 30.0)]
    assert [row["value"] for row in exported(study)] == ["30"]
    remove_adjudication(item=item, why="no longer sure", by=by, seen=2)
    assert exported(study) == []
    assert Adjudication.objects.count() == 3
    assert not Adjudication.objects.in_force().exists()


def test_of_two_at_once_the_second_is_refused_and_loses_nothing() -> None:
    study = a_slider_crowd()
    item, client = an_item(study), editor(study)
    adjudicate(item=item, fields={"number": ["20"]}, why="the other's", by=a_researcher(), seen=0)
    answer = client.post(at(item), {"a-number": "70", "why": "mine", "seen": "0"})
    assert answer.status_code == 422
    assert "in the meantime" in answer.text
    assert "the other&#x27;s" in answer.text
    assert 'value="70"' in answer.text
    assert answer.context["seen"] == 1
    assert client.post(at(item), {"a-number": "70", "why": "mine", "seen": "1"}).status_code == 302
    with pytest.raises(SavedMeanwhile):
        adjudicate(item=item, fields={"number": ["1"]}, why="late", by=None, seen=1)


def test_checks_and_practice_are_not_adjudicated() -> None:
    study = a_slider_crowd()
    with pytest.raises(Refused, match="only items that are judged"):
        adjudicate(item=an_item(study, "u1"), fields={"number": ["1"]}, why="so", by=None, seen=0)
    assert "Your own answer" not in editor(study).get(at(an_item(study, "u1"))).text


def test_a_viewer_reads_it_and_may_not_write_it() -> None:
    study = a_slider_crowd()
    adjudicate(item=an_item(study), fields={"number": ["20"]}, why="seen by all", by=a_researcher(), seen=0)
    client = signed_in(a_researcher(study, "viewer"))
    said = client.get(at(an_item(study))).text
    assert "seen by all" in said
    assert "Save the answer" not in said
    assert client.post(at(an_item(study)), {"a-number": "1", "why": "x", "seen": "1"}).status_code == 403


def test_gold_and_its_hash_stay_and_the_bundle_has_what_stood_at_the_release() -> None:
    study = a_slider_crowd()
    without = clean_and_release(study=study, replicates=50)
    adjudicate(item=an_item(study), fields={"number": ["20"]}, why="so", by=None, seen=0)
    release = clean_and_release(study=study, replicates=50)
    assert release.sha256 == without.sha256
    assert b"".join(gold(release)) == b"".join(gold(without))
    assert b"adjudications.csv" in b"".join(bundle(release))
    assert b"adjudications.csv" not in b"".join(bundle(without))
    adjudicate(item=an_item(study, "i2"), fields={"number": ["1"]}, why="later", by=None, seen=0)
    assert b"".join(bundle(release)) == b"".join(bundle(release))


def test_it_is_downloaded_and_entered_in_the_record() -> None:
    study = a_slider_crowd()
    adjudicate(item=an_item(study), fields={"number": ["20"]}, why="=so", by=a_researcher(), seen=0)
    answer = editor(study).get(reverse("agreement:adjudications", args=[study.uuid]))
    assert b"'=so" in answer.getvalue()
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EXPORTED, detail__what="adjudications").exists()


def test_the_database_keeps_it_append_only_and_whole() -> None:
    study = a_slider_crowd()
    row = adjudicate(item=an_item(study), fields={"number": ["20"]}, why="so", by=None, seen=0)
    with pytest.raises(DatabaseError), transaction.atomic():
        Adjudication.objects.filter(pk=row.pk).update(number=1)
    values: dict[str, Any] = {"study": study, "item": row.item, "why": "so"}
    for wrong in (
        {"revision": 1, "number": 1.0},
        {"revision": 2},
        {"revision": 2, "number": 1.0, "label": "red"},
        {"revision": 2, "labels": []},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Adjudication.objects.create(**{**values, **wrong})
