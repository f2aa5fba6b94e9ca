"""Withdrawal, by a link of its own that stays good while the answers can be told to be that person's."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from annotation.actions.withdrawing import withdraw as erase
from annotation.models import Participation
from annotation.views.doors import Visit, withdrawal_page
from annotation.views.problems import Problem


@withdrawal_page
def withdraw(request: HttpRequest, visit: Visit) -> HttpResponse:
    is_withdrawn = visit.participation.status == Participation.Status.WITHDRAWN
    if visit.participation.worker.platform_id is None and not is_withdrawn:
        raise Problem(
            _("Your answers have been made anonymous: nobody can tell which they are, so they can't be erased."),
            HTTPStatus.GONE,
        )
    if request.method == "POST" and not is_withdrawn:
        erase(participation=visit.participation)
        is_withdrawn = True
    if is_withdrawn:
        return redirect(visit.address("done"))
    context = {"visit": visit, "study": visit.study}
    return render(request, "annotation/withdraw.html", context)
