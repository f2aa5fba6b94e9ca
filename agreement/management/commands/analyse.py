"""`manage.py analyse STUDY`: cleaning run, gold release, agreement and ceilings, in this process and as a job."""

from argparse import ArgumentParser
from typing import Any

from annotation.errors import Refused
from annotation.management.base import StudyCommand


class Command(StudyCommand):
    help = "Cleans a study's judgments by a rule set, releases gold, and measures agreement and ceilings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--rules", default="spatial-2019", metavar="RULES.toml", help="a name or a TOML file")
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="of every random draw (1)")
        parser.add_argument("--replicates", type=int, default=1_000, metavar="N", help="of the item bootstrap (1000)")

    def answer(self, **options: Any) -> dict[str, Any]:
        from agreement.actions import AnalysisFailed, clean_and_release
        from agreement.results import failures_of

        study = self.study(options["study"])
        given = {name: options[name] for name in ("rules", "seed", "replicates")}
        with self.progress("per cent") as bar:
            try:
                release = clean_and_release(
                    study=study, **given, watch=None if bar is None else lambda share: bar(round(100 * share), 100)
                )
            except AnalysisFailed as failed:
                raise Refused(str(failed).splitlines()) from failed
        return {**release.report, "failed": failures_of(release.run)}

    def say(self, answer: dict[str, Any]) -> str:
        from agreement.analysis.methods import said_figure

        counts, cleaned = answer["counts"], answer["agreement"]["cleaned"]
        removed = [f"  {who}: {'; '.join(why)}" for who, why in answer["failed"].items()]
        workers = f"{counts['workers_kept']} of {counts['workers']} workers"
        judgments = f"{counts['judgments_kept']} of {counts['judgments']} judgments"
        return "\n".join(
            [
                f"{answer['study']}: gold release {answer['release']['number']}, SHA-256 {answer['release']['sha256']}",
                f"{workers} and {judgments} are kept. These workers failed a rule:",
                *(removed or ["  nobody"]),
                f"Fleiss' kappa {said_figure(cleaned['fleiss_kappa'])}",
                f"Leave-one-out {said_figure(answer['ceiling']['leave_one_out']['mean'])}",
            ]
        )
