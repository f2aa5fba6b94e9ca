"""Releases that earlier versions made are exported whole: every kind of export, by the command, the site and the API."""

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from agreement.files.writing import SUMS
from annotation.management.commands.export import WHAT
from annotation.models import User
from annotation.releases.actions.drawing_reports import draw_here
from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.exports.export_choice import AS_THINGS_STAND, EXPORTS, OF_A_RELEASE, ZIPS, stream
from annotation.releases.models import GoldRelease
from tests.integration.annotation.api.scripts import Script
from tests.integration.migrations import old_databases
from tests.integration.researchers import signed_in

Export = Callable[[GoldRelease, str], bytes | None]  # None: it was refused in words
PAYMENTS = "payments"


@pytest.fixture(scope="module", params=list(old_databases.LEFT_AT))
def releases(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[list[GoldRelease]]:
    """The releases of a kept database that was migrated, with their reports drawn."""
    folder = tmp_path_factory.mktemp("earlier")
    with django_db_blocker.unblock(), old_databases.second_database(folder) as database:
        old_databases.fill(database, request.param)
        call_command("migrate", database=old_databases.ALIAS, verbosity=0)
        with old_databases.served_by_the_site(database):
            kept = list(GoldRelease.objects.order_by("pk"))
            for release in kept:
                draw_here(release)
            yield kept


@pytest.fixture(scope="module")
def administrator(releases: list[GoldRelease]) -> User:
    return User.objects.create_superuser("who-looks", password="wall-nut-tree-9")


def is_offered(release: GoldRelease, what: str) -> bool:
    """What a kind of question doesn't have is refused; no kept study is of pairs of terms with enough pairs, when it
    was released, and none counted signs.
    """
    if what == "labels":
        return any(name.startswith("n:") for name in release.columns)
    if what == "norms":
        return release.study.kind == "list"
    return what not in ("similarity-matrix", "signs", "authenticity")


def refuse_unless_whole(content: bytes, what: str) -> None:
    """Reads an export to its end."""
    if what in ZIPS:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        sums = members.pop(SUMS, b"").decode().splitlines()
        assert members
        if sums:
            assert sums == [f"{hashlib.sha256(file).hexdigest()}  {name}" for name, file in members.items()]
        return
    header, *rows = csv.reader(io.StringIO(content.decode(), newline=""))
    assert {len(row) for row in rows} <= {len(header)}
    assert rows or what in ("adjudications", "notes")


def refuse_unless_all(releases: list[GoldRelease], kinds: tuple[str, ...], export: Export) -> None:
    """All that went wrong, by the study, the number of the release and the export."""
    wrong = {}
    for release in releases:
        for what in kinds:
            try:
                content = export(release, what)
                assert (content is not None) == is_offered(release, what)
                if content is not None:
                    refuse_unless_whole(content, what)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is named with the export
                wrong[release.study.slug, release.number, what] = repr(error)
    assert wrong == {}


def test_command_writes_every_export_whole(releases: list[GoldRelease], tmp_path: Path) -> None:
    def export(release: GoldRelease, what: str) -> bytes | None:
        out = tmp_path / f"{release.pk}-{what}.{'zip' if what in ZIPS else 'csv'}"
        number = [] if what in {*AS_THINGS_STAND, PAYMENTS} else ["--release", release.number]
        refused = io.StringIO()
        try:
            call_command("export", release.study.slug, what, "--out", out, *number, stdout=refused, stderr=refused)
        except SystemExit:
            assert "Traceback" not in refused.getvalue()
            return None
        return out.read_bytes()

    assert set(WHAT) == {*EXPORTS, PAYMENTS}
    refuse_unless_all(releases, WHAT, export)


def test_site_sends_every_download_whole(releases: list[GoldRelease], administrator: User) -> None:
    browser = signed_in(administrator)

    def export(release: GoldRelease, what: str) -> bytes | None:
        answer = browser.get(reverse("agreement:download", args=[release.study.uuid, release.number, what]))
        assert answer.status_code in {200, 404}
        return answer.getvalue() if answer.status_code == 200 else None

    refuse_unless_all(releases, OF_A_RELEASE, export)


def test_api_sends_every_export_whole(releases: list[GoldRelease], administrator: User) -> None:
    script = Script(administrator)

    def export(release: GoldRelease, what: str) -> bytes | None:
        number = "" if what in {*AS_THINGS_STAND, PAYMENTS} else f"?release={release.number}"
        answer = script.get(f"studies/{release.study.slug}/exports/{what}/{number}")
        if answer.status_code == 200:
            return bytes(answer.getvalue())
        assert 400 <= answer.status_code < 500
        return None

    refuse_unless_all(releases, (*EXPORTS, PAYMENTS), export)


def test_pages_of_a_release_open(releases: list[GoldRelease], administrator: User) -> None:
    browser = signed_in(administrator)
    for release in releases:
        for name in ("agreement:results", "agreement:leaderboard"):
            page = browser.get(reverse(name, args=[release.study.uuid]), {"release": release.number})
            assert page.status_code == 200, (release, name)
        page = browser.get(reverse("agreement:report", args=[release.study.uuid, release.number]))
        assert page.status_code == 200, release


def test_published_report_goes_out_as_it_was_stored(releases: list[GoldRelease], administrator: User) -> None:
    script = Script(administrator)
    for release in releases:
        assert release.report_file is not None
        assert member(release, "bundle", "report.json") == release.report_file.encode()
        assert list(json.loads(member(release, "published-bundle", "report.json"))) == list(release.report)
        sent = script.get(f"studies/{release.study.slug}/releases/{release.number}/report/")
        assert json.loads(sent.content) == release.report


def member(release: GoldRelease, what: str, name: str) -> bytes:
    content = b"".join(stream(release.study, what, release=release))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name)


def test_verify_says_in_words_what_it_finds_in_a_bundle(releases: list[GoldRelease], tmp_path: Path) -> None:
    """Statistics have changed since, so that figures differ: each is named, and so are the parts that came later."""
    for release in releases:
        path = tmp_path / f"{release.pk}.zip"
        path.write_bytes(b"".join(bundle(release)))
        told, refused = io.StringIO(), io.StringIO()
        with suppress(SystemExit):  # 1: something differs; 2: it is refused
            call_command("verify", path, "--json", stdout=told, stderr=refused)
        with zipfile.ZipFile(path) as archive:
            readme = archive.read("README.txt").decode()
        if "The command is refused: " in readme:  # its rules name a check that the study doesn't have
            why = readme.partition("The command is refused: ")[2].splitlines()[0]
            assert refused.getvalue().splitlines() == ["The figures can't be computed again:", why]
            continue
        answer = json.loads(told.getvalue())
        assert (refused.getvalue(), answer["result"]) == ("", "differs")
        assert all(each.startswith(("gold.csv ", "report.json, ")) for each in answer["differences"])
        assert "items_a_worker" not in str(answer)
        later = next(note for note in answer["notes"] if note.startswith("Not compared, for the bundle's report.json"))
        assert "against_reference" in later
        if release.lost_lines():
            assert answer["differences"][0].startswith(f"gold.csv has the SHA-256 {answer['sha256']}, and report.json")
