"""The analysis of a crowd's judgments as a function over a data frame."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias, get_args

import numpy as np
import pandas as pd

from ..analysis.file_job import FileJob, analysed
from ..cleaning.rule_set import DEFAULT as DEFAULT_RULES
from ..cleaning.rule_set import RuleSet, load_rules, rules_of
from ..errors import PYTHON, Refused, use_surface
from ..files.cell_texts import join_bars
from ..files.column_mapping import AS_THEY_ARE, NAMES, ColumnMapping, wrong_value
from ..files.nested import PEEKED, shape_of
from ..files.numbers import Scale, decimal_of
from ..files.problems import Problems
from ..files.reading import Source, required_table
from ..files.recognition import readings_of
from ..files.table import Table, encode
from ..judgments.judgments_file import Judgments, read_judgments
from ..judgments.repeated_judgments import Repeats
from ..kinds.kind import QuestionKind
from ..kinds.registry import KINDS
from ..scoring.probe_format import DEFAULT, ProbeOptions
from ..scoring.probe_formats import OPTIONS, options_of
from ..typical_filters import Filter
from .frame_analysis import Analysis
from .frame_tables import FRAME, cell_of, exploded_frame, plain_row, table_of_frame

# The analysis of a crowd's judgments as a function over a data frame.

MOST_NAMED = 30
ITEMS = "items"
Progress = Callable[[str], None]
Given: TypeAlias = pd.DataFrame | str | os.PathLike[str]  # a frame, or a file that the command would read
References: TypeAlias = Given | pd.Series | Mapping[str, object]


def analyse(
    frame: Given,
    *,
    kind: str | None = None,
    scale: tuple[float | Decimal, float | Decimal] | None = None,
    labels: Sequence[str] = (),
    ordered: bool = False,
    items: Given | None = None,
    repeats: str = "refuse",
    question: str = "",
    rules: str | os.PathLike[str] | Mapping[str, object] = DEFAULT_RULES,
    typical: Filter | None = None,
    by_hand: Given | None = None,
    reference: References | None = None,
    coding: Given | None = None,
    synonyms: Mapping[str, str | Sequence[str]] | Given | None = None,
    models: Mapping[str, Given] | None = None,
    model_options: Mapping[str, object] | None = None,
    answer_mapping: Given | Sequence[Given] = (),
    groups: Mapping[str, str] | Given | None = None,
    workers: Given | None = None,
    people: Given | None = None,
    also: Sequence[str] = (),
    fixed_workers: bool = False,
    keep_ids: bool = False,
    seed: int = 1,
    replicates: int = 1_000,
    name: str = "judgments",
    progress: Progress | None = None,
    **columns: object,
) -> Analysis:
    """Clean a crowd's judgments, make gold of them, measure how far people agree, and score models beside them.

    Parameters
    ----------
    frame
        A row per judgment, with the columns worker_id, item_id and value; what else there may be is what
        judgments.csv may have (docs/formats.md). Other names and shapes are recognised as the command recognises them;
        `reading` of the result says as what. A path is read as the command reads it.
    kind
        The kind of question: slider, choice, choices, verify, list, text, ranking; guessed where it isn't given.
    scale
        The ends of a slider as people saw them, such as (0, 100).
    labels
        All possible labels, in order; `ordered` says that their order means something.
    items
        A row per item, with item_id and, of checks, their name in `check` and their right answer in min, max or
        expected; without it the items are those of the judgments.
    repeats
        What to do with several answers of one worker to one item: refuse, first, last, mean or keep.
    question
        Which of several questions in the frame's column `question` is meant.
    rules
        The name of a rule set, a TOML file, or a dictionary of the same shape; `typical` its rule for typical labels.
    by_hand
        Workers kept or excluded by hand: worker_id, kept, reason.
    reference
        Labels or numbers from elsewhere: item_id and reference, or a series or dictionary by item.
    models
        What each model gives, by its name: a frame with item_id and score, label, or whatever probe.csv may have.
        `model_options` are the command's on how to read them; `groups` are models that are averaged, by their names;
        `answer_mapping` has one or more tables of what their answers in their own words stand for.
    coding, synonyms
        What spellings of properties count as; other spellings of labels, such as {"grey": "gray"}.
    workers, people
        What is known of workers, for `also=["subgroups:COLUMN"]`; Prolific's demographics.
    also
        Further analyses, such as "alt-test:0.2"; with `fixed_workers` intervals are over items alone.
    keep_ids
        Keep ids by which a platform knows people; else they are replaced by pseudonyms, and `keys` has who is who.
    seed, replicates
        Of every random draw, and of the bootstrap.
    progress
        Called with the name of each stage as it begins.
    columns
        What is what in somebody else's frame: worker, item, value, wide, raters_in_columns, labels_in_columns,
        columns, skip_rows, leave_out, missing, missing_as, response_time, sheet, export.

    Returns
    -------
    Analysis
        The same frame, rules and seed give the same figures, on the command line too.

    Raises
    ------
    Refused
        A ValueError that names every row, counted from 0 as `frame.iloc` does, and column that can't be used.

    Examples
    --------
    >>> import pandas as pd
    >>> answers = {"ann": [90, 20, 60], "bob": [80, 10, 70], "cem": [85, 15, 55]}
    >>> rows = [(who, item, value) for who, each in answers.items() for item, value in zip("xyz", each)]
    >>> frame = pd.DataFrame(rows, columns=["worker_id", "item_id", "value"])
    >>> result = analyse(frame, kind="slider", scale=(0, 100))
    >>> result
    <Analysis of judgments: 3 of 3 workers and 9 of 9 judgments of 3 items kept>
    >>> result.gold[["item_id", "mean", "n"]].round(1).to_dict("records")[0]
    {'item_id': 'x', 'mean': 85.0, 'n': 3}
    >>> alpha = result.agreement.query("statistic.str.contains('alpha, interval') and judgments == 'kept'")
    >>> round(float(alpha["estimate"].iloc[0]), 2)
    0.96
    """
    with use_surface(PYTHON):
        job = FileJob(
            judgments=_judgments(frame, _mapping(columns)),
            name=str(name),
            mapping=_mapping(columns),
            items=_source(ITEMS, items),
            kind=_kind(kind),
            scale=None if scale is None else _scale(scale),
            labels=_labels(labels, ordered=ordered),
            ordered=ordered,
            repeats=_repeats(repeats),
            question=question,
            rules=_rules(rules),
            typical=typical,
            by_hand=_source("by_hand", by_hand),
            reference=_reference(reference),
            coding=_source("coding", coding),
            synonyms=_pairs("synonyms", synonyms, "synonym", "label"),
            groups=_pairs("groups", groups, "probe", "group"),
            workers=_source("workers", workers),
            people=_source("people", people),
            probe=tuple(_model(model, each) for model, each in (models or {}).items()),
            probe_options=_model_options(model_options or {}),
            answer_mapping=_several("answer_mapping", answer_mapping),
            also=tuple(also),
            fixed_workers=fixed_workers,
            keep_ids=keep_ids,
            seed=int(seed),
            replicates=int(replicates),
        )
        return Analysis.of(analysed(job, progress or (lambda _: None)))


def _mapping(columns: Mapping[str, Any]) -> ColumnMapping:
    """The arguments on columns; a list is as good as a tuple, one text as a list of it."""
    if unknown := sorted(columns.keys() - set(NAMES)):
        raise TypeError(f"analyse() takes no argument {', '.join(unknown)}; on columns it takes {', '.join(NAMES)}")
    several = {name for name in NAMES if isinstance(getattr(AS_THEY_ARE, name), tuple)}
    settings: dict[str, Any] = {
        name: (tuple([value] if isinstance(value, (str, int)) else value) if name in several else value)
        for name, value in columns.items()
    }
    for name, value in settings.items():
        if why := wrong_value(name, list(value) if isinstance(value, tuple) else value):
            raise Refused(f"{name}={columns[name]!r}: {why}")
    return ColumnMapping(**settings)


def _source(name: str, given: Given | None) -> Source | None:
    """A frame as a table of that name; a path as it is."""
    if given is None:
        return None
    if isinstance(given, pd.DataFrame):
        return table_of_frame(name, given)
    if isinstance(given, (str, os.PathLike)):
        return Path(given)
    raise TypeError(f"{name} is a {type(given).__name__}, not a pandas DataFrame or a path")


def _several(name: str, given: Given | Sequence[Given]) -> tuple[Source, ...]:
    one_by_one = [given] if isinstance(given, (pd.DataFrame, str, os.PathLike)) else given
    return tuple(source for each in one_by_one if (source := _source(name, each)) is not None)


def _judgments(frame: Given, mapping: ColumnMapping) -> Source:
    """The frame, or a path; a frame of which nothing can be told is refused with the columns that it has."""
    if not isinstance(frame, pd.DataFrame):
        if not isinstance(frame, (str, os.PathLike)):
            raise TypeError(f"frame is a {type(frame).__name__}, not a pandas DataFrame")
        return Path(frame)
    names = {str(name).strip() for name in frame.columns}
    has_ours = {"worker_id", "item_id"} <= names and ("value" in names or any(name.startswith("v:") for name in names))
    rows = [] if has_ours else [plain_row(row) for row in frame.head(PEEKED).to_dict("records")]
    if (shape := shape_of(rows)) is not None:
        return exploded_frame(frame, shape, mapping)
    table = table_of_frame(FRAME, frame)
    if mapping == AS_THEY_ARE and not has_ours and not readings_of(table, mapping):
        _refuse_missing(frame)
    return table


def _reference(reference: References | None) -> Source | None:
    """A frame or a path, or what a series or a dictionary says of each item."""
    if isinstance(reference, (pd.Series, Mapping)):
        cells = {str(item): cell_of(value) for item, value in reference.items()}
        return _two_columns("reference", "item_id", "reference", cells)
    return _source("reference", reference)


def _pairs(name: str, pairs: Mapping[str, object] | Given | None, first: str, second: str) -> Source | None:
    return _two_columns(name, first, second, pairs) if isinstance(pairs, Mapping) else _source(name, pairs)


def _two_columns(name: str, first: str, second: str, cells: Mapping[str, Any]) -> Table:
    texts = [one if isinstance(one, str) else join_bars(map(str, one)) for one in cells.values()]
    columns = {first: encode(map(str, cells), len(cells)), second: encode(texts, len(cells))}
    return Table(name, np.arange(len(cells)), columns)


def _model(name: str, outputs: Given) -> Source:
    """What a model gives, under its own name."""
    source = _source(name, outputs)
    if isinstance(source, Path):
        problems = Problems(source.name)
        table = required_table(source, problems)
        return replace(table, name=name)
    if source is None:
        raise TypeError(f"models: {name} has no outputs")
    return source


def _model_options(options: Mapping[str, object]) -> ProbeOptions:
    if unknown := sorted(options.keys() - set(OPTIONS)):
        raise Refused(f"model_options has no {', '.join(unknown)}; there are {', '.join(OPTIONS)}")
    return options_of({**dict(DEFAULT.values), **options})


def read_frame(
    frame: pd.DataFrame,
    *,
    kind: str | None = None,
    scale: tuple[float | Decimal, float | Decimal] | None = None,
    labels: Sequence[str] = (),
) -> Judgments:
    """The judgments that a frame holds in our columns; `Refused` has every reason."""
    _refuse_missing(frame)
    return read_judgments(
        table_of_frame(FRAME, frame),
        kind=_kind(kind),
        scale=None if scale is None else _scale(scale),
        labels=tuple(map(str, labels)),
    )


def _refuse_missing(frame: pd.DataFrame) -> None:
    """The columns that every frame needs: which are missing, which are there, and where the index has one."""
    names = [str(name).strip() for name in frame.columns]
    needed = ["worker_id", "item_id", *([] if any(name.startswith("v:") for name in names) else ["value"])]
    missing = [name for name in needed if name not in names]
    if not missing:
        return
    index = [str(name) for name in frame.index.names if name is not None]
    in_index = [name for name in missing if name in index]
    advice = "its index has " + " and ".join(in_index) + ": give frame.reset_index()" if in_index else ""
    if left := [name for name in missing if name not in in_index]:
        pairs = ", ".join(f'"COLUMN": "{name}"' for name in left)
        advice = "; ".join(filter(None, [advice, f"name yours by frame.rename(columns={{{pairs}}})"]))
    some = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    which = "the column" if len(missing) == 1 else "the columns"
    are = "is" if len(missing) == 1 else "are"
    raise Refused([f"frame: {which} {', '.join(missing)} {are} missing; it has {some or 'none'}; {advice}"])


def _kind(name: str | None) -> QuestionKind | None:
    known: dict[str, QuestionKind] = {str(kind): kind for kind in KINDS}
    if name is not None and name not in known:
        raise Refused(f"kind {name!r} is not one of {', '.join(known)}")
    return None if name is None else known[name]


def _repeats(policy: str) -> Repeats:
    for known in get_args(Repeats):
        if known == policy:
            return known  # type: ignore[no-any-return]  # a value of the literal type
    raise Refused(f"repeats {policy!r} is not one of {', '.join(get_args(Repeats))}")


def _labels(labels: Sequence[str], *, ordered: bool) -> tuple[str, ...]:
    if ordered and not labels:
        raise Refused("ordered=True: name the labels in their order too, such as labels=['never', 'sometimes']")
    return tuple(map(str, labels))


def _scale(scale: Sequence[float | Decimal]) -> Scale:
    if len(scale) != 2 or not all(isinstance(end, (Real, Decimal)) and not isinstance(end, bool) for end in scale):
        raise TypeError(f"scale is {scale!r}, not two numbers such as (0, 100)")
    written = [format(Decimal(str(end)), "f") for end in scale]
    low, high = map(decimal_of, written)
    if low is None or high is None or low >= high:
        raise Refused(f"scale ({', '.join(written)}) is not two numbers with the smaller first, such as (0, 100)")
    return Scale(low, high)


def _rules(rules: str | os.PathLike[str] | Mapping[str, object]) -> RuleSet:
    if isinstance(rules, Mapping):
        return rules_of({"name": "rules of a dictionary", **_as_in_toml(rules)}, source="rules")
    return load_rules(os.fspath(rules))


def _as_in_toml(value: object) -> Any:
    """A copy in Python's own types, with fractions as a rule reads them from TOML."""
    if isinstance(value, Mapping):
        return {str(key): _as_in_toml(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_in_toml(each) for each in value]
    plain = value.item() if hasattr(value, "item") else value
    return Decimal(repr(plain)) if isinstance(plain, float) else plain
