"""Models' outputs as endpoints and evaluation harnesses write them, as tables of answers or of labels' probabilities.

A file is told by what its objects have: OpenAI-style responses and batches, sample files of lm-evaluation-harness,
inspect_ai, HELM, lighteval and OpenCompass. `harness_rows.py` has what each of them calls what.
"""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ..errors import Refused, option
from ..files.cell_texts import join_bars
from ..files.json_lines import LineTooLongError, text_lines
from ..files.numbers import count_text
from ..files.problems import Problems, quote_cell, refuse_if_any
from ..files.reading import Source, foreign, required_table
from ..files.table import Table, encode
from ..places import refuse_missing
from .answer_mapping.readings import AnswerSpace, fold, one_space
from .harness_rows import Answered, Harness, Scored, harness_of
from .probe import StudyItems
from .probe_format import Option

Object: TypeAlias = Mapping[str, Any]
MOST_BYTES = 256 << 20
SUFFIXES = (".json", ".jsonl", ".ndjson", ".eval", ".parquet")
AUTO, ANSWERS, LOGPROBS = "auto", "answers", "logprobs"
READ_AS: Option[str] = Option(
    name="read_as",
    default=AUTO,
    choices=(AUTO, ANSWERS, LOGPROBS),
    help="of files of endpoints that have both: the model's words, or the log probabilities of their first token",
    label="Read files of endpoints as",
)


def model_table(path: Source, study: StudyItems, wanted: str = AUTO) -> Table:
    """The table in a file of a model's outputs. `wanted` is answers or logprobs, where a file has both."""
    if isinstance(path, Table) or path.suffix not in SUFFIXES or not path.is_file():
        return required_table(path, Problems(path.name))
    if path.suffix in (".jsonl", ".ndjson") and not _is_nested(path):
        return required_table(path, Problems(path.name))
    if path.stat().st_size > MOST_BYTES:
        raise Refused(f"{path.name}: it is larger than {MOST_BYTES >> 20} MiB; split it, or write item_id,answer alone")
    problems = Problems(path.name)
    objects = list(_objects(path, problems))
    refuse_if_any(problems)
    harness = harness_of(objects, study.ids)
    if harness is None and (path.suffix in (".jsonl", ".ndjson", ".parquet") or not any(map(_has_objects, objects))):
        return required_table(path, Problems(path.name))
    if harness is None:
        names = ", ".join(sorted({name for one in objects[:20] for name in one})[:20])
        raise Refused(
            f"{path.name}: nothing in it is known as a model's outputs (its objects have {names or 'no names'}); write"
            " CSV or JSON Lines with item_id and answer, or label and logprob"
        )
    for place in harness.strangers:
        problems.row(place, f"it is no line of {harness.name}, as the first is; keep files of different shapes apart")
    refuse_if_any(problems)
    return _table_of(path.name, harness, study, wanted)


def _is_nested(path: Path) -> bool:
    """Whether the first line is an object with objects in it, as no table has."""
    try:
        with path.open("rb", buffering=0) as stream:
            first = next((line for line in text_lines(stream) if line.strip()), "")
        parsed = json.loads(first)
    except (ValueError, LineTooLongError, RecursionError):
        return False
    return isinstance(parsed, dict) and _has_objects(parsed)


def _has_objects(parsed: Object) -> bool:
    """Whether something in an object is one itself, or a list of other things than texts."""
    lists = [value for value in parsed.values() if isinstance(value, list)]
    return any(isinstance(value, dict) for value in parsed.values()) or any(
        not isinstance(one, str) for value in lists for one in value[:1]
    )


