"""The pages about people and items: what they show, sort, filter and link, for every kind of question."""

import datetime as dt
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from agreement.kinds.registry import QUESTION_KINDS
from annotation import jobs
from annotation.models import Judgment, Participation, Study
from annotation.pages.people import COLUMNS
from annotation.releases import summaries
from annotation.releases.actions.rule_sets import exclude
from annotation.releases.tasks import SUMMARY
from tests.factories import per_assignment_done
from tests.integration.agreement.crowds import a_slider_crowd, answers, came, judged
from tests.integration.annotation.releases.exports.test_exports import a_crowd_of
from tests.integration.researchers import a_released_study, a_researcher, signed_in

pytestmark = pytest.mark.django_db


def page(client: Client, name: str, study: Study, *more: Any, **query: str) -> str:
    answer = client.get(reverse(f"agreement:{name}", args=[study.uuid, *more]), query)
    assert answer.status_code == 200, answer.content[:500]
    return answer.text


def looking_at(study: Study, level: str = "viewer") -> Client:
    return signed_in(a_researcher(study, level))


def people_on(client: Client, study: Study, **query: str) -> list[str]:
    answer = client.get(reverse("agreement:people", args=[study.uuid]), query)
    return [row.pseudonym for row in answer.context["page"].rows]


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_every_kind_of_question_has_its_people_its_items_and_their_answers(kind: str) -> None:
    study = a_crowd_of(kind)
    client = looking_at(study, "editor")
    item = study.items.get(item_id="i3")
    judgment = Judgment.objects.filter(assigned_item__item=item).earliest("pk")

    assert "w3" in page(client, "people", study)
    assert "i3" in page(client, "items", study)
    assert "Every answer" in page(client, "item", study, item.uuid)
    assert "Workers who aren't excluded" in page(client, "item", study, item.uuid)
    said = page(client, "person", study, judgment.assigned_item.participation.pseudonym)
    assert said.count('data-label="Answer"') == 6
    assert "In figures" in page(client, "watch", study)


@pytest.mark.parametrize("kind", QUESTION_KINDS)
def test_pages_open_before_anybody_has_answered(kind: str) -> None:
    study = a_crowd_of(kind)
    Judgment.objects.all().delete()
    client = looking_at(study)
    for name in ("watch", "people", "items"):
        page(client, name, study)
    page(client, "person", study, "w3")
    page(client, "item", study, study.items.get(item_id="i3").uuid)


def test_people_are_sorted_both_ways_and_who_has_no_figure_comes_last() -> None:
    study = a_slider_crowd()
    came(study, "idle", status="entered", finished_at=None)
    client = looking_at(study)
    assert people_on(client, study, sort="pseudonym") == ["ann", "ben", "eve", "idle", "zoe"]
    assert people_on(client, study, sort="-failed")[0] == "eve"
    assert people_on(client, study, sort="failed")[-1] == "idle"
    assert people_on(client, study, sort="-failed")[-1] == "idle"
    for column in COLUMNS:
        assert set(people_on(client, study, sort=column)) == {"ann", "ben", "eve", "idle", "zoe"}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"show": "failed"}, {"eve", "zoe"}),
        ({"show": "judging"}, {"ann", "ben", "eve", "zoe"}),
        ({"show": "excluded"}, {"eve"}),
        ({"show": "kept"}, {"ann", "ben", "idle", "zoe"}),
        ({"show": "entered"}, {"idle"}),
        ({"q": "b"}, {"ben"}),
        ({"q": "nobody"}, set()),
        ({"show": "nonsense", "page": "no", "sort": "sideways"}, {"ann", "ben", "eve", "idle", "zoe"}),
    ],
)
def test_people_are_filtered(query: dict[str, str], found: set[str]) -> None:
    study = a_slider_crowd()
    came(study, "idle", status="entered", finished_at=None)
    exclude(participation=study.participations.get(pseudonym="eve"), reason="careless", by=None)
    assert set(people_on(looking_at(study), study, **query)) == found


