"""The reports of answers that are a label, a set of labels, or properties; and of texts, which have none."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..estimation.design import AnyCodes, Codes, Design
from ..estimation.estimate import Estimate, Figure, Floats, Undefined
from ..estimation.intervals import FIXED
from ..kinds.answers import Properties
from .agreement_report import (
    AgreementReport,
    Comparison,
    DoubleEntry,
    Kappa,
    LabelAgreement,
    Level,
    Parts,
    Statistic,
    StatisticsInput,
    entered,
)
from .chance_corrected import Tally, chance_corrected
from .cohen import Weights, cohen_kappa
from .cross_checks import compare_alpha, compare_kappa
from .label_statistics import (
    RARE,
    LabelStatistics,
    label_statistics,
    own_agreement,
    own_agreement_limits,
)
from .numeric_statistics import numeric_statistics
from .own_label_agreement import own_label_report
from .raw_statistic import mean_of, report_statistic

NAMED_OFTEN = 10  # judgments that must name a property before it is looked at by itself
MOST_COLUMNS = 50  # labels or properties that are looked at one by one, the commonest first


def label_report(asked: StatisticsInput, code: npt.NDArray[np.integer]) -> Parts:
    """One label a judgment: kappa first, nominal alpha beside it, each label against the rest."""
    if asked.n_options is not None:
        return Parts.of_one(lambda: own_label_report(asked, np.asarray(code).astype(np.int64)))
    return Parts.of_one(lambda: _one_label(asked, np.asarray(code)))


def _one_label(asked: StatisticsInput, code: npt.NDArray[np.integer]) -> AgreementReport:
    codes, design = code.astype(np.int64), asked.design
    one = label_statistics(
        design, {"": codes}, len(asked.labels), replicates=asked.replicates, rng=asked.stream("labels")
    )[""]
    double: list[Comparison | str] = [
        compare_kappa("fleiss_kappa", design, codes, len(asked.labels), asked.stream("double entry kappa")),
        compare_alpha(
            "krippendorff_alpha.nominal",
            design,
            codes.astype(np.float64),
            "nominal",
            asked.stream("double entry alpha"),
            distinct=len(asked.labels),
        ),
    ]
    alphas: dict[Level, Statistic] = {"nominal": report_statistic(one.alpha)}
    weighted = _add_order(asked, codes, alphas, double) if asked.ordered else {}
    of_pairs = design.fixed_workers or design.workers == FIXED
    return asked.report(
        disagreement_of(one.tally),
        first=_first_statistic(asked),
        fleiss_kappa=_kappa(one, asked.labels, _by_label(asked, codes)),
        krippendorff_alpha=alphas,
        double_entry=entered(double),
        cohen_kappa=cohen_kappa(design, codes, len(asked.labels), "plain") if of_pairs else None,
        weighted_kappa=weighted,
        **_beside_rare_labels(design, codes, asked.labels, one),
    )


def _beside_rare_labels(design: Design, code: Codes, labels: Sequence[str], one: LabelStatistics) -> dict[str, object]:
    """Gwet's AC1 and each rarer label's own agreement where kappa's interval is unreliable; else nothing."""
    t = one.tally
    if isinstance(t, Undefined) or isinstance(one.kappa, Undefined) or RARE not in one.kappa.notes_on_interval:
        return {}
    own: dict[str, Figure] = {}
    for label in np.flatnonzero(np.bincount(code, minlength=len(labels))).tolist():
        share, items = own_agreement(t, label)
        if label == int(np.argmax(t.Q)) or not items:
            continue
        method = "share of the other answers to an item that are the label where one is; Jeffreys' limits of its items"
        own[labels[label]] = Estimate(share, *own_agreement_limits(share, items), items, method, "items")
    ac1 = chance_corrected(design, code, len(labels))["gwet"]
    return {"gwet_ac1": Statistic(ac1), "own_agreement": own} if own else {}


def _first_statistic(asked: StatisticsInput) -> str:
    """The pairs' kappa where the workers are the population: it is of these people and no others."""
    if not asked.design.fixed_workers:
        return "fleiss_kappa"
    return "weighted_kappa.quadratic" if asked.ordered else "cohen_kappa"


def _add_order(
    asked: StatisticsInput, codes: Codes, alphas: dict[Level, Statistic], double: list[Comparison | str]
) -> dict[str, Figure]:
    """Ordinal alpha among the alphas, compared with krippendorff's, and kappa with linear and quadratic weights."""
    value = codes.astype(np.float64)
    statistics = numeric_statistics(
        asked.design, value, ("ordinal",), seed=asked.seed, replicates=asked.replicates, alone=True
    )
    alphas["ordinal"] = report_statistic(statistics.by_name["ordinal"])
    name, rng, labels = "krippendorff_alpha.ordinal", asked.stream("double entry ordinal"), len(asked.labels)
    double.append(compare_alpha(name, asked.design, value, "ordinal", rng, distinct=labels))
    weightings: tuple[Weights, ...] = ("linear", "quadratic")
    return {weights: cohen_kappa(asked.design, codes, labels, weights) for weights in weightings}


def label_set_report(asked: StatisticsInput, chosen: npt.NDArray[np.bool_]) -> Parts:
    """A set of labels a judgment: each label chosen or not, and their mean."""
    codes = _codes(dict(zip(asked.labels, np.asarray(chosen).T, strict=True)))

    def join_answers(answers: Sequence[Any]) -> AgreementReport:
        report: AgreementReport = answers[0]
        return replace(report, double_entry=answers[1])

    return Parts(
        (lambda: _chosen_or_not(asked, codes, "labels"), lambda: _entered_by_label(asked, codes)), join_answers
    )


