"""What releases quote of people, for kinds text and list, goes when they withdraw, and stays while somebody said it."""

import hashlib
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from annotation.models import Participation
from annotation.people.leaving import withdraw
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.scoring_probes import add_probe, score_here
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_choice import stream
from annotation.releases.exports.judgment_stream import Form
from annotation.releases.exports.release_tables import gold
from annotation.releases.models import GoldLabel, GoldRelease, Quote, Scoring
from annotation.releases.release_quotes import seal
from tests.integration.agreement.crowds import a_study_of, answers, came

pytestmark = [pytest.mark.django_db, pytest.mark.both]
ITEMS = [{"item_id": "i1", "fields": {"object": "fern"}}, {"item_id": "i2", "fields": {"object": "brick"}}]
SECRET = "Zacharias Quill grew up beside it"
SAID: dict[str, dict[str, dict[str, Any]]] = {
    "text": {
        "ann": {"i1": SECRET, "i2": "a red brick"},
        "ben": {"i1": "a green fern", "i2": "a red brick"},
        "kim": {"i1": "it is a fern", "i2": "a stone"},
    },
    "list": {
        "ann": {"i1": [SECRET, "is green"], "i2": ["is red", "Is  RED."]},
        "ben": {"i1": ["is green", "has leaves"], "i2": ["is red"]},
        "kim": {"i1": ["has leaves"], "i2": ["is hard"]},
    },
}
FILES = ("gold", "judgments", "workers")
BOTH = pytest.mark.parametrize("kind", ["text", "list"])


def a_release(kind: str) -> GoldRelease:
    study = a_study_of(kind, ITEMS, judgments_per_item=3)
    for name, given in SAID[kind].items():
        answers(came(study, name), "text" if kind == "text" else "properties", given)
    return clean_and_release(study=study, rules=None, replicates=50)


def person(release: GoldRelease, name: str) -> Participation:
    return release.study.participations.get(pseudonym=name)


def csv_of(release: GoldRelease) -> str:
    return b"".join(gold(release)).decode()


def everything_stored() -> str:
    """Every row of every table, as text."""
    told = []
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            cursor.execute(f'SELECT * FROM "{model._meta.db_table}"')  # noqa: S608 - our own names
            told += [str(row) for row in cursor.fetchall()]
    return "\n".join(told).casefold()


def everything_that_goes_out(release: GoldRelease) -> str:
    archive = zipfile.ZipFile(io.BytesIO(b"".join(bundle(release, with_participants=True))))
    told = [archive.read(name) for name in archive.namelist()]
    for what in ("gold", "judgments", "workers"):
        told += [
            b"".join(stream(release.study, what, release=release, form=form))
            for form in (Form(), Form(as_json_lines=True))
        ]
    return b"\n".join(told).decode().casefold()


@BOTH
def test_release_that_quotes_gives_the_bytes_that_its_hash_was_taken_of(kind: str) -> None:
    release = a_release(kind)
    assert hashlib.sha256(b"".join(gold(release))).hexdigest() == release.sha256
    assert SECRET.casefold() in csv_of(release).casefold()


@BOTH
def test_lines_of_a_release_hold_salted_digests_and_no_text(kind: str) -> None:
    release = a_release(kind)
    lines = "\n".join(str(cells) for cells in GoldLabel.objects.values_list("cells", flat=True)).casefold()
    for quote in release.quotes.all():
        assert quote.text.casefold() not in lines
        assert quote.digest in lines
        assert quote.digest == seal(quote.text, quote.salt)
        assert hashlib.sha256(quote.text.encode()).hexdigest() not in lines


@BOTH
def test_withdrawal_leaves_nothing_of_what_only_that_person_wrote(kind: str) -> None:
    release = a_release(kind)
    assert SECRET.casefold() in everything_stored()
    assert SECRET.casefold() in everything_that_goes_out(release)

    withdraw(participation=person(release, "ann"))

    assert SECRET.casefold() not in everything_stored()
    assert SECRET.casefold() not in everything_that_goes_out(release)


