"""What every way of writing a model's outputs declares, and which columns of a file are its outputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ..arrays import Floats
from ..errors import remedy
from ..files.cell_texts import labels_of_spelling
from ..files.numbers import decimal_of
from ..files.problems import Problems, quote_cell
from ..files.table import Table
from .answer_mapping.rules import Reply, map_reply
from .probe import AVERAGED, Probe, Run, Shape, StudyItems

if TYPE_CHECKING:
    from .probe_layout import ProbeRows

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Generic[Value]):
    """One way in which a file may ask to be read otherwise: a choice, a list of words, a text, or else a yes or no."""

    name: str  # as stored, and as a field of the form
    default: Value
    choices: tuple[str, ...] = ()
    is_words: bool = False  # words from a file, one on each line; kept as such lines
    is_text: bool = False  # a line of text, such as a column's name
    help: str  # of the command's option
    label: str  # of the form's field

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True, init=False)
class ProbeOptions:
    """How a probe says that it is to be read: the options that were given, by name; the rest have their defaults."""

    values: tuple[tuple[str, object], ...]

    def __init__(self, **values: object) -> None:
        object.__setattr__(self, "values", tuple(sorted(values.items())))

    def __getitem__(self, option: Option[Value]) -> Value:
        return cast("Value", dict(self.values).get(option.name, option.default))


DEFAULT = ProbeOptions()


def without(options: ProbeOptions, *followed: Option[Any]) -> ProbeOptions:
    """The options but for those that were followed already."""
    names = {option.name for option in followed}
    return ProbeOptions(**{name: value for name, value in options.values if name not in names})


@dataclass(frozen=True, slots=True)
class NumbersReader:
    """How a file of nothing but `item_id` and columns of numbers is read; None where anything is to be refused.

    `read` takes the numbers [R, C] of the columns that a study's file has, and [R] the place of each row's item.
    """

    columns: Callable[[StudyItems], Sequence[str]]
    read: Callable[[Floats, npt.NDArray[np.int64], StudyItems, str], Probe | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeFormat:
    """One way of writing outputs. `columns` is its header as the manual has it, `example` as the page does.

    A file is of the first format, in the order of `tried`, whose columns it has: `told_by` takes the names of all.
    """

    order: int  # in lists
    tried: int
    columns: str
    example: str = ""
    row_meaning: str  # what a row is, for the page
    told_by: Callable[[AbstractSet[str]], bool]
    says: str = ""  # how a refusal names the columns that say what the model gives
    key: str = "item_id"  # the column that each row is told by
    key_says: str = ""  # how a refusal names another one
    read: Callable[[ProbeRows, str], Probe]
    options: tuple[Option[Any], ...] = ()
    quick: NumbersReader | None = None


def unreadable(name: str, shape: Shape = "numbers") -> Probe:
    """A probe without outputs, whose problems are said elsewhere."""
    return Probe(name, shape, ())


def values_on_items(values: Floats, rows: npt.NDArray[np.int64], study: StudyItems) -> Floats:
    """Rows of values on the study's items, NaN where there is none."""
    item_values: Floats = np.full((len(study.ids), *values.shape[1:]), np.nan)
    item_values[rows] = values
    return item_values


def only_run(name: str, shape: Shape, values: Floats) -> Probe:
    return Probe(name, shape, (Run({}, values),))


# Which columns of a model's file are its outputs: named by options, and refused where explanations look like
# them.

OUTPUT: Option[str] = Option(
    name="output",
    default="",
    is_text=True,
    help="the column of models' files that holds the output, where it isn't called as the formats call it",
    label="Column with the outputs",
)
IGNORE: Option[str] = Option(
    name="ignore_columns",
    default="",
    is_text=True,
    help="columns of models' files that are neither outputs nor settings, such as explanations; several with | between",
    label="Columns to ignore",
)
ID_COLUMN: Option[str] = Option(
    name="id_column",
    default="",
    is_text=True,
    help="the column of models' files that names the item, where it isn't item_id",
    label="Column that names the item",
)
MODEL_COLUMN: Option[str] = Option(
    name="model_column",
    default="",
    is_text=True,
    help="the column of a file of several models that names the model (default: model)",
    label="Column that names the model",
)
ID, MODEL = "item_id", "model"
USUAL_IDS = ("id", "item", "example", "question", "custom", "doc", "index", "idx")
USUAL = ("output", "answer", "response", "prediction", "predicted", "pred", "completion", "generation")
# One file can't say in two ways what the model gives.
WAYS = ("text", "label", "score")
# Columns that say how a reply ended, what it thought, and which options it was sent: none of them is a setting.
FINISH = ("finish_reason", "stop_reason")
DECLINED, ORDER = "refusal", "options"
LOG_PROBABILITIES = ("logprob", "logprob_prior", "tokens")  # columns beside the label that they are of
OF_REPLIES = (*FINISH, DECLINED, ORDER, "reasoning", "reasoning_content", "thinking")
LEAST_ITEMS = 3
WORDS = 3  # from so many words on average a text that is no label reads like an explanation


