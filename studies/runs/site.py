"""The site that a study runs on: a database of its own, and the commands, in this process."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studies.runs.photographs import Photographs


class CommandFailed(Exception):
    """A command of a study was refused."""


@dataclass(frozen=True)
class Site:
    """`folder` is the study's own; `data` the folder of public files, if there is one; `seed` decides all draws."""

    folder: Path
    data: Path | None
    seed: int
    photographs: Photographs | None = None

    def manage(self, *arguments: object) -> str:
        """Run a command in the study's folder, as a researcher would, and return what it printed."""
        from django.core.management import call_command

        name, *options = map(str, arguments)
        out, err = StringIO(), StringIO()
        try:
            with contextlib.chdir(self.folder):
                call_command(name, *options, stdout=out, stderr=err)
        except SystemExit as stopped:
            raise CommandFailed(f"{shlex.join([name, *options])}\n{err.getvalue().strip()}") from stopped
        return out.getvalue()

    def command(self, lines: list[str], *arguments: object) -> Any:
        """The command's answer as JSON; the command itself is kept in `lines`, for the page."""
        lines.append(f"python manage.py {shlex.join(map(str, arguments))}")
        return json.loads(self.manage(*arguments, "--json"))

    def open_study(self, lines: list[str], slug: str, *options: object) -> Any:
        """A study from a preset, open, whose places are given out in the order of the seed."""
        made = self.create_study(lines, slug, *options)
        self.command(lines, "open_study", slug)
        return made

    def create_study(self, lines: list[str], slug: str, *options: object) -> Any:
        from annotation.models import Study

        made = self.command(lines, "create_study", slug, *options)
        Study.objects.filter(slug=slug).update(seed=self.seed)
        return made

    def form_on_phone(self, preset: str) -> Path | None:
        """A photograph of a preset's form, where photographs are taken."""
        return None if self.photographs is None else self.photographs.of_form(preset, self.folder)

    def coding_page(self, slug: str) -> Path | None:
        """The same of the page on which a researcher codes properties."""
        return None if self.photographs is None else self.photographs.of_coding_page(slug, self.folder)


@contextlib.contextmanager
def own_site(var: Path) -> Iterator[None]:
    """This process has the settings of a site in `var`, with a new database. Django reads them once a process."""
    os.environ.update(
        {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TOUCHSTONE_DATABASE_URL": f"sqlite:///{var / 'touchstone.sqlite3'}",
            "TOUCHSTONE_VAR": str(var),
            "TOUCHSTONE_SECRET_KEY": secrets.token_urlsafe(50),
            "TOUCHSTONE_ALLOWED_HOSTS": "127.0.0.1",
            "TOUCHSTONE_HTTPS_ONLY": "0",
        }
    )
    import django
    from django.core.management import call_command
    from django.db import connection

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    yield
    connection.close()
