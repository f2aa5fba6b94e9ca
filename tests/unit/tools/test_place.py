"""`make run` finds out before any work what stands in its way, and says it in a sentence."""

import socket
import stat
from pathlib import Path

import pytest

from tools import place


@pytest.fixture
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOUCHSTONE_VAR", str(tmp_path / "var"))
    monkeypatch.setenv("PORT", str(place.free_port()))
    return tmp_path / "var"


@pytest.mark.parametrize("port", ["abc", "0", "65536", "-1", "80.5", "8000 ", "８０８０"])
def test_port_that_is_none(var: Path, monkeypatch: pytest.MonkeyPatch, port: str) -> None:
    monkeypatch.setenv("PORT", port)

    with pytest.raises(place.Unusable, match="write a whole number from 1 to 65535"):
        place.find()

    assert not var.exists()


def test_port_that_is_taken(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((place.HOST, 0)) as taken:
        monkeypatch.setenv("PORT", str(taken.getsockname()[1]))

        with pytest.raises(place.Unusable, match=r"is taken: choose another, for example make run PORT=\d+\.$"):
            place.find()


def test_second_run_on_the_same_data_is_refused(var: Path) -> None:
    first = place.find()

    with pytest.raises(place.Unusable, match=rf"already runs on .*{first.address}"):
        place.find()

    first.lock.close()
    place.find().lock.close()


def test_folder_and_key_are_the_owners_alone(var: Path) -> None:
    place.find().lock.close()

    key = place.secret_key(var)

    assert stat.S_IMODE(var.stat().st_mode) == 0o700
    assert stat.S_IMODE((var / "secret-key").stat().st_mode) == 0o600
    assert len(key) > 60
    assert place.secret_key(var) == key


def test_half_a_key_is_replaced(var: Path) -> None:
    place.find().lock.close()
    (var / "secret-key").write_text("half")

    assert len(place.secret_key(var)) > 60


def test_other_tables_are_not_taken_for_ours(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = place.find()
    assert not here.is_prepared()

    here.note_prepared()

    assert here.is_prepared()
    monkeypatch.setenv("TOUCHSTONE_DATABASE_URL", "postgresql://elsewhere/name")
    assert not here.is_prepared()
    here.lock.close()


def test_static_files_are_collected_again_after_a_change(var: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = place.find()
    here.lock.close()
    assert not here.static_is_collected()
    (var / "static").mkdir()
    (var / "static" / "staticfiles.json").write_text("{}")
    assert here.static_is_collected()

    later = (var / "static" / "staticfiles.json").stat().st_mtime + 1
    monkeypatch.setattr(place, "newest_static", lambda: later)
    assert not here.static_is_collected()
