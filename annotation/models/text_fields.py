"""LineField: a text of one line, such as a title, which no control character may stand in wherever it comes from."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import models

from agreement.errors import Refused
from agreement.files.cell_texts import why_no_line


def validate_line(text: str) -> None:
    """The rule as forms and the API's serializers take it."""
    if why := why_no_line(text):
        raise ValidationError(why, code="control_character")


if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
else:
    _CharField = models.CharField


class LineField(_CharField):
    """Forms and serializers of the model check it; whatever creates a row without them is refused here."""

    default_validators = [validate_line]

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: FBT001 - Django's
        value = super().pre_save(model_instance, add)
        if add and isinstance(value, str) and (why := why_no_line(value)):
            raise Refused(f"{self.verbose_name}: {why}")
        return value

    def deconstruct(self) -> Any:
        """To migrations it is the CharField that its column is."""
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.CharField", arguments, options
