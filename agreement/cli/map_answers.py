"""`map answers.jsonl STUDY|items.csv --out mapping.csv`: what models' answers in their own words stand for.

A site's command takes a study; without a site the labels come from a file of items or from `--labels`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import Refused
from ..files.cell_texts import one_line
from ..files.problems import quote_cell
from ..kinds.registry import QUESTION_KINDS
from ..report.agreement_words import said_figure
from ..scoring.answer_mapping.mapping_table import NONE, AnswerTable, draw_sample, read_checked, read_tables, sample_csv
from ..scoring.harness_files import ANSWERS, model_table
from ..scoring.probe import Probe, StudyItems
from ..scoring.probe_file import probe_of_raw_answers
from ..scoring.probe_format import ProbeOptions
from ..typed_json import object_of
from .arguments import (
    Progress,
    add_answer_mapping,
    add_probe_arguments,
    label_list,
    probe_options,
    scale,
    seed,
    write_new,
)

HELP = "Maps models' answers in their own words to a study's labels, numbers or lists, by rules and by hand."
MOST_LISTED = 10


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("answers", type=Path, metavar="answers.jsonl", help="models' answers: CSV or JSON Lines with item_id, answer")
    add("study", metavar="STUDY|items.csv", help="the study's short name, or a file of its items with references")
    add("--out", type=Path, required=True, metavar="mapping.csv", help="the table to write: a row per answer")
    add("--kind", choices=QUESTION_KINDS, help="of a file: the kind of question (default: guessed from references)")
    add("--labels", type=label_list, default=(), metavar="A|B", help="of a file: all possible labels, in order")
    add("--scale", type=scale, metavar="A:B", help="of a file: the ends of the slider")
    synonyms = "of a file: other spellings of labels, a CSV with the columns synonym, label"
    add("--synonyms", type=Path, metavar="synonyms.csv", help=synonyms)
    sample = "also write so many answers, drawn at random, to a file in which you mark those that are right"
    add("--sample", type=int, metavar="N", help=sample)
    add("--seed", type=seed, default=1, metavar="N", help="the seed of the sample (default: 1)")
    checked = "a sample whose column right you have filled with 1 and 0: says how right the mapping is"
    add("--checked", type=Path, metavar="sample.csv", help=checked)
    add_answer_mapping(parser)
    add_probe_arguments(parser)


def run(options: Namespace, _progress: Progress) -> dict[str, object]:
    return mapped(options, study_of_file(options), probe_options(vars(options)))


def study_of_file(options: Namespace) -> StudyItems:
    """Items and labels of a file."""
    from ..analysis.models_alone import ModelsJob, crowd_without_judgments
    from ..analysis.score_probes import study_items
    from ..judgments.synonyms_file import read_synonyms

    path = Path(options.study)
    if not path.is_file():
        raise Refused(f"{path}: there is no such file; name the file of the study's items, with its references")
    kind = options.kind or ("slider" if options.scale else "choice" if options.labels else None)
    job = ModelsJob(probe=(), reference=path, kind=kind, labels=options.labels, synonyms=options.synonyms)
    crowd = crowd_without_judgments(job, {} if options.synonyms is None else read_synonyms(options.synonyms))
    study = study_items(crowd)
    if study.answers == "number" and options.scale is None and options.kind is None and not options.labels:
        raise Refused(
            f"{path.name} has no references that say which labels there are; name them with --labels 'A|B', or the ends"
            " of a slider with --scale 0:100"
        )
    return study if options.scale is None else replace(study, scale=options.scale)


def mapped(options: Namespace, study: StudyItems, how_read: ProbeOptions) -> dict[str, Any]:
    """Maps the file and writes the table; says what it did."""
    study = replace(study, answer_table=read_tables(options.answer_mapping, study.answer_space))
    checked = None if options.checked is None else read_checked(options.checked).accuracy()
    probe = _probe_of_answers(options.answers, study, how_read)
    table, counts = probe.answer_table, probe.answers
    files = {options.out: table.csv()}
    if options.sample:
        drawn = draw_sample(table, options.sample, options.seed)
        files[options.out.with_name(f"{options.out.stem}-sample.csv")] = sample_csv(drawn)
    if existing := [path for path in files if path.exists()]:
        raise Refused([f"{path} is there already: name another file, or remove it." for path in existing])
    for path, content in files.items():
        write_new(path, content)
    return {
        "answers": {} if counts is None else dict(object_of(counts)),
        "different": len(table.rows),
        "unmapped": [[row.answer, row.count] for row in _unmapped(table)[:MOST_LISTED]],
        "files": [str(path) for path in files],
        **({} if checked is None else {"accuracy": dict(object_of(checked)), "accuracy_text": said_figure(checked)}),
    }


def _probe_of_answers(path: Path, study: StudyItems, how_read: ProbeOptions) -> Probe:
    table = model_table(path, study, ANSWERS)
    return probe_of_raw_answers(table, study, name=path.stem, options=how_read)


def _unmapped(table: AnswerTable) -> list[Any]:
    return [row for row in table.rows if row.rule == NONE]


def say(answer: dict[str, Any]) -> str:
    counts, first = answer["answers"], answer["files"][0]
    ways = [f"  {rule:<14} {times:>8,}" for rule, times in counts["by_rule"].items()]
    of_all = f"{counts['mapped']:,} of {counts['answers']:,} answers ({answer['different']:,} different)"
    lines = [
        f"{of_all} were mapped by the rules of version {counts['rules']}.",
        f"{counts['refused']:,} refused, {counts['truncated']:,} truncated, {counts['unmapped']:,} unmapped.",
        *ways,
    ]
    if answer["unmapped"]:
        lines += ["", "Most frequent among the unmapped:"]
        lines += [f"  {times:>6,}  {quote_cell(one_line(text))}" for text, times in answer["unmapped"]]
        lines += ["", f"Fill in their value in {first} and give it to --answer-mapping."]
    if "accuracy_text" in answer:
        lines += ["", f"Of the checked sample {answer['accuracy_text']} were rightly mapped."]
    return "\n".join([*lines, "", f"Written: {', '.join(answer['files'])} (SHA-256 {counts['table']})"])
