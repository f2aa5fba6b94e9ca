"""The figures that pages about a study show: of a small study made at once, of a large one as a job stored them."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import numpy.typing as npt
from django.db.models import Max
from django.utils import timezone

from agreement.analysis.analysis import DEFAULT_REPLICATES, DEFAULT_SEED
from agreement.analysis.study_summary import Facts, SuspectFacts, summarise
from agreement.cleaning.rule_set import DEFAULT, RuleSet, built_in_names, built_in_toml, parse_rules
from agreement.typed_json import JsonObject
from annotation.jobs import Progress, request_job
from annotation.models import Job, Judgment, Participation, Study, User
from annotation.releases.from_database.reading_judgments import frame_of
from annotation.releases.models import Exclusion, PropertyCode, StudySummary
from annotation.releases.tasks import SUMMARY
from annotation.studies import presets

# What the next analysis of a study starts from: the rules, seed and replicates of its last release, else its own.

MOST_REPLICATES = 10_000  # of an analysis on the site


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """`release` is the number of the release that they were taken from; none: nothing has been released yet."""

    toml: str
    seed: int
    replicates: int
    release: int | None = None
    fixed_workers: bool = False
    also: tuple[str, ...] = ()  # further analyses, as `--also` names them

    @property
    def rules(self) -> RuleSet:
        return parse_rules(self.toml)


def settings_of(study: Study) -> AnalysisSettings:
    of_report = ("seed", "replicates", "fixed_workers", "further")
    names = ("run__rule_set__toml", *(f"report__{name}" for name in of_report), "number")
    last = study.releases.order_by("-number").values_list(*names).first()
    if last is None:
        return AnalysisSettings(built_in_toml(first_rules(study)), DEFAULT_SEED, DEFAULT_REPLICATES)
    toml, seed, replicates, fixed, further, number = last
    also = tuple(part["analysis"] for part in further or ())
    return AnalysisSettings(toml, seed, replicates, number, fixed_workers=bool(fixed), also=also)


def first_rules(study: Study) -> str:
    """The built-in rule set that a study's first analysis starts from: its template's, or every check's own bounds."""
    name = presets.load(study.preset).rules if study.preset in presets.names() else ""
    return name if name in built_in_names() else DEFAULT


# Up to so many judgments the figures are made while the page is: a tenth of a second.
AT_ONCE = 4_000
# A stored summary is made again once so many judgments, and such a share of all, have come in since; and once any has,
# after so long. Never more often than the last, for a page may be open all day.
MANY, LARGE_SHARE = 100, 0.02
MOST_COUNTED = 20_000
OLD, LEAST_AGE = dt.timedelta(minutes=15), dt.timedelta(minutes=1)

