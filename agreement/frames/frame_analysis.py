"""What is known of a crowd, as a notebook has it: data frames, words, and a folder to save."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from pathlib import Path
from typing import Any, Self

import pandas as pd

from ..analysis.analysis import Analysis as Computed
from ..analysis.file_job import Analysed, reading_in_words
from ..analysis.output_folder import NO_EXTRA_FILES, ExtraFiles, refuse_other_key, write, write_key
from ..analysis.output_tables import judgments_frame, workers_frame
from ..errors import PYTHON, sentence_for, use_surface
from ..estimation.estimate import Figure, Undefined
from ..judgments.pseudonyms import Pseudonyms
from ..report.data_card import EMPTY, read_card
from ..report.figure_rows import agreement_figures, ceiling_figures
from ..report.methods_paragraph import methods_paragraph
from ..report.report import Report, report_as_json
from ..report.verdict import ReportVerdict
from ..screening.evidence import SuspectEvidence

MOST_EXCLUDED = MOST_SUSPECTS = 20
INDICES = tuple(each.name for each in fields(SuspectEvidence))
# No colour of its own: text and lines take the notebook's, in light and dark.
STYLE = (
    "<style>.touchstone{max-width:56rem;font-variant-numeric:tabular-nums}"
    ".touchstone table{border-collapse:collapse;margin:.5em 0 1em}"
    ".touchstone th,.touchstone td{padding:.2em .8em .2em 0;text-align:left;vertical-align:top;background:none}"
    ".touchstone thead th{border-bottom:1px solid currentColor}"
    ".touchstone td.n{text-align:right;white-space:nowrap}"
    ".touchstone summary{cursor:pointer}</style>"
)


def page_of(analysis: Analysis) -> str:
    """The verdict, what it rests on, who is excluded, and the methods paragraph."""
    return "".join([STYLE, '<div class="touchstone">', *_parts(analysis), "</div>"])


def _parts(analysis: Analysis) -> Iterator[str]:
    verdict = analysis.verdict
    yield f"<p><strong>{escape(verdict.sentence)}</strong></p>"
    yield f"<p>{escape(' '.join(filter(None, [verdict.caveat, f'Next: {verdict.next_step.sentence}'])))}</p>"
    yield f"<p>{escape(analysis.name)}: {analysis.kept} are kept under the rules {escape(analysis.rules)}.</p>"
    yield from (f"<p>{escape(line[:1].upper() + line[1:])}</p>" for line in analysis.reading)
    yield from (f"<p>{escape(warned)}</p>" for warned in analysis.warnings)
    agreement = analysis.agreement
    names = list(dict.fromkeys(agreement["statistic"]))
    sides = [
        agreement[agreement["judgments"] == side].set_index("statistic")
        for side in dict.fromkeys(agreement["judgments"])
    ]
    rows = [(name, *(_figure(side.loc[name]) if name in side.index else "" for side in sides)) for name in names]
    heads = [side.capitalize() for side in dict.fromkeys(agreement["judgments"])]
    yield _table("Agreement, with 95 % intervals", ["Statistic", *heads], rows)
    ceilings = [(row["ceiling"], _figure(row)) for _, row in analysis.ceilings.iterrows()]
    yield _table("How well people do", ["Ceiling", "Estimate"], ceilings)
    for title, frame in (("People", analysis.people), ("Models", analysis.models)):
        whole = (
            frame[(frame["breakdown"] == "") & (frame["metric"] != "")]
            if title == "Models" or len(analysis.models)
            else frame[:0]
        )
        scored = [(row["name"], row["metric"], row["against"], _figure(row)) for _, row in whole.iterrows()]
        if scored:
            yield _table(title, ["Who", "Metric", "Against", "Estimate"], scored)
    if len(analysis.suspects):
        named = analysis.suspects.head(MOST_SUSPECTS)[["worker_id", "sentence"]].astype(str)
        yield _table("Answers that look careless (nobody is excluded by it)", ["Worker", "Why"], named.values.tolist())
    excluded = analysis.excluded
    if len(excluded):
        shown = [tuple(map(str, row)) for row in excluded.head(MOST_EXCLUDED).itertuples(index=False)]
        more = f", of which {MOST_EXCLUDED} are shown" if len(excluded) > MOST_EXCLUDED else ""
        inside = _table("", ["Worker", "Reason", "Evidence"], shown)
        yield f"<details><summary>{len(excluded):,} workers are excluded{more}</summary>{inside}</details>"
    parts = [part for part in analysis.methods.strip().split("\n\n") if not part.startswith("# ")]
    yield f"<details><summary>Methods, for a paper</summary>{''.join(map(_paragraph, parts))}</details>"


def _paragraph(text: str) -> str:
    r"""A paragraph of the methods, or a list of points.

    >>> _paragraph("- kappa < .4\n- alpha"), _paragraph("Ten people came.")
    ('<ul><li>kappa &lt; .4</li><li>alpha</li></ul>', '<p>Ten people came.</p>')
    """
    if not text.startswith("- "):
        return f"<p>{escape(text)}</p>"
    return f"<ul>{''.join(f'<li>{escape(point)}</li>' for point in text.removeprefix('- ').split(chr(10) + '- '))}</ul>"


def _figure(row: pd.Series) -> str:
    if row["undefined"]:
        return f"undefined: {row['undefined']}"
    if row["low"] != row["low"] or row["high"] != row["high"]:
        return f"{row['estimate']:.3f}"
    return f"{row['estimate']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    caption = f"<p><strong>{escape(title)}</strong></p>" if title else ""
    return f"{caption}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


# A report's figures as data frames: numbers as numbers, and in words why one is undefined.

COLUMNS = ("estimate", "low", "high", "n", "undefined", "method")
OF_JUDGMENTS = ("collected", "kept")


def agreement_frame(report: Report) -> pd.DataFrame:
    """A row per statistic and set of judgments, all that were collected and those that are kept."""
    rows = [
        (name, judgments, *_in_columns(statistic.headline))
        for name, _, *statistics in agreement_figures(report)
        for judgments, statistic in zip(OF_JUDGMENTS, statistics, strict=True)
        if statistic is not None
    ]
    return _frame(("statistic", "judgments"), rows)


def ceiling_frame(report: Report) -> pd.DataFrame:
    """How well people do."""
    return _frame(("ceiling",), [(name, *_in_columns(figure)) for name, figure in ceiling_figures(report)])


def _in_columns(figure: Figure) -> tuple[object, ...]:
    if isinstance(figure, Undefined):
        return None, None, None, None, figure.why, ""
    return figure.estimate, figure.low, figure.high, figure.n, "", figure.method


def _frame(named: Iterable[str], rows: list[tuple[object, ...]]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=[*named, *COLUMNS])
    return frame.astype({"estimate": "float64", "low": "float64", "high": "float64", "n": "Int64"})


# Whoever is scored: models in one frame, people in another with the same columns.

SCORES = ("name", "metric", "against", "breakdown", "group")
GOLD = "people's gold"


def models_frame(report: Report) -> pd.DataFrame:
    """A row per model, metric and part of the items: against people's gold, and against a reference if there is one."""
    results = report.results
    rows = [
        (score.probe, score.metric, GOLD, score.breakdown, score.group, *_in_columns(score.figure))
        for score in results.scores
    ]
    return _frame(SCORES, [*rows, *_against_reference(report, of_models=True)])


