"""How a study's judgments came about, what workers said of themselves, and a release's labels as published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from agreement.durations import time_taken
from agreement.gold.gold_columns import labels_in
from agreement.gold.gold_table import gold_of_cells
from agreement.judgments.crowd import Crowd
from agreement.kinds.statistics import statistics_of
from agreement.report.collection import DIRECT, Collection, Person, Question
from agreement.scoring.score_gold import Gold, gold_from_table
from agreement.typical_filters import filter_named
from annotation.database.rows import chunks
from annotation.models import Participation, Study
from annotation.models.participation import IMPORTED
from annotation.platforms import PLATFORMS
from annotation.releases.from_database.reading_judgments import Frame, scale_of
from annotation.releases.models import GoldRelease
from annotation.releases.release_quotes import lines_of

# How a study's judgments came about, as the database knows it, in two queries for any number of people.

ROWS_PER_CHUNK = 2_000
Status = Participation.Status
# Under which key of the report a status is counted.
COUNTED_AS = {
    Status.ENTERED: "unfinished",
    Status.DECLINED: "declined",
    Status.FAILED_COMPREHENSION: "failed_comprehension",
    Status.FAILED_QUALIFICATION: "failed_qualification",
    Status.WORKING: "unfinished",
    Status.FINISHED: "finished",
    Status.RETURNED: "returned_or_timed_out",
    Status.TIMED_OUT: "returned_or_timed_out",
    Status.REJECTED: "rejected",
    Status.WITHDRAWN: "withdrew",
}


def collection_of(study: Study, frame: Frame) -> Collection:
    """Who came, and of the workers in the frame their times, pay, devices and answers at the end.

    A pilot's people are counted while the study is piloting, as their judgments are.
    """
    participations = study.participations.all()
    if study.status != Study.Status.PILOTING:
        participations = participations.filter(is_pilot=False)
    rows = participations.order_by("pk").values_list(
        "pk", "pseudonym", "status", "consented_at", "finished_at", "device", "is_verified", "demographics",
        "payment__amount", "payment__currency", "session_digest", named=True,
    )  # fmt: skip
    in_the_data = set(frame.judging.tolist())
    named = [name for name in COUNTED_AS.values() if name != "failed_qualification"]  # where there was such a round
    people = Counter(dict.fromkeys(("came", "consented", "finished", *named), 0))
    workers = {}
    imported = 0
    for row in rows.iterator(ROWS_PER_CHUNK):
        if row.session_digest == IMPORTED:
            imported += 1
            if row.pk in in_the_data:
                workers[row.pseudonym] = replace(_person(row), is_verified=True)  # nobody came by an open link
            continue
        people["came"] += 1
        people["consented"] += row.consented_at is not None
        people[COUNTED_AS[Status(row.status)]] += 1
        if row.pk in in_the_data:
            workers[row.pseudonym] = _person(row)
    questions = [Question(each.name, each.text, tuple(each.choices)) for each in study.end_questions.all()]
    if imported:
        people["imported"] = imported
    return Collection(PLATFORMS[study.platform].name or DIRECT, people, questions, workers)


def _person(row: Any) -> Person:
    has_finished = row.status == Status.FINISHED
    return Person(
        time=time_taken(row.consented_at, row.finished_at) if has_finished else None,
        pay=None if row.payment__amount is None else (row.payment__amount, row.payment__currency),
        device=row.device,
        is_verified=row.is_verified,
        answers={name: str(answer) for name, answer in row.demographics.items()},
    )


# A release's labels, as they were published, in the shape that scores need.


def released_gold(release: GoldRelease) -> Gold:
    """The gold of gold.csv's own cells: nothing is computed again, so later withdrawals don't change a score.

    But for texts and lists: there a reference that was withdrawn is gone.
    """
    kind, labels = release.study.kind, labels_in(release.columns)
    statistics, table = statistics_of(kind), released_table(release)
    typical = filter_named(release.published.rules.typical)
    columns, scale = statistics.gold_columns, scale_of(release.study)
    return gold_from_table(
        statistics.read_gold, kind, columns, table, labels, typical_filter=typical, scale=scale
    ).pinned(release.sha256)


def released_table(release: GoldRelease) -> pd.DataFrame:
    """gold.csv as a table: numbers where the columns have numbers, text elsewhere."""
    cells = [line for portion in lines_of(release) for line in portion]
    return gold_of_cells(release.columns, cells, statistics_of(release.study.kind).gold_columns)


PEOPLE_PER_QUERY = 10_000


def with_worker_columns(frame: Frame, names: Sequence[str]) -> Crowd:
    """The crowd with these answers alone, "" where somebody gave none; without names it is as it was."""
    if not names:
        return frame.crowd
    answers: dict[int, dict[str, str]] = {}
    for portion in chunks(frame.participations.tolist(), PEOPLE_PER_QUERY):
        answers.update(Participation.objects.filter(pk__in=portion).values_list("pk", "demographics"))
    columns = {
        name: [str(answers.get(key, {}).get(name, "")) for key in frame.participations.tolist()]
        for name in names
        if any(name in of_person for of_person in answers.values())
    }
    return replace(frame.crowd, worker_fields=pd.DataFrame(columns, index=pd.RangeIndex(len(frame.participations))))
