"""What a leaderboard shows, read in few queries: probes, people and chance on one scale, and every pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from agreement.estimation.estimate import Figure, Undefined
from agreement.kinds.statistics import statistics_of
from agreement.people.matched_share import MatchedShare
from agreement.report.figure_rows import FigureCell, figure_cell
from agreement.report.model_rows import SETTING, WITH_MAPPED, row_name, setting_key, setting_of
from agreement.report.people_and_models import ComparedProbes, stored_comparisons, stored_groups, stored_share
from agreement.scoring.answer_mapping.mapping_table import AnswerCounts
from agreement.scoring.metric import SPREAD
from agreement.scoring.metrics import has_upper_bound, missing_is_wrong, ranks, smaller_is_better, title_of
from agreement.scoring.metrics.of_rankings import AVERAGE_PRECISION
from agreement.scoring.score import MAPPED
from agreement.typed_json import Json, JsonObject, object_of
from annotation.releases.breakdown_curves import Breakdown, Point, breakdowns_of, point_of
from annotation.releases.models import GoldRelease, Leaderboard, Score, Scoring

NOT_COMPUTED = Undefined("not computed for this release")
FIGURE = ("estimate", "low", "high", "n", "method")


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a probe, a person or chance; `rank` is None for what is shown beside the ranking."""

    name: str
    kind: str  # probe | group | person | chance
    figure: FigureCell
    rank: int | None = None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    share: FigureCell | None = None
    coverage: Mapping[str, Json] | None = None
    share_of: str = ""  # the two figures behind the share
    answers: AnswerCounts | None = None  # of a model whose answers were mapped
    other_way: FigureCell | None = None  # the score by the other way of counting answers that were mapped to nothing


@dataclass(frozen=True, slots=True)
class Table:
    release: GoldRelease
    metric: str
    metric_name: str
    smaller_is_better: bool
    rows: list[Row]
    comparisons: list[ComparedProbes]
    breakdowns: list[Breakdown]
    notes: list[tuple[str, list[str]]]  # by probe, what a reader of its scores must know

    @property
    def has_answers(self) -> bool:
        """Whether some model's answers were mapped, so that the table has columns for those that weren't."""
        return any(row.answers is not None for row in self.rows)


def table_of(release: GoldRelease, metric: str = "") -> Table | None:
    """The release's leaderboard, or None before any probe was scored.

    By the metric that is named; unless it is one that ranks, by the first on which people stand too.
    """
    board = Leaderboard.objects.filter(release=release).first()
    if board is None:
        return None
    known = metrics_of(release)
    metric = metric if metric in known else _first_metric(board.metric, known, release)
    shown = Scoring.objects.shown_on(board).select_related("probe").order_by("probe__name")
    scorings = {scoring.pk: scoring for scoring in shown}
    scores = list(Score.objects.filter(scoring__in=scorings, metric=metric))
    overall = {(score.scoring_id, score.group): score for score in scores if score.breakdown in ("", SETTING)}
    other_way = {
        (score.scoring_id, setting_of(score.breakdown, score.group)): score
        for score in scores
        if score.breakdown in (MAPPED, WITH_MAPPED)
    }
    rows = []
    for key, scoring in scorings.items():
        settings = sorted((group for scored, group in overall if scored == key), key=setting_key)
        rows += [_row(scoring, overall[key, group], other_way.get((key, group))) for group in settings]
        rows += [] if settings else [_row_without(scoring)]
    return Table(
        release=release,
        metric=metric,
        metric_name=title_of(metric),
        smaller_is_better=smaller_is_better(metric),
        rows=[
            *_ranked_rows(rows, metric),
            *_group_rows(board, metric),
            *_rows_beside_ranking(release, metric, list(overall.values())),
        ],
        comparisons=[pair for pair in stored_comparisons(board.comparisons) if pair.metric == metric],
        breakdowns=breakdowns_of(scores, scorings),
        notes=[(scoring.probe.name, scoring.notes) for scoring in scorings.values() if scoring.notes],
    )


