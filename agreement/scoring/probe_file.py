"""Reading probe.csv by its columns: what isn't right is named row by row, and then nothing of the file is used."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agreement.scoring.label_rows import LabelRows
from agreement.scoring.logprob_file import perplexities_of_table
from agreement.scoring.measures import tops_as_shares
from agreement.scoring.perplexity import LogBase
from agreement.scoring.probe import P, Probe, Run, StudyItems, refuse_unfit
from agreement.scoring.quick_probe import quick_probe
from agreement.scoring.vectors import Similarity, Transform, similarities, transformed, undefined_terms
from annotation.files.numbers import numbers
from annotation.files.problems import Problems, refuse_if_any
from annotation.files.reading import read_table
from annotation.files.table import Table


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


def read_fitting_probe(path: Path, study: StudyItems, *, name: str = "", options: ProbeOptions = DEFAULT) -> Probe:
    """As `read_probe`; a probe for another kind of question is refused too, for it could never be scored."""
    probe = read_probe(path, study, name=name, options=options)
    refuse_unfit(probe, study.kind)
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
            ("text" in columns, self._texts),
            ({"candidate", "score"} <= columns, self._ranking),
            ("score" in columns, self._numbers),
            ("label" in columns, self.labels_by_row),
            (by_column, self.labels_by_column),
        )
        if not len(self.table):
            self.problems.whole("there is no output in it")
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
        item, run, keys = self.placed(("text",))
        texts = [[""] * len(self.study.ids) for _ in keys]
        for at_run, at_item, text in zip(run.tolist(), item.tolist(), self.table.columns["text"].text(), strict=True):
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
        runs = [Run(key, tops_as_shares(row), has_probabilities=False) for key, row in zip(keys, values, strict=True)]
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
