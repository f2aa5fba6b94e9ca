"""A release's report page, figures and tables: drawn by a job of its own, and read back for pages."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode
from uuid import UUID

import pandas as pd
from django.urls import reverse
from django.utils.html import escape

from agreement.analysis.analysis import Analysis
from agreement.analysis.output_tables import screened_of
from agreement.cleaning.cleaning_run import Cleaning, count
from agreement.errors import TouchstoneError
from agreement.estimation.estimate import Undefined
from agreement.figures.figure import DARK, LINK, Figure
from agreement.judgments.crowd import Crowd
from agreement.output.made_with import software_record
from agreement.output.report_files import report_of
from agreement.scoring.similarity_matrices import MadeVectors, SimilarityMatrix, made_vectors, similarity_matrices
from agreement.screening.screen import Screened
from annotation import jobs
from annotation.jobs import Progress, TryAgain
from annotation.models import Job, Participation, Study
from annotation.releases.actions.scoring_probes import probe_of, probes_of, study_items_of
from annotation.releases.exports.export_files import zip_of_files
from annotation.releases.exports.release_tables import cleaning_of
from annotation.releases.from_database.study_history import released_gold, released_table
from annotation.releases.models import GoldRelease, ReleaseReport

# A larger one is shown as its picture: a map of two hundred terms by two hundred has 40,000 cells.
MOST_BYTES = 1_000_000
ITEM, WORKER = "item_id", "worker"  # columns whose rows have a page
DRAWN_WITH = "drawn-with.json"  # what made the files of a report, in its zip
NAMED = re.compile(r' (?:role|aria-(?:label|roledescription))="[^"]*"')  # what single marks are called
MARKS, MARK = re.compile(r'<g class="mark-(?:rect|symbol) role-mark [^"]*"[^>]*>.*?</g>'), re.compile(r"<path[^>]*/>")
COLOUR = re.compile(f'"({"|".join(DARK)})"')
OF_ANY_FIGURE = ("$schema", "usermeta", "description", "padding", "data")


@dataclass(frozen=True, slots=True, eq=False)
class DrawnFigure:
    """`figure` is None where it is too large for a page; `svg` is the picture, in colours that follow a dark page."""

    name: str
    title: str
    caption: str
    description: str
    figure: Figure | None
    svg: str = ""


def drawn_figures(report: ReleaseReport, only: Sequence[str] = ()) -> list[DrawnFigure]:
    """All of them, or `only` those of these names, in their order and with their pictures. In one query, for where the
    items' pages are.
    """
    entries = {entry["name"]: entry for entry in report.figures}
    with zipfile.ZipFile(io.BytesIO(bytes(report.content))) as archive:
        figures = [
            DrawnFigure(
                **entries[name],
                figure=_read_figure(archive, entries[name]),
                svg=_picture(archive.read(f"figures/{name}.svg").decode()) if only else "",
            )
            for name in only or entries
            if name in entries
        ]
    study = report.release.study
    named = {item for each in figures if each.figure is not None for item in _items(each.figure)}
    uuids = dict(study.items.filter(item_id__in=named).values_list("item_id", "uuid"))
    return [each if each.figure is None else _linked(each, each.figure, study, uuids) for each in figures]


def drawn_with(report: ReleaseReport | None) -> dict[str, str]:
    """What made a release's report page, figures and tables; nothing where they aren't drawn, or nobody knows."""
    if report is None:
        return {}
    with zipfile.ZipFile(io.BytesIO(bytes(report.content))) as archive:
        if DRAWN_WITH not in archive.namelist():  # an earlier version drew them
            return {}
        known: dict[str, str] = json.loads(archive.read(DRAWN_WITH))
        return known


def _items(figure: Figure) -> list[str]:
    return [str(item) for item in figure.rows[ITEM]] if ITEM in figure.rows else []


def _linked(drawn: DrawnFigure, figure: Figure, study: Study, uuids: Mapping[str, UUID]) -> DrawnFigure:
    """Its rows and its marks lead to what they count."""
    linked = _linked_figure(figure, study, uuids)
    links = [] if linked is figure else linked.rows[LINK].astype(str).tolist()
    return replace(drawn, figure=linked, svg=_with_links(drawn.svg, links))


def _with_links(svg: str, links: Sequence[str]) -> str:
    """Each bar, cell or point as a link to where its row leads: they are drawn in the rows' order. Where their number
    is another, and rows lead to several places, none is. The keyboard has the same links in the table below.

    >>> _with_links('<g class="mark-rect role-mark marks"><path d="M0"/></g>', ["/items/"])
    '<g class="mark-rect role-mark marks"><a href="/items/" tabindex="-1"><path d="M0"/></a></g>'
    """
    marks = sum(len(MARK.findall(group[0])) for group in MARKS.finditer(svg))
    if len(set(links)) == 1:
        links = [links[0]] * marks
    if len(links) != marks:
        return svg
    following = iter(links)

    def linked(mark: re.Match[str]) -> str:
        address = next(following)
        return f'<a href="{escape(address)}" tabindex="-1">{mark[0]}</a>' if address else mark[0]

    return MARKS.sub(lambda group: MARK.sub(linked, group[0]), svg)


def _linked_figure(figure: Figure, study: Study, uuids: Mapping[str, UUID]) -> Figure:
    """With the page of each row's worker or item, or of the items that a bar or a cell counts."""
    rows, items = figure.rows, reverse("agreement:items", args=[study.uuid])
    if WORKER in rows and "other" in rows:
        pairs = zip(rows[WORKER], rows["other"], strict=True)
        links = [f"{items}?{urlencode({'between': f'{one},{other}'})}" for one, other in pairs]
    elif WORKER in rows:
        links = [reverse("agreement:person", args=[study.uuid, name]) for name in rows[WORKER]]
    elif ITEM in rows:
        pages = {item: reverse("agreement:item", args=[study.uuid, uuid]) for item, uuid in uuids.items()}
        links = [pages.get(item, "") for item in rows[ITEM]]
    elif "answer" in rows and study.question_kind.column == "label":
        links = [f"{items}?{urlencode({'answer': answer})}" for answer in rows["answer"]]
    elif "low" in rows and "value" in rows and study.question_kind.column == "number":
        bins = zip(rows["low"], rows["high"], strict=True)
        links = [f"{items}?{urlencode({'answer': f'{low:g}..{high:g}'})}" for low, high in bins]
    elif "statistic" in rows:
        links = [reverse("agreement:agreement", args=[study.uuid])] * len(rows)
    elif "who" in rows:
        links = [reverse("agreement:leaderboard", args=[study.uuid])] * len(rows)
    else:
        return figure
    return replace(figure, rows=rows.assign(**{LINK: links}))


