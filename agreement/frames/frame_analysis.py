"""What is known of a crowd, as a notebook has it: data frames, words, and a folder to save."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pandas as pd

from ..analysis.analysis import Analysis as Computed
from ..analysis.output_folder import write
from ..analysis.report_frames import agreement_frame, ceiling_frame, judgments_frame, workers_frame
from ..errors import worded_for
from ..refusal_words import PYTHON, worded
from ..report.data_card import EMPTY, read_card
from ..report.report import report_as_json


@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """What is known of a crowd: the figures of the report, as data frames and words.

    agreement: a row per statistic and set of judgments ("collected", "kept"): estimate, low and high of its 95 %
        interval, n, in words why it is undefined, and the method.
    ceilings: how well people do, which a model should be compared with.
    gold: a row per item: what people say of it. workers: a row per worker, with what the rules found.
    judgments: as they were given, with whether each is kept and why not.
    methods: the paragraph for a paper. report: everything, as in report.json.
    """

    name: str
    gold: pd.DataFrame
    agreement: pd.DataFrame
    ceilings: pd.DataFrame
    workers: pd.DataFrame
    judgments: pd.DataFrame
    methods: str
    report: Mapping[str, Any]
    _computed: Computed = field(repr=False)

    @classmethod
    def of(cls, computed: Computed) -> Self:
        """What was computed, as frames."""
        report, cleaning = computed.report, computed.cleaning
        return cls(
            name=computed.study,
            gold=computed.gold,
            agreement=agreement_frame(report),
            ceilings=ceiling_frame(report),
            workers=workers_frame(cleaning, computed.screened),
            judgments=judgments_frame(cleaning),
            methods=computed.methods,
            report=report_as_json(report),
            _computed=computed,
        )

    @property
    def excluded(self) -> pd.DataFrame:
        """The workers whose judgments don't count, each with the reason and the evidence."""
        return self.workers.loc[~self.workers["kept"], ["worker_id", "reason", "evidence"]].reset_index(drop=True)

    @property
    def warnings(self) -> list[str]:
        """What the reader of these figures should know."""
        return [worded(warning.text, PYTHON) for warning in self._computed.warnings]

    @property
    def sha256(self) -> str:
        """The hash of the gold, which names this release of it."""
        return self._computed.sha256

    def save(
        self, folder: str | os.PathLike[str], *, report: bool = True, card: str | os.PathLike[str] | None = None
    ) -> Path:
        """Write the folder that `touchstone analyse` writes: gold.csv, judgments.csv, workers.csv, report.json and
        methods.md, and with `report` the page, figures and tables too.

        An earlier analysis in the folder is replaced; a folder with anything else in it is refused. `card` is a TOML
        file with what only you know of the data.
        """
        out = Path(folder)
        with worded_for(PYTHON):
            for note in self._write(out, card) if report else self._write_figures(out):
                warnings.warn(note, stacklevel=2)
        return out

    def _write_figures(self, out: Path) -> list[str]:
        write(self._computed, out)
        return []

    def _write(self, out: Path, card: str | os.PathLike[str] | None) -> list[str]:
        """What the reader should know of what was written: what isn't drawn, and why."""
        from ..figures.rendering import NOT_INSTALLED, can_draw
        from ..output.report_files import with_card

        failures: list[str] = []
        beside = with_card(EMPTY if card is None else read_card(Path(card)), failures)
        write(self._computed, out, beside=beside)
        return [*failures, *([] if can_draw() else [NOT_INSTALLED])]

    def __repr__(self) -> str:
        return f"<Analysis of {self.name}: {self.kept} kept>"

    @property
    def rules(self) -> str:
        """The name of the rule set."""
        return self._computed.report.rules.name

    @property
    def kept(self) -> str:
        """How many workers and judgments are kept, in words."""
        counts = self._computed.counts
        return (
            f"{counts.workers_kept:,} of {counts.workers:,} workers and"
            f" {counts.judgments_kept:,} of {counts.judgments:,} judgments of {counts.items:,} items"
        )

    def _repr_html_(self) -> str:
        from .notebook import page_of

        return page_of(self)
