"""Items are pasted, imported from files of any delimiter, and given checks that are proposed from them."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement.kinds.registry import KINDS
from annotation.models import AuditEntry, Study
from annotation.studies.completeness import what_is_missing
from tests.integration.annotation.studies.test_study_form import ADD, as_it_opens
from tests.integration.researchers import a_researcher, signed_in
from tests.unit.annotation.media.test_pictures import drawn

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def a_new_study(kind: str = "slider", **changes: Any) -> tuple[Study, Client]:
    """As a researcher makes it: the form saved as it opens."""
    client = signed_in(a_researcher())
    client.post(reverse(ADD), {**as_it_opens(client, kind), **changes})
    return Study.objects.latest("pk"), client


def add(client: Client, study: Study, **given: Any) -> Any:
    return client.post(reverse("admin:annotation_study_import_items", args=[study.pk]), given)


def fields(study: Study) -> list[dict[str, str]]:
    return list(study.items.targets().order_by("position").values_list("fields", flat=True))


@pytest.mark.parametrize(
    "text",
    [
        "bird, robin\nfish, pike",
        "bird;robin\r\nfish;pike\r\n",
        "bird\trobin\n\nfish\tpike",
        "left,right\nbird,robin\nfish,pike",
        "right;left\nrobin;bird\npike;fish",
    ],
)
def test_items_are_pasted_with_any_delimiter_and_with_or_without_a_header(text: str) -> None:
    study, client = a_new_study()
    assert add(client, study, do="paste", items=text).status_code == 302
    assert fields(study) == [{"left": "bird", "right": "robin"}, {"left": "fish", "right": "pike"}]
    assert set(study.items.values_list("item_id", flat=True)) in (
        {"bird--robin", "fish--pike"},
        {"robin--bird", "pike--fish"},
    )


@pytest.mark.parametrize(("wish", "count"), [("leave out", 3), ("add again", 5)])
def test_items_that_are_there_already_are_counted_and_added_as_is_chosen(wish: str, count: int) -> None:
    study, client = a_new_study()
    add(client, study, do="paste", items="bird, robin\nfish, pike")
    more = "bird, robin\nfish, pike\nfish, carp"
    page = add(client, study, do="paste", items=more)
    assert page.status_code == 422
    assert "2 of these 3 items are already in the study: choose what to do." in page.text
    assert "fish, carp</textarea>" in page.text
    assert study.items.count() == 2
    assert add(client, study, do="paste", items=more, doubles=wish).status_code == 302
    assert study.items.count() == count


def test_checks_that_are_there_already_are_counted_too_and_no_item_is_a_check() -> None:
    study, client = a_new_study()
    add(client, study, do="paste", items="bird, robin")
    known = {"do": "known", "items": "bird, robin, 90, 100", "name": "known", "per_assignment": 1}
    assert add(client, study, **known).status_code == 302
    page = add(client, study, **known)
    assert "This item is already in the study" in page.text
    assert add(client, study, **known, doubles="leave out").status_code == 302
    assert (study.items.targets().count(), study.items.checks().count()) == (1, 1)


def test_line_is_the_item_where_the_question_has_one_field() -> None:
    study, client = a_new_study("choice")
    add(client, study, do="paste", items="a red, ripe apple\nplum\nplum")
    assert fields(study) == [{"thing": "a red, ripe apple"}, {"thing": "plum"}, {"thing": "plum"}]
    assert list(study.items.order_by("position").values_list("item_id", flat=True)) == [
        "a-red-ripe-apple",
        "plum",
        "plum-2",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This field is required"),
        ("bird,robin\nfish", "the pasted items, row 2, 1 cells, where 2 are expected: left, right."),
        ("item_id,left\na,b", "the columns found are &#x27;item_id&#x27;, &#x27;left&#x27;"),
        (
            "item_id," + ",".join(map(str, range(1_000))) + "\na",
            "at most 1,000 columns, and the first line names 1,001",
        ),
        ("bird,\nfish,pike", "the pasted items, row 1, column right"),
        ("x,y\n" * 2002, "The box takes 2,000 items, and there are 2,002 lines"),
    ],
)
def test_bad_paste_is_refused_by_line_and_stays_in_the_box(text: str, sentence: str) -> None:
    study, client = a_new_study()
    page = add(client, study, do="paste", items=text)
    assert (page.status_code, sentence in page.text) == (422, True)
    assert text[:8] in page.text
    assert not study.items.exists()


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_file_with_commas_semicolons_or_tabs_is_read(mark: str) -> None:
    study, client = a_new_study()
    text = "item_id,left,right\na,bird,robin\n".replace(",", mark)
    add(client, study, file=SimpleUploadedFile("items.csv", text.encode()))
    assert fields(study) == [{"left": "bird", "right": "robin"}]


def test_missing_column_is_named_with_those_that_were_found() -> None:
    study, client = a_new_study()
    page = add(client, study, file=SimpleUploadedFile("items.csv", b"id;left;size\na;b;c\n"))
    assert "the columns found are &#x27;item_id&#x27;, &#x27;left&#x27;, &#x27;size&#x27;" in page.text


@pytest.mark.parametrize("kind", KINDS)
def test_template_has_the_studys_columns_and_can_be_imported(kind: str) -> None:
    study, client = a_new_study(kind)
    file = client.get(reverse("admin:annotation_study_items_template", args=[study.pk]))
    assert file.headers["Content-Disposition"].endswith('items-template.csv"')
    answer = add(client, study, file=SimpleUploadedFile("template.csv", file.content))
    assert answer.status_code == 302, answer.text
    assert study.items.targets().count() == 2
    assert study.items.checks().exists() != KINDS[kind].in_own_words


def test_samples_are_files_of_presets_of_the_same_kind() -> None:
    study, client = a_new_study("choice")
    page = client.get(reverse("admin:annotation_study_import_items", args=[study.pk]))
    assert page.context["samples"]
    name = page.context["samples"][0]
    sample = client.get(reverse("admin:annotation_study_items_sample", args=[study.pk, name]))
    assert sample.content.startswith(b"item_id,")
    other = reverse("admin:annotation_study_items_sample", args=[study.pk, "nonsense"])
    assert client.get(other).status_code == 404


# To look at items stores nothing.

OWN = (
    "item_id,left,right,animal,sound,attention_check,note\n"
    "a,bird,robin,yes,a.wav,,first\nb,fish,pike,yes,b.wav,1,x y\nc,cup,mug,no,c.wav,,z\nd,pen,ink,no,d.wav,,\n"
)


def looked(client: Client, study: Study, **given: Any) -> Any:
    page = add(client, study, do="look", **given)
    return page, page.context.get("looked")


def test_a_file_is_looked_at_before_anything_is_stored() -> None:
    study, client = a_new_study()
    page, preview = looked(client, study, live="1", file=SimpleUploadedFile("items.csv", OWN.encode()))
    assert page.status_code == 200
    assert {column.name: column.use for column in preview.columns} == {
        "item_id": "used", "left": "used", "right": "used", "animal": "breakdown", "sound": "wrong",
        "attention_check": "wrong", "note": "unused",
    }  # fmt: skip
    assert preview.counts == "4 items"
    assert str(preview.first[0].wordings[0]) == "How similar are bird and robin?"
    assert "Names media that nobody would see" in page.text
    assert 'value="file">Add 4 items</button>' in page.text
    assert not study.items.exists()


def test_without_script_a_file_that_was_looked_at_is_in_the_box_and_added_from_there() -> None:
    study, client = a_new_study()
    page, _preview = looked(client, study, file=SimpleUploadedFile("items.csv", OWN.encode()))
    assert 'value="paste">Add 4 items</button>' in page.text
    text = page.context["adding"]["items"].value()
    assert add(client, study, do="paste", items=text).status_code == 302
    assert study.items.count() == 4
    assert fields(study)[1]["sound"] == "b.wav"


def test_what_is_wrong_with_a_file_stands_beside_its_columns() -> None:
    study, client = a_new_study()
    rows = "item_id,left,right,image\na,bird,,robin.png\na,fish,pike,\n"
    page, preview = looked(client, study, file=SimpleUploadedFile("items.csv", rows.encode()))
    assert page.status_code == 200
    assert [column.name for column in preview.columns] == ["item_id", "left", "right", "image"]
    assert len(preview.reasons) == 3
    assert any("robin.png" in reason for reason in preview.reasons)
    assert "Add all items" not in page.text


@pytest.mark.parametrize("rows", [b"item_id,left,right\na,bi\xffrd,x\n", b"item_id,le\xfft,right\na,b,c\n"])
def test_bytes_that_are_no_text_are_named_and_shown_as_question_marks(rows: bytes) -> None:
    study, client = a_new_study()
    page, preview = looked(client, study, file=SimpleUploadedFile("items.csv", rows))
    assert preview.reasons
    assert "?" in page.text
    assert not study.items.exists()


@pytest.mark.parametrize(
    ("rows", "ids"),
    [
        ("left,right\nbird,robin\nbird,robin\n", ["bird--robin", "bird--robin-2"]),
        ("id,left,right\na,bird,robin\nb,fish,pike\n", ["a", "b"]),
        ("ID,left,right,source\nx,bird,robin,own\ny,fish,pike,own\n", ["x", "y"]),
    ],
)
def test_items_of_a_file_without_the_column_item_id_get_ids(rows: str, ids: list[str]) -> None:
    study, client = a_new_study()
    file = SimpleUploadedFile("items.csv", rows.encode())
    assert looked(client, study, file=file)[1].reasons == ()
    assert add(client, study, file=SimpleUploadedFile("items.csv", rows.encode())).status_code == 302
    assert list(study.items.targets().order_by("position").values_list("item_id", flat=True)) == ids
    again = add(client, study, file=SimpleUploadedFile("items.csv", rows.encode()))
    assert "is already an item of this study" in again.text


OWN_WORDS = "word_1,word_2\nbird,robin\nfish,pike\n"


@pytest.mark.parametrize("as_file", [True, False])
def test_a_question_can_take_the_columns_that_a_table_has(*, as_file: bool) -> None:
    study, client = a_new_study()

    def brought() -> dict[str, Any]:
        return {"file": SimpleUploadedFile("w.csv", OWN_WORDS.encode())} if as_file else {"items": OWN_WORDS}

    page, preview = looked(client, study, **brought())
    assert preview.other_question == "How similar are {word_1} and {word_2}?"
    assert any("the column left is missing" in reason for reason in preview.reasons)
    page = add(client, study, do="rename", **brought())
    assert page.status_code == 200
    assert page.context["looked"].reasons == ()
    study.refresh_from_db()
    assert study.question == preview.other_question
    assert AuditEntry.objects.filter(study=study, action=AuditEntry.Action.CHANGED).exists()
    assert add(client, study, do="paste", items=page.context["adding"]["items"].value()).status_code == 302
    assert fields(study) == [{"word_1": "bird", "word_2": "robin"}, {"word_1": "fish", "word_2": "pike"}]
    add(client, study, do="proposed", word="green", per_assignment="1")
    checks = study.items.checks().order_by("position").values_list("fields", flat=True)
    assert {"word_1": "bird", "word_2": "green"} in checks
    assert {"word_1": "bird", "word_2": "bird"} in checks


def test_a_question_whose_items_are_there_keeps_its_columns() -> None:
    study, client = a_new_study()
    add(client, study, do="paste", items="bird, robin\nfish, pike")
    assert looked(client, study, items=OWN_WORDS)[1].other_question == ""
    add(client, study, do="rename", items=OWN_WORDS)
    study.refresh_from_db()
    assert study.question == "How similar are {left} and {right}?"


@pytest.mark.parametrize("script", ["<script>alert(1)</script>", "</textarea><img src=x onerror=alert(1)>"])
def test_hostile_items_are_shown_as_text(script: str) -> None:
    study, client = a_new_study()
    page, preview = looked(client, study, items=f"{script}\tb\n{script}\td")
    assert preview.first
    assert script not in page.text


def test_checks_in_a_file_get_their_quota_when_they_are_added() -> None:
    study, client = a_new_study()
    text = "item_id,left,right,kind,check,max\na,b,c,,,\nd,e,f,check,odd,40\n"
    _page, preview = looked(client, study, items=text)
    assert (preview.counts, preview.unasked_checks) == ("1 item, 1 check", (("odd", 1),))
    file = SimpleUploadedFile("items.csv", text.encode())
    page = add(client, study, do="file", file=file, of_each_check="2")
    assert (page.status_code, study.items.count()) == (422, 0)
    assert "2 in each assignment need 2 check items, and there are 1" in page.text
    file.seek(0)
    assert add(client, study, do="file", file=file, of_each_check="1").status_code == 302
    assert dict(study.check_quotas.values_list("check_name", "per_assignment")) == {"odd": 1}
    assert list(what_is_missing(study)) == []


def test_of_a_large_file_the_columns_are_shown_and_its_rows_are_left_to_the_job() -> None:
    study, client = a_new_study()
    rows = "".join(f"n{number},a{number},b{number},{number % 2}\n" for number in range(2_500))
    file = SimpleUploadedFile("items.csv", f"item_id,left,right,half\n{rows}".encode())
    page, preview = looked(client, study, live="1", file=file)
    assert (preview.is_beginning, preview.counts, len(preview.columns)) == (True, "", 4)
    assert "Add all items" in page.text
    assert looked(client, study, live="1", file=SimpleUploadedFile("i.xlsx", b"PK" * 60_000))[1].is_beginning


def test_nothing_to_look_at_is_said_beside_the_box() -> None:
    study, client = a_new_study()
    page, preview = looked(client, study, items="")
    assert (page.status_code, preview) == (422, None)
    assert "This field is required" in page.text


def test_pasted_items_bring_their_pictures() -> None:
    study, client = a_new_study()
    text = "item_id,left,right,image\na,bird,robin,red.png"
    _page, preview = looked(client, study, items=text, pictures=SimpleUploadedFile("red.png", drawn()))
    assert (preview.reasons, preview.first[0].image) == ((), "red.png")
    picture = SimpleUploadedFile("red.png", drawn())
    assert add(client, study, do="paste", items=text, pictures=picture).status_code == 302
    assert study.items.get().image_id


def test_to_look_costs_the_same_few_queries_for_more_items() -> None:
    counted = []
    for count in (3, 60):
        study, client = a_new_study()
        with CaptureQueriesContext(connection) as captured:
            looked(client, study, items="\n".join(f"a{n},b{n}" for n in range(count)))
        counted.append(len(captured))
    assert counted[0] == counted[1]


# Checks.

PAIRS = "bird,robin\nbird,penguin\nfish,pike"


def test_checks_are_proposed_from_pairs_and_added_with_their_quota_by_one_button() -> None:
    study, client = a_new_study()
    add(client, study, do="paste", items=PAIRS)
    page = client.get(reverse("admin:annotation_study_import_items", args=[study.pk])).text
    assert "Proposed checks: 10 items" in page
    add(client, study, do="proposed", per_assignment="2", word="green")
    quotas = dict(study.check_quotas.values_list("check_name", "per_assignment"))
    assert quotas == {"unrelated": 2, "self": 2}
    checks = study.items.checks()
    assert checks.get(item_id="unrelated-robin").fields == {"left": "robin", "right": "green"}
    assert (checks.get(item_id="self-pike").min, checks.get(item_id="unrelated-pike").max) == (90, 60)
    assert list(what_is_missing(study)) == []
    assert AuditEntry.objects.filter(study=study, detail__checks=quotas).exists()
    assert "Proposed checks" not in client.get(reverse("admin:annotation_study_import_items", args=[study.pk])).text


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"word": "Robin", "per_assignment": "1"}, "is one of the items&#x27; own words"),
        ({"word": "", "per_assignment": "1"}, "This field is required"),
        ({"word": "green", "per_assignment": "0"}, "Give a number from 1 to 1,000."),
        ({"word": "green", "per_assignment": "9"}, "9 in each assignment need 9 check items, and there are 5"),
    ],
)
def test_bad_proposal_is_refused_and_adds_nothing(given: dict[str, str], sentence: str) -> None:
    study, client = a_new_study()
    add(client, study, do="paste", items=PAIRS)
    page = add(client, study, do="proposed", **given)
    assert (page.status_code, sentence in page.text) == (422, True)
    assert not study.items.checks().exists()
    assert not study.check_quotas.exists()


def test_items_with_known_answers_are_checks_with_a_quota() -> None:
    study, client = a_new_study("choice")
    add(client, study, do="paste", items="apple\nplum")
    add(client, study, do="known", items="fire engine, red\ngrass, green", name="known", per_assignment="2")
    assert list(study.items.checks().order_by("position").values_list("fields", "expected")) == [
        ({"thing": "fire engine"}, ["red"]), ({"thing": "grass"}, ["green"]),
    ]  # fmt: skip
    assert study.check_quotas.get().per_assignment == 2


def test_known_answer_that_nobody_can_give_is_refused_by_line() -> None:
    study, client = a_new_study("choice")
    page = add(client, study, do="known", items="fire engine, rde", name="known", per_assignment="1")
    assert page.status_code == 422
    assert "the pasted items, row 1, column expected: &#x27;rde&#x27; is not among" in page.text
    assert "fire engine, rde" in page.text


def test_bounds_of_a_slider_are_pasted_with_its_checks() -> None:
    study, client = a_new_study()
    add(client, study, do="known", items="bird,stone,,30\nbird,bird,90,", name="known", per_assignment="1")
    assert list(study.items.checks().order_by("position").values_list("min", "max")) == [(None, 30), (90, None)]


def test_checks_of_a_file_that_no_assignment_contains_get_their_quota_by_one_button() -> None:
    study, client = a_new_study()
    text = b"item_id,left,right,kind,check,max\na,b,c,,,\nd,e,f,check,odd,40\n"
    add(client, study, file=SimpleUploadedFile("items.csv", text))
    page = client.get(reverse("admin:annotation_study_import_items", args=[study.pk])).text
    assert "1 check item is named &#x27;odd&#x27;, and no assignment carries any" in page
    add(client, study, do="quota", per_assignment="1")
    assert dict(study.check_quotas.values_list("check_name", "per_assignment")) == {"odd": 1}
    assert list(what_is_missing(study)) == []


def test_checks_of_an_open_study_stay_until_it_is_paused() -> None:
    study, client = a_new_study()
    add(client, study, do="paste", items=PAIRS)
    Study.objects.filter(pk=study.pk).update(status="live")
    page = add(client, study, do="proposed", per_assignment="1", word="green")
    assert "pause it before you change its checks" in page.text
    assert not study.items.checks().exists()


def test_unknown_form_adds_nothing() -> None:
    study, client = a_new_study()
    assert add(client, study, do="nonsense", items="a,b").status_code == 200
    assert not study.items.exists()


def test_page_costs_the_same_few_queries_for_more_items() -> None:
    counted = []
    for count in (3, 60):
        study, client = a_new_study()
        add(client, study, do="paste", items="\n".join(f"a{n},b{n}" for n in range(count)))
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("admin:annotation_study_import_items", args=[study.pk]))
        counted.append(len(captured))
    assert counted[0] == counted[1] == 20, [query["sql"] for query in captured.captured_queries]


def test_list_of_items_shows_no_dots_for_fields_that_are_empty() -> None:
    study, client = a_new_study()
    study.items.create(item_id="a", position=1, fields={"left": "bird", "right": "robin", "note": "", "more": ""})
    page = client.get(reverse("admin:annotation_item_changelist"), {"study": study.pk})
    assert "bird · robin" in page.text
    assert "robin ·" not in page.text