def columns_as_told(table: Table, study: StudyItems, options: ProbeOptions, problems: Problems) -> Table:
    """The table without the columns to ignore, and with the one of the outputs under its format's name."""
    ignored, output = {part.strip() for part in options[IGNORE].split("|") if part.strip()}, options[OUTPUT].strip()
    item = options[ID_COLUMN].strip()
    for name in sorted({*ignored, *filter(None, [output, item, options[MODEL_COLUMN].strip()])} - table.columns.keys()):
        problems.whole(f"there is no column {name}; it has the columns {', '.join(table.columns)}")
    if not (ignored or output or item) or len(problems):
        return table
    left = {name: column for name, column in table.columns.items() if name not in ignored}
    if item:
        left.pop(ID if item != ID else "", None)
        left = {ID if name == item else name: column for name, column in left.items()}
    if output:
        ours = _column_for(table, output, study)
        left.pop(ours if output != ours else "", None)
        left = {ours if name == output else name: column for name, column in left.items()}
    return replace(table, columns=left)


def _column_for(table: Table, output: str, study: StudyItems) -> str:
    """What the formats call such outputs: labels where the study has some, else numbers where any is one."""
    if study.labels:
        return "label"
    return "score" if any(decimal_of(value) is not None for value in table.columns[output].values) else "text"


def how_to_name_the_item(columns: Collection[str]) -> str:
    """What to do where no column is called item_id.

    >>> from agreement.errors import sentence_for
    >>> sentence_for(how_to_name_the_item(["question_id", "model", "output"]), "command")
    "; --id-column 'question_id' takes that column for it"
    """
    if not columns:
        return ""
    likely = next((name for word in USUAL_IDS for name in columns if word in name.lower()), next(iter(columns)))
    takes = remedy(
        command=f"{ID_COLUMN.flag} '{likely}' takes that column for it",
        python=f'rename the column that names the item: frame.rename(columns={{{likely!r}: "item_id"}})',
        page=f"the field {ID_COLUMN.name} takes {likely!r} for it",
    )
    return f"; {takes}"


def models_in(table: Table, options: ProbeOptions) -> dict[str, Table]:
    """The table of each model of a file of several, by the model's name; nothing where it is of one."""
    name = options[MODEL_COLUMN].strip() or MODEL
    if name not in table.columns:
        return {}
    column = table.columns[name].used()
    if len(column.values) < 2:
        return {}
    columns = {each: cells for each, cells in table.columns.items() if each != name}
    of_all = replace(table, columns=columns)
    return {
        model.strip() or "(blank)": of_all.take(column.codes == code).without_unused()
        for code, model in enumerate(column.values)
    }


def without_constant_settings(probe: Probe) -> Probe:
    """The probe with what is the same in every row as a note: it is no setting, for no two outputs differ by it."""
    values: dict[str, set[str]] = {}
    settings = [dict(setting) for setting in (*probe.settings, *probe.perplexities)]
    for setting in settings:
        for name, value in setting.items():
            values.setdefault(name, set()).add(value)
    constant = {name: min(of) for name, of in values.items() if len(of) == 1 and all(name in one for one in settings)}
    if not constant:
        return probe
    runs = tuple(
        replace(run, keys={name: value for name, value in run.keys.items() if name not in constant})
        for run in probe.runs
    )
    perplexities = {
        tuple(pair for pair in setting if pair[0] not in constant): one for setting, one in probe.perplexities.items()
    }
    notes = [f"{name} is {quote_cell(value)} in every row, and no setting" for name, value in constant.items()]
    return replace(probe, runs=runs, perplexities=perplexities, notes=(*probe.notes, *notes))


def how_to_name(columns: Collection[str]) -> str:
    """What to do where no column is called as a format calls it; nothing where there is only the id.

    >>> from agreement.errors import sentence_for
    >>> sentence_for(how_to_name(["item_id", "prompt", "model_answer"]), "command")
    "; --output 'model_answer' takes that column for it"
    """
    others = [name for name in columns if name != ID]
    if not others:
        return ""
    likely = next((name for word in USUAL for name in others if word in name.lower()), others[0])
    takes = remedy(
        command=f"{OUTPUT.flag} '{likely}' takes that column for it",
        python=f'rename the column of outputs: frame.rename(columns={{{likely!r}: "label"}}), or "score", "text"',
        page=f"the field {OUTPUT.name} takes {likely!r} for it",
    )
    return f"; {takes}"


