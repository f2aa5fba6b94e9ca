"""Sends simulated people through the site's real pages, on this machine or on the study's own site."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from agreement.errors import Refused
from agreement.kinds.options import values_of_options
from agreement.simulation.simulated_people import Vice, crowd_of, people
from agreement.simulation.visiting import (
    Browser,
    Page,
    PageQuestion,
    Unreachable,
    Visit,
    Visitor,
)
from agreement.simulation.world import KnownItem
from annotation.answering.practice import qualification_of
from annotation.answering.several_questions import questions_asked
from annotation.answering.views.page_model import ShownItem, shown_item
from annotation.entry.links import make_open_link
from annotation.models import AssignedItem, ComprehensionQuestion, Participation, Study
from annotation.platforms import PLATFORMS
from annotation.platforms.tokens import Purpose, read_token
from annotation.simulating.crowds import SimulationResult, known_item, posed_questions

PATIENCE_SECONDS = 30
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
PORTS = {"http": 80, "https": 443}


def simulate_over_http(
    *,
    study: Study,
    site: str,
    workers: int,
    careless: int = 0,
    vices: Mapping[str, int] | None = None,
    seed: int,
    report: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """The people of `simulate` with the same seed, each in a browser of their own, one after the other."""
    server = _server_of(site)
    _refuse_if_kept_out(study, workers)
    crowd = crowd_of(workers=workers, careless=careless, vices=vices)
    posed = posed_questions(study, seed)
    items = _items_by_what_is_shown(study)
    questions = ComprehensionQuestion.objects.filter(study=study)
    qualification = qualification_of(study)
    address = _addresses(study, seed, workers)
    vices_by_pseudonym: dict[str, Vice] = {}
    answers = 0
    for number, person in enumerate(people(crowd, seed=seed)):
        visitor = Visitor(
            Browser([server], random.Random(seed), patience=PATIENCE_SECONDS),  # noqa: S311  how long to wait
            person,
            posed,
            lambda question: _item_on_page(question, items.get(question.shown, [])),
            has_script=number % 4 != 0,
            quits_after=person.vice.stays(person, study.items_per_assignment)
            + (qualification.questions if qualification else 0),
            right_answers=frozenset(questions.values_list("right_answer", flat=True)),
        )
        try:
            visit = visitor.take_part(address(number))
        except Unreachable as error:
            raise Refused(f"{site} does not answer: {error}") from error
        if not visit.acknowledged:
            break  # the study has all that it needs
        answers += len(visit.acknowledged)
        vices_by_pseudonym[_pseudonym(visit)] = person.vice
        if report:
            report(number + 1, workers)
    return SimulationResult(vices_by_pseudonym, answers)


def _server_of(site: str) -> tuple[str, str, int]:
    """This machine, or a host that this site serves: simulated people are sent to nobody else's."""
    refusal = Refused(f"'{site}' is no address of a site: write for example http://127.0.0.1:8000.")
    try:
        parts = urlsplit(site)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # half a bracket, or a port that there can't be
        raise refusal from None
    if parts.scheme not in PORTS or not host:
        raise refusal
    if host not in LOOPBACK and host not in settings.ALLOWED_HOSTS:
        raise Refused(f"{host} is neither this machine nor a host of this site (TOUCHSTONE_ALLOWED_HOSTS).")
    return parts.scheme, host, port or PORTS[parts.scheme]


def _refuse_if_kept_out(study: Study, workers: int) -> None:
    """Simulated people come from one network, and no platform signs their links."""
    if PLATFORMS[study.platform].own_links:
        return
    if study.requires_signed_entry:
        raise Refused(f"{study} requires signed links: simulated people have none. Simulate on a copy without that.")
    if workers > study.unverified_per_hour:
        raise Refused(
            f"{study} lets in {study.unverified_per_hour} unverified people from one network in an hour, and"
            f" {workers} are to come from this machine: raise that limit in Setup first."
        )


def _addresses(study: Study, seed: int, workers: int) -> Callable[[int], str]:
    come_before = study.participations.count()
    if PLATFORMS[study.platform].own_links:
        link = make_open_link(study=study, capacity=workers, note="simulated people")
        link.most_per_hour = workers  # all of them come from here
        link.save(update_fields=["most_per_hour"])
        joining = reverse("annotation:join", kwargs={"link_token": link.token})
        return lambda _number: joining
    parameters = PLATFORMS[study.platform].simulated_parameters
    taking = reverse("annotation:take", kwargs={"slug": study.slug})

    def address(number: int) -> str:
        who = f"simulated-{seed}-{come_before + number}"
        return f"{taking}?{urlencode({key: value.format(who) for key, value in parameters.items()})}"

    return address


def _items_by_what_is_shown(study: Study) -> dict[tuple[str, tuple[str, ...], str], list[KnownItem]]:
    """The truth about an item hangs on its fields, of which a page shows the wording, the pair and the picture, and its
    own labels.

    Where a check shows what a target shows, the page can't tell, and the target, which comes first, is meant.
    """
    items: dict[tuple[str, tuple[str, ...], str], list[KnownItem]] = {}
    asked = questions_asked(study)
    for item in study.items.select_related("repeats").order_by("-kind", "-position"):  # target, practice, check
        for is_swapped in (False, True):
            shown = shown_item(asked, AssignedItem(item=item, position=0, is_word_order_swapped=is_swapped), {})
            text = " ".join([_stimulus_on_page(study, shown), *(str(each.wording) for each in shown.questions)])
            page = PageQuestion(0, "", is_answered=False, text=text, pair=shown.pair, picture=shown.picture)
            items.setdefault(page.shown, []).append(known_item(item))
    return items


def _stimulus_on_page(study: Study, shown: ShownItem) -> str:
    if not shown.stimulus:
        return ""
    with translation.override(study.language):
        return Page(render_to_string("annotation/stimulus/stimulus.html", {"item": shown})).stimulus


def _item_on_page(question: PageQuestion, items: Sequence[KnownItem]) -> KnownItem:
    """Of the items that look like it, the one whose own labels the page offers; or what can be seen of it."""

    def offered(item: KnownItem) -> list[str]:
        own = values_of_options(item.fields)
        return [label for label in question.offered if label in own] if {*own} <= {*question.offered} else []

    seen = KnownItem({"shown": " ".join((question.text, *question.pair, question.picture))})
    item = max(items, key=lambda each: len(offered(each)), default=seen)
    return replace(item, offered=tuple(offered(item)))


def _pseudonym(visit: Visit) -> str:
    token = visit.acknowledged[0].address.split("/")[2]
    return Participation.objects.get(assignments__uuid=read_token(Purpose.ASSIGNMENT, token).uuid).pseudonym