def metrics_of(release: GoldRelease) -> dict[str, str]:
    """What the release's probes can be ranked by, and what people call it: no spread over templates or runs."""
    scores = Score.objects.filter(scoring__release=release)
    scored_metrics = sorted(set(scores.values_list("metric", flat=True)))
    in_order = [*(metric for metric in release.study.metrics if metric in scored_metrics), *scored_metrics]
    return {metric: title_of(metric) for metric in dict.fromkeys(in_order) if ranks(metric)}


def _first_metric(compared: str, known: Mapping[str, str], release: GoldRelease) -> str:
    """The metric that a leaderboard opens on: the study's own choice, else the kind's, by which models are tested, else
    the first that people stand on, else that of the comparisons.
    """
    tested = statistics_of(release.published.question.kind).first_metric
    wished = (*release.study.metrics, tested, *_people(release), compared, *known)
    return next((one for one in wished if one in known), compared)


def _people(release: GoldRelease) -> dict[str, Figure]:
    """A typical person's figure by the name of the metric that scores a probe."""
    question = release.published.question
    left_out = release.published.results.ceiling.leave_one_out
    person = statistics_of(question.kind).person
    if not left_out.metric or person is None:
        return {}
    figures = {left_out.metric: left_out.person, **left_out.other_metrics}
    return {person.probe_metric(metric): figure for metric, figure in figures.items()}


def scoring_as_json(scoring: Scoring) -> JsonObject:
    """One probe's scores as `--json` and the API give them."""
    return {
        "study": scoring.release.study.slug,
        "probe": scoring.probe.name,
        "release": scoring.release.number,
        "sha256": scoring.release_sha256,
        "seed": scoring.seed,
        "coverage": scoring.coverage,
        "notes": scoring.notes,
        "answers": scoring.answers,
        "matched_share": scoring.matched_share,
        "scores": [
            {"metric": score.metric, "breakdown": score.breakdown, "group": score.group, "chance": score.chance}
            | object_of(score.figure)
            for score in scoring.scores.order_by("pk")
        ],
    }


def _row(scoring: Scoring, score: Score, other_way: Score | None) -> Row:
    differs = other_way is not None and other_way.estimate != score.estimate
    return Row(
        name=row_name(scoring.probe.name, score.breakdown, score.group),
        kind="probe",
        figure=figure_cell(score.figure),
        rank=0 if _may_rank(scoring, score) else None,
        estimate=score.estimate,
        low=score.low,
        high=score.high,
        share=_share_cell(stored_share(scoring.matched_share)),
        coverage=scoring.coverage,
        share_of=_share_of(stored_share(scoring.matched_share)),
        answers=scoring.answer_counts,
        other_way=figure_cell(other_way.figure) if differs and other_way is not None else None,
    )


def _share_cell(share: MatchedShare | Undefined) -> FigureCell:
    return figure_cell(share.share if isinstance(share, MatchedShare) else share)


def _share_of(share: MatchedShare | Undefined) -> str:
    """What the share is a share of: both figures are on each worker's own items."""
    if isinstance(share, Undefined):
        return ""
    model, person = share.model, share.person
    if isinstance(model, Undefined) or isinstance(person, Undefined):
        return ""
    return f"{model.estimate:.3f} against {person.estimate:.3f}"


def _row_without(scoring: Scoring) -> Row:
    """A probe that has no figure by this metric: it is shown all the same."""
    return Row(
        name=scoring.probe.name,
        kind="probe",
        figure=FigureCell(words="not scored by this metric"),
        answers=scoring.answer_counts,
        share=_share_cell(stored_share(scoring.matched_share)),
        coverage=scoring.coverage,
    )


def _may_rank(scoring: Scoring, score: Score) -> bool:
    """A correlation on a part of the items is another question; an accuracy counts what is missing as wrong."""
    return score.estimate is not None and (scoring.coverage["is_full"] or missing_is_wrong(score.metric))


def _ranked_rows(rows: list[Row], metric: str) -> list[Row]:
    """The best first and equals sharing a rank; those that can't be ranked stand below."""
    sign = 1 if smaller_is_better(metric) else -1
    able = sorted((row for row in rows if row.rank is not None), key=lambda row: sign * (row.estimate or 0.0))
    ranked: list[Row] = []
    for place, row in enumerate(able, start=1):
        ties = ranked and ranked[-1].estimate == row.estimate
        ranked.append(replace(row, rank=ranked[-1].rank if ties else place))
    return [*ranked, *(row for row in rows if row.rank is None)]


