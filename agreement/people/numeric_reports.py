"""The reports of answers that are numbers: one on a scale, or one for each label."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from ..estimation.design import Codes
from ..estimation.estimate import Floats, Undefined
from ..files.numbers import Scale, in_digits
from .agreement_report import (
    AgreementReport,
    Comparison,
    Kappa,
    LabelAgreement,
    Level,
    Parts,
    Statistic,
    StatisticsInput,
    entered,
)
from .cross_checks import compare_alpha, compare_kappa
from .label_reports import disagreement_of
from .label_statistics import label_statistics
from .numeric_statistics import NumericStatistics, numeric_statistics
from .raw_statistic import RawStatistic, mean_of, report_statistic

BINS = 5
MOST_STEPS = 11  # of a scale from 0 to 10
OTHERS: tuple[Level, ...] = ("ordinal", "ratio", "nominal")


def number_report(asked: StatisticsInput, answers: npt.NDArray[np.number]) -> Parts:
    """Interval alpha first, kappa over bins second, then the other levels, ICC and split-half reliability."""
    value = _float_answers(answers)

    def first_statistics() -> dict[str, Statistic]:
        numeric = numeric_statistics(asked.design, value, ("interval",), seed=asked.seed, replicates=asked.replicates)
        statistics = {name: report_statistic(one) for name, one in numeric.by_name.items()}
        return {**statistics, "split_half_spearman": Statistic(numeric.spearman)}

    def other_statistics() -> dict[str, object]:
        numeric = numeric_statistics(
            asked.design, value, OTHERS, seed=asked.seed, replicates=asked.replicates, alone=True
        )
        return {level: report_statistic(numeric.by_name[level]) for level in OTHERS} | _binned(asked, value)

    def join_answers(answers: Sequence[Any]) -> AgreementReport:
        numbers, others = answers
        return asked.report(
            others["disagreement"],
            first="krippendorff_alpha.interval",
            fleiss_kappa=others["kappa"],
            krippendorff_alpha={"interval": numbers["interval"], **{level: others[level] for level in OTHERS}},
            icc1=numbers["icc1"],
            icc1k=numbers["icc1k"],
            split_half=numbers["split_half"],
            split_half_spearman=numbers["split_half_spearman"],
            gold_reliability=numbers["gold_reliability"],
            double_entry=others["double entry"],
        )

    return Parts((first_statistics, other_statistics), join_answers)


def _binned(asked: StatisticsInput, value: Floats) -> dict[str, object]:
    """Kappa over bins, each item's disagreement on them, and the double entry of all that a slider has."""
    cut = bins_of(asked.scale, value)
    code = bins(value, cut.edges)
    rng = asked.stream("kappa over bins")
    one = label_statistics(
        asked.design, {"": code}, len(cut.names), replicates=asked.replicates, rng=rng, with_alpha=False
    )[""]
    distinct = len(np.unique(value))
    double: list[Comparison | str] = []
    for level in ("interval", *OTHERS):
        stream = asked.stream(f"double entry {level}")
        double.append(
            compare_alpha(f"krippendorff_alpha.{level}", asked.design, value, level, stream, distinct=distinct)
        )
    rng = asked.stream("double entry kappa")
    double.append(compare_kappa("fleiss_kappa", asked.design, code, len(cut.names), rng))
    figure = report_statistic(_with_bin_names(one.kappa, cut))
    kappa = Kappa(figure, edges=cut.edges, steps=cut.steps)
    if not isinstance(one.tally, Undefined):
        p = dict(zip(cut.names, one.tally.p.tolist(), strict=True))
        kappa = Kappa(figure, one.tally.P, one.tally.P_e, p, edges=cut.edges, steps=cut.steps)
    return {"kappa": kappa, "disagreement": disagreement_of(one.tally), "double entry": entered(double)}


def number_by_label_report(asked: StatisticsInput, answers: npt.NDArray[np.number]) -> Parts:
    """The numbers of each label by themselves, and the mean over labels."""
    return Parts.of_one(lambda: _by_label(asked, _float_answers(answers)))


def _float_answers(answers: npt.NDArray[np.number]) -> Floats:
    return np.asarray(answers, dtype=np.float64) + 0.0  # -0.0 is 0


def _by_label(asked: StatisticsInput, values: Floats) -> AgreementReport:
    design, cut = asked.design, bins_of(asked.scale, values)
    columns = dict(zip(asked.labels, values.T, strict=True))
    statistics = {
        name: numeric_statistics(design, value, ("interval",), seed=asked.seed, replicates=asked.replicates)
        for name, value in columns.items()
    }
    codes = {name: bins(value, cut.edges) for name, value in columns.items()}
    rng = asked.stream("kappa over bins")
    binned = label_statistics(design, codes, len(cut.names), replicates=asked.replicates, rng=rng, with_alpha=False)
    of_bins = {name: _with_bin_names(one.kappa, cut) for name, one in binned.items()}
    double: list[Comparison | str] = []
    for name, value in columns.items():
        rng = asked.stream(f"double entry {name}")
        named, distinct = f"krippendorff_alpha.interval of {name}", len(np.unique(value))
        double.append(compare_alpha(named, design, value, "interval", rng, distinct=distinct))
        double.append(compare_kappa(f"fleiss_kappa of {name}", design, codes[name], len(cut.names), rng))
    kappas = mean_of(of_bins, "labels")
    return asked.report(
        first="krippendorff_alpha.interval",
        fleiss_kappa=Kappa(
            report_statistic(kappas),
            by_label={name: report_statistic(kappa).headline for name, kappa in of_bins.items()},
            edges=cut.edges,
            steps=cut.steps,
        ),
        krippendorff_alpha={"interval": _mean(statistics, "interval")},
        icc1=_mean(statistics, "icc1"),
        icc1k=_mean(statistics, "icc1k"),
        gold_reliability=_mean(statistics, "gold_reliability"),
        split_half=_mean(statistics, "split_half"),
        split_half_spearman=Statistic(Undefined("given for a single slider only, because it is approximate")),
        labels=tuple(
            _label(name, one, Kappa(report_statistic(of_bins[name]), edges=cut.edges, steps=cut.steps))
            for name, one in statistics.items()
        ),
        double_entry=entered(double),
    )


