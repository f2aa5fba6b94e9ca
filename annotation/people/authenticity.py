"""Results of Prolific's authenticity checks, joined from its file by the session: its word, which decides nothing.

The checks are not in Prolific's public API. Its help pages (What is an authenticity check?) name two, of free texts and
of automation, with the results High, Mixed and Low, and tie them to a submission by SESSION_ID. What the columns of the
file are called is not documented, so that they are told by their words, and can be named.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from agreement.errors import Refused, option
from agreement.files.items_file import columns_found
from agreement.files.problems import Problems, quote_cell, refuse_if_any
from agreement.files.reading import required_table, without_empty_rows
from agreement.files.table import Table
from annotation.models import AuditEntry, AuthenticityResult, Participation, Study, User
from annotation.models.participation import IMPORTED, session_digest

Check = AuthenticityResult.Check
SESSION = frozenset({"submission id", "session id", "session"})
NO_RESULT = frozenset({"", "-", "–", "n/a", "na", "none", "not available", "not applicable", "no result", "pending"})
LONGEST_SESSION = 200


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a file are meant; blank: told by their names."""

    session: str = ""
    texts: str = ""
    automation: str = ""


@dataclass(slots=True)
class ImportedResults:
    """How many results were new, changed, or there already; sessions of which nobody is known here, or several are."""

    new: int = 0
    changed: int = 0
    there_already: int = 0
    withdrawn: int = 0  # people
    unknown: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)


def import_authenticity(*, study: Study, file: Path, columns: Columns = Columns(), by: User | None) -> ImportedResults:
    """All of the file's results or none, with every bad row named. The same file again changes nothing."""
    results = _read(file, columns)
    counts = ImportedResults()
    with transaction.atomic():
        # The race: somebody withdraws meanwhile. Who comes second sees what the first did.
        people = study.participations.exclude(session_digest__in=("", IMPORTED)).order_by("pk")
        by_digest: defaultdict[str, list[Participation]] = defaultdict(list)
        for person in people.select_for_update(no_key=True, of=("self",)):
            by_digest[person.session_digest].append(person)
        stored = {
            (row.participation_id, row.check_name): row
            for row in AuthenticityResult.objects.filter(participation__study=study)
        }
        for session, of_session in results.items():
            theirs = by_digest.get(session_digest(session), [])
            theirs = [person for person in theirs if person.is_verified] or theirs
            if not theirs:
                counts.unknown.append(session)
            elif len(theirs) > 1:
                counts.shared.append(session)
            elif theirs[0].status == Participation.Status.WITHDRAWN:
                counts.withdrawn += 1
            else:
                _store(theirs[0], of_session, stored, counts)
        if counts.new or counts.changed:
            detail = {"authenticity results": counts.new, "changed": counts.changed}
            AuditEntry.objects.create(study=study, by=by, action=AuditEntry.Action.IMPORTED, detail=detail)
    return counts


def _store(
    person: Participation,
    results: Mapping[str, str],
    stored: Mapping[tuple[int, str], AuthenticityResult],
    counts: ImportedResults,
) -> None:
    for check, result in results.items():
        row = stored.get((person.pk, check))
        if row is None:
            AuthenticityResult.objects.create(
                participation=person, check_name=check, result=result, imported_at=timezone.now()
            )
            counts.new += 1
        elif row.result != result:
            row.result, row.imported_at = result, timezone.now()
            row.save(update_fields=["result", "imported_at"])
            counts.changed += 1
        else:
            counts.there_already += 1


