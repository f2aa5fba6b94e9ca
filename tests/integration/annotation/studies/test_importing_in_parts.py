"""Large files of items: chunks let others write, nobody sees half of them, and what a dead process left goes."""

import datetime as dt
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from agreement.errors import Refused
from annotation.answering.judging import open_assignment
from annotation.models import AuditEntry, Item, ItemImport, OpenPlace, Study, User
from annotation.studies import importing_in_parts
from annotation.studies.completeness import what_is_missing
from annotation.studies.importing_in_parts import begin_import, discard_abandoned_imports, publish_import, write_chunk
from annotation.studies.item_files import NewItem
from annotation.studies.study_life import add_items, change_status
from tests.factories import a_person, a_small_study, a_study, an_answer

pytestmark = [pytest.mark.django_db, pytest.mark.both]
MANY = 2_500


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing_in_parts, "PAUSE_SECONDS", 0)


def rows(count: int, name: str = "new") -> list[NewItem]:
    return [{"item_id": f"{name}{k}", "fields": {"left": f"a{k}", "right": f"b{k}"}} for k in range(count)]


def half_imported(study: Study, count: int = 3) -> ItemImport:
    begun = begin_import(study=study, rows=count, by=None, source="items.csv")
    last = Item.everything.filter(study=study).count()
    write_chunk(item_import=begun, items=list(enumerate(rows(count, "half"), start=last + 1)))
    return begun


def test_large_import_brings_all_items_in_their_order_with_one_audit_row() -> None:
    study = a_small_study(items=2, live=False)
    assert add_items(study=study, items=rows(MANY), source="items.csv") == MANY
    ids = list(study.items.order_by("position").values_list("item_id", flat=True))
    assert ids == ["i0", "i1", *(f"new{k}" for k in range(MANY))]
    entry = AuditEntry.objects.filter(study=study, action=AuditEntry.Action.IMPORTED).latest("pk")
    assert entry.detail == {"items": MANY, "from": "items.csv"}
    assert ItemImport.objects.get().published_at is not None


def test_large_import_holds_no_transaction_of_more_than_a_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    write = importing_in_parts.write_chunk

    def noted(*, item_import: ItemImport, items: Any) -> None:
        seen.append(len(items))
        write(item_import=item_import, items=items)

    monkeypatch.setattr(importing_in_parts, "write_chunk", noted)
    add_items(study=a_small_study(items=1, live=False), items=rows(MANY), source="items.csv")
    assert seen == [1_000, 1_000, 500]


def test_large_import_into_an_open_study_opens_its_places() -> None:
    study = a_small_study(items=2, judgments_per_item=1)
    add_items(study=study, items=rows(MANY), source="items.csv")
    assert OpenPlace.objects.filter(study=study).count() == MANY + 2


def test_unpublished_items_are_seen_by_nobody(client: Client) -> None:
    study = a_small_study(items=2, judgments_per_item=1, live=False)
    half_imported(study)
    assert study.items.count() == Item.objects.filter(study=study).count() == 2
    assert Study.objects.filter(pk=study.pk, items__in=Item.objects.targets()).distinct().count() == 1
    assert list(what_is_missing(study)) == []
    change_status(study=study, status=Study.Status.LIVE)
    assert OpenPlace.objects.filter(study=study).count() == 2
    assert open_assignment(participation=a_person(study)).assigned_items.count() == 2

    client.force_login(User.objects.create_superuser("root"))
    page = client.get(f"/admin/annotation/item/?study={study.pk}")
    assert "i1" in page.text
    assert "half" not in page.text


def test_study_opened_during_an_import_gets_the_new_items_places() -> None:
    study = a_small_study(items=2, judgments_per_item=1, live=False)
    begun = half_imported(study)
    change_status(study=study, status=Study.Status.LIVE)
    assert publish_import(item_import=begun).status == Study.Status.LIVE
    assert study.items.count() == 5


def test_answers_are_saved_while_an_import_is_under_way() -> None:
    study = a_small_study(items=2, judgments_per_item=1)
    half_imported(study)
    assert an_answer(open_assignment(participation=a_person(study)), 1).revision == 1


def test_second_import_meanwhile_is_refused_small_or_large() -> None:
    study = a_small_study(items=2, live=False)
    half_imported(study)
    for count in (1, MANY):
        with pytest.raises(Refused, match=r"items\.csv \(3 items\) is being imported into .* Wait until it is done"):
            add_items(study=study, items=rows(count), source="other.csv")
    assert study.items.count() == 2
    assert add_items(study=a_small_study(items=1, live=False), items=rows(MANY), source="items.csv") == MANY


def test_two_unpublished_imports_of_a_study_are_refused_by_the_database() -> None:
    study = a_small_study(items=1, live=False)
    half_imported(study)
    with pytest.raises(IntegrityError), transaction.atomic():
        ItemImport.objects.create(study=study, rows=1, source="x")


def test_import_that_fails_half_way_leaves_nothing() -> None:
    study = a_small_study(items=2, live=False)
    broken: list[NewItem] = [*rows(MANY), {"item_id": "new0", "fields": {}}]
    with pytest.raises(Refused, match="has just been added"):
        add_items(study=study, items=broken, source="items.csv")
    assert Item.everything.filter(study=study).count() == 2
    assert not ItemImport.objects.exists()
    assert add_items(study=study, items=rows(MANY), source="items.csv") == MANY


def died(begun: ItemImport) -> None:
    ItemImport.objects.filter(pk=begun.pk).update(touched_at=timezone.now() - dt.timedelta(minutes=6))


def test_import_whose_process_died_is_cleared_up_by_the_purge() -> None:
    study = a_small_study(items=2, live=False)
    begun = half_imported(study)
    assert discard_abandoned_imports() == 0
    died(begun)
    assert discard_abandoned_imports() == 1
    assert Item.everything.filter(study=study).count() == 2
    with pytest.raises(Refused, match="no progress for too long"):
        write_chunk(item_import=begun, items=[(9, {"item_id": "late", "fields": {}})])
    with pytest.raises(Refused, match="Nothing was imported"):
        publish_import(item_import=begun)
    assert Item.everything.filter(study=study).count() == 2


def test_import_whose_process_died_is_cleared_up_by_the_next_one() -> None:
    study = a_small_study(items=2, live=False)
    died(half_imported(study))
    assert add_items(study=study, items=rows(MANY, "half"), source="items.csv") == MANY
    assert Item.everything.filter(study=study).count() == MANY + 2


def test_study_with_a_published_import_can_be_read_by_its_command(tmp_path: Any, capsys: Any) -> None:
    study = a_study(live=False)
    file = tmp_path / "items.csv"
    file.write_text("item_id,left,right\n" + "".join(f"n{k},a{k},b{k}\n" for k in range(MANY)))
    call_command("import_items", study.slug, str(file))
    assert f"{MANY} items were imported into" in capsys.readouterr().out
    assert study.items.filter(item_id="n7").exists()
