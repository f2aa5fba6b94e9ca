"""The whole of an analysis: freeze, clean, compute, exclude, release; begun again anywhere, it ends the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

import numpy as np

from agreement.analysis.analysis import STAGES, Analysis, NothingKept
from agreement.analysis.own_process import ProcessAhead, analyse_apart
from agreement.analysis.score_probes import study_items
from agreement.cleaning.check_items import refuse_misfit
from agreement.cleaning.cleaning_run import cleanings_of, included_again
from agreement.cleaning.rule_set import parse_rules
from agreement.errors import Refused, TouchstoneError
from agreement.on_request import requested_analyses, worker_columns_in
from agreement.typed_json import JsonObject
from annotation import jobs
from annotation.jobs import Progress, TryAgain
from annotation.models import Job, Study, User
from annotation.releases.actions.freezing import FROZEN, Look, begin_run, decisions_by_hand, freeze
from annotation.releases.actions.releasing import QuestionPart, WithdrawnMeanwhile, release
from annotation.releases.actions.rule_sets import exclude_failed, rules_of, store_verdicts, stored_rule_set, toml_of
from annotation.releases.actions.scoring_probes import decided_answers, probe_of
from annotation.releases.from_database.judgment_rows import counted_judgments, most_judgments
from annotation.releases.from_database.reading_judgments import Frame, checks_of, frame_of
from annotation.releases.from_database.study_history import collection_of, with_worker_columns
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease
from annotation.releases.summaries import settings_of
from annotation.releases.tasks import ANALYSE
from annotation.releases.tasks import analyse as analyse_job

# People withdraw one at a time: after so many tries something else is wrong, and the job pauses.
TRIES = 3
# What the stages before the writing take of the whole, for the bar alone.
COMPUTING = 0.9


class AnalysisFailed(TouchstoneError):
    """The job that was to do it ended otherwise; the message is the job's."""


def clean_and_release(
    *,
    study: Study,
    rules: str | None = None,
    toml: str | None = None,
    seed: int | None = None,
    replicates: int | None = None,
    also: Sequence[str] | None = None,
    fixed_workers: bool | None = None,
    include_again: Collection[str] = (),
    refill: bool | None = None,
    by: User | None = None,
    watch: Callable[[float], None] | None = None,
    look: Look | None = None,
) -> GoldRelease:
    """Analyses a study in this process, as a job like any other; `rules` is a built-in name or a TOML
    file, `toml` the rules themselves.

    What isn't said is as it was for the last release. `include_again` names whom the run may include again of those
    that an earlier one excluded; `refill` says whether the places of those whom it excludes open for others. `look` is
    a reading of the judgments that the caller has had already.
    """
    last = settings_of(study)
    parameters: JsonObject = {
        "toml": toml or (last.toml if rules is None else toml_of(rules)),
        "seed": last.seed if seed is None else seed,
        "replicates": last.replicates if replicates is None else replicates,
        "also": list(last.also if also is None else also),
        "fixed_workers": last.fixed_workers if fixed_workers is None else fixed_workers,
        "include_again": sorted(include_again),
    }
    if refill is not None:
        parameters["refill"] = refill
    job = jobs.run_here(
        kind=ANALYSE, study=study, parameters=parameters, by=by, watch=watch, work=partial(analyse_job, look=look)
    )
    if job.status != Job.Status.DONE or job.result is None:
        raise AnalysisFailed(job.error or f"The analysis is {job.get_status_display().lower()}.")
    return GoldRelease.objects.get(uuid=job.result["release"])


def analyse_study(
    *,
    job: Job,
    toml: str,
    seed: int,
    replicates: int,
    also: Sequence[str] = (),
    fixed_workers: bool = False,
    include_again: Collection[str] = (),
    refill: bool | None = None,
    progress: Progress,
    look: Look | None = None,
) -> GoldRelease:
    """The job's work. Only the last transaction makes the release, and with it the job is done: so once."""
    if job.study is None:
        raise Refused("An analysis needs a study.")
    run = CleaningRun.objects.filter(job=job).select_related("study", "rule_set", "created_by").first()
    if run is None:
        for asked in job.study.questions():
            refuse_misfit(parse_rules(toml), checks_of(asked))
        requested_analyses(also)
        with progress.writing():
            run = begin_run(study=job.study, rule_set=stored_rule_set(toml), job=job, look=look)
    with ProcessAhead(most_judgments(run.study)) as ahead:
        for _try in range(TRIES):
            parts = _parts(run, look)
            _decide(run, parts, include_again)
            settings = _Settings(seed, replicates, tuple(also), fixed_workers)
            for part in parts:
                _compute(run, parts, part, settings=settings, progress=progress, ahead=ahead)
            for part in parts:
                _refuse_if_excluded_meanwhile(run, part.analysis, part.frame, include_again)
            # From here on it is written, and not cancelled any more: half of the exclusions would be worse than all.
            store_verdicts(run=run, parts=parts, progress=progress)
            exclude_failed(run=run, parts=parts, progress=progress, include_again=include_again, refill=refill)
            try:
                return release(run=run, parts=parts, progress=progress)
            except WithdrawnMeanwhile:
                continue
    raise TryAgain("People kept withdrawing while the gold was made.")