def _objects(path: Path, problems: Problems) -> Iterator[Object]:
    """The objects of a file: a line each, or those of one JSON document, an archive or a Parquet table."""
    with path.open("rb") as stream:
        start = stream.read(4)
    if path.suffix == ".parquet":
        yield from _of_parquet(path, problems)
    elif path.suffix == ".eval" or start == b"PK\x03\x04":
        yield from _of_archive(path, problems)
    elif file_type := foreign(start):
        problems.whole(f"the file is {file_type}")
    elif path.suffix == ".json":
        yield from _of_document(path.read_bytes(), problems)
    else:
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if line.strip():
                yield from _parsed(line, number, problems)


def _parsed(text: str, number: int, problems: Problems) -> Iterator[Object]:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        problems.row(number, "not JSON")
        return
    if isinstance(parsed, dict):
        yield parsed
    else:
        problems.row(number, "not an object")


def _of_document(content: bytes, problems: Problems) -> Iterator[Object]:
    try:
        parsed = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        problems.whole(f"it is no JSON document in UTF-8 ({error})")
        return
    if isinstance(parsed, dict):
        yield parsed
    elif isinstance(parsed, list) and all(isinstance(one, dict) for one in parsed):
        yield from parsed
    else:
        problems.whole("it is neither an object nor a list of objects")