def _picture(svg: str) -> str:
    """Without a ground of its own, and on a dark page in the colours for it. Whoever hears a page hears what stands
    around the drawing.

    >>> _picture('<svg><rect fill="white"/><path role="x" stroke="#d8d5cc"/></svg>')
    '<svg><rect fill="none"/><path stroke="light-dark(#d8d5cc, #353a42)"/></svg>'
    """
    svg = svg.replace('fill="white"', 'fill="none"', 1).replace("<svg ", '<svg aria-hidden="true" ', 1)
    svg = NAMED.sub("", svg)
    return COLOUR.sub(lambda one: f'"light-dark({one[1]}, {DARK[one[1]]})"', svg)


def _read_figure(archive: zipfile.ZipFile, entry: dict[str, str]) -> Figure | None:
    name = f"figures/{entry['name']}.vl.json"
    if archive.getinfo(name).file_size > MOST_BYTES:
        return None
    chart = json.loads(archive.read(name))
    rows = pd.DataFrame(chart["data"]["values"])
    specification = {key: part for key, part in chart.items() if key not in OF_ANY_FIGURE}
    return Figure(**entry, rows=rows, specification=specification)


# A release's report page, figures and tables: drawn by a job of its own, after the release and as often as needed.

KIND = "report"
READ, DRAWN = 0.3, 0.9


