"""A probe against gold: coverage first, then every metric of its shape, over all items and broken down."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..errors import Refused
from ..estimation.estimate import Estimate, Figure
from ..gold.label_gold import THRESHOLDS
from .answer_mapping.mapping_table import AnswerCounts
from .jackknifed_metric import JackknifedMetric, Units, mean_over, units_of
from .metric import MAXIMUM, SPREAD, Outputs
from .metrics import FAMILIES, METRICS, measured_parts, missing_is_wrong
from .probe import (
    ALIASES,
    TEMPLATE,
    OtherLabel,
    Probe,
    Run,
    StudyItems,
    covered_by,
    lacks_answers,
    refuse_unfit,
)
from .score_gold import Gold

MOST_GROUPS = 100
GROUPS_OF_NUMBERS = 5
BY_ITSELF = frozenset({"left", "right", *ALIASES, "reference", "cluster"})


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A breakdown: the items (places in gold) of each of its groups. Groups of `label` may share items."""

    column: str
    names: tuple[str, ...]
    members: tuple[npt.NDArray[np.int64], ...]


def parts_of(gold: Gold, breakdowns: Sequence[str] | None = None) -> list[Part]:
    """By each column named, or by every column of 2 to 100 values; label gold also by label and by cardinality.

    A column of more numbers than that (a distance from a threshold) is cut into five groups of about equal size.
    """
    names = list(breakdowns) if breakdowns is not None else _worth_it(gold)
    parts = [_by_column(name, gold.fields[name].astype(str)) for name in names if name in gold.fields]
    own = {part.column for part in parts}  # a column of the items' own stands where ours would have the same name
    has_same_labels = gold.by_label is not None and gold.by_label.sizes is None
    if (
        has_same_labels
        and gold.by_label is not None
        and "label" not in own
        and (breakdowns is None or "label" in breakdowns)
    ):
        sets = gold.by_label.sets
        parts.append(
            Part("label", gold.labels, tuple(np.flatnonzero(sets[:, label]) for label in range(sets.shape[1])))
        )
    if gold.by_label is not None and "cardinality" not in own and (breakdowns is None or "cardinality" in breakdowns):
        parts.append(_by_value("cardinality", gold.by_label.sets.sum(axis=1).astype(str)))
    return [Part(part.column, *_filled_groups(part)) for part in parts]


def _worth_it(gold: Gold) -> list[str]:
    names = []
    for name, values in gold.fields.items():
        if breaks_down(name, values.astype(str)):
            names.append(name)
    return names


