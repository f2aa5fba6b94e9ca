"""The judgments that a run froze and those of them that went into gold, written and read a portion at a time.

With a row per judgment a million of them took 6 s to freeze and 1 s to release, in one transaction each, and 220 MB.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from django.db import connection

from annotation.models import Judgment
from annotation.releases.models import CleaningRun, FrozenJudgments, GoldRelease, JudgmentsInGold

PORTION = 20_000
SETTLED = "judgments_settled"  # in a run's counts: up to which number it has seen all judgments that there are
Keys = npt.NDArray[np.int64]


def frozen_keys(run: CleaningRun, after: int = 0) -> Keys:
    """The keys of the judgments that a run froze, in order; only those that are higher than `after`."""
    portions = run.frozen.filter(last_key__gt=after).values_list("keys", flat=True)
    parts = [np.array(keys, dtype=np.int64) for keys in portions.iterator(chunk_size=1)]
    keys = np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)
    return keys[keys > after]


def portion_of(run: CleaningRun, position: int, keys: Sequence[int]) -> FrozenJudgments:
    """Those of these judgments that are still there, not stored yet: that takes one short insert."""
    found, uuids = _uuids(keys)
    last = found[-1] if found else 0
    return FrozenJudgments(run=run, position=position, last_key=last, keys=found, uuids=uuids)


def _uuids(keys: Sequence[int]) -> tuple[list[int], bytes]:
    """The keys that are there, in order, and 16 bytes for each."""
    table = Judgment._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            both = "array_agg(id ORDER BY id), string_agg(uuid_send(uuid), ''::bytea ORDER BY id)"
            cursor.execute(f"SELECT {both} FROM {table} WHERE id = ANY(%s)", [list(keys)])  # noqa: S608 - our own names
            found, uuids = cursor.fetchone()
            return found or [], bytes(uuids or b"")
        among = "id IN (SELECT value FROM json_each(%s))"
        cursor.execute(f"SELECT id, uuid FROM {table} WHERE {among} ORDER BY id", [json.dumps(list(keys))])  # noqa: S608
        rows = cursor.fetchall()
        return [key for key, _ in rows], bytes.fromhex("".join(uuid for _, uuid in rows))


def bits_in_gold(run: CleaningRun, keys: Keys) -> list[tuple[int, bytes]] | None:
    """For each portion of the run, by its number, which of its judgments are among `keys`, which are in order; None
    where one of those is in no portion.
    """
    bits, found = [], 0
    for portion, frozen in run.frozen.order_by("position").values_list("pk", "keys"):
        is_in = np.isin(np.array(frozen, dtype=np.int64), keys)
        found += int(is_in.sum())
        bits.append((portion, np.packbits(is_in).tobytes()))
    return bits if found == len(keys) else None


def store_in_gold(release: GoldRelease, bits: Sequence[tuple[int, bytes]]) -> None:
    JudgmentsInGold.objects.bulk_create(
        JudgmentsInGold(release=release, frozen_id=portion, bits=of_portion) for portion, of_portion in bits
    )
