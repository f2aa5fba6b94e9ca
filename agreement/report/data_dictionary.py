"""The data dictionary: what every column of every file that goes out means, its type, unit and values."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass

from ..files.table import encode
from ..files.writing import csv_chunks, unescaped

NAME = "data-dictionary.csv"
LONGEST_HEADER = 1 << 20
HEADER = ("file", "column", "meaning", "type", "unit", "values")


@dataclass(frozen=True, slots=True)
class Meaning:
    """`column` may hold {label}, {worker}, {term} or {field}, which stand for any text."""

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
LEFT = Meaning("left", "the first term of the item's pair; blank for items that are no pairs")
RIGHT = Meaning("right", "the second term of the item's pair; blank for items that are no pairs")
VALUE_WORDS = (
    "the answer: a number on the scale, one label, labels or properties with | between, labels in order with | between,"
    " or a text; blank for answers of several numbers, which stand in columns v:"
)

FILES: Mapping[str, tuple[Meaning, ...]] = {
    "judgments": (
        WORKER,
        ITEM,
        Meaning("value", VALUE_WORDS, "number or text", SCALE),
        Meaning("v:{label}", "of answers that are a number per label, the number of this label", "number", SCALE),
        Meaning("kind", "what the item is for", values="target, check or practice"),
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
            "worker_could_not_see", "at how many items the worker could not see the picture", "whole number", "items"
        ),
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
    ),
    "gold": (
        ITEM,
        LEFT,
        RIGHT,
        Meaning("mean", "mean of the kept answers", "number", SCALE),
        Meaning("median", "median of the kept answers", "number", SCALE),
        Meaning("sd", "standard deviation of the kept answers, with n - 1", "number", SCALE),
        N,
        Meaning("ci_low", "lower end of the 95 % interval of the mean", "number", SCALE),
        Meaning("ci_high", "upper end of the 95 % interval of the mean", "number", SCALE),
        Meaning("trimmed_mean", "mean without the lowest and the highest tenth of the answers", "number", SCALE),
        Meaning("z_mean", "mean of the answers after each worker's were standardised", "number", "standard deviations"),
        Meaning("median_ci_low", "lower end of the 95 % interval of the median", "number", SCALE),
        Meaning("median_ci_high", "upper end of the 95 % interval of the median", "number", SCALE),
        Meaning(
            "label", "the label that most people gave; all that tie, with | between; of a ranking one label of the item"
        ),
        Meaning("tied", "whether labels tie", "flag", values=FLAG),
        Meaning("entropy", "how much people's labels differ", "number", "bits"),
        Meaning(
            "p:{label}",
            "share of people who gave this label; of numbers per label, its mean share",
            "number",
            values=SHARE,
        ),
        Meaning("typical", "the labels that are typical of the item, with | between"),
        Meaning("n:{label}", "how many people gave this label", "whole number", "people"),
        Meaning("dawid_skene", "the label that the model of Dawid and Skene finds most probable"),
        Meaning("dawid_skene_p", "its probability by that model", "number", values=SHARE),
        Meaning("mace", "the label that the model MACE finds most probable"),
        Meaning("mace_p", "its probability by that model", "number", values=SHARE),
        Meaning("property", "a property that somebody named"),
        Meaning("frequency", "how many people named it", "whole number", "people"),
        Meaning("property_relation", "the relation that researchers coded it as"),
        Meaning("property_feature", "the feature that researchers coded it as"),
        Meaning("property_type", "the type that researchers coded it as"),
        Meaning("text", "a text that somebody wrote"),
        Meaning("mean_rank", "mean of the places that people gave the label, 1 being the first", "number", "places"),
        Meaning("kendall_w", "how far people agree on the item's order (Kendall's W)", "number", values=SHARE),
        FIELD,
    ),
    "labels": (ITEM, N, Meaning("n:{label}", "how many people gave this label", "whole number", "people")),
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
            values="entered, declined, failed-comprehension, working, finished, returned, timed-out, rejected or"
            " withdrawn",
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
    "published-key": (
        Meaning("worker_id", "the name in the published bundle"),
        Meaning("pseudonym", "the name in the study's own exports"),
        Meaning("platform_id", "the platform's id of the person, while it is kept"),
    ),
}


def meaning_of(file: str, column: str) -> Meaning | None:
    """What a column of a file means; None for one that nobody has declared."""
    exact = next((each for each in FILES[file] if each.column == column), None)
    return exact or next((each for each in FILES[file] if each.fits(column)), None)


def dictionary(headers: Mapping[str, Iterable[str]]) -> bytes:
    """The dictionary of files with these columns, as CSV: a row per column, those of one kind together."""
    rows: list[tuple[str, ...]] = []
    for file, header in headers.items():
        found = dict.fromkeys(one for column in header if (one := meaning_of(file, column)) is not None)
        rows.extend((f"{file}.csv", *astuple(each)) for each in found)
    columns = {name: encode([row[at] for row in rows], len(rows)) for at, name in enumerate(HEADER)}
    return b"".join(csv_chunks(columns))


def as_markdown() -> str:
    """The page of the documentation."""
    about = (
        "Every column of every file that goes out. The same stands beside exports and in bundles, for the columns that"
        " a file has. {label}, {worker}, {term} and {field} stand for any text."
    )
    parts = ["# Data dictionary", about]
    for file, meanings in FILES.items():
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
    return [unescaped(name) for name in next(csv.reader(io.StringIO(content.decode(errors="ignore"))), [])]
