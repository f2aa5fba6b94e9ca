"""A researcher sets up a study: from a preset, by the form, with items from a file, and opens it with a reason."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.answering.judging import open_assignment
from annotation.entry.entering import enter
from annotation.models import AuditEntry, EndQuestion, Item, Study
from annotation.pages.admin.records import shown_value
from annotation.studies.completeness import what_is_missing
from annotation.studies.study_form_fields import SECTIONS
from annotation.studies.study_life import change_status
from tests.factories import a_person, a_small_study, a_study, per_assignment_done
from tests.integration.researchers import a_researcher, an_owned_study, signed_in

pytestmark = pytest.mark.django_db
MADE_ELSEWHERE = {
    "id", "uuid", "status", "archived_at", "deleted_at", "edits", "preset", "preset_version", "preset_sha256",
    "created_at", "closed_at", "pay_warned_at",
}  # fmt: skip


def form_data(client: Client, study: Study, **changes: Any) -> dict[str, Any]:
    """What the browser would send back of the study's form, changed here and there."""
    page = client.get(reverse("admin:annotation_study_change", args=[study.pk]))
    form = page.context["adminform"].form
    data: dict[str, Any] = {name: form[name].value() for name in form.fields}
    data |= {f"initial-{name}": form[name].value() for name in form.fields if form.fields[name].show_hidden_initial}
    for date in ("starts_at", "ends_at"):
        data |= {f"{date}_0": "", f"{date}_1": ""}
    for inline in page.context["inline_admin_formsets"]:
        data |= {f"{inline.formset.prefix}-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
        for row in inline.formset.forms:
            data |= {f"{row.prefix}-{name}": row[name].value() for name in row.fields}
        data[f"{inline.formset.prefix}-TOTAL_FORMS"] = len(inline.formset.forms)
        data[f"{inline.formset.prefix}-INITIAL_FORMS"] = inline.formset.initial_form_count()
    return {name: value for name, value in {**data, **changes}.items() if value is not None}


def save(client: Client, study: Study, **changes: Any) -> Any:
    return client.post(
        reverse("admin:annotation_study_change", args=[study.pk]), form_data(client, study, **changes), follow=True
    )


def upload(client: Client, study: Study, text: str, name: str = "items.csv") -> Any:
    file = SimpleUploadedFile(name, text.encode())
    return client.post(reverse("admin:annotation_study_import_items", args=[study.pk]), {"file": file})


def test_every_field_of_a_study_is_in_a_section_of_its_form() -> None:
    shown: set[str] = set()
    for _name, section in SECTIONS:
        for line in section["fields"]:
            shown |= {line} if isinstance(line, str) else set(line)
    fields = {field.name for field in [*Study._meta.fields, *Study._meta.many_to_many]}
    assert fields - MADE_ELSEWHERE - shown == set()


def test_study_from_a_preset_is_a_draft_of_ones_own() -> None:
    user = a_researcher()
    answer = signed_in(user).post(
        reverse("admin:annotation_study_from_preset"), {"preset": "spatial-similarity", "slug": "mine", "title": "Mine"}
    )
    study = Study.objects.get(slug="mine")
    assert answer.headers["Location"] == reverse("admin:annotation_study_change", args=[study.pk])
    assert (study.owner, study.title, study.status) == (user, "Mine", "draft")
    assert study.items.targets().count() == 66


def test_study_from_a_preset_with_a_taken_short_name_is_refused() -> None:
    study, client = an_owned_study()
    page = client.post(
        reverse("admin:annotation_study_from_preset"), {"preset": "spatial-similarity", "slug": study.slug}
    )
    assert "choose another short name" in page.text
    assert Study.objects.count() == 1


def from_terms(**fields: Any) -> Any:
    given = {"preset": "spatial-similarity", "slug": "mine", **fields}
    return signed_in(a_researcher()).post(reverse("admin:annotation_study_from_preset"), given)


def test_study_from_terms_in_the_box_has_their_pairs_and_checks() -> None:
    from_terms(terms="near to, near\r\nbeside\r\nopposite\r\n")
    study = Study.objects.get(slug="mine")
    assert set(study.items.targets().values_list("item_id", flat=True)) == {
        "near-to--beside", "near-to--opposite", "beside--opposite",
    }  # fmt: skip
    assert (study.items.checks().count(), study.check_quotas.count()) == (6, 2)


def test_study_from_a_file_of_terms() -> None:
    from_terms(terms_file=SimpleUploadedFile("terms.csv", b"term\nin\non\n"))
    assert Study.objects.get(slug="mine").items.targets().get().item_id == "in--on"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"terms": "in\non\nin"}, "the list of terms, row 3, column term: &#x27;in&#x27; stands in row 1 already."),
        ({"terms": "in"}, "the list of terms: it has 1 term; a pair needs two"),
        ({"terms": "in\non", "preset": "captions"}, "The preset captions is not about pairs of terms."),
        ({"terms": "\n".join(f"term {n}" for n in range(105))}, "and this page takes 5,200"),
    ],
)
def test_bad_terms_are_refused_by_row_and_stay_in_the_box(fields: dict[str, str], sentence: str) -> None:
    page = from_terms(**fields)
    assert page.status_code == 422
    assert sentence in page.text
    assert fields["terms"].splitlines()[0] in page.text
    assert not Study.objects.exists()


