"""Exports by the API are of one moment, as those of the site and the command are."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from annotation.api.resources import exports
from annotation.releases.exports.export_choice import stream
from tests.factories import a_study, per_assignment_done
from tests.integration.annotation.api.scripts import Script
from tests.integration.annotation.releases.exports.test_streaming import in_small_parts
from tests.integration.researchers import a_researcher

pytestmark = pytest.mark.both


def is_in_a_transaction() -> bool:
    if connection.vendor == "postgresql":
        from psycopg.pq import TransactionStatus

        return bool(connection.connection.info.transaction_status != TransactionStatus.IDLE)
    return bool(connection.connection.in_transaction)


@pytest.mark.django_db(transaction=True)
def test_export_is_read_in_one_transaction_from_its_first_piece_to_its_last(monkeypatch: pytest.MonkeyPatch) -> None:
    study = a_study(owner=a_researcher())
    assert study.owner is not None
    per_assignment_done(study)
    in_small_parts(monkeypatch)
    read_in_a_transaction = []

    def watched(*of: Any, **options: Any) -> Iterator[bytes]:
        for piece in stream(*of, **options):
            read_in_a_transaction.append(is_in_a_transaction())
            yield piece

    monkeypatch.setattr(exports, "stream", watched)
    answer = Script(study.owner).get(f"studies/{study.slug}/exports/judgments/")

    assert not is_in_a_transaction()
    assert len(read_in_a_transaction) > 2
    assert all(read_in_a_transaction)
    assert len(answer.getvalue().splitlines()) > len(read_in_a_transaction)