def property_report(asked: StatisticsInput, named: Properties) -> Parts:
    """Properties in free words: the commonest ones named or not, on all items, and their mean."""
    return Parts.of_one(lambda: _commonest(asked, named))


def _commonest(asked: StatisticsInput, named: Properties) -> AgreementReport:
    frequency = np.bincount(named.property, minlength=len(named.names))
    commonest = [
        code for code in np.argsort(-frequency, kind="stable")[:MOST_COLUMNS] if frequency[code] >= NAMED_OFTEN
    ]
    judgment = np.repeat(np.arange(asked.design.judgments), np.diff(named.offsets))
    columns: dict[str, npt.NDArray[np.bool_]] = {}
    for code in commonest:
        column = np.zeros(asked.design.judgments, dtype=np.bool_)
        column[judgment[named.property == code]] = True
        columns[named.names[code]] = column
    rarer = len(named.names) - len(columns)
    without = f"{rarer:,} rarer {'property has' if rarer == 1 else 'properties have'} no figure, and " if rarer else ""
    often = f"{len(columns)} properties named most often, each" if len(columns) > 1 else "one property named"
    note = (
        f"kappa is over the {often} in {NAMED_OFTEN} judgments or more, as named or not;"
        f" {without}the lists as wholes have none"
    )
    if columns:
        codes = _codes(columns)
        report = _chosen_or_not(asked, codes, "properties", (note,))
        return replace(report, double_entry=_entered_by_label(asked, codes))
    none = Undefined(f"no property was named in {NAMED_OFTEN} judgments or more: lists in free words have no kappa")
    return asked.report(fleiss_kappa=Kappa(Statistic(none)))


def text_report(asked: StatisticsInput, _: object) -> Parts:
    """Free texts: nothing to agree on, in words."""
    none = Statistic(Undefined("free texts have no labels and no numbers: agreement on them is undefined"))
    kappa = Kappa(none)
    return Parts.of_one(
        lambda: asked.report(fleiss_kappa=kappa, icc1=none, icc1k=none, split_half=none, split_half_spearman=none)
    )


def disagreement_of(tally: Tally | Undefined) -> Floats | None:
    """[N] 1 - P_i, nan where an item has one judgment."""
    return None if isinstance(tally, Undefined) else np.where(tally.design.n >= 2, 1 - tally.P_i, np.nan)


def _codes(columns: dict[str, npt.NDArray[np.bool_]]) -> dict[str, AnyCodes]:
    return {name: column.astype(np.int8) for name, column in columns.items()}


def _entered_by_label(asked: StatisticsInput, codes: dict[str, AnyCodes]) -> DoubleEntry:
    """Each label's kappa and alpha beside those of other packages."""
    double: list[Comparison | str] = []
    for name, code in codes.items():
        rng = asked.stream(f"double entry {name}")
        double.append(compare_kappa(f"fleiss_kappa of {name}", asked.design, code, 2, rng))
        named, value = f"krippendorff_alpha.nominal of {name}", code.astype(np.float64)
        double.append(compare_alpha(named, asked.design, value, "nominal", rng, distinct=2))
    return entered(double)


def _chosen_or_not(
    asked: StatisticsInput, codes: dict[str, AnyCodes], noun: str, notes: tuple[str, ...] = ()
) -> AgreementReport:
    """All but the comparison with other packages."""
    design = asked.design
    statistics = label_statistics(design, codes, 2, replicates=asked.replicates, rng=asked.stream("labels"))
    kappas = mean_of({name: one.kappa for name, one in statistics.items()}, noun)
    alphas = mean_of({name: one.alpha for name, one in statistics.items()}, noun)
    tallies = [one.tally for one in statistics.values() if isinstance(one.tally, Tally)]
    mean_P_i = np.mean([tally.P_i for tally in tallies], axis=0) if tallies else np.zeros(design.items)
    each = tuple(
        LabelAgreement(name, _kappa(one, ("not", "chosen"), {}), {"nominal": report_statistic(one.alpha)})
        for name, one in statistics.items()
    )
    return asked.report(
        np.where(design.n >= 2, 1 - mean_P_i, np.nan),
        first="fleiss_kappa",
        fleiss_kappa=Kappa(report_statistic(kappas, notes), by_label=_headlines(statistics)),
        krippendorff_alpha={"nominal": report_statistic(alphas, notes)},
        labels=each,
    )


def _by_label(asked: StatisticsInput, code: Codes) -> dict[str, Figure]:
    """Each label against the rest; the commonest where there are many."""
    used = np.bincount(code, minlength=len(asked.labels))
    commonest = sorted(np.argsort(-used, kind="stable")[:MOST_COLUMNS].tolist())
    columns = {asked.labels[label]: (code == label).astype(np.int64) for label in commonest}
    statistics = label_statistics(asked.design, columns, 2, replicates=0, rng=asked.stream("labels"), with_alpha=False)
    return _headlines(statistics)


def _headlines(statistics: dict[str, LabelStatistics]) -> dict[str, Figure]:
    return {name: report_statistic(one.kappa).headline for name, one in statistics.items()}


def _kappa(one: LabelStatistics, labels: tuple[str, ...], by_label: dict[str, Figure]) -> Kappa:
    if isinstance(one.tally, Undefined):
        return Kappa(report_statistic(one.kappa), by_label=by_label)
    p = dict(zip(labels, one.tally.p.tolist(), strict=True))
    return Kappa(report_statistic(one.kappa), one.tally.P, one.tally.P_e, p, by_label)
