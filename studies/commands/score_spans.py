"""`touchstone score_spans gold.csv model.csv`: precision, recall and F1 of sets of spans."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agreement.cli.arguments import Progress
from agreement.cli.file_command import Done
from agreement.errors import Refused
from agreement.typed_json import object_of, to_json

OVER_ITEMS = "The intervals are over items, with gold held fixed."

HELP = "Scores models' sets of spans (constituents of a parse, or any others) against those of one file."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("gold", type=Path, metavar="gold.csv", help="people's spans: item_id and span, or brackets")
    parser.add_argument("probe", type=Path, nargs="+", metavar="model.csv", help="models' spans, in either way")
    parser.add_argument("--out", type=Path, metavar="scores.csv", help="writes every figure to a CSV, by group too")


def run(options: Namespace, _progress: Progress) -> Done:
    from studies.spans import score_spans

    found = score_spans(options.gold, options.probe)
    if options.out is not None:
        _write(found, options.out)
    return Done({name: to_json(value) for name, value in found.items()}, lambda: "\n".join(_lines(found)))


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    from agreement.report.agreement_words import said_figure
    from agreement.scoring.metrics import title_of

    without = answer["items_without_spans"]
    none = f", {without} of them without a span, for which recall is undefined" if without else ""
    yield f"{answer['gold']}: {answer['spans']:,} spans of {answer['items']:,} items{none}"
    for probe in answer["probes"]:
        yield ""
        yield f"{probe['probe']} covers {probe['covered']:,} of {answer['items']:,} items"
        for score in answer["scores"]:
            if score.probe == probe["probe"] and not score.breakdown:
                yield f"  {title_of(score.metric)}: {said_figure(score.figure)}"
        yield from (f"  note: {note}" for note in probe["notes"])
    pairs = [pair for pair in answer["comparisons"] if pair.metric == answer["comparisons"][0].metric]
    if pairs:
        yield ""
        yield from (pair.in_words for pair in pairs)
    yield OVER_ITEMS


def _write(found: dict[str, Any], out: Path) -> None:
    import pandas as pd

    columns = ["probe", "metric", "breakdown", "group", "estimate", "low", "high", "n", "method", "undefined"]
    rows = pd.DataFrame([object_of(score) for score in found["scores"]]).reindex(columns=columns)
    try:
        rows.to_csv(out, index=False, lineterminator="\n")
    except OSError as error:
        raise Refused(f"--out {out}: it can't be written ({error.strerror})") from error
