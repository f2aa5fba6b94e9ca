"""The largest difference between each metric and an independent implementation of it, over seeded random cases.

    python -m tools.benchmarks.scoring_differences

Prints the last two columns of the table in docs/scoring.md.
"""

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import sacrebleu
from scipy import stats
from scipy.spatial.distance import jensenshannon
from sklearn.linear_model import LinearRegression
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    mean_absolute_error,
    precision_score,
    recall_score,
    root_mean_squared_error,
)
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances
from sklearn.model_selection import LeaveOneOut, cross_val_predict

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from agreement.estimation.estimate import Estimate
from agreement.gold.label_gold import typical
from agreement.people.leave_one_out import leave_one_out
from agreement.people.person_metrics import OF_NUMBERS
from agreement.scoring.caption_metrics import caption_figures, rows_against_all
from agreement.scoring.correlation import CORRELATIONS
from agreement.scoring.groups import Groups
from agreement.scoring.label_metrics import average_precision, jensen_shannon, kendall_rows, spearman_rows
from agreement.scoring.metrics.of_labels import label_measures
from agreement.scoring.metrics.of_numbers import number_measures
from agreement.scoring.score_gold import LabelGold
from agreement.scoring.text_metrics import bleu
from agreement.scoring.text_pairs import TextCorpus
from agreement.scoring.vectors import similarities

CASES = 200
WORDS = ("a", "the", "cat", "sat", "on", "mats", ".", ",", "3.5", "it's", "red-hot", "&", "(big)")


def correlation(name: str, scipy: Callable[..., object]) -> Iterator[float]:
    """With no ties, some and many; the figure and ten deletions of each case."""
    for seed in range(CASES):
        rng = np.random.default_rng(seed)
        n, distinct = int(rng.integers(5, 400)), int(rng.choice([3, 20, 10_000]))
        x = rng.integers(0, distinct, n) / 7
        y = x * rng.normal() + rng.integers(0, distinct, n) / 3
        value, without = CORRELATIONS[name]
        if np.ptp(x) == 0 or np.ptp(y) == 0:
            continue
        yield abs(float(value(Groups.one(n), x, y)[0]) - scipy(x, y).statistic)  # type: ignore[attr-defined]
        deleted = without(Groups.one(n), x, y)
        for at in rng.integers(0, n, 10).tolist():
            rest_x, rest_y = np.delete(x, at), np.delete(y, at)
            if np.ptp(rest_x) > 0 and np.ptp(rest_y) > 0:
                yield abs(float(deleted[at]) - scipy(rest_x, rest_y).statistic)  # type: ignore[attr-defined]


