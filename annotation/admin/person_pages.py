"""For managers, when somebody writes: a person found by the platform's id, and withdrawn on their behalf."""

from collections.abc import Callable
from typing import TypeAlias

from django.contrib import admin, messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path

from annotation.actions.withdrawing import withdraw
from annotation.admin.forms import PlatformIdForm
from annotation.admin.pages import posted, study_page, user_of
from annotation.models import Participation
from annotation.permissions import Right, studies_where, study_or_404

View: TypeAlias = Callable[..., HttpResponse]


def find(request: HttpRequest) -> HttpResponse:
    """By POST alone: an id in an address would stand in every log on the way."""
    form = PlatformIdForm(posted(request))
    found = None
    if form.is_valid():
        theirs = Q(worker__platform_id=form.cleaned_data["platform_id"]) | Q(
            payment__platform_id=form.cleaned_data["platform_id"]
        )
        people = Participation.objects.filter(theirs, study__in=studies_where(request.user, Right.MANAGE).values("pk"))
        found = list(people.select_related("study").order_by("-pk"))
    context = {"title": "Find a person", "opts": Participation._meta, "form": form, "found": found}
    return render(request, "admin/touchstone/find_person.html", {**admin.site.each_context(request), **context})


def withdraw_for(request: HttpRequest, pk: int) -> HttpResponse:
    person = get_object_or_404(Participation.objects.select_related("study"), pk=pk)
    study = study_or_404(request.user, Right.MANAGE, pk=person.study_id)
    if request.method == "POST":
        erased = withdraw(participation=person, by=user_of(request))
        messages.success(request, f"{person} is withdrawn: {erased} answers are erased, and their places open again.")
        return redirect("admin:annotation_participation_change", person.pk)
    context = {"person": person}
    return study_page(request, study, "admin/touchstone/withdraw.html", context, section="people", title="Withdraw")


def urls_of(wrap: Callable[[View], View]) -> list[URLPattern]:
    return [
        path("find/", wrap(find), name="annotation_participation_find"),
        path("<int:pk>/withdraw/", wrap(withdraw_for), name="annotation_participation_withdraw"),
    ]