def _group_rows(board: Leaderboard, metric: str) -> list[Row]:
    """The mean of each group of models, beside the ranking."""
    rows = [row for row in stored_groups(board.groups) if row.metric == metric and not row.breakdown]
    return [_plain_row(f"Mean of {row.models} ({len(row.probes)} models)", "group", row.figure) for row in rows]


def _rows_beside_ranking(release: GoldRelease, metric: str, overall: list[Score]) -> list[Row]:
    """A typical person on the same metric, the upper bound of a correlation, and chance."""
    people = _people(release)
    rows = []
    if metric in people:
        rows.append(_plain_row("A typical person, leave-one-out", "person", people[metric]))
    if has_upper_bound(metric):
        rows.append(
            _plain_row("The most that any model can reach", "person", release.published.results.ceiling.upper_bound)
        )
    chances = [score.chance for score in overall if score.chance is not None]
    if chances:
        rows.append(Row("Chance", "chance", _level_cell(chances[0]), estimate=chances[0]))
    return rows


def _plain_row(name: str, kind: str, figure: Figure) -> Row:
    if isinstance(figure, Undefined):
        return Row(name, kind, figure_cell(figure))
    return Row(name, kind, figure_cell(figure), estimate=figure.estimate, low=figure.low, high=figure.high)


def _level_cell(chance: float) -> FigureCell:
    """A level that is computed and not estimated."""
    return FigureCell(number=f"{chance:.3f}", interval="no interval")


# Average precision at every production frequency as one table.

FREQUENCY = "least number of people who named the property"


def scores_by_frequency(release: GoldRelease) -> Breakdown | None:
    """Average precision by the least number of people who named a property: of models with the sd over templates, of a
    typical person, and of a random order. None where no model ranks properties.
    """
    names = [metric.name for metric in AVERAGE_PRECISION.values()]
    wanted = [*names, *(f"{name}{SPREAD}" for name in names)]
    scores = Score.objects.filter(scoring__release=release, breakdown="", metric__in=wanted)
    score_of = {
        (score.scoring.probe.name, score.metric): score
        for score in scores.select_related("scoring__probe").order_by("scoring__probe__name", "pk")
    }
    if not score_of:
        return None
    lines: list[tuple[str, list[FigureCell]]] = []
    points: list[tuple[str, list[Point | None]]] = []
    for probe in dict.fromkeys(name for name, _ in score_of):
        of_probe = [score_of.get((probe, name)) for name in names]
        spreads = [score_of.get((probe, f"{name}{SPREAD}")) for name in names]
        lines.append((probe, [_shown_or_none(score) for score in of_probe]))
        if any(spreads):
            lines.append((f"{probe}, sd over templates or runs", [_shown_or_none(score) for score in spreads]))
        points.append((probe, [None if score is None else point_of(score) for score in of_probe]))
    people = _people(release)
    of_people = [people.get(name, NOT_COMPUTED) for name in names]
    lines.append(("A typical person, leave-one-out", [figure_cell(figure) for figure in of_people]))
    points.append(("A typical person, leave-one-out", [_point_of(figure) for figure in of_people]))
    levels = [_chance(name, score_of) for name in names]
    lines.append(("A random order", [figure_cell(NOT_COMPUTED) if one is None else _level_cell(one) for one in levels]))
    points.append(("A random order", [None if one is None else Point(one, None, None) for one in levels]))
    return Breakdown(FREQUENCY, [str(threshold) for threshold in AVERAGE_PRECISION], lines, points)


def _shown_or_none(score: Score | None) -> FigureCell:
    return FigureCell(words="–") if score is None else figure_cell(score.figure)


def _chance(metric: str, score_of: Mapping[tuple[str, str], Score]) -> float | None:
    """What a random order gives, of the first model: models that rank other candidates have other levels."""
    levels = (score.chance for (_, name), score in score_of.items() if name == metric and score.chance is not None)
    return next(levels, None)


def _point_of(figure: Figure) -> Point | None:
    return None if isinstance(figure, Undefined) else Point(figure.estimate, figure.low, figure.high)