def breaks_down(name: str, values: npt.NDArray[np.str_]) -> bool:
    """Whether scores are broken down by this column unless somebody names others: it has few groups, or numbers."""
    different = len(set(values.tolist()))
    few = different <= min(MOST_GROUPS, len(values) // 2)
    return name not in BY_ITSELF and different >= 2 and (few or _as_numbers(values) is not None)


def _by_column(column: str, values: npt.NDArray[np.str_]) -> Part:
    numbers = _as_numbers(values) if len(np.unique(values)) > min(MOST_GROUPS, len(values) // 2) else None
    if numbers is None:
        return _by_value(column, values)
    edges = np.unique(np.quantile(numbers, np.linspace(0, 1, GROUPS_OF_NUMBERS + 1)))
    if len(edges) < 2:
        return _by_value(column, values)
    code = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, len(edges) - 2)
    names = [f"{low:.6g} to {high:.6g}" for low, high in pairwise(edges)]
    return Part(column, tuple(names), tuple(np.flatnonzero(code == group) for group in range(len(names))))


def _as_numbers(values: npt.NDArray[np.str_]) -> npt.NDArray[np.float64] | None:
    """The column as numbers, if all of it is."""
    try:
        numbers = values.astype(np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def _by_value(column: str, values: npt.NDArray[np.str_]) -> Part:
    names, codes = np.unique(values, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(names)))
    return Part(column, tuple(map(str, names)), tuple(np.split(order, ends[:-1])))


def _among(parts: Sequence[Part], counted: npt.NDArray[np.int64]) -> list[Part]:
    """The parts, of these items alone."""
    members = [tuple(items[np.isin(items, counted)] for items in part.members) for part in parts]
    kept = [Part(part.column, part.names, items) for part, items in zip(parts, members, strict=True)]
    return [Part(part.column, *_filled_groups(part)) for part in kept]


def _filled_groups(part: Part) -> tuple[tuple[str, ...], tuple[npt.NDArray[np.int64], ...]]:
    filled = [index for index, items in enumerate(part.members) if len(items)]
    return tuple(part.names[index] for index in filled), tuple(part.members[index] for index in filled)


# A probe against gold: coverage first, then every metric of its shape, over all items and broken down.

# The breakdown that has the other way of counting answers that were mapped to nothing, by the groups that it may have.
MAPPED, ALONE, OTHERS_WRONG = "mapped answers", "alone", "with the others as wrong"
LONGEST_TEMPLATE = 300  # in the name of a group; what is longer is cut


@dataclass(frozen=True, slots=True)
class Coverage:
    """Items in gold, those of them that the probe covers, the ids it misses, and its items that have no gold."""

    COMPUTED: ClassVar = ("is_full",)

    gold: int
    covered: int
    missing: tuple[str, ...]
    beyond: tuple[str, ...]

    @property
    def is_full(self) -> bool:
        """Whether correlations may rank this probe."""
        return self.covered == self.gold


NOT_ASKED = Coverage(0, 0, (), ())


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """One figure of a probe. `breakdown` and `group` are "" for all items, and `measured` is there to test pairs on."""

    metric: str
    breakdown: str
    group: str
    figure: Figure
    n: int
    chance: float | None
    measured: JackknifedMetric | None = None
    released: Figure | None = None  # over items alone, where `figure` has gold made again without workers


@dataclass(frozen=True, slots=True, eq=False)
class ProbeScores:
    """All scores of one probe against one gold; `sha256` pins the release."""

    probe: str
    coverage: Coverage
    scores: tuple[Score, ...]
    notes: tuple[str, ...]
    sha256: str
    other_labels: tuple[OtherLabel, ...] = ()
    answers: AnswerCounts | None = None

    def ranks(self, metric: str) -> bool:
        """Whether this probe may stand in a ranking by that metric: an uncovered item is wrong, or there is none."""
        return self.coverage.is_full or missing_is_wrong(metric)

    def overall(self) -> dict[str, Score]:
        """By metric, the scores over all items; of a probe with settings, none."""
        return {score.metric: score for score in self.scores if not score.breakdown}


def score_probe(probe: Probe, gold: Gold, study: StudyItems, *, breakdowns: Sequence[str] | None = None) -> ProbeScores:
    """Score a probe, read on the study's items, against gold.

    A score over several templates or runs is the mean over them, and its sd and maximum stand beside it. Items are left
    out one at a time for the interval; if they share terms, objects or scenes, those are. `breakdowns` names columns of
    the gold's own fields; None takes every column with 2 to 100 different values.
    """
    return Task.of(gold, study, breakdowns).score(probe)


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What all probes of one gold share: its places among the study's items, its parts, and what is left out."""

    gold: Gold
    study: StudyItems
    rows: npt.NDArray[np.int64]
    parts: list[Part]
    units: Units | None

    @classmethod
    def of(cls, gold: Gold, study: StudyItems, breakdowns: Sequence[str] | None = None) -> "Task":
        """Found once, however many probes there are."""
        rows = study.rows_of(gold.ids)
        if (rows < 0).any():
            unknown = gold.ids[rows < 0]
            raise Refused([f"gold item {item_id} is not an item of the study" for item_id in unknown])
        return cls(gold, study, rows, parts_of(gold, breakdowns), units_of(gold))

    def score(self, probe: Probe) -> ProbeScores:
        """As `score_probe`."""
        if (figures_of := FAMILIES[probe.shape].without_gold) is not None:
            scored = tuple(
                Score(metric, *_group_of(setting), figure, perplexity.sentences, None)
                for setting, perplexity in probe.perplexities.items()
                for metric, figure in figures_of(perplexity).items()
            )
            return ProbeScores(probe.name, NOT_ASKED, scored, probe.notes, self.gold.sha256)
        refuse_unfit(probe, self.gold.kind, self.gold.shapes)
        coverage = _coverage(probe, self.gold, self.study, self.rows)
        scores: list[Score] = []
        for setting in probe.settings:
            scores += self._scores_of(probe, probe.runs_of(setting), _group_of(setting))
        if probe.leaves_out:  # of items of its own, on which no other model is tested
            scores = [replace(score, measured=None) for score in scores]
        notes = (*probe.notes, *_words_not_allowed(probe, self.gold))
        return ProbeScores(
            probe.name, coverage, tuple(scores), notes, self.gold.sha256, probe.other_labels, probe.answers
        )

    def _scores_of(self, probe: Probe, runs: list[Run], place: tuple[str, str]) -> list[Score]:
        """Whole first, then each breakdown; a setting such as shots=4 is itself a group of the breakdown `setting`."""
        gold = self.gold
        covered = covered_by(runs)[self.rows]
        outputs = [Outputs(probe, run, gold, self.rows, covered, self.units) for run in runs]
        scores: list[Score] = []
        counted, beside = self._mapped_items(probe, runs)
        for part in [Part("", ("",), (counted,)), *beside, *_among(self.parts, counted)]:
            by_run = [measured_parts(of_run, part.members) for of_run in outputs]
            for index, group in enumerate(part.names):
                named = _place(place, part.column, group)
                items = part.members[index]
                counts = {True: len(items), False: int(covered[items].sum())}
                scores += _average_runs([measures[index] for measures in by_run], gold, named, items, counts)
            if not part.column:
                scores += self._by_template(runs, [measures[0] for measures in by_run], place, counts)
        return scores

    def _mapped_items(self, probe: Probe, runs: list[Run]) -> tuple[npt.NDArray[np.int64], list[Part]]:
        """The items that count, and the part with which the other way of counting is shown: with answers that were
        mapped to nothing as wrong, or without them.
        """
        everything = np.arange(len(self.gold))
        lacks = lacks_answers(runs)
        if lacks is None or not lacks[self.rows].any() or probe.shape != "labels":
            return everything, []
        mapped = np.flatnonzero(~lacks[self.rows])
        if probe.leaves_out:
            return mapped, [Part(MAPPED, (OTHERS_WRONG,), (everything,))]
        return everything, [Part(MAPPED, (ALONE,), (mapped,))] if len(mapped) else []

    def _by_template(
        self,
        runs: list[Run],
        by_run: list[dict[str, JackknifedMetric]],
        place: tuple[str, str],
        counts: dict[bool, int],
    ) -> list[Score]:
        """Each template's own score over all items, a mean over its runs, where there are two templates or more."""
        of_run = [_short_template(run.keys.get(TEMPLATE, "")) for run in runs]
        templates = dict.fromkeys(of_run)
        if len(templates) < 2 or any(part.column == TEMPLATE for part in self.parts):
            return []
        scores: list[Score] = []
        for template in templates:
            own = [measures for name, measures in zip(of_run, by_run, strict=True) if name == template]
            scores += _average_runs(
                own, self.gold, _place(place, TEMPLATE, template), np.arange(len(self.gold)), counts
            )
        return scores


def _words_not_allowed(probe: Probe, gold: Gold) -> list[str]:
    """What of the gold is no allowed word, where a probe is ranked over these alone."""
    if not probe.only_vocabulary or gold.properties is None:
        return []
    named = {name for of_item in gold.properties for name, count in of_item.items() if count >= min(THRESHOLDS)}
    outside = len(named - set(probe.vocabulary))
    return (
        [f"{outside:,} of the gold's {len(named):,} properties are no allowed words and count nowhere"]
        if outside
        else []
    )


def _short_template(template: str) -> str:
    """A template as the name of its group."""
    if len(template) > LONGEST_TEMPLATE:
        return f"{template[:LONGEST_TEMPLATE]}…"
    return template or "(blank)"


def _place(setting: tuple[str, str], column: str, group: str) -> tuple[str, str]:
    """The name of a breakdown and of its group, with the setting that it stands under."""
    if not column:
        return setting
    return (f"setting and {column}", f"{setting[1]} {group}") if setting[0] else (column, group)


def in_words(setting: Sequence[tuple[str, str]]) -> str:
    """A setting as the name of its group, such as `shots=4 language=en`."""
    return " ".join("=".join(pair) for pair in setting)


def _group_of(setting: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The breakdown and the group that a setting is."""
    return ("setting", in_words(setting)) if setting else ("", "")


def _average_runs(
    runs: list[dict[str, JackknifedMetric]],
    gold: Gold,
    place: tuple[str, str],
    items: npt.NDArray[np.int64],
    counts: dict[bool, int],
) -> list[Score]:
    """Mean, sd and maximum over runs. `counts` has how many items count where an uncovered one is wrong, and where
    it isn't.
    """
    scores: list[Score] = []
    breakdown, group = place
    part = None if gold.by_label is None else gold.by_label.take(items)
    for metric in runs[0]:
        measured = mean_over([run[metric] for run in runs])
        declared = METRICS[metric]
        chance = declared.chance_on(part, measured)
        n_items = counts[declared.missing_is_wrong or declared.counts_missing]
        n = n_items if measured.n is None else measured.n
        name = f"{metric}, mean over {len(runs)} templates or runs" if len(runs) > 1 else metric
        figure = measured.figure(n, name, declared.within)
        scores.append(Score(metric, breakdown, group, figure, n, chance, None if breakdown else measured))
        if len(runs) > 1 and measured.is_defined:
            thetas = [run[metric].theta for run in runs]
            over = f"of {metric} over {len(runs)} templates or runs"
            spread = Estimate(float(np.std(thetas, ddof=1)), None, None, len(runs), f"sd (n - 1) {over}")
            most = Estimate(float(np.max(thetas)), None, None, len(runs), f"maximum {over}")
            scores.append(Score(f"{metric}{SPREAD}", breakdown, group, spread, n, None))
            scores.append(Score(f"{metric}{MAXIMUM}", breakdown, group, most, n, None))
    return scores


def _coverage(probe: Probe, gold: Gold, study: StudyItems, rows: npt.NDArray[np.int64]) -> Coverage:
    """An item is covered if every run has an output for it."""
    is_covered = covered_by(probe.runs)
    missing = tuple(str(item_id) for item_id in gold.ids[~is_covered[rows]])
    in_gold = np.zeros(len(study.ids), dtype=np.bool_)
    in_gold[rows] = True
    beyond = tuple(str(item_id) for item_id in study.ids[is_covered & ~in_gold])
    return Coverage(len(gold), len(gold) - len(missing), missing, beyond)
