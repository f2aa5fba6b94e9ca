"""The page Launch: the checklist, and the steps that open the study."""

from collections.abc import Mapping
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from agreement.errors import Refused
from annotation.accounts.permissions import Right, study_or_404
from annotation.models import Study
from annotation.pages.admin.base import posted, reasons_of, study_page, user_of
from annotation.pages.admin.forms import StatusForm
from annotation.pages.launch_checklist import Checklist, checklist_of
from annotation.pages.study_steps import opening_steps_of, standing_of
from annotation.studies.study_life import change_status


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
            return _open(request, this_study, form)
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


def _open(request: HttpRequest, study: Study, form: OpenForm) -> HttpResponse:
    status, why = str(form.cleaned_data["to"]), str(form.cleaned_data["why"])
    opened = change_status(study=study, status=status, by=user_of(request), why=why)
    messages.success(request, f"{opened} is {opened.get_status_display().lower()} now. Give people its link.")
    return redirect("admin:annotation_study_links", study.pk)