def plain_error(name: str, sklearn: Callable[..., float]) -> Iterator[float]:
    for seed in range(CASES // 4):
        x, y = np.random.default_rng(seed).normal(size=(2, 30))
        yield abs(number_measures(Groups.one(30), x, y)[name][0].theta - sklearn(y, x))


def rmse_calibrated() -> Iterator[float]:
    """Leave-one-out least squares by scikit-learn, where the slope is above 0."""
    for seed in range(CASES // 4):
        x, noise = np.random.default_rng(seed).normal(size=(2, 30))
        y = 2 * x + noise
        held_out = cross_val_predict(LinearRegression(), x[:, None], y, cv=LeaveOneOut())
        [one] = number_measures(Groups.one(30), x, y)["rmse_calibrated"]
        yield abs(one.theta - float(np.sqrt(np.mean((y - held_out) ** 2))))


def sets(name: str, score: Callable[..., float]) -> Iterator[float]:
    """Macro averages over label sets by scikit-learn, 0 where undefined."""
    for seed in range(CASES):
        rng = np.random.default_rng(seed)
        shares, p = rng.dirichlet(np.full(6, 0.4), (2, 50))
        gold = LabelGold(shares, typical(shares), shares == shares.max(axis=1, keepdims=True))
        ours = label_measures(Groups.one(50), p, gold, "typical")[f"{name}_macro"][0].theta
        yield abs(ours - score(gold.sets, typical(p), average="macro", zero_division=0))


def rows(ours: Callable[..., np.ndarray], theirs: Callable[..., float]) -> Iterator[float]:
    """Row by row."""
    for seed in range(CASES):
        p, q = np.random.default_rng(seed).dirichlet(np.full(11, 0.3), (2, 5))
        p = np.round(p, 2) + 1e-9
        yield from np.abs(ours(p, q) - [theirs(a / a.sum(), b) for a, b in zip(p, q, strict=True)]).tolist()


def precision() -> Iterator[float]:
    """Average precision with ties."""
    for seed in range(CASES):
        rng = np.random.default_rng(seed)
        scores, gold = rng.integers(0, int(rng.choice([2, 9, 999])), (5, 80)) / 3, rng.random((5, 80)) < 0.1
        gold[:, 0] = True
        expected = [average_precision_score(g, s) for g, s in zip(gold, scores, strict=True)]
        yield from np.abs(average_precision(scores, gold) - expected).tolist()


def translations() -> Iterator[float]:
    """Corpora of up to eight short texts with two references each, 0 to 100."""
    for seed in range(CASES):
        rng = np.random.default_rng(seed)
        made = [[" ".join(rng.choice(WORDS, rng.integers(1, 15))) for _ in range(3)] for _ in range(rng.integers(1, 9))]
        texts, first, second = (list(column) for column in zip(*made, strict=True))
        ours = bleu(texts, [[a, b] for a, b in zip(first, second, strict=True)]).theta
        yield abs(ours - sacrebleu.corpus_bleu(texts, [first, second]).score)


def captions() -> Iterator[float]:
    """BLEU-1 to BLEU-4 of the same corpora, 0 to 1, by one tokeniser and without smoothing."""
    for seed in range(CASES):
        rng = np.random.default_rng(seed)
        made = [[" ".join(rng.choice(WORDS, rng.integers(1, 15))) for _ in range(3)] for _ in range(rng.integers(1, 9))]
        texts, first, second = (list(column) for column in zip(*made, strict=True))
        references = [[a, b] for a, b in zip(first, second, strict=True)]
        counted = rows_against_all(TextCorpus.of(texts, references, str.split), texts, references)
        ours = caption_figures(counted.sum(axis=0)[None], len(texts))[0]
        for n in range(1, 5):
            theirs = sacrebleu.BLEU(tokenize="none", smooth_method="none", max_ngram_order=n)
            yield abs(ours[n - 1] - theirs.corpus_score(texts, [first, second]).score / 100)


def vectors(how: str, theirs: Callable[[np.ndarray], np.ndarray]) -> Iterator[float]:
    """All pairs of twelve terms."""
    left, right = np.triu_indices(12, 1)
    for seed in range(CASES // 4):
        made = np.random.default_rng(seed).normal(size=(12, 30))
        yield from np.abs(similarities(made, left, right, how) - theirs(made)[left, right]).tolist()  # type: ignore[arg-type]


def people() -> Iterator[float]:
    """Leave-one-out Spearman by scipy, worker by worker."""
    for seed in range(CASES // 8):
        rng = np.random.default_rng(seed)
        item = np.repeat(np.arange(60), 5)
        worker = np.concatenate([rng.choice(12, 5, replace=False) for _ in range(60)])
        value = np.clip(np.rint(rng.uniform(0, 100, 60)[item] + rng.normal(0, 25, 300)), 0, 100)
        done = leave_one_out(OF_NUMBERS, item, worker, value, 60, rng=None)
        expected = []
        for who in range(12):
            mine = np.flatnonzero(worker == who)
            gold = [np.mean(value[(item == item[j]) & (worker != who)]) for j in mine]
            expected.append(stats.spearmanr(value[mine], np.round(gold, 9)).statistic)
        if isinstance(done.mean, Estimate):
            yield abs(done.mean.estimate - float(np.mean(expected)))


def main() -> None:
    """Print a row a metric."""
    measured = {
        "Spearman": correlation("spearman", stats.spearmanr),
        "Pearson": correlation("pearson", stats.pearsonr),
        "Kendall tau-b": correlation("kendall", stats.kendalltau),
        "RMSE": plain_error("rmse", root_mean_squared_error),
        "MAE": plain_error("mae", mean_absolute_error),
        "RMSE after a fitted line": rmse_calibrated(),
        "macro F1": sets("f1", f1_score),
        "macro precision": sets("precision", precision_score),
        "macro recall": sets("recall", recall_score),
        "Kendall of shares": rows(kendall_rows, lambda p, q: float(stats.kendalltau(p, q).statistic)),
        "Spearman of shares": rows(spearman_rows, lambda p, q: float(stats.spearmanr(p, q).statistic)),
        "Jensen-Shannon": rows(jensen_shannon, lambda p, q: float(jensenshannon(p, q)) ** 2),
        "average precision": precision(),
        "BLEU": translations(),
        "BLEU-1 to BLEU-4": captions(),
        "cosine": vectors("cosine", cosine_similarity),
        "Euclidean": vectors("euclidean", lambda made: -euclidean_distances(made)),
        "Spearman of vectors": vectors("spearman", lambda made: np.asarray(stats.spearmanr(made, axis=1).statistic)),
        "leave-one-out": people(),
    }
    for name, found in measured.items():
        each = list(found)
        print(f"{name:22}{len(each):6} comparisons   largest difference {max(each):.1e}")
    print(", ".join(f"{name} {version(name)}" for name in ("scipy", "scikit-learn", "sacrebleu", "numpy")))


if __name__ == "__main__":
    main()