def refuse_unclear(table: Table, study: StudyItems, problems: Problems) -> None:
    """What would be scored as something else than it is: a file in two formats, explanations as settings or labels."""
    if ID not in table.columns or not len(table):
        return
    names = ", ".join(table.columns)
    ways = [name for name in WAYS if name in table.columns]
    if len(ways) > 1 and not {"candidate", "probability"} & table.columns.keys():
        other = next((name for name in ways if name != "label"), "") if study.labels else "text"
        other = other if other in ways else "label"
        problems.whole(
            f"the columns {' and '.join(ways)} both say what the model gives (it has {names}); if {other} is an"
            f" explanation or a note, {IGNORE.flag} {other}"
        )
        return
    if "label" in table.columns and study.labels:
        _refuse_explanations(table, study, problems)
    _refuse_single_rows(table, study, problems)


def _refuse_explanations(table: Table, study: StudyItems, problems: Problems) -> None:
    """Sentences of which not one is a label of the study."""
    texts = [value.strip() for value in table.columns["label"].values]
    parts = {
        label
        for value in texts
        for part in value.split("|")
        for label in labels_of_spelling(part.strip(), study.synonyms)
    }
    own = (value for values in study.options or () for value in values)
    as_seen = {label.casefold() for label in (*study.labels, *own)}
    if any(part.casefold() in as_seen for part in parts) or len(texts) <= max(len(study.labels), LEAST_ITEMS):
        return
    others = [name for name in table.columns if name not in (ID, "label")]
    are_elsewhere = any(
        {value.strip().casefold() for value in table.columns[name].values} <= as_seen for name in others
    )
    if sum(len(value.split()) for value in texts) < WORDS * len(texts):
        return
    if not are_elsewhere and says_an_answer(texts, study):
        return
    advice = f"; if another column has the labels, such as {others[0]}, {OUTPUT.flag} {others[0]}" if others else ""
    problems.whole(
        f"column label: none of {len(texts):,} different texts, such as {quote_cell(texts[0])}, is one of the labels"
        f" {', '.join(study.labels)}; they read like explanations{advice}, else write the labels alone into a column"
    )


def says_an_answer(texts: Sequence[str], study: StudyItems) -> bool:
    """Whether the rules map one of the texts."""
    space = study.answer_space
    return any(text in study.answer_table.decided or map_reply(Reply(text), space).values for text in texts)


def _refuse_single_rows(table: Table, study: StudyItems, problems: Problems) -> None:
    """Columns that would make a setting of nearly every row, or part the items so that no setting has them all."""
    outputs = {ID, *WAYS, *OF_REPLIES, *LOG_PROBABILITIES, "answer", "candidate", "probability", "brackets", "span"}
    if not any(name in outputs - {ID} or name.startswith("p:") for name in table.columns):
        return
    extra = [name for name in table.columns if name not in outputs and not name.startswith("p:")]
    settings = [name for name in extra if name not in AVERAGED and len(table.columns[name].used().values) > 1]
    rows, ids = len(table), table.columns[ID]
    within = next((table.columns[name] for name in ("candidate", "label") if _is_per_label(table, name)), None)
    place = ids.codes.astype(np.int64)
    if within is not None:
        place = place * len(within.values) + within.codes
    if not settings or len(study.ids) < LEAST_ITEMS or len(np.unique(ids.codes)) < LEAST_ITEMS:
        return
    own = [name for name in settings if len(table.columns[name].used().values) > rows / 2]
    if not own and len(np.unique(place)) < rows:
        return  # items come up again, as they do in another setting
    named = own if own and len(np.unique(place)) < rows else settings
    flag = f"{IGNORE.flag} '{'|'.join(named)}'"
    column = "column" if len(named) == 1 else "columns"
    problems.whole(
        f"{column} {', '.join(named)}: every column beside the output is a setting whose items are scored apart, and"
        f" these values part {rows:,} outputs so that no item has one in two settings (it has"
        f" {', '.join(table.columns)}); if that is an explanation, a time or the like, {flag}"
    )


def _is_per_label(table: Table, name: str) -> bool:
    """Whether an item has a row for each candidate or label."""
    return name in table.columns and (name == "candidate" or bool({"probability", "logprob"} & table.columns.keys()))
