"""Numbers of a study are refused beyond their limits, by its form, the API and the models alike, with both limits."""

import datetime as dt
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.db.models import DecimalField, Field
from django.urls import reverse
from django.utils import timezone

from annotation.models import EntryLink, Item, Study
from annotation.models.study import OF_STUDIES, PEOPLE, PEOPLE_PER_HOUR
from annotation.people.retention import purge
from tests.factories import a_person, a_study
from tests.integration.annotation.api.scripts import Script
from tests.integration.annotation.pages.admin.test_study_setup import save
from tests.integration.annotation.studies.test_study_form import as_it_opens
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both]
# What the form of a slider study has: how many labels an answer has is asked of sets alone.
OF_SLIDERS = {name: limits for name, limits in OF_STUDIES.items() if name not in {"fewest", "most"}}
BEYOND = {
    "just below": {name: limits.least - 1 for name, limits in OF_STUDIES.items()},
    "just above": {name: limits.most + 1 for name, limits in OF_STUDIES.items()},
    "far below": dict.fromkeys(OF_STUDIES, -(10**30)),
    "far above": dict.fromkeys(OF_STUDIES, 10**30),
}


@pytest.mark.parametrize("where", BEYOND)
def test_numbers_beyond_their_limits_are_refused_beside_their_fields_and_by_the_api(where: str) -> None:
    study, client = an_owned_study(live=False, pay=Decimal(1), currency="GBP")
    assert study.owner is not None
    page = save(client, study, **BEYOND[where])
    errors = page.context["adminform"].form.errors
    assert {name: str(limits) in errors.get(name, ()) for name, limits in OF_SLIDERS.items()} == dict.fromkeys(
        OF_SLIDERS, True
    )
    script, path = Script(study.owner), f"studies/{study.slug}/"
    answer = script.patch(path, BEYOND[where], headers={"If-Match": script.get(path).headers["ETag"]})
    assert answer.status_code == 422
    assert {each["field"] for each in answer.json()["errors"]} >= OF_STUDIES.keys()
    assert Study.objects.get().edits == study.edits


@pytest.mark.parametrize("end", ["least", "most"])
def test_numbers_at_their_limits_are_taken_by_the_form(end: str) -> None:
    client = signed_in(a_researcher())
    given = {name: getattr(limits, end) for name, limits in OF_SLIDERS.items()}
    given |= {
        "scale_low": OF_STUDIES["scale_low"].least,
        "scale_high": OF_STUDIES["scale_high"].most,
        "currency": "GBP",
    }
    assert client.post(reverse("admin:annotation_study_add"), {**as_it_opens(client, "slider"), **given}).headers
    study = Study.objects.get()
    assert {name: getattr(study, name) for name in given} == given


@pytest.mark.parametrize("where", BEYOND)
def test_numbers_beyond_their_limits_are_refused_by_the_model(where: str) -> None:
    for name, number in BEYOND[where].items():
        field = Study._meta.get_field(name)
        assert isinstance(field, Field)
        with pytest.raises(ValidationError):
            field.clean(Decimal(number) if isinstance(field, DecimalField) else number, None)


def test_every_number_of_a_study_that_can_be_given_has_limits() -> None:
    kinds = ("IntegerField", "DecimalField", "FloatField", "BigIntegerField")
    numbers = {field.name for field in Study._meta.fields if any(field.get_internal_type().endswith(k) for k in kinds)}
    assert numbers - {"id", "edits"} == OF_STUDIES.keys()


@pytest.mark.parametrize("number", [0, 10**30])
def test_number_of_checks_is_refused_with_its_row(number: int) -> None:
    study, client = an_owned_study(live=False)
    study.check_quotas.all().delete()
    rows = {
        "check_quotas-TOTAL_FORMS": 1,
        "check_quotas-0-check_name": "clear",
        "check_quotas-0-per_assignment": number,
    }
    page = save(client, study, **rows)
    assert "Give a number from 1 to 1,000." in page.text
    assert not study.check_quotas.exists()


@pytest.mark.parametrize("number", [0, 10**30])
def test_judgments_of_one_item_are_refused_beside_their_field(number: int) -> None:
    study, client = an_owned_study(live=False)
    item = study.items.targets()[0]
    address = reverse("admin:annotation_item_change", args=[item.pk])
    form = client.get(address).context["adminform"].form
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    page = client.post(address, {**data, "judgments_per_item": number})
    assert page.context["adminform"].form.errors["judgments_per_item"] == ["Give a number from 1 to 10,000."]
    assert Item.objects.get(pk=item.pk).judgments_per_item is None


@pytest.mark.parametrize(("name", "limits"), [("capacity", PEOPLE), ("most_per_hour", PEOPLE_PER_HOUR)])
def test_open_link_is_refused_beyond_its_limits_by_page_and_api(name: str, limits: object) -> None:
    study, client = an_owned_study()
    assert study.owner is not None
    script = Script(study.owner)
    for number in (0, 10**30):
        given = {"capacity": "", "most_per_hour": "20", "note": "", name: str(number)}
        form = {"kind": "open", **{f"open-{key}": value for key, value in given.items()}}
        page = client.post(reverse("admin:annotation_study_links", args=[study.pk]), form)
        assert str(limits) in page.text
        assert script.post(f"studies/{study.slug}/links/", {name: number}).status_code == 422
    assert not EntryLink.objects.exists()


def test_one_absurd_retention_keeps_no_other_study_from_being_purged() -> None:
    longest, other = a_study(), a_study()
    worker = a_person(other).worker
    a_person(longest)
    past = timezone.now() - dt.timedelta(days=31)
    Study.objects.filter(pk=longest.pk).update(status="closed", closed_at=past, retention_days=2**31 - 1)
    Study.objects.filter(pk=other.pk).update(status="closed", closed_at=past, retention_days=30)
    assert purge(now=timezone.now()) == 1
    worker.refresh_from_db()
    assert worker.platform_id is None
