"""`python -m touchstone_annotation` is the command `touchstone`."""

import sys

from .cli.command import main

sys.exit(main())