def _read(file: Path, columns: Columns) -> dict[str, dict[str, str]]:
    """Each session's results by check; sessions without any are there too."""
    problems = Problems(file.name)
    table = without_empty_rows(required_table(file, problems))
    session, checks = _columns_of(table, columns)
    results: dict[str, dict[str, str]] = {}
    rows_of: dict[str, int] = {}
    cells = {check: table.columns[name].text() for check, name in checks.items()}
    for place, (row, text) in enumerate(zip(table.rows.tolist(), table.columns[session].text(), strict=True)):
        key, own = text.strip(), {}
        for check, texts in cells.items():
            result = texts[place].strip().lower()
            if result in AuthenticityResult.Result.values:
                own[check] = result
            elif result not in NO_RESULT:
                problems.row(row, f"column {checks[check]}: {quote_cell(texts[place])} is not High, Mixed or Low")
        if not key or len(key) > LONGEST_SESSION:
            problems.row(row, f"column {session}: {quote_cell(text)} is not a submission's id")
        elif results.setdefault(key, own) != own:
            problems.row(row, f"column {session}: {quote_cell(key)} has another result in row {rows_of[key]}")
        rows_of.setdefault(key, row)
    if not len(table):
        problems.whole("it has no submissions")
    refuse_if_any(problems)
    return results


def _columns_of(table: Table, named: Columns) -> tuple[str, dict[str, str]]:
    session = _column(table, named.session, "session", [name for name in table.columns if _words(name) in SESSION])
    if not session:
        raise Refused(
            f"There is no column with the submissions' ids (Submission id, or SESSION_ID): name it with"
            f" {option('session', 'COLUMN')}; {columns_found(table)}."
        )
    likely: dict[str, list[str]] = {Check.TEXTS: [], Check.AUTOMATION: []}
    for name in table.columns:
        words = f" {_words(name)} "
        if re.search(r" (bot|bots|automation|agent|agents) ", words) and re.search(r" (check|authenticity) ", words):
            likely[Check.AUTOMATION].append(name)
        elif re.search(r" authenticity | llm check ", words):
            likely[Check.TEXTS].append(name)
    checks = {
        check: name
        for check, asked in ((Check.TEXTS, named.texts), (Check.AUTOMATION, named.automation))
        if (name := _column(table, asked, check, likely[check]))
    }
    if not checks:
        raise Refused(
            f"No column looks like the result of an authenticity check: name it with {option('texts', 'COLUMN')} or"
            f" {option('automation', 'COLUMN')}; {columns_found(table)}."
        )
    return session, {str(check): name for check, name in checks.items()}


def _column(table: Table, named: str, argument: str, likely: list[str]) -> str:
    if named and named not in table.columns:
        raise Refused(f"There is no column {quote_cell(named)}; {columns_found(table)}.")
    if named:
        return named
    if len(likely) > 1:
        names = " and ".join(map(quote_cell, likely))
        raise Refused(f"The columns {names} may both be meant: say which with {option(argument, 'COLUMN')}.")
    return likely[0] if likely else ""


def _words(name: str) -> str:
    """A column's name in small letters with single spaces.

    >>> _words("SESSION_ID"), _words("Authenticity check: LLM")
    ('session id', 'authenticity check llm')
    """
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def in_words(counts: ImportedResults) -> list[str]:
    """What an import did, in sentences."""
    sentences = [f"{_many(counts.new, 'result')} imported."]
    if counts.changed:
        sentences.append(f"{_many(counts.changed, 'result')} changed since the last file.")
    if counts.there_already:
        sentences.append(f"{_many(counts.there_already, 'result')} there already.")
    if counts.withdrawn:
        people = "person" if counts.withdrawn == 1 else "people"
        sentences.append(f"{counts.withdrawn:,} {people} withdrew: their results stay out.")
    if counts.unknown:
        sentences.append(f"Nobody came to this study with {_sessions(counts.unknown)}.")
    if counts.shared:
        sentences.append(f"Several unverified people came with {_sessions(counts.shared)}: their results stay out.")
    return sentences


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun} was" if count == 1 else f"{count:,} {noun}s were"


def _sessions(sessions: list[str], most: int = 20) -> str:
    more = f" and {len(sessions) - most:,} more" if len(sessions) > most else ""
    return f"{'session' if len(sessions) == 1 else 'sessions'} {', '.join(map(quote_cell, sessions[:most]))}{more}"
