"""What is written on the way from judgments to gold: runs, verdicts, exclusions, releases, each with its audit row."""

from agreement.actions.analysing import AnalysisFailed, analyse_study, clean_and_release
from agreement.actions.excluding import AlreadyExcluded, AlreadyLifted, Lifted, exclude, lift
from agreement.actions.previewing import Preview, preview, who_is_included_again

__all__ = [
    "AlreadyExcluded",
    "AlreadyLifted",
    "AnalysisFailed",
    "Lifted",
    "Preview",
    "analyse_study",
    "clean_and_release",
    "exclude",
    "lift",
    "preview",
    "who_is_included_again",
]
