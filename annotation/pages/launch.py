"""The page Launch: the checklist, each line with its state and its remedy, and the steps that open the study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from typing import TYPE_CHECKING
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from agreement.errors import Refused
from agreement.files.numbers import count_text, percent
from annotation.accounts.permissions import Right, study_or_404
from annotation.answering.practice import has_feedback, qualification_of
from annotation.models import Item, Study
from annotation.pages.admin.base import posted, reasons_of, study_page, user_of
from annotation.pages.admin.forms import StatusForm
from annotation.pages.plan import PlannedChecks, planned_checks
from annotation.pages.study_tabs import opening_steps_of, standing_of
from annotation.platforms import OWN_LINKS, PLATFORMS
from annotation.studies.completeness import Recruiting, missing_parts, recruiting_of, what_people_will_see
from annotation.studies.lacking_questions import Part
from annotation.studies.study_life import change_status

if TYPE_CHECKING:
    from annotation.models import Study

CLICKERS_TOO_OFTEN = 0.05
CAREFUL_TOO_OFTEN = 0.10
LOCAL_NAMES = {"localhost", "testserver"}


class State(StrEnum):
    OK = "ok"
    ATTENTION = "attention"
    BLOCKING = "blocking"


@dataclass(frozen=True, slots=True)
class Line:
    title: str
    state: State
    words: str
    link: str = ""
    link_words: str = ""

    @property
    def shortly(self) -> str:
        """The sentence's beginning, which says what it is; the page Launch says all of it."""
        return self.words.partition(": ")[0].rstrip(".")


@dataclass(frozen=True)
class ToDo:
    """What is still to be done before a study opens, in the order of its pages."""

    lines: tuple[Line, ...]

    def of(self, state: State) -> list[Line]:
        return [line for line in self.lines if line.state == state]

    @property
    def blocking(self) -> list[Line]:
        return self.of(State.BLOCKING)

    @property
    def attention(self) -> list[Line]:
        return self.of(State.ATTENTION)

    @property
    def fine(self) -> list[Line]:
        return self.of(State.OK)


@dataclass(frozen=True)
class Checklist(ToDo):
    recruiting: Recruiting
    checks: PlannedChecks


def checklist_of(study: Study, host: str) -> Checklist:
    """`host` is the site's name in the address that people will be given."""
    recruiting, checks = recruiting_of(study), planned_checks(study)
    lines = (
        *_items(study, recruiting),
        *_places(study, recruiting),
        *_money(study, recruiting),
        *_checks(study, checks),
        *_qualification(study),
        *_pace(study),
        *_texts(study),
        *_platform(study, host),
    )
    return Checklist(lines, recruiting, checks)


def to_do_of(study: Study) -> ToDo:
    """What a page can say beside its own work, by few statements: without places, money and probabilities."""
    return ToDo((*_lacking(study), *_texts(study)))


def setup_address(study: Study, field: str) -> str:
    """The set-up form, opened at a field or at a table."""
    return f"{reverse('admin:annotation_study_change', args=[study.pk])}#{field}"


def _lacking(study: Study) -> Iterator[Line]:
    """What a study can't open without."""
    mended = {
        Part.ITEMS: (reverse("admin:annotation_study_import_items", args=[study.pk]), "Items"),
        Part.QUESTION: (setup_address(study, "id_question"), "Question"),
        Part.LABELS: (setup_address(study, "labels-group"), "Labels"),
        Part.CHECKS: (setup_address(study, "check_quotas-group"), "Checks"),
        Part.QUALIFICATION: (setup_address(study, "id_qualification_pass_mark"), "Qualification"),
    }
    for part, sentence in missing_parts(study):
        yield Line(part.capitalize(), State.BLOCKING, sentence, *mended[part])


def _items(study: Study, needs: Recruiting) -> list[Line]:
    words = f"{count_text(needs.items, 'item')} to judge; nothing that the question needs is missing."
    items = f"{reverse('admin:annotation_item_changelist')}?study={study.pk}"
    return list(_lacking(study)) or [Line("Items", State.OK, words, items, "Items")]


def _places(study: Study, needs: Recruiting) -> Iterator[Line]:
    form = setup_address(study, "id_judgments_per_item")
    if not needs.people:
        return
    reached = study.capacity is None or study.capacity >= needs.people
    words = (
        f"Ask {count_text(needs.people, 'person', 'people')}: {count_text(needs.judgments, 'judgment')} are needed, and"
        f" one person gives up to {min(needs.per_assignment * study.assignments_per_worker, needs.items):,}."
    )
    if needs.still_needed is not None:
        are = "is" if needs.still_needed == 1 else "are"
        more = count_text(needs.people_more or 0, "more person", "more people")
        words += f" {count_text(needs.still_needed, 'judgment')} {are} still needed, from {more}."
    yield Line("People to ask", State.OK, words, form, "Judgments per item")
    if reached:
        words = f"Every item gets its {count_text(needs.most_per_item, 'judgment')} once these people have finished."
        yield Line("Judgments per item", State.OK, words, form, "Judgments per item")
    else:
        share = study.capacity or 0
        words = (
            f"At most {share:,} people may take part, and {needs.people:,} are needed: items would get about"
            f" {needs.most_per_item * share / needs.people:.1f} of {needs.most_per_item} judgments."
        )
        yield Line("Judgments per item", State.ATTENTION, words, setup_address(study, "id_capacity"), "People at most")


