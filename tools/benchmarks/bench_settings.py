"""The site's own settings, but for the address of the view that it is compared with."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tools.benchmarks.bare_insert"