def test_one_page_of_many_people_leads_to_the_next() -> None:
    study = a_slider_crowd()
    for number in range(60):
        came(study, f"more-{number:02}")
    client = looking_at(study)
    first, second = people_on(client, study, sort="pseudonym"), people_on(client, study, sort="pseudonym", page="2")
    assert (len(first), len(second)) == (50, 14)
    assert sorted({*first, *second}) == sorted(study.participations.values_list("pseudonym", flat=True))
    assert "?sort=pseudonym&amp;page=2" in page(client, "people", study, sort="pseudonym")
    assert people_on(client, study, sort="pseudonym", page="99") == second


def test_a_persons_answers_stand_in_order_with_checks_and_what_the_others_said() -> None:
    study = a_slider_crowd()
    client = looking_at(study)
    answer = client.get(reverse("agreement:person", args=[study.uuid, "eve"]))
    rows = answer.context["answers"].rows
    assert [row.item.item_id for row in rows] == ["i1", "i2", "i3", "u1", "s1", "p1"]
    assert [row.answer for row in rows] == ["50", "50", "50", "61", "50", "50"]
    assert [row.bound for row in rows] == ["", "", "", "at most 60", "at least 90", ""]
    assert [row.is_broken for row in rows] == [False, False, False, True, True, False]
    assert rows[0].others == "mean 56.67"  # of 90, 80 and 0
    assert rows[0].item.pair == ("above", "over")
    assert "would be" in answer.text


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "not known: simulated or imported"), (192, "3 min 12 s")])
def test_time_that_no_person_can_have_taken_is_not_known(seconds: float, said: str) -> None:
    study = a_slider_crowd()
    client = looking_at(study)
    consented_at = timezone.now()
    finished_at = consented_at + dt.timedelta(seconds=seconds)
    study.participations.filter(pseudonym="eve").update(
        consented_at=consented_at, finished_at=finished_at, consent_version="1"
    )
    assert said in client.get(reverse("agreement:person", args=[study.uuid, "eve"])).text


def test_the_others_are_those_who_count_and_are_not_excluded() -> None:
    study = a_slider_crowd()
    exclude(participation=study.participations.get(pseudonym="zoe"), reason="careless", by=None)
    client = looking_at(study)
    rows = client.get(reverse("agreement:person", args=[study.uuid, "eve"])).context["answers"].rows
    assert rows[0].others == "mean 85"
    assert "Excluded: careless" in page(client, "person", study, "zoe")


def test_unusual_answers_are_marked() -> None:
    study = a_slider_crowd()
    ann = study.participations.get(pseudonym="ann")
    place = ann.assigned_items.get(item__item_id="i1")
    judged(place, "number", 40.0, revision=2)
    late = came(study, "late")
    answers(late, "number", {"i1": 1.0}, is_late=True)
    unseen = came(study, "unseen")
    answers(unseen, "could_not_see", {"i1": True})
    client = looking_at(study)
    said = page(client, "item", study, study.items.get(item_id="i1").uuid)
    assert "changed once" in said
    assert "late" in said
    assert "doesn&#x27;t count" in said
    assert "could not see the picture" in said
    assert "could not see the picture" in page(client, "person", study, "unseen")


def test_contested_items_come_first_and_checks_are_not_among_them() -> None:
    study = a_slider_crowd()
    answer = looking_at(study).get(reverse("agreement:items", args=[study.uuid]))
    rows = answer.context["page"].rows
    assert [row.item.item_id for row in rows] == ["i1", "i2", "i3"]
    assert [row.judgments for row in rows] == [4, 4, 4]
    spread = [row.contested for row in rows]
    assert spread == sorted(spread, reverse=True)
    assert "Standard deviation" in answer.text


def test_items_are_found_by_a_part_of_their_id() -> None:
    study = a_slider_crowd()
    answer = looking_at(study).get(reverse("agreement:items", args=[study.uuid]), {"q": "2", "sort": "item"})
    assert [row.item.item_id for row in answer.context["page"].rows] == ["i2"]


def test_an_items_words_are_text_and_never_markup() -> None:
    study = a_slider_crowd()
    Judgment.objects.all().delete()
    study.items.filter(item_id="i1").update(fields={"left": "<b>above</b>", "right": "over"})
    said = page(looking_at(study), "item", study, study.items.get(item_id="i1").uuid)
    assert "&lt;b&gt;above" in said
    assert "<b>above" not in said


