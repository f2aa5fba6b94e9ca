"""What is written on the way from judgments to gold: runs, verdicts, exclusions, releases, each with its audit row."""

from typing import TYPE_CHECKING

from agreement.lazy_imports import late_imports

if TYPE_CHECKING:
    from annotation.releases.actions.analysing import AnalysisFailed, analyse_study, clean_and_release
    from annotation.releases.actions.excluding import AlreadyExcluded, AlreadyLifted, LiftedExclusion, exclude, lift
    from annotation.releases.actions.previewing import Preview, included_again_with_look, preview, who_is_included_again

__all__ = [
    "AlreadyExcluded",
    "AlreadyLifted",
    "AnalysisFailed",
    "LiftedExclusion",
    "Preview",
    "analyse_study",
    "clean_and_release",
    "exclude",
    "included_again_with_look",
    "lift",
    "preview",
    "who_is_included_again",
]

__getattr__ = late_imports(
    __name__,
    {
        "analysing": ("AnalysisFailed", "analyse_study", "clean_and_release"),
        "excluding": ("AlreadyExcluded", "AlreadyLifted", "LiftedExclusion", "exclude", "lift"),
        "previewing": ("Preview", "included_again_with_look", "preview", "who_is_included_again"),
    },
)
