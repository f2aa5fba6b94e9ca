"""How properties are spelt before they are compared, and a researcher's coding: which of them are one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ..errors import Refused
from ..files.cell_texts import normalised_name
from ..files.problems import Problems, quote_cell, refuse_if_any
from ..files.reading import Source, required_table, stem_of
from ..files.table import Table, encode
from ..files.writing import csv_chunks
from ..kinds.answers import Properties

# Lists of words that models may be ranked over: a word on each line, spelt as properties are.

LONGEST_WORD = 200


def words_in(content: bytes, source: str) -> str:
    r"""The words of a file, one on each line and each once, in the file's order.

    >>> words_in(b"Green\n\nred\ngreen\n", "words.txt")
    'green\nred'
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"{source}: the file is not UTF-8 text") from error
    lines = text.splitlines()
    long = [
        f"{source}, row {row}: a word has {LONGEST_WORD} characters at most"
        for row, line in enumerate(lines, 1)
        if len(line) > LONGEST_WORD
    ]
    if long:
        raise Refused(long)
    words = list(dict.fromkeys(filter(None, map(normalised_name, lines))))
    if not words:
        raise Refused(f"{source}: there is no word in it; write one on each line")
    return "\n".join(words)


# A researcher's coding of properties: which spellings are one, and the relation, feature and type of each.

SAME_RELATION = {"is made of": "made of", "has an": "has a"}
TYPES = ("visual perceptual", "other perceptual", "functional", "encyclopaedic", "taxonomic")
COLUMNS = ("property", "relation", "feature", "type", "left_out")
REVISION = "revision"  # which save of the study's coding a row is from; blank in a coding from elsewhere
LONGEST = 200
LONGEST_SPELLING = 600
YES, NO = ("1", "true", "yes"), ("", "0", "false", "no")


@dataclass(frozen=True, slots=True)
class Code:
    """What one spelling counts as. Spellings with the same relation and feature are one property."""

    relation: str
    feature: str
    type: str = ""
    is_left_out: bool = False

    @property
    def name(self) -> str:
        """The property as gold.csv has it."""
        return f"{self.relation} {self.feature}".strip()


def name_of_relation(text: str) -> str:
    """A relation as it is compared: "is made of" and "made of" are one.

    >>> name_of_relation("Is made of"), name_of_relation("has an")
    ('made of', 'has a')
    """
    name = normalised_name(text)
    return SAME_RELATION.get(name, name)


def proposed_code(spelling: str) -> Code:
    """The relation is all words but the last, and the last is the feature.

    >>> proposed_code("is made of wool"), proposed_code("green").feature
    (Code(relation='made of', feature='wool', type='', is_left_out=False), 'green')
    """
    relation, _, feature = normalised_name(spelling).rpartition(" ")
    return Code(name_of_relation(relation), feature)


@dataclass(frozen=True, slots=True)
class CodingSummary:
    """A coding of properties: its name and hash, how many spellings it has, for how many properties, and how many of
    them it leaves out.
    """

    name: str
    sha256: str
    spellings: int
    properties: int
    left_out: int


@dataclass(frozen=True)
class Coding:
    """The codes of spellings, normalised. A spelling without one counts as it is proposed. `name` is for reports."""

    codes: Mapping[str, Code] = field(default_factory=dict)
    name: str = "coding"

    def code_of(self, spelling: str) -> Code:
        return self.codes.get(spelling) or proposed_code(spelling)

    @cached_property
    def types(self) -> Mapping[str, str]:
        """The type of each property, by its name."""
        return {code.name: code.type for code in self.codes.values() if code.type and not code.is_left_out}

    @cached_property
    def by_name(self) -> Mapping[str, Code]:
        """A code of each property that some spelling is coded as."""
        return {code.name: code for code in self.codes.values() if not code.is_left_out}

    def parts(self, name: str) -> Code:
        """The relation and feature of a property by its name, and its type."""
        code = self.by_name.get(name) or proposed_code(name)
        return Code(code.relation, code.feature, self.types.get(name, ""))

    def applied(self, answers: Properties) -> Properties:
        """The answers in the names of properties; what is left out goes, and what was named twice is named once."""
        codes = [self.code_of(normalised_name(name)) for name in answers.names]
        names = list(dict.fromkeys(code.name for code in codes if not code.is_left_out))
        place = {name: number for number, name in enumerate(names)}
        new = np.array([-1 if code.is_left_out else place[code.name] for code in codes] or [-1], dtype=np.int64)
        judgment = np.repeat(np.arange(len(answers)), np.diff(answers.offsets))
        coded = new[answers.property]
        is_kept = coded >= 0
        _, first = np.unique(judgment[is_kept] * max(len(names), 1) + coded[is_kept], return_index=True)
        kept = np.flatnonzero(is_kept)[np.sort(first)]
        lengths = np.bincount(judgment[kept], minlength=len(answers))
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return Properties(offsets, coded[kept].astype(np.int32), tuple(names))

    def rows(self) -> list[tuple[str, ...]]:
        """As cells of COLUMNS, by the alphabet."""
        codes = sorted(self.codes.items())
        return [
            (name, code.relation, code.feature, code.type, "1" if code.is_left_out else "0") for name, code in codes
        ]

    def csv(self) -> bytes:
        return csv_of(self.rows(), COLUMNS)

    @property
    def sha256(self) -> str:
        """The hash of what it says, whatever it is called."""
        return hashlib.sha256(self.csv()).hexdigest()

    def summary(self) -> CodingSummary:
        """What a report says of it, without a word that people wrote."""
        kept = [code for code in self.codes.values() if not code.is_left_out]
        return CodingSummary(
            name=self.name,
            sha256=self.sha256,
            spellings=len(self.codes),
            properties=len({code.name for code in kept}),
            left_out=len(self.codes) - len(kept),
        )


