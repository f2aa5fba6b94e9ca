"""A study about pairs, from a list of terms: every pair to judge, and each check's pairs of every term."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TypeAlias, TypedDict

import numpy as np

from agreement.files.cell_texts import is_blank
from agreement.files.problems import Problems, refuse_if_any, shown
from agreement.files.reading import read_table
from agreement.files.table import Table, encode
from agreement.typed_json import JsonObject
from annotation.studies.item_files import NewItem, UploadedItems

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
    for (at, line), given in zip(numbered, cells, strict=True):
        if len(given) > len(COLUMNS):
            problems.row(at, f"{shown(line)} is more than a term and its alias; put a term with a comma in quotes")
    refuse_if_any(problems)
    columns = {
        column: encode([each[place] if place < len(each) else "" for each in cells], len(cells))
        for place, column in enumerate(COLUMNS)
    }
    return _items_of_table(Table(name, np.array([at for at, _ in numbered], dtype=np.int64), columns), checks)


def _refuse_wrong_columns(table: Table, problems: Problems) -> None:
    found = ", ".join(table.columns)
    if "term" not in table.columns:
        problems.whole(f"there is no column term (the columns are {found}); the first line is term or term,alias")
    elif others := [name for name in table.columns if name not in COLUMNS]:
        problems.whole(f"nothing reads the column {others[0]}; a list of terms has the columns term and alias")


def _items_of_table(table: Table, checks: Checks) -> UploadedItems:
    problems = Problems(table.name)
    texts = [text.strip() for text in table.columns["term"].text().tolist()]
    given = table.columns.get("alias") or encode([""] * len(table), len(table))
    aliases = [alias.strip() for alias in given.text().tolist()]
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
    _each(table, "term", texts, lambda text: is_blank(id_of(text)), "is not a term", problems)
    _each(table, "term", texts, lambda text: len(text) > LONGEST_TERM, too_long, problems)
    for word, name in words.items():
        said = f"is the word of the check {name}, which has to be unrelated to every term"
        _each(table, "term", texts, lambda text, word=word: text.casefold() == word, said, problems)  # type: ignore[misc]
    seen = [unicodedata.normalize("NFC", id_of(text)).casefold() for text in texts]  # ids differ by more than capitals
    _refuse_again(table, "term", seen, texts, problems)


def _refuse_wrong_aliases(table: Table, texts: Sequence[str], aliases: Sequence[str], problems: Problems) -> None:
    names = set(texts)
    other = [alias if alias != text else "" for text, alias in zip(texts, aliases, strict=True)]
    taken = "is a term itself, with a vector of its own"
    _each(table, "alias", other, lambda alias: bool(alias) and alias in names, taken, problems)
    _refuse_again(table, "alias", other, aliases, problems)


def _each(
    table: Table, column: str, texts: Sequence[str], wrong: Callable[[str], bool], limit: str, problems: Problems
) -> None:
    bad = np.flatnonzero([wrong(text) for text in texts])
    problems.each(table.rows[bad], column, lambda i: f"{shown(texts[bad[i]])} {limit}")


def _refuse_again(table: Table, column: str, keys: Sequence[str], texts: Sequence[str], problems: Problems) -> None:
    first: dict[str, int] = {}
    again = np.array([at for at, key in enumerate(keys) if key and first.setdefault(key, at) != at], dtype=np.int64)
    problems.each(
        table.rows[again],
        column,
        lambda i: f"{shown(texts[again[i]])} stands in row {table.rows[first[keys[again[i]]]]} already",
    )
