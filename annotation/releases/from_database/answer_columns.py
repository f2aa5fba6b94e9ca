"""What the database keeps, in the shapes of a `Crowd`: the same ones that a file gives."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pandas as pd
from django.db.models import QuerySet

from agreement.files.cell_texts import join_bars
from agreement.files.numbers import number_text
from agreement.judgments.crowd import ITEMS_A_PAGE, REPEATS_FIELD, SERVER_MS, Answers, Scale
from agreement.kinds.data import Labels, data_of
from annotation.database.rows import chunks
from annotation.models import Assignment, Item, Participation, Study
from annotation.releases.from_database.judgment_rows import Longs, Rows

# Answers as the database keeps them, in the shape that a `Crowd` has for their kind.

AnswerArray = npt.NDArray[np.generic]


def answers_of(study: Study, given: AnswerArray) -> tuple[Answers, Labels]:
    """[J] the answers, and the labels in the study's order (sorted where the study names none)."""
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    return data_of(study.kind).from_database(given, labels)


# What the database keeps, in the shapes of a `Crowd`: the same ones that a file gives.

KEYS_A_QUERY = 10_000


def items_of(study: Study, which: QuerySet[Item] | None = None) -> tuple[pd.DataFrame, Longs]:
    """[N] targets and checks in the study's order, and their keys; practice items never enter anything.

    A page may ask for `which` items alone.
    """
    items = study.items.exclude(kind=Item.Kind.PRACTICE) if which is None else which
    rows = list(
        items.order_by("position").values(
            "pk", "item_id", "kind", "check_name", "expected", "min", "max", "reference", "fields", "repeats__item_id"
        )
    )
    names = list(dict.fromkeys(name for row in rows for name in row["fields"]))
    columns: dict[str, list[str] | list[Decimal | None]] = {
        "item_id": [row["item_id"] for row in rows],
        "kind": [row["kind"] for row in rows],
        "check": [row["check_name"] or "" for row in rows],
        "expected": [join_bars(row["expected"] or []) for row in rows],
        "min": [_decimal(row["min"]) for row in rows],
        "max": [_decimal(row["max"]) for row in rows],
        "reference": [row["reference"] for row in rows],
        **{name: [_text(row["fields"].get(name, "")) for row in rows] for name in names},
    }
    if any(row["repeats__item_id"] for row in rows):
        columns[REPEATS_FIELD] = [row["repeats__item_id"] or "" for row in rows]
    return pd.DataFrame(columns, dtype=object), np.array([row["pk"] for row in rows], dtype=np.int64)


def workers_of(rows: Rows, others: Collection[int] = ()) -> tuple[pd.Index[str], npt.NDArray[np.int32], Longs]:
    """Pseudonyms in their own order (which is random), each judgment's code, and the participations' keys [W].

    `others` are participations without a judgment that are workers all the same.
    """
    used = np.union1d(rows.participation, np.array(list(others), dtype=np.int64))
    pseudonyms: dict[int, str] = dict(_pseudonyms(used))
    keys = np.array(sorted(used.tolist(), key=pseudonyms.__getitem__), dtype=np.int64)
    return pd.Index([pseudonyms[key] for key in keys.tolist()], dtype=object), codes_of(rows.participation, keys), keys


def codes_of(values: Longs, keys: Longs) -> npt.NDArray[np.int32]:
    """[J] the place of each value among `keys`, which are distinct."""
    order = np.argsort(keys)
    return order[np.searchsorted(keys, values, sorter=order)].astype(np.int32)


def extras_of(study: Study, rows: Rows) -> pd.DataFrame:
    """[J] times and assignments, told so that files may be published; texts that repeat are kept once.

    Times are cut to the minute: a platform that knows when somebody worked could name them by the microsecond. The rows
    stand in the order in which they were given. Assignments have running numbers within the study: their UUIDs are what
    the links to them sign.
    """
    used, codes = np.unique(rows.assignment, return_inverse=True)
    of_study = Assignment.objects.filter(participation__study=study).order_by("pk")
    begun = {
        key: (str(number), claimed_at, items_per_page)
        for number, (key, claimed_at, items_per_page) in enumerate(
            of_study.values_list("pk", "claimed_at", "items_per_page").iterator(), start=1
        )
    }
    names = pd.Index([begun[key][0] for key in used.tolist()], dtype=object)
    moments, moment = np.unique(rows.created_at.astype("datetime64[m]"), return_inverse=True)
    times = pd.Index(np.datetime_as_string(moments, unit="m", timezone="UTC").astype(object))
    extras = {
        "response_ms": rows.response_ms,
        "submitted_at": pd.Categorical.from_codes(moment.astype(np.int32), categories=times),
        "assignment_id": pd.Categorical.from_codes(codes.astype(np.int32), categories=names),
        **_by_the_server(rows, codes, [begun[key][1:] for key in used.tolist()]),
    }
    return pd.DataFrame(extras, index=pd.RangeIndex(len(rows.judgment)))


def _by_the_server(
    rows: Rows, codes: npt.NDArray[np.intp], begun: Sequence[tuple[dt.datetime, int | None]]
) -> dict[str, npt.NDArray[np.float64]]:
    """[J] how long the judgment's assignment took by the server's clock, from its first page to its last answer among
    `rows`, and how many items its pages have; nan where that is not known, and for simulated people, who take no time.

    `codes` [J] number the assignments, `begun` says of each when it was claimed and its items a page.
    """
    claimed = np.array([moment.astimezone(dt.UTC).replace(tzinfo=None) for moment, _ in begun], dtype="datetime64[us]")
    items = np.array([np.nan if count is None else count for _, count in begun], dtype=np.float64)[codes]
    last = np.full(len(begun), np.datetime64(0, "us"))
    np.maximum.at(last, codes, rows.created_at)
    took_ms = np.maximum((last - claimed) / np.timedelta64(1, "ms"), 0.0)[codes]
    known = ~np.isnan(items) & ~rows.is_simulated
    if not known.any():
        return {}
    return {SERVER_MS: np.where(known, np.round(took_ms), np.nan), ITEMS_A_PAGE: np.where(known, items, np.nan)}


def scale_of(study: Study) -> Scale | None:
    if not study.question_kind.has_scale or study.scale_low is None or study.scale_high is None:
        return None
    return Scale(_trimmed(study.scale_low), _trimmed(study.scale_high))


def _trimmed(number: Decimal) -> Decimal:
    """0.0000, as a decimal column gives it, is the 0 that a person wrote."""
    return Decimal(f"{Decimal(number).normalize():f}")


def _decimal(number: float | None) -> Decimal | None:
    return None if number is None else Decimal(number_text(number))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _pseudonyms(keys: Longs) -> Iterator[tuple[int, str]]:
    """Each participation's; in portions, for SQLite takes no more than 250,000 parameters."""
    for portion in chunks(keys.tolist(), KEYS_A_QUERY):
        yield from Participation.objects.filter(pk__in=portion).values_list("pk", "pseudonym")