def _money(study: Study, needs: Recruiting) -> Iterator[Line]:
    form, platform = setup_address(study, "id_pay"), PLATFORMS[study.platform]
    cost = needs.cost
    if cost is None:
        needed = bool(platform.pay_floors or platform.fee_percent)
        words = "No pay is set." if needed else "No pay is set: people take part without being paid."
        yield Line("Cost", State.ATTENTION if needed else State.OK, words, form, "Pay")
        return
    fee = f"{cost.fee:,.2f} fee ({cost.fee_percent:f} %)" if cost.fee_percent else "no fee"
    words = (
        f"{cost.total:,.2f} {cost.currency} for {count_text(needs.people, 'person', 'people')}:"
        f" {cost.pay:,.2f} pay and {fee}."
        f" {platform.fee_notice}"
    )
    yield Line("Cost", State.OK, words.strip(), setup_address(study, "id_fee_percent"), "Fee")
    if cost.per_hour is None:
        yield Line(
            "Hourly pay",
            State.ATTENTION,
            "Say how many minutes it takes.",
            setup_address(study, "id_minutes_expected"),
            "Minutes",
        )
        return
    words = f"{cost.per_hour:,.2f} {cost.currency} per hour, by the {study.minutes_expected} minutes that you expect"
    if cost.is_below_floor:
        words += f": below the {cost.floor:f} {cost.currency} that {platform.title} asks for at least."
    elif cost.floor is not None:
        words += f"; {platform.title} asks for {cost.floor:f} {cost.currency} at least."
    else:
        words += "; this platform names no least pay in this currency."
    yield Line("Hourly pay", State.ATTENTION if cost.is_below_floor else State.OK, words, form, "Pay")


def _checks(study: Study, checks: PlannedChecks) -> Iterator[Line]:
    table = setup_address(study, "check_quotas-group")
    if not checks.per_assignment:
        words = "No assignment contains checks: nothing would tell a careless person from a careful one."
        yield Line(
            "Checks per person",
            State.ATTENTION,
            words,
            reverse("admin:annotation_study_import_items", args=[study.pk]),
            "Items",
        )
        return
    named = ", ".join(f"{count} {name}" for name, count in checks.quotas)
    per_person = (
        "" if study.assignments_per_worker == 1 else f", in each of up to {study.assignments_per_worker} assignments"
    )
    yield Line(
        "Checks per person",
        State.OK,
        f"{checks.per_assignment} in an assignment ({named}){per_person}.",
        table,
        "Checks",
    )
    if checks.without_right_answer:
        words = study.items.without_right_answer_in_words()
        yield Line("Right answers of checks", State.ATTENTION, words, table, "Checks")
    too_many = checks.clicker_passes > CLICKERS_TOO_OFTEN
    chance = percent(checks.clicker_passes)
    words = f"Somebody who clicks at random passes all checks of an assignment with probability {chance}."
    if too_many:
        words += " More checks, or stricter bounds, let fewer through."
    yield Line("Random clickers", State.ATTENTION if too_many else State.OK, words, table, "Checks")
    too_many = checks.careful_fails > CAREFUL_TOO_OFTEN
    chance = percent(checks.careful_fails)
    words = f"A careful person fails at least one of them with probability {chance}: {checks.assumption}."
    yield Line("Careful people", State.ATTENTION if too_many else State.OK, words, table, "Checks")


def _pace(study: Study) -> Iterator[Line]:
    if not study.is_at_expert_pace:
        return
    words = "Expert: people answer by keys, and may skip, flag and comment on items."
    is_of_crowds = study.platform != OWN_LINKS
    if is_of_crowds:
        words += (
            f" People of {PLATFORMS[study.platform].title} could skip every item: it is for people who know the task."
        )
    state = State.ATTENTION if is_of_crowds else State.OK
    yield Line("Pace", state, words, setup_address(study, "id_pace"), "Pace")


def _qualification(study: Study) -> Iterator[Line]:
    qualification = qualification_of(study)
    if qualification is None or qualification.questions < qualification.pass_mark:
        return
    words = (
        f"People go on with {qualification.pass_mark} of {count_text(qualification.questions, 'qualification item')}"
        " answered right; the others are sent back."
    )
    form = setup_address(study, "id_qualification_pass_mark")
    yield Line("Qualification", State.OK, words, form, "Qualification")
    if PLATFORMS[study.platform].completed_by and not study.code_failed_qualification:
        words = "There is no code for people who don't qualify: they read how to return the study by themselves."
        address = setup_address(study, "id_code_failed_qualification")
        yield Line("Code of who doesn't qualify", State.ATTENTION, words, address, "Code")
    items = study.items.filter(kind=Item.Kind.QUALIFICATION)
    silent = sum(not has_feedback(item, study) for item in items) if study.qualification_feedback else 0
    if silent:
        words = f"Feedback is on, and {count_text(silent, 'qualification item has', 'qualification items have')} none."
        yield Line("Feedback of the qualification", State.ATTENTION, words, form, "Qualification")


