"""Models of annotators: how accurate, how severe and how consistent each worker is, with uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays import Floats, Ints
from ..estimation.estimate import Estimate, Figure, Undefined
from ..gold.rating_scale_model import MOST_CATEGORIES, PRIOR_SD, RatingScale, rating_scale_model
from ..gold.worker_accuracies import WorkerAccuracies, worker_accuracies
from ..kinds.options import has_own_labels
from ..kinds.statistics import statistics_of
from .further_analysis import OWN_LABELS, AnalysisInput, Cell, FurtherAnalysis, FurtherResult, Table

GUESSING = 0.005  # as near to 1 / labels are the accuracies of workers who guess
STEEPEST = 20.0  # logits: the sd of items beyond which answers follow items without error
TITLES = {"dawid_skene": "Dawid-Skene", "mace": "MACE"}


def _answers(inputs: AnalysisInput) -> Any:
    return np.asarray(inputs.kept.answers)


def _categories(inputs: AnalysisInput) -> tuple[Ints, Sequence[str]] | str:
    """[J] the category of each answer, in order, and what they are called; or why there are none."""
    if _answers(inputs).ndim != 1 or _answers(inputs).dtype == object:
        return f"kind {inputs.crowd.kind} has neither"
    if has_own_labels(inputs.crowd.labels):
        return OWN_LABELS
    if inputs.crowd.ordered:
        return _answers(inputs).astype(np.int64), inputs.crowd.labels
    person = statistics_of(inputs.crowd.kind).person
    if person is None or not person.of_numbers:
        return "the labels have no order"
    steps, code = np.unique(_answers(inputs), return_inverse=True)
    if len(steps) > MOST_CATEGORIES:
        return f"the answers have more than {MOST_CATEGORIES} different values"
    return code.astype(np.int64), [f"{step:g}" for step in steps]


def _reason_against(inputs: AnalysisInput) -> str:
    has_models = bool(statistics_of(inputs.crowd.kind).annotator_models)
    has_labels = has_models and len(inputs.crowd.labels) >= 2 and not has_own_labels(inputs.crowd.labels)
    categories = _categories(inputs)
    if not has_labels and isinstance(categories, str):
        return f"it takes one label an answer, or an ordered scale of few steps: {categories}"
    return too_few_for_models(inputs)


def too_few_for_models(inputs: AnalysisInput) -> str:
    """Why no model of annotators can be had of so few items, workers or different answers, or ""."""
    if len(np.unique(inputs.kept.item)) < 2:
        return "there is only one item: what is the item's and what is the worker's can't be told apart"
    if len(np.unique(_answers(inputs))) < 2:
        return "all answers are the same"
    if len(np.unique(inputs.kept.worker)) < 3:
        return "it takes three workers: of two nobody can tell who is right"
    if not (np.bincount(inputs.kept.item, minlength=1) >= 2).any():
        return "no item has two judgments"
    return ""


def _compute(inputs: AnalysisInput) -> FurtherResult:
    kept, crowd = inputs.kept, inputs.crowd
    says: list[str] = []
    tables: list[Table] = []
    accuracies: dict[str, WorkerAccuracies] = {}
    for name, model in statistics_of(crowd.kind).annotator_models.items() if len(crowd.labels) >= 2 else ():
        code = _answers(inputs).astype(np.int64)
        asked = (kept.item, kept.worker, code, crowd.n_items, len(crowd.labels))
        accuracies[name] = worker_accuracies(model, *asked, rng=inputs.stream(f"worker-models {name}"))
    if accuracies:
        says += [_accuracies_sentence(accuracies, crowd.labels), *_guessers(accuracies, len(crowd.labels))]
        tables.append(_accuracies_table(inputs, accuracies))
    categories = _categories(inputs)
    if not isinstance(categories, str):
        code, names = categories
        if len(used := np.unique(code)) < len(names):  # a step that nobody gave has no threshold
            code, names = np.searchsorted(used, code), [names[step] for step in used.tolist()]
        model_of_scale = rating_scale_model(kept.item, kept.worker, code, len(names))
        if is_undetermined(model_of_scale):
            says.append(
                "The many-facet rating scale model has no severities and no values of items here: people agree wholly,"
                " or each gave nearly one answer throughout, so that many values would do as well."
            )
            return FurtherResult(says, tables)
        says.append(_scale_sentence(model_of_scale, names))
        tables += [_severity_table(inputs, model_of_scale, code), _values_table(inputs, model_of_scale)]
    return FurtherResult(says, tables)


def _accuracies_sentence(accuracies: dict[str, WorkerAccuracies], labels: Sequence[str]) -> str:
    parts = [
        f"{TITLES.get(name, name)}: workers' accuracies {np.nanmin(one.accuracy):.3f} to {np.nanmax(one.accuracy):.3f}"
        f" ({one.consensus.method}){_swapped(one, labels)}"
        for name, one in accuracies.items()
    ]
    G = next(iter(accuracies.values())).n_groups
    return (
        f"{'. '.join(parts)}. Standard errors are a jackknife over {G} random groups of items, the model fitted anew"
        " without each; no limits are narrower than those of a share of as many answers with every label known."
    )


def _guessers(accuracies: dict[str, WorkerAccuracies], labels: int) -> list[str]:
    """Where a model ends with everybody guessing, as it may where one label is nearly everything."""
    return [
        f"{TITLES.get(name, name)} takes everybody for guessing, so that its accuracies say nothing of these workers."
        for name, one in accuracies.items()
        if labels and np.nanmax(np.abs(one.accuracy - 1 / labels)) < GUESSING
    ]


def is_undetermined(model: RatingScale) -> bool:
    """Whether the likelihood has no top: nothing but the prior keeps the fit from infinity."""
    return model.sigma > STEEPEST or bool(np.median(model.severity_se) > PRIOR_SD / 2)


def _swapped(one: WorkerAccuracies, labels: Sequence[str]) -> str:
    pairs = ", ".join(f"{labels[was]} for {labels[mostly]}" for was, mostly in one.consensus.swapped)
    return f"; its classes don't keep to their labels ({pairs}), so that its accuracies mean nothing" if pairs else ""


def _accuracies_table(inputs: AnalysisInput, accuracies: dict[str, WorkerAccuracies]) -> Table:
    """The least accurate first, by the first model whose classes keep to their labels."""
    n = np.bincount(inputs.kept.worker, minlength=inputs.crowd.n_workers)
    first = next((one for one in accuracies.values() if not one.consensus.swapped), None)
    who = np.flatnonzero(n)
    if first is not None:
        who = who[np.argsort(first.accuracy[who], kind="stable")]
    rows: list[dict[str, Cell]] = []
    for worker in who.tolist():
        row: dict[str, Cell] = {"worker": str(inputs.crowd.workers[worker]), "judgments": int(n[worker])}
        for name, one in accuracies.items():
            row[name] = _accuracy(one, worker, int(n[worker]))
            row[f"{name}_agrees"] = None if one.consensus.swapped else float(one.agrees[worker])
        rows.append(row)
    columns = {"worker": "Worker", "judgments": "Judgments"}
    for name in accuracies:
        columns |= {name: f"Accuracy, {TITLES.get(name, name)}", f"{name}_agrees": f"Equal to {TITLES.get(name, name)}"}
    return Table(
        name="worker-accuracies",
        caption="Each worker's accuracy by models of annotators, with 95 % limits, and the share of answers that equal"
        " the model's label; the least accurate first.",
        columns=columns,
        rows=rows,
    )


def _accuracy(one: WorkerAccuracies, worker: int, n: int) -> Figure:
    if one.consensus.swapped:
        return Undefined("the model's classes don't keep to their labels")
    accuracy, se = float(one.accuracy[worker]), float(one.se[worker])
    if np.isnan(accuracy):
        return Undefined("no judgments")
    if np.isnan(one.low[worker]):
        return Estimate(accuracy, None, None, n, "no interval: no item that is left out changes it")
    of_groups = f"jackknife over {one.n_groups} groups of items, logit"
    method = f"standard error {se:.4f}, {of_groups}, no narrower than Jeffreys' limits of a share"
    return Estimate(accuracy, float(one.low[worker]), float(one.high[worker]), n, method, "items")


def _scale_sentence(model: RatingScale, names: Sequence[str]) -> str:
    steps = ", ".join(f"{step:.2f}" for step in model.steps)
    note = "" if model.converged else " It stopped before the likelihood was at its highest."
    return (
        "Many-facet rating scale model (Andrich 1978; Linacre 1989) by marginal maximum likelihood: the sd of items is"
        f" {model.sigma:.2f} logits, that of workers' severities {float(np.std(model.severity)):.2f}; steps between"
        f" {', '.join(names)}: {steps}. Workers with an infit above 1.4 are noisier than the model expects:"
        f" {int(np.sum(model.infit > 1.4))} of {len(model.severity)}.{note}"
    )


def _severity_table(inputs: AnalysisInput, model: RatingScale, code: Ints) -> Table:
    """The most severe first."""
    who = np.unique(inputs.kept.worker)
    n = np.bincount(inputs.kept.worker, minlength=inputs.crowd.n_workers)
    same = _closeness(inputs, model, code)
    rows: list[dict[str, Cell]] = []
    for index in np.argsort(-model.severity, kind="stable").tolist():
        severity, se, worker = float(model.severity[index]), float(model.severity_se[index]), int(who[index])
        has_limits = np.isfinite(se) and se > 0
        low, high = (severity - 1.96 * se, severity + 1.96 * se) if has_limits else (None, None)
        rows.append(
            {
                "worker": str(inputs.crowd.workers[worker]),
                "judgments": int(n[worker]),
                "severity": Estimate(severity, low, high, int(n[worker]), f"standard error {se:.3f}"),
                "infit": float(model.infit[index]),
                "outfit": float(model.outfit[index]),
                "correlation": same[index],
            }
        )
    return Table(
        name="worker-severity",
        caption="Each worker's severity in logits above the mean of all (a severe worker gives lower answers) with 95 %"
        " limits, fit (1 is what the model expects, more is noisier), and the correlation of the answers with those"
        " that the model expects; the most severe first.",
        columns={
            "worker": "Worker",
            "judgments": "Judgments",
            "severity": "Severity",
            "infit": "Infit",
            "outfit": "Outfit",
            "correlation": "Correlation with the model",
        },
        rows=rows,
    )


def _closeness(inputs: AnalysisInput, model: RatingScale, code: Ints) -> list[float | None]:
    """[W] Pearson's r of each worker's answers with the model's expected categories."""
    _, w = np.unique(inputs.kept.worker, return_inverse=True)

    def by_worker(values: Floats) -> Floats:
        return np.asarray(np.bincount(w, weights=values), dtype=np.float64)

    n = by_worker(np.ones(len(w)))
    x, y = code.astype(np.float64), model.expected
    dx, dy = x - (by_worker(x) / n)[w], y - (by_worker(y) / n)[w]
    spread = np.sqrt(by_worker(dx * dx) * by_worker(dy * dy))
    r = np.where(spread > 1e-9, by_worker(dx * dy) / np.maximum(spread, 1e-9), np.nan)
    return [None if np.isnan(each) else float(each) for each in r]


