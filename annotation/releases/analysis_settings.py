"""What the next analysis of a study starts from: the rules, seed and replicates of its last release, else its own."""

from __future__ import annotations

from dataclasses import dataclass

from agreement.analysis.analysis import DEFAULT_REPLICATES, DEFAULT_SEED
from agreement.cleaning.rule_set import DEFAULT, RuleSet, built_in_names, built_in_toml, parse_rules
from annotation.models import Study
from annotation.studies import presets

MOST_REPLICATES = 10_000  # of an analysis on the site


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """`release` is the number of the release that they were taken from; none: nothing has been released yet."""

    toml: str
    seed: int
    replicates: int
    release: int | None = None
    fixed_workers: bool = False
    also: tuple[str, ...] = ()  # further analyses, as `--also` names them

    @property
    def rules(self) -> RuleSet:
        return parse_rules(self.toml)


def settings_of(study: Study) -> AnalysisSettings:
    of_report = ("seed", "replicates", "fixed_workers", "further")
    names = ("run__rule_set__toml", *(f"report__{name}" for name in of_report), "number")
    last = study.releases.order_by("-number").values_list(*names).first()
    if last is None:
        return AnalysisSettings(built_in_toml(first_rules(study)), DEFAULT_SEED, DEFAULT_REPLICATES)
    toml, seed, replicates, fixed, further, number = last
    also = tuple(part["analysis"] for part in further or ())
    return AnalysisSettings(toml, seed, replicates, number, fixed_workers=bool(fixed), also=also)


def first_rules(study: Study) -> str:
    """The built-in rule set that a study's first analysis starts from: its template's, or every check's own bounds."""
    name = presets.load(study.preset).rules if study.preset in presets.names() else ""
    return name if name in built_in_names() else DEFAULT
