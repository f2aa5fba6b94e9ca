"""Every metric of a score, found by walking the folder: measured as it declares, and named nowhere else."""

import ast
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from agreement.gold.label_gold import typical
from agreement.kinds.registry import KINDS
from agreement.kinds.statistics import statistics_of
from agreement.scoring import metrics as folder
from agreement.scoring.metric import SPREAD, Family, Metric, Outputs
from agreement.scoring.metrics import FAMILIES, METRICS, measured_parts, ranks, title_of
from agreement.scoring.perplexity import Tokens, perplexity_of_runs
from agreement.scoring.probe import Probe, Run, Shape
from agreement.scoring.score_gold import Gold, LabelGold
from annotation.releases.models import Score as StoredScore

ROOT = Path(__file__).parents[4]
FORMULAS = {"agreement/scoring/correlation.py", "agreement/scoring/vectors.py"}  # where a name is that of a formula
GLOSSARY = {"agreement/report/glossary.py"}  # which explains terms, metrics among them, and decides nothing
N, LABELS = 30, ("red", "blue", "green")
IDS = np.array([f"i{at}" for at in range(N)], dtype=object)
NAMES = ("is green", "has leaves", "is tall", "grows")

every_metric = pytest.mark.parametrize("name", METRICS)


def numbers(rng: np.random.Generator) -> tuple[Gold, Run, Run]:
    gold = rng.uniform(0, 100, N)
    return Gold("slider", IDS, numbers=gold), Run({}, gold + rng.normal(0, 5, N)), Run({}, rng.uniform(0, 100, N))


def labels(rng: np.random.Generator) -> tuple[Gold, Run, Run]:
    shares = rng.dirichlet(np.full(len(LABELS), 0.5), N)
    median = np.argmax(shares.cumsum(axis=1) >= 0.5, axis=1).astype(np.float64)
    majority = shares == shares.max(axis=1, keepdims=True)
    by_label = LabelGold(shares, typical(shares), majority, has_one_label=True, median=median)
    bad, other = rng.dirichlet(np.full(len(LABELS), 0.5), (2, N))
    good = 0.8 * shares + 0.2 * other
    return Gold("choice", IDS, LABELS, by_label=by_label), Run({}, good), Run({}, bad)


def ranking(rng: np.random.Generator) -> tuple[Gold, Run, Run]:
    counts = rng.integers(0, 40, (N, len(NAMES)))
    properties = tuple(dict(zip(NAMES, row, strict=True)) for row in counts.tolist())
    bad = rng.normal(0, 1, counts.shape)
    return Gold("list", IDS, properties=properties), Run({}, counts.astype(np.float64)), Run({}, bad)


def texts(rng: np.random.Generator) -> tuple[Gold, Run, Run]:
    words = np.array(["a", "cat", "sat", "on", "the", "mat", "and", "the", "dog", "ran"])
    said = [" ".join(rng.choice(words, 8)) for _ in range(2 * N)]
    gold = Gold("text", IDS, texts=tuple((text, "another text") for text in said[:N]))
    none = np.zeros(0)
    return gold, Run({}, none, tuple(said[:N])), Run({}, none, tuple(said[N:]))


def orders(rng: np.random.Generator) -> tuple[Gold, Run, Run]:
    order, noise, other = rng.normal(0, 1, (3, N, len(LABELS)))
    return Gold("ranking", IDS, LABELS, order=order), Run({}, order + 0.2 * noise), Run({}, other)


def spans(rng: np.random.Generator) -> tuple[Gold, Run, Run]:
    gold = [
        {f"{label}:{at}-{at + 1 + size}": 1 for at, (label, size) in enumerate(zip("NVP", sizes, strict=True))}
        for sizes in rng.integers(0, 3, (N, 3)).tolist()
    ]
    good = tuple(tuple([*item, "N:9-9"] if at % 4 == 0 else item) for at, item in enumerate(gold))
    bad = tuple(tuple([*item][:1] if at % 2 else ["V:7-8", "N:6-7", "X:0-9", "P:2-2"]) for at, item in enumerate(gold))
    none = np.zeros(0)
    return Gold("list", IDS, spans=tuple(gold)), Run({}, none, spans=good), Run({}, none, spans=bad)


CASES = {"spans": spans, "numbers": numbers, "labels": labels, "orders": orders, "ranking": ranking, "texts": texts}


def found(gold_of: str) -> list[dict[str, tuple[float, float | None]]]:
    """Each metric's figure and level of chance, of a good probe and of one that guesses."""
    family = FAMILIES[gold_of]
    if family.without_gold is not None:
        return [of_tokens(family, logprob) for logprob in (-0.1, -3.0)]
    gold, *runs = CASES[gold_of](np.random.default_rng(1))
    probe = Probe("p", family.shape, tuple(runs), vocabulary=NAMES)
    everything = np.arange(N)
    covered = np.ones(N, dtype=np.bool_)
    both = (measured_parts(Outputs(probe, run, gold, everything, covered, None), [everything])[0] for run in runs)
    return [
        {name: (one.theta, METRICS[name].chance_on(gold.by_label, one)) for name, one in measured.items()}
        for measured in both
    ]


