"""The main job in one line: a crowd's file in, a folder with everything a paper needs out, and no database."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agreement.analysis.analysis import STAGES, Analysis, Source, analyse
from agreement.analysis.gathering import crowd_of
from agreement.analysis.writing import refuse_foreign, write
from agreement.cleaning.by_hand import NOTHING_BY_HAND, ByHand, read_by_hand
from agreement.cleaning.ruleset import RuleSet, load_rules
from annotation.errors import Refused
from annotation.files.judgments import Judgments, read_judgments
from annotation.files.kinds import QuestionKind, Repeats, Scale
from annotation.files.problems import Chained

ALL_STAGES = ("reading", *STAGES)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileJob:
    """What `analyse_file` was asked to do."""

    judgments: Path
    out: Path
    items: Path | None
    kind: QuestionKind | None
    scale: Scale | None
    labels: tuple[str, ...]
    repeats: Repeats
    rules: str
    by_hand: Path | None
    seed: int
    replicates: int
    only_kept: bool


def run(job: FileJob, progress: Callable[[str], None] = lambda _: None) -> Analysis:
    """Read, analyse, write; `Refused` has every reason, and then nothing was written."""
    progress("reading")
    rules, by_hand, judgments = _inputs(job)
    given = (job.judgments, job.items, job.by_hand)
    sources = [Source(path.name, _sha256(path)) for path in given if path is not None]
    analysis = analyse(
        crowd_of(judgments),
        rules,
        study_name=job.judgments.stem,
        seed=job.seed,
        replicates=job.replicates,
        n_repeats=judgments.n_repeats,
        sources=sources,
        by_hand=by_hand,
        progress=progress,
    )
    write(analysis, job.out, only_kept=job.only_kept)
    return analysis


def _inputs(job: FileJob) -> tuple[RuleSet, ByHand, Judgments]:
    """Everything that can be refused, refused together."""
    reasons: list[Sequence[str]] = []
    rules = judgments = None
    by_hand = NOTHING_BY_HAND
    try:
        refuse_foreign(job.out)
    except Refused as refused:
        reasons.append(refused.reasons)
    try:
        rules = load_rules(job.rules)
    except Refused as refused:
        reasons.append(refused.reasons)
    try:
        by_hand = read_by_hand(job.by_hand) if job.by_hand else by_hand
    except Refused as refused:
        reasons.append(refused.reasons)
    try:
        judgments = read_judgments(
            job.judgments,
            items_path=job.items,
            kind=job.kind,
            scale=job.scale,
            labels=job.labels,
            repeats=job.repeats,
        )
    except Refused as refused:
        reasons.append(refused.reasons)
    if rules is None or judgments is None or reasons:
        raise Refused(Chained(reasons))
    return rules, by_hand, judgments


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
