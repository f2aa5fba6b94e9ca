"""Every label's posterior probability, prevalence and competence by the hierarchical model of Dawid and Skene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Ints, as_they_come, count_by
from ..estimation.chains import FEWEST_EFFECTIVE, MOST_R_HAT
from ..estimation.estimate import Estimate
from ..gold.hierarchical_annotators import CHAINS, HierarchicalModel, hierarchical_model, is_too_large
from ..kinds.statistics import statistics_of
from .further_analysis import AnalysisInput, Cell, FurtherAnalysis, FurtherResult, Table
from .worker_models import too_few_for_models

MOST_ROWS = 10_000  # of the tables in report.json
SURE = 0.95  # a label's probability, below which it is said to be unsure
PRIOR = (
    "flat on prevalences; the mean of the population's answers to items of one label is Dirichlet with {K} at that"
    " label and 1 at the others, and of the concentration s of workers around it {K} / ({K} + s) is uniform"
)


@dataclass(frozen=True, slots=True, eq=False)
class _Votes:
    """Judgments by codes without gaps, in the order in which the answers put items and workers, so that no random draw
    depends on what anybody is called; and the crowd's codes of items [N], workers [W] and labels [K] that are used.
    """

    item: Ints
    worker: Ints
    label: Ints
    items: Ints
    workers: Ints
    labels: Ints


def _votes(inputs: AnalysisInput) -> _Votes:
    answers = np.asarray(inputs.kept.answers).astype(np.int64)
    items, workers, labels = as_they_come(inputs.kept.item), as_they_come(inputs.kept.worker), np.unique(answers)
    item, worker = (_dense(codes, old) for codes, old in ((inputs.kept.item, items), (inputs.kept.worker, workers)))
    return _Votes(item, worker, np.searchsorted(labels, answers), items, workers, labels)


def _dense(codes: Ints, old: Ints) -> Ints:
    new = np.zeros(int(old.max()) + 1, dtype=np.int64)
    new[old] = np.arange(len(old))
    return np.asarray(new[codes])


def _reason_against(inputs: AnalysisInput) -> str:
    if not statistics_of(inputs.crowd.kind).annotator_models or len(inputs.crowd.labels) < 2:
        return f"it takes one label an answer, and kind {inputs.crowd.kind} has none"
    if why := too_few_for_models(inputs):
        return why
    votes = _votes(inputs)
    if is_too_large(len(votes.items), len(votes.workers), len(votes.labels)):
        return (
            f"{len(votes.workers):,} workers, {len(votes.items):,} items and {len(votes.labels)} labels are more than"
            " its chains can hold"
        )
    return ""


def _compute(inputs: AnalysisInput) -> FurtherResult:
    votes, rng = _votes(inputs), inputs.stream("hierarchical-dawid-skene")
    K = len(votes.labels)
    model = hierarchical_model(votes.item, votes.worker, votes.label, K, rng=rng)
    labels = [inputs.crowd.labels[code] for code in votes.labels.tolist()]
    shares = np.bincount(votes.item * K + votes.label, minlength=len(votes.items) * K).reshape(-1, K)
    says = [_model_sentence(K), _convergence_sentence(model), _labels_sentence(model.p, shares)]
    if model.swapped:
        pairs = ", ".join(f"{labels[was]} for {labels[mostly]}" for was, mostly in model.swapped)
        says.append(f"Its classes don't keep to their labels ({pairs}), so that no label of it is to be used.")
    if not (model.competence_limits[0] > model.prevalence.max()).any():
        says.append(
            "No worker is surely better than who gives the commonest label to everything, so that its labels say"
            " little."
        )
    unused = len(inputs.crowd.labels) - K
    if unused:
        says.append(f"{unused} of the labels {'was' if unused == 1 else 'were'} given by nobody, and left out.")
    tables = [
        _posteriors(inputs, votes, model, labels, shares),
        _competences(inputs, votes, model),
        _prevalences(model, labels, shares),
        _confusions(model, labels),
    ]
    return FurtherResult(says, tables)


def _model_sentence(K: int) -> str:
    return (
        "Hierarchical model of Dawid and Skene (Paun et al. 2018), in which workers' confusions come from those of a"
        f" population; prior: {PRIOR.format(K=K)}. Intervals are 95 % posterior intervals; probabilities of labels have"
        " none."
    )


def _convergence_sentence(model: HierarchicalModel) -> str:
    by = f"Gibbs sampling in {CHAINS} chains of {model.draws:,} draws each, after {model.warm_up:,} to warm up,"
    reached = (
        f"R-hat (Vehtari et al. 2021) is {model.r_hat:.3f} at most ({MOST_R_HAT:g} wanted), the effective sample size"
        f" {model.effective:,.0f} at least ({FEWEST_EFFECTIVE:.0f} wanted)"
    )
    if model.is_converged:
        return f"{by} converged: {reached}."
    return f"{by} did not converge: {reached}. Its figures are rough, and another seed may give others."


def _labels_sentence(p: Floats, shares: Ints) -> str:
    best = p.max(axis=1)
    majority = shares == shares.max(axis=1, keepdims=True)
    other = int(np.sum(~majority[np.arange(len(p)), np.argmax(p, axis=1)]))
    return (
        f"Of {len(p):,} items {other:,} have another most probable label than the majority's. Of"
        f" {int(np.sum(best < SURE)):,} no label has a probability of {SURE:g} or more."
    )


def _posteriors(
    inputs: AnalysisInput, votes: _Votes, model: HierarchicalModel, labels: list[str], shares: Ints
) -> Table:
    """The least sure first."""
    ids, n = inputs.crowd.items["item_id"].to_numpy(), shares.sum(axis=1)
    rows: list[dict[str, Cell]] = [
        {
            "item_id": str(ids[votes.items[at]]),
            "judgments": int(n[at]),
            "label": labels[int(np.argmax(model.p[at]))],
            **{f"label_{k}": float(model.p[at, k]) for k in range(len(labels))},
        }
        for at in np.argsort(model.p.max(axis=1), kind="stable").tolist()
    ]
    return Table(
        name="label-posteriors",
        caption="Each item's most probable label by the hierarchical model, and the posterior probability of every"
        " label; the least sure first.",
        columns={
            "item_id": "Item",
            "judgments": "Judgments",
            "label": "Most probable",
            **{f"label_{k}": f"Probability of {label}" for k, label in enumerate(labels)},
        },
        rows=rows,
    )


def _competences(inputs: AnalysisInput, votes: _Votes, model: HierarchicalModel) -> Table:
    n = count_by(votes.worker, len(votes.workers))
    low, high = model.competence_limits
    rows: list[dict[str, Cell]] = [
        {
            "worker": str(inputs.crowd.workers[votes.workers[at]]),
            "judgments": int(n[at]),
            "competence": Estimate(
                float(model.competence[at]), float(low[at]), float(high[at]), int(n[at]), "posterior mean and quantiles"
            ),
        }
        for at in np.argsort(model.competence, kind="stable").tolist()
    ]
    return Table(
        name="worker-competence",
        caption="The chance that each worker gives an item of this crowd its label, by the hierarchical model, with"
        " 95 % posterior intervals; the least competent first.",
        columns={"worker": "Worker", "judgments": "Judgments", "competence": "Competence"},
        rows=rows,
    )


def _prevalences(model: HierarchicalModel, labels: list[str], shares: Ints) -> Table:
    (low, high), N = model.prevalence_limits, len(shares)
    of_votes = (shares / shares.sum(axis=1, keepdims=True)).mean(axis=0)
    rows: list[dict[str, Cell]] = [
        {
            "label": label,
            "prevalence": Estimate(
                float(model.prevalence[k]), float(low[k]), float(high[k]), N, "posterior mean and quantiles"
            ),
            "of_answers": float(of_votes[k]),
        }
        for k, label in enumerate(labels)
    ]
    return Table(
        name="label-prevalence",
        caption="The share of items that have each label, by the hierarchical model, with 95 % posterior intervals,"
        " beside the mean share of an item's answers.",
        columns={"label": "Label", "prevalence": "Prevalence", "of_answers": "Share of answers"},
        rows=rows,
    )


def _confusions(model: HierarchicalModel, labels: list[str]) -> Table:
    return Table(
        name="population-confusions",
        caption="What the population of workers answers to items of each label: posterior means of mu.",
        columns={"label": "Label of the item", **{f"given_{k}": f"Answer {label}" for k, label in enumerate(labels)}},
        rows=[
            {"label": label, **{f"given_{k}": float(share) for k, share in enumerate(model.confusion[row])}}
            for row, label in enumerate(labels)
        ],
    )


FURTHER = FurtherAnalysis(
    name="hierarchical-dawid-skene",
    order=7,
    title="Hierarchical Dawid-Skene",
    asks="How probable is each label of an item, and how competent is each worker, if workers gave few answers each?",
    needs="one label an answer and three workers or more",
    docs="Hierarchical Dawid-Skene",
    most_rows=MOST_ROWS,
    why_not=_reason_against,
    compute=_compute,
)
