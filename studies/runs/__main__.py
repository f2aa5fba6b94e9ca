"""Runs one study in this process: `python -m studies.runs 003 --out DIR`; `touchstone studies` starts it."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from agreement.cli.arguments import seed
from agreement.errors import Refused
from studies.runs import new_folder, study_named
from studies.runs.site import CommandFailed, Site, own_site
from studies.runs.study import Page

if TYPE_CHECKING:
    from studies.runs.photographs import Photographs


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m studies.runs", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=seed)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--photographs", action="store_true")
    options = parser.parse_args()
    try:
        study = study_named(options.name)
        folder = new_folder(options.out.resolve(), study)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        page = Page(folder, study.title)
        page.write()  # so that the folder of a run that stops may be replaced by the next one
        with ExitStack() as stack:
            var = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="touchstone-studies-")))
            stack.enter_context(own_site(var))
            site = Site(
                folder,
                options.data and options.data.resolve(),
                study.seed if options.seed is None else options.seed,
                _photographs(var, stack) if options.photographs else None,
            )
            study.run(site, page)
        page.write()
    except (CommandFailed, Refused) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _photographs(var: Path, stack: ExitStack) -> Photographs:
    from studies.runs.photographs import photographs_of  # in a clone alone

    return stack.enter_context(photographs_of(var))


if __name__ == "__main__":
    sys.exit(main())