def people_frame(report: Report) -> pd.DataFrame:
    """How well a typical person does, in the columns of models; against a reference also each person and the crowd."""
    left_out = report.results.ceiling.leave_one_out
    others = {"": left_out.person} if not left_out.metric else {left_out.metric: left_out.person}
    rows = [
        ("a person", metric, "the other people's gold", "", "", *_in_columns(figure))
        for metric, figure in {**others, **left_out.other_metrics}.items()
    ]
    return _frame(SCORES, [*rows, *_against_reference(report, of_models=False)])


def _against_reference(report: Report, *, of_models: bool) -> Iterator[tuple[object, ...]]:
    part = report.results.against_reference
    if isinstance(part, Undefined):
        return
    for score in part.scores:
        if (score.kind in {"model", "group"}) == of_models:
            columns = _in_columns(score.figure)
            yield (score.name or score.kind, score.metric, part.source, score.breakdown, score.group, *columns)


def suspects_frame(report: Report) -> pd.DataFrame:
    """A row per worker whose answers look careless, with each index; nobody is excluded by it."""
    suspects = report.results.suspects
    rows = [
        {
            "worker_id": one.worker,
            "kinds": "|".join(one.kinds),
            "sentence": one.sentence,
            **{
                each.name: value.value
                for each in fields(one.evidence)
                if (value := getattr(one.evidence, each.name)) is not None
            },
        }
        for one in (() if suspects is None or isinstance(suspects, Undefined) else suspects)
    ]
    return pd.DataFrame(rows, columns=["worker_id", "kinds", "sentence", *INDICES])


