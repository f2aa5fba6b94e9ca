"""gold.csv as it was released, and the tables made of it; workers.csv made again from the frozen set and its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import chain

import numpy as np

from agreement.analysis.output_tables import workers_table
from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.decided_by_hand import Decision
from agreement.cleaning.rule_set import RuleSet
from agreement.errors import Refused
from agreement.files.writing import csv_cell, csv_chunks
from agreement.gold.gold_columns import ITEM_ID
from agreement.judgments.crowd import answer_texts
from agreement.scoring.norms import COLUMNS as NORMS
from agreement.scoring.norms import norms_of_gold
from agreement.scoring.similarity_matrices import SimilarityMatrix, matrix_of_people
from annotation.models import Payment, Study
from annotation.people.payment_lists import payments_table
from annotation.releases.actions.freezing import by_hand_of
from annotation.releases.actions.rule_sets import rules_of
from annotation.releases.exports.export_files import json_line, json_lines
from annotation.releases.exports.judgment_stream import CSV, Form, platform_ids, written
from annotation.releases.from_database.answer_columns import scale_of
from annotation.releases.from_database.reading_judgments import crowd_of
from annotation.releases.from_database.study_history import released_gold
from annotation.releases.models import Exclusion, GoldRelease
from annotation.releases.release_quotes import lines_of

COUNT = "n:"  # what gold.csv's counts of labels begin with
NO_RULES = RuleSet("none", "1", drop_unchecked=False, minimum_checks=0, rules=())


def gold(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """As CSV, the bytes that the release's hash was taken of; of texts and lists without what was withdrawn since."""
    if not form.as_json_lines:
        yield csv_line(release.columns)
    line = partial(json_line, release.columns) if form.as_json_lines else csv_line
    for portion in lines_of(release):
        yield b"".join(map(line, portion))


def peoples_matrix(release: GoldRelease) -> SimilarityMatrix | None:
    """How similar people find each two terms; None where the items aren't pairs of terms that share pairs."""
    if release.published.results.similarity_matrix is None:
        return None
    return matrix_of_people(released_gold(release), scale_of(release.study))


def similarity_matrix(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    found = peoples_matrix(release)
    if found is None:
        raise Refused(
            f"{release.study.slug} has no matrix of similarities: that takes pairs of terms, each with a number, and at"
            " least half of all pairs of these terms."
        )
    if form.as_json_lines:
        raise Refused("A matrix of similarities is written as CSV: name a file that ends in .csv.")
    return iter([found.matrix.csv()])


def labels(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """How many people gave each label to each item: soft labels, with nothing else."""
    counts = [name for name in release.columns if name.startswith(COUNT)]
    if not counts:
        raise Refused(f"Counts of labels are made of labels, and {release.study.slug} is of kind {release.study.kind}.")
    columns = [ITEM_ID.name, "n", *counts]
    at = [release.columns.index(name) for name in columns]
    line = partial(json_line, columns) if form.as_json_lines else csv_line
    head = [] if form.as_json_lines else [csv_line(columns)]
    portions = (b"".join(line([cells[k] for k in at]) for cells in portion) for portion in lines_of(release))
    return chain(head, portions)


def wide(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """The kept judgments of target items as items x workers, blank where a worker did not judge an item."""
    cleaning = cleaning_of(release)
    crowd, kept = cleaning.crowd, np.flatnonzero(cleaning.kept_targets)
    there = np.unique(crowd.worker[kept])
    place = np.full(crowd.n_workers, -1)
    place[there] = np.arange(len(there))
    columns = [ITEM_ID.name, *map(str, crowd.workers[there])]
    kept = kept[np.argsort(crowd.item[kept], kind="stable")]
    texts, ids = answer_texts(crowd, kept) if len(kept) else [], crowd.items["item_id"].to_numpy()
    line = partial(json_line, columns) if form.as_json_lines else csv_line

    def rows() -> Iterator[bytes]:
        ends = np.flatnonzero(np.diff(crowd.item[kept])) + 1
        for part in np.split(np.arange(len(kept)), ends):
            cells = [""] * len(there)
            for k in part.tolist():
                at = place[crowd.worker[kept[k]]]
                cells[at] = f"{cells[at]}|{texts[k]}" if cells[at] else texts[k]  # a repeat that counts too
            yield line([str(ids[crowd.item[kept[part[0]]]]), *cells])

    return chain([] if form.as_json_lines else [csv_line(columns)], rows() if len(kept) else [])


def norms(release: GoldRelease, form: Form = CSV) -> Iterator[bytes]:
    """The gold of lists as a table of norms: how many people named each feature of each concept."""
    study = release.study
    if not study.question_kind.has_properties:
        raise Refused(f"Norms are made of lists of properties, and {study.slug} is of kind {study.kind}.")
    return _norms(release, form)


def _norms(release: GoldRelease, form: Form) -> Iterator[bytes]:
    line = partial(json_line, NORMS) if form.as_json_lines else csv_line
    if not form.as_json_lines:
        yield csv_line([*NORMS])
    lines = [each for portion in lines_of(release) for each in portion]
    yield b"".join(line([*row]) for row in norms_of_gold(release.columns, lines))


def csv_line(cells: list[str]) -> bytes:
    return (",".join(map(csv_cell, cells)) + "\n").encode()


def workers(source: Study | GoldRelease, *, form: Form = CSV) -> Iterator[bytes]:
    """Every worker, with checks, evidence and whether they are kept."""
    return written(source, workers_table(cleaning_of(source)), None, form)


def key(release: GoldRelease, names: Mapping[str, str], form: Form = CSV) -> Iterator[bytes]:
    """Who is who in a published bundle: each published name with the study's own pseudonym."""
    known = platform_ids(release.study) if form.with_platform_ids else {}
    columns = ["worker_id", "pseudonym", *(["platform_id"] if form.with_platform_ids else [])]
    line = partial(json_line, columns) if form.as_json_lines else csv_line
    rows = ([name, who, *([known.get(who, "")] if form.with_platform_ids else [])] for who, name in names.items())
    return chain([] if form.as_json_lines else [csv_line(columns)], map(line, rows))


def payments(study: Study, *, form: Form = CSV) -> Iterator[bytes]:
    """Every payment of a study, open or settled, as it stands now."""
    ids = ("platform_id", "session_id") if form.with_platform_ids else ()
    columns = ("pseudonym", *ids, "status", "amount", "currency", "reason", "settled_at")
    table = payments_table(Payment.objects.filter(participation__study=study), columns)
    return json_lines(table) if form.as_json_lines else csv_chunks(table)


def cleaning_of(source: Study | GoldRelease) -> Cleaning:
    """A release's cleaning from the judgments that are still there, or who is excluded in a study now."""
    if isinstance(source, GoldRelease):
        run = source.run
        return clean(crowd_of(run), rules_of(run.rule_set), by_hand_of(run))
    in_force = Exclusion.objects.in_force().filter(participation__study=source)
    reasons = in_force.values_list("participation__pseudonym", "reason", "run")
    excluded = {who: Decision(kept=False, why=why, by_earlier_run=run is not None) for who, why, run in reasons}
    return clean(crowd_of(source), NO_RULES, excluded)
