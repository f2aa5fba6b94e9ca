"""gold.csv as it was released; judgments.csv and workers.csv made again from the frozen set and its rules."""

from __future__ import annotations

from collections.abc import Iterator

from agreement.actions.freezing import by_hand_of
from agreement.actions.rule_sets import rules_of
from agreement.analysis.tables import judgments_table, workers_table
from agreement.cleaning.by_hand import Decision
from agreement.cleaning.ruleset import RuleSet
from agreement.cleaning.run import Cleaning, clean
from agreement.frames import crowd_of
from agreement.models import Exclusion, GoldRelease
from annotation.bulk import chunks
from annotation.files.writing import csv_cell, csv_chunks
from annotation.models import Study

ROWS_A_CHUNK = 2_000
NO_RULES = RuleSet("none", "1", drop_unchecked=False, minimum_checks=0, rules=())


def gold(release: GoldRelease) -> Iterator[bytes]:
    """The bytes that the release's hash was taken of."""
    yield _line(release.columns)
    rows = release.labels.order_by("position").values_list("cells", flat=True)
    for portion in chunks(rows.iterator(ROWS_A_CHUNK), ROWS_A_CHUNK):
        yield b"".join(map(_line, portion))


def _line(cells: list[str]) -> bytes:
    return (",".join(map(csv_cell, cells)) + "\n").encode()


def judgments(source: Study | GoldRelease, *, only_kept: bool = False) -> Iterator[bytes]:
    """Every judgment, with whether it is kept and why not; of a study without a release, those that count now."""
    cleaning = cleaning_of(source)
    return csv_chunks(judgments_table(cleaning), cleaning.kept if only_kept else None)


def workers(source: Study | GoldRelease) -> Iterator[bytes]:
    """Every worker, with checks, evidence and whether they are kept."""
    return csv_chunks(workers_table(cleaning_of(source)))


def cleaning_of(source: Study | GoldRelease) -> Cleaning:
    """A release's cleaning from the judgments that are still there, or who is set aside in a study now."""
    if isinstance(source, GoldRelease):
        run = source.run
        return clean(crowd_of(run), rules_of(run.rule_set), by_hand_of(run))
    in_force = Exclusion.objects.in_force().filter(participation__study=source)
    reasons = in_force.values_list("participation__pseudonym", "reason")
    return clean(crowd_of(source), NO_RULES, {who: Decision(kept=False, why=why) for who, why in reasons})
