"""Exports by the API are of one moment, as those of the site and the command are."""

import pytest
from django.db import connection

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
    pieces = Script(study.owner).get(f"studies/{study.slug}/exports/judgments/").streaming_content

    assert not is_in_a_transaction()
    next(pieces)
    assert is_in_a_transaction()
    assert len(list(pieces)) > 1
    assert not is_in_a_transaction()
