"""Subgroups of workers: agreement within and between them, their gold, and models against each group's gold."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from ..errors import Refused
from ..estimation.estimate import Figure
from ..judgments.crowd import Crowd, Sample
from ..kinds.options import has_own_labels
from ..kinds.statistics import statistics_of
from ..people.subgroups import (
    LEAST_PEOPLE,
    MOST_GROUPS,
    GroupedJudgments,
    Subgroups,
    subgroups,
)
from ..scoring.crowd_gold import gold_of_sample, scores_without_workers
from ..scoring.metrics import METRICS, title_of
from ..scoring.other_workers import LeaveOutScores, figure_over_workers
from ..scoring.paired_tests import ALPHA
from ..scoring.score import Score, score_probe
from .further_analysis import OWN_LABELS, AnalysisInput, Argument, Cell, FurtherAnalysis, FurtherResult, Table


def _column_name(text: str) -> str:
    if not text.strip():
        raise Refused("the column is missing")
    return text


def _is_numbers(inputs: AnalysisInput) -> bool:
    person = statistics_of(inputs.crowd.kind).person
    return person is not None and person.of_numbers


def _values_by_worker(crowd: Crowd, column: str) -> list[str] | str:
    """[W] what the column says of each worker, "" where it says nothing; or why it is no column of workers."""
    fields = crowd.worker_fields
    if fields is not None and column in fields:
        return [str(value).strip() for value in fields[column].tolist()]
    if column not in crowd.extras:
        names = [] if fields is None else list(map(str, fields.columns))
        known = ", ".join([*names, *map(str, crowd.extras.columns)])
        return f"no worker has anything in a column {column!r}; there {'are ' + known if known else 'is none'}"
    texts = crowd.extras[column].astype(str).str.strip()
    firsts = pd.Series(texts.to_numpy()).groupby(crowd.worker).agg(["first", "nunique"])
    if (firsts["nunique"] > 1).any():
        return f"the column {column!r} says different things of one worker, so that it is no column of workers"
    values = [""] * crowd.n_workers
    for worker, value in firsts["first"].items():
        values[int(str(worker))] = str(value)
    return values


def _groups(inputs: AnalysisInput) -> tuple[dict[str, int], npt.NDArray[np.int64]] | str:
    """The groups of five people or more with a code each, and [W] each worker's code, -1 for none; or why not."""
    values = _values_by_worker(inputs.crowd, inputs.argument)
    if isinstance(values, str):
        return values
    counted = np.unique(inputs.kept.worker)
    sizes = pd.Series([values[worker] for worker in counted.tolist()]).value_counts()
    large = [str(name) for name, size in sizes.items() if size >= LEAST_PEOPLE]
    names = sorted(name for name in large if name)
    if not names:
        return f"no group of {inputs.argument!r} has {LEAST_PEOPLE} people or more"
    if len(names) > MOST_GROUPS:
        return f"{inputs.argument!r} has {len(names)} groups; at most {MOST_GROUPS} can be compared: make them coarser"
    codes = {name: code for code, name in enumerate(names)}
    return codes, np.array([codes.get(value, -1) for value in values], dtype=np.int64)


def _reason_against(inputs: AnalysisInput) -> str:
    if has_own_labels(inputs.crowd.labels):
        return OWN_LABELS
    answers: object = inputs.kept.answers
    is_labels = statistics_of(inputs.crowd.kind).takes == "labels" and np.asarray(answers).ndim == 1
    if not _is_numbers(inputs) and not (is_labels and inputs.crowd.labels):
        return f"it takes one label or one number an answer, and kind {inputs.crowd.kind} has neither"
    if not (np.bincount(inputs.kept.item, minlength=1) >= 2).any():
        return "no item has two judgments"
    if len(np.unique(np.asarray(answers))) < 2:
        return "every answer is the same"
    groups = _groups(inputs)
    return groups if isinstance(groups, str) else ""


def _compute(inputs: AnalysisInput) -> FurtherResult:
    groups = _groups(inputs)
    assert not isinstance(groups, str)  # noqa: S101 - `_reason_against` was asked
    codes, of_worker = groups
    kept, crowd = inputs.kept, inputs.crowd
    group = of_worker[kept.worker]
    is_grouped = group >= 0
    answers = np.asarray(kept.answers, dtype=np.float64)[is_grouped]
    n_labels = 0 if _is_numbers(inputs) else len(crowd.labels)
    data = GroupedJudgments(
        kept.item[is_grouped], kept.worker[is_grouped], group[is_grouped], answers, crowd.n_items, len(codes), n_labels
    )
    result = subgroups(data, rng=inputs.stream(f"subgroups {inputs.argument}"))
    people = {name: len(np.unique(data.worker[data.group == code])) for name, code in codes.items()}
    left_out = len(np.unique(kept.worker)) - sum(people.values())
    distance = "squared differences" if n_labels == 0 else "equal labels"
    named = ", ".join(f"{name} ({n} people)" for name, n in people.items())
    method = (
        f"Workers were grouped by {inputs.argument}: {named}. Agreement within a group and between two is 1 - D_o / D_e"
        f" by {distance} (between two: Wong et al. 2021), with intervals over items and workers."
    )
    says = [method, *_differences(result, list(codes))]
    if left_out:
        says.append(
            f"{left_out} of the workers are left out: nothing is known of them, or their group has fewer than"
            f" {LEAST_PEOPLE} people."
        )
    tables = [_within_table(inputs, data, result, people), _between_table(inputs, data, result, list(codes))]
    if models := _models_table(inputs, codes, of_worker):
        tables.append(models)
    return FurtherResult(says, tables)


