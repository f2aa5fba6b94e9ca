"""A stimulus is set by preset, form and API, checked at import and before launch, and told in bundles."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from agreement.errors import Refused
from agreement.stimuli.blocks import as_plain
from annotation.media.taking import media_from
from annotation.models import Study, User
from annotation.studies import presets
from annotation.studies.item_files import ItemsOfFile, read_items
from annotation.studies.study_life import change_status, create_study
from annotation.studies.unused_in_import import unused_in_import
from tests.factories import a_small_study
from tests.integration.annotation.answering.views.people import a_study_of, begin, save
from tests.integration.annotation.api.scripts import Script
from tests.integration.annotation.pages.admin.test_study_setup import form_data
from tests.integration.researchers import a_researcher, signed_in

pytestmark = pytest.mark.django_db
PREMISE: dict[str, object] = {"block": "text", "title": "Premise", "text": "{premise}"}
CHAT: dict[str, object] = {"block": "chat", "field": "chat"}
ROW: dict[str, object] = {
    "block": "row",
    "blocks": [{"block": "image", "field": "a"}, {"block": "image", "field": "b"}],
}


def patch(script: Script, slug: str, body: object) -> Any:
    path = f"studies/{slug}/"
    return script.patch(path, body, headers={"If-Match": script.get(path).headers["ETag"]})


def a_draft(*blocks: dict[str, object], **changes: Any) -> tuple[Study, User]:
    owner = a_researcher()
    stimulus = {"version": 1, "blocks": list(blocks)} if blocks else {}
    fields = {"stimulus": stimulus, "question": "Is it so?", "owner": owner, **changes}
    return a_small_study(items=0, live=False, **fields), owner


def items_of(tmp_path: Path, study: Study, text: str) -> ItemsOfFile:
    file = tmp_path / "items.csv"
    file.write_text(text)
    with media_from(lambda _name: None) as pictures:
        return read_items(file, study, pictures)


def test_a_preset_brings_its_blocks_and_can_open() -> None:
    study = create_study(slug="chats", preset=presets.load("reply-to-the-point"), owner=a_researcher())
    assert as_plain(study.blocks) == [CHAT]
    assert change_status(study=study, status=Study.Status.LIVE).status == Study.Status.LIVE


def test_items_without_a_column_of_the_stimulus_are_refused(tmp_path: Path) -> None:
    study, _owner = a_draft(PREMISE, CHAT)
    with pytest.raises(Refused) as refused:
        items_of(tmp_path, study, "item_id,premise\na,It rains.\n")
    assert "the column chat is missing; the stimulus shows it" in refused.value.reasons[0]
    with pytest.raises(Refused) as refused:
        items_of(tmp_path, study, "item_id,premise,chat\na,It rains.,Hello\n")
    assert list(refused.value.reasons) == ["items.csv, row 2, column chat: the chat is no JSON (character 1)."]


def test_columns_that_nothing_shows_are_told(tmp_path: Path) -> None:
    study, _owner = a_draft(PREMISE)
    items = items_of(tmp_path, study, "item_id,premise,colour\na,It rains.,red\n")
    with media_from(lambda _name: None) as pictures:
        (told,) = unused_in_import(items, study, pictures)
    assert told.startswith("Columns that no question and no block shows: colour.")


def test_the_api_sets_and_shows_blocks() -> None:
    script = Script(a_researcher())
    fields = {"slug": "nli", "title": "NLI", "kind": "slider", "question": "Is it so?", "scale_low": 0, "scale_high": 1}
    made = script.post("studies/", {**fields, "stimulus": [PREMISE, ROW]})
    assert made.status_code == 201, made.content
    assert made.json()["stimulus"] == [PREMISE, ROW]
    changed = patch(script, "nli", {"stimulus": [CHAT]})
    assert changed.json()["stimulus"] == script.get("studies/nli/").json()["stimulus"] == [CHAT]
    assert patch(script, "nli", {"title": "Other"}).json()["stimulus"] == [CHAT]
    assert patch(script, "nli", {"stimulus": []}).json()["stimulus"] == []
    assert Study.objects.get().stimulus == {}


@pytest.mark.parametrize(
    "stimulus",
    [[{"block": "chat"}], [{"block": "poem", "text": "a"}], "premise", [{"block": "text", "text": "a", "x": 1}]],
)
def test_the_api_refuses_blocks_that_are_none(stimulus: object) -> None:
    study, owner = a_draft()
    answer = patch(Script(owner), study.slug, {"stimulus": stimulus})
    assert answer.status_code == 422, answer.content
    assert "stimulus" in json.dumps(answer.json())


def test_blocks_are_fixed_once_the_study_is_open() -> None:
    study = create_study(slug="chats", preset=presets.load("reply-to-the-point"), owner=a_researcher())
    change_status(study=study, status=Study.Status.LIVE)
    assert study.owner is not None
    answer = patch(Script(study.owner), "chats", {"stimulus": []})
    assert "This can't change once the study is open." in answer.text
    page = signed_in(study.owner).get(reverse("admin:annotation_study_change", args=[study.pk])).text
    assert "chat: column chat" in page
    assert "stimulus-total" not in page


def blocks_sent(rows: list[dict[str, object]]) -> dict[str, object]:
    named = {f"stimulus-{number}-{key}": value for number, row in enumerate(rows) for key, value in row.items()}
    return {"stimulus-total": len(rows), **named}


def test_the_form_adds_moves_and_removes_blocks_without_script() -> None:
    study, owner = a_draft()
    client = signed_in(owner)
    address = reverse("admin:annotation_study_change", args=[study.pk])
    rows: list[dict[str, object]] = [
        {"block": "text", "title": "Premise", "text": "{premise}\r\nmore", "place": 1},
        {"block": "image", "field": "a", "place": 2},
        {"block": "image", "field": "b", "beside": 1, "place": 3},
        {"place": 4},
    ]
    answer = client.post(address, {**form_data(client, study, stimulus=None), **blocks_sent(rows)})
    assert answer.status_code == 302, answer.context["errors"]
    study.refresh_from_db()
    assert as_plain(study.blocks) == [{**PREMISE, "text": "{premise}\nmore"}, ROW]
    assert study.audit_entries.latest("pk").detail["fields"] == ["stimulus"]
    moved: list[dict[str, object]] = [{**rows[0], "place": 3}, rows[1], {**rows[2], "beside": ""}, {**rows[3]}]
    client.post(address, {**form_data(client, study, stimulus=None), **blocks_sent(moved)})
    study.refresh_from_db()
    assert [block.field or block.title for block in study.blocks] == ["a", "b", "Premise"]
    client.post(address, {**form_data(client, study, stimulus=None), **blocks_sent([{**rows[0], "remove": 1}])})
    study.refresh_from_db()
    assert study.stimulus == {}


def test_a_form_that_was_sent_without_blocks_keeps_them() -> None:
    study, owner = a_draft(PREMISE)
    client = signed_in(owner)
    client.post(
        reverse("admin:annotation_study_change", args=[study.pk]),
        form_data(client, study, title="Other", stimulus=None),
    )
    study.refresh_from_db()
    assert (study.title, as_plain(study.blocks)) == ("Other", [PREMISE])


def test_a_bad_block_comes_back_as_it_was_typed() -> None:
    study, owner = a_draft()
    client = signed_in(owner)
    rows: list[dict[str, object]] = [{"block": "chat", "field": "{chat}"}, {"text": "Kind forgotten"}]
    answer = client.post(
        reverse("admin:annotation_study_change", args=[study.pk]),
        {**form_data(client, study, stimulus=None), **blocks_sent(rows)},
    )
    assert answer.status_code == 200
    assert "Stimulus, block 1, field: give the name of one column" in answer.text
    assert "Stimulus, block 2: give its kind" in answer.text
    assert 'value="{chat}"' in answer.text
    assert "Kind forgotten" in answer.text


def test_the_form_points_out_columns_that_no_item_has(tmp_path: Path) -> None:
    study, owner = a_draft(PREMISE)
    study.items.create(item_id="a", position=1, fields={"hypothesis": "It is wet."})
    page = signed_in(owner).get(reverse("admin:annotation_study_change", args=[study.pk])).text
    assert "The items have no column premise. They have hypothesis." in page


def test_the_live_preview_shows_blocks_that_are_not_saved() -> None:
    study, owner = a_draft()
    client = signed_in(owner)
    rows: list[dict[str, object]] = [{"block": "text", "text": "{premise}"}, {"block": "chat", "field": "chat"}]
    page = client.post(
        reverse("admin:annotation_study_live_preview", args=[study.pk]),
        {**form_data(client, study, stimulus=None), **blocks_sent(rows)},
    ).text
    assert "‹premise›" in page
    assert "What people wrote." in page
    study.refresh_from_db()
    assert study.stimulus == {}


def test_a_bundle_says_what_people_were_shown(client: Client, tmp_path: Path) -> None:
    from annotation.releases.actions.analysing import clean_and_release
    from annotation.releases.exports.bundle_zip import bundle

    owner = a_researcher()
    study = a_study_of(
        "slider",
        items=[{"item_id": f"i{number}", "fields": {"premise": "It rains."}} for number in range(3)],
        stimulus={"version": 1, "blocks": [PREMISE]},
        question="Is it so?",
        owner=owner,
    )
    for _person in range(3):
        address = begin(client, study)
        for position in (1, 2, 3):
            save(client, address, position, number="50")
    release = clean_and_release(study=study, replicates=20, by=owner)
    file = tmp_path / "bundle.zip"
    file.write_bytes(b"".join(bundle(release)))
    with zipfile.ZipFile(file) as archive:
        assert json.loads(archive.read("stimulus.json")) == {"question": "Is it so?", "stimulus": [PREMISE]}
        assert b"stimulus.json says what people were shown" in archive.read("README.txt")
    call_command("verify", str(file))
