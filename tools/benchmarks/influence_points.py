"""How large a share of the workers' variance the first of W exchangeable workers has: `make influence-points`.

Deletions d_w of exchangeable workers are drawn as independent normal numbers less their mean, and the 99 % point of
max d_w^2 / sum d_w^2 is written to `agreement/estimation/influence_points.json`. Agreement's own deletions of
exchangeable raters have nearly the same points: `--check` prints them, of kappa and of interval alpha.
"""

import argparse
import json

import numpy as np

from agreement.estimation.design import design_of
from agreement.estimation.estimate import Floats, Undefined
from agreement.estimation.two_way_jackknife import POINTS
from agreement.people import alpha
from agreement.people import chance_corrected as kappa
from agreement.people.alpha import Interval
from tools.benchmarks.coverage_worlds import SHARES, study

WORKERS = (3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100, 200, 500, 1_000, 3_000, 10_000)
DRAWN = 200_000_000  # normal numbers for each number of workers, at most a million studies
AT_ONCE = 4_000_000
CHECKED = (5, 8, 10, 12, 20)


def point(workers: int, rng: np.random.Generator, drawn: int) -> float:
    """The 99 % point of the largest share."""
    studies = min(drawn // workers, 1_000_000)
    step = max(AT_ONCE // workers, 1)
    parts = [_largest(rng.normal(size=(min(step, studies - at), workers))) for at in range(0, studies, step)]
    return float(np.quantile(np.concatenate(parts), 0.99))


def of_agreement(workers: int, rng: np.random.Generator, studies: int) -> tuple[float, float]:
    """The same of kappa's and interval alpha's own deletions, of exchangeable raters on 60 items."""
    found = []
    for _ in range(studies):
        given = study("exchangeable", workers, 60, rng)
        design = design_of(given.item, given.worker)
        tally, data = kappa.tally(design, given.label, len(SHARES)), alpha.pairable(design, given.number)
        if isinstance(tally, Undefined) or isinstance(data, Undefined):
            continue
        both = kappa.deletions(tally).worker, alpha.deletions(data, Interval(data.value)).worker
        found.append([float(_largest(one[None, :])[0]) for one in both])
    of_kappa, of_alpha = np.quantile(found, 0.99, axis=0).tolist()
    return of_kappa, of_alpha


def _largest(d: Floats) -> Floats:
    """[B] the largest share of each row [B, W]."""
    squares = (d - d.mean(axis=1, keepdims=True)) ** 2
    return np.asarray(squares.max(axis=1) / squares.sum(axis=1))


def main() -> None:
    """Write the table, or compare it with what agreement's own deletions give."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--drawn", type=int, default=DRAWN)
    parser.add_argument("--check", type=int, default=0, help="studies of kappa and alpha for each of some numbers")
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    if given.check:
        for workers in CHECKED:
            of_kappa, of_alpha = of_agreement(workers, rng, given.check)
            print(f"{workers} workers: kappa {of_kappa:.3f}, interval alpha {of_alpha:.3f}")
        return
    table = {str(workers): round(point(workers, rng, given.drawn), 4) for workers in WORKERS}
    lines = ",\n".join(f'  "{workers}": {json.dumps(share)}' for workers, share in table.items())
    POINTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(lines)


if __name__ == "__main__":
    main()