def test_terms_in_the_box_and_as_a_file_are_too_many() -> None:
    page = from_terms(terms="in\non", terms_file=SimpleUploadedFile("terms.csv", b"term\nin\non\n"))
    assert "Bring either items or terms, and terms in the box or as a file." in page.text
    assert not Study.objects.exists()


def test_a_file_with_checks_leaves_nothing_missing() -> None:
    rows = b"item_id,object,category,check,min\nowl,owl,bird,,\nhen,hen,bird,,\nsure,robin,bird,plain,60\n"
    fields = {"preset": "typicality", "slug": "mine", "items": SimpleUploadedFile("mine.csv", rows)}
    signed_in(a_researcher()).post(reverse("admin:annotation_study_from_preset"), fields)
    study = Study.objects.get(slug="mine")
    assert dict(study.check_quotas.values_list("check_name", "per_assignment")) == {"plain": 1}
    assert list(what_is_missing(study)) == []


def test_studies_with_one_title_are_told_apart_where_they_are_chosen() -> None:
    study, client = an_owned_study(live=False)
    other = a_small_study(items=1, owner=study.owner, title=study.title)
    form = client.get(reverse("admin:annotation_study_change", args=[study.pk])).context["adminform"].form
    for name in ("shuts_out", "translation_of"):
        words = [str(words) for _key, words in form.fields[name].choices]
        assert {f"{study.title} ({each.slug})" for each in (study, other)} <= set(words)


def test_study_form_saves_and_records_what_changed() -> None:
    study, client = an_owned_study(live=False)
    save(client, study, title="Another title", judgments_per_item=12)
    study.refresh_from_db()
    assert (study.title, study.judgments_per_item) == ("Another title", 12)
    entry = AuditEntry.objects.filter(study=study, action=AuditEntry.Action.CHANGED).get()
    assert (entry.by, entry.detail) == (study.owner, {"fields": ["title", "judgments_per_item"]})


def test_study_from_an_empty_form_is_ones_own() -> None:
    user = a_researcher()
    add, client = reverse("admin:annotation_study_add"), signed_in(user)
    page = client.get(add, {"kind": "text"})
    form = page.context["adminform"].form
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    for inline in page.context["inline_admin_formsets"]:
        data |= {f"{inline.formset.prefix}-{name}": 0 for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    client.post(add, {**data, "title": "New", "slug": "new", "question": "What is it?", "kind": "text"})
    study = Study.objects.get(slug="new")
    assert (study.owner, study.status) == (user, "draft")
    assert AuditEntry.objects.get(study=study).action == AuditEntry.Action.CREATED


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"pay": "1.20"}, "Give the pay and its currency, or neither."),
        ({"scale_high": "0"}, "The high end must be above the low end"),
        ({"scale_low": "", "scale_high": ""}, "A slider needs a scale"),
        ({"starts_at_0": "2027-02-01", "starts_at_1": "10:00", "ends_at_0": "2027-01-01", "ends_at_1": "10:00"},
         "The end must come after the start."),
    ],
)  # fmt: skip
def test_study_form_says_what_does_not_fit(changes: dict[str, str], sentence: str) -> None:
    study, client = an_owned_study(live=False)
    page = save(client, study, **changes)
    assert sentence in page.text
    assert "Constraint" not in page.text


def test_line_ends_of_a_browser_are_no_change_of_a_text() -> None:
    study, client = an_owned_study()
    a_person(study)
    save(client, study, consent=study.consent.replace("\n", "\r\n"))
    study.refresh_from_db()
    assert "\r" not in study.consent
    assert not AuditEntry.objects.filter(study=study, action=AuditEntry.Action.CHANGED).exists()


