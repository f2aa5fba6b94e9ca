"""The reports of questions answered by numbers: slider, and sliders with one number a label."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from agreement.stats.asked import Asked, Parts, entered
from agreement.stats.design import Codes
from agreement.stats.double_entry import compare_alpha, compare_kappa
from agreement.stats.estimate import Floats, Undefined
from agreement.stats.labelled import labelled
from agreement.stats.made import Made, mean_of, present
from agreement.stats.numbered import Numbered, numbered
from agreement.stats.of_labels import disagreement_of
from agreement.stats.results import AgreementReport, Comparison, Kappa, LabelAgreement, Level, Statistic
from annotation.files.kinds import Scale

BINS = 5
OTHERS: tuple[Level, ...] = ("ordinal", "ratio", "nominal")


def slider(asked: Asked, value: Floats) -> Parts:
    """Interval alpha first, kappa over bins second, then the other levels, ICC and split-half reliability."""

    def first() -> dict[str, Statistic]:
        found = numbered(asked.design, value, ("interval",), seed=asked.seed, replicates=asked.replicates)
        made = {name: present(one) for name, one in found.made.items()}
        return {**made, "split_half_spearman": Statistic(found.spearman)}

    def second() -> dict[str, Any]:
        found = numbered(asked.design, value, OTHERS, seed=asked.seed, replicates=asked.replicates, alone=True)
        return {level: present(found.made[level]) for level in OTHERS} | _binned(asked, value)

    def joined(answers: Sequence[Any]) -> AgreementReport:
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
            double_entry=others["double entry"],
        )

    return Parts((first, second), joined)


def _binned(asked: Asked, value: Floats) -> dict[str, Any]:
    """Kappa over bins, each item's disagreement on them, and the double entry of all that a slider has."""
    edges = bin_edges(asked.scale)
    code = bins(value, edges)
    rng = asked.stream("kappa over bins")
    one = labelled(asked.design, {"": code}, BINS, replicates=asked.replicates, rng=rng, with_alpha=False)[""]
    distinct = len(np.unique(value))
    double: list[Comparison | str] = []
    for level in ("interval", *OTHERS):
        stream = asked.stream(f"double entry {level}")
        double.append(
            compare_alpha(f"krippendorff_alpha.{level}", asked.design, value, level, stream, distinct=distinct)
        )
    double.append(compare_kappa("fleiss_kappa", asked.design, code, BINS, asked.stream("double entry kappa")))
    kappa = Kappa(present(one.kappa), edges=edges)
    if not isinstance(one.tally, Undefined):
        p = dict(zip(bin_names(edges), one.tally.p.tolist(), strict=True))
        kappa = Kappa(present(one.kappa), one.tally.P, one.tally.P_e, p, edges=edges)
    return {"kappa": kappa, "disagreement": disagreement_of(one.tally), "double entry": entered(double)}


def sliders(asked: Asked, values: Floats) -> AgreementReport:
    """Each label's slider by itself, and the mean over labels."""
    design, edges = asked.design, bin_edges(asked.scale)
    columns = dict(zip(asked.labels, values.T, strict=True))
    found = {
        name: numbered(design, value, ("interval",), seed=asked.seed, replicates=asked.replicates)
        for name, value in columns.items()
    }
    codes = {name: bins(value, edges) for name, value in columns.items()}
    rng = asked.stream("kappa over bins")
    binned = labelled(design, codes, BINS, replicates=asked.replicates, rng=rng, with_alpha=False)
    double: list[Comparison | str] = []
    for name, value in columns.items():
        rng = asked.stream(f"double entry {name}")
        named, distinct = f"krippendorff_alpha.interval of {name}", len(np.unique(value))
        double.append(compare_alpha(named, design, value, "interval", rng, distinct=distinct))
        double.append(compare_kappa(f"fleiss_kappa of {name}", design, codes[name], BINS, rng))
    kappas = mean_of({name: one.kappa for name, one in binned.items()}, "labels")
    return asked.report(
        first="krippendorff_alpha.interval",
        fleiss_kappa=Kappa(
            present(kappas), by_label={name: present(one.kappa).headline for name, one in binned.items()}, edges=edges
        ),
        krippendorff_alpha={"interval": _mean(found, "interval")},
        icc1=_mean(found, "icc1"),
        icc1k=_mean(found, "icc1k"),
        split_half=_mean(found, "split_half"),
        split_half_spearman=Statistic(Undefined("given for a single slider only, because it is approximate")),
        labels=tuple(_label(name, one, Kappa(present(binned[name].kappa), edges=edges)) for name, one in found.items()),
        double_entry=entered(double),
    )


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
    last = len(edges) - 2
    return [f"[{edges[i]:g}, {edges[i + 1]:g}{']' if i == last else ')'}" for i in range(last + 1)]


def _mean(found: dict[str, Numbered], name: str) -> Statistic:
    parts: dict[str, Made | Undefined] = {label: one.made[name] for label, one in found.items()}
    return present(mean_of(parts, "labels"))


def _label(name: str, one: Numbered, kappa: Kappa) -> LabelAgreement:
    return LabelAgreement(
        name,
        kappa,
        {"interval": present(one.made["interval"])},
        present(one.made["icc1"]),
        present(one.made["icc1k"]),
        present(one.made["split_half"]),
    )
