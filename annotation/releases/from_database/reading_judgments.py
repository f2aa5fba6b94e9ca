"""From a study's rows, or a frozen run's, to a `Crowd`; and every current answer to a few items."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pandas as pd
from django.db.models import QuerySet

from agreement.cleaning.check_items import Checks
from agreement.files.cell_texts import join_bars
from agreement.files.numbers import number_text
from agreement.judgments.crowd import (
    CONFIDENCE,
    COULD_NOT_SEE,
    ITEMS_A_PAGE,
    MEDIA_USE,
    REPEATS_FIELD,
    SERVER_MS,
    SHOWN_ORDER,
    SHOWN_POSITION,
    Answers,
    Crowd,
    Mask,
    Scale,
    answer_texts,
)
from agreement.judgments.property_coding import Coding
from agreement.kinds.data import Labels, data_of
from agreement.kinds.label_lists import UnknownLabel
from agreement.kinds.options import (
    has_own_labels,
    in_options,
    labels_of_item,
    most_options,
    options_of_items,
    own_labels,
)
from agreement.kinds.statistics import statistics_of
from annotation.answering.practice import RIGHT, WRONG
from annotation.database.rows import chunks
from annotation.models import Assignment, Item, Judgment, Label, Participation, Study
from annotation.models.judgment import JudgmentQuerySet
from annotation.releases.actions.freezing import frozen_keys
from annotation.releases.from_database.judgment_rows import (
    BesideAnswers,
    Longs,
    Rows,
    counted_judgments,
    frozen_judgments,
    read_rows,
    unseen_by_person_in,
)
from annotation.releases.models import CleaningRun, PropertyCode

# Answers as the database keeps them, in the shape that a `Crowd` has for their kind.

AnswerArray = npt.NDArray[np.generic]


def answers_of(
    study: Study, stored: AnswerArray, items: pd.DataFrame, item: npt.NDArray[np.int32]
) -> tuple[Answers, Labels]:
    """[J] the answers, and the labels in the study's order, sorted where it names none; of labels of items' own their
    numbers. `item` [J] are the rows of `items` that the answers are of.
    """
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    answers, used = data_of(study.kind).from_database(stored, labels)
    options = options_of_items(study.kind, labels, items)
    if options is None:
        return answers, used
    places = in_options(np.asarray(answers), used, item, options)
    if (places < 0).any():
        first = int(np.flatnonzero(places < 0)[0])
        raise UnknownLabel(
            f"An answer to item {items['item_id'].iloc[int(item[first])]} is {used[int(np.asarray(answers)[first])]},"
            " which the item's options do not have."
        )
    return places, own_labels(most_options(options))


# What the database keeps, in the shapes of a `Crowd`: the same ones that a file gives.

KEYS_A_QUERY = 10_000
OF_PRACTICE = frozenset({RIGHT, WRONG})  # fields that say nothing of an item that is judged


def items_of(study: Study, which: QuerySet[Item] | None = None) -> tuple[pd.DataFrame, Longs]:
    """[N] targets and the question's checks in the study's order, and their keys; practice items never enter anything.

    A page may ask for `which` items alone.
    """
    items = study.items.asked_about(study.asked_number) if which is None else which
    rows = list(
        items.order_by("position").values(
            "pk", "item_id", "kind", "check_name", "expected", "min", "max", "reference", "fields", "repeats__item_id"
        )
    )
    names = [name for name in dict.fromkeys(name for row in rows for name in row["fields"]) if name not in OF_PRACTICE]
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
    assignments = {
        key: (str(number), claimed_at, items_per_page)
        for number, (key, claimed_at, items_per_page) in enumerate(
            of_study.values_list("pk", "claimed_at", "items_per_page").iterator(), start=1
        )
    }
    names = pd.Index([assignments[key][0] for key in used.tolist()], dtype=object)
    moments, moment = np.unique(rows.created_at.astype("datetime64[m]"), return_inverse=True)
    times = pd.Index(np.datetime_as_string(moments, unit="m", timezone="UTC").astype(object))
    extras = {
        "response_ms": rows.response_ms,
        "submitted_at": pd.Categorical.from_codes(moment.astype(np.int32), categories=times),
        "assignment_id": pd.Categorical.from_codes(codes.astype(np.int32), categories=names),
        **_server_times(rows, codes, [assignments[key][1:] for key in used.tolist()]),
    }
    return pd.DataFrame(extras, index=pd.RangeIndex(len(rows.judgment)))


def _server_times(
    rows: Rows, codes: npt.NDArray[np.intp], claims: Sequence[tuple[dt.datetime, int | None]]
) -> dict[str, npt.NDArray[np.float64]]:
    """[J] how long the judgment's assignment took by the server's clock, from its first page to its last answer among
    `rows`, and how many items its pages have; nan where that is not known, and for simulated people, who take no time.

    `codes` [J] number the assignments, `claims` say of each when it was claimed and its items a page.
    """
    claimed = np.array([moment.astimezone(dt.UTC).replace(tzinfo=None) for moment, _ in claims], dtype="datetime64[us]")
    items = np.array([np.nan if count is None else count for _, count in claims], dtype=np.float64)[codes]
    last = np.full(len(claims), np.datetime64(0, "us"))
    np.maximum.at(last, codes, rows.created_at)
    took_ms = np.maximum((last - claimed) / np.timedelta64(1, "ms"), 0.0)[codes]
    known = ~np.isnan(items) & ~rows.is_simulated
    if not known.any():
        return {}
    return {SERVER_MS: np.where(known, np.round(took_ms), np.nan), ITEMS_A_PAGE: np.where(known, items, np.nan)}


def scale_of(study: Study) -> Scale | None:
    if not study.question_kind.has_scale or study.scale_low is None or study.scale_high is None:
        return None
    return Scale(_trimmed_decimal(study.scale_low), _trimmed_decimal(study.scale_high))


def _trimmed_decimal(number: Decimal) -> Decimal:
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


PEOPLE_PER_QUERY = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A crowd and the rows that it came from: the keys of its judgments [J], participations [W] and items [N]."""

    crowd: Crowd
    judgments: Longs
    participations: Longs
    items: Longs

    @property
    def judging(self) -> Longs:
        """The participations that have a judgment: not those who saw no picture."""
        return self.participations[np.unique(self.crowd.worker)]


