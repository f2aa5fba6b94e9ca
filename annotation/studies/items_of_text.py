"""Items made of text: pasted as a table or as lines, or every pair of a list of terms; and a file to fill in."""

from __future__ import annotations

import csv
import json
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TypeAlias, TypedDict

import numpy as np

from agreement.errors import Refused
from agreement.files.cell_texts import is_blank
from agreement.files.items_file import MOST_ITEM_COLUMNS, MOST_NAMED
from agreement.files.json_lines import too_many_columns
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from agreement.files.question_fields import FIELD, fields_of
from agreement.files.reading import delimiter_of, read_table
from agreement.files.table import Table, encode
from agreement.files.writing import csv_cell
from agreement.judgments.questions_of_file import CHECK_QUESTION
from agreement.typed_json import JsonObject
from annotation.media.taking import Media
from annotation.models import Study
from annotation.studies.item_files import NewItem, UploadedItems, items_of_table
from annotation.studies.item_ids import with_ids

COLUMNS = ("term", "alias")
LONGEST_TERM = 80  # an item's id has two of them
MOST_TERMS = 500  # 124,750 pairs

# A check of each term: its pair with itself, or with a fixed other word, and the bounds of the answer.
CheckOfTerms = TypedDict("CheckOfTerms", {"with": str, "min": float, "max": float, "per_assignment": int}, total=False)
Checks: TypeAlias = Mapping[str, CheckOfTerms]


@dataclass(frozen=True, slots=True)
class Term:
    """`alias` is what models' files call the term where they call it otherwise; no annotator sees it."""

    text: str
    alias: str = ""


def items_of_pairs(terms: Sequence[Term], checks: Checks) -> list[NewItem]:
    """Every pair of two terms as a target, and each check's pairs: a term with itself, or with a fixed other word."""
    has_aliases = any(term.alias for term in terms)
    items: list[NewItem] = [
        {
            "item_id": f"{id_of(left.text)}--{id_of(right.text)}",
            "kind": "target",
            "check_name": None,
            "fields": _fields(left, right, has_aliases=has_aliases),
        }
        for left, right in combinations(terms, 2)
    ]
    for name, check in checks.items():
        for term in terms:
            other = Term(check["with"]) if "with" in check else term
            items.append(
                {
                    "item_id": f"{name}-{id_of(term.text)}",
                    "kind": "check",
                    "check_name": name,
                    "fields": _fields(term, other, has_aliases=has_aliases),
                    "min": check.get("min"),
                    "max": check.get("max"),
                }
            )
    return items


def _fields(left: Term, right: Term, *, has_aliases: bool) -> JsonObject:
    aliases = {"left_alias": left.alias, "right_alias": right.alias} if has_aliases else {}
    return {"left": left.text, "right": right.text, **aliases}


def id_of(term: str) -> str:
    """A term as a part of an item's id, in which two hyphens stand between the two terms alone.

    >>> id_of("in front of"), id_of("well-known -- place")
    ('in-front-of', 'well-known-place')
    """
    return "-".join(filter(None, term.replace("-", " ").split()))


# Terms as a researcher gives them: refused row by row, or taken whole.


def read_terms(path: Path, checks: Checks) -> UploadedItems:
    """The items of a table `term` or `term,alias`."""
    problems = Problems(path.name)
    table = read_table(path, problems)
    if table is not None and not len(problems):
        _refuse_wrong_columns(table, problems)
    refuse_if_any(problems)
    if table is None:
        raise AssertionError("a table that can't be read has its reasons")
    return _items_of_table(table, checks)


def terms_of_text(text: str, checks: Checks) -> UploadedItems:
    """The items of a text with one term on each line, and behind a comma its alias; `term,alias` may stand first."""
    problems, name = Problems("the list of terms"), "the list of terms"
    lines = text.strip("\r\n").splitlines()
    numbered = list(enumerate(lines, start=1))
    if lines and lines[0].replace(" ", "") in {"term", "term,alias"}:
        del numbered[0]
    cells = [next(csv.reader([line], skipinitialspace=True), [""]) for _, line in numbered]
    for (row_number, line), row in zip(numbered, cells, strict=True):
        if len(row) > len(COLUMNS):
            problems.row(
                row_number, f"{quote_cell(line)} is more than a term and its alias; put a term with a comma in quotes"
            )
    refuse_if_any(problems)
    columns = {
        column: encode([each[place] if place < len(each) else "" for each in cells], len(cells))
        for place, column in enumerate(COLUMNS)
    }
    return _items_of_table(
        Table(name, np.array([row_number for row_number, _ in numbered], dtype=np.int64), columns), checks
    )


def _refuse_wrong_columns(table: Table, problems: Problems) -> None:
    names = ", ".join(table.columns)
    if "term" not in table.columns:
        problems.whole(f"there is no column term (the columns are {names}); the first line is term or term,alias")
    elif others := [name for name in table.columns if name not in COLUMNS]:
        problems.whole(f"nothing reads the column {others[0]}; a list of terms has the columns term and alias")