def test_raised_target_opens_places_and_it_falls_no_lower_than_what_is_held() -> None:
    owner = a_researcher()
    study = a_small_study(items=3, owner=owner)
    client = signed_in(owner)
    save(client, study, judgments_per_item=12)
    assert study.open_places.count() == 36
    for _ in range(2):
        open_assignment(participation=a_person(study))
    assert "An item has 2 people already" in save(client, study, judgments_per_item=1).text
    save(client, study, judgments_per_item=2)
    study.refresh_from_db()
    assert (study.judgments_per_item, study.open_places.count()) == (2, 0)


def test_what_a_pilot_has_answered_is_fixed_although_it_is_a_draft_again() -> None:
    owner = a_researcher()
    study = a_small_study(items=2, live=False, owner=owner)
    change_status(study=study, status="piloting")
    per_assignment_done(study)
    change_status(study=study, status="draft")
    page = signed_in(owner).get(reverse("admin:annotation_study_change", args=[study.pk]))
    assert not {"kind", "question", "low_label"} & set(page.context["adminform"].form.fields)


def test_consent_that_people_agreed_to_changes_with_its_version_alone() -> None:
    study, client = an_owned_study()
    a_person(study)
    assert "give the new text its own" in save(client, study, consent="Something else").text
    save(client, study, consent="Something else", consent_version="2")
    study.refresh_from_db()
    assert (study.consent, study.consent_version) == ("Something else", "2")


def test_what_the_question_asks_is_fixed_once_the_study_is_open() -> None:
    study, client = an_owned_study()
    page = client.get(reverse("admin:annotation_study_change", args=[study.pk]))
    assert not {"kind", "question", "scale_low", "slug"} & set(page.context["adminform"].form.fields)
    assert "0 to 100" in page.text
    assert "0.0000" not in page.text


@pytest.mark.parametrize("level", ["viewer", "manager"])
def test_end_questions_say_where_their_answers_are_exported(level: str) -> None:
    study = a_study()
    EndQuestion.objects.create(study=study, position=1, name="age", text="How old are you?")
    page = signed_in(a_researcher(study, level)).get(reverse("admin:annotation_study_change", args=[study.pk])).text
    assert "The name of its column in participants.csv." in page
    assert "Its column in exports." not in page


def test_items_come_in_from_a_file_with_the_record_of_it() -> None:
    owner = a_researcher()
    study = a_small_study(items=1, live=False, owner=owner)
    text = "item_id,left,right,scene\nnew-1,in,on,kitchen\nnew-2,at,by,garden\n"
    assert upload(signed_in(owner), study, text).status_code == 302
    assert study.items.count() == 3
    assert Item.objects.get(item_id="new-2").fields == {"left": "at", "right": "by", "scene": "garden"}
    imported = AuditEntry.objects.filter(action=AuditEntry.Action.IMPORTED, by=owner).get()
    assert imported.detail == {"items": 2, "from": "items.csv"}


def test_file_with_bad_rows_brings_nothing_in_and_names_every_row() -> None:
    owner = a_researcher()
    study = a_small_study(items=1, live=False, owner=owner)
    page = upload(
        signed_in(owner), study, "item_id,left,right,kind\ngood,in,on,\n,at,by,\nbad,at,by,ghost\ngood,a,b,\n"
    )
    assert page.status_code == 422
    for row in (3, 4, 5):
        assert f"items.csv, row {row}, column" in page.text
    assert study.items.count() == 1


def test_study_goes_live_with_a_reason_and_without_items_it_does_not() -> None:
    study, client = an_owned_study(live=False)
    go_live = reverse("admin:annotation_study_status", args=[study.pk, "live"])
    assert client.post(go_live, {"why": "The pilot went well"}).status_code == 302
    study.refresh_from_db()
    assert study.status == "live"
    entry = AuditEntry.objects.filter(study=study, action=AuditEntry.Action.CHANGED_STATUS).get()
    assert (entry.why, entry.by, entry.detail) == ("The pilot went well", study.owner, {"from": "draft", "to": "live"})

    owner = a_researcher()
    empty = a_small_study(items=1, live=False, owner=owner)
    empty.items.all().delete()
    page = signed_in(owner).post(reverse("admin:annotation_study_status", args=[empty.pk, "live"]), {})
    assert page.status_code == 422
    assert "has no items to judge" in page.text


def test_step_that_the_status_does_not_allow_is_not_offered() -> None:
    study, client = an_owned_study()
    page = client.get(reverse("admin:annotation_study_status", args=[study.pk, "draft"]))
    assert "so this step is not possible now" in page.text
    assert client.get(reverse("admin:annotation_study_status", args=[study.pk, "nonsense"])).status_code == 200


