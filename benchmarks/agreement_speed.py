"""The statistics of agreement by themselves: ours beside the plain way, in one run, and their growth.

    python -m benchmarks.agreement_speed [--largest 10000000]

The plain way is one's own script: a loop of 1,000 replicates over statsmodels' kappa and over krippendorff's alpha. A
few of the thousand are timed and scaled up, which is said; krippendorff gets 1,000 items, because its memory grows with
items x values^2 and 100,000 items on a 101-step scale would need 8 GB. Prints seconds, ratios and what was promised.
"""

import argparse
import math
import multiprocessing
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import numpy.typing as npt
from statsmodels.stats.inter_rater import fleiss_kappa

from agreement.estimation.design import Design, design_of
from agreement.estimation.estimate import Undefined
from agreement.estimation.resampling import totals
from agreement.people import alpha, kappa, raw_statistic
from agreement.people.alpha import Interval
from agreement.people.numeric_reports import number_report
from agreement.people.replicate_moments import interval_block, kappa_block, replicates_of, same_counts
from agreement.people.report import agreement_of

REPLICATES = 1_000
PER_ITEM, WORKERS_PER_JUDGMENT = 10, 500
FEW = 3  # replicates of the plain way that are timed
Crowd = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]


def crowd(judgments: int) -> Crowd:
    """Slider judgments of 0-100, ten an item, by workers who differ in bias and care."""
    rng = np.random.default_rng(7)
    items, workers = judgments // PER_ITEM, max(2 * PER_ITEM, judgments // WORKERS_PER_JUDGMENT)
    item = np.repeat(np.arange(items), PER_ITEM)
    shift = np.arange(PER_ITEM) * (workers // PER_ITEM)
    worker = ((rng.integers(0, workers, items)[:, None] + shift) % workers).ravel()
    noise = rng.normal(size=judgments) * rng.uniform(8, 25, workers)[worker] + rng.normal(0, 5, workers)[worker]
    return item, worker, np.clip(np.rint(rng.uniform(0, 100, items)[item] + noise), 0, 100)


def seconds(step: Callable[[], Any], times: int = 3) -> float:
    """Processor seconds of the fastest of a few runs: both ways run on one core, and a busy machine does no harm."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        step()
        taken.append(time.process_time() - start)
    return min(taken)


def defined(found: Any) -> Any:
    if isinstance(found, Undefined):
        sys.exit(f"the made crowd has no figure: {found.why}")
    return found


def kappa_beside(design: Design, code: npt.NDArray[np.int64]) -> None:
    """A kappa interval of 1,000 item replicates; promised 50 times faster than the loop."""
    tally = defined(kappa.tally(design, code, 5))
    table = np.bincount(design.item * 5 + code, minlength=design.items * 5).reshape(-1, 5)

    def ours() -> None:
        replicates_of([kappa_block(tally)], REPLICATES, np.random.default_rng(1), same_counts([tally]))

    rng = np.random.default_rng(1)
    plain = seconds(lambda: fleiss_kappa(table[rng.integers(0, len(table), len(table))]), FEW) * REPLICATES
    show("kappa, 1,000 replicates, 100,000 items", seconds(ours), plain, "50", "statsmodels, 3 timed and scaled")


def alpha_beside() -> None:
    """An alpha interval of 1,000 item replicates at a size that the package can take; promised 100 times faster."""
    item, worker, value = crowd(10_000)
    design = design_of(item, worker)
    data = defined(alpha.pairable(design, value))

    def ours() -> None:
        delta = Interval(data.value)
        replicates_of([interval_block(data, delta, delta.x, design)], REPLICATES, np.random.default_rng(1))

    counts = np.zeros((design.items, len(data.domain)), dtype=np.int64)
    np.add.at(counts, (data.design.item, data.code), 1)
    rng = np.random.default_rng(1)

    def plain() -> None:
        drawn = counts[rng.integers(0, len(counts), len(counts))]
        krippendorff.alpha(value_counts=drawn, value_domain=data.domain, level_of_measurement="interval")

    of_loop = seconds(plain, FEW) * REPLICATES
    show("alpha, 1,000 replicates, 1,000 items", seconds(ours), of_loop, "100", "krippendorff, 3 timed and scaled")


def show(what: str, ours: float, plain: float, promised: str, how: str) -> None:
    ratio = plain / ours
    print(f"{what:45s} {ours:8.3f} s   {plain:9.1f} s plain ({how}): {ratio:7.0f} times, promised {promised}")


def known_good(design: Design, value: npt.NDArray[np.float64]) -> None:
    """The seconds known to be good on two cores, for a million judgments."""
    data = defined(alpha.pairable(design, value))
    delta = Interval(data.value)
    rows = np.random.default_rng(0).random((design.items, 11))
    x = raw_statistic.centred(value)
    lines: list[tuple[str, Callable[[], Any], str]] = [
        ("alpha, interval", lambda: alpha.alpha_of(data, delta), ".005"),
        ("alpha without each item, worker and judgment", lambda: alpha.deletions(data, delta), ".14 (workers alone)"),
        ("1,000 replicates of 11 columns", lambda: totals(rows, REPLICATES, np.random.default_rng(1)), ".6"),
        ("ICC without each item, worker and judgment", lambda: icc_deletions(design, x, value), "-"),
        ("the whole report of a slider", lambda: whole(design, value), "-"),
    ]
    for what, step, good in lines:
        print(f"{what:45s} {seconds(step, 2):8.3f} s   known good {good}")


def icc_deletions(design: Design, x: npt.NDArray[np.float64], value: npt.NDArray[np.float64]) -> None:
    from agreement.people.icc import icc

    raw_statistic.deletions(defined(icc(design, value)).moments, design, x)


def whole(design: Design, value: npt.NDArray[np.float64]) -> None:
    agreement_of("slider", number_report, design.item, design.worker, value, seed=1)


def one_size(judgments: int) -> tuple[float, float]:
    """Processor seconds and peak megabytes of a whole report, in a process of its own, the crowd itself counted in."""
    item, worker, value = crowd(judgments)
    start = time.process_time()
    agreement_of("slider", number_report, item, worker, value, seed=1)
    taken = time.process_time() - start
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return taken, int(status.split("VmHWM:")[1].split()[0]) / 1024


def growth(largest: int) -> None:
    """Exponents of time and memory between 10^5 and the largest; below, what starts and loads outweighs what grows."""
    sizes = [10**power for power in range(4, int(math.log10(largest)) + 1)]
    found = []
    for size in sizes:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found.append(pool.apply(one_size, (size,)))
        print(f"{size:>12,} judgments {found[-1][0]:8.2f} s {found[-1][1]:8.0f} MB")
    if len(sizes) > 2:
        decades = len(sizes) - 2
        for name, at in (("time", 0), ("memory", 1)):
            exponent = math.log10(found[-1][at] / found[1][at]) / decades
            print(f"growth of {name} from {sizes[1]:,}: exponent {exponent:.2f}, promised 1.05 at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=10_000_000)
    given = parser.parse_args()
    item, worker, value = crowd(1_000_000)
    design = design_of(item, worker)
    print("processor seconds, one core")
    kappa_beside(design, np.minimum(value // 20, 4).astype(np.int64))
    alpha_beside()
    known_good(design, value)
    growth(given.largest)


if __name__ == "__main__":
    main()