def test_texts_of_others_stay_word_for_word_also_where_they_are_the_same() -> None:
    release = a_release("text")
    withdraw(participation=person(release, "ann"))
    assert [line.split(",")[:2] for line in csv_of(release).splitlines()[1:]] == [
        ["i1", "a green fern"], ["i1", "it is a fern"], ["i2", "a red brick"], ["i2", "a stone"],
    ]  # fmt: skip


def test_erratum_claims_of_no_text_that_nobody_else_wrote_it() -> None:
    release = a_release("text")
    withdraw(participation=person(release, "ann"))
    assert release.lost_lines()["i2"] == 1, "her own line of the text that ben wrote too"
    assert "nobody else" not in release.erratum()


def test_properties_that_others_named_too_stay_as_they_were_counted() -> None:
    release = a_release("list")
    withdraw(participation=person(release, "ann"))
    assert [line.split(",")[:4] for line in csv_of(release).splitlines()[1:]] == [
        ["i1", "has leaves", "2", "3"], ["i1", "is green", "2", "3"],
        ["i2", "is red", "2", "3"], ["i2", "is hard", "1", "3"],
    ]  # fmt: skip


def test_lines_go_when_the_last_who_said_them_withdraws() -> None:
    release = a_release("list")
    for name in ("ann", "ben"):
        withdraw(participation=person(release, name))
    assert "is green" not in csv_of(release)
    assert "has leaves" in csv_of(release)


@BOTH
def test_erratum_names_the_items_and_keeps_the_hash_that_was_published(kind: str) -> None:
    release = a_release(kind)
    assert release.lost_lines() == {}
    withdraw(participation=person(release, "ann"))

    lines = 2 if kind == "text" else 1  # both of ann's texts are lines of their own
    assert sum(release.lost_lines().values()) == lines
    erratum = release.erratum()
    what = "were texts of people who withdrew" if kind == "text" else "quoted what nobody else had said"
    assert f"{lines} line{'s' if lines > 1 else ''} of its gold.csv {what}" in erratum
    assert f"whose SHA-256 is {release.sha256}" in erratum
    assert "It stands as it was published" not in erratum
    assert GoldRelease.objects.get().sha256 == release.sha256
    readme = zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))).read("README.txt").decode()
    assert f"SHA-256 of gold.csv as it was published, see below: {release.sha256}" in readme
    assert erratum in readme


def test_release_of_which_others_said_all_stands_as_published() -> None:
    study = a_study_of("list", ITEMS, judgments_per_item=3)
    for name in ("ann", "ben"):
        answers(came(study, name), "properties", {"i1": ["is green"], "i2": ["is red"]})
    release = clean_and_release(study=study, replicates=50)
    before = csv_of(release)
    withdraw(participation=person(release, "ann"))
    assert csv_of(release) == before
    assert "It stands as it was published." in release.erratum()


def test_next_release_quotes_only_those_who_are_there() -> None:
    release = a_release("text")
    withdraw(participation=person(release, "ann"))
    following = clean_and_release(study=release.study, replicates=50)
    assert following.erratum() == ""
    assert hashlib.sha256(b"".join(gold(following))).hexdigest() == following.sha256
    assert not Quote.objects.filter(text=SECRET).exists()


def test_model_that_is_scored_after_a_withdrawal_is_told_which_references_are_gone(tmp_path: Path) -> None:
    release = a_release("text")
    withdraw(participation=person(release, "ann"))
    path = tmp_path / "captions.csv"
    path.write_text("item_id,text\ni1,a green fern\ni2,a red brick\n")
    add_probe(study=release.study, name="parrot", file=path)
    score_here(release=release, seed=1)
    (notes,) = Scoring.objects.values_list("notes", flat=True)
    assert any("were texts of people who withdrew" in note for note in notes)


def test_quotes_can_be_erased_and_never_changed() -> None:
    a_release("text")
    with pytest.raises(Exception, match="append-only"):
        Quote.objects.update(text="something else")
