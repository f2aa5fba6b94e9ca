"""What a bundle tells of a release: as the study has it, or so that it can be published."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from agreement.analysis.analysis import Analysis
from agreement.analysis.output_folder import json_bytes
from agreement.cleaning.cleaning_run import Cleaning, clean
from agreement.cleaning.decided_by_hand import ByHand, Decision
from agreement.estimation.estimate import Undefined
from agreement.figures.figure import Figure
from agreement.figures.rendering import render
from agreement.figures.robustness import NAME_WORKERS
from agreement.output.made_with import software_record
from agreement.output.report_files import SCREENING, figures_of, report_of, texts_of
from agreement.report.collection import to_publish
from agreement.report.collection_report import CollectionReport
from agreement.report.data_card import Card
from agreement.report.methods import methods_text
from agreement.report.report import Report, read_report, without_suspects
from agreement.screening.screen import Screened
from agreement.typed_json import Json, JsonObject, from_json, object_of
from annotation.models.participation import PSEUDONYM_LETTERS
from annotation.releases.actions.drawing_reports import DRAWN_WITH, analysis_of, drawn_with, screened_in
from annotation.releases.actions.freezing import decisions_by_hand
from annotation.releases.actions.releasing import card_of
from annotation.releases.exports.release_tables import (
    PublishedPeople,
    cleaning_of,
    participants_to_publish,
    published_participants,
)
from annotation.releases.models import GoldRelease, ReleaseReport

PSEUDONYM = re.compile(rf"\bp[{PSEUDONYM_LETTERS}]{{9}}\b")
BY_HAND = "by a researcher"  # in the place of a reason, which may say what nobody else is to know
TEXTS = (".csv", ".html", ".json", ".svg", ".md", ".tex", ".bib")


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """`report` is in today's shape, `report_json` as it was stored. `drawn` are the report's files, `drawn_with` what
    made them; `notes` stand below its title. `people` is participants.csv, if it is to be in the bundle.
    `screened` is None where nobody is to be told whose answers look careless.
    """

    cleaning: Cleaning
    by_hand: ByHand
    report: Report
    report_json: bytes
    methods: str
    drawn: Iterable[tuple[str, bytes]]
    drawn_with: Mapping[str, str]
    card: Card
    notes: tuple[str, ...]
    people: Iterable[bytes] | None
    published: PublishedPeople | None = None
    screened: Screened | Undefined | None = None


def as_released(release: GoldRelease, *, with_participants: bool = False) -> Contents:
    cleaning = cleaning_of(release)
    drawn = ReleaseReport.objects.filter(release=release).first()
    return Contents(
        cleaning=cleaning,
        by_hand=decisions_by_hand(release.run),
        report=release.published,
        report_json=json_bytes(release.report) if release.report_file is None else release.report_file.encode(),
        methods=release.methods,
        drawn=_drawn(drawn),
        drawn_with=drawn_with(drawn),
        card=card_of(release.study),
        notes=_notes(release),
        people=participants_to_publish(release.study) if with_participants else None,
        screened=screened_in(release, cleaning),
    )


def safe_to_publish(release: GoldRelease, names: Mapping[str, str]) -> Contents:
    """Everybody under their published name, and of what people or researchers wrote about people nothing; nor whose
    answers look careless.
    """
    renaming = _Renaming(names)
    cleaning = renaming.cleaning(cleaning_of(release))
    stored = renaming.stored(without_suspects(release.report))
    if "collection" in stored:
        stored["collection"] = object_of(to_publish(from_json(CollectionReport, stored["collection"])))
    report = read_report(stored)
    methods = methods_text(report)
    analysis = analysis_of(release, cleaning)
    analysis = replace(analysis, cleaning=cleaning, report=report, methods=methods)
    published = published_participants(release.study, names)
    drawn = ReleaseReport.objects.filter(release=release).first()
    return Contents(
        cleaning=cleaning,
        by_hand=cleaning.by_hand,
        report=report,
        report_json=json_bytes(stored),
        methods=methods,
        drawn=_drawn_to_publish(release, drawn, analysis, renaming),
        drawn_with=software_record() if drawn is not None and renaming.has_other_names else drawn_with(drawn),
        card=card_of(release.study),
        notes=_notes(release),
        people=[published.content],
        published=published,
    )


def _notes(release: GoldRelease) -> tuple[str, ...]:
    """What stands below the title of its report."""
    return tuple(note for note in [release.erratum()] if note)


def _drawn(report: ReleaseReport | None) -> Iterator[tuple[str, bytes]]:
    """The report page, figures and tables, if they are drawn."""
    if report is not None:
        with zipfile.ZipFile(io.BytesIO(bytes(report.content))) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist() if name != DRAWN_WITH)


def _drawn_to_publish(
    release: GoldRelease, drawn: ReleaseReport | None, analysis: Analysis, renaming: _Renaming
) -> Iterator[tuple[str, bytes]]:
    """The same drawings, but for those that name workers. What is text has the published names, and the page and the
    methods are written anew.

    All of it is drawn anew where workers have names of their own, which may be parts of other words: a worker `w3` of
    the address `www.w3.org` in every SVG.
    """
    if drawn is None:
        return
    if renaming.has_other_names:
        yield from report_of(analysis, _notes(release), release.study.title).files.items()
        return
    told = ((name, content) for name, content in _drawn(drawn) if name != SCREENING)
    files = {name: renaming.text(content) if name.endswith(TEXTS) else content for name, content in told}
    figures = figures_of(analysis)
    files |= _drawn_anew([figure for figure in figures if figure.name in NAME_WORKERS])
    files |= texts_of(analysis, figures, files, _notes(release), release.study.title)
    yield from files.items()


def _drawn_anew(figures: Sequence[Figure]) -> dict[str, bytes]:
    """The figures whose pictures have workers' names in them."""
    with TemporaryDirectory(prefix="touchstone-figures-") as name:
        folder = Path(name)
        render(figures, folder)
        return {f"figures/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}


class _Renaming:
    """From pseudonyms to published names: of a worker, of a value of report.json, of a text."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        others = sorted((re.escape(name) for name in names if not PSEUDONYM.fullmatch(name)), key=len, reverse=True)
        self.has_other_names = bool(others)
        self.pattern = re.compile("|".join([PSEUDONYM.pattern, *(rf"\b{name}\b" for name in others)]))

    def cleaning(self, found: Cleaning) -> Cleaning:
        """The same cleaning of the same judgments: the names sort as the pseudonyms do, so that no figure changes."""
        crowd = found.crowd
        workers = pd.Index([self.names[str(worker)] for worker in crowd.workers], dtype=object)
        by_hand = {
            self.names[who]: Decision(decision.kept, BY_HAND, decision.by_earlier_run)
            for who, decision in found.by_hand.items()
            if who in self.names
        }
        return clean(replace(crowd, workers=workers), found.rules, by_hand)

    def stored(self, report: Mapping[str, Json]) -> JsonObject:
        """A stored report, in the shape that it was stored in."""
        return {key: self._value(value) for key, value in report.items()}

    def _value(self, value: Json) -> Json:
        match value:
            case str():
                return self.pattern.sub(self._name, value)
            case Mapping():
                return {self.pattern.sub(self._name, key): self._value(one) for key, one in value.items()}
            case Sequence():
                return [self._value(one) for one in value]
        return value

    def text(self, content: bytes) -> bytes:
        return self.pattern.sub(self._name, content.decode()).encode()

    def _name(self, match: re.Match[str]) -> str:
        return self.names.get(match[0], match[0])
