"""The command in a bundle's README.txt, run as whoever has the bundle would."""

import io
import shlex
import zipfile
from pathlib import Path

from django.core.management import call_command

from annotation.releases.exports.bundle_zip import bundle
from annotation.releases.models import GoldRelease


def run_again(release: GoldRelease, folder: Path, *, with_report: bool = False) -> tuple[Path, Path]:
    """The unpacked bundle, and what its own command made of it; the report's pictures take a second or two."""
    there, out = folder / "bundle", folder / "again"
    with zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))) as archive:
        archive.extractall(there)
    (line,) = [line for line in (there / "README.txt").read_text().splitlines() if "analyse_file" in line]
    words = [str(there / word) if (there / word).is_file() else word for word in shlex.split(line)[3:]]
    words = [str(out) if word == "again" else word for word in words]
    call_command("analyse_file", *words, *([] if with_report else ["--no-report"]), stdout=io.StringIO())
    return there, out
