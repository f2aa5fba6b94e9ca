"""The analysis of a crowd's judgments as a function over a data frame."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from .cells import cells_of
from .errors import Refused
from .own_python import ask, in_python

if TYPE_CHECKING:
    from decimal import Decimal

MOST_NAMED = 30
Progress = Callable[[str], None]


@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """What is known of a crowd: the figures of the report, as data frames and words.

    agreement: a row per statistic and set of judgments ("collected", "kept"): estimate, low and high of its 95 %
        interval, n, in words why it is undefined, and the method.
    ceilings: how well people do, which a model should be compared with.
    gold: a row per item: what people say of it. workers: a row per worker, with what the rules found.
    judgments: as they were given, with whether each is kept and why not.
    methods: the paragraph for a paper. report: everything, as in report.json.
    """

    name: str
    gold: pd.DataFrame
    agreement: pd.DataFrame
    ceilings: pd.DataFrame
    workers: pd.DataFrame
    judgments: pd.DataFrame
    methods: str
    report: Mapping[str, Any]
    packed: bytes = field(repr=False)

    @property
    def excluded(self) -> pd.DataFrame:
        """The workers whose judgments don't count, each with the reason and the evidence."""
        return self.workers.loc[~self.workers["kept"], ["worker_id", "reason", "evidence"]].reset_index(drop=True)

    @property
    def warnings(self) -> list[str]:
        """What the reader of these figures should know."""
        return [in_python(str(warned["text"])) for warned in self.report.get("warnings", ())]

    @property
    def sha256(self) -> str:
        """The hash of the gold, which names this release of it."""
        return str(self.report["release"]["sha256"])

    def save(
        self, folder: str | os.PathLike[str], *, report: bool = True, card: str | os.PathLike[str] | None = None
    ) -> Path:
        """Write the folder that `touchstone analyse` writes: gold.csv, judgments.csv, workers.csv, report.json and
        methods.md, and with `report` the page, figures and tables too.

        An earlier analysis in the folder is replaced; a folder with anything else in it is refused. `card` is a TOML
        file with what only you know of the data.
        """
        asked = {"packed": self.packed, "folder": os.fspath(folder), "report": report}
        for said in ask("save", {**asked, "card": None if card is None else os.fspath(card)}):
            warnings.warn(said, stacklevel=2)
        return Path(folder)

    def __repr__(self) -> str:
        counts = self.report["counts"]
        return (
            f"<Analysis of {self.name}: {counts['workers_kept']:,} of {counts['workers']:,} workers and"
            f" {counts['judgments_kept']:,} of {counts['judgments']:,} judgments of {counts['items']:,} items kept>"
        )

    def _repr_html_(self) -> str:
        from .notebook import page_of

        return page_of(self)


def analyse(
    frame: pd.DataFrame,
    *,
    kind: str | None = None,
    scale: tuple[float | Decimal, float | Decimal] | None = None,
    labels: Sequence[str] = (),
    ordered: bool = False,
    items: pd.DataFrame | None = None,
    repeats: str = "refuse",
    rules: str | os.PathLike[str] | Mapping[str, Any] = "own-bounds",
    seed: int = 1,
    replicates: int = 1_000,
    name: str = "judgments",
    progress: Progress | None = None,
) -> Analysis:
    """Clean a crowd's judgments, make gold of them, and measure how far people agree.

    frame: a row per judgment, with the columns worker_id, item_id and value; what else there may be is what
        judgments.csv may have (docs/formats.md).
    kind: the kind of question: slider, choice, choices, verify, list, text, ranking; guessed where it isn't given.
    scale: the ends of a slider as people saw them, such as (0, 100).
    labels: all possible labels, in order; `ordered` says that their order means something.
    items: a row per item, with item_id and, of checks, their name in `check` and their right answer in min, max or
        expected; without it the items are those of the judgments.
    repeats: what to do with several answers of one worker to one item: refuse, first, last, mean or keep.
    rules: the name of a rule set, a TOML file, or a dictionary of the same shape.
    progress: called with the name of each stage as it begins.

    The same frame, rules and seed give the same figures, on the command line too. `Refused` (a ValueError) names every
    row, counted from 0 as `frame.iloc` does, and column that can't be used.

    >>> import pandas as pd
    >>> answers = {"ann": [90, 20, 60], "bob": [80, 10, 70], "cem": [85, 15, 55]}
    >>> rows = [(who, item, value) for who, given in answers.items() for item, value in zip("xyz", given)]
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
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"frame is a {type(frame).__name__}, not a pandas DataFrame")
    _refuse_missing(frame)
    question = {
        "judgments": cells_of(frame),
        "items": None if items is None else cells_of(items),
        "kind": kind,
        "scale": None if scale is None else _ends(scale),
        "labels": tuple(map(str, labels)),
        "ordered": ordered,
        "repeats": repeats,
        "rules": _plain(rules) if isinstance(rules, Mapping) else os.fspath(rules),
        "seed": int(seed),
        "replicates": int(replicates),
        "name": str(name),
    }
    return Analysis(**ask("analyse", question, progress))


def _refuse_missing(frame: pd.DataFrame) -> None:
    """The columns that every frame needs: which are missing, which are there, and where the index has one."""
    names = [str(name).strip() for name in frame.columns]
    needed = ["worker_id", "item_id", *([] if any(name.startswith("v:") for name in names) else ["value"])]
    missing = [name for name in needed if name not in names]
    if not missing:
        return
    index = [str(name) for name in frame.index.names if name is not None]
    there = [name for name in missing if name in index]
    advice = "its index has " + " and ".join(there) + ": give frame.reset_index()" if there else ""
    if left := [name for name in missing if name not in there]:
        pairs = ", ".join(f'"COLUMN": "{name}"' for name in left)
        advice = "; ".join(filter(None, [advice, f"name yours by frame.rename(columns={{{pairs}}})"]))
    some = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    which = "the column" if len(missing) == 1 else "the columns"
    are = "is" if len(missing) == 1 else "are"
    raise Refused([f"frame: {which} {', '.join(missing)} {are} missing; it has {some or 'none'}; {advice}"])


def _ends(scale: Sequence[float | Decimal]) -> tuple[str, str]:
    from decimal import Decimal

    if len(scale) != 2 or not all(isinstance(end, (Real, Decimal)) and not isinstance(end, bool) for end in scale):
        raise TypeError(f"scale is {scale!r}, not two numbers such as (0, 100)")
    low, high = (format(Decimal(str(end)), "f") for end in scale)
    return low, high


def _plain(rules: Any) -> Any:
    """A copy whose mappings and lists are Python's own."""
    if isinstance(rules, Mapping):
        return {str(key): _plain(value) for key, value in rules.items()}
    if isinstance(rules, (list, tuple)):
        return [_plain(value) for value in rules]
    return rules.item() if hasattr(rules, "item") else rules
