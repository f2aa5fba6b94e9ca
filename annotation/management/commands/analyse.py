"""`manage.py analyse STUDY`: cleaning run, gold release, agreement and ceilings, in this process and as a job."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from agreement.cleaning.rule_set import parse_rules, with_typical
from agreement.cli.arguments import ALT_TEST, alt_test, count, seed
from agreement.errors import Refused
from agreement.on_request import requested_analyses
from agreement.output.question_folders import joined_reports
from agreement.output.terminal_summary import verdict_lines
from agreement.report.cleaning_report import kept_in_words, nothing_judged, notices
from agreement.report.methods import said_figure
from agreement.report.report import Report, report_as_json
from agreement.report.verdict import weakest
from agreement.typed_json import JsonObject
from agreement.typical_filters import FILTERS, Filter
from annotation.management.base import StudyCommand
from annotation.models import Study
from annotation.pages.results import failures_of
from annotation.releases.actions.analysing import AnalysisFailed, clean_and_release
from annotation.releases.actions.rule_sets import toml_of
from annotation.releases.actions.trying_rules import included_again_with_look
from annotation.releases.exports.export_choice import releases_beside
from annotation.releases.summaries import settings_of

if TYPE_CHECKING:
    from annotation.releases.actions.freezing import Look

WIDTH = 100  # of the verdict's lines


class Command(StudyCommand[JsonObject]):
    help = "Cleans a study's judgments by a rule set, releases gold, and measures agreement and ceilings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        as_before = "as for the last release"
        rules = f"a name or a TOML file ({as_before}; at first own-bounds, or what the study's template says)"
        parser.add_argument("--rules", metavar="RULES.toml", help=rules)
        parser.add_argument(
            "--seed", type=seed, metavar="N", help=f"seed of every random draw ({as_before}; at first 1)"
        )
        replicates = f"replicates of the item bootstrap ({as_before}; at first 1000)"
        parser.add_argument("--replicates", type=count, metavar="N", help=replicates)
        typical = f"the rule for typical labels ({as_before}; at first what the rule set says, or typical)"
        parser.add_argument("--typical", choices=FILTERS, help=typical)
        also = f"further analyses, such as alt-test, or none for none of them ({as_before}; at first none)"
        parser.add_argument("--also", nargs="+", action="extend", metavar="ANALYSIS", help=also)
        parser.add_argument("--alt-test", dest="also", type=alt_test, action="append", metavar="EPSILON", help=ALT_TEST)
        fixed = f"these workers are the people that the figures are of: intervals are over items alone ({as_before})"
        parser.add_argument("--fixed-workers", action=BooleanOptionalAction, default=None, help=fixed)
        again = "run even if the rules include workers again whom an earlier run excluded"
        parser.add_argument("--include-again", action="store_true", help=again)

    def answer(self, options: Namespace) -> JsonObject:
        study = self.study(options.study)
        also = _further_analyses(options.also)
        toml = _toml_with_typical(study, options.rules, options.typical)
        again, look = _workers_included_again(study, toml, agreed=options.include_again)
        with self.progress("per cent") as bar:
            try:
                release = clean_and_release(
                    study=study,
                    seed=options.seed,
                    replicates=options.replicates,
                    fixed_workers=options.fixed_workers,
                    also=also,
                    toml=toml,
                    include_again=again,
                    look=look,
                    watch=None if bar is None else lambda share: bar(round(100 * share), 100),
                )
            except AnalysisFailed as failed:
                raise Refused(str(failed).splitlines()) from failed
        self.published, self.failed = [each.published for each in releases_beside(release)], failures_of(release.run)
        if len(self.published) == 1:
            return {**report_as_json(release.published), "failed": self.failed}
        return {**joined_reports([report_as_json(report) for report in self.published]), "failed": self.failed}

    def say(self, answer: JsonObject) -> str:  # noqa: ARG002 - the typed reports say it
        parts = list(map(self._say, self.published))
        if len(self.published) > 1:
            over_all = weakest({report.question.question: report.verdict for report in self.published})
            parts.insert(0, "\n".join(verdict_lines(over_all, WIDTH)))
        return "\n\n".join(parts)

    def _say(self, report: Report) -> str:
        results = report.results
        kappa = results.agreement.cleaned.fleiss_kappa.statistic.headline
        failed = [f"  {who}: {'; '.join(why)}" for who, why in self.failed.items()]
        judged = [] if nothing_judged(report) else ["These workers failed a rule:", *(failed or ["  nobody"])]
        return "\n".join(
            [
                *([f"Question {report.question.question}"] if report.question.question else []),
                *verdict_lines(report.verdict, WIDTH),
                "",
                f"{report.study}: gold release {results.release.number}, SHA-256 {results.release.sha256}",
                kept_in_words(report),
                *notices(report),
                *judged,
                f"Fleiss' kappa {said_figure(kappa)}",
                f"Leave-one-out {said_figure(results.ceiling.leave_one_out.person)}",
            ]
        )


def _further_analyses(named: Sequence[str] | None) -> list[str] | None:
    """The further analyses that are to be made; None as for the last release."""
    if named is None:
        return None
    return [] if list(named) == ["none"] else [analysis.key for analysis in requested_analyses(named)]


def _toml_with_typical(study: Study, rules: str | None, typical: Filter | None) -> str | None:
    """The rules that are to be used; None as for the last release."""
    if typical is None:
        return None if rules is None else toml_of(rules)
    return with_typical(settings_of(study).toml if rules is None else toml_of(rules), typical)


def _workers_included_again(study: Study, toml: str | None, *, agreed: bool) -> tuple[Collection[str], Look | None]:
    """Whom the run may include again, with the judgments that were read for it; refused with the list unless that was
    agreed to.
    """
    chosen = parse_rules(settings_of(study).toml if toml is None else toml)
    again, look = included_again_with_look(study=study, rules=chosen)
    if again and not agreed:
        beginning = f"{chosen.name} would include {len(again):,} workers again whom an earlier run excluded"
        listed = [f"  {who}: {why}" for who, why in again.items()]
        raise Refused([f"{beginning}. Nothing was changed. Use --include-again to include them:", *listed])
    return again.keys(), look
