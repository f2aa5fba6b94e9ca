"""Reading probe.csv by its columns: what isn't right is named row by row, and then nothing of the file is used."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from agreement.scoring.label_metrics import tops_as_shares
from agreement.scoring.perplexity import END_TOKENS, LogBase, Perplexity, Tokens, perplexity_of_runs
from agreement.scoring.probe import AVERAGED, SUM_TOLERANCE, P, Probe, Run, Shape, StudyItems, refuse_unfit
from agreement.scoring.probe_layout import LabelRows
from agreement.scoring.vectors import Similarity, Transform, similarities, transformed, undefined_terms
from tables.numbers import numbers
from tables.problems import Problems, refuse_if_any
from tables.reading import read_table
from tables.table import Column, Table

# Reading `sentence_id,token,logprob`: the log probabilities of tokens, from which perplexity is taken.
#
# `template` and `run` beside them are averaged over, any other column is a setting with a perplexity of its own.

COLUMNS = ("sentence_id", "token", "logprob")
TEXT = "text"  # a column of outputs
MOST_SETTINGS = 100  # values of a column that may be a setting
ZERO = frozenset({"-inf", "-infinity"})  # a token that the model holds to be impossible


Setting = tuple[tuple[str, str], ...]


def perplexities_of_table(table: Table, base: LogBase, problems: Problems) -> dict[Setting, Perplexity]:
    """Perplexity of the corpus and of its sentences in each setting.

    A log probability is 0 or less, or `-inf`. End tokens are told by their usual names, and counted. What is wrong goes
    to `problems`, and the figures then mean nothing.
    """
    for name in COLUMNS:
        if name not in table.columns:
            problems.whole(f"there is no column {name}; log probabilities come as {','.join(COLUMNS)}")
    beside = [name for name in table.columns if name not in COLUMNS]
    for name in beside:
        if name not in AVERAGED and len(table.columns[name].values) > MOST_SETTINGS:
            problems.whole(
                f"column {name} has {len(table.columns[name].values):,} values: a column beside {', '.join(COLUMNS)}, "
                f"template and run is a setting, which has {MOST_SETTINGS} values at most; leave the column out"
            )
    if len(problems):
        return {}
    logprob = _log_probabilities(table, problems)
    blank = table.columns["sentence_id"].rows_where(lambda value: not value.strip())
    ids = table.columns["sentence_id"]
    problems.cells(table.rows[blank], "sentence_id", ids.codes[blank], ids.values, "is not an id")
    tokens = table.columns["token"]
    is_end = np.zeros(len(logprob), dtype=np.bool_)
    is_end[tokens.rows_where(lambda value: value.strip() in END_TOKENS)] = True
    run = np.zeros(len(logprob), dtype=np.int64)
    for name in beside:
        column = table.columns[name]
        run = np.unique(run * (len(column.values) + 1) + column.codes, return_inverse=True)[1].astype(np.int64)
    runs: dict[Setting, list[Tokens]] = {}
    for first, rows in _rows_of(run):
        keys = {name: table.columns[name].values[table.columns[name].codes[first]].strip() for name in beside}
        setting = tuple((name, value) for name, value in keys.items() if name not in AVERAGED)
        ends = int(is_end[rows].sum())
        runs.setdefault(setting, []).append(Tokens.of(ids.codes[rows], logprob[rows], base, ends))
    return {setting: perplexity_of_runs(of_setting, base) for setting, of_setting in runs.items()}


def _rows_of(run: npt.NDArray[np.int64]) -> list[tuple[int, npt.NDArray[np.int64]]]:
    """The first row and all rows of each run, in the order in which the runs begin."""
    order = np.argsort(run, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(run[order])) + 1) if len(run) else []
    return sorted(((int(part[0]), part) for part in parts), key=lambda one: one[0])


def _log_probabilities(table: Table, problems: Problems) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    given = table.columns["logprob"]
    impossible = np.array([value.strip().lower() in ZERO for value in given.values], dtype=np.bool_)
    readable = Column(
        given.codes, ["0" if zero else value for zero, value in zip(impossible, given.values, strict=True)]
    )
    read = numbers(readable, "logprob", table.rows, problems, None)
    above = np.flatnonzero(read > 0)
    limit = "is above 0: the logarithm of a probability is 0 or less"
    problems.cells(table.rows[above], "logprob", given.codes[above], given.values, limit)
    return np.where(impossible[given.codes], -np.inf, read) if len(given.values) else read


# The quick way into a probe that is plainly right; any doubt sends it the strict way, which names what is wrong.


def quick_probe(path: Path, study: StudyItems, name: str) -> Probe | None:
    """A CSV of `item_id,score` or `item_id,p:<label>,...` in which nothing is to be refused or explained; else None.

    pandas reads such a file several times faster than the strict reader, and reads the same numbers.
    """
    frame = _frame(path)
    if frame is None:
        return None
    columns = list(frame.columns)
    labels = [f"{P}{label}" for label in study.labels]
    if sorted(columns) != ["item_id", "score"] and sorted(columns) != sorted(["item_id", *labels]):
        return None
    ids = frame["item_id"].to_numpy(dtype=object)
    rows = study.rows_of(ids)
    outputs = ["score"] if "score" in columns else labels
    values = frame[outputs].to_numpy(dtype=np.float64)
    if (rows < 0).any() or len(set(rows.tolist())) < len(rows) or not np.isfinite(values).all():
        return None
    if outputs == ["score"]:
        score = np.full(len(study.ids), np.nan)
        score[rows] = values[:, 0]
        return Probe(name, "numbers", (Run({}, score),))
    if (values < 0).any() or (np.abs(values.sum(axis=1) - 1) > SUM_TOLERANCE).any():
        return None
    shares = np.full((len(study.ids), len(labels)), np.nan)
    shares[rows] = values
    return Probe(name, "labels", (Run({}, shares),))


def _frame(path: Path) -> pd.DataFrame | None:
    """The file's columns, ids as text and all else as numbers; None if pandas finds anything else in it."""
    if path.suffix != ".csv" or not path.is_file():
        return None
    try:
        header = pd.read_csv(path, nrows=0, encoding="utf-8-sig").columns
        kinds = {column: "str" if column == "item_id" else "float64" for column in header}
        frame = pd.read_csv(path, dtype=kinds, na_filter=False, encoding="utf-8-sig")
    except (ValueError, OSError, pd.errors.ParserError):
        return None
    plain = isinstance(frame.index, pd.RangeIndex) and "item_id" in frame and len(frame) > 0
    return frame if plain and not frame["item_id"].str.contains("'", regex=False).any() else None