def test_item_that_somebody_has_been_shown_keeps_its_text() -> None:
    study, client = an_owned_study()
    assigned = open_assignment(participation=a_person(study)).assigned_items.exclude(slot=None)[0]
    page = client.get(reverse("admin:annotation_item_change", args=[assigned.item_id]))
    assert set(page.context["adminform"].form.fields) == {"judgments_per_item"}
    untouched = study.items.filter(assigned_items=None)[0]
    page = client.get(reverse("admin:annotation_item_change", args=[untouched.pk]))
    assert "fields" in page.context["adminform"].form.fields


def test_item_added_by_hand_needs_what_the_question_names() -> None:
    owner = a_researcher()
    study = a_small_study(items=1, live=False, owner=owner, question="Is {left} like {right}?")
    add, client = reverse("admin:annotation_item_add"), signed_in(owner)
    new = {"study": study.pk, "item_id": "by-hand", "kind": "target", "fields": '{"left": "in"}', "reference": ""}
    assert "uses right: enter a value for each" in client.post(add, new).text
    client.post(add, {**new, "fields": '{"left": "in", "right": "on"}'})
    assert study.items.get(item_id="by-hand").position == 2


def test_item_can_not_be_put_into_a_study_of_others() -> None:
    other = a_study(live=False)
    new = {"study": other.pk, "item_id": "foreign", "kind": "target", "fields": '{"left": "a", "right": "b"}'}
    page = signed_in(a_researcher()).post(reverse("admin:annotation_item_add"), new)
    assert page.status_code == 200
    assert not other.items.filter(item_id="foreign").exists()


def test_items_that_nobody_saw_can_be_deleted_and_that_is_recorded() -> None:
    owner = a_researcher()
    study = a_small_study(items=3, owner=owner)
    seen = open_assignment(participation=a_person(study)).assigned_items.all()[0].item
    client = signed_in(owner)
    fresh = study.items.create(item_id="fresh", position=9, fields={"left": "a", "right": "b"})
    asked = {"action": "delete_selected", "_selected_action": [fresh.pk], "post": "yes"}
    client.post(reverse("admin:annotation_item_changelist"), asked)
    client.post(reverse("admin:annotation_item_delete", args=[seen.pk]), {"post": "yes"})
    assert study.items.count() == 3
    deleted = AuditEntry.objects.filter(study=study, action=AuditEntry.Action.CHANGED).get()
    assert (deleted.by, deleted.detail) == (owner, {"deleted items": ["fresh"]})


def test_studies_are_never_deleted() -> None:
    study, _ = an_owned_study()
    client = signed_in(a_researcher(is_superuser=True))
    address = reverse("admin:annotation_study_delete", args=[study.pk])
    assert client.post(address, {"post": "yes"}).status_code == 403


def test_the_record_says_yes_and_no_in_words() -> None:
    assert [shown_value(value) for value in (True, False, None, 0)] == ["yes", "no", "none", "0"]


def test_a_bad_short_name_is_refused_in_the_words_of_its_label() -> None:
    page = signed_in(a_researcher()).post(
        reverse("admin:annotation_study_from_preset"), {"preset": "typicality", "slug": "my study", "title": ""}
    )
    assert "no spaces" in page.text
    assert "slug" not in " ".join(page.context["form"].errors["slug"])
    assert not Study.objects.exists()


def test_the_studys_own_form_refuses_it_in_the_same_words() -> None:
    study, client = an_owned_study(live=False)
    page = save(client, study, slug="my study")
    assert "no spaces" in page.text


def test_signed_links_are_required_of_prolific_alone_and_with_its_study_id() -> None:
    study, client = an_owned_study(live=False, platform="prolific")
    page = save(client, study, requires_signed_entry="on")
    assert "need the study&#x27;s id on Prolific" in page.text
    save(client, study, requires_signed_entry="on", platform_study_id=" 64f0c2a1 ")
    study.refresh_from_db()
    assert (study.requires_signed_entry, study.platform_study_id) == (True, "64f0c2a1")
    assert "for Prolific alone" in save(client, study, platform="mturk").text