class NotDrawn(TouchstoneError):
    """A report that isn't drawn; the message says why."""


def draw_here(release: GoldRelease) -> None:
    """Draws a release's report in this process, as a job like any other, if it isn't drawn yet."""
    import annotation.releases.tasks  # noqa: F401 - where the kind of job is registered; it imports this module

    if ReleaseReport.objects.filter(release=release).exists():
        return
    job = jobs.run_here(kind=KIND, study=release.study, parameters={"release": str(release.uuid)}, by=None)
    if job.status != Job.Status.DONE:
        raise NotDrawn(job.error or f"Drawing the report is {job.get_status_display().lower()}.")


def draw_report(*, release: GoldRelease, progress: Progress) -> None:
    """The job's work; drawn twice, the second takes the first one's place."""
    withdrawn = _withdrawn_count(release)
    analysis = analysis_of(release)
    progress.report(READ)
    progress.stop_if_cancelled()
    notes = [note for note in [release.erratum()] if note]
    report = report_of(analysis, notes, release.study.title)
    if report.failed:  # a release's report is whole, or is drawn again
        raise NotDrawn("; ".join(f"{name}: {why}" for name, why in report.failed.items()))
    content = zip_of_files({**report.files, DRAWN_WITH: json.dumps(software_record(), indent=2).encode()})
    progress.report(DRAWN)
    with progress.finishing({"release": str(release.uuid)}):
        # The race: somebody withdraws after their answers were read. The lock waits for a withdrawal under way, and one
        # that comes later finds the report and removes it.
        people = Participation.objects.select_for_update(no_key=True).filter(study=release.study)
        list(people.order_by("pk").values_list("pk", flat=True))
        if _withdrawn_count(release) != withdrawn:
            raise TryAgain("Somebody withdrew while the report was drawn.")
        ReleaseReport.objects.filter(release=release).delete()
        figures = [
            {"name": one.name, "title": one.title, "caption": one.caption, "description": one.description}
            for one in report.figures
        ]
        ReleaseReport.objects.create(release=release, figures=figures, content=content)


def _withdrawn_count(release: GoldRelease) -> int:
    return release.study.participations.filter(status=Participation.Status.WITHDRAWN).count()


def screened_in(release: GoldRelease, cleaning: Cleaning) -> Screened | Undefined | None:
    """Whose answers look careless; None of a release that an earlier version made, which didn't look."""
    return None if release.published.results.suspects is None else screened_of(cleaning)


def analysis_of(release: GoldRelease, cleaning: Cleaning | None = None) -> Analysis:
    """The release as its analysis was: the published figures, and the judgments that are still there. With a cleaning
    of its own, as a bundle for everybody has it, nobody is told whose answers look careless.
    """
    screened = None
    if cleaning is None:
        cleaning = cleaning_of(release)
        screened = screened_in(release, cleaning)
    matrices, vectors = _matrices_of(release, cleaning.crowd)
    return Analysis(
        study=release.study.slug,
        cleaning=cleaning,
        counts=count(cleaning),
        gold=released_table(release),
        gold_csv=b"",
        report=release.published,
        methods=release.methods,
        similarity_matrices=matrices,
        made_vectors=vectors,
        screened=screened,
    )


def _matrices_of(release: GoldRelease, crowd: Crowd) -> tuple[list[SimilarityMatrix], list[MadeVectors]]:
    """Where items are pairs of terms: people's similarities, and those of the models that it was published with."""
    if release.published.results.similarity_matrix is None:
        return [], []
    items = study_items_of(release.study)
    probes = [probe_of(stored, items) for stored in probes_of(release)]
    return similarity_matrices(released_gold(release), crowd.scale, items, probes), made_vectors(probes)
