"""What a study's results page shows, and whether it is out of date; and the form of the study's data card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TypedDict
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from agreement.cleaning.cleaning_run import Counts
from agreement.on_request.further_analysis import FurtherReport, NoFurtherReport
from agreement.report.cleaning_report import nothing_judged, notices
from agreement.report.data_card import REQUIRED, Card, Creator, missing_keys
from agreement.report.figure_rows import (
    FigureCell,
    Row,
    agreement_rows,
    ceiling_rows,
    evidence_text,
    metric_name,
    other_lines,
    paragraphs,
    size_rows,
)
from agreement.report.methods_paragraph import methods_paragraph
from agreement.report.paper_table import PaperTable
from agreement.report.paper_tables import claims_table, further_tables, items_table, nothing_lacks
from agreement.report.report import Report
from annotation.accounts.permissions import Right, study_or_404
from annotation.models import Job, Participation, Study
from annotation.models.text_fields import validate_line
from annotation.pages.admin.base import posted, study_page, user_of
from annotation.pages.lists import item_as_shown
from annotation.releases.actions.drawing_reports import DrawnFigure, drawn_figures
from annotation.releases.actions.freezing import newest_out_of_date
from annotation.releases.actions.releasing import card_of, save_card
from annotation.releases.models import CleaningRun, Exclusion, GoldRelease, ReleaseReport, Verdict
from annotation.releases.reference_boards import ReferenceBoard, reference_board
from annotation.releases.tasks import ANALYSE, REPORT

# What a study's results page shows, read in a fixed number of queries: a release, who was removed and why, jobs.

RELEASES_SHOWN = 20
REMOVED_SHOWN = 200


@dataclass(frozen=True, slots=True)
class ExcludedWorker:
    """A worker whose answers are left out, with every reason; `exclusion` is the one in force, if there is one."""

    participation: Participation
    reasons: tuple[str, ...]
    exclusion: Exclusion | None
    is_by_hand: bool


@dataclass(frozen=True, slots=True)
class Results:
    release: GoldRelease
    report: Report
    counts: Counts
    headline: Row | None
    agreement: list[Row]
    ceiling: list[tuple[str, FigureCell]]
    size_threshold: list[tuple[str, FigureCell, str]]
    metric: str
    reference: ReferenceBoard | None  # models and people against the items' own references
    beside: list[str]
    claims: list[PaperTable]  # those that have too few data, and the items that need further judgments
    nothing_lacks: str  # what is said where there are none
    further: list[
        tuple[FurtherReport | NoFurtherReport, list[PaperTable]]
    ]  # analyses made on request, with their tables as printed
    methods: list[list[str]]
    methods_details: list[list[str]]
    erratum: str  # what withdrawals since have done to it, in words
    out_of_date: str  # what has happened since it was made, in words
    newest: int  # the number of the study's newest release
    nothing_judged: str  # why no rule judged anybody
    drawn: ReleaseReport | None  # its report, and the figures that are in it
    figures: list[DrawnFigure]
    report_job: Job | None  # the job that draws them, or that failed to
    notices: list[str]  # checks, rules and bounds that decided nothing

    @property
    def undefined_agreement(self) -> list[Row]:
        return [row for row in self.agreement if row.is_undefined]

    @property
    def undefined_ceilings(self) -> list[tuple[str, FigureCell]]:
        return [(name, figure) for name, figure in self.ceiling if figure.words]


def release_of(study: Study, number: int | None = None) -> GoldRelease | None:
    """The release of that number, or the latest."""
    releases = study.releases.select_related("study", "run__rule_set", "run__study", "created_by").order_by("-number")
    return (releases if number is None else releases.filter(number=number)).first()


def release_asked_for(study: Study, number: str) -> GoldRelease | None:
    """The release whose number an address names, or the latest where it names none; of a number without one, a 404."""
    if not number:
        return release_of(study, None)
    is_number = number.isascii() and number.isdecimal() and len(number) < 9
    release = release_of(study, int(number)) if is_number else None
    if release is None:
        raise Http404(f"{study} has no release {number[:40]}.")
    return release


def results_of(release: GoldRelease) -> Results:
    report = release.published
    rows = agreement_rows(report)
    newest = release.study.releases.aggregate(newest=Max("number"))["newest"]
    drawn = ReleaseReport.objects.filter(release=release).first()
    return Results(
        release=release,
        report=report,
        counts=report.counts,
        headline=next((row for row in rows if row.is_first), None),
        agreement=rows,
        ceiling=list(ceiling_rows(report)),
        size_threshold=list(size_rows(report)),
        metric=metric_name(report),
        reference=reference_board(release),
        beside=other_lines(report),
        claims=[
            table for table in (claims_table(report.results.claims), items_table(report.results.claims)) if table.rows
        ],
        nothing_lacks=nothing_lacks(report.results.claims),
        further=[(part, list(further_tables([part]))) for part in report.results.further],
        methods=paragraphs(methods_paragraph(report)),
        methods_details=paragraphs(release.methods),
        erratum=release.erratum(),
        out_of_date=newest_out_of_date(release, newest),
        newest=newest,
        nothing_judged=nothing_judged(report),
        drawn=drawn,
        figures=[] if drawn is None else drawn_figures(drawn),
        report_job=None if drawn is not None else _report_job(release),
        notices=notices(report),
    )


def _report_job(release: GoldRelease) -> Job | None:
    """The newest job that was to draw this release's report."""
    jobs = release.study.jobs.filter(kind=REPORT, parameters__release=str(release.uuid))
    return jobs.select_related("created_by").first()


