"""The forms that add items: a box to paste them into, proposed checks, items with known answers, what is contained."""

from collections.abc import Mapping, Sequence

from django import forms
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from annotation.models import Study
from annotation.models.study_limits import CHECKS_PER_ASSIGNMENT
from annotation.studies.check_proposals import UNRELATED_WORD, Proposal
from annotation.studies.pasted_items import ADD_AGAIN, LEAVE_OUT
from annotation.studies.study_form import Paragraphs

BOX = UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false"})


class PastedForm(forms.Form):
    """What to do with items that the study has already is asked once there are some; until then the field is hidden."""

    doubles = forms.ChoiceField(
        required=False,
        label="Items that are in the study already",
        choices=[(LEAVE_OUT, "Leave them out"), (ADD_AGAIN, "Add them again, as further items")],
        widget=forms.RadioSelect,
    )
    asks_about_doubles = False

    def ask_about_doubles(self, why: str) -> None:
        self.asks_about_doubles = True
        self.add_error("doubles", why)


class PasteForm(PastedForm):
    items = Paragraphs(label="Items", widget=BOX)

    def __init__(self, data: Mapping[str, object] | None = None, *, fields: Sequence[str]) -> None:
        super().__init__(data, auto_id="paste_%s")
        cells = " and ".join(fields) if len(fields) < 3 else f"{', '.join(fields[:-1])} and {fields[-1]}"
        between = "" if len(fields) == 1 else ", with commas, semicolons or tabs between them"
        self.fields["items"].help_text = (
            f"One item on each line: {cells}{between}. Copied cells of a spreadsheet can be pasted as they are. A first"
            " line with names of columns is read as such, and may name every column that a file can have."
        )


class CountForm(forms.Form):
    per_assignment = forms.IntegerField(
        label="In each assignment",
        min_value=CHECKS_PER_ASSIGNMENT.least,
        max_value=CHECKS_PER_ASSIGNMENT.most,
        error_messages=CHECKS_PER_ASSIGNMENT.messages,
        initial=1,
        widget=UnfoldAdminIntegerFieldWidget,
    )


class ProposedChecksForm(CountForm):
    word = forms.CharField(
        label="A word that is unrelated to all of them",
        initial=UNRELATED_WORD,
        max_length=80,
        widget=UnfoldAdminTextInputWidget,
    )

    def __init__(self, data: Mapping[str, object] | None = None, *, proposal: Proposal | None) -> None:
        super().__init__(data, auto_id="proposed_%s")
        if proposal is not None:
            self.fields["per_assignment"].initial = proposal.per_assignment
            self.fields["per_assignment"].help_text = "Of each name."
            if "unrelated" not in proposal.named:
                del self.fields["word"]


class KnownAnswersForm(CountForm, PastedForm):
    items = Paragraphs(label="Items with their right answers", widget=BOX)
    name = forms.CharField(label="Name of the check", initial="known", max_length=40, widget=UnfoldAdminTextInputWidget)

    def __init__(self, data: Mapping[str, object] | None = None, *, study: Study, fields: Sequence[str]) -> None:
        super().__init__(data, auto_id="known_%s")
        right = (
            "the lowest and the highest right answer in per cent of the scale (one of them may be empty)"
            if study.question_kind.has_scale
            else "the right label (several with | between them)"
        )
        self.fields["items"].help_text = f"One item on each line: {', '.join(fields)}, then {right}."
        self.order_fields(["items", "name", "per_assignment"])

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"]).strip()
        if not name:
            raise forms.ValidationError("Give the check a name.")
        return name


class QuotaForm(CountForm):
    def __init__(self, data: Mapping[str, object] | None = None, *, names: Sequence[tuple[str, int]]) -> None:
        super().__init__(data, auto_id="quota_%s")
        self.names = names
