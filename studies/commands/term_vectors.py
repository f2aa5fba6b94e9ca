"""`touchstone term_vectors FILE --out DIR`: a model's vectors of terms, made or read, as matrices and drawings."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import numpy as np

from agreement.cli.arguments import Progress, add_probe_arguments, probe_options
from agreement.errors import Refused
from agreement.figures.figure import Figure
from agreement.figures.similarity_matrix import Order, draw_p_vectors, draw_similarity_matrix
from agreement.files.problems import Problems, refuse_if_any
from agreement.files.reading import required_table
from agreement.scoring.probe import StudyItems
from agreement.scoring.probe_format import ProbeOptions
from agreement.scoring.probe_formats.log_probabilities import (
    LOG_BASE,
    PERPLEXITY_FORM,
    ROW_PER_TOKEN_OF_TERM,
    matrices_of_table,
)
from agreement.scoring.probe_formats.vectors import ROW_PER_TERM, SIMILARITY, TRANSFORM, vectors_of_table
from agreement.scoring.probe_layout import ProbeRows
from agreement.scoring.similarity_matrices import FILE, WORDS, PairMatrix, pair_matrix
from agreement.scoring.vectors import TO_ITSELF, TermVectors, similarities, transform_vectors, undefined_terms

MADE = "p-vectors.csv"
MOST_TERMS = 1_000  # of a matrix of all terms
NO_ITEMS = StudyItems("slider", np.array([], dtype=object))


@dataclass(frozen=True, slots=True)
class DescribedVectors:
    terms: int
    contexts: int
    notes: Sequence[str]
    files: Mapping[str, bytes]
    figures: Sequence[Figure]


def described_vectors(path: Path, options: ProbeOptions, order: Order) -> DescribedVectors:
    """The file's vectors, made of its log probabilities or as they stand there; refused with every bad row or cell."""
    vectors, notes = _read(path, options)
    how, transform = options[SIMILARITY], options[TRANSFORM]
    notes = [*notes, f"{how} of vectors of {len(vectors.contexts)} numbers, {transform}"]
    made = transform_vectors(vectors.values, transform)
    if undefined := int(undefined_terms(made).sum()):
        notes.append(f"{undefined} of {len(made)} terms have a constant or undefined vector")
    files = {MADE: vectors.csv()} if vectors.is_made_here else {}
    figures = [draw_p_vectors(vectors, order=order, transform=transform)]
    if (matrix := _of_all_terms(vectors, options)) is not None:
        files[FILE] = matrix.csv()
        what, distance = WORDS[how]
        said = f"{what} ({transform})"
        figures.append(draw_similarity_matrix(matrix, whose=path.stem, measure=said, distance=distance))
    drawn = [figure for figure in figures if figure is not None]
    if len(drawn) < len(figures):
        notes.append("more cells than can be seen are not drawn")
    return DescribedVectors(len(vectors.terms), len(vectors.contexts), notes, files, drawn)


def _read(path: Path, options: ProbeOptions) -> tuple[TermVectors, list[str]]:
    problems = Problems(path.name)
    table = required_table(path, problems)
    rows = ProbeRows(table, NO_ITEMS, problems, options)
    if not len(table):
        raise Refused(f"{path.name}: it has no vectors")
    if ROW_PER_TOKEN_OF_TERM.told_by(table.columns.keys()):
        runs, notes = matrices_of_table(rows)
        refuse_if_any(problems)
        if len(runs) > 1:
            raise Refused(
                f"{path.name}: it has {len(runs)} templates, runs or settings, and this makes one matrix; give a file"
                " for each"
            )
        return runs[0][1], notes
    if not ROW_PER_TERM.told_by(table.columns.keys()):
        raise Refused(
            f"{path.name}: it has neither the columns {ROW_PER_TOKEN_OF_TERM.columns} nor those of vectors,"
            f" {ROW_PER_TERM.columns} (the columns are {', '.join(table.columns)})"
        )
    found = vectors_of_table(rows)
    refuse_if_any(problems)
    if found is None:
        raise AssertionError("a file without vectors has its reasons")
    return found, []


def _of_all_terms(vectors: TermVectors, options: ProbeOptions) -> PairMatrix | None:
    if len(vectors.terms) > MOST_TERMS:
        raise Refused(f"{len(vectors.terms):,} terms: a matrix of all their pairs is made of {MOST_TERMS:,} at most.")
    pairs = np.array(list(combinations(range(len(vectors.terms)), 2)), dtype=np.int64).reshape(-1, 2)
    how = options[SIMILARITY]
    values = similarities(transform_vectors(vectors.values, options[TRANSFORM]), pairs[:, 0], pairs[:, 1], how)
    names = np.array(vectors.terms, dtype=object)
    return pair_matrix(names[pairs[:, 0]], names[pairs[:, 1]], values, most=TO_ITSELF[how])


FIRST = ProbeOptions(transform="column-share")  # as its authors compare perplexities in contexts

HELP = (
    "Makes vectors of terms from log probabilities by term and context, or reads them, and writes them and the"
    " similarities of all terms as matrices and heat maps."
)


def add_arguments(parser: ArgumentParser) -> None:
    what = "sentence_id,token,logprob,term,context, or vectors: term,<context>,…"
    parser.add_argument("file", type=Path, metavar="FILE", help=what)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder to write")
    add_probe_arguments(parser, (LOG_BASE, PERPLEXITY_FORM, TRANSFORM, SIMILARITY), FIRST)
    order = "of terms and contexts in the drawing of the vectors (default: alphabetical)"
    parser.add_argument("--order", choices=get_args(Order), default="alphabetical", help=order)


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    from agreement.figures.rendering import render
    from studies.commands.term_vectors import described_vectors

    out: Path = options.out
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise Refused(f"--out {out}: it is there and holds something; name a new folder.")
    found = described_vectors(options.file, probe_options(vars(options), FIRST), options.order)
    out.mkdir(parents=True, exist_ok=True)
    warnings = render(found.figures, out / "figures")
    for name, content in found.files.items():
        (out / name).write_bytes(content)
    return {
        "terms": found.terms,
        "contexts": found.contexts,
        "notes": [*found.notes, *warnings],
        "out": str(out),
        "files": sorted([*found.files, *(f"figures/{figure.name}" for figure in found.figures)]),
    }


def say(answer: dict[str, Any]) -> str:
    first = f"{answer['out']}: {answer['terms']} terms in {answer['contexts']} contexts"
    return "\n".join([first, *answer["notes"], *(f"  {name}" for name in answer["files"])])
