"""The data dictionary: what every column of every file that goes out means, its type, unit and values."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from functools import cache

from ..files.table import encode
from ..files.writing import csv_chunks, unescape_formula
from ..gold.gold_columns import CODED, ITEM_ID, SIDES
from ..kinds.registry import KINDS
from ..kinds.signs import SIGNS
from ..kinds.statistics import statistics_of
from ..scoring.answer_mapping.rules import RULES

NAME = "data-dictionary.csv"
LONGEST_HEADER = 1 << 20
HEADER = ("file", "column", "meaning", "type", "unit", "values")


@dataclass(frozen=True, slots=True)
class Meaning:
    """`column` may hold {label}, {worker}, {term}, {index} or {field}, which stand for any text."""

    column: str
    meaning: str
    type: str = "text"
    unit: str = ""
    values: str = ""

    def fits(self, column: str) -> bool:
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(self.column))
        return re.fullmatch(pattern, column, re.DOTALL) is not None


WORKER = Meaning("worker_id", "the worker, under a pseudonym that is random in each study")
ITEM = Meaning("item_id", "the item")
FIELD = Meaning("{field}", "the item's own field of that name, as it was imported", values="as in items.csv")
N = Meaning("n", "how many people's judgments the row rests on", "whole number", "people")
FLAG = "0 or 1"
SCALE = "the answer's scale"
SHARE = "0 to 1"
VALUE_WORDS = (
    "the answer: a number on the scale, one label, labels or properties with | between, labels in order with | between,"
    " or a text; blank for answers of several numbers, which stand in columns v:"
)

_FILES: Mapping[str, tuple[Meaning, ...]] = {
    "judgments": (
        WORKER,
        ITEM,
        Meaning("value", VALUE_WORDS, "number or text", SCALE),
        Meaning("v:{label}", "of answers that are a number per label, the number of this label", "number", SCALE),
        Meaning("kind", "what the item is for", values="target, check, practice or qualification"),
        Meaning("check", "the name of the check that the item is; blank for other items"),
        Meaning("response_ms", "how long the answer took in the person's browser", "number", "milliseconds"),
        Meaning(
            "submitted_at", "when the answer was given; of a study in the database in UTC and cut to the minute", "time"
        ),
        Meaning("assignment_id", "the share of the study that the answer was given in, as a running number"),
        Meaning("kept", "whether cleaning keeps the judgment", "flag", values=FLAG),
        Meaning("reason", "why it isn't kept: rules that its worker failed, or the rule that dropped the answer"),
        Meaning("server_ms", "how long the assignment took by the server's clock", "number", "milliseconds"),
        Meaning("items_per_page", "how many items a page of the assignment showed", "whole number", "items"),
        Meaning(
            "shown_position", "where the chosen label stood among the item's own, the first being 1", "whole number"
        ),
        Meaning("shown_order", "the item's own labels in the order in which they were shown, with | between"),
        Meaning(
            "worker_could_not_see", "at how many items the worker could not see the picture", "whole number", "items"
        ),
        Meaning("confidence", "how sure the person was of the answer", "whole number", values="1 to 5"),
        Meaning(
            "media_use",
            "by the column of each sound, video or picture, how often it was started and how often played to its end,"
            " and whether the person did not perceive it (not_perceived); as JSON",
        ),
        Meaning("no_answer", "why there is no answer", values="dont-know, not-asked or left-empty"),
        Meaning("question", "the name of the question, where the study has several"),
        Meaning("{field}", "a column of the file that the judgments came from, as it was", values="as it was"),
    ),
    "workers": (
        WORKER,
        Meaning("judgments", "judgments of target items, before cleaning", "whole number", "judgments"),
        Meaning("checks", "answers to check items that a rule looks at", "whole number", "answers"),
        Meaning("checks_failed", "how many of them broke a bound, tolerated or not", "whole number", "answers"),
        Meaning("kept", "whether cleaning keeps the worker", "flag", values=FLAG),
        Meaning("reason", "the rules that the worker failed, or a decision by hand"),
        Meaning("evidence", "item, answer and bound of each failure"),
        Meaning("median_response_ms", "median over the worker's target items", "number", "milliseconds"),
        Meaning(
            "agreement_with_others",
            "agreement with the others' kept answers: a correlation of numbers and rankings, a share of labels; blank"
            " with fewer than ten shared items",
            "number",
            values="-1 to 1",
        ),
        Meaning("judgments_kept", "judgments of target items, after cleaning", "whole number", "judgments"),
        Meaning("unchecked", "whether the worker answered no check that a rule looks at", "flag", values=FLAG),
        Meaning(
            "dawid_skene_accuracy",
            "how often the worker is right by the model of Dawid and Skene",
            "number",
            values=SHARE,
        ),
        Meaning("mace_accuracy", "how often the worker is right by the model MACE", "number", values=SHARE),
        Meaning(
            "suspect_of",
            "in which ways the worker's answers look careless, with | between; nobody is excluded by it, and no bundle"
            " for everybody has it",
            values="constant, pattern, reversed, wrong, half-random, random, too-fast, or blank",
        ),
    ),
    "screening": (
        WORKER,
        Meaning("judgments", "judgments of target items, before cleaning", "whole number", "judgments"),
        Meaning("longstring", "the longest run of equal answers in the order given", "whole number", "answers"),
        Meaning("irv", "the standard deviation (n - 1) of the worker's numbers", "number", SCALE),
        Meaning(
            "person_total",
            "of numbers: Pearson's r with the mean of the others on the same items",
            "number",
            values="-1 to 1",
        ),
        Meaning(
            "halves",
            "correlation of the even and odd answers over groups of items that the others answered alike",
            "number",
            values="-1 to 1",
        ),
        Meaning(
            "agreement",
            "of labels: agreement with the others on the same items, corrected for chance",
            "number",
            values="1 at most",
        ),
        Meaning("mode_share", "the share of the worker's commonest answer", "number", values=SHARE),
        Meaning("median_log_ms", "the median of the natural logarithm of response times", "number", "log milliseconds"),
        Meaning(
            "mahalanobis_d2",
            "the squared Mahalanobis distance of agreement, log irv, log longstring, halves and time from their means",
            "number",
        ),
        Meaning(
            "z_{index}",
            "how many robust standard deviations (1.4826 MAD, with a floor) the index is from that of the median"
            " worker; times less what the items take",
            "number",
        ),
        Meaning("kinds", "as suspect_of in workers.csv", values="as suspect_of"),
        Meaning("pattern", "the longest stretch that repeats 2 to 4 answers", "whole number", "answers"),
        Meaning(
            "change_after", "after how many answers agreement with the others changes most", "whole number", "answers"
        ),
        Meaning("agreement_before", "agreement with the others up to there", "number", values="1 at most"),
        Meaning("agreement_after", "agreement with the others from there on", "number", values="1 at most"),
    ),
    "gold": (FIELD,),  # before it, what each kind declares
    "labels": (
        ITEM,
        N,
        Meaning("n:{label}", "how many people chose this label; of numbers per label, the sum of its shares", "number"),
    ),
    "wide": (
        ITEM,
        Meaning("{worker}", "the kept answer of this worker, blank if there is none", "number or text", SCALE),
    ),
    "norms": (
        Meaning("concept", "the concept that people were asked about"),
        Meaning("relation", "the relation that they were asked for"),
        Meaning("feature", "a feature that somebody named"),
        Meaning("type", "its type, where researchers coded one"),
        Meaning("pf", "production frequency: how many people named it", "whole number", "people"),
    ),
    "mapping": (
        Meaning("answer", "what a model replied, in its own words"),
        Meaning(
            "value",
            "what it stands for: a label, a number, labels or properties with | between, or refusal; blank where it is"
            " none, or was truncated",
            "number or text",
        ),
        Meaning("rule", "the rule that took the answer", values=f"{', '.join(RULES[:-1])} or {RULES[-1]}"),
        Meaning("count", "how often the model gave it", "whole number", "answers"),
        Meaning("decided_by", "who decided, of rule by-hand"),
    ),
    "similarity-matrix": (
        Meaning("term", "one of the two terms"),
        Meaning("{term}", "how similar people find the two, on average; blank where nobody was asked", "number", SCALE),
    ),
    "participants": (
        Meaning("pseudonym", "the person, as worker_id in judgments.csv and workers.csv"),
        WORKER,
        Meaning(
            "status",
            "how far the person came",
            values="entered, declined, failed-comprehension, failed-qualification, working, finished, returned,"
            " timed-out, rejected or withdrawn",
        ),
        Meaning("entered_at", "when the person came, in UTC, to the minute", "time"),
        Meaning("finished_at", "when the person handed in, in UTC, to the minute; blank for those who didn't", "time"),
        Meaning("minutes", "from consent to the end", "number", "minutes"),
        Meaning("device", "what the person came in with", values="phone, tablet, computer, or blank"),
        Meaning("verified", "whether an invitation or the platform's signature says who it is", "flag", values=FLAG),
        Meaning(
            "pay_status", "what became of the person's payment", values="due, approved, paid, rejected, waived or blank"
        ),
        Meaning("comment", "what the person wrote on the last page"),
        Meaning("could_not_see", "at how many items the person could not see the picture", "whole number", "items"),
        Meaning(
            "{field}", "the answer to the end question of that name; blank where there is none", values="as answered"
        ),
    ),
    "notes": (
        WORKER,
        ITEM,
        Meaning("skipped", "whether the person's last word on the item is a skip", "flag", values=FLAG),
        Meaning("skip_reason", "why, at the last skip", values="unclear, undecidable, broken, other or blank"),
        Meaning("flagged", "whether the person flagged the item", "flag", values=FLAG),
        Meaning("comment", "what the person wrote of the item"),
        Meaning("at", "when any of it was changed last, in UTC", "time"),
    ),
    "payments": (
        Meaning("pseudonym", "the person"),
        Meaning("platform_id", "the platform's id of the person, while it is kept"),
        Meaning("session_id", "the platform's id of the session, while it is kept"),
        Meaning("status", "what became of the payment", values="due, approved, paid, rejected or waived"),
        Meaning("amount", "how much", "number", "the column currency"),
        Meaning("currency", "its currency, by its three letters"),
        Meaning("reason", "why it was rejected or waived"),
        Meaning("settled_at", "when it was settled", "time"),
    ),
    "signs": (
        WORKER,
        ITEM,
        Meaning("answers", "how many answers to the item the counts came with", "whole number", "answers"),
        *(Meaning(sign.name, sign.meaning, "flag" if sign.most == 1 else "whole number", sign.unit) for sign in SIGNS),
    ),
    "authenticity": (
        WORKER,
        Meaning("check", "which of the platform's checks", values="texts or automation"),
        Meaning("result", "what the platform's file said", values="high, mixed or low"),
        Meaning("imported_at", "when the file was imported, in UTC, to the minute", "time"),
    ),
    "published-key": (
        Meaning("worker_id", "the name in the published bundle"),
        Meaning("pseudonym", "the name in the study's own exports"),
        Meaning("platform_id", "the platform's id of the person, while it is kept"),
    ),
}


@cache
def files() -> Mapping[str, tuple[Meaning, ...]]:
    """By file the meanings of its columns, those of gold.csv as their declarations say."""
    declared = [column for kind in KINDS for column in statistics_of(kind).gold_columns]
    columns = dict.fromkeys([ITEM_ID, *SIDES, *declared, *CODED])
    gold = (Meaning(one.name, one.meaning, one.value_type, one.unit, one.values) for one in columns)
    return {**_FILES, "gold": (*gold, *_FILES["gold"])}


def meaning_of(file: str, column: str) -> Meaning | None:
    """What a column of a file means; None for one that nobody has declared."""
    exact = next((each for each in files()[file] if each.column == column), None)
    return exact or next((each for each in files()[file] if each.fits(column)), None)


def dictionary(headers: Mapping[str, Iterable[str]]) -> bytes:
    """The dictionary of files with these columns, as CSV: a row per column, those of one kind together."""
    rows: list[tuple[str, ...]] = []
    for file, header in headers.items():
        meanings = dict.fromkeys(one for column in header if (one := meaning_of(file, column)) is not None)
        rows.extend((f"{file}.csv", *astuple(each)) for each in meanings)
    columns = {name: encode([row[index] for row in rows], len(rows)) for index, name in enumerate(HEADER)}
    return b"".join(csv_chunks(columns))


def as_markdown() -> str:
    """The page of the documentation."""
    about = (
        "Every column of every file that goes out. The same stands beside exports and in bundles, for the columns that"
        " a file has. {label}, {worker}, {term}, {index} and {field} stand for any text."
    )
    parts = ["# Data dictionary", about]
    for file, meanings in files().items():
        rows = ["| column | meaning | type | unit | values |", "| --- | --- | --- | --- | --- |"]
        rows += [
            f"| `{one.column}` | {_cell(one.meaning)} | {one.type} | {one.unit} | {one.values} |" for one in meanings
        ]
        parts.append(f"## {file}.csv\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def header_of(content: bytes) -> list[str]:
    r"""The columns of a CSV file as our files write them, which may be cut off anywhere behind its first line.

    >>> header_of(b'item_id,"p:a,b",n\ni1,0.5,2\n')
    ['item_id', 'p:a,b', 'n']
    """
    return [unescape_formula(name) for name in next(csv.reader(io.StringIO(content.decode(errors="ignore"))), [])]
