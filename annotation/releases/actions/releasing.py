"""Releases gold: number, labels, hash and members appear in one transaction, together with the end of their job."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from uuid import UUID

import numpy as np
from django.db import IntegrityError, connection, transaction
from django.db.models import Max
from django.utils import timezone

from agreement.analysis.analysis import Analysis
from agreement.analysis.output_folder import report_bytes
from agreement.analysis.output_tables import Table, gold_table
from agreement.cleaning.cleaning_run import Cleaning
from agreement.cleaning.decided_by_hand import ByHand
from agreement.errors import TouchstoneError
from agreement.gold.gold_columns import ITEM_ID
from agreement.kinds.statistics import statistics_of
from agreement.report.collection_report import Unverified
from agreement.report.data_card import EMPTY, Card, Creator
from agreement.report.report import Report
from agreement.typed_json import JsonObject, object_of, to_json
from annotation.database.rows import ROWS_A_CHUNK, chunks, insert_rows
from annotation.jobs import Progress
from annotation.models import AuditEntry, Judgment, Participation, Study, User
from annotation.releases.actions.freezing import ELSEWHERE, bits_in_gold, decisions_as_json, store_in_gold
from annotation.releases.actions.scoring_probes import store_scores
from annotation.releases.from_database.reading_judgments import KEYS_A_QUERY, Frame, crowd_of
from annotation.releases.models import CleaningRun, DatasetCard, GoldLabel, GoldRelease, Probe, PublishedNames, Quote
from annotation.releases.release_quotes import JudgmentsByText, SealedQuote, quoting_judgments, sealed

# What goes out of a study: its data card, and what people are called in what is published.

# A study's data card, saved by one of its researchers.


@transaction.atomic
def save_card(*, study: Study, values: Mapping[str, object], by: User) -> list[str]:
    """Returns the names of the fields that changed; nothing is recorded where none did."""
    card, _ = DatasetCard.objects.select_for_update(no_key=True).get_or_create(study=study)
    changed = [name for name, value in values.items() if getattr(card, name) != value]
    if changed:
        for name in changed:
            setattr(card, name, values[name])
        card.save(update_fields=changed)
        detail = {"what": "data card", "fields": changed}
        AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return changed


# What people are called in what is published of a release: given once, and kept.

FEWEST_DIGITS = 2


def published_names(*, release: GoldRelease) -> Mapping[str, str]:
    """The published name of everybody in the release by pseudonym: w01, w02, … in the order of the pseudonyms, which
    are random. Given when it is first asked for; whoever withdraws later leaves a gap.
    """
    rows = list(GoldRelease.objects.filter(study=release.study_id, number=release.number).order_by("question"))
    release = rows[0]  # its names are those of the other questions too
    stored_names = PublishedNames.objects.filter(release=release).first()
    if stored_names is None:
        pseudonyms = sorted({str(worker) for row in rows for worker in crowd_of(row.run).workers})
        digits = max(FEWEST_DIGITS, len(str(len(pseudonyms))))
        names = {pseudonym: f"w{number:0{digits}}" for number, pseudonym in enumerate(pseudonyms, start=1)}
        try:
            with transaction.atomic():
                stored_names = PublishedNames.objects.create(release=release, names=names)
        except IntegrityError:  # somebody else asked at the same moment, and gave the same names
            stored_names = PublishedNames.objects.get(release=release)
    names_given: Mapping[str, str] = stored_names.names
    return names_given


# The data card that a study's researchers have filled in, as reports take it.


def card_of(study: Study) -> Card:
    """What the study's researchers have filled in; nothing yet: an empty card, whose fields are to be filled in."""
    stored = DatasetCard.objects.filter(study=study).first()
    return EMPTY if stored is None else card_from_fields(stored)


def card_from_fields(stored: DatasetCard) -> Card:
    values = {each.name: getattr(stored, each.name) for each in fields(Card)}
    values["creators"] = tuple(Creator(**one) for one in stored.creators)
    values["keywords"] = tuple(stored.keywords)
    values["published"] = "" if stored.published is None else stored.published.isoformat()
    return Card(**values)


class WithdrawnMeanwhile(TouchstoneError):
    """Somebody withdrew between the reading of their answers and the release that was made of them."""