# Reading probe.csv by its columns: what isn't right is named row by row, and then nothing of the file is used.


@dataclass(frozen=True, slots=True)
class ProbeOptions:
    """How a probe says that it is to be read."""

    normalise: bool = False
    transform: Transform = "raw"
    similarity: Similarity = "cosine"
    log_base: LogBase = "e"


DEFAULT = ProbeOptions()


def read_probe(path: Path, study: StudyItems, *, name: str = "", options: ProbeOptions = DEFAULT) -> Probe:
    """The probe in a file; `Refused` with every bad row if it isn't one."""
    quick = quick_probe(path, study, name or path.stem)
    if quick is not None:
        return quick
    problems = Problems(path.name)
    table = read_table(path, problems)
    refuse_if_any(problems)
    if table is None:
        raise AssertionError("a table that can't be read has its reasons")
    return probe_of_table(table, study, name=name or path.stem, options=options)


def read_fitting_probe(
    path: Path, study: StudyItems, takes: Shape, *, name: str = "", options: ProbeOptions = DEFAULT
) -> Probe:
    """As `read_probe`; a probe of another shape than the study's gold takes could never be scored, and is refused."""
    probe = read_probe(path, study, name=name, options=options)
    refuse_unfit(probe, study.kind, takes)
    return probe


def probe_of_table(table: Table, study: StudyItems, *, name: str, options: ProbeOptions = DEFAULT) -> Probe:
    """The probe in a table, told by its columns (docs/formats.md); `Refused` with every bad row."""
    reader = _Reader(table, study, Problems(table.name), options.normalise, options)
    probe = reader.read(name)
    refuse_if_any(reader.problems)
    return probe


