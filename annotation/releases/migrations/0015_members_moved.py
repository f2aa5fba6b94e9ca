"""The judgments of earlier runs and releases, a row each until now, move into portions."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import migrations, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

PORTION = 20_000
BITS = 8
# Those that were withdrawn since come last, for their keys are gone.
MEMBERS = """
SELECT m.judgment_uuid, j.id, g.id FROM agreement_runmember m
LEFT JOIN annotation_judgment j ON j.uuid = m.judgment_uuid
LEFT JOIN agreement_goldrelease r ON r.run_id = m.run_id
LEFT JOIN agreement_releasemember g ON g.release_id = r.id AND g.judgment_uuid = m.judgment_uuid
WHERE m.run_id = %s ORDER BY CASE WHEN j.id IS NULL THEN 1 ELSE 0 END, j.id, m.judgment_uuid
"""


def move_members(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """A run is moved whole or not at all, and one that was moved before is left as it is."""
    connection = schema_editor.connection
    runs = apps.get_model("agreement", "CleaningRun").objects.using(connection.alias)
    for run in runs.filter(frozen__isnull=True).select_related("release").order_by("pk"):
        with transaction.atomic(using=connection.alias):
            _move(apps, connection, run)


def _move(apps: Any, connection: Any, run: Any) -> None:
    frozen = apps.get_model("agreement", "FrozenJudgments").objects.using(connection.alias)
    in_gold = apps.get_model("agreement", "JudgmentsInGold").objects.using(connection.alias)
    release = getattr(run, "release", None)
    for position, rows in enumerate(_portions(connection, run.pk)):
        keys = [key or 0 for _, key, _ in rows]
        uuids = b"".join(UUID(str(uuid)).bytes for uuid, _, _ in rows)
        portion = frozen.create(run_id=run.pk, position=position, last_key=max(keys), keys=keys, uuids=uuids)
        if release is not None:
            bits = _packed([member is not None for _, _, member in rows])
            in_gold.create(release_id=release.pk, frozen_id=portion.pk, bits=bits)


def _portions(connection: Any, run: int) -> Iterator[list[tuple[Any, int | None, int | None]]]:
    with connection.cursor() as cursor:
        cursor.execute(MEMBERS, [run])
        while rows := cursor.fetchmany(PORTION):
            yield rows


def _packed(are_in: list[bool]) -> bytes:
    """A bit each, the first of a byte in its highest place."""
    text = "".join("1" if is_in else "0" for is_in in are_in)
    whole = text.ljust(-(-len(text) // BITS) * BITS, "0")
    return bytes(int(whole[at : at + BITS], 2) for at in range(0, len(whole), BITS))


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("agreement", "0014_frozen_judgments"), ("annotation", "0019_no_code_for_devices")]
    operations = [migrations.RunPython(move_members)]
