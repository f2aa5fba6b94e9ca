"""Probes come in, are kept, scored against a release and compared: computed outside of any transaction, stored once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import transaction
from django.utils import timezone

from agreement.analysis.against_reference import reference_of_items
from agreement.analysis.analysis import DEFAULT_SEED, answer_tables
from agreement.analysis.reference_scores import scores_against_reference
from agreement.analysis.score_probes import score_probes
from agreement.errors import Refused, TouchstoneError
from agreement.estimation.estimate import Undefined
from agreement.files.writing import csv_chunks
from agreement.judgments.order_of_answers import in_order_of_answers
from agreement.kinds.statistics import statistics_of
from agreement.report.people_and_models import AgainstReference, ModelScores, ProbeScore
from agreement.scoring.answer_mapping.mapping_table import AnswerTable, TableRow
from agreement.scoring.probe import Probe, StudyItems
from agreement.scoring.probe_file import read_fitting_probes, read_probe, tables_of_models
from agreement.scoring.probe_format import DEFAULT, MODEL_COLUMN, ProbeOptions, without
from agreement.scoring.probe_formats import all_options, options_of
from agreement.typed_json import JsonObject, object_of, to_json
from annotation import jobs
from annotation.jobs import Progress
from annotation.models import AuditEntry, Blob, Job, Study, User
from annotation.releases.exports.release_tables import cleaning_of
from annotation.releases.from_database.reading_judgments import items_of, scale_of
from annotation.releases.from_database.study_history import released_gold
from annotation.releases.models import (
    AnswerDecision,
    GoldRelease,
    Leaderboard,
    LeaderboardColumns,
    PublicLeaderboard,
    Score,
    Scoring,
)
from annotation.releases.models import Probe as StoredProbe
from annotation.studies import presets

# Probes as they are kept, read again as the mathematics takes them.

RESEARCHER = "researcher"
SUFFIXES = {
    "application/x-ndjson": ".jsonl",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/zip": ".eval",
    "application/vnd.apache.parquet": ".parquet",
}
CONTENT_TYPES = {suffix: content_type for content_type, suffix in SUFFIXES.items()} | {
    ".ndjson": "application/x-ndjson"
}


def content_type_of(path: Path) -> str:
    return CONTENT_TYPES.get(path.suffix, "text/csv")


def study_items_of(study: Study) -> StudyItems:
    """What a probe is held against: the study's items (checks too) and its labels in their order."""
    items, _keys = items_of(study)
    labels = tuple(study.labels.order_by("position").values_list("value", flat=True))
    of_study = StudyItems.of_frame(study.kind, items, labels, study.synonyms, scale_of(study))
    return replace(of_study, answer_table=decided_answers(study))


def decided_answers(study: Study) -> AnswerTable:
    """What researchers decided on answers, under no name: bundles for everybody have the table too."""
    decided = study.answer_decisions.exclude(checked=AnswerDecision.Checked.RIGHT).order_by("pk")
    return AnswerTable(
        tuple(
            TableRow(answer, value, decided_by=RESEARCHER) for answer, value in decided.values_list("answer", "value")
        )
    )


def first_options(study: Study) -> ProbeOptions:
    """How a probe is read unless somebody says otherwise: what the study's preset says, elsewhere the defaults."""
    if study.preset not in presets.names():
        return DEFAULT
    return options_of(presets.load(study.preset).probe_options)


def probe_of(stored: StoredProbe, items: StudyItems) -> Probe:
    with _probe_file(stored) as path:
        read = read_probe(path, items, name=stored.name, options=options_of(stored.options))
    return replace(read, group=stored.group)


@contextmanager
def _probe_file(stored: StoredProbe) -> Iterator[Path]:
    """The readers stream from a file, so that no probe need be in memory twice."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"probe{SUFFIXES[stored.file.content_type]}"
        path.write_bytes(stored.file.content)
        yield path


def probes_of(release: GoldRelease) -> list[StoredProbe]:
    """Those in the published report, in its order; probes that were scored later belong to no bundle."""
    names = [about.probe for about in release.published.results.probes]
    stored_probes = {probe.name: probe for probe in release.study.probes.filter(name__in=names).select_related("file")}
    return [stored_probes[name] for name in names if name in stored_probes]


KIND = "score"
READING, COMPUTING = 0.3, 0.9
FIGURE = ("estimate", "low", "high", "n", "method", "undefined", "chance")


class ScoringFailed(TouchstoneError):
    """The job that was to score ended otherwise; the message is the job's."""