def removed_from(study: Study, run: CleaningRun | None) -> list[ExcludedWorker]:
    """Who failed a rule of the run, and who is excluded now by whatever cause, each once."""
    exclusions = {
        exclusion.participation_id: exclusion
        for exclusion in Exclusion.objects.in_force()
        .filter(participation__study=study)
        .select_related("participation", "created_by")
    }
    failed: dict[int, list[Verdict]] = {}
    if run is not None:
        for verdict in run.verdicts.filter(outcome=Verdict.Outcome.FAILED).select_related("participation"):
            failed.setdefault(verdict.participation_id, []).append(verdict)
    people = {verdicts[0].participation_id: verdicts[0].participation for verdicts in failed.values()}
    people |= {key: exclusion.participation for key, exclusion in exclusions.items()}
    words = words_of_evidence(study, [verdict for verdicts in failed.values() for verdict in verdicts])
    return [
        ExcludedWorker(
            participation=person,
            reasons=_exclusion_reasons(failed.get(key, []), exclusions.get(key), words),
            exclusion=exclusions.get(key),
            is_by_hand=key in exclusions and exclusions[key].run_id is None,
        )
        for key, person in sorted(people.items(), key=lambda pair: pair[1].pseudonym)
    ]


def lifted_in(study: Study) -> QuerySet[Exclusion]:
    """The newest of those that were included again, with why."""
    lifted = Exclusion.objects.filter(participation__study=study, lifted_at__isnull=False)
    return lifted.select_related("participation", "lifted_by").order_by("-lifted_at")[:RELEASES_SHOWN]


def words_of_evidence(study: Study, failed: Sequence[Verdict]) -> dict[tuple[int, str], str]:
    """By question and item id, what people saw of the items that verdicts name."""
    named = {(verdict.question, each["item_id"]) for verdict in failed for each in verdict.evidence if each["item_id"]}
    items = {item.item_id: item for item in study.items.filter(item_id__in={item_id for _, item_id in named})}
    return {
        (question, item_id): f"“{item_as_shown(study.asked(question), items[item_id]).short}”"
        for question, item_id in named
        if item_id in items
    }


