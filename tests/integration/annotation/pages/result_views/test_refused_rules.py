"""Rules and numbers that the results pages can't use: a sentence on the page, never a 500."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import User
from tests.integration.agreement.crowds import a_slider_crowd, a_study_of, answers, came

pytestmark = pytest.mark.django_db
CASES = {
    "min on labels": '[[rule]]\nkind = "check"\ncheck = "attn"\nmin = 50\n',
    "a check that isn't there": '[[rule]]\nkind = "check"\ncheck = "other"\nexpected = "red"\n',
    "a label that isn't there": '[[rule]]\nkind = "check"\ncheck = "attn"\nexpected = "purple"\n',
    "nested": "rule = " + "[" * 9_000 + "]" * 9_000,
    "a name of many letters": "",
    "digits": '[[rule]]\nkind = "too_fast"\nmedian_ms = ' + "9" * 9_000,
}


@pytest.fixture
def researcher(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("where", ["preview", "analyse"])
def test_rules_unsuited_to_a_choice_are_refused_with_a_sentence(researcher: Client, where: str, case: str) -> None:
    study = a_study_of(
        "choice",
        [{"item_id": "i1"}, {"item_id": "c1", "kind": "check", "check_name": "attn", "expected": ["red"]}],
        ["red", "blue"],
    )
    answers(came(study, "ann"), "label", {"i1": "red", "c1": "blue"})
    name = "long " * 20 if case == "a name of many letters" else "mine"
    toml = CASES[case] if case == "nested" else f'name = "{name}"\n{CASES[case]}'
    form = {"rules": "own-bounds", "toml": toml, "seed": "1", "replicates": "100"}
    response = researcher.post(reverse(f"agreement:{where}", args=[study.uuid]), form)
    assert response.status_code == 422
    assert "t-error" in response.text


@pytest.mark.parametrize("number", ["9" * 5_000, "²", "-1", "0", "1"])
@pytest.mark.parametrize("page", ["results", "leaderboard"])
def test_release_that_is_not_there_is_not_found(researcher: Client, page: str, number: str) -> None:
    study = a_slider_crowd()
    address = reverse(f"agreement:{page}", args=[study.uuid])
    assert researcher.get(address, {"release": number}).status_code == 404


@pytest.mark.parametrize("query", ["study=99999999999999999999999", "status__exact=%00", "q=%00"])
def test_lists_are_shown_or_refused_with_a_sentence(researcher: Client, query: str) -> None:
    for model in ("study", "item", "payment", "judgment", "participation", "job"):
        response = researcher.get(reverse(f"admin:annotation_{model}_changelist") + "?" + query, follow=True)
        assert response.status_code in {200, 400}, model