def _parts(run: CleaningRun, look: Look | None) -> list[QuestionPart]:
    """What the run reads of each question. A question that nobody was asked or answered has no part in the release."""
    questions = run.study.questions()
    if len(questions) > 1:
        look = None  # it has one question's judgments
    parts = []
    for study in questions:
        asked = run.asked(study.asked_number)
        parts.append(QuestionPart(asked, _frame(asked, look), list(study.probes.select_related("file").order_by("pk"))))
    with_answers = [part for part in parts if part.frame.crowd.on_target.any()]
    if not with_answers:
        raise Refused(
            f"{run.study} has no judgments that count yet. They count once given in time by people who took part; "
            "a pilot's count while the study is piloting."
        )
    return with_answers


def _frame(run: CleaningRun, look: Look | None) -> Frame:
    """The judgments of the run. They are read once: what will be frozen is what was read."""
    if FROZEN in run.counts:
        return frame_of(run)
    return look.frame if look is not None and look.holds_for(run) else frame_of(run, counted_judgments(run.study))


def _decide(run: CleaningRun, parts: Sequence[QuestionPart], include_again: Collection[str]) -> None:
    """What stands beside the rules: decisions by hand, who stays excluded since no rule of this run applies, and who is
    excluded for another question.

    Refused if the run would include somebody again whom nobody asked for: another run may have excluded them since the
    list was shown.
    """
    by_hand, earlier = decisions_by_hand(run), run.counts.get("excluded_by_runs", {})
    for part in parts:
        part.by_hand = by_hand
    if not earlier and len(parts) == 1:
        return
    crowds, names = [part.frame.crowd for part in parts], [part.run.study.question_name for part in parts]
    cleanings = cleanings_of(crowds, names, rules_of(run.rule_set), by_hand, earlier)
    for part, cleaning in zip(parts, cleanings, strict=True):
        part.by_hand = cleaning.by_hand
    if unasked := sorted(included_again(cleanings, earlier).keys() - by_hand.keys() - set(include_again)):
        raise Refused(
            f"{run.rule_set.name} would include {', '.join(unasked)} again, whom an earlier run excluded. Nothing was"
            " changed: analyse again and confirm it, or choose other rules."
        )


def _refuse_if_excluded_meanwhile(
    run: CleaningRun, analysis: Analysis, frame: Frame, include_again: Collection[str]
) -> None:
    """The race: two analyses at once, and the other's exclusions came into force after this one had begun. Who is
    excluded later still puts the release out of date, which is said where it stands.
    """
    kept = frame.participations[analysis.cleaning.worker_kept].tolist()
    others = Exclusion.objects.in_force().filter(participation__in=kept, run__isnull=False).exclude(run=run)
    names = set(others.values_list("participation__pseudonym", flat=True)) - set(include_again)
    if names:
        raise Refused(
            f"Another analysis excluded {', '.join(sorted(names))} while this one ran, and {run.rule_set.name} would"
            " keep them. Nothing was changed: analyse again, and confirm it or choose other rules."
        )


@dataclass(frozen=True, slots=True)
class _Settings:
    """What an analysis is told beside its data and rules, as `analyse` takes it."""

    seed: int
    replicates: int
    further: tuple[str, ...]
    fixed_workers: bool


def _compute(
    run: CleaningRun,
    parts: Sequence[QuestionPart],
    part: QuestionPart,
    *,
    settings: _Settings,
    progress: Progress,
    ahead: ProcessAhead,
) -> None:
    """Outside of any transaction: it takes as long as it takes, and nobody waits for it. Meanwhile the judgments are
    frozen.
    """
    done = parts.index(part)

    def stage(name: str) -> None:
        progress.stop_if_cancelled()
        progress.report(COMPUTING * (done + STAGES.index(name) / len(STAGES)) / len(parts))

    def freeze_meanwhile() -> None:
        if FROZEN not in run.counts:
            judgments = np.sort(np.concatenate([each.frame.judgments for each in parts]))
            freeze(run=run, judgments=judgments, progress=progress)

    study = part.run.study
    items = replace(study_items(part.frame.crowd), answer_table=decided_answers(study))
    try:
        part.analysis = analyse_apart(
            with_worker_columns(part.frame, worker_columns_in(settings.further)),
            rules_of(run.rule_set),
            progress=stage,
            meanwhile=freeze_meanwhile,
            ahead=ahead,
            study_name=run.study.slug,
            by_hand=part.by_hand,
            probes=[probe_of(probe, items) for probe in part.probes],
            collection=collection_of(study, part.frame),
            **asdict(settings),
        )
    except NothingKept as nothing:
        # Nobody is excluded by it: rules that nobody passes are more often wrong than everybody is.
        part.cleaning = nothing.cleaning
        store_verdicts(run=run, parts=parts[: done + 1], progress=progress)
        raise Refused(f"{nothing} This run excluded nobody, and no release was made.") from nothing
    part.cleaning = part.analysis.cleaning
    progress.stop_if_cancelled()
    progress.report(COMPUTING * (done + 1) / len(parts))
