"""A zip that a stranger made is unpacked within its folder and within what it announces."""

import io
import re
import stat
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from agreement.cli.verifying import NEEDED, verify
from agreement.errors import Refused

BIG, LITTLE_MEMORY = 100 << 20, 30 << 20


def bomb(method: int, size: int = BIG) -> bytes:
    """A few hundred bytes that hold `size` zeros, whatever the zip says of them."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive, archive.open("README.txt", "w") as member:
        for _ in range(size >> 20):
            member.write(bytes(1 << 20))
    return made.getvalue().replace(size.to_bytes(4, "little"), (10).to_bytes(4, "little"))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "lzma"])
def test_bomb_with_a_lying_size_is_refused_in_little_memory(tmp_path: Path, method: int) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(bomb(method))
    tracemalloc.start()
    try:
        with pytest.raises(Refused, match="compressed in an unusual way"):
            verify(path)
        assert tracemalloc.get_traced_memory()[1] < LITTLE_MEMORY
    finally:
        tracemalloc.stop()


def needed_files(archive: zipfile.ZipFile) -> None:
    for name in NEEDED:
        archive.writestr(name, "")


def test_deflated_size_that_the_zip_lies_about_is_read_no_further(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        needed_files(archive)
        archive.writestr("zeros.csv", bytes(BIG))
    path.write_bytes(path.read_bytes().replace(BIG.to_bytes(4, "little"), (10).to_bytes(4, "little")))
    tracemalloc.start()
    try:
        with pytest.raises(Refused, match="this is not a whole zip"):
            verify(path)
        assert tracemalloc.get_traced_memory()[1] < LITTLE_MEMORY
    finally:
        tracemalloc.stop()


def test_links_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w") as archive:
        needed_files(archive)
        link = zipfile.ZipInfo("people.csv")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(Refused, match=r"people\.csv is a link"):
        verify(path)


def test_broken_stream_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        needed_files(archive)
        archive.writestr("extra.csv", "".join(map(str, range(1000))))
    content = bytearray(path.read_bytes())
    begin = re.search(rb"extra\.csv", content)
    assert begin is not None
    content[begin.end() : begin.end() + 40] = b"\xff" * 40
    path.write_bytes(content)
    with pytest.raises(Refused, match="this is not a whole zip"):
        verify(path)


def test_list_of_files_that_is_far_too_long_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(60_000):
            archive.writestr(zipfile.ZipInfo(f"{number:0120}"), b"")
    with pytest.raises(Refused, match="at most 10,000 files"):
        verify(path)