@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """What is known of a crowd: the figures of the report, as data frames and words.

    verdict: whether the gold is good enough (`standing`, `sentence`), the most important `caveat`, the `next_step`, the
        `figures` and the `source` of the thresholds.
    agreement: a row per statistic and set of judgments ("collected", "kept"): estimate, low and high of its 95 %
        interval, n, in words why it is undefined, and the method.
    ceilings: how well people do, which a model should be compared with.
    people, models: who is scored by which metric, in the same columns. suspects: whose answers look careless.
    gold: a row per item: what people say of it. workers: a row per worker, with what the rules found.
    judgments: as they were given, with whether each is kept and why not.
    methods: the paragraph for a paper; methods_details: how every figure was made, and the warnings.
    report: everything, as in report.json.
    reading: as what the judgments were read, and what nothing uses. keys: who is who, where ids were replaced.
    """

    name: str
    gold: pd.DataFrame
    agreement: pd.DataFrame
    ceilings: pd.DataFrame
    people: pd.DataFrame
    models: pd.DataFrame
    suspects: pd.DataFrame
    workers: pd.DataFrame
    judgments: pd.DataFrame
    methods: str
    methods_details: str
    report: Mapping[str, Any]
    reading: Sequence[str]
    _computed: Computed = field(repr=False)
    _pseudonyms: Pseudonyms = field(repr=False)

    @classmethod
    def of(cls, analysed: Analysed) -> Self:
        """What was computed, as frames."""
        computed = analysed.analysis
        report, cleaning = computed.report, computed.cleaning
        return cls(
            name=computed.study,
            gold=computed.gold,
            agreement=agreement_frame(report),
            ceilings=ceiling_frame(report),
            people=people_frame(report),
            models=models_frame(report),
            suspects=suspects_frame(report),
            workers=workers_frame(cleaning, computed.screened, computed.annotators),
            judgments=judgments_frame(cleaning),
            methods=methods_paragraph(report),
            methods_details=computed.methods,
            report=report_as_json(report),
            reading=[sentence_for(line, PYTHON) for line in reading_in_words(analysed.read, analysed.pseudonyms)],
            _computed=computed,
            _pseudonyms=analysed.pseudonyms,
        )

    @property
    def verdict(self) -> ReportVerdict:
        """Whether the gold is good enough, what most speaks against it, and the one thing to do next."""
        return self._computed.report.verdict

    @property
    def keys(self) -> pd.DataFrame:
        """Whose pseudonym is whose; empty where no id was replaced."""
        return pd.DataFrame({name: column.text() for name, column in self._pseudonyms.key().items()}, dtype=object)

    @property
    def excluded(self) -> pd.DataFrame:
        """The workers whose judgments don't count, each with the reason and the evidence."""
        return self.workers.loc[~self.workers["kept"], ["worker_id", "reason", "evidence"]].reset_index(drop=True)

    @property
    def warnings(self) -> list[str]:
        """What the reader of these figures should know."""
        return [sentence_for(warning.text, PYTHON) for warning in self._computed.warnings]

    @property
    def sha256(self) -> str:
        """The hash of the gold, which names this release of it."""
        return self._computed.sha256

    def save(
        self,
        folder: str | os.PathLike[str],
        *,
        report: bool = True,
        card: str | os.PathLike[str] | None = None,
        only_kept: bool = False,
        keys: bool = False,
    ) -> Path:
        """Write the folder that `touchstone analyse` writes: gold.csv, judgments.csv, workers.csv, report.json and
        methods.md, and with `report` the page, figures and tables too.

        An earlier analysis in the folder is replaced; a folder with anything else in it is refused. `card` is a TOML
        file with what only you know of the data. With `only_kept` judgments.csv has the judgments that are kept, with
        `keys` a file beside the folder tells who is who.
        """
        out, failures = Path(folder), list[str]()
        with use_surface(PYTHON):
            if keys:
                refuse_other_key(out)
            beside = self._report_files(card, failures) if report else NO_EXTRA_FILES
            write(self._computed, out, only_kept=only_kept, beside=beside, has_ids=bool(self._pseudonyms.n_kept))
            if keys:
                write_key(self._pseudonyms, out)
        for note in failures:
            warnings.warn(note, stacklevel=2)
        return out

    def _report_files(self, card: str | os.PathLike[str] | None, failures: list[str]) -> ExtraFiles:
        """The report, with what can't be drawn in `failures`."""
        from ..figures.rendering import NOT_INSTALLED, can_draw
        from ..output.report_files import with_card

        if not can_draw():
            failures.append(NOT_INSTALLED)
        return with_card(EMPTY if card is None else read_card(Path(card)), failures)

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
        return page_of(self)