def _exclusion_reasons(
    failed: list[Verdict], exclusion: Exclusion | None, words: Mapping[tuple[int, str], str]
) -> tuple[str, ...]:
    """Each failure as the person saw it; the rule is named where no item says what it was about."""
    reasons = []
    for verdict in failed:
        shown = [
            evidence_text({**each, "item_id": words.get((verdict.question, each["item_id"]), each["item_id"])})
            for each in verdict.evidence
        ]
        names_items = any(each["item_id"] for each in verdict.evidence)
        reasons.append("; ".join(shown) if names_items else f"{verdict.rule}: {'; '.join(shown) or 'failed'}")
    if exclusion is not None and (exclusion.run_id is None or not reasons):
        reasons.append(exclusion.reason)
    return tuple(reasons)


def latest_job(study: Study) -> Job | None:
    return study.jobs.filter(kind=ANALYSE).select_related("created_by").first()


def failures_of(run: CleaningRun) -> dict[str, list[str]]:
    """Each worker who failed a rule, with the answers that did it."""
    failed: dict[str, list[str]] = {}
    for verdict in run.verdicts.filter(outcome=Verdict.Outcome.FAILED).select_related("participation").order_by("pk"):
        answers = [
            f"{evidence['item_id']} {evidence['answer']} ({evidence['bound']})".strip() for evidence in verdict.evidence
        ]
        failed.setdefault(verdict.participation.pseudonym, []).extend(answers or [verdict.rule])
    return dict(sorted(failed.items()))


# The page on which a researcher describes a study's data for archives: licence, creators, limits.

# Label, and what to write there, in the order of the page.
WORDS = {
    "title": ("Title", "What the data set is called. Empty: the study's short name."),
    "description": ("Description", "Two or three sentences: what was judged, by whom, and what for."),
    "license": ("Licence", "An SPDX identifier such as CC-BY-4.0, or the address of a licence."),
    "creators": ("Creators", "One person per line: name; ORCID; affiliation. ORCID and affiliation may be left out."),
    "url": ("Web address", "Where the data set can be found, such as its page at an archive."),
    "published": ("Published on", "The day of publication. Empty: the day of the last judgment."),
    "version": (
        "Version",
        "Three numbers: the first for other data, the second for added data, the third for the rest.",
    ),
    "keywords": ("Keywords", "With commas between them."),
    "language": ("Language", "Of the items and questions, as a code such as en."),
    "collection": ("Collection", "What the data were collected for, and how, beyond what the methods say."),
    "limitations": ("Limitations", "What the data can't show: items, places, languages and people that are not in it."),
    "biases": (
        "Biases",
        "Whose views are over- or under-represented, and what the wording of the question may favour.",
    ),
    "sensitive_information": (
        "Personal and sensitive information",
        "What the data say about people, and how that is protected. Write \u201cnone\u201d if there is none.",
    ),
    "social_impact": ("Social impact", "Who may gain from the data and who may be harmed by it, if only slightly."),
    "use_cases": ("Uses", "What the data are good for, and what they must not be used for."),
    "synthetic": ("Made by machines", "Whether any of the answers were given by a model and not by a person."),
    "maintenance": ("Maintenance", "Who answers questions about the data, and whether they will be updated."),
    "derived_from": ("Derived from", "The web address of an earlier data set that the items come from."),
    "citation": ("Citation", "In BibTeX, as you want to be cited. Empty: made of creators, title and date."),
}
LONG = {
    "description", "creators", "collection", "limitations", "biases", "sensitive_information", "social_impact",
    "use_cases", "maintenance", "citation",
}  # fmt: skip
CREATOR = ("name", "orcid", "affiliation")
NOT_SAID, YES, NO = "", "yes", "no"