def _texts(study: Study) -> Iterator[Line]:
    fields = {"Consent": "id_consent", "Contact": "id_contact", "The first page": "id_researchers"}
    notices = list(what_people_will_see(study))
    for notice in notices:
        field = next((field for begin, field in fields.items() if notice.startswith(begin)), "id_instructions")
        yield Line("Texts", State.ATTENTION, notice, setup_address(study, field), "Texts")
    if not study.instructions.strip():
        yield Line(
            "Instructions",
            State.ATTENTION,
            "Instructions are empty.",
            setup_address(study, "id_instructions"),
            "Instructions",
        )
    if not notices:
        yield Line(
            "Consent and contact",
            State.OK,
            "Consent, contact and who asks are filled in.",
            setup_address(study, "id_consent"),
            "Texts",
        )
    sentence = f"The pages speak {study.get_language_display()}: your own texts should too."
    yield Line("Language", State.OK, sentence, setup_address(study, "id_language"), "Language")


def _platform(study: Study, host: str) -> Iterator[Line]:
    platform, own = PLATFORMS[study.platform], study.platform == OWN_LINKS
    if platform.completed_by:
        is_complete = any(getattr(study, name) for name in platform.completed_by)
        first = setup_address(study, f"id_{platform.completed_by[0]}")
        words = (
            f"People are sent back to {platform.name} when they have finished."
            if is_complete
            else f"Nothing leads people who have finished back to {platform.name}: they could not show that they have."
        )
        yield Line("Completion code", State.OK if is_complete else State.ATTENTION, words, first, "Code or address")
    links = reverse("admin:annotation_study_links", args=[study.pk])
    if is_local(host):
        words = f"This site is reached at {host}, which only this computer can open. "
        words += "People elsewhere can't take part." if own else f"People from {platform.name} can't take part."
        yield Line("Public address", State.ATTENTION, words, links, "Links")
    else:
        yield Line("Public address", State.OK, f"People come to {host}.", links, "Links")


def is_local(host: str) -> bool:
    """Whether a name or number, with or without a port, is of this computer or a private network alone.

    >>> [is_local(host) for host in ("127.0.0.1:8000", "localhost", "192.168.1.4", "[::1]:8000", "lab.example.org")]
    [True, True, True, True, False]
    """
    name = host.partition("]")[0].strip("[") if host.startswith("[") else host.partition(":")[0]
    if name in LOCAL_NAMES or name.endswith((".local", ".localhost")):
        return True
    try:
        return ip_address(name).is_private
    except ValueError:
        return False


# The page Launch: the checklist, and the steps that open the study.


class OpenForm(StatusForm):
    """Where something needs a look, the researcher says that they have looked."""

    to = forms.ChoiceField(widget=forms.HiddenInput)
    has_read = forms.BooleanField(required=False, label="I have read the lines marked “Look”")

    def __init__(
        self, data: Mapping[str, object] | None = None, *, steps: list[tuple[str, str]], checklist: Checklist
    ) -> None:
        super().__init__(data)
        to = self.fields["to"]
        assert isinstance(to, forms.ChoiceField)  # noqa: S101 - for the type checker
        to.choices = steps
        if not checklist.attention:
            del self.fields["has_read"]

    def clean_has_read(self) -> bool:
        if not self.cleaned_data["has_read"]:
            raise forms.ValidationError("Read the lines marked “Look” first, then tick this box.")
        return True


def launch(request: HttpRequest, study: UUID) -> HttpResponse:
    this_study = study_or_404(request.user, Right.CHANGE if request.method == "POST" else Right.LOOK, uuid=study)
    checklist = checklist_of(this_study, request.get_host())
    steps = opening_steps_of(this_study)
    names = [(key, step.verb) for key, step in steps]
    form = OpenForm(posted(request), steps=names, checklist=checklist)
    refused: dict[str, object] = {}
    if form.is_valid():
        try:
            return _open_study(request, this_study, form)
        except Refused as refusal:
            refused = reasons_of(refusal)
    context = {
        "checklist": checklist,
        "form": form,
        "opening": steps,
        "standing": standing_of(this_study),
        "is_open": this_study.is_open_at(timezone.now()),
        **refused,
    }
    status = 422 if refused or form.errors else 200
    template = "pages/launch.html"
    return study_page(request, this_study, template, context, section="launch", title="Launch", status=status)


def _open_study(request: HttpRequest, study: Study, form: OpenForm) -> HttpResponse:
    status, why = str(form.cleaned_data["to"]), str(form.cleaned_data["why"])
    opened = change_status(study=study, status=status, by=user_of(request), why=why)
    links = opened.entry_links.filter(revoked_at=None).exists() or opened.platform != OWN_LINKS
    next_step = "Give people its link." if links else "Create a link for people below."
    messages.success(request, f"{opened} is {opened.get_status_display().lower()} now. {next_step}")
    return redirect("admin:annotation_study_links", study.pk)
