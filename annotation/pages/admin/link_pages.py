"""The page of links to hand out: the platform's address with its placeholders, open links, invitations."""

from collections.abc import Iterator

from django.contrib import messages
from django.db.models import Count
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from agreement.files.writing import csv_cell
from annotation.accounts.permissions import Right, study_or_404
from annotation.entry.links import address_of, make_invitations, make_open_link, platform_url, revoke_link
from annotation.models import EntryLink, Study
from annotation.pages.admin.base import study_page, user_of
from annotation.pages.admin.forms import InvitationsForm, OpenLinkForm
from annotation.platforms import PLATFORMS
from annotation.web.downloads import Download

SHOWN = 200


def links(request: HttpRequest, pk: int) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    asks = request.POST.get("kind") if request.method == "POST" else None
    invitations = InvitationsForm(request.POST if asks == EntryLink.Kind.INVITATION else None, prefix="invitations")
    open_link = OpenLinkForm(request.POST if asks == EntryLink.Kind.OPEN else None, prefix="open")
    if invitations.is_valid() or open_link.is_valid():
        _make(request, study, invitations, open_link)
        return redirect("admin:annotation_study_links", study.pk)
    made = study.entry_links.annotate(people=Count("participations")).order_by("-pk")
    context = {
        "platform_url": platform_url(request, study),
        "instructions": _instructions(study),
        "open_links": [(link, address_of(request, link)) for link in made.filter(kind=EntryLink.Kind.OPEN)[:SHOWN]],
        "invitations": [(link, address_of(request, link)) for link in made.filter(kind="invitation")[:SHOWN]],
        "invitations_form": invitations,
        "open_form": open_link,
    }
    return study_page(request, study, "admin/touchstone/links.html", context, section="links", title="Links")


def _make(request: HttpRequest, study: Study, invitations: Form, open_link: Form) -> None:
    if invitations.is_bound:
        made = make_invitations(study=study, by=user_of(request), **invitations.cleaned_data)
        messages.success(request, f"{len(made)} invitations were created: download them, and send one to each person.")
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
def revoke(request: HttpRequest, pk: int, link: int) -> HttpResponse:
    study = study_or_404(request.user, Right.CHANGE, pk=pk)
    revoke_link(link=get_object_or_404(study.entry_links, pk=link), by=user_of(request))
    messages.success(request, "The link is revoked: nobody new can start with it.")
    return redirect("admin:annotation_study_links", study.pk)


def _instructions(study: Study) -> str:
    platform = PLATFORMS[study.platform]
    signed = platform.signed_link_instructions if study.requires_signed_entry else ""
    return " ".join(filter(None, (platform.link_instructions, signed)))
