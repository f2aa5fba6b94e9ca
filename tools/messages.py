"""Brings the translations up to date: `make messages` (docs/recipes.md, "A sentence that annotators read").

It extracts the sentences that annotators read from code and templates into the django.po of each language, prints every
sentence that has no translation yet or only a guessed ("fuzzy") one, and compiles the files when none is left.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "annotation" / "locale"
GETTEXT = ("xgettext", "msgmerge", "msgattrib", "msgfmt")
# Researchers' pages are in English; what the theme says, the theme translates.
NOT_FOR_ANNOTATORS = (
    "tests",
    "var",
    "templates/admin",
    "templates/results",
    "templates/pages",
    "templates/unfold",
)
# It changes at every run and says nothing: history has the date.
CREATED = re.compile(r'^"POT-Creation-Date: .*\n', re.MULTILINE)


def main() -> int:
    if lacking := [name for name in GETTEXT if shutil.which(name) is None]:
        print(f"{', '.join(lacking)} not found: install GNU gettext (Debian, Ubuntu: apt-get install gettext).")
        return 1
    _extract()
    files = sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))
    if open_ones := [entry for file in files for entry in _without_translation(file)]:
        print("\n\n".join(open_ones))
        print(f"\n{len(open_ones)} translations are missing or fuzzy; nothing was compiled.")
        print('Translate them, remove the line "#, fuzzy" where there is one, and run `make messages` again.')
        return 1
    for file in files:
        subprocess.run(["msgfmt", "--check-format", "-o", file.with_suffix(".mo"), file], check=True)
    print(f"{len(files)} languages are complete and compiled.")
    return 0


def _extract() -> None:
    ignored = [f"--ignore={pattern}" for pattern in NOT_FOR_ANNOTATORS]
    options = ["--all", "--no-obsolete", "--no-wrap", "--add-location=file", *ignored]
    subprocess.run([sys.executable, "manage.py", "makemessages", *options], cwd=ROOT, check=True)
    for file in LOCALE.glob("*/LC_MESSAGES/django.po"):
        file.write_text(CREATED.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")


def _without_translation(file: Path) -> list[str]:
    """The entries of this catalogue that a translator has to look at, as they stand in the file."""
    found = []
    for which in ("--untranslated", "--only-fuzzy"):
        command = ["msgattrib", which, "--no-obsolete", "--no-wrap", str(file)]
        output = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
        # The first entry is the file's header.
        found += [f"{file.relative_to(ROOT)}\n{entry.strip()}" for entry in output.split("\n\n")[1:]]
    return found


if __name__ == "__main__":
    sys.exit(main())