@dataclass(slots=True, eq=False)
class QuestionPart:
    """What a run makes of one question: what it reads, what is decided beside the rules, and what comes out."""

    run: CleaningRun  # as it looks at this question
    frame: Frame
    probes: Sequence[Probe]
    by_hand: ByHand = field(default_factory=dict)
    cleaning: Cleaning = field(init=False)
    analysis: Analysis = field(init=False)

    @property
    def number(self) -> int:
        return self.run.study.asked_number


@dataclass(frozen=True, slots=True)
class _Prepared:
    """All that can be made before the transaction is, so that the write lock is held for the inserts alone."""

    part: QuestionPart
    columns: list[str]
    labels: list[str]
    quotes: list[SealedQuote]
    bits: list[tuple[int, bytes]]


def release(*, run: CleaningRun, parts: Sequence[QuestionPart], progress: Progress) -> GoldRelease:
    """The study's next release, of each question one row with that number; returns the first. If this job made it
    already there is no second one: the job is then not ours any more.
    """
    prepared = [_prepared(part) for part in parts]
    result: JsonObject = {"run": str(run.uuid), "sha256": parts[0].analysis.sha256}
    with progress.finishing(result):
        # The race: two analyses of one study end at once and would take the same number.
        Study.objects.select_for_update(no_key=True).get(pk=run.study_id)
        for part in parts:
            _refuse_if_withdrawn(part.frame)
        number = 1 + (GoldRelease.objects.filter(study=run.study_id).aggregate(last=Max("number"))["last"] or 0)
        unverified = [_unverified(part.frame) for part in parts]
        new = [_store_part(*each, number) for each in zip(prepared, unverified, strict=True)]
        _complete_run(run, parts, unverified[0])
        result |= {"release": str(new[0].uuid), "number": number}
        _record_release(new[0], parts[0].analysis, unverified[0])
    return new[0]


def _prepared(part: QuestionPart) -> _Prepared:
    columns = gold_table(part.analysis.gold)
    lines, quotes = _lines_and_quotes(columns, part.run, part.analysis, part.frame)
    labels = [json.dumps(portion) for portion in chunks(lines)]
    return _Prepared(part, list(columns), labels, quotes, _bits_in_gold(part.run, part.analysis, part.frame))


def _store_part(prepared: _Prepared, unverified: Unverified, number: int) -> GoldRelease:
    part, analysis = prepared.part, prepared.part.analysis
    report = replace(analysis.report.numbered(number), unverified=unverified)
    new = _create_release(part.run, analysis, report, prepared.columns)
    _add_labels(new, prepared.labels, prepared.columns.index(ITEM_ID.name))
    _add_quotes(new, prepared.quotes)
    store_in_gold(new, prepared.bits)
    reference, seed, by = analysis.report.results.against_reference, analysis.report.seed, part.run.created_by
    scored = analysis.report.results.model_scores
    tables = list(analysis.answer_tables.values())
    store_scores(release=new, probes=part.probes, scored=scored, reference=reference, seed=seed, by=by, tables=tables)
    return new


def _lines_and_quotes(
    columns: Table, run: CleaningRun, analysis: Analysis, frame: Frame
) -> tuple[list[list[str]], list[SealedQuote]]:
    """The lines of gold.csv; where they quote what people wrote, the quotes are apart, so that they can be erased."""
    lines = [list(line) for line in zip(*(column.text().tolist() for column in columns.values()), strict=True)]
    if statistics_of(run.study.kind).quoting is None:
        return lines, []
    return sealed(run.study.kind, list(columns), lines, _judgments_by_quote(analysis, frame))


def _create_release(run: CleaningRun, analysis: Analysis, report: Report, columns: list[str]) -> GoldRelease:
    published = report_bytes(report).decode()
    return GoldRelease.objects.create(
        study=run.study,
        question=run.study.asked_number,
        run=run,
        number=report.results.release.number,
        sha256=analysis.sha256,
        columns=columns,
        report=json.loads(published),
        report_file=published,
        methods=analysis.methods,
        created_by=run.created_by,
    )


def _record_release(gold_release: GoldRelease, analysis: Analysis, unverified: Unverified) -> None:
    run = gold_release.run
    AuditEntry.objects.create(
        study=run.study,
        by=run.created_by,
        action=AuditEntry.Action.RELEASED,
        detail={
            "release": gold_release.number,
            "sha256": analysis.sha256,
            "run": str(run.uuid),
            "rules": run.rule_set.name,
            "rules_sha256": run.rule_set.sha256,
            "seed": analysis.report.seed,
            "unverified": object_of(unverified),
        },
    )


