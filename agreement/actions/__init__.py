"""What is written on the way from judgments to gold: runs, verdicts, exclusions, releases, each with its audit row."""

from agreement.actions.analysing import AnalysisFailed, analyse_study, clean_and_release
from agreement.actions.excluding import AlreadyExcluded, AlreadyLifted, exclude, lift
from agreement.actions.previewing import Preview, preview

__all__ = [
    "AlreadyExcluded",
    "AlreadyLifted",
    "AnalysisFailed",
    "Preview",
    "analyse_study",
    "clean_and_release",
    "exclude",
    "lift",
    "preview",
]
