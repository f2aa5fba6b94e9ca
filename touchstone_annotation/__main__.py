"""`python -m touchstone_annotation` is the command `touchstone`."""

import sys

from touchstone_annotation.command import main

sys.exit(main())