def _values_table(inputs: AnalysisInput, model: RatingScale) -> Table:
    items = np.unique(inputs.kept.item)
    ids = inputs.crowd.items["item_id"].to_numpy()
    n = np.bincount(inputs.kept.item, minlength=inputs.crowd.n_items)
    rows: list[dict[str, Cell]] = [
        {
            "item_id": str(ids[items[index]]),
            "judgments": int(n[items[index]]),
            "value": Estimate(
                float(model.value[index]),
                float(model.value[index] - 1.96 * model.value_sd[index]),
                float(model.value[index] + 1.96 * model.value_sd[index]),
                int(n[items[index]]),
                "posterior mean and sd",
            ),
        }
        for index in np.argsort(-model.value, kind="stable").tolist()
    ]
    return Table(
        name="item-values",
        caption="Each item's value in logits, workers' severities allowed for, with 95 % posterior limits; the highest"
        " first.",
        columns={"item_id": "Item", "judgments": "Judgments", "value": "Value"},
        rows=rows,
    )


FURTHER = FurtherAnalysis(
    name="worker-models",
    order=6,
    title="Models of annotators",
    asks="How accurate, how severe and how consistent is each worker, and how sure is that?",
    needs="one label an answer, or an ordered scale of at most eleven steps, and three workers or more",
    docs="Models of annotators",
    why_not=_reason_against,
    compute=_compute,
)
