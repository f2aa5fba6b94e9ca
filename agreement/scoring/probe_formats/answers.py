"""`item_id,answer`: what a model replied, in its own words, mapped to labels, numbers or lists by rules and a table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import numpy as np
import numpy.typing as npt

from ...arrays import Floats
from ...errors import option
from ...files.cell_texts import normalised_name, split_bars
from ...files.table import Column
from ..answer_mapping.mapping_table import AnswerCounts, Mapper
from ..answer_mapping.rules import MappedAnswer, Reply, whole_chat
from ..label_metrics import tops_as_shares
from ..probe import OUTCOMES, Probe, Run, StudyItems
from ..probe_format import DECLINED, FINISH, OF_REPLIES, ORDER, Option, ProbeFormat, unreadable
from ..probe_layout import ProbeRows

ANSWER = "answer"

UNMAPPED: Option[str] = Option(
    name="unmapped",
    default="wrong",
    choices=("wrong", "left-out"),
    help="whether models' answers that are refusals, truncated or mapped to nothing count as wrong",
    label="Answers that are mapped to nothing are",
)
OPTION_ORDER: Option[str] = Option(
    name="option_order",
    default="",
    is_text=True,
    help="the options in the order in which prompts had them, with | between, where letters or numbers stand for them",
    label="Options in the order of the prompts",
)


@dataclass(frozen=True, slots=True, eq=False)
class MappedRows:
    """What became of each row: `codes` [R] into `answers` and `texts`, each different reply once."""

    study: StudyItems
    mapper: Mapper
    texts: Sequence[str]  # of each different reply
    answers: Sequence[MappedAnswer]
    codes: npt.NDArray[np.int64]
    are_left_out: bool

    def on(self, probe: Probe, item: npt.NDArray[np.int64], run: npt.NDArray[np.int64]) -> Probe:
        """The probe with what became of its answers; of each output, 0 where it was mapped or there is none."""
        code_of = np.array([OUTCOMES.index(one.outcome) for one in self.answers], dtype=np.int8)
        outcomes = np.zeros((len(probe.runs), len(self.study.ids)), dtype=np.int8)
        fine = item >= 0
        outcomes[run[fine], item[fine]] = code_of[self.codes[fine]]
        counts = self.mapper.counts(are_left_out=self.are_left_out)
        return replace(
            probe,
            runs=tuple(replace(run, outcomes=row) for run, row in zip(probe.runs, outcomes, strict=True)),
            answers=counts,
            answer_table=self.mapper.made_table(),
            notes=(*probe.notes, answers_in_words(counts, probe.shape)),
        )


def mapped_rows(
    rows: ProbeRows, texts: Column, item: npt.NDArray[np.int64], exact: dict[str, MappedAnswer] | None = None
) -> MappedRows:
    """Every reply of a column mapped once, however often it comes; items with labels of their own apart. `exact` are
    texts that need no rule.
    """
    columns, options = rows.table.columns, rows.study.options
    mapper = Mapper(rows.study.answer_space, rows.study.answer_table)
    beside = {each: columns[each] for each in OF_REPLIES if each in columns}
    key = texts.codes.astype(np.int64) if options is None else texts.codes * (len(options) + 1) + item + 1
    for column in beside.values():
        key = np.unique(key * (len(column.values) + 1) + column.codes, return_inverse=True)[1].astype(np.int64)
    _, first, codes, times = np.unique(key, return_index=True, return_inverse=True, return_counts=True)
    sent = tuple(split_bars(rows.options[OPTION_ORDER])) if rows.options[OPTION_ORDER] else ()
    replies, answers = [], []
    for row, count in zip(first.tolist(), times.tolist(), strict=True):
        cells = {each: column.values[column.codes[row]] for each, column in beside.items()}
        finish = next((cells[each] for each in FINISH if cells.get(each)), "")
        reply = Reply(texts.values[texts.codes[row]], finish, cells.get(DECLINED, ""))
        own = options[item[row]] if options is not None and item[row] >= 0 else ()
        if exact is not None and reply.text in exact and not (reply.finish or reply.refusal):
            mapped = mapper.counted(reply.text, exact[reply.text], count, own)
        else:
            order = tuple(split_bars(cells[ORDER])) if cells.get(ORDER) else sent
            mapped = mapper.map(reply, order, count, own)
        replies.append(reply.text)
        answers.append(mapped)
    left_out = rows.options[UNMAPPED] == "left-out"
    return MappedRows(rows.study, mapper, replies, answers, codes.astype(np.int64), left_out)


def refuse_chats(rows: ProbeRows, name: str) -> None:
    """A cell with a whole chat has the question's words in it: no rule may look for labels there."""
    column = rows.table.columns[name]
    why = {value: reason for value in column.values if (reason := whole_chat(value))}
    bad = column.rows_where(why.__contains__)
    limit = "holds a whole chat; write the model's last message alone into it"
    rows.problems.cells(rows.table.rows[bad], name, column.codes[bad], column.values, limit)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    """Replies on their places: [R] the item and the run of each, the runs' keys, and what became of them."""

    name: str
    study: StudyItems
    mapped: MappedRows
    item: npt.NDArray[np.int64]
    run: npt.NDArray[np.int64]
    keys: list[dict[str, str]]

    def spread(self, of_answer: Floats, width: tuple[int, ...] = ()) -> Floats:
        """[runs, N, ...] what each different answer [A, ...] stands for, NaN where there is no output."""
        values: Floats = np.full((len(self.keys), len(self.study.ids), *width), np.nan)
        fine = self.item >= 0
        values[self.run[fine], self.item[fine]] = of_answer[self.mapped.codes[fine]]
        return values

    def labels(self) -> Probe:
        """Shares of the study's labels, and behind them one column for what is none of them."""
        code_of = {label: number for number, label in enumerate(self.study.labels)}
        shares = np.zeros((len(self.mapped.answers), len(code_of) + 1))
        for number, answer in enumerate(self.mapped.answers):
            places = [code_of[label] for label in answer.values] or [len(code_of)]
            shares[number, places] = 1 / len(places)
        values = self.spread(shares, shares.shape[1:])
        runs = (Run(key, row, has_probabilities=False) for key, row in zip(self.keys, values, strict=True))
        return Probe(self.name, "labels", tuple(runs))

    def numbers(self) -> Probe:
        numbers = np.array([float(one.values[0]) if one.values else np.nan for one in self.mapped.answers])
        return Probe(self.name, "numbers", tuple(map(Run, self.keys, self.spread(numbers))))

    def order(self) -> Probe:
        """The first label has the highest score."""
        code_of = {label: number for number, label in enumerate(self.study.labels)}
        scores = np.full((len(self.mapped.answers), len(code_of)), np.nan)
        for number, answer in enumerate(self.mapped.answers):
            for place, label in enumerate(answer.values):
                scores[number, code_of[label]] = len(code_of) - place
        rows = zip(self.keys, self.spread(scores, scores.shape[1:]), strict=True)
        runs = (Run(key, tops_as_shares(row), has_probabilities=False, scores=row) for key, row in rows)
        return Probe(self.name, "labels", tuple(runs))

    def list(self) -> Probe:
        """A ranking of properties, the first named first."""
        named = [tuple(dict.fromkeys(map(normalised_name, one.values))) for one in self.mapped.answers]
        words = tuple(dict.fromkeys(word for of_answer in named for word in of_answer))
        code_of = {word: number for number, word in enumerate(words)}
        scores = np.full((len(named), len(words)), np.nan)
        for number, of_answer in enumerate(named):
            for place, word in enumerate(of_answer):
                scores[number, code_of[word]] = -place
        values = self.spread(scores, scores.shape[1:])
        return Probe(self.name, "ranking", tuple(map(Run, self.keys, values)), vocabulary=words)

    def text(self) -> Probe:
        texts = [[""] * len(self.study.ids) for _ in self.keys]
        for run, item, code in zip(self.run.tolist(), self.item.tolist(), self.mapped.codes.tolist(), strict=True):
            if item >= 0 and self.mapped.answers[code].values:
                texts[run][item] = self.mapped.answers[code].values[0]
        none = np.zeros(0)
        runs = (Run(key, none, tuple(row)) for key, row in zip(self.keys, texts, strict=True))
        return Probe(self.name, "texts", tuple(runs))