def add_probe(
    *,
    study: Study,
    name: str,
    file: Path,
    group: str = "",
    options: ProbeOptions = DEFAULT,
    by: User | None = None,
) -> StoredProbe:
    """Keeps a model's outputs, if every row of them is right. The same file under the same name is the same probe.

    Models of one `group` are averaged. A probe that is there already moves into the group, if one is given.
    """
    name = name.strip()
    if not name:
        raise Refused("A probe needs a name: the model's name on the leaderboard.")
    _refuse_unfit(study, file, name, options)
    content = file.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        # The race: two uploads under one name at once. The lock on the study lets the second see the first.
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        existing = StoredProbe.objects.filter(study=study, question=study.asked_number, name=name).first()
        if existing and (existing.file_id, _reading_options(existing)) != (sha256, all_options(options)):
            raise Refused(f"There is a probe '{name}' already, with other outputs: give this one another name.")
        if existing:
            if group and existing.group != group:
                existing.group = group
                existing.save(update_fields=["group"])
            return existing
        blob, _created = Blob.objects.get_or_create(
            sha256=sha256, defaults={"content": content, "content_type": content_type_of(file)}
        )
        return StoredProbe.objects.create(
            study=study,
            question=study.asked_number,
            name=name,
            group=group,
            file=blob,
            options=all_options(options),
            created_by=by,
        )


def add_probes(
    *,
    study: Study,
    name: str,
    file: Path,
    group: str = "",
    options: ProbeOptions = DEFAULT,
    by: User | None = None,
) -> list[StoredProbe]:
    """As `add_probe`; each model of a file of several becomes a probe of its own name. All of them or none."""
    tables = tables_of_models(file, study_items_of(study), name=name, options=options)
    if len(tables) == 1:
        return [add_probe(study=study, name=name, file=file, group=group, options=options, by=by)]
    told = without(options, MODEL_COLUMN)
    with TemporaryDirectory(prefix="touchstone-models-") as folder, transaction.atomic():
        path = Path(folder) / f"{file.stem}.csv"
        added = []
        for model, table in tables.items():
            path.write_bytes(b"".join(csv_chunks(table.columns)))
            added.append(add_probe(study=study, name=model, file=path, group=group, options=told, by=by))
    return added


def _refuse_unfit(study: Study, file: Path, name: str, options: ProbeOptions) -> None:
    read = read_fitting_probes(
        file, study_items_of(study), statistics_of(study.kind).shapes, name=name, options=options
    )
    if len(read) > 1:
        names = ", ".join(probe.name for probe in read)
        raise Refused(f"{file.name} has {len(read)} models ({names}), and one is named {name}.")


def _reading_options(stored: StoredProbe) -> dict[str, object]:
    """How it was asked to be read; options that came later have their defaults."""
    return all_options(options_of(stored.options))


def score_here(*, release: GoldRelease, seed: int, by: User | None = None) -> None:
    """Scores every probe of the study against a release in this process, as a job like any other."""
    import annotation.releases.tasks  # noqa: F401 - where the kind of job is registered; it imports this module

    parameters: JsonObject = {"release": str(release.uuid), "seed": seed}
    job = jobs.run_here(kind=KIND, study=release.study, parameters=parameters, by=by)
    if job.status != Job.Status.DONE:
        raise ScoringFailed(job.error or f"Scoring is {job.get_status_display().lower()}.")


def score_release(*, job: Job, release: GoldRelease, progress: Progress) -> int:
    """The job's work: every probe scored and compared; those scored before keep their figures. Returns the new ones."""
    study, seed = release.study, job.parameters.get("seed", DEFAULT_SEED)
    stored = list(study.probes.select_related("file").order_by("pk"))
    if not stored:
        raise Refused(f"{study} has no probe to score: upload one first.")
    cleaning = cleaning_of(release)
    items = study_items_of(study)
    progress.report(READING)
    read = [probe_of(probe, items) for probe in stored]
    progress.stop_if_cancelled()
    crowd, kept = in_order_of_answers(cleaning.crowd, cleaning.kept_targets)
    crowd = replace(crowd, fixed_workers=release.published.fixed_workers)
    gold = released_gold(release)
    scored = score_probes(crowd, kept, gold, read, seed=seed)
    reference = reference_of_items(crowd)
    reference = reference if isinstance(reference, str) else reference.filtered_by(gold.typical_filter)
    of_all = scores_against_reference(crowd, kept, gold, reference, read, seed=seed)
    if withdrawn := release.lost_lines_sentence():
        probes = tuple(replace(about, notes=(*about.notes, withdrawn)) for about in scored.probes)
        scored = replace(scored, probes=probes)
    progress.report(COMPUTING)
    with progress.finishing({"release": str(release.uuid), "probes": len(stored)}):
        return store_scores(
            release=release,
            probes=stored,
            scored=scored,
            reference=of_all,
            seed=seed,
            by=job.created_by,
            tables=list(answer_tables(read).values()),
        )


