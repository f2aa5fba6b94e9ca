"""The links to hand out: the platform's placeholders as they are, open links, invitations, revoking."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import AuditEntry, EntryLink, Study
from tests.integration.researchers import an_owned_study

pytestmark = pytest.mark.django_db


def links_page(study: Study) -> str:
    return reverse("admin:annotation_study_links", args=[study.pk])


def test_prolific_address_carries_its_placeholders_unescaped() -> None:
    study, client = an_owned_study(platform="prolific")
    page = client.get(links_page(study))
    assert page.context["platform_url"] == (
        f"http://testserver/take/{study.slug}/?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    assert "No completion code is set" in page.text


def test_open_link_lets_people_in_until_it_is_revoked(client: Client) -> None:
    study, owner = an_owned_study()
    owner.post(
        links_page(study), {"kind": "open", "open-capacity": "5", "open-note": "class", "open-most_per_hour": "30"}
    )
    link = EntryLink.objects.get()
    assert (link.kind, link.capacity, link.most_per_hour, link.note) == ("open", 5, 30, "class")
    page = owner.get(links_page(study))
    address = page.context["open_links"][0][1]
    assert client.get(address).status_code == 200
    owner.post(reverse("admin:annotation_study_revoke_link", args=[study.pk, link.pk]))
    assert client.get(address).status_code == 410
    assert AuditEntry.objects.filter(study=study, action=AuditEntry.Action.CHANGED).count() == 2


def test_invitations_are_one_a_person_and_downloaded_safely() -> None:
    study, client = an_owned_study()
    client.post(links_page(study), {"kind": "invitation", "invitations-count": "3", "invitations-note": "=cmd()"})
    assert set(EntryLink.objects.values_list("kind", "capacity")) == {("invitation", 1)}
    lines = client.get(reverse("admin:annotation_study_invitations", args=[study.pk])).getvalue().decode().splitlines()
    assert lines[0] == "link,note"
    assert len(lines) == 4
    assert all(line.endswith(",'=cmd()") for line in lines[1:])


def test_record_of_invitations_holds_no_token() -> None:
    study, client = an_owned_study()
    client.post(links_page(study), {"kind": "invitation", "invitations-count": "2"})
    record = str(AuditEntry.objects.get(study=study, action=AuditEntry.Action.CHANGED).detail)
    assert not [link for link in EntryLink.objects.all() if link.token in record]


@pytest.mark.parametrize("count", ["0", "1001", "many"])
def test_too_many_invitations_are_refused(count: str) -> None:
    study, client = an_owned_study()
    assert client.post(links_page(study), {"kind": "invitation", "invitations-count": count}).status_code == 200
    assert not EntryLink.objects.exists()


def test_link_of_another_study_can_not_be_revoked() -> None:
    study, client = an_owned_study()
    other, other_owner = an_owned_study()
    other_owner.post(links_page(other), {"kind": "open", "open-most_per_hour": "20"})
    address = reverse("admin:annotation_study_revoke_link", args=[study.pk, EntryLink.objects.get().pk])
    assert client.post(address).status_code == 404
    assert EntryLink.objects.get().revoked_at is None
