"""A release's report page, figures and tables: drawn by a job of its own, after the release and as often as needed."""

from __future__ import annotations

from agreement.analysis.analysis import Analysis
from agreement.cleaning.cleaning_run import Cleaning, count
from agreement.errors import TouchstoneError
from agreement.judgments.crowd import Crowd
from agreement.output.report_files import report_of
from agreement.scoring.similarity_matrices import (
    MadeVectors,
    SimilarityMatrix,
    made_vectors,
    similarity_matrices,
)
from annotation import jobs
from annotation.jobs import Progress, TryAgain
from annotation.models import Job, Participation
from annotation.releases.exports.export_files import zipped
from annotation.releases.exports.release_tables import cleaning_of
from annotation.releases.from_database.study_history import released_gold, released_table
from annotation.releases.models import GoldRelease, ReleaseReport
from annotation.releases.stored_probes import probe_of, probes_of, study_items_of

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
    withdrawn = _withdrawn(release)
    analysis = analysis_of(release)
    progress.report(READ)
    progress.stop_if_cancelled()
    notes = [note for note in [release.erratum()] if note]
    report = report_of(analysis, notes, release.study.title)
    if report.failed:  # a release's report is whole, or is drawn again
        raise NotDrawn("; ".join(f"{name}: {why}" for name, why in report.failed.items()))
    content = zipped(report.files)
    progress.report(DRAWN)
    with progress.finishing({"release": str(release.uuid)}):
        # The race: somebody withdraws after their answers were read. The lock waits for a withdrawal under way, and one
        # that comes later finds the report and removes it.
        people = Participation.objects.select_for_update(no_key=True).filter(study=release.study)
        list(people.order_by("pk").values_list("pk", flat=True))
        if _withdrawn(release) != withdrawn:
            raise TryAgain("Somebody withdrew while the report was drawn.")
        ReleaseReport.objects.filter(release=release).delete()
        figures = [
            {"name": one.name, "title": one.title, "caption": one.caption, "description": one.description}
            for one in report.figures
        ]
        ReleaseReport.objects.create(release=release, figures=figures, content=content)


def _withdrawn(release: GoldRelease) -> int:
    return release.study.participations.filter(status=Participation.Status.WITHDRAWN).count()


def analysis_of(release: GoldRelease, cleaning: Cleaning | None = None) -> Analysis:
    """The release as its analysis was: the published figures, and the judgments that are still there."""
    cleaning = cleaning or cleaning_of(release)
    matrices, made = _matrices_of(release, cleaning.crowd)
    return Analysis(
        study=release.study.slug,
        cleaning=cleaning,
        counts=count(cleaning),
        gold=released_table(release),
        gold_csv=b"",
        report=release.published,
        methods=release.methods,
        similarity_matrices=matrices,
        made_vectors=made,
    )


def _matrices_of(release: GoldRelease, crowd: Crowd) -> tuple[list[SimilarityMatrix], list[MadeVectors]]:
    """Where items are pairs of terms: people's similarities, and those of the models that it was published with."""
    if release.published.results.similarity_matrix is None:
        return [], []
    items = study_items_of(release.study)
    probes = [probe_of(stored, items) for stored in probes_of(release)]
    return similarity_matrices(released_gold(release), crowd.scale, items, probes), made_vectors(probes)
