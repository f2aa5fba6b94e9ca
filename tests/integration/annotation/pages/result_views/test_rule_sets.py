"""Whose rule sets a researcher reads and is offered: their studies' own, and those that are shared on purpose."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from agreement.errors import Refused
from annotation.models import AuditEntry, Job, Role, Study
from annotation.pages.result_forms import AnalyseForm
from annotation.releases.actions.rule_sets import share_rule_set, stop_sharing_rule_set
from annotation.releases.models import CleaningRun, SharedRuleSet, StoredRuleSet
from tests.integration.annotation.at_once import at_once
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.both, pytest.mark.concurrent]
TOML = 'name = "ours"\n# our secret hypothesis\n[[rule]]\nkind = "check"\ncheck = "unrelated"\nmin = 0\nmax = 30\n'


def a_used_rule_set(study: Study, name: str = "ours") -> StoredRuleSet:
    rules = StoredRuleSet.objects.create(name=name, sha256=f"{StoredRuleSet.objects.count():064d}", toml=TOML)
    CleaningRun.objects.create(study=study, rule_set=rules)
    return rules


def listed(client: Client) -> list[StoredRuleSet]:
    page = client.get(reverse("admin:agreement_storedruleset_changelist"))
    assert page.status_code == 200
    return list(page.context["cl"].result_list)


def page_of(client: Client, rules: StoredRuleSet) -> Any:
    return client.get(reverse("admin:agreement_storedruleset_change", args=[rules.pk]))


def press(client: Client, verb: str, rules: StoredRuleSet, study: Study) -> Any:
    return client.post(reverse(f"admin:agreement_storedruleset_{verb}", args=[rules.pk, study.pk]), follow=True)


def offered(study: Study) -> list[str]:
    return list(AnalyseForm(study=study).offered)


@pytest.mark.parametrize("level", ["viewer", "editor", "manager"])
def test_rule_set_is_read_by_those_who_see_a_study_that_used_it(level: str) -> None:
    study, owner = an_owned_study()
    rules = a_used_rule_set(study)
    other, _ = an_owned_study()
    a_used_rule_set(other, "theirs")
    for client in (owner, signed_in(a_researcher(study, level))):
        assert listed(client) == [rules]
        assert "our secret hypothesis" in page_of(client, rules).text


def test_rule_set_of_others_is_neither_listed_nor_read_nor_found() -> None:
    study, _ = an_owned_study()
    rules = a_used_rule_set(study)
    _other, stranger = an_owned_study()
    assert listed(stranger) == []
    assert page_of(stranger, rules).status_code == 404
    found = stranger.get(reverse("admin:agreement_storedruleset_changelist"), {"q": "ours"})
    assert found.context["cl"].result_count == 0


def test_superuser_reads_all() -> None:
    study, _ = an_owned_study()
    rules = a_used_rule_set(study)
    assert listed(signed_in(a_researcher(is_superuser=True))) == [rules]


def test_form_offers_the_studys_own_and_shared_rule_sets_and_no_others() -> None:
    study, _ = an_owned_study()
    mine, (other, _) = a_used_rule_set(study, "mine"), an_owned_study()
    theirs, shared = a_used_rule_set(other, "theirs"), a_used_rule_set(other, "common")
    share_rule_set(rule_set=shared, study=other, by=None)
    keys = offered(study)
    assert mine.sha256 in keys
    assert shared.sha256 in keys
    assert theirs.sha256 not in keys
    words = {key: each.words for key, each in AnalyseForm(study=study).offered.items()}
    assert "shared by another study" in words[shared.sha256]
    assert "shared" not in words[mine.sha256]


def test_form_refuses_a_rule_set_of_others_by_its_hash() -> None:
    study, client = an_owned_study()
    other, _ = an_owned_study()
    theirs = a_used_rule_set(other)
    given = {"rules": theirs.sha256, "seed": 1, "replicates": 100}
    page = client.post(reverse("agreement:analyse", args=[study.uuid]), given)
    assert page.status_code == 422
    assert "This study has not used that rule set, and nobody shares it: choose another." in page.text
    assert not Job.objects.exists()


def test_rule_set_used_by_two_studies_is_both_studies_own() -> None:
    study, client = an_owned_study()
    other, others = an_owned_study()
    rules = a_used_rule_set(study)
    CleaningRun.objects.create(study=other, rule_set=rules)
    CleaningRun.objects.create(study=other, rule_set=rules)
    assert listed(client) == listed(others) == [rules]
    assert offered(other).count(rules.sha256) == 1


def test_manager_shares_and_stops_and_both_are_recorded() -> None:
    study, client = an_owned_study()
    rules = a_used_rule_set(study)
    other, stranger = an_owned_study()
    assert "Share with everybody on this site" in page_of(client, rules).text
    press(client, "share", rules, study)
    assert listed(stranger) == [rules]
    assert rules.sha256 in offered(other)
    page = page_of(client, rules).text
    assert "Stop sharing" in page
    assert "everybody on this site" in page
    press(client, "stop_sharing", rules, study)
    assert listed(stranger) == []
    entries = AuditEntry.objects.filter(study=study, action="shared").order_by("pk")
    assert [(entry.by, entry.detail["read by"]) for entry in entries] == [
        (study.owner, "everybody on this site"), (study.owner, "the studies that used it"),
    ]  # fmt: skip


def test_study_that_used_a_shared_rule_set_keeps_it() -> None:
    study, _ = an_owned_study()
    rules = a_used_rule_set(study)
    share_rule_set(rule_set=rules, study=study, by=None)
    other, others = an_owned_study()
    CleaningRun.objects.create(study=other, rule_set=rules)
    stop_sharing_rule_set(rule_set=rules, study=study, by=None)
    assert listed(others) == [rules]
    assert rules.sha256 in offered(other)


@pytest.mark.parametrize(("level", "status"), [("viewer", 403), ("editor", 403), ("manager", 200), ("", 404)])
def test_only_managers_of_a_study_that_used_it_share(level: str, status: int) -> None:
    study, _ = an_owned_study()
    rules = a_used_rule_set(study)
    user = a_researcher(study, level)
    client = signed_in(user)
    if level:
        assert ("Share with everybody" in page_of(client, rules).text) == (level == "manager")
    assert press(client, "share", rules, study).status_code == status
    assert SharedRuleSet.objects.exists() == (level == "manager")


def test_manager_of_another_study_can_not_share_it_in_that_ones_name() -> None:
    study, _ = an_owned_study()
    rules = a_used_rule_set(study)
    other, stranger = an_owned_study()
    assert press(stranger, "share", rules, other).status_code == 404
    with pytest.raises(Refused, match="only a study that used a rule set can share it"):
        share_rule_set(rule_set=rules, study=other, by=None)
    assert not SharedRuleSet.objects.exists()


def test_sharing_is_by_post_alone() -> None:
    study, client = an_owned_study()
    rules = a_used_rule_set(study)
    address = reverse("admin:agreement_storedruleset_share", args=[rules.pk, study.pk])
    assert client.get(address).status_code == 405


def test_role_taken_away_takes_the_rule_sets_along() -> None:
    study, _ = an_owned_study()
    rules = a_used_rule_set(study)
    client = signed_in(a_researcher(study, "viewer"))
    assert listed(client) == [rules]
    Role.objects.filter(study=study).delete()
    assert listed(client) == []


@pytest.mark.django_db(transaction=True)
def test_sharing_twice_at_once_shares_and_records_once() -> None:
    study, _ = an_owned_study()
    rules = a_used_rule_set(study)
    assert at_once(*[lambda: share_rule_set(rule_set=rules, study=study, by=None)] * 4) == []
    assert SharedRuleSet.objects.count() == AuditEntry.objects.filter(action="shared").count() == 1