def test_pages_of_a_large_study_say_that_figures_are_being_computed_and_then_how_old_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(summaries, "AT_ONCE", 3)
    study = a_slider_crowd()
    client = looking_at(study)
    for name in ("watch", "people", "items"):
        assert "are being computed" in page(client, name, study)
    assert study.jobs.filter(kind=SUMMARY).count() == 1
    jobs.run_job(study.jobs.get().pk)
    late = came(study, "late")
    answers(late, "number", {"i1": 1.0})
    for name in ("watch", "people", "items"):
        said = page(client, name, study)
        assert "Figures as of" in said
        assert "1 judgment ago" in said


PAGES = {"watch": 25, "people": 22, "items": 20, "person": 29, "item": 20}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("how", ["computed", "stored"])
def test_pages_cost_the_same_few_queries_for_more_people(name: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study, _release, client = a_released_study()
    if how == "stored":
        monkeypatch.setattr(summaries, "AT_ONCE", 3)
        assert jobs.run_here(kind=SUMMARY, study=study, parameters={}, by=None).error == ""
    person, item = study.participations.earliest("pk"), study.items.targets().earliest("pk")
    of_one: dict[str, list[Any]] = {"person": [person.pseudonym], "item": [item.uuid]}
    more = of_one.get(name, [])
    address = reverse(f"agreement:{name}", args=[study.uuid, *more])
    client.get(address)
    asked = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        asked.append([query["sql"] for query in captured.captured_queries])
        for number in (20, 70):
            per_assignment_done(study, number)
    assert len(asked[0]) == len(asked[1]), "\n".join(asked[1])
    assert len(asked[0]) <= PAGES[name], f"{len(asked[0])}\n" + "\n".join(asked[0])


def test_strangers_see_none_of_it() -> None:
    study = a_slider_crowd()
    client = signed_in(a_researcher())
    addresses = [reverse(f"agreement:{name}", args=[study.uuid]) for name in ("watch", "people", "items")]
    addresses.append(reverse("agreement:person", args=[study.uuid, "ann"]))
    addresses.append(reverse("agreement:item", args=[study.uuid, study.items.get(item_id="i1").uuid]))
    assert [client.get(address).status_code for address in addresses] == [404] * 5


def test_nobody_is_found_under_another_studys_pseudonym() -> None:
    study, other = a_slider_crowd(), a_slider_crowd()
    Participation.objects.filter(study=other, pseudonym="ann").update(pseudonym="another")
    assert looking_at(study).get(reverse("agreement:person", args=[study.uuid, "another"])).status_code == 404


def items_on(client: Client, study: Study, **query: str) -> list[str]:
    answer = client.get(reverse("agreement:items", args=[study.uuid]), query)
    assert answer.status_code == 200
    return sorted(row.item.item_id for row in answer.context["page"].rows)


def test_a_cell_of_two_people_leads_to_the_items_that_they_answered_differently() -> None:
    study = a_crowd_of("choice")
    client = looking_at(study)
    labels = Judgment.objects.values_list("assigned_item__item__item_id", "label")
    one, other = (dict(labels.filter(assigned_item__participation__pseudonym=name)) for name in ("w0", "w1"))
    different = sorted(item for item in one if one[item] != other[item])
    assert 0 < len(different) < len(one)
    assert items_on(client, study, between="w0,w1") == different
    text = page(client, "items", study, between="w0,w1")
    assert "Items that w0 and w1 answered differently." in text
    assert '<input type="hidden" name="between" value="w0,w1">' in text
    for nobody in ("w0", "w0,nobody", ","):
        assert items_on(client, study, between=nobody) == []


def test_a_bar_of_answers_leads_to_the_items_that_somebody_answered_so() -> None:
    sliders, choices = a_slider_crowd(), a_crowd_of("choice")
    assert items_on(looking_at(sliders), sliders, answer="90..100") == ["i1", "i2"]
    assert "Items of which somebody answered from 90 to 100." in page(
        looking_at(sliders), "items", sliders, answer="90..100"
    )
    label = Judgment.objects.filter(assigned_item__item__study=choices).values_list("label", flat=True)[0]
    assert items_on(looking_at(choices), choices, answer=str(label))
    for odd in ("nothing", "1e999..2", "..", "90..", "9.9.9..1"):
        assert items_on(looking_at(choices), choices, answer=odd) == []
        assert items_on(looking_at(sliders), sliders, answer=odd) == []
