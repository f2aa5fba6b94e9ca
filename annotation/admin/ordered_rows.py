"""Tables of a study whose rows have an order: nobody types a number, the order of the rows is what is stored."""

from typing import Any

from django.db.models import F, Max
from django.forms import BaseInlineFormSet, HiddenInput, ModelForm

POSITION = "position"


class OrderedRow(ModelForm):
    """Its position is a hidden field that the buttons beside the row change; without script a new row is the last."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if POSITION in self.fields:
            self.fields[POSITION].required = False
            self.fields[POSITION].widget = HiddenInput()

    def has_changed(self) -> bool:
        """A row that was added and left empty has a position and nothing else."""
        changed = set(self.changed_data)
        return bool(changed if self.instance.pk else changed - {POSITION})

    def _get_validation_exclusions(self) -> set[str]:
        """Two rows that change places are no conflict: the formset numbers them all."""
        return {*super()._get_validation_exclusions(), POSITION}  # type: ignore[misc]  # Django's, without a type


class OrderedRows(BaseInlineFormSet):
    def clean(self) -> None:
        super().clean()
        for number, form in enumerate(self._in_order(), start=1):
            form.instance.position = number

    def _in_order(self) -> list[ModelForm]:
        """The rows that stay, by their given positions; one without comes last."""
        kept = [form for form in self.forms if form.has_changed() or form.instance.pk]
        kept = [form for form in kept if not (self.can_delete and getattr(form, "cleaned_data", {}).get("DELETE"))]
        given = [getattr(form, "cleaned_data", {}).get(POSITION) for form in kept]
        order = sorted(range(len(kept)), key=lambda at: (given[at] is None, given[at] or 0, at))
        return [kept[at] for at in order]

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 - Django's own
        """First every stored row goes out of the way, for two can't have the same position even for a moment."""
        if not (commit and self.has_changed()):
            return super().save(commit)
        in_order = self._in_order()
        rows = type(self.empty_form.instance)._default_manager.filter(**{self.fk.name: self.instance})
        last = rows.aggregate(last=Max(POSITION))["last"] or 0
        rows.update(position=F(POSITION) + max(last, len(self.forms)))
        saved = super().save(commit)
        for number, form in enumerate(in_order, start=1):
            rows.filter(pk=form.instance.pk).update(position=number)
        return saved
