"""Zips that say less than they hold: unpacked in a process of its own, whose memory is looked at."""

import struct
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

HELD_MB, MOST_GROWTH_MB = 200, 60
CHILD = """
import resource, sys
from pathlib import Path
from django.core.files.uploadedfile import SimpleUploadedFile
from annotation.media.containers import BadMedium
from annotation.media.files import uploaded

def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

find = uploaded([SimpleUploadedFile("all.zip", Path(sys.argv[1]).read_bytes())])
before = peak_mb()
try:
    find("bomb.png")
    said = "taken"
except BadMedium as error:
    said = str(error)
print(peak_mb() - before)
print(said)
"""


def lying(packing: int, says_bytes: int) -> bytes:
    """A zip of one file of many zeros, whose directory and file header say that it has few."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", packing) as archive, archive.open("bomb.png", "w") as member:
        for _ in range(HELD_MB):
            member.write(bytes(1_000_000))
    content = bytearray(out.getvalue())
    directory = content.rindex(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = struct.pack("<I", says_bytes)
    content[22:26] = struct.pack("<I", says_bytes)
    return bytes(content)


def unpacked(content: bytes, folder: Path) -> tuple[float, str]:
    """By how many MB the memory of the process that looked into the zip grew, and what it said."""
    (folder / "all.zip").write_bytes(content)
    ran = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder / "all.zip")], capture_output=True, text=True, check=True
    )
    grown, said = ran.stdout.splitlines()
    return float(grown), said


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_that_says_less_than_it_holds_takes_little_memory(packing: int, tmp_path: Path) -> None:
    grown_mb, said = unpacked(lying(packing, 1_000), tmp_path)

    assert said != "taken"
    assert grown_mb < MOST_GROWTH_MB, f"{grown_mb:.0f} MB more"


def test_a_zip_that_says_too_much_is_refused_by_what_it_holds(tmp_path: Path) -> None:
    grown_mb, said = unpacked(lying(zipfile.ZIP_DEFLATED, HELD_MB * 1_000_000), tmp_path)

    assert said == "is larger than 10 MB"
    assert grown_mb < MOST_GROWTH_MB
