"""The files of a bundle beside its figures, made again from what is in it; and bundle.json, which says what made it."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from ..analysis.analysis import Analysis
from ..analysis.output_folder import json_bytes
from ..analysis.output_tables import items_table
from ..cleaning.decided_by_hand import by_hand_table
from ..errors import Refused
from ..files.writing import csv_chunks, unescape_formula
from ..gold.gold_table import gold_of_cells
from ..kinds.statistics import statistics_of
from ..report.data_card import Card
from ..report.data_dictionary import LONGEST_HEADER, dictionary, header_of
from ..report.data_dictionary import NAME as DICTIONARY
from ..report.markdown import markdown_document, plain_text
from ..report.methods import methods_text
from ..report.methods_paragraph import DETAILS, methods_paragraph
from ..report.report import Report
from ..typed_json import Misread, from_json, object_of
from .report_files import cards_of, report_of

NAME, METHODS = "bundle.json", "methods.md"
DESCRIBED_TABLES = ("gold.csv", "judgments.csv", "workers.csv", "participants.csv", "notes.csv")
# What only the site's database knows.
OF_THE_SITE = ("participants.csv", "adjudications.csv", "notes.csv", "stimulus.json")
# What is drawn by a job of its own, perhaps by an earlier version than the one that made the bundle.
DRAWN = ("report.html", "methods.tex", "references.bib")
DRAWN_FOLDERS = ("figures/", "tables/")


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleRecord:
    """`made_with` and `drawn_with` are those of `software_record()`; nothing was drawn, or nobody knows by what, where
    `drawn_with` is empty. `are_methods_current` is False where an earlier version wrote methods.md. `notes` stand below
    the title of report.html; `card` has what only the researcher knows.
    """

    made_with: Mapping[str, str]
    drawn_with: Mapping[str, str]
    are_methods_current: bool
    title: str
    notes: tuple[str, ...]
    card: Card

    def as_json(self) -> bytes:
        return json_bytes(object_of(self))


def read_record(folder: Path) -> BundleRecord | None:
    """What the bundle says of itself; None of a bundle by a version that said nothing."""
    try:
        return from_json(BundleRecord, json.loads((folder / NAME).read_bytes()))
    except FileNotFoundError:
        return None
    except (Misread, ValueError, RecursionError) as error:
        raise Refused(f"{NAME}: it can't be read ({error})") from error


def is_drawn(name: str) -> bool:
    """Whether a file of a bundle is one of its report's page, figures and tables."""
    return name in DRAWN or name.startswith(DRAWN_FOLDERS)


def dictionary_of(folder: Path) -> bytes:
    """data-dictionary.csv of the tables in the folder."""
    headers = {}
    for name in DESCRIBED_TABLES:
        if (folder / name).exists():
            with (folder / name).open("rb") as stream:
                headers[name.removesuffix(".csv")] = header_of(stream.readline(LONGEST_HEADER))
    return dictionary(headers)


def files_made_again(
    folder: Path, computed: Analysis, report: Report, record: BundleRecord, *, is_drawn_too: bool
) -> Iterator[tuple[str, bytes]]:
    """Everything but the tables of judgments, workers and gold. The figures are those of the bundle's own `report`,
    which were computed again: some of its parts, such as how people came, are known to the site alone.
    """
    crowd, by_hand = computed.cleaning.crowd, computed.cleaning.by_hand
    yield "items.csv", b"".join(csv_chunks(items_table(crowd)))
    if by_hand:
        yield "by_hand.csv", b"".join(csv_chunks(by_hand_table(by_hand)))
    if crowd.coding is not None:
        yield "coding.csv", crowd.coding.csv()
    yield from ((each.file, each.matrix.csv()) for each in computed.similarity_matrices if each.is_peoples)
    yield from computed.answer_tables.items()
    yield DICTIONARY, dictionary_of(folder)
    methods = methods_text(report)
    has_details = (folder / DETAILS).exists()  # in earlier bundles methods.md is all that is said
    if record.are_methods_current:
        yield DETAILS if has_details else METHODS, markdown_document(methods).encode()
    else:
        stored = folder / (DETAILS if has_details else METHODS)
        methods = plain_text(stored.read_text(encoding="utf-8", errors="replace"))
    if has_details:
        yield METHODS, markdown_document(methods_paragraph(report)).encode()
    yield from cards_of(report, methods, folder, record.card).items()
    if is_drawn_too:
        gold = _gold(folder, report)
        released = replace(computed, study=report.study, gold=gold, gold_csv=b"", report=report, methods=methods)
        yield from report_of(released, record.notes, record.title).files.items()


def _gold(folder: Path, report: Report) -> pd.DataFrame:
    with (folder / "gold.csv").open(encoding="utf-8", newline="") as stream:
        header, *cells = [[unescape_formula(cell) for cell in row] for row in csv.reader(stream)]
    return gold_of_cells(header, cells, statistics_of(report.question.kind).gold_columns)