def crowd_of(source: Study | CleaningRun) -> Crowd:
    """The judgments of a study that count now, or those that a cleaning run froze; workers by their pseudonyms."""
    return frame_of(source).crowd


def checks_of(study: Study) -> Checks:
    """The study's check items and labels, against which a rule set is held before any answer is read."""
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    items, _keys = items_of(study, study.items.asked_about(study.asked_number).checks())
    return Checks(study.kind, labels, items, checks_elsewhere(study) if study.has_several_questions else frozenset())


def checks_elsewhere(study: Study) -> frozenset[str]:
    """The names of the checks of a study's other questions."""
    others = study.items.checks().exclude(check_question=study.asked_number)
    return frozenset(name or "" for name in others.order_by().values_list("check_name", flat=True).distinct())


def frame_of(source: Study | CleaningRun, judgments: JudgmentQuerySet | None = None) -> Frame:
    """The same with its rows; of `judgments`, where a run has frozen none yet."""
    study = source if isinstance(source, Study) else source.study
    if judgments is not None or isinstance(source, Study):
        rows = read_rows(counted_judgments(study) if judgments is None else judgments, study)
    else:
        rows = read_rows(frozen_judgments(source), study, only=frozen_keys(source))
    items, item_keys = items_of(study)
    unseen = _unseen_by_participation(source, study)
    workers, worker, participations = workers_of(rows, unseen)
    unseen_of_worker = np.array([unseen.get(key, 0) for key in participations.tolist()], dtype=np.int64)
    extras = extras_of(study, rows)
    beside = BesideAnswers.of(study)
    if (shown := beside.shown_of(rows.judgment)) is not None:
        extras[SHOWN_POSITION], extras[SHOWN_ORDER] = shown
    if unseen:
        extras[COULD_NOT_SEE] = unseen_of_worker[worker].astype(np.float64)
    if (confidence := beside.confidence_of(rows.judgment)) is not None:
        extras[CONFIDENCE] = confidence
    if (media_use := beside.media_use_of(rows.judgment)) is not None:
        extras[MEDIA_USE] = media_use
    item = codes_of(rows.item, item_keys)
    answers, labels = answers_of(study, rows.answers, items, item)
    crowd = Crowd(
        kind=study.kind,
        scale=scale_of(study),
        labels=labels,
        items=items,
        workers=workers,
        worker=worker,
        item=item,
        answers=answers,
        extras=extras,
        repeats="refuse",
        unseen=unseen_of_worker,
        ordered=study.ordered if isinstance(source, Study) else bool(source.counts.get("ordered", False)),
        coding=coding_of(source),
        synonyms=study.synonyms,
        question=study.question_name if study.has_several_questions else "",
        checks_elsewhere=checks_elsewhere(study) if study.has_several_questions else frozenset(),
    )
    return Frame(crowd, rows.judgment, participations, item_keys)


def coding_of(source: Study | CleaningRun) -> Coding | None:
    """The coding of a study's properties that is in force, or that was when a run froze its judgments."""
    study = source if isinstance(source, Study) else source.study
    if not study.question_kind.has_properties:
        return None
    revision = None if isinstance(source, Study) else int(source.counts.get("coding", 0))
    rows = PropertyCode.objects.of_study(study, revision)
    return rows.as_coding(f"{study.slug}, coding {rows.last_revision()}")


