"""Models against property norms from elsewhere: files in, tables and a figure out, and neither crowd nor database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agreement.analysis.score_probes import score_row
from agreement.errors import Refused
from agreement.figures import average_precision_by_frequency
from agreement.figures.figure import Figure, records
from agreement.figures.rendering import render, rows_as_csv
from agreement.files.items_file import MOST_ITEM_COLUMNS
from agreement.files.problems import ChainedProblems, Problems, refuse_if_any
from agreement.files.reading import required_table
from agreement.files.table import Table, encode
from agreement.judgments.property_coding import name_of_relation
from agreement.kinds.kind import QuestionKind
from agreement.report.score_tables import precision_by_frequency
from agreement.scoring.norms import (
    RELATIONS,
    Norms,
    entries_by_relation,
    name_of_concept,
    query_id,
    read_norms,
)
from agreement.scoring.probe import Probe, StudyItems, refuse_unfit
from agreement.scoring.probe_file import probe_of_table
from agreement.scoring.probe_format import DEFAULT, ProbeOptions
from agreement.scoring.score import score_probe
from agreement.scoring.score_gold import Gold
from agreement.typed_json import object_of

KIND: QuestionKind = "list"


@dataclass(frozen=True, slots=True, kw_only=True)
class NormsJob:
    """What is asked; without `items` a query's id is made of its concept and relation (`query_id`)."""

    norms: Path
    out: Path
    probes: Sequence[Path] = ()
    items: Path | None = None
    relations: Sequence[str] = RELATIONS
    types: Sequence[str] = ()
    options: ProbeOptions = DEFAULT


def run(job: NormsJob) -> dict[str, object]:
    """Read, score, write; `Refused` has every reason, and then nothing is written."""
    if job.out.exists() and (not job.out.is_dir() or any(job.out.iterdir())):
        raise Refused(f"--out {job.out}: it is there and not an empty folder; name a new one")
    norms = read_norms(job.norms, relations=job.relations, types=job.types)
    gold, study = _gold(norms, job.items)
    probes, reasons = [], []
    for path in job.probes:
        try:
            probes.append(_probe(path, study, job.options))
        except Refused as refused:
            reasons.append(refused.marked)
    if reasons:
        raise Refused(ChainedProblems(reasons))
    scored = [score_probe(probe, gold, study, breakdowns=("relation",)) for probe in probes]
    scores = [score_row(one.probe, score) for one in scored for score in one.scores]
    entries = entries_by_relation((line.relation, line.pf) for line in norms.lines)
    precision = precision_by_frequency(scores)
    tables = {"entries.csv": entries}
    figures: list[Figure] = []
    if probes:
        by_part = {part: precision_by_frequency(scores, part) for part in ("relation", "template")}
        tables |= {"average_precision.csv": precision}
        tables |= {f"average_precision_by_{part}.csv": table for part, table in by_part.items() if len(table)}
        figures.append(average_precision_by_frequency.draw(precision))
    job.out.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        (job.out / name).write_bytes(rows_as_csv(table))
    notes = render(figures, job.out / "figures") if figures else []
    return {
        "norms": job.norms.name,
        "concepts": len({line.concept for line in norms.lines}),
        "entries": list(records(entries)),
        "precision": list(records(precision)),
        "scores": [object_of(score) for score in scores],
        "notes": [
            *(f"{one.probe}: {note}" for one in scored for note in (*_uncovered(one.coverage), *one.notes)),
            *notes,
        ],
        "out": str(job.out),
        "files": [*tables, *(["figures"] if figures else [])],
    }


def _uncovered(coverage: Any) -> list[str]:
    """Queries for which the model ranks nothing: all their candidates tie."""
    missing = coverage.gold - coverage.covered
    return (
        [f"covers {coverage.covered:,} of {coverage.gold:,} queries; the rest count as tied candidates"]
        if missing
        else []
    )


def _gold(norms: Norms, items: Path | None) -> tuple[Gold, StudyItems]:
    if items is None:
        return norms.gold(KIND), norms.items(KIND)
    problems = Problems(items.name)
    table = required_table(items, problems, most_columns=MOST_ITEM_COLUMNS)
    missing = [name for name in ("item_id", "concept", "relation") if name not in table.columns]
    if missing:
        problems.whole(f"there is no column {' and no column '.join(missing)}")
    refuse_if_any(problems)
    ids, concepts, relations = (table.columns[name].text().tolist() for name in ("item_id", "concept", "relation"))
    queries = norms.queries()
    keys = [(name_of_concept(c), name_of_relation(r)) for c, r in zip(concepts, relations, strict=True)]
    known = [at for at, key in enumerate(keys) if key in queries]
    if not known:
        problems.whole("none of its concepts and relations is in the norms")
    refuse_if_any(problems)
    fields = {
        name: np.array([keys[at][place] for at in known], dtype=object)
        for place, name in enumerate(("concept", "relation"))
    }
    gold_ids = np.array([ids[at] for at in known], dtype=object)
    gold = Gold(KIND, gold_ids, properties=tuple(queries[keys[at]] for at in known), fields=fields)
    return gold, StudyItems(KIND, np.array(ids, dtype=object))


def _probe(path: Path, study: StudyItems, options: ProbeOptions) -> Probe:
    """A ranking by `item_id`, or by the columns `concept` and `relation` in its place."""
    problems = Problems(path.name)
    table = required_table(path, problems)
    probe = probe_of_table(_with_ids(table), study, name=path.stem, options=options)
    refuse_unfit(probe, study.kind, ["ranking"])
    return probe


def _with_ids(table: Table) -> Table:
    sides = ("concept", "relation")
    if "item_id" in table.columns or not {*sides} <= table.columns.keys():
        return table
    concepts, relations = (
        table.columns[name].mapped(change).text().tolist()
        for name, change in zip(sides, (name_of_concept, name_of_relation), strict=True)
    )
    ids = map(query_id, concepts, relations)
    others = {name: column for name, column in table.columns.items() if name not in sides}
    return Table(table.name, table.rows, {"item_id": encode(ids, len(table)), **others})