def _items_of_table(table: Table, checks: Checks) -> UploadedItems:
    problems = Problems(table.name)
    texts = [text.strip() for text in table.columns["term"].text().tolist()]
    alias_column = table.columns.get("alias") or encode([""] * len(table), len(table))
    aliases = [alias.strip() for alias in alias_column.text().tolist()]
    _refuse_wrong_terms(table, texts, checks, problems)
    _refuse_wrong_aliases(table, texts, aliases, problems)
    if not len(problems) and len(texts) < 2:
        problems.whole(f"it has {len(texts) or 'no'} term{'' if len(texts) == 1 else 's'}; a pair needs two")
    if len(texts) > MOST_TERMS:
        pairs = len(texts) * (len(texts) - 1) // 2
        problems.whole(f"its {len(texts):,} terms are {pairs:,} pairs; a list has {MOST_TERMS} terms at most")
    refuse_if_any(problems)
    terms = [Term(text, alias if alias != text else "") for text, alias in zip(texts, aliases, strict=True)]
    return UploadedItems(items_of_pairs(terms, checks), f"{table.name}: all pairs of {len(terms)} terms")


def _refuse_wrong_terms(table: Table, texts: Sequence[str], checks: Checks, problems: Problems) -> None:
    words = {str(check["with"]).casefold(): name for name, check in checks.items() if "with" in check}
    too_long = f"is longer than {LONGEST_TERM} characters"
    _report_each(table, "term", texts, lambda text: is_blank(id_of(text)), "is not a term", problems)
    _report_each(table, "term", texts, lambda text: len(text) > LONGEST_TERM, too_long, problems)
    for word, name in words.items():
        mistake = f"is the word of the check {name}, which has to be unrelated to every term"
        _report_each(table, "term", texts, lambda text, word=word: text.casefold() == word, mistake, problems)  # type: ignore[misc]
    seen = [unicodedata.normalize("NFC", id_of(text)).casefold() for text in texts]  # ids differ by more than capitals
    _refuse_again(table, "term", seen, texts, problems)


def _refuse_wrong_aliases(table: Table, texts: Sequence[str], aliases: Sequence[str], problems: Problems) -> None:
    names = set(texts)
    other = [alias if alias != text else "" for text, alias in zip(texts, aliases, strict=True)]
    taken = "is a term itself, with a vector of its own"
    _report_each(table, "alias", other, lambda alias: bool(alias) and alias in names, taken, problems)
    _refuse_again(table, "alias", other, aliases, problems)


def _report_each(
    table: Table, column: str, texts: Sequence[str], wrong: Callable[[str], bool], limit: str, problems: Problems
) -> None:
    bad = np.flatnonzero([wrong(text) for text in texts])
    problems.each(table.rows[bad], column, lambda i: f"{quote_cell(texts[bad[i]])} {limit}")


def _refuse_again(table: Table, column: str, keys: Sequence[str], texts: Sequence[str], problems: Problems) -> None:
    first: dict[str, int] = {}
    again = np.array(
        [position for position, key in enumerate(keys) if key and first.setdefault(key, position) != position],
        dtype=np.int64,
    )
    problems.each(
        table.rows[again],
        column,
        lambda i: f"{quote_cell(texts[again[i]])} stands in row {table.rows[first[keys[again[i]]]]} already",
    )


# Items that are pasted into a box, as a table with its header or one on each line; and a file of items to fill in.

NAME = "the pasted items"
MOST_PASTED = 2_000
PAIR = ("left", "right")
LEAVE_OUT, ADD_AGAIN = "leave out", "add again"


class AlreadyThere(Refused):
    """Some of the items are in the study already, and nobody has said yet what to do with them."""


def items_without_doubles(items: list[NewItem], study: Study, wish: str) -> list[NewItem]:
    """The items that are to be added, of which others in the study may have the same kind and fields.

    `wish` is what to do with those that have: `LEAVE_OUT`, `ADD_AGAIN`, or nothing, which is refused if there are any.
    """
    if wish == ADD_AGAIN:
        return items
    in_study = {_shown(*item) for item in study.items.values_list("kind", "check_name", "fields").iterator()}
    new = [item for item in items if _shown(item["kind"], item["check_name"], item["fields"]) not in in_study]
    if wish != LEAVE_OUT and len(new) < len(items):
        doubled = len(items) - len(new)
        which = f"{doubled:,} of these {len(items):,} items {'is' if doubled == 1 else 'are'}"
        raise AlreadyThere(f"{'This item is' if len(items) == 1 else which} already in the study: choose what to do.")
    return new


def _shown(kind: str, check_name: str | None, fields: Mapping[str, object]) -> tuple[str, str, str]:
    return str(kind), check_name or "", json.dumps(fields, sort_keys=True)


def fields_to_fill(study: Study) -> list[str]:
    """What an item of this study needs: the fields that its questions name, else a pair of words."""
    wordings = [question.question for question in study.questions()]
    return list(dict.fromkeys(name for wording in wordings for name in fields_of(wording))) or list(PAIR)