@dataclass(frozen=True, slots=True)
class Bins:
    """The `edges` between bins, one more than there are bins, and the `steps` that they stand around, if they do."""

    edges: tuple[float, ...]
    steps: tuple[float, ...] = ()

    @property
    def names(self) -> list[str]:
        """Each step, or each bin in the notation of intervals."""
        return [in_digits(step) for step in self.steps] if self.steps else bin_names(self.edges)

    def __str__(self) -> str:
        if self.steps:
            return f"of its steps ({', '.join(self.names)})"
        return f"of {len(self.edges) - 1} equal bins with the edges {', '.join(map(in_digits, self.edges))}"


def bins_of(scale: Scale, value: Floats) -> Bins:
    """A bin for each step, with edges halfway between them, where the answers are on few; else five equal bins."""
    steps = steps_of(scale, value)
    if not steps:
        return Bins(bin_edges(scale))
    half = (steps[1] - steps[0]) / 2
    return Bins(_floats([steps[0] - half, *(step + half for step in steps)]), _floats(steps))


def steps_of(scale: Scale, value: Floats) -> tuple[Fraction, ...]:
    """The steps from the lowest to the highest answer, on the widest equal grid that has all answers and both ends.

    Nothing where they would be more than `MOST_STEPS`, an answer lies outside the scale, or all answers are the same.
    A step that nobody chose is a step too.

    >>> from decimal import Decimal
    >>> steps = steps_of(Scale(Decimal(1), Decimal(5)), np.array([1, 2.5, 4]))
    >>> [float(step) for step in steps]
    [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    """
    distinct = np.unique(value)
    if not 2 <= len(distinct) <= MOST_STEPS or not np.isfinite(distinct).all():
        return ()
    low, high = Fraction(scale.low), Fraction(scale.high)
    answers = [Fraction(str(answer)) for answer in distinct.tolist()]
    if answers[0] < low or high < answers[-1]:
        return ()
    from_low = [answer - low for answer in (*answers, high)]
    denominator = lcm(*(part.denominator for part in from_low))
    step = Fraction(gcd(*(int(part * denominator) for part in from_low)), denominator)
    count = (answers[-1] - answers[0]) / step + 1
    if count > MOST_STEPS:
        return ()
    return tuple(answers[0] + step * k for k in range(int(count)))


def _floats(numbers: Sequence[Fraction]) -> tuple[float, ...]:
    return tuple(float(number) for number in numbers)


def _with_bin_names(kappa: RawStatistic | Undefined, cut: Bins) -> RawStatistic | Undefined:
    """The kappa whose method names the bins."""
    return kappa if isinstance(kappa, Undefined) else replace(kappa, method=f"{kappa.method} {cut}")


def bin_edges(scale: Scale, count: int = BINS) -> tuple[float, ...]:
    """The `count` + 1 edges of equal bins, divided in decimal so that .6 of 0:1 is .6.

    >>> from decimal import Decimal
    >>> bin_edges(Scale(Decimal(0), Decimal(1)))
    (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """
    return tuple(float(scale.low + (scale.high - scale.low) * step / count) for step in range(count + 1))


def bins(value: Floats, edges: tuple[float, ...]) -> Codes:
    """[J] the bin of each value: from its lower edge up to, not with, its upper one; the last has both."""
    return np.searchsorted(np.array(edges[1:-1]), value, side="right").astype(np.int64)


def bin_names(edges: tuple[float, ...]) -> list[str]:
    """Each bin in the notation of intervals: [0, 20) to [80, 100]."""
    last, named = len(edges) - 2, [in_digits(edge) for edge in edges]
    return [f"[{named[i]}, {named[i + 1]}{']' if i == last else ')'}" for i in range(last + 1)]


def _mean(statistics: dict[str, NumericStatistics], name: str) -> Statistic:
    parts: dict[str, RawStatistic | Undefined] = {label: one.by_name[name] for label, one in statistics.items()}
    return report_statistic(mean_of(parts, "labels"))


def _label(name: str, one: NumericStatistics, kappa: Kappa) -> LabelAgreement:
    return LabelAgreement(
        name,
        kappa,
        {"interval": report_statistic(one.by_name["interval"])},
        report_statistic(one.by_name["icc1"]),
        report_statistic(one.by_name["icc1k"]),
        report_statistic(one.by_name["split_half"]),
        report_statistic(one.by_name["gold_reliability"]),
    )