def of_tokens(family: Family, logprob: float) -> dict[str, tuple[float, float | None]]:
    assert family.without_gold is not None
    runs = [Tokens.of(np.repeat(np.arange(4), 3), np.full(12, logprob * k), "e", end_tokens=0) for k in (1, 1.1)]
    figures = family.without_gold(perplexity_of_runs(runs, "e"))
    return {name: (getattr(figure, "estimate", np.nan), None) for name, figure in figures.items()}


def family_of(name: str) -> Family:
    [family] = [family for family in FAMILIES.values() if METRICS[name] in family.metrics]
    return family


def test_each_module_of_the_folder_is_a_family_of_its_own_shape() -> None:
    assert len([*pkgutil.iter_modules(folder.__path__)]) == len(FAMILIES)
    assert {family.shape for family in FAMILIES.values()} == set(get_args(Shape))
    for family in FAMILIES.values():
        assert (family.against_gold is None) != (family.without_gold is None)


def test_a_name_is_one_metrics_alone() -> None:
    declared = [metric for family in FAMILIES.values() for metric in family.metrics]
    assert len(METRICS) == len(declared)
    for family in FAMILIES.values():
        people = [metric.person for metric in family.metrics if metric.person]
        assert len(set(people)) == len(people)


@every_metric
def test_a_metric_is_called_something_and_fits_its_column(name: str) -> None:
    metric = METRICS[name]
    assert (metric.name, title_of(name)) == (name, metric.title)
    assert "_" not in metric.title
    assert len(name) + len(SPREAD) <= (StoredScore._meta.get_field("metric").max_length or 0)
    assert ranks(name) == metric.ranks
    assert not ranks(f"{name}{SPREAD}")
    if metric.person:
        assert "_" not in title_of(metric.person)
    if metric.means:
        assert metric.means.endswith(".")


@every_metric
def test_a_metric_is_measured_within_its_range_and_better_the_way_it_says(name: str) -> None:
    family = family_of(name)
    good, bad = found(family.gold or family.shape)
    assert list(good) == [metric.name for metric in family.metrics]
    metric, ((better, chance), (worse, _)) = METRICS[name], (good[name], bad[name])
    low, high = metric.within.low, metric.within.high
    assert all(low <= theta <= high for theta in (better, worse))
    if metric.ranks:
        assert (better < worse) == metric.smaller_is_better
    if chance is not None:
        assert low <= chance < better


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_question_names_metrics_that_are_declared(kind: str) -> None:
    statistics = statistics_of(kind)
    family = family_of(statistics.first_metric)
    assert family.shape == statistics.takes
    if statistics.person is not None:
        assert set(statistics.person.declared) <= set(family.metrics)
        assert statistics.person.against_reference in statistics.person.declared
        assert {statistics.person.probe_metric(each) for each in statistics.person.metrics} <= METRICS.keys()


def test_people_are_scored_by_all_that_has_a_name_for_them() -> None:
    scored: set[Metric] = set()
    for kind in KINDS:
        person = statistics_of(kind).person
        scored |= set() if person is None else set(person.declared)
    assert scored == {metric for metric in METRICS.values() if metric.person}


# Nobody else decides anything by the name of a metric.

NAMED = frozenset(METRICS) | {metric.person for metric in METRICS.values() if metric.person}


def decides(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=left, comparators=others):
            sides: list[ast.AST] = [left, *others]
        case ast.Tuple() | ast.List() | ast.Set() | ast.Dict():
            sides = []
        case _:
            return False
    several = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and each.value in NAMED]
    alone = any(isinstance(side, ast.Constant) and side.value in NAMED for side in sides)
    return alone or len(several) > 1


def deciding(source: str) -> Iterator[str]:
    yield from (ast.unparse(node) for node in ast.walk(ast.parse(source)) if decides(node))


def test_no_other_module_decides_by_the_name_of_a_metric() -> None:
    home = ROOT / "agreement" / "scoring" / "metrics"
    walked = [path for path in sorted((ROOT / "agreement").rglob("*.py")) if home not in path.parents]
    assert len(walked) > 100
    others = {str(path.relative_to(ROOT)): list(deciding(path.read_text())) for path in walked}
    assert {path for path, lines in others.items() if lines} <= FORMULAS | GLOSSARY


@pytest.mark.parametrize(
    "source", ['metric == "pearson"', 'BEST = {"rmse", "bleu"}', 'TITLES = {"r_acc": "R-Acc", "conf": "c"}']
)
def test_ways_to_decide_by_a_name_are_found(source: str) -> None:
    assert list(deciding(source))