def store_scores(
    *,
    release: GoldRelease,
    probes: Sequence[StoredProbe],
    scored: ModelScores,
    reference: AgainstReference | Undefined,
    seed: int,
    by: User | None,
    tables: Sequence[bytes] = (),
) -> int:
    """Scores against the gold, and against a reference if there is one. `tables` are what models' answers were mapped
    to.

    Figures of a probe against gold that stand already stay as they are, and metrics that came later are added; those of
    groups and against the references are made again.
    """
    if not probes:
        return 0
    for table in tables:
        sha256 = hashlib.sha256(table).hexdigest()
        Blob.objects.get_or_create(sha256=sha256, defaults={"content": table, "content_type": "text/csv"})
    scorings = [_store_scoring(probe, release, scored, seed, by) for probe in probes]
    new = [scoring.probe.name for scoring, is_new in scorings if is_new]
    Leaderboard.objects.update_or_create(
        release=release,
        defaults={
            "comparisons": to_json(scored.comparisons),
            "metric": first_metric(scored),
            "groups": to_json(scored.groups),
            "against_reference": to_json(reference),
            "scorings": [scoring.pk for scoring, _ in scorings],
        },
    )
    if new:
        AuditEntry.objects.create(
            study=release.study,
            by=by,
            action=AuditEntry.Action.SCORED,
            detail={"release": release.number, "sha256": release.sha256, "probes": new},
        )
    return len(new)


def first_metric(scored: ModelScores) -> str:
    """The metric that probes are ranked by: the one they were compared on, or a single probe's first."""
    return (scored.comparisons or scored.scores)[0].metric


def _store_scoring(
    probe: StoredProbe, release: GoldRelease, scored: ModelScores, seed: int, by: User | None
) -> tuple[Scoring, bool]:
    """The scoring, and whether it is a new one."""
    about = next(about for about in scored.probes if about.probe == probe.name)
    scoring, is_new = Scoring.objects.get_or_create(
        probe=probe,
        release=release,
        answers_sha256="" if about.answers is None else about.answers.table,
        defaults={
            "answers": to_json(about.answers),
            "release_sha256": release.sha256,
            "seed": seed,
            "coverage": to_json(about.coverage),
            "notes": to_json(about.notes),
            "matched_share": to_json(about.matched_share),
            "created_by": by,
        },
    )
    stored = set() if is_new else set(scoring.scores.values_list("metric", flat=True).distinct())
    rows = [row for row in scored.scores if row.probe == probe.name and row.metric not in stored]
    Score.objects.bulk_create((_score(scoring, row) for row in rows), batch_size=500)
    return scoring, bool(rows)


def _score(scoring: Scoring, row: ProbeScore) -> Score:
    written = object_of(row)
    figure = {name: written[name] for name in FIGURE if written.get(name) is not None}
    return Score(scoring=scoring, metric=row.metric, breakdown=row.breakdown, group=row.group, **figure)


def choose_columns(*, study: Study, tables: Sequence[str], curves: Sequence[str], by: User) -> LeaderboardColumns:
    """By which columns the study's leaderboard breaks scores down from now on; a curve has its table too."""
    wanted = {"tables": sorted({*tables, *curves}), "curves": sorted(set(curves))}
    with transaction.atomic():
        chosen, _ = LeaderboardColumns.objects.update_or_create(study=study, defaults={**wanted, "changed_by": by})
        detail = {"what": "columns of the leaderboard", **wanted}
        AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.CHANGED, detail=detail)
    return chosen


def publish_leaderboard(*, study: Study, by: User) -> PublicLeaderboard:
    """A new link each time: an old one, once revoked, opens nothing any more."""
    with transaction.atomic():
        PublicLeaderboard.objects.filter(study=study).delete()
        _record_change(study, by, "public leaderboard: opened")
        return PublicLeaderboard.objects.create(study=study, created_by=by)


def unpublish_leaderboard(*, study: Study, by: User) -> None:
    with transaction.atomic():
        links = PublicLeaderboard.objects.filter(study=study, revoked_at__isnull=True)
        if links.update(revoked_at=timezone.now(), revoked_by=by):
            _record_change(study, by, "public leaderboard: taken back")


def _record_change(study: Study, by: User, change: str) -> None:
    AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.SHARED, detail={"what": change})
