"""The pages of a study's preview, in the order in which a participant has them, and those that few people see."""

from dataclasses import dataclass
from math import ceil

from django.urls import reverse

from annotation.models import Item, Study

MOST_ITEMS = 50


@dataclass(frozen=True, slots=True)
class PreviewPage:
    key: str
    name: str
    group: str


BEFORE, QUESTIONS, AFTER, OTHERS = "Before", "Questions", "After", "Other endings"


def pages_to_preview(study: Study) -> list[PreviewPage]:
    """Four statements, whatever the size of the study."""
    has_comprehension = study.comprehension_questions.exists()
    before = [("landing", "First page"), ("consent", "Consent"), ("instructions", "Instructions")]
    before += [("comprehension", "Comprehension")] if has_comprehension else []
    after = [("finish", "Last questions"), ("done", "Thank you")]
    others = [("declined", "No consent")]
    others += [("failed", "Comprehension failed")] if has_comprehension else []
    others += [
        ("full", "Study is full"),
        ("late", "Time is over"),
        ("withdraw", "Withdraw"),
        ("withdrawn", "Withdrawn"),
    ]
    return [
        *(PreviewPage(key, name, BEFORE) for key, name in before),
        *(PreviewPage(f"q{n}", f"Page {n}", QUESTIONS) for n in range(1, pages_of_questions(study) + 1)),
        *(PreviewPage(key, name, AFTER) for key, name in after),
        *(PreviewPage(key, name, OTHERS) for key, name in others),
    ]


def pages_of_questions(study: Study) -> int:
    """Practice one at a time, then the items of one assignment with its checks, so many on a page as the study says."""
    practice = study.items.filter(kind=Item.Kind.PRACTICE).count()
    there: dict[str, int] = {}
    for name in study.items.checks().values_list("check_name", flat=True):
        there[str(name)] = there.get(str(name), 0) + 1
    quotas = study.check_quotas.values_list("check_name", "per_assignment")
    checks = sum(min(count, there.get(name, 0)) for name, count in quotas)
    targets = study.items.targets()[: min(study.items_per_assignment, MOST_ITEMS)].count()
    return practice + ceil((targets + checks) / study.items_per_page)


def page_address(study: Study, key: str) -> str:
    """Pages of questions have the numbers that their script counts by."""
    if key.startswith("q") and key[1:].isdecimal():
        return f"{reverse('annotation:preview-questions', args=[study.slug])}{key[1:]}/"
    if key == "finish":
        return f"{reverse('annotation:preview-questions', args=[study.slug])}finish/"
    return reverse("annotation:preview-page", args=[study.slug, key])
