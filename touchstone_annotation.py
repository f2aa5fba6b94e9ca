"""The library under its other name, with one copy of each module.

In the repository this makes `touchstone_annotation` another name of `agreement`. The wheel has the library as
`touchstone_annotation`, and this file as `agreement` in the folder of the site, whose code imports it by that name.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agreement import *  # noqa: F403 - for type checkers, who follow no alias

REAL = "touchstone_annotation" if __name__ == "agreement" else "agreement"

if __name__ == "__main__":
    sys.exit(import_module("agreement.cli.command").main())
import_module(f"{REAL}.package_alias").alias(__name__, REAL)