def _differences(result: Subgroups, names: list[str]) -> list[str]:
    """Which groups agree less with each other than within, by the permutation test."""
    apart = [f"{names[pair.first]} and {names[pair.second]}" for pair in result.pairs if (pair.p or 1) < ALPHA]
    if not result.pairs:
        return ["There is one group, so that nothing is compared between groups."]
    test = "by a permutation test over workers, at .05 after Holm's correction over pairs"
    if all(pair.p is None for pair in result.pairs):
        return ["No two groups have a test: none has items that two of its people judged, with answers that differ."]
    if not apart:
        return [f"No two groups agree detectably less with each other than within ({test})."]
    return [f"Less agreement between the two than within ({test}): {', '.join(apart)}."]


def _within_table(inputs: AnalysisInput, data: GroupedJudgments, result: Subgroups, people: dict[str, int]) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "group": name,
            "people": n,
            "judgments": int(np.sum(data.group == code)),
            "within": result.within[code],
        }
        for code, (name, n) in enumerate(people.items())
    ]
    return Table(
        name=f"subgroups-{_slug(inputs.argument)}",
        caption=f"Groups of workers by {inputs.argument}: agreement within each.",
        columns={"group": "Group", "people": "People", "judgments": "Judgments", "within": "Agreement within"},
        rows=rows,
    )


def _between_table(inputs: AnalysisInput, data: GroupedJudgments, result: Subgroups, names: list[str]) -> Table:
    rows: list[dict[str, Cell]] = [
        {
            "first": names[pair.first],
            "second": names[pair.second],
            "between": pair.between,
            "lower_by": pair.lower_by,
            "p": pair.p,
            "gold": pair.gold,
            "items": pair.items,
        }
        for pair in result.pairs
    ]
    of_gold = "Same majority" if data.n_labels else "Mean difference of gold"
    return Table(
        name=f"between-subgroups-{_slug(inputs.argument)}",
        caption=f"Each two groups by {inputs.argument}: agreement between them, how much lower it is than within, and"
        " their gold over the items that both judged.",
        columns={
            "first": "Group",
            "second": "Other group",
            "between": "Agreement between",
            "lower_by": "Within less between",
            "p": "p (permutation, Holm)",
            "gold": of_gold,
            "items": "Items",
        },
        rows=rows,
    )


def _models_table(inputs: AnalysisInput, codes: dict[str, int], of_worker: npt.NDArray[np.int64]) -> Table | None:
    """Each model against the gold of each group alone."""
    takes, metric = statistics_of(inputs.crowd.kind).takes, statistics_of(inputs.crowd.kind).first_metric
    probes = [probe for probe in inputs.named_probes if probe.shape == takes]
    if not probes:
        return None
    rows: list[dict[str, Cell]] = [{"model": probe.name} for probe in probes]
    for code in codes.values():
        own = _sample_of_members(inputs, of_worker == code)
        gold = gold_of_sample(inputs.crowd, own, inputs.gold.typical_filter)
        again = scores_without_workers(inputs.crowd, own, gold, probes, inputs.study, inputs.seed)
        for row, probe in zip(rows, probes, strict=True):
            score = score_probe(probe, gold, inputs.study, breakdowns=[]).overall().get(metric)
            row[f"group_{code}"] = None if score is None else _figure(score, again.get(probe.name, {}).get(metric))
    return Table(
        name=f"models-by-subgroup-{_slug(inputs.argument)}",
        caption=f"Models against the gold of each group by {inputs.argument}, {title_of(metric)}; intervals over items"
        " and the group's workers, its gold made again without workers, unless said otherwise.",
        columns={"model": "Model", **{f"group_{code}": name for name, code in codes.items()}},
        rows=rows,
    )


def _sample_of_members(inputs: AnalysisInput, members: npt.NDArray[np.bool_]) -> Sample:
    kept = inputs.kept
    which = members[kept.worker]
    answers: Any = kept.answers
    return Sample(kept.item[which], kept.worker[which], answers[which])


def _figure(score: Score, again: LeaveOutScores | None) -> Figure:
    if score.measured is None:
        return score.figure
    return figure_over_workers(score.measured, again, score.figure, METRICS[score.metric].within)


def _slug(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text.lower()).strip("-") or "column"


FURTHER = FurtherAnalysis(
    name="subgroups",
    order=5,
    title="Subgroups of workers",
    asks="Do groups of workers answer differently, and which group is a model close to?",
    needs="one label or one number an answer, and a column of workers with groups of five people or more",
    docs="Subgroups of workers",
    argument=Argument(
        label="column",
        help="a column of the workers file or of the judgments, or a question about the person at the study's end",
        is_needed=True,
        read=_column_name,
    ),
    reads_workers=True,
    why_not=_reason_against,
    compute=_compute,
)