def csv_of(rows: Iterable[tuple[str, ...]], columns: tuple[str, ...]) -> bytes:
    lines = list(rows)
    cells = list(zip(*lines, strict=True)) or [() for _ in columns]
    return b"".join(csv_chunks({name: encode(part, len(lines)) for name, part in zip(columns, cells, strict=True)}))


def read_coding(path: Source) -> Coding:
    """The coding in a file, `Refused` with every bad row; its name is the file's."""
    problems = Problems(path.name)
    table = required_table(path, problems)
    codes = {spelling: code for _, spelling, code in coded_rows(table, problems)}
    refuse_if_any(problems)
    return Coding(codes, stem_of(path))


def coded_rows(table: Table, problems: Problems) -> list[tuple[int, str, Code]]:
    """Each row's number, spelling and code; what is wrong goes to `problems`, row by row."""
    missing = [name for name in COLUMNS[:3] if name not in table.columns]
    if missing:
        problems.whole(f"there is no column {' and no column '.join(missing)}; a coding is {','.join(COLUMNS)}")
        return []
    texts = {name: table.columns[name].text().tolist() for name in COLUMNS if name in table.columns}
    coded: list[tuple[int, str, Code]] = []
    first: dict[str, int] = {}
    for index, row in enumerate(table.rows.tolist()):
        cells = {name: str(values[index]) for name, values in texts.items()}
        spelling, code, wrong = _code_of_row(cells)
        if spelling and spelling in first:
            wrong.append(f"column property: {quote_cell(spelling)} stands in row {first[spelling]} already")
        first.setdefault(spelling, row)
        for message in wrong:
            problems.row(row, message)
        coded.append((row, spelling, code))
    _refuse_mixed_types(coded, problems)
    return coded


def _code_of_row(cells: Mapping[str, str]) -> tuple[str, Code, list[str]]:
    spelling, left_out = normalised_name(cells["property"]), cells.get("left_out", "").strip().casefold()
    code = Code(
        name_of_relation(cells["relation"]),
        normalised_name(cells["feature"]),
        normalised_name(cells.get("type", "")).replace("-", " "),
        left_out in YES,
    )
    wrong = [f"column {name}: {reason}" for name, reason in code_errors(code)]
    if not spelling:
        wrong.append("column property: it is blank")
    if len(spelling) > LONGEST_SPELLING:
        wrong.append(f"column property: it has more than {LONGEST_SPELLING} characters")
    if left_out not in (*YES, *NO):
        wrong.append(f"column left_out: {quote_cell(cells['left_out'])} is neither 1 nor 0")
    return spelling, code, wrong


def code_errors(code: Code) -> list[tuple[str, str]]:
    """What is wrong with a code, by column; nothing where it may stand."""
    wrong = []
    if not code.feature and not code.is_left_out:
        wrong.append(("feature", "it is blank; a property that is not left out has a feature"))
    if code.type and code.type not in TYPES:
        wrong.append(("type", f"{quote_cell(code.type)} is none of {', '.join(TYPES)}"))
    wrong += [
        (name, f"it has more than {LONGEST} characters")
        for name, text in (("relation", code.relation), ("feature", code.feature))
        if len(text) > LONGEST
    ]
    return wrong


def _refuse_mixed_types(coded: Iterable[tuple[int, str, Code]], problems: Problems) -> None:
    """Spellings that are one property have one type."""
    first: dict[str, tuple[int, str]] = {}
    for row, _, code in coded:
        if not code.type or code.is_left_out:
            continue
        other, kind = first.setdefault(code.name, (row, code.type))
        if kind != code.type:
            problems.row(row, f"column type: {quote_cell(code.name)} is {kind} in row {other}, and {code.type} here")