@dataclass(frozen=True, slots=True, eq=False)
class _Reader(LabelRows):
    options: ProbeOptions = DEFAULT

    def read(self, name: str) -> Probe:
        """By the first of the shapes whose columns are there."""
        columns = set(self.table.columns)
        by_column = any(column.startswith(P) for column in columns)
        shapes = (
            ({"sentence_id", "logprob"} <= columns, self._log_probabilities),
            ("term" in columns and "item_id" not in columns, self._vectors),
            (TEXT in columns, self._texts),
            ({"candidate", "score"} <= columns, self._ranking),
            ("score" in columns, self._numbers),
            ("label" in columns, self.labels_by_row),
            (by_column, self.labels_by_column),
        )
        if not len(self.table):
            self.problems.whole("it has no outputs")
        elif not {"item_id", "term", "sentence_id"} & columns:
            self.problems.whole(
                "there is no column item_id (or term, for vectors); a probe names the item that each output is for"
            )
        else:
            for is_there, read in shapes:
                if is_there:
                    return read(name)
            self.problems.whole(
                "no column says what the model gives: score, label, label and probability, p:<label>, candidate and "
                f"score, text, or sentence_id, token and logprob (the columns are {', '.join(self.table.columns)})"
            )
        return Probe(name, "numbers", ())

    def _numbers(self, name: str) -> Probe:
        item, run, keys = self.placed(("score",))
        score = numbers(self.table.columns["score"], "score", self.table.rows, self.problems, None)
        values = np.full((len(keys), len(self.study.ids)), np.nan)
        fine = item >= 0
        values[run[fine], item[fine]] = score[fine]
        return Probe(name, "numbers", tuple(map(Run, keys, values)))

    def _texts(self, name: str) -> Probe:
        item, run, keys = self.placed((TEXT,))
        texts = [[""] * len(self.study.ids) for _ in keys]
        for at_run, at_item, text in zip(run.tolist(), item.tolist(), self.table.columns[TEXT].text(), strict=True):
            if at_item >= 0:
                texts[at_run][at_item] = str(text)
        none = np.zeros(0)
        return Probe(name, "texts", tuple(Run(key, none, tuple(row)) for key, row in zip(keys, texts, strict=True)))

    def _ranking(self, name: str) -> Probe:
        """A score a candidate; for a study with labels only its labels are candidates, the rest is noted."""
        item, run, keys = self.placed(("candidate", "score"), within="candidate")
        score = numbers(self.table.columns["score"], "score", self.table.rows, self.problems, None)
        candidate = self.table.columns["candidate"].mapped(str.strip)
        if not self.study.labels:
            values, _ = self.scattered(item, run, candidate.codes, score, len(keys), len(candidate.values))
            return Probe(name, "ranking", tuple(map(Run, keys, values)), vocabulary=tuple(candidate.values))
        code_of = {label: at for at, label in enumerate(self.study.labels)}
        code = np.array([code_of.get(value, -1) for value in candidate.values])[candidate.codes]
        values, _ = self.scattered(item, run, code, score, len(keys), len(self.study.labels))
        runs = [
            Run(key, tops_as_shares(row), has_probabilities=False, scores=row)
            for key, row in zip(keys, values, strict=True)
        ]
        outside = sum(value not in code_of for value in candidate.values)
        note = f"{outside} candidates that aren't the study's labels are left aside: scored over allowed labels only"
        return Probe(name, "labels", tuple(runs), notes=(note,) if outside else ())

    def _log_probabilities(self, name: str) -> Probe:
        """Perplexity, which needs neither items nor gold."""
        found = perplexities_of_table(self.table, self.options.log_base, self.problems)
        return Probe(name, "logprobs", (), perplexities=found)

    def _vectors(self, name: str) -> Probe:
        """A vector a term, made into a similarity of each item's two terms."""
        terms = self.table.columns["term"].mapped(str.strip)
        self.refuse_again(terms.codes.astype(np.int64), "term", "the term")
        contexts = [column for column in self.table.columns if column != "term"]
        if self.study.left is None or self.study.right is None:
            self.problems.whole("vectors of terms score items with the fields left and right, which this study has not")
            return Probe(name, "numbers", ())
        if not contexts:
            self.problems.whole("there is no column beside term: a vector needs its numbers")
            return Probe(name, "numbers", ())
        read = [
            numbers(self.table.columns[column], column, self.table.rows, self.problems, None) for column in contexts
        ]
        vectors = transformed(np.stack(read, axis=1), self.options.transform)
        place = np.full(len(terms.values), -1, dtype=np.int64)
        place[terms.codes] = np.arange(len(terms.codes))
        of = {value: int(at) for value, at in zip(terms.values, place, strict=True)}
        left, right = (
            np.array([of.get(str(term).strip(), -1) for term in side], dtype=np.int64)
            for side in (self.study.left, self.study.right)
        )
        score = similarities(vectors, left, right, self.options.similarity)
        undefined = int(undefined_terms(vectors).sum())
        absent = int(np.sum((left < 0) | (right < 0)))
        notes = [f"{self.options.similarity} of vectors of {len(contexts)} numbers, {self.options.transform}"]
        if undefined:
            notes.append(f"{undefined} of {len(vectors)} terms have a constant or undefined vector")
        if absent:
            notes.append(f"{absent} of {len(score)} items have a term without a vector")
        return Probe(name, "numbers", (Run({}, score),), notes=tuple(notes))
