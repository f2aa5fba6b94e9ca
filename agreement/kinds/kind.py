"""What a kind of question says of itself, in the `__init__.py` of its folder."""

from dataclasses import dataclass
from typing import TypeAlias

# The name of a folder here. Kinds are found by walking the folders, so the code has no list of names.
QuestionKind: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Kind:
    """`name` is what is stored, `title` and the sentence `about` what researchers read, `order` the place in lists."""

    name: QuestionKind
    title: str
    about: str
    order: int
    column: str  # the column of a judgment that holds its answers
    has_scale: bool  # answers are numbers between the study's two ends
    fewest_labels: int  # a study needs so many labels; 0: this kind has none
    most_labels: int | None = None  # and takes so many at most
    several_labels: bool = False  # an answer may be about several labels at once
    chooses_several: bool = False  # an answer is a set of labels: a study may limit its size
    labels_may_be_ordered: bool = False  # an answer is one point of a scale of labels, where a study says so
    takes_options: bool = False  # an item may have labels of its own, where its study has none
    in_own_words: bool = False  # people write what they like, and published files quote it

    # What the form of a new study begins with.
    first_question: str = ""
    first_labels: tuple[str, ...] = ()

    in_order: bool = False  # an answer puts the labels in order
    has_properties: bool = False  # an answer is a list of properties, which a researcher may code

    @property
    def has_labels(self) -> bool:
        return self.fewest_labels > 0