def _unseen_by_participation(source: Study | CleaningRun, study: Study) -> dict[int, int]:
    """At how many items a participation could not see the picture, by its key; of nobody who has withdrawn."""
    counts = unseen_by_person_in(source)
    if not counts:
        return {}
    people = study.participations.exclude(status=Participation.Status.WITHDRAWN)
    unseen: dict[int, int] = {}
    for pseudonyms in chunks(counts, PEOPLE_PER_QUERY):
        rows = people.filter(pseudonym__in=pseudonyms).values_list("pk", "pseudonym")
        unseen.update((pk, counts[pseudonym]) for pk, pseudonym in rows)
    return unseen


# Every current answer to a few items, whether it counts or not, for pages about one item or one person.


@dataclass(frozen=True, slots=True, eq=False)
class AnswersOfItems:
    """`judgments` are rows with their place, person and item, in order of their keys; `crowd` [J] has those with an
    answer, `place_of` their place in it. `counts` [J] marks what an analysis would take in, `texts` [J] are the answers
    as people saw them.
    """

    crowd: Crowd
    judgments: list[Judgment]
    place_of: dict[int, int]
    participations: Longs  # [W]
    items: Longs  # [N]
    counts: Mask
    texts: list[str]
    labels: tuple[str, ...]  # as people saw them

    def text(self, judgment: Judgment) -> str:
        return self.texts[self.place_of[judgment.pk]] if judgment.pk in self.place_of else ""

    def others(self, judgment: Judgment, excluded: Collection[int]) -> str:
        """What everybody else answered to the item, of those who count and aren't excluded; "" where nobody did."""
        person, item = judgment.assigned_item.participation_id, judgment.assigned_item.item_id
        return self.in_words(item, {person, *excluded})

    def in_words(self, item: int, without: Collection[int]) -> str:
        of_item = self.items[self.crowd.item] == item
        left = ~np.isin(self.participations[self.crowd.worker], list(without))
        which = self.counts & left & of_item
        if not which.any():
            return ""
        labels = self.labels
        if has_own_labels(labels):
            row = int(np.flatnonzero(self.items == item)[0])
            labels = tuple(labels_of_item(self.crowd.kind, labels, self.crowd.items.iloc[row]))
        return statistics_of(self.crowd.kind).in_words(self.crowd.take(which).answers, labels)


def answers_of_items(study: Study, items: Collection[int], most: int | None = None) -> AnswersOfItems:
    """Of `most` answers at most, in the order in which they were given. The same few queries for any number of them."""
    # By the time and not by the key alone: to have keys in order SQLite would read the judgments of all studies.
    of_question = Judgment.objects.current().filter(question=study.asked_number)
    current = of_question.filter(assigned_item__item__in=items).order_by("created_at", "pk")
    with_all = current.select_related("assigned_item__participation", "assigned_item__item", "assigned_item__note")
    judgments = list(with_all if most is None else with_all[:most])
    answered = [each.pk for each in judgments if getattr(each, study.question_kind.column) is not None]
    answers_given = Judgment.objects.filter(pk__in=answered or [0])  # nobody has key 0
    rows = read_rows(answers_given, study, are_named=True)
    table, keys = items_of(study, Item.objects.filter(pk__in=items))
    item = codes_of(rows.item, keys)
    answers, labels = answers_of(study, rows.answers, table, item)
    people = np.unique(rows.participation)
    blank = pd.Series([""] * len(answered), dtype=object)
    extras = pd.DataFrame({"response_ms": rows.response_ms, "submitted_at": blank, "assignment_id": blank})
    crowd = Crowd(
        kind=study.kind,
        scale=scale_of(study),
        labels=labels,
        items=table,
        workers=pd.Index(people.astype(str), dtype=object),
        worker=codes_of(rows.participation, people),
        item=item,
        answers=answers,
        extras=extras,
        repeats="refuse",
    )
    count = set(counted_judgments(study).filter(assigned_item__item__in=items).order_by().values_list("pk", flat=True))
    shown = dict(Label.objects.filter(study=study).values_list("value", "display_text"))
    names = tuple(shown.get(label, label) for label in labels)
    everything: npt.NDArray[np.intp] = np.arange(len(answered))
    return AnswersOfItems(
        crowd=crowd,
        judgments=judgments,
        place_of={pk: place for place, pk in enumerate(rows.judgment.tolist())},
        participations=people,
        items=keys,
        counts=np.array([pk in count for pk in rows.judgment.tolist()], dtype=np.bool_),
        texts=answer_texts(replace(crowd, labels=names), everything) if answered else [],
        labels=names,
    )
