"""Pages of a study's life: links to hand out, duplicated, archived, restored, deleted while it is a draft."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.db.models import Count
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST
from unfold.widgets import UnfoldAdminTextInputWidget

from agreement.errors import Refused
from agreement.files.writing import csv_cell
from annotation.accounts.permissions import Right, study_or_404
from annotation.entry.links import address_of, make_invitations, make_open_link, platform_url, revoke_link
from annotation.models import EntryLink, Study
from annotation.models.text_fields import validate_line
from annotation.pages.admin.base import posted, reasons_of, study_page, user_of
from annotation.pages.admin.forms import NO_SHORT_NAME, InvitationsForm, OpenLinkForm, StatusForm
from annotation.platforms import PLATFORMS
from annotation.studies.study_form import free_slug
from annotation.studies.study_life import archive_study, delete_draft, duplicate_study, restore_study
from annotation.web.responses import Download

SHOWN = 200


def links(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    asks = request.POST.get("kind") if request.method == "POST" else None
    invitations = InvitationsForm(request.POST if asks == EntryLink.Kind.INVITATION else None, prefix="invitations")
    open_link = OpenLinkForm(request.POST if asks == EntryLink.Kind.OPEN else None, prefix="open")
    if invitations.is_valid() or open_link.is_valid():
        _make_links(request, study, invitations, open_link)
        return redirect("admin:annotation_study_links", study.pk)
    stored_links = study.entry_links.annotate(people=Count("participations")).order_by("-pk")
    context = {
        "platform_url": platform_url(request, study),
        "instructions": _instructions(study),
        "open_links": [
            (link, address_of(request, link)) for link in stored_links.filter(kind=EntryLink.Kind.OPEN)[:SHOWN]
        ],
        "invitations": [(link, address_of(request, link)) for link in stored_links.filter(kind="invitation")[:SHOWN]],
        "invitations_form": invitations,
        "open_form": open_link,
    }
    return study_page(request, study, "admin/touchstone/links.html", context, section="links", title="Links")


def _make_links(request: HttpRequest, study: Study, invitations: Form, open_link: Form) -> None:
    if invitations.is_bound:
        links = make_invitations(study=study, by=user_of(request), **invitations.cleaned_data)
        messages.success(request, f"{len(links)} invitations were created: download them, and send one to each person.")
    else:
        make_open_link(study=study, by=user_of(request), **open_link.cleaned_data)
        messages.success(request, "The open link was created.")


def invitations_csv(request: HttpRequest, pk: int) -> Download:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    unused = study.entry_links.filter(kind=EntryLink.Kind.INVITATION, revoked_at=None, participations=None)

    def lines() -> Iterator[bytes]:
        yield b"link,note\n"
        for link in unused.order_by("pk").iterator():
            yield f"{address_of(request, link)},{csv_cell(link.note)}\n".encode()

    return Download(lines(), name=f"{study.slug}-invitations.csv")


@require_POST
def revoke_link_page(request: HttpRequest, pk: int, link: int) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    revoke_link(link=get_object_or_404(study.entry_links, pk=link), by=user_of(request))
    messages.success(request, "The link is revoked: nobody new can start with it.")
    return redirect("admin:annotation_study_links", study.pk)


def _instructions(study: Study) -> str:
    platform = PLATFORMS[study.platform]
    signed = platform.signed_link_instructions if study.requires_signed_entry else ""
    return " ".join(filter(None, (platform.link_instructions, signed)))


# The pages on which a study is duplicated, archived, restored or, while it is a draft, deleted.


class DuplicateForm(forms.Form):
    title = forms.CharField(max_length=200, validators=[validate_line], widget=UnfoldAdminTextInputWidget)
    slug = forms.SlugField(
        max_length=80,
        required=False,
        label="Short name",
        error_messages={"invalid": NO_SHORT_NAME},
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text="Leave it empty: it is made from the title.",
    )
    with_items = forms.BooleanField(required=False, initial=True, label="With its items")
    shuts_out = forms.BooleanField(required=False, label="Not for people who took part in the original")

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"] or free_slug(self.cleaned_data.get("title", "")))
        if Study.objects.filter(slug=slug).exists():
            raise forms.ValidationError(f"There is a study '{slug}' already: choose another short name.")
        return slug


def duplicate_study_page(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    initial = {"title": f"{study.title} (copy)"[:200], "shuts_out": study.participations.exists()}
    form = DuplicateForm(posted(request), initial=initial)
    refused: dict[str, object] = {}
    if form.is_valid():
        try:
            new = duplicate_study(study=study, by=user_of(request), **form.cleaned_data)
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            messages.success(request, f"{new} was created as a draft like {study}.")
            return redirect("admin:annotation_study_change", new.pk)
    context = {"form": form, "items": study.items.count(), **refused}
    status = 422 if refused or form.errors else 200
    page = "admin/touchstone/duplicate.html"
    return study_page(request, study, page, context, section="", title="Duplicate", status=status)


@dataclass(frozen=True, slots=True)
class Ending:
    """What the page says, does and says afterwards."""

    verb: str
    meaning: str
    act: Callable[..., object]
    done: str
    fits: Callable[[Study], bool]


ENDINGS = {
    "archive": Ending(
        "Archive",
        "The study leaves the lists, and nobody new can take part. Everything that it has is kept: results, payments"
        " and exports stay where they are, and you can restore it at any time.",
        archive_study,
        "{} is archived. The list of studies shows it under Archived.",
        lambda study: study.archived_at is None,
    ),
    "restore": Ending(
        "Restore",
        "The study comes back into the lists. It opens to people when you go live again.",
        restore_study,
        "{} is restored.",
        lambda study: study.archived_at is not None,
    ),
    "delete": Ending(
        "Delete the draft",
        "Its items, labels, questions and texts are deleted for good. Only a draft that nobody has taken part in can be"
        " deleted; the audit log keeps who deleted it, when and why.",
        delete_draft,
        "The draft {} is deleted.",
        lambda study: study.status == Study.Status.DRAFT,
    ),
}


def end(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    study = study_or_404(request.user, Right.MANAGE, pk=pk)
    ending = ENDINGS.get(action)
    if ending is None:
        raise Http404("There is no such page.")
    form = StatusForm(posted(request))
    refused: dict[str, object] = {}
    if form.is_valid():
        try:
            ending.act(study=study, by=user_of(request), why=form.cleaned_data["why"])
        except Refused as refusal:
            refused = reasons_of(refusal)
        else:
            messages.success(request, ending.done.format(study))
            return redirect(_address_after(study, action))
    context = {"form": form, "ending": ending, "fits": ending.fits(study), **refused}
    status = 422 if refused else 200
    page = "admin/touchstone/end_study.html"
    return study_page(request, study, page, context, section="", title=ending.verb, status=status)


def _address_after(study: Study, action: str) -> str:
    if action == "restore":
        return reverse("admin:annotation_study_change", args=[study.pk])
    return reverse("admin:annotation_study_changelist")
