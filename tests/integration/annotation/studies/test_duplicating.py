"""A study is duplicated: its texts, labels, checks, questions and items, and nothing of its people."""

import pytest

from agreement.errors import Refused
from annotation.models import AuditEntry, Study
from annotation.studies.study_life import duplicate_study
from tests.factories import a_study, per_assignment_done
from tests.integration.researchers import a_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def everything_about(study: Study) -> list[list[tuple[object, ...]]]:
    return [
        list(study.items.values_list("item_id", "kind", "fields", "check_name", "min", "max", "position")),
        list(study.labels.values_list("value", "display_text", "position")),
        list(study.check_quotas.order_by("check_name").values_list("check_name", "per_assignment")),
        list(study.comprehension_questions.values_list("text", "right_answer", "position")),
        list(study.end_questions.values_list("name", "text", "position")),
    ]


def test_duplicate_has_everything_but_people_codes_and_links() -> None:
    user = a_researcher()
    study = a_study(code_completed="ABC", contact="lab@example.org", judgments_per_item=7)
    study.comprehension_questions.create(position=1, text="What?", right_answer="this", wrong_answers="that")
    study.end_questions.create(position=1, name="age", text="How old?")
    per_assignment_done(study)
    new = duplicate_study(study=study, slug="again", title="Again", by=user, shuts_out=True)
    assert everything_about(new) == everything_about(study)
    assert (new.status, new.owner, new.code_completed, new.contact) == ("draft", user, "", "lab@example.org")
    assert (new.question, new.judgments_per_item, new.participations.count()) == (study.question, 7, 0)
    assert new.seed != study.seed
    assert list(new.shuts_out.all()) == [study]
    entries = AuditEntry.objects.filter(action="duplicated").order_by("pk")
    assert [(entry.study, entry.detail["items"]) for entry in entries] == [(new, 90), (study, 90)]


def test_duplicate_without_items_is_an_empty_form_with_the_same_texts() -> None:
    study = a_study(live=False)
    new = duplicate_study(study=study, slug="again", title="Again", by=None, with_items=False)
    assert (new.items.count(), new.consent) == (0, study.consent)


def test_item_that_repeats_another_repeats_the_copy() -> None:
    study = a_study(live=False)
    first, second = study.items.checks()[:2]
    study.items.filter(pk=second.pk).update(repeats=first)
    new = duplicate_study(study=study, slug="again", title="Again", by=None)
    assert new.items.get(item_id=second.item_id).repeats == new.items.get(item_id=first.item_id)


@pytest.mark.parametrize(("slug", "sentence"), [("taken", "choose another short name"), ("a b", "short name")])
def test_short_name_that_cannot_be_is_refused(slug: str, sentence: str) -> None:
    study = a_study(live=False, title="One")
    Study.objects.filter(pk=study.pk).update(slug="taken")
    with pytest.raises(Refused, match=sentence):
        duplicate_study(study=study, slug=slug, title="Again", by=None)
    assert Study.objects.count() == 1