def _refuse_if_withdrawn(frame: Frame) -> None:
    """The race: somebody withdraws after their answers were read, and what verdicts quote of them would stay behind.

    The lock waits for a withdrawal that is under way, and one that comes later waits for the release.
    """
    people = Participation.objects.select_for_update(no_key=True).filter(pk__in=frame.participations.tolist())
    if Participation.Status.WITHDRAWN in people.order_by("pk").values_list("status", flat=True):
        raise WithdrawnMeanwhile("Somebody withdrew while the gold was computed: it is computed again without them.")


def _judgments_by_quote(analysis: Analysis, frame: Frame) -> JudgmentsByText:
    kept = analysis.cleaning.kept_targets
    places = {int(frame.judgments[place]): place for place in np.flatnonzero(kept).tolist()}
    uuids: dict[int, UUID] = {}
    for portion in chunks(places, KEYS_A_QUERY):
        for key, uuid in Judgment.objects.filter(pk__in=portion).values_list("pk", "uuid"):
            uuids[places[key]] = uuid
    if len(uuids) != len(places):
        raise WithdrawnMeanwhile("Answers were erased while the gold was made: it is made again without them.")
    return quoting_judgments(analysis.cleaning.crowd, kept, uuids)


def _add_labels(release: GoldRelease, portions: Sequence[str], item_id: int) -> None:
    """The lines, as lists of portions in JSON, which the database takes apart: row by row a hundred thousand of them
    held SQLite's write lock for 0.5 s, and so 0.2 s. `item_id` is the place of the item's id in a line.
    """
    if connection.vendor == "postgresql":
        values, place = "%s::int + ordinality, value ->> %s::int, value", str(item_id)
        lines = "jsonb_array_elements(%s::jsonb) WITH ORDINALITY AS each (value, ordinality)"
    else:
        values, place = "%s + key + 1, json_extract(value, %s), value", f"$[{item_id}]"
        lines = "json_each(%s)"
    insert = f"INSERT INTO {GoldLabel._meta.db_table} (release_id, position, item_id, cells)"
    with connection.cursor() as cursor:
        for number, portion in enumerate(portions):
            parameters = (release.pk, number * ROWS_A_CHUNK, place, portion)
            cursor.execute(f"{insert} SELECT %s, {values} FROM {lines}", parameters)  # noqa: S608 - our own names


def _add_quotes(gold_release: GoldRelease, quotes: Sequence[SealedQuote]) -> None:
    of = Quote._meta.get_field("judgment_uuid")
    rows = (
        (gold_release.pk, of.get_db_prep_value(each.judgment, connection), each.digest, each.salt, each.text)
        for each in quotes
    )
    insert_rows(Quote, ("release_id", "judgment_uuid", "digest", "salt", "text"), rows)


def _bits_in_gold(run: CleaningRun, analysis: Analysis, frame: Frame) -> list[tuple[int, bytes]]:
    """The judgments behind the gold, each exactly once."""
    bits = bits_in_gold(run, frame.judgments[analysis.cleaning.kept_targets])
    if bits is None:
        raise WithdrawnMeanwhile("Answers were erased while they were frozen: the gold is made again without them.")
    return bits


def _unverified(frame: Frame) -> Unverified:
    """How many of the workers are unverified, of how many: no invitation or signature says who they are."""
    people = Participation.objects.filter(pk__in=frame.judging.tolist())
    return Unverified(workers=people.unverified().count(), of=people.count())


def _complete_run(run: CleaningRun, parts: Sequence[QuestionPart], unverified: Unverified) -> None:
    """What the run counted of the study's first question, and who is excluded at each for what others decided."""
    first = parts[0].analysis
    elsewhere = {
        str(part.number): decisions_as_json({who: each for who, each in part.by_hand.items() if each.in_question})
        for part in parts
        if any(each.in_question for each in part.by_hand.values())
    }
    by_hand = {who: each for who, each in parts[0].by_hand.items() if not each.in_question}
    run.completed_at = timezone.now()
    run.counts = {
        **run.counts,
        **object_of(first.report.counts),
        "by_rule": to_json(first.report.cleaning.by_rule),
        "by_hand": decisions_as_json(by_hand),
        **({ELSEWHERE: elsewhere} if elsewhere else {}),
        "unverified": object_of(unverified),
    }
    run.save(update_fields=["completed_at", "counts"])
