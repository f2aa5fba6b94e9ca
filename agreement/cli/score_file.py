"""`score_file probe.csv … --reference ref.csv`: models against labels from elsewhere, without a database."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from ..kinds.registry import QUESTION_KINDS
from ..typical_filters import AS_PUBLISHED, FILTERS
from .arguments import Progress, add_answer_mapping, add_probe_arguments, label_list, probe_options
from .file_command import Done

HELP = "Scores models against reference labels or numbers, beside constant answers and chance; needs no judgments."


def add_arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("probe", type=Path, nargs="*", metavar="probe.csv", help="models' outputs; without any, constant answers")
    reference = "a CSV with item_id, reference and columns to break scores down by; an items.csv will do"
    add("--reference", type=Path, required=True, metavar="ref.csv", help=reference)
    add("--kind", choices=QUESTION_KINDS, help="the kind of question (default: guessed from the references)")
    labels = "all possible labels, in order (default: those of the references)"
    add("--labels", type=label_list, default=(), metavar="A|B", help=labels)
    synonyms = "other spellings of labels: a CSV with the columns synonym, label"
    add("--synonyms", type=Path, metavar="synonyms.csv", help=synonyms)
    groups = "models that are averaged together: a CSV with the columns probe, group"
    add("--groups", type=Path, metavar="groups.csv", help=groups)
    typical = "the rule that makes probabilities a set of labels for F1 (default: typical)"
    add("--typical", choices=FILTERS, default=AS_PUBLISHED, help=typical)
    add("--out", type=Path, metavar="DIR", help="also write report.json, scores.csv and methods.md there")
    add_answer_mapping(parser)
    add_probe_arguments(parser)


def run(options: Namespace, _progress: Progress) -> Done:
    from ..analysis import models_alone
    from ..report.score_tables import reference_text
    from ..typed_json import object_of

    job = models_alone.ModelsJob(
        probe=tuple(options.probe),
        probe_options=probe_options(vars(options)),
        answer_mapping=tuple(options.answer_mapping),
        reference=options.reference,
        kind=options.kind,
        labels=options.labels,
        synonyms=options.synonyms,
        groups=options.groups,
        typical=options.typical,
        out=options.out,
    )
    report = models_alone.run(job)
    return Done(dict(object_of(report)), lambda: reference_text(report.against_reference))