def items_of_text(
    text: str, study: Study, pictures: Media, *, more: Sequence[str] = (), **constants: str
) -> list[NewItem]:
    """The items as `add_items` takes them; refused with every reason.

    The first line may name the columns. Without, the cells of each line are the fields of the question in their order,
    then the columns `more`; of a question with one field the line is that field. Items without an id get one.
    """
    problems = Problems(NAME)
    table = table_of_text(text, study, problems, more=more, **constants)
    return items_of_table(table, problems, study, pictures)


def table_of_text(text: str, study: Study, problems: Problems, *, more: Sequence[str] = (), **constants: str) -> Table:
    """The lines as a table with ids; refused where they are none."""
    lines = [(row_number, line) for row_number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise Refused("There is nothing in the box: paste one item on each line.")
    if len(lines) > MOST_PASTED + 1:
        raise Refused(
            f"The box takes {MOST_PASTED:,} items, and there are {len(lines):,} lines: import them as a file."
        )
    fields = fields_to_fill(study)
    header, rows = _split(lines, [*fields, *more])
    if len(header) > MOST_ITEM_COLUMNS:
        raise Refused(f"{NAME}: {too_many_columns(MOST_ITEM_COLUMNS)}, and the first line names {len(header):,}.")
    expected = ", ".join(header) if len(header) <= MOST_NAMED else f"{', '.join(header[:MOST_NAMED])}, …"
    for row_number, cells in rows:
        if len(cells) != len(header):
            problems.row(row_number, f"{len(cells)} cells, where {len(header)} are expected: {expected}")
    refuse_if_any(problems)
    columns = {name: [cells[place].strip() for _, cells in rows] for place, name in enumerate(header)}
    columns |= {name: [value] * len(rows) for name, value in constants.items()}
    encoded = {name: encode(values, len(rows)) for name, values in columns.items()}
    table = Table(NAME, np.array([row_number for row_number, _ in rows], dtype=np.int64), encoded)
    return with_ids(table, fields, set(study.items.values_list("item_id", flat=True)))


def _split(lines: Sequence[tuple[int, str]], fields: Sequence[str]) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of the columns, and each line's cells."""
    first = lines[0][1]
    mark = delimiter_of(first)
    names = [name.strip() for name in _cells(first, mark)]
    if {"item_id", *fields[:1]} & set(names) or _are_names(names, [line for _, line in lines[1:]]):
        return names, [(row_number, _cells(line, mark)) for row_number, line in lines[1:]]
    if len(fields) == 1:
        return list(fields), [(row_number, [line]) for row_number, line in lines]
    return list(fields), [(row_number, _cells(line, mark)) for row_number, line in lines]


def _are_names(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Whether a first line that names no field of the question can only be names of columns.

    >>> _are_names(["word_1", "word_2"], ["cup,mug"]), _are_names(["cup", "mug"], []), _are_names(["a_b"], ["c_d"])
    (True, False, False)
    """
    if not all(FIELD.fullmatch(f"{{{cell}}}") for cell in cells):
        return False
    return "id" in map(str.lower, cells) or ("_" in "".join(cells) and not any("_" in line for line in others))


def _cells(line: str, mark: str) -> list[str]:
    return next(csv.reader([line], delimiter=mark, skipinitialspace=True), [""])


# A file of items to fill in, made from a study's own question: its columns, two items and two checks.

EXAMPLES = ("first", "second", "third", "fourth")


def template_lines(study: Study) -> Iterator[str]:
    """CSV lines. Their contents are examples to be typed over; the file can be imported as it is."""
    fields, kind = fields_to_fill(study), study.question_kind
    labels = list(study.labels.order_by("position").values_list("value", flat=True)[:2])
    answers = ("min", "max") if kind.has_scale else ("expected",)
    # Of several questions the example checks are of the first.
    columns, name = ([CHECK_QUESTION], [study.question_name]) if study.further_questions.exists() else ([], [])
    yield _line(["item_id", *fields, "kind", "check", *answers, *columns])
    for number, word in enumerate(EXAMPLES[:2], start=1):
        blank = ["" for _ in (*answers, *columns)]
        yield _line([f"item-{number}", *(f"{word} {field}" for field in fields), "target", "", *blank])
    for number, (word, right) in enumerate(zip(EXAMPLES[2:], _right_answers(study, labels), strict=False), start=1):
        yield _line([f"check-{number}", *(f"{word} {field}" for field in fields), "check", "known", *right, *name])


def _right_answers(study: Study, labels: list[str]) -> list[tuple[str, ...]]:
    """None where people write what they like: nothing of it can be told right from wrong."""
    if study.question_kind.has_scale:
        return [("", "40"), ("60", "")]
    return [(label,) for label in labels]


def _line(cells: list[str]) -> str:
    return ",".join(csv_cell(cell) for cell in cells) + "\n"