class CardForm(forms.Form):
    """Every field may stay empty: what is missing is said on the page, and reads "to be filled in" in the files."""

    asked_for = REQUIRED  # beside their labels

    def __init__(self, data: Mapping[str, object] | None = None, *, card: Card) -> None:
        super().__init__(data, initial=_fields_as_texts(card))
        for name, (label, help_text) in WORDS.items():
            self.fields[name] = _field(name, label, help_text)

    def clean_creators(self) -> list[dict[str, str]]:
        creators = []
        for number, line in enumerate(
            filter(None, map(str.strip, self.cleaned_data["creators"].splitlines())), start=1
        ):
            validate_line(line)
            parts = [part.strip() for part in line.split(";")]
            if not parts[0] or len(parts) > len(CREATOR):
                raise forms.ValidationError(f"Line {number}: write name; ORCID; affiliation.")
            name, orcid, affiliation = [*parts, "", ""][: len(CREATOR)]
            creators.append({"name": name, "orcid": orcid, "affiliation": affiliation})
        return creators

    def clean_keywords(self) -> list[str]:
        return [word for word in map(str.strip, self.cleaned_data["keywords"].split(",")) if word]

    def clean_synthetic(self) -> bool | None:
        return {YES: True, NO: False}.get(self.cleaned_data["synthetic"])

    def clean_version(self) -> str:
        return self.cleaned_data["version"] or Card().version


class FieldTexts(TypedDict):
    """What every field of the card is made with."""

    label: str
    help_text: str
    required: bool


def _field(name: str, label: str, help_text: str) -> forms.Field:
    texts: FieldTexts = {"label": label, "help_text": help_text, "required": False}
    if name == "published":
        widget = UnfoldAdminTextInputWidget(attrs={"type": "date"})
        return forms.DateField(widget=widget, **texts)
    if name == "synthetic":
        choices = [(NOT_SAID, "not said"), (NO, "no, people gave all answers"), (YES, "yes, a model gave some")]
        return forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget, **texts)
    if name == "url":
        return forms.URLField(widget=UnfoldAdminTextInputWidget, max_length=200, assume_scheme="https", **texts)
    if name == "version":
        three = forms.RegexField(r"^\d+\.\d+\.\d+$", widget=UnfoldAdminTextInputWidget, max_length=20, **texts)
        three.error_messages["invalid"] = "Write three numbers with points between them, such as 1.0.0."
        return three
    if name in LONG:
        return forms.CharField(widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}), max_length=10_000, **texts)
    longest = 20 if name == "language" else 200
    return forms.CharField(widget=UnfoldAdminTextInputWidget, max_length=longest, validators=[validate_line], **texts)


def _fields_as_texts(card: Card) -> dict[str, object]:
    values: dict[str, object] = {each.name: getattr(card, each.name) for each in fields(Card)}
    return {
        **values,
        "creators": "\n".join(map(_creator, card.creators)),
        "keywords": ", ".join(card.keywords),
        "synthetic": {True: YES, False: NO, None: NOT_SAID}[card.synthetic],
    }


def _creator(one: Creator) -> str:
    return f"{one.name}; {one.orcid}; {one.affiliation}".rstrip("; ")


def card(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_or_404(request.user, Right.CHANGE if request.method == "POST" else Right.LOOK, uuid=study)
    stored = card_of(this_study)
    form = CardForm(posted(request), card=stored)
    if form.is_valid():
        changed = save_card(
            study=this_study, values={name: form.cleaned_data[name] for name in WORDS}, by=user_of(request)
        )
        sentence = "The data card is saved." if changed else "Nothing was changed."
        messages.success(request, sentence)
        return redirect(reverse("agreement:card", args=[this_study.uuid]))
    return _page(request, this_study, form, stored)


def absent_from_card(study: Study) -> list[str]:
    """What archives require and nobody has filled in, as the page calls it."""
    return [WORDS[name][0].lower() for name in missing_keys(card_of(study))]


def _page(request: HttpRequest, study: Study, form: CardForm, stored: Card) -> HttpResponse:
    context = {"form": form, "absent": [WORDS[name][0] for name in missing_keys(stored)]}
    status = 422 if form.errors else 200
    return study_page(request, study, "pages/card.html", context, section="results", title="Data card", status=status)
