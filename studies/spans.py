"""Models' sets of spans against those of one file, such as a treebank: no crowd and no database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agreement.analysis.score_probes import comparisons_of, score_row
from agreement.errors import Refused
from agreement.files.problems import ChainedProblems, Problems, refuse_if_any
from agreement.files.reading import required_table
from agreement.files.table import Table
from agreement.scoring.probe import Probe, Shape, StudyItems, refuse_unfit
from agreement.scoring.probe_file import probe_of_table
from agreement.scoring.probe_formats.spans import BRACKETS, SPAN
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold, Texts
from agreement.scoring.spans import constituents

KIND = "list"  # what people who mark spans would be asked for
SHAPES: tuple[Shape, ...] = ("spans",)
FIRST_METRIC = "span_f1_micro"


@dataclass(frozen=True, slots=True, eq=False)
class SpansFile:
    """A file of gold: the spans of each of its items, and other columns, by which scores are broken down."""

    gold: Gold
    table: Table

    @property
    def items(self) -> StudyItems:
        return StudyItems(KIND, self.gold.ids)


def read_gold_spans(path: Path) -> SpansFile:
    """A file with `item_id` and `span` or `brackets`; `Refused` with every bad row."""
    table = _table(path)
    if "item_id" not in table.columns or not {SPAN, BRACKETS} & table.columns.keys():
        there = ", ".join(table.columns)
        raise Refused(f"{path.name}: the columns item_id and span, or item_id and brackets, are needed (not {there})")
    ids = np.array(sorted({value for value in table.columns["item_id"].values if value.strip()}), dtype=object)
    kept = ("item_id", SPAN if SPAN in table.columns else BRACKETS)
    own = Table(table.name, table.rows, {name: table.columns[name] for name in kept})
    probe = probe_of_table(own, StudyItems(KIND, ids), name=path.stem)
    spans = tuple(Counter(one or ()) for one in probe.runs[0].spans)
    return SpansFile(Gold(KIND, ids, spans=spans, fields=_fields(table, ids, kept)), table)


def _fields(table: Table, ids: Texts, kept: Sequence[str]) -> dict[str, Texts]:
    """Each other column, which says one thing of an item however many rows it has."""
    problems, fields = Problems(table.name), {}
    item = np.searchsorted(ids.astype(str), table.columns["item_id"].text().astype(str))
    for name, column in table.columns.items():
        if name in kept:
            continue
        texts = column.text()
        values = np.full(len(ids), "", dtype=object)
        values[item[::-1]] = texts[::-1]  # what the item's first row says
        differs = np.flatnonzero(values[item] != texts)
        said = "is not what the first row of the item says"
        problems.cells(table.rows[differs], name, column.codes[differs], column.values, said)
        fields[name] = values
    refuse_if_any(problems)
    return fields


def score_spans(gold_path: Path, probes: Sequence[Path]) -> dict[str, object]:
    """Every figure of each file against gold, and every pair of files on each metric; refused together."""
    if again := sorted({path.stem for path in probes if [one.stem for one in probes].count(path.stem) > 1}):
        raise Refused([f"two files are named {name}; scores are told apart by the name" for name in again])
    of_gold = read_gold_spans(gold_path)
    reasons, read, notes = [], [], {}
    for path in probes:
        try:
            probe, table = _probe(path, of_gold.items)
        except Refused as refused:
            reasons.append(refused.marked)
            continue
        read.append(probe)
        notes[probe.name] = _other_words(of_gold.table, table)
    if reasons:
        raise Refused(ChainedProblems(reasons))
    gold = of_gold.gold
    scored = [score_probe(probe, gold, of_gold.items) for probe in read]
    return {
        "gold": gold_path.name,
        "items": len(gold),
        "items_without_spans": sum(not spans for spans in gold.spans or ()),
        "spans": sum(sum(spans.values()) for spans in gold.spans or ()),
        "scores": [score_row(one.probe, score) for one in scored for score in one.scores],
        "probes": [
            {
                "probe": one.probe,
                "covered": one.coverage.covered,
                "missing": list(one.coverage.missing),
                "notes": notes[one.probe],
            }
            for one in scored
        ],
        "comparisons": comparisons_of(read, scored, gold, of_gold.items, FIRST_METRIC),
    }


def _probe(path: Path, items: StudyItems) -> tuple[Probe, Table]:
    table = _table(path)
    probe = probe_of_table(table, items, name=path.stem)
    refuse_unfit(probe, KIND, SHAPES)
    return probe, table


def _table(path: Path) -> Table:
    return required_table(path, Problems(path.name))


def _other_words(gold: Table, given: Table) -> list[str]:
    """Trees of other lengths than gold's have other places for the same words: said, for no figure shows it."""
    if BRACKETS not in gold.columns or BRACKETS not in given.columns:
        return []
    ours, theirs = _lengths(given), _lengths(gold)
    other = sorted(item for item in ours.keys() & theirs.keys() if ours[item] != theirs[item])
    if not other:
        return []
    some = ", ".join(other[:5]) + (", …" if len(other) > 5 else "")
    return [f"trees of {len(other)} items have another number of words than gold's: {some}"]


def _lengths(table: Table) -> dict[str, int]:
    ids, trees = (table.columns[name].text() for name in ("item_id", BRACKETS))
    return {str(item): constituents(str(tree))[1] for item, tree in zip(ids, trees, strict=True)}
