"""`manage.py score STUDY probe.csv --name MODEL`: one model's outputs against a gold release, and beside people."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agreement.cli.arguments import add_answer_mapping, add_probe_arguments, probe_options, seed
from agreement.errors import Refused
from agreement.people.matched_share import MatchedShare
from agreement.report.methods import said_figure
from agreement.report.model_rows import OF_ALL_ITEMS, row_name
from agreement.report.people_and_models import stored_groups, stored_share
from agreement.typed_json import JsonObject, to_json
from annotation.management.base import StudyCommand
from annotation.releases.actions.freezing import newest_out_of_date
from annotation.releases.actions.mapping_answers import decide_by_files
from annotation.releases.actions.scoring_probes import ScoringFailed, add_probes, first_options, score_here
from annotation.releases.exports.export_choice import release_numbered
from annotation.releases.leaderboards import scoring_as_json
from annotation.releases.models import Leaderboard, Score, Scoring
from annotation.releases.reference_boards import reference_scores_of, scores_of_model

if TYPE_CHECKING:
    from agreement.report.people_and_models import GroupScore, ReferenceScore

OVER_ITEMS = "The intervals of the scores are over items, with gold as released, for these workers."


class Command(StudyCommand[JsonObject]):
    help = "Scores a model's outputs against a gold release: the latest one, or the one given by --release."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("probe", type=Path, metavar="probe.csv")
        parser.add_argument("--name", required=True, metavar="MODEL", help="the model's name on the leaderboard")
        parser.add_argument(
            "--group", default="", metavar="GROUP", help="models of one group, such as LM, are averaged"
        )
        parser.add_argument("--question", default="", metavar="NAME", help="of a study with several: which is meant")
        parser.add_argument("--release", type=int, metavar="N")
        parser.add_argument(
            "--seed", type=seed, default=1, metavar="N", help="seed of the groups left out (default: 1)"
        )
        add_answer_mapping(parser)
        add_probe_arguments(parser)

    def answer(self, options: Namespace) -> JsonObject:
        study = self.study(options.study).named(options.question)
        release = release_numbered(study, options.release)
        if release is None:
            raise Refused(f"{study.slug} has no gold release yet: run `manage.py analyse {study.slug}` first.")
        how_read = probe_options(vars(options), first_options(study))
        named = {"name": options.name, "group": options.group.strip()}
        decide_by_files(study=study, files=options.answer_mapping)
        probes = add_probes(study=study, file=options.probe, options=how_read, **named)
        try:
            score_here(release=release, seed=options.seed)
        except ScoringFailed as failed:
            raise Refused(str(failed).splitlines()) from failed
        shown = Scoring.objects.shown_of(release)
        self.scorings = [shown.get(probe=probe) for probe in probes]
        self.groups = stored_groups(Leaderboard.objects.get(release=release).groups)
        first, *others = [{**scoring_as_json(one), "against_reference": to_json(_beside(one))} for one in self.scorings]
        return {
            **first,
            "out_of_date": newest_out_of_date(release),
            "groups": to_json(self.groups),
            **({"others": others} if others else {}),
        }

    def say(self, answer: JsonObject) -> str:
        lines = [line for scoring in self.scorings for line in ["", *_of_model(scoring)]]
        has_gold = any(scoring.coverage["gold"] for scoring in self.scorings)  # perplexity is held against no gold
        return "\n".join(
            [
                *lines[1:],
                *_group_means(self.groups),
                *([OVER_ITEMS] if has_gold else []),
                *filter(None, [str(answer["out_of_date"])]),
            ]
        )


def _of_model(scoring: Scoring) -> Iterator[str]:
    release, matched = scoring.release, stored_share(scoring.matched_share)
    share = matched.share if isinstance(matched, MatchedShare) else matched
    sha256 = scoring.release_sha256[:12]
    yield f"{scoring.probe.name} against release {release.number} of {release.study.slug} ({sha256})"
    yield f"covers {scoring.coverage['covered']} of {scoring.coverage['gold']} items"
    for score in scoring.scores.filter(breakdown__in=OF_ALL_ITEMS).order_by("pk"):
        yield f"{_title(score):<28} {said_figure(score.figure, score.metric)}"
    yield from _against_reference(_beside(scoring))
    yield f"{'share of a typical person':<28} {said_figure(share)}"
    yield from scoring.notes


def _beside(scoring: Scoring) -> list[ReferenceScore]:
    return scores_of_model(reference_scores_of(scoring.release), scoring.probe.name)


def _title(score: Score) -> str:
    """The metric, with the setting or the way of counting that it is of."""
    return ", ".join(filter(None, [row_name("", score.breakdown, score.group).removeprefix(", "), score.metric]))


def _against_reference(rows: Sequence[ReferenceScore]) -> Iterator[str]:

    if rows:
        yield "against the items' own references:"
        yield from (f"  {row.metric:<26} {said_figure(row.figure, row.metric)}" for row in rows if not row.breakdown)


def _group_means(rows: Sequence[GroupScore]) -> Iterator[str]:

    for row in rows:
        if not row.breakdown:
            yield f"mean of {row.models}, {row.metric}: {said_figure(row.figure, row.metric)}"