def _of_archive(path: Path, problems: Problems) -> Iterator[Object]:
    """The samples of a log of inspect_ai, one document with all of them."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.startswith("samples/") and name.endswith(".json")]
            if sum(archive.getinfo(name).file_size for name in names) > MOST_BYTES:
                problems.whole(f"its samples are larger than {MOST_BYTES >> 20} MiB")
                return
            header = json.loads(archive.read("header.json")) if "header.json" in archive.namelist() else {}
            yield {**header, "samples": [json.loads(archive.read(name)) for name in sorted(names)]}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, RecursionError) as error:
        problems.whole(f"it is no log that can be read ({error}); `inspect log convert --to json` writes one that is")


def _of_parquet(path: Path, problems: Problems) -> Iterator[Object]:
    refuse_missing("parquet")
    from pyarrow import parquet

    try:
        yield from parquet.read_table(path).to_pylist()
    except (OSError, ValueError) as error:
        problems.whole(f"it is no Parquet file that can be read ({error})")


# From what a harness has to one table, whose columns formats know.


def _table_of(name: str, harness: Harness, study: StudyItems, wanted: str) -> Table:
    problems = Problems(name)
    replies = [one for one in harness.outputs if isinstance(one, Answered)]
    scored = [one for one in harness.outputs if isinstance(one, Scored)]
    tokens = [one for one in replies if one.tokens]
    if not harness.outputs:
        raise Refused(f"{name}: {harness.name} has no outputs in it{f': {_failed(harness)}' if harness.failed else ''}")
    if scored:
        rows = [row for one in scored for row in _label_rows(one, study.space_of_item(one.item))]
        return _encoded(name, rows, harness)
    if wanted != ANSWERS and tokens and study.labels:
        read = {one.place: _rows_of_tokens(one, study.space_of_item(one.item)) for one in tokens}
        usable = [place for place, rows in read.items() if rows]
        if len(usable) == len(replies):
            return _encoded(name, [row for rows in read.values() for row in rows], harness)
        if usable or wanted == LOGPROBS:
            unusable = [one for one in replies if not read.get(one.place)]
            problems.each(
                np.array([one.place for one in unusable[:1_000]], dtype=np.int64),
                "top_logprobs",
                lambda i: _no_token(unusable[i], study.answer_space),
            )
            refuse_if_any(problems)
    return _encoded(name, [_answer_row(one) for one in replies], harness)


def _failed(harness: Harness) -> str:
    return count_text(harness.failed, "request") + " failed"


def _answer_row(one: Answered) -> dict[str, str]:
    """A reply as a row; what is blank in all rows is no column."""
    return {
        "item_id": one.item,
        "model": one.model,
        "run": one.run,
        "answer": one.text,
        "finish_reason": one.finish,
        "refusal": one.refusal,
        "options": join_bars(one.options),
    }


def _label_rows(one: Scored, space: AnswerSpace) -> Iterator[dict[str, str]]:
    """An option's log probability, under the study's label that it is."""
    space = space.with_order(tuple(one_space(text) for text in one.options), space.own)
    for place, text in enumerate(one.options):
        read = space.name_of(text)
        label = text if read is None else space.spelt(space.names[read[0]][0])[0]
        prior = one.priors[place] if one.priors else None
        yield {
            "item_id": one.item,
            "model": one.model,
            "run": one.run,
            "label" if not one.is_rank else "candidate": label,
            "logprob" if not one.is_rank else "score": _cell(one.logprobs[place]),
            "logprob_prior": "" if prior is None else _cell(prior),
            "tokens": str(one.tokens[place]) if one.tokens else "",
        }


def _rows_of_tokens(one: Answered, space: AnswerSpace) -> list[dict[str, str]]:
    """The labels that the first token may be or begin, with its log probability; none where no token says a label."""
    space = space.with_order(one.options, space.own)
    rows = []
    for token, logprob in one.tokens:
        label = label_of_token(token, space)
        if isinstance(label, str):
            label = space.spelt([label])[0]
            rows.append({"item_id": one.item, "model": one.model, "run": one.run, "label": label,
                         "logprob": _cell(logprob)})  # fmt: skip
    totals: dict[tuple[str, str], float] = {}
    for row in rows:
        key = (row["item_id"], row["label"])
        totals[key] = math.log(math.exp(totals.get(key, -math.inf)) + math.exp(float(row["logprob"])))
    first = {row["label"]: row for row in reversed(rows)}
    return [{**row, "logprob": _cell(totals[row["item_id"], label])} for label, row in first.items()]


def label_of_token(token: str, space: AnswerSpace) -> str | None:
    """The label that a token is, whatever its capitals, or the only one that it begins; an option's letter where the
    order is known. `Refused` where it begins two: the labels then have to be scored as sequences.
    """
    text = fold(token.replace("Ġ", " ").replace("▁", " "))
    if not text:
        return None
    by_fold = {fold(name): labels for name, (labels, _) in space.names.items() if len(labels) == 1}
    if text in by_fold:
        label = by_fold[text][0]
        others = {labels[0] for name, labels in by_fold.items() if name.startswith(f"{text} ")} - {label}
        if not others:
            return label
    elif len(text) == 1 and space.order and (of_letter := space.option_of(text)) is not None:
        return of_letter
    begun = {labels[0] for name, labels in by_fold.items() if name.startswith(text)}
    if len(begun) > 1:
        names = " and ".join(sorted(begun))
        raise Refused(
            f"the token {quote_cell(token)} begins the labels {names}: a first token can't tell them apart; score each"
            " label as a sequence (item_id,label,logprob)"
        )
    return begun.pop() if begun else None


def _no_token(one: Answered, space: AnswerSpace) -> str:
    shown = ", ".join(quote_cell(token) for token, _ in one.tokens[:5]) or "no log probabilities"
    return (
        f"no token says a label of {', '.join(space.labels)} ({shown});"
        f" {option('read-as', ANSWERS)} takes the words instead"
    )


def _cell(number: float) -> str:
    return "-inf" if number == -math.inf else repr(number)


def _encoded(name: str, rows: Sequence[Mapping[str, str]], harness: Harness) -> Table:
    columns = dict.fromkeys(column for row in rows for column in row)
    cells = {column: [row.get(column, "") for row in rows] for column in columns}
    needed = {"item_id", "answer", "label", "candidate"}
    kept = {column: texts for column, texts in cells.items() if column in needed or any(texts)}
    numbers = np.arange(1, len(rows) + 1, dtype=np.int64)
    notes = (f"{_failed(harness)} and gave no output",) if harness.failed else ()
    return Table(name, numbers, {column: encode(texts, len(texts)) for column, texts in kept.items()}, notes=notes)
