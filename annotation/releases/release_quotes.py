"""What a release quotes of people, where gold has their own words: sealed in its lines, readable until it is erased.

A release's lines never change, and a person can withdraw what they wrote. So the line of a quoted text holds a hash of
it, salted, and the text is in `Quote` with the judgment that it is from. Who withdraws takes their quotes along;
a line whose every quote is gone is left out wherever the release is read.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np

from agreement.files.cell_texts import normalised_name
from agreement.gold.gold_columns import ITEM_ID
from agreement.gold.label_gold import distinct_spellings
from agreement.judgments.crowd import Crowd, Mask, coded_answers
from agreement.kinds.kind import QuestionKind
from agreement.kinds.statistics import Quoting, statistics_of
from annotation.database.rows import chunks
from annotation.models import Job, Judgment, Participation
from annotation.people.leaving import also_erases
from annotation.releases.models import GoldRelease, PropertyCode, Quote, ReleaseReport, StudySummary, Verdict
from annotation.releases.tasks import TRY

__all__ = ["JudgmentsByText", "SealedQuote", "lines_of", "quoting_judgments", "seal", "sealed", "spelt"]

spelt = distinct_spellings  # the name by which a migration knows it

ROWS_PER_PORTION = 2_000

Line = list[str]
# Who said what of which item: judgments by item and text.
JudgmentsByText = Mapping[tuple[str, str], Sequence[UUID]]


@dataclass(frozen=True, slots=True)
class SealedQuote:
    """A quote as the database stores it."""

    judgment: UUID
    digest: str
    salt: str
    text: str


def seal(text: str, salt: str) -> str:
    """The digest of a text; without its salt nobody can try out texts against it."""
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def quoting_judgments(crowd: Crowd, which: Mask, uuids: Mapping[int, UUID]) -> JudgmentsByText:
    """What the judgments that `which` marks say, spelt as gold.csv spells it; `uuids` by the judgments' places."""
    judgments_by_text: dict[tuple[str, str], list[UUID]] = defaultdict(list)
    texts_of, item_ids = _quoting(crowd.kind).texts_of, crowd.items["item_id"].tolist()
    answers = coded_answers(crowd)
    for judgment in np.flatnonzero(which).tolist():
        item_id = str(item_ids[crowd.item[judgment]])
        for text in texts_of(answers, judgment):
            judgments_by_text[item_id, text].append(uuids[judgment])
    return judgments_by_text


def _quoting(kind: QuestionKind) -> Quoting:
    quoting = statistics_of(kind).quoting
    if quoting is None:
        raise ValueError(f"gold of kind {kind} quotes nobody")
    return quoting


def sealed(
    kind: str, columns: Sequence[str], lines: Sequence[Line], judgments_by_text: JudgmentsByText
) -> tuple[list[Line], list[SealedQuote]]:
    """The lines with digests for what they quote, and the quotes.

    Where a line is one person's, as that of a text, the second of two equal lines is the second person's; else it is of
    all who said it. A line that nobody is left for is sealed too, and nobody can open it.
    """
    quoting = _quoting(kind)
    quoted_column, item_id = (list(columns).index(name) for name in (quoting.column.name, ITEM_ID.name))
    left = {key: list(judgments) for key, judgments in judgments_by_text.items()}
    closed: list[Line] = []
    quotes: list[SealedQuote] = []
    for line in lines:
        text, salt = line[quoted_column], secrets.token_hex(16)
        digest = seal(text, salt)
        theirs = left.get((line[item_id], text), [])
        judgments = [theirs.pop(0)] if quoting.line_is_one_persons and theirs else theirs
        quotes += [SealedQuote(judgment, digest, salt, text) for judgment in judgments]
        closed.append([*line[:quoted_column], digest, *line[quoted_column + 1 :]])
    return closed, quotes


def lines_of(release: GoldRelease) -> Iterator[list[Line]]:
    """The release's lines as they can be read now, in portions: those whose quotes were all erased are left out."""
    rows = release.labels.order_by("position").values_list("cells", flat=True)
    for portion in chunks(rows.iterator(ROWS_PER_PORTION), ROWS_PER_PORTION):
        yield _opened_lines(release, portion)


def _opened_lines(release: GoldRelease, portion: list[Line]) -> list[Line]:
    quoting = statistics_of(release.study.kind).quoting
    if quoting is None:
        return portion
    quoted_column = release.columns.index(quoting.column.name)
    texts = dict(
        release.quotes.filter(digest__in=[line[quoted_column] for line in portion]).values_list("digest", "text")
    )
    return [
        [*line[:quoted_column], texts[line[quoted_column]], *line[quoted_column + 1 :]]
        for line in portion
        if line[quoted_column] in texts
    ]


# Erases what verdicts and releases quote of a person's answers, when that person withdraws.


@also_erases
def erase_evidence(participation: Participation) -> None:
    """The verdict stays, as the run's counts do; the answers that it cites go."""
    Verdict.objects.filter(participation=participation).exclude(evidence=[]).update(evidence=[])


@also_erases
def erase_reports(participation: Participation) -> None:
    """Reports show workers and quote answers; they are drawn again from what is left."""
    ReleaseReport.objects.filter(release__study=participation.study).delete()


@also_erases
def erase_tried_rules(participation: Participation) -> None:
    """What previews of rules found cites answers too; a preview is made again at a press."""
    Job.objects.filter(study=participation.study, kind=TRY, result__isnull=False).update(result=None)


@also_erases
def erase_quotes(participation: Participation) -> None:
    """The release's lines stay, with hashes in them; what only this person said can't be read from them any more."""
    theirs = Judgment.objects.filter(assigned_item__participation=participation)
    Quote.objects.filter(judgment_uuid__in=theirs.values("uuid")).delete()


@also_erases
def erase_property_codes(participation: Participation) -> None:
    """A coding's rows of spellings that only this person wrote; what others wrote too stays coded."""
    coded = PropertyCode.objects.filter(study=participation.study_id)
    spellings = set(coded.values_list("spelling", flat=True))
    if not spellings:
        return
    answers = Judgment.objects.filter(properties__isnull=False)
    theirs = answers.filter(assigned_item__participation=participation)
    only_theirs = {
        normalised_name(name) for properties in theirs.values_list("properties", flat=True) for name in properties or ()
    } & spellings
    if not only_theirs:
        return
    others = answers.of_study(participation.study_id).exclude(assigned_item__participation=participation)
    for properties in others.values_list("properties", flat=True).iterator(2_000):
        only_theirs -= set(map(normalised_name, properties or ()))
    for portion in chunks(sorted(only_theirs), 500):
        coded.filter(spelling__in=portion).delete()


@also_erases
def erase_summary(participation: Participation) -> None:
    """It has figures of this person; it is made again from what is left."""
    StudySummary.objects.filter(study=participation.study_id).delete()
