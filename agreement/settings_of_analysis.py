"""What an analysis of a study starts from: the rules, seed and replicates of the last release, else the study's own."""

from __future__ import annotations

from dataclasses import dataclass

from agreement.analysis.analysis import DEFAULT_REPLICATES, DEFAULT_SEED
from agreement.cleaning.ruleset import DEFAULT, RuleSet, built_in_names, built_in_toml, parse_rules
from annotation import presets
from annotation.models import Study


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """`release` is the number of the release that they were taken from; none: nothing has been released yet."""

    toml: str
    seed: int
    replicates: int
    release: int | None = None

    @property
    def rules(self) -> RuleSet:
        return parse_rules(self.toml)


def settings_of(study: Study) -> AnalysisSettings:
    names = ("run__rule_set__toml", "report__seed", "report__replicates", "number")
    last = study.releases.order_by("-number").values_list(*names).first()
    if last is None:
        return AnalysisSettings(built_in_toml(first_rules(study)), DEFAULT_SEED, DEFAULT_REPLICATES)
    return AnalysisSettings(*last)


def first_rules(study: Study) -> str:
    """The built-in rule set that a study's first analysis starts from: its template's, or every check's own bounds."""
    name = presets.load(study.preset).rules if study.preset in presets.names() else ""
    return name if name in built_in_names() else DEFAULT