@pytest.mark.parametrize("code", ["C1A 2B3", "C1A\u00a02B3", "C1A\u200b2B3", "C1A\t2B3"])
def test_code_with_spaces_in_it_is_refused_with_a_sentence(code: str) -> None:
    study, client = an_owned_study()
    page = save(client, study, code_completed=code)
    assert "This code contains spaces or invisible characters: copy it from the platform again." in page.text
    study.refresh_from_db()
    assert study.code_completed == ""
    save(client, study, code_completed=" C1A2B3 ")
    study.refresh_from_db()
    assert study.code_completed == "C1A2B3"


def test_study_page_says_how_sure_it_is_who_comes() -> None:
    study, client = an_owned_study(platform="sona")
    pages = [reverse(f"admin:annotation_study_{page}", args=[study.pk]) for page in ("change", "links")]
    pages.append(reverse("agreement:watch", args=[study.uuid]))
    assert ["SONA&#x27;s entry is unauthenticated" in client.get(page).text for page in pages] == [True, True, False]
    Study.objects.filter(pk=study.pk).update(platform="prolific")
    assert "Without Prolific&#x27;s signature" in client.get(pages[0]).text
    Study.objects.filter(pk=study.pk).update(requires_signed_entry=True, platform_study_id="64f0c2a1")
    assert "Without Prolific&#x27;s signature" not in client.get(pages[0]).text
    assert "Secured External URL" in client.get(pages[1]).text


def test_people_whose_id_somebody_else_has_claimed_too_are_marked() -> None:
    study, client = an_owned_study(platform="prolific")
    for who, session in (("same", "s1"), ("same", "s2"), ("other", "s1")):
        enter(study=study, platform="prolific", platform_id=who, session_id=session, is_verified=False)
    page = client.get(reverse("admin:annotation_participation_changelist"), {"study": study.pk})
    assert page.text.count("another person has the same id") == 2
    first = study.participations.earliest("pk")
    assert "another person has" in client.get(reverse("admin:annotation_participation_change", args=[first.pk])).text


def make_sizes(client: Client, **values: Any) -> Any:
    data = {"preset": "object-sizes", "slug": "sizes", **values}
    return client.post(reverse("admin:annotation_study_from_preset"), data)


def test_study_from_a_preset_with_a_sample_of_a_file() -> None:
    text = "item_id,object,other,reference\n" + "".join(f"p{n},cat {n},dog {n},smaller\n" for n in range(10))
    make_sizes(signed_in(a_researcher()), items=SimpleUploadedFile("p.csv", text.encode()), sample=3, sample_seed=1)
    study = Study.objects.get(slug="sizes")
    assert (study.items.targets().count(), study.items.checks().count()) == (3, 6)


def test_study_from_a_preset_with_a_bad_file_is_refused_with_its_rows() -> None:
    page = make_sizes(signed_in(a_researcher()), items=SimpleUploadedFile("p.csv", b"item_id,object,other\np1,cat,\n"))
    assert page.status_code == 422
    assert "p.csv, row 2, column other" in page.text
    assert not Study.objects.exists()


def test_a_sample_of_no_file_is_refused_beside_its_field() -> None:
    page = make_sizes(signed_in(a_researcher()), sample=3)
    assert "choose the file too" in page.text
    assert not Study.objects.exists()


def test_study_form_keeps_the_metrics_and_the_spellings_of_labels() -> None:
    client = signed_in(a_researcher())
    make_sizes(client)
    study = Study.objects.get(slug="sizes")
    save(client, study, metrics="conf, r_acc", synonyms="bigger = larger\n\ntinier = smaller")
    study.refresh_from_db()
    assert (study.metrics, study.synonyms) == (["conf", "r_acc"], {"bigger": ["larger"], "tinier": ["smaller"]})


@pytest.mark.parametrize(
    ("synonyms", "sentence"),
    [
        ("bigger larger", "write a spelling, = and the label"),
        ("bigger = huge", "which is none of the labels"),
        ("larger = smaller", "is a label itself"),
        ("alike = smaller | larger", "an answer of kind choice is one label"),
    ],
)
def test_study_form_refuses_spellings_that_are_not_clear(synonyms: str, sentence: str) -> None:
    client = signed_in(a_researcher())
    make_sizes(client)
    assert sentence in save(client, Study.objects.get(slug="sizes"), synonyms=synonyms).text


def test_a_metric_that_nothing_computes_is_refused_and_a_stored_one_hinders_nobody() -> None:
    study, client = an_owned_study()
    assert "There is no metric acuracy. Is it accuracy?" in save(client, study, metrics="acuracy, f1_macro").text
    Study.objects.update(metrics=["of_old"])
    save(client, study, metrics="of_old, f1_macro")
    study.refresh_from_db()
    assert study.metrics == ["of_old", "f1_macro"]