def read_answers(rows: ProbeRows, name: str) -> Probe:
    """By what answers of the study are."""
    refuse_chats(rows, ANSWER)
    item, run, keys = rows.placed((ANSWER, *of_replies(rows)))
    if rows.study.answers in ("label", "labels", "order") and rows.has_no_labels():
        return unreadable(name, "labels")
    mapped = mapped_rows(rows, rows.table.columns[ANSWER], item)
    refuse_foreign_table(rows, mapped)
    laid = _Laid(name, rows.study, mapped, item, run, keys)
    match rows.study.answers:
        case "number":
            probe = laid.numbers()
        case "order":
            probe = laid.order()
        case "properties":
            probe = laid.list()
        case "words":
            probe = laid.text()
        case "label" | "labels":
            probe = laid.labels()
        case never:
            assert_never(never)
    return mapped.on(probe, item, run)


def of_replies(rows: ProbeRows) -> tuple[str, ...]:
    """The columns that say more of a reply, and are neither outputs nor settings."""
    return tuple(each for each in OF_REPLIES if each in rows.table.columns)


def refuse_foreign_table(rows: ProbeRows, mapped: MappedRows) -> None:
    """A table that has none of the answers is of another file or study."""
    decided = rows.study.answer_table.decided
    if decided and not any(text in decided for text, *_ in mapped.mapper.seen):
        rows.problems.whole(
            f"none of its {len(mapped.mapper.seen):,} different answers is in the table that"
            f" {option('answer-mapping')} names; is the table of another study?"
        )


def answers_in_words(counts: AnswerCounts, shape: str) -> str:
    """What is said beside the scores of a model whose answers were mapped."""
    ways = ", ".join(
        f"{rule} {times:,}" for rule, times in counts.by_rule.items() if rule not in ("none", "status", "refusal-words")
    )
    lacks = f"{counts.refused:,} refused, {counts.truncated:,} truncated, {counts.unmapped:,} unmapped"
    can_be_wrong = shape == "labels" and not counts.are_left_out
    end = f", which {'count as wrong' if can_be_wrong else 'are left out'}" if counts.not_mapped else ""
    return (
        f"{counts.mapped:,} of {counts.answers:,} answers were mapped by the rules of version {counts.rules}"
        f" ({ways or 'none'}); {lacks}{end}; table {counts.table[:12]}"
    )


RAW_ANSWER = ProbeFormat(
    order=12,
    tried=11,
    columns="item_id,answer",
    row_meaning="what the model replied, in its own words, mapped to labels by rules",
    told_by=lambda columns: ANSWER in columns,
    says="answer",
    read=read_answers,
    options=(UNMAPPED, OPTION_ORDER),
)

FORMATS = (RAW_ANSWER,)
