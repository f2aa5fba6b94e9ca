"""Exports of any size: in parts with the same bytes, of one moment, and nobody is kept from saving meanwhile."""

import threading

import pytest
from django.db import connection

from agreement.analysis.output_tables import judgments_table
from agreement.files.writing import csv_chunks
from annotation.answering.judging import open_assignment
from annotation.entry.entering import enter, give_consent
from annotation.models import Judgment, Study
from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.exports import judgment_tables
from annotation.releases.exports.export_files import in_one_moment, one_moment
from annotation.releases.exports.judgment_stream import judgments
from annotation.releases.exports.release_tables import cleaning_of
from annotation.releases.from_database import judgment_rows
from annotation.releases.models import GoldRelease
from tests.factories import a_study, an_answer, per_assignment_done
from tests.integration.researchers import a_released_study

pytestmark = [pytest.mark.both, pytest.mark.concurrent]


def in_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    read = judgment_rows.rows_in_parts
    monkeypatch.setattr(
        judgment_tables, "rows_in_parts", lambda judgments, study, **how: read(judgments, study, 7, **how)
    )


def whole(source: Study | GoldRelease, *, only_kept: bool = False) -> bytes:
    cleaning = cleaning_of(source)
    return b"".join(csv_chunks(judgments_table(cleaning), cleaning.kept if only_kept else None))


@pytest.mark.django_db
@pytest.mark.parametrize("only_kept", [False, True])
def test_parts_have_the_bytes_of_the_whole(*, only_kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    study, release, _ = a_released_study()
    person = study.participations.order_by("pk").last()
    assert person is not None
    assert study.owner is not None
    exclude(participation=person, reason="too fast, I think", by=study.owner)
    second = clean_and_release(study=study, replicates=50, by=study.owner)
    in_small_parts(monkeypatch)
    for source in (study, release, second):
        streamed = list(judgments([source], only_kept=only_kept))
        assert b"".join(streamed) == whole(source, only_kept=only_kept)
        assert len(streamed) > 2


@pytest.mark.django_db
def test_a_study_without_judgments_has_the_header_alone() -> None:
    study = a_study()
    assert b"".join(judgments([study])) == whole(study)


def answered(study: Study, name: str) -> int:
    """A new person's first answer, saved now; returns how many judgments there are then."""
    person = enter(study=study, platform="direct", platform_id=name)
    give_consent(participation=person)
    an_answer(open_assignment(participation=person), 1)
    return Judgment.objects.count()


@pytest.mark.django_db(transaction=True)
def test_answers_are_saved_during_an_export_and_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The export is in the middle when another process saves an answer: that takes no longer, and isn't exported."""
    study = a_study()
    per_assignment_done(study)
    before = Judgment.objects.count()
    in_small_parts(monkeypatch)
    pieces = in_one_moment(lambda: judgments([study]))
    begun = [next(pieces), next(pieces)]
    counts: list[int] = []

    def another() -> None:
        try:
            counts.append(answered(study, "another"))
        finally:
            connection.close()

    saving = threading.Thread(target=another)
    saving.start()
    saving.join(20)
    assert counts == [before + 1]
    lines = b"".join([*begun, *pieces]).splitlines()
    assert len(lines) == 1 + before
    assert Judgment.objects.count() == before + 1


@pytest.mark.django_db(transaction=True)
def test_a_download_that_is_broken_off_ends_its_moment() -> None:
    study = a_study()
    per_assignment_done(study)
    pieces = in_one_moment(lambda: judgments([study]))
    next(pieces)
    pieces.close()
    assert answered(study, "after it")


@pytest.mark.django_db(transaction=True)
def test_nothing_is_written_within_a_moment() -> None:
    study = a_study()
    if connection.vendor == "postgresql":
        with pytest.raises(Exception, match="read-only transaction"), one_moment():
            Study.objects.filter(pk=study.pk).update(title="other")
    else:
        with one_moment():
            Study.objects.filter(pk=study.pk).update(title="other")
    study.refresh_from_db()
    assert study.title != "other"
