"""What every kind declares about its form, beside its template `<kind>/form.html`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from questions.answers import Answer, Fields
from questions.inputs import ShownLabel
from questions.kind import QuestionKind
from questions.reading_forms import Facts, one
from questions.registry import KINDS, declared


def always_touched(fields: Fields) -> bool:  # noqa: ARG001  every kind is asked alike
    return False


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind's part of a form is read, and what its template shows of it.

    `read_given` refuses with `BadAnswer`. `show` makes `item.inputs` of the study's labels and of what a form sends for
    the answer given so far. `is_untouched` says whether none of its lines was moved. `script` and `style` name files in
    the kind's folder `static/`: the script defines a custom element, marked `data-part` in the template, that tells
    `item.js` whether it `isAnswered` and where a person goes on (`firstOpen`), takes over what its fields hold
    (`fill`), and sends a `change` for each answer.
    """

    read_given: Callable[[Fields, Facts], Answer]
    show: Callable[[Sequence[ShownLabel], Fields], object]
    is_untouched: Callable[[Fields], bool] = always_touched
    script: str = ""
    style: str = ""

    def read(self, fields: Fields, facts: Facts) -> Answer:
        """The answer in the form, or `BadAnswer`. Numbers come in the study's canonical direction."""
        if one(fields, "could_not_see") and facts.has_image:
            return Answer(could_not_see=True)
        return self.read_given(fields, facts)


def form_of(kind: QuestionKind) -> Form:
    form: Form = declared(kind, "form", "FORM")
    return form


def static_file_of(kind: QuestionKind, name: str) -> str:
    """Where a file of the kind's `static/` is found among all static files; nothing for no file."""
    return f"questions/{KINDS[kind].name}/{name}" if name else ""


def plain_template_of(kind: QuestionKind) -> str:
    """The same answer as plain fields on a researcher's page; their names begin with `a-`."""
    return f"{KINDS[kind].name}/plain.html"


def template_of(kind: QuestionKind) -> str:
    return f"{KINDS[kind].name}/form.html"