Columns = Mapping[str, npt.NDArray[np.int64 | np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class Figures:
    """`workers` and `items` are columns; their `participation` and `item` hold the keys of the rows.

    `since` judgments have come in after it was made; `made_at` is None where it was made for this page.
    """

    facts: Facts
    workers: Columns
    items: Columns
    judgments: int
    last_judgment: int
    made_at: dt.datetime | None = None
    since: int = 0

    @property
    def suspects(self) -> dict[int, SuspectFacts]:
        """By participation whose answers look careless, with `kinds` and a `sentence`; of a summary that is older than
        screening nobody.
        """
        return {one["worker"]: one for one in self.facts.get("suspects", [])}

    @property
    def not_screened(self) -> str:
        """Why nobody could be screened; nothing where somebody was."""
        return str(self.facts.get("not_screened", ""))

    def worker(self, participation: int) -> dict[str, float] | None:
        """One person's row; None for who has no judgment that counts."""
        return _row(self.workers, "participation", participation)

    def item(self, item: int) -> dict[str, float] | None:
        return _row(self.items, "item", item)


def _row(columns: Columns, key: str, wanted: int) -> dict[str, float] | None:
    places = np.flatnonzero(columns[key] == wanted)
    return {name: float(column[places[0]]) for name, column in columns.items()} if len(places) else None


def figures_of(study: Study) -> Figures | None:
    """None for a large study of which nothing is stored yet."""
    if is_small(study):
        return compute_figures(study)
    stored = study.stored_summaries.select_related("study").first()
    return None if stored is None or not still_holds(stored) else read_figures(stored)


def still_holds(stored: StudySummary) -> bool:
    """Not where somebody withdrew while it was computed: it has figures of them."""
    return bool(stored.facts["withdrawn"] == withdrawn_from(stored.study))


def withdrawn_from(study: Study) -> int:
    return study.participations.filter(status=Participation.Status.WITHDRAWN).count()


def is_small(study: Study) -> bool:
    return len(Judgment.objects.of_study(study.pk).order_by().values_list("pk")[: AT_ONCE + 1]) <= AT_ONCE


def compute_figures(study: Study) -> Figures:
    """From all judgments that count now."""
    last = Judgment.objects.aggregate(last=Max("pk"))["last"] or 0
    frame = frame_of(study)
    out = Exclusion.objects.in_force().filter(participation__study=study).values_list("participation", flat=True)
    excluded = np.isin(frame.participations, np.fromiter(out, dtype=np.int64))
    summary = summarise(frame.crowd, settings_of(study).rules, excluded)
    matrix = summary.facts["matrix"]
    keys = frame.participations.tolist()
    most = summary.facts["most_influential"]
    facts: Facts = {
        **summary.facts,
        "most_influential": None if most is None else keys[most],
        "matrix": {
            "workers": [keys[code] for code in matrix["workers"]],
            "pairs": [[keys[a], keys[b], shared, agreement] for a, b, shared, agreement in matrix["pairs"]],
        },
        "suspects": [{**one, "worker": keys[one["worker"]]} for one in summary.facts["suspects"]],
    }
    is_target = frame.crowd.item_is_target
    items = {name: column[is_target] for name, column in summary.items.items()}
    return Figures(
        facts=facts,
        workers={"participation": frame.participations, **summary.workers},
        items={"item": frame.items[is_target], **items},
        judgments=frame.crowd.n_judgments,
        last_judgment=last,
    )


# What is stored, and when it is too old.


def read_figures(stored: StudySummary) -> Figures:
    return Figures(
        facts=stored.facts,
        workers=unpack_arrays(bytes(stored.workers)),
        items=unpack_arrays(bytes(stored.items)),
        judgments=stored.judgments,
        last_judgment=stored.last_judgment,
        made_at=stored.made_at,
        since=came_since(stored),
    )


def came_since(stored: StudySummary) -> int:
    """How many judgments are newer, counted up to a number that says enough.

    By the site's newest judgments and not by the study's: asked for a study, SQLite reads all that it has.
    """
    newer = Judgment.objects.filter(pk__gt=stored.last_judgment).order_by("pk")
    studies = newer.values_list("assigned_item__item__study", flat=True)[:MOST_COUNTED]
    return Counter(studies)[stored.study_id]


def pack_arrays(columns: Columns) -> bytes:
    """As numpy writes arrays, which it reads back in milliseconds however many rows there are."""
    out = BytesIO()
    np.savez(out, allow_pickle=False, **{name: np.asarray(column) for name, column in columns.items()})
    return out.getvalue()


def unpack_arrays(content: bytes) -> dict[str, npt.NDArray[np.int64 | np.float64]]:
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def basis_of(study: Study) -> str:
    """A digest of what a summary depends on beside the judgments: rules, exclusions, status, coding of properties."""
    out = Exclusion.objects.in_force().filter(participation__study=study).order_by("participation")
    coding = PropertyCode.objects.of_study(study).last_revision() if study.question_kind.has_properties else 0
    facts = [
        settings_of(study).rules.sha256,
        list(out.values_list("participation", flat=True)),
        withdrawn_from(study),
        study.status,
        study.counts_late_answers,
        coding,
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def is_due(study: Study, now: dt.datetime | None = None) -> bool:
    """Whether a job should make the summary: it is missing, or what it was made of has changed enough."""
    if is_small(study):
        return False
    stored = study.stored_summaries.defer("facts", "workers", "items").first()
    if stored is None:
        return not _failed_lately(study)
    age = (now or timezone.now()) - stored.made_at
    if age < LEAST_AGE or _failed_lately(study):
        return False
    if stored.basis != basis_of(study):
        return True
    since = came_since(stored)
    return since >= max(MANY, LARGE_SHARE * stored.judgments) or (since > 0 and age > OLD)


def _failed_lately(study: Study) -> bool:
    """A job that fails is tried again later, not at every look at a page."""
    since = timezone.now() - OLD
    return study.jobs.filter(kind=SUMMARY, status=Job.Status.FAILED, finished_at__gt=since).exists()


# Makes and stores a study's summary; asks for a job that does.


def store_summary(*, study: Study, progress: Progress) -> JsonObject:
    """The job's work. Made twice it is stored twice, the later one in the place of the other.

    The race: somebody withdraws while it is computed. What is stored then says how many had withdrawn before, and
    is shown to nobody.
    """
    made_at, basis = timezone.now(), basis_of(study)
    withdrawn = withdrawn_from(study)
    figures = compute_figures(study)
    progress.stop_if_cancelled()
    result: JsonObject = {"judgments": figures.judgments}
    values = {
        "made_at": made_at,
        "judgments": figures.judgments,
        "last_judgment": figures.last_judgment,
        "basis": basis,
        "facts": {**figures.facts, "withdrawn": withdrawn},
        "workers": pack_arrays(figures.workers),
        "items": pack_arrays(figures.items),
    }
    with progress.finishing(result):
        StudySummary.objects.update_or_create(study=study, question=study.asked_number, defaults=values)
    return result


def ask_for_summary(*, study: Study, by: User | None) -> bool:
    """Whether a job is under way: it was already, or one is requested because what is stored is missing or old."""
    if study.jobs.filter(kind=SUMMARY).unfinished().exists():
        return True
    if not is_due(study):
        return False
    request_job(kind=SUMMARY, study=study, parameters={}, by=by)
    return True


def ask_for_old_summaries() -> int:
    """What the clock calls for: of every study whose summary has grown old. Asked twice, no job is requested twice."""
    judged = Study.objects.filter(stored_summaries__isnull=False).distinct()
    return sum(ask_for_summary(study=study, by=None) for study in judged.order_by("pk"))
