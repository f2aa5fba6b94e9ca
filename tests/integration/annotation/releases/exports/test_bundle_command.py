"""The command in a bundle's README is pasted into a shell: whatever labels hold, it runs, and runs nothing else."""

import io
import json
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from annotation.releases.actions.analysing import clean_and_release
from annotation.releases.exports.bundle_zip import bundle
from tests.integration.agreement.crowds import a_study_of, answers, came
from tools import place

pytestmark = pytest.mark.django_db
LABELS = ["can't say", "'; touch pwned; echo '", "$(touch pwned)", "`touch pwned`", "-x", '"yes" \\ no']


def test_command_runs_in_a_shell_with_any_labels(tmp_path: Path) -> None:
    study = a_study_of(
        "choice", [{"item_id": f"i{n}", "fields": {"thing": "x"}} for n in range(4)], LABELS, judgments_per_item=3
    )
    for number in range(3):
        answers(came(study, f"w{number}"), "label", {f"i{n}": LABELS[(number * n) % len(LABELS)] for n in range(4)})
    release = clean_and_release(study=study, replicates=50)
    zipfile.ZipFile(io.BytesIO(b"".join(bundle(release)))).extractall(tmp_path)
    readme = (tmp_path / "README.txt").read_text()
    command = next(line for line in readme.splitlines() if "analyse_file" in line).strip()
    assert command.startswith("python manage.py ")

    ours = f"{shlex.quote(sys.executable)} {shlex.quote(str(place.ROOT / 'manage.py'))} "
    ran = subprocess.run(
        ["sh", "-c", command.replace("python manage.py ", ours, 1)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert not list(tmp_path.rglob("pwned"))
    assert (tmp_path / "again" / "gold.csv").read_bytes() == (tmp_path / "gold.csv").read_bytes()
    assert json.loads((tmp_path / "again" / "report.json").read_bytes())["kind"] == "choice"
